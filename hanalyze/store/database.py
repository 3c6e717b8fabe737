"""The database in Python: `connect`, and `Database` with its methods."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Self

from hanalyze.errors import HanalyzeError, UnknownName, check_unicode
from hanalyze.lazy import Connection, duckdb, needed, polars as pl
from hanalyze.logs.sources.file_search import find_files
from hanalyze.replaying import Replay
from hanalyze.store.definitions import Folder, chosen
from hanalyze.store.errors import duckdb_errors, problem_of
from hanalyze.store.files import FileReader, RecordReader
from hanalyze.store.ingest import Summary, ingest
from hanalyze.store.judging_options import PLAY, Judging
from hanalyze.store.mistakes import prepare, prepare_decisions
from hanalyze.store.opening import check_identity, connection_to, file_identity, is_folder
from hanalyze.store.results import Result, as_frame, polars_types
from hanalyze.store.rows import OnProgress, Progress
from hanalyze.store.threads import OfThread, Threads, interruptible
from hanalyze.store.views import make_views, names_views
from hanalyze.tables.store import TABLES
from hanalyze.text import nearest, printable

if TYPE_CHECKING:
    from hanalyze.detectors.plugin import Detector, Plan
    from hanalyze.logs.record import GameRecord
    from hanalyze.store.conventions import ConventionSummary
    from hanalyze.store.folder.compact import CompactSummary
    from hanalyze.store.part_sums import Maker
    from hanalyze.store.solutions import SolveSummary


def connect(
    path: str | os.PathLike[str] | None = None,
    *,
    read_only: bool = False,
    rebuild: bool = False,
    files_in: Iterable[str | os.PathLike[str]] | None = None,
    memory_limit: str | None = None,
) -> Database:
    """Open or create a database: a DuckDB file, or a folder of Parquet files.

    `path` names a folder if it is an existing folder, ends with "/", or is a URL ("s3://bucket/games"); None
    stands for a database in memory. `read_only` requires an existing database, and lets other processes read
    it at the same time. `rebuild` discards an existing database of hanalyze, whatever its version. `files_in`
    are the folders in which queries may read and write files, by default all folders. `memory_limit`, such as
    "2GB", is the memory that DuckDB may use before it writes to the disk; by default 256 MiB plus 64 MiB per
    core for a file or folder, and most of the machine's memory for a database in memory. Raises
    `HanalyzeError` with a rule of `hanalyze.store.errors.RULES`, or `bad_number` for a wrong memory limit.

    >>> with connect() as db:
    ...     db.sql("SELECT count(*) AS games FROM games").item()
    0
    """
    opened = connection_to(
        path, read_only=read_only, rebuild=rebuild, files_in=files_in, memory_limit=memory_limit
    )
    return Database(*opened, has_files=files_in is None)


open = connect


class Database:
    """An open database. Close it, or use it as a context manager.

    Several threads may query at the same time; each has its own connection and temporary tables. A query
    raises `HanalyzeError` (rule `database_busy`) while another thread writes or closes the database. `file`
    is the path passed to `connect`, None for a database in memory. `judging` are the options set by `judge`.
    """

    def __init__(self, connection: Connection, file: str | None, *, has_files: bool = True) -> None:
        """Wrap an open connection; with `has_files`, queries may access files."""
        needed("duckdb")  # adds methods such as `Connection.sql`, which a single game does not need
        self._threads = Threads(connection, file)
        self._is_closed = False
        self.file = file
        self._folder = file if file is not None and is_folder(file) else None
        self._has_files = has_files
        self._identity = file_identity(file)
        self.judging = Judging()

    @property
    def is_folder(self) -> bool:
        """Whether the database is a folder of Parquet files, not a DuckDB file."""
        return self._folder is not None

    def __repr__(self) -> str:
        return f"<Database {printable(self.file or 'in memory')}{', closed' if self._is_closed else ''}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        self.close()
        if isinstance(error, (duckdb.Error, UnicodeDecodeError)):
            problem = problem_of(error, self.file)
            if problem.rule != "bad_sql":
                raise problem from None

    def close(self) -> None:
        """Close the connections of all threads; a database in memory is lost."""
        if not self._is_closed:
            with duckdb_errors(self.file):
                self._threads.close()
            self._is_closed = True

    @property
    def connection(self) -> Connection:
        """The DuckDB connection of this thread."""
        return self._mine.connection

    @property
    def _mine(self) -> OfThread:
        if self._is_closed:
            raise HanalyzeError("the database was closed", rule="closed", file=self.file)
        return self._threads.mine()

    @contextmanager
    def writing(self, on_progress: OnProgress = None) -> Iterator[Callable[[Progress], object]]:
        """Reserve the database for this thread; yield a function to call with the progress so far.

        Raises `HanalyzeError` (rule `database_busy`) while another thread writes. The function, and the end
        of the block, raise `HanalyzeError` (rule `removed`) if the file was removed or replaced.
        """

        def check(progress: Progress | None = None) -> None:
            check_identity(self.file, self._identity)
            if on_progress is not None and progress is not None:
                on_progress(progress)

        with duckdb_errors(self.file), self._threads.writing():
            yield check
            check()

    def ingest(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        jobs: int | None = None,
        strict: bool = False,
        conventions: bool = False,
        level: int | None = None,
        shard: tuple[int, int] | None = None,
        cluster: str | None = None,
        workers: int | None = None,
        makers: Sequence[Maker] = (),
        on_progress: OnProgress = None,
    ) -> Summary:
        """Store the games of files, folders and patterns; games that are already stored are skipped.

        A log that cannot be read or dealt becomes a row of `rejects`, and so does a missing file; a broken
        rule becomes a row of `defects`. With `strict`, the first reject or defect is raised instead, and
        games that were not committed yet are not stored. A folder or pattern without logs raises `LogError`
        (rule `no_file`). `jobs` is the number of threads, by default one for each core. `on_progress` is
        called with a `Progress` after every piece of work.

        The other parameters are for folders; for a file, `conventions`, `makers`, `shard` and `cluster` raise
        `HanalyzeError` (rule `usage`). `conventions` also reads the games for conventions, up to `level`.
        `makers` count the partial sums to store (`hanalyze.report.dashboard.aggregates.MAKERS`). `shard` (i,
        n) processes every n-th unit of work, so that n processes on any machines process all units. `cluster`
        is the address of a Dask scheduler (`tcp://...`, `tls://...`), or `local` for `workers` local
        processes, by default one for each core. A script that uses `local` must be guarded by `if __name__ ==
        "__main__":`, since each process imports the script.
        """
        listed = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        with self.writing(on_progress) as progress:
            if self._folder is not None:
                from hanalyze.store.folder.ingest import ingest_files

                summary = ingest_files(
                    self._folder,
                    find_files(listed),
                    jobs=jobs,
                    strict=strict,
                    conventions=conventions,
                    level=level,
                    shard=shard,
                    cluster=cluster,
                    workers=workers,
                    makers=makers,
                    on_progress=progress,
                )
                self._refresh()
                return summary
            if conventions or makers or shard is not None or cluster is not None:
                problem = "only folders allow shards, clusters, and conventions or sums during an ingest"
                advice = "name a folder, as in games/"
                raise HanalyzeError(problem, rule="usage", file=self.file, advice=advice)
            source = FileReader(find_files(listed))
            return ingest(self.connection, source, jobs=jobs, strict=strict, on_progress=progress)

    def add(
        self, records: Iterable[GameRecord | Replay], *, jobs: int | None = None, strict: bool = False
    ) -> Summary:
        """Store records or replays that are in memory, as `ingest` stores the games of files.

        A folder ignores `jobs`. Raises `HanalyzeError` (rule `other_rules`) for a replay under other rules
        than its record's.

        >>> import hanalyze.store
        >>> from hanalyze.agents import simulate
        >>> with hanalyze.store.connect() as db:
        ...     db.add(simulate("cautious", games=2)).stored
        2
        """
        with self.writing() as progress:
            if self._folder is not None:
                from hanalyze.store.folder.ingest import add_records

                summary = add_records(self._folder, records, strict=strict)
                self._refresh()
                return summary
            source = RecordReader(records)
            return ingest(self.connection, source, jobs=jobs, strict=strict, on_progress=progress)

    def _refresh(self) -> None:
        """Update the views to the newest state of a folder."""
        from hanalyze.store.folder.opening import show_newest

        if self._folder is not None:
            show_newest(self.connection, self._folder)

    def _open_derived(self) -> None:
        """Open the derived tables of a folder for writing; they are computed from stored games."""
        if self._folder is not None:
            from hanalyze.store.folder.opening import open_derived_tables

            open_derived_tables(self.connection, self._folder)

    def read_conventions(
        self,
        level: int | None = None,
        *,
        jobs: int | None = None,
        on_progress: OnProgress = None,
        detectors: Iterable[Detector | Plan] = (),
    ) -> ConventionSummary:
        """Read all games for conventions, except games already read, and store the meanings of their actions.

        `level` is the highest H-Group level to read, 1 to 25; by default the level of earlier readings of
        this database, otherwise 25. If the level or the version of the conventions has changed, all games are
        read again, or an error is raised (rule `other_level`) if the ingest into a folder read some of them.
        The table `chances` gets the chances of the cards in hands by the shipped model that best fits the
        games (`hanalyze.chances`); `convention_games` has the model's name.

        `detectors` are the user's own detectors (`hanalyze.detectors`). Their findings go to
        `detector_findings`, their failures to `detector_problems`. A new version of a detector replaces the
        rows of the old version. Also raises `bad_number` and the rules of `detectors.plugin.in_order`.
        """
        # Imported here, because the import is slow.
        from hanalyze.store.conventions import read_conventions

        with self.writing(on_progress) as progress:
            self._open_derived()
            return read_conventions(
                self.connection, level=level, jobs=jobs, on_progress=progress, detectors=detectors
            )

    def solve(
        self,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        game_nodes: int | None = None,
        game_seconds: float | None = None,
        jobs: int | None = None,
        on_progress: OnProgress = None,
    ) -> SolveSummary:
        """Solve the deals of all games with all cards open, and find the moves that lost points.

        Results go to the tables `solved_games`, `best_scores` and `losses`. Games that this version of the
        solver has solved are skipped, unless a loss is unknown and the budget is now larger. `nodes` and
        `seconds` limit the positions and the time for each score, `game_nodes` and `game_seconds` those for
        each game. If no limit is given, a score may take 40,000 positions, and a game 400,000. `jobs` is the
        number of threads.

        >>> from hanalyze.agents import simulate
        >>> with connect() as db:
        ...     db.add(simulate("cautious", games=2)).stored, db.solve().games, db.solve().already_solved
        (2, 2, 2)
        """
        from hanalyze.store.solutions import budget_of, solve_games

        budget = budget_of(nodes, seconds, game_nodes, game_seconds)
        with self.writing(on_progress) as progress:
            self._open_derived()
            return solve_games(self.connection, budget, jobs=jobs, on_progress=progress)

    def compact(self, *, grace: float | None = None) -> CompactSummary:
        """Join the small files of a folder into files of about 128 MB, without duplicate copies of games.

        Unused files older than `grace` seconds (default: a day) are removed; other processes may still read
        newer ones. Raises `HanalyzeError` (rule `usage`) for a database that is not a folder.
        """
        if self._folder is None:
            raise HanalyzeError("only folders are compacted", rule="usage", file=self.file)
        from hanalyze.store.folder.compact import GRACE, compact

        with self.writing():
            summary = compact(self._folder, grace=GRACE if grace is None else grace)
            self._refresh()
        return summary

    @contextmanager
    def _cursor(self, query: str, folder: Folder = None) -> Iterator[Connection]:
        check_unicode(query)
        with duckdb_errors(self.file), closing(self.connection.cursor()) as cursor, interruptible(cursor):
            if names_views(query):
                make_views(cursor, query, folder, self.judging, self._mine.mistakes)
            yield cursor

    def sql(
        self,
        query: str,
        params: Sequence[Any] | Mapping[str, Any] | None = None,
        *,
        folder: Folder = None,
        temporary: bool = False,
    ) -> pl.DataFrame:
        """Return the result of a query; `params` are the values for `?` or `$name` in it.

        A query may use all tables, and the views of `hanalyze.store.schema.VIEWS`. `folder` has further
        definitions of mistakes; once it is given, queries of this database can no longer access files. With
        `temporary`, the query runs on `connection`, sees its temporary tables and may create such tables.
        Columns with the same name get numbers; types that Polars lacks, such as intervals, become text.

        >>> with connect() as db:
        ...     db.sql("SELECT ? + 1 AS n", [41]).item()
        42
        """
        if temporary:
            with duckdb_errors(self.file):
                return as_frame(self.connection, query, params)
        with self._cursor(query, folder) as cursor:
            return as_frame(cursor, query, params)

    @contextmanager
    def result(self, query: str) -> Iterator[Result]:
        """Run a query, and yield its result, which can be written piece by piece."""
        with self._cursor(query) as cursor:
            yield Result(cursor, query, only_asks=self.is_folder and not self._has_files)

    def prepare(self, folder: Folder = None, *, as_table: bool = False, names: bool = False) -> None:
        """Create the views `decisions` and `mistakes` on `connection`; see `hanalyze.store.mistakes`."""
        with duckdb_errors(self.file):
            prepare(self.connection, folder, as_table=as_table, names=names, judging=self.judging)

    def prepare_decisions(self, folder: Folder = None, *, names: bool = False) -> None:
        """Create the views of `prepare`, except the views of mistakes."""
        with duckdb_errors(self.file):
            prepare_decisions(self.connection, folder, names=names, judging=self.judging)

    def mistakes_table(self, folder: Folder = None, games: Sequence[int] | None = None) -> str:
        """Return the name of the cached table of mistakes in all games, or in those with the keys `games`."""
        with self._cursor("") as cursor:
            return self._mine.mistakes.table(cursor, folder, self.judging, games)

    def kept_mistakes(self) -> str | None:
        """Return the name of the cached table of mistakes with all columns; None if it is not cached."""
        with self._cursor("") as cursor:
            return self._mine.mistakes.rows(cursor, None, self.judging)

    def judge(
        self,
        *,
        by_logic: bool | Iterable[int] = False,
        play_threshold: float = PLAY,
        level: int | None = None,
    ) -> None:
        """Set the judging options for mistakes in later queries; nothing is stored.

        `by_logic` is True to ignore conventions in all games, or contains the keys of the games whose players
        follow another system; moves of these games are judged only by deduction. `play_threshold` is the
        least chance at which playing a card is not a mistake, and discarding it is a mistake; at two strikes,
        it is at least 0.9. Players are expected to answer signals up to H-Group level `level`; by default,
        the level is estimated from the games of the same players. Raises `HanalyzeError` (`bad_threshold`).

        >>> with connect() as db:
        ...     db.judge(by_logic=True, play_threshold=0.75)
        """
        # An empty set becomes False, the default, for which stored sums are valid.
        games = by_logic if isinstance(by_logic, bool) else frozenset(by_logic) or False
        self.judging = Judging(games, play_threshold, level)

    def _table(self, name: str, wanted: str = "*", limit: str = "", order: str = "") -> pl.DataFrame:
        """Return a table of the database, with the column types that frames of `Replay` have."""
        frame = self.sql(f"SELECT {wanted} FROM {name}{order}{limit}")
        return frame.cast(polars_types(column for column in TABLES[name] if column.name in frame.columns))

    def _lazy(self, name: str) -> pl.LazyFrame:
        from polars.io.plugins import register_io_source

        schema = self._table(name, limit=" LIMIT 0").schema

        def source(
            with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _: int | None
        ) -> Iterator[pl.DataFrame]:
            listed = ", ".join(f'"{column}"' for column in with_columns or list(schema))
            limit = "" if n_rows is None or predicate is not None else f" LIMIT {int(n_rows)}"
            frame = self._table(name, listed, limit)
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if n_rows is None else frame.head(n_rows)

        return register_io_source(source, schema=schema)

    def mistakes(self, *kinds: str, folder: Folder = None) -> pl.DataFrame:
        """Return the mistakes of the given kinds, or of all kinds, sorted by game, turn, kind and evidence.

        A family (discard, play, clue) stands for all its kinds. The columns are `game`, `player`, the columns
        of `hanalyze.store.definition_queries.COLUMNS`, and `names` (of all players). The kinds are those of
        `definitions`; `folder` has further definitions. `hz.worded(row)` puts a row into words. Raises
        `UnknownName`.
        """
        query = """SELECT * FROM mistakes WHERE kind IN (SELECT unnest($kinds))
            ORDER BY game_id, turn, kind, evidence, evidence_values"""
        return self.sql(query, {"kinds": list(chosen(kinds, folder))}, folder=folder)

    def games(self) -> pl.DataFrame:
        """Return the games as an eager frame, one row each."""
        return self._table("games")

    def seats(self) -> pl.DataFrame:
        """Return the players as an eager frame, one row per game and seat."""
        return self._table("seats")

    def turns(self) -> pl.LazyFrame:
        """Return the turns as a lazy frame: queries fetch the columns that they use, then filter rows."""
        return self._lazy("turns")

    def clues(self) -> pl.LazyFrame:
        """Return the clues as a lazy frame, like `turns`."""
        return self._lazy("clues")

    def cards(self) -> pl.LazyFrame:
        """Return the cards of all decks as a lazy frame, like `turns`."""
        return self._lazy("cards")

    def findings(self) -> pl.DataFrame:
        """Return the meaning and outcome of actions, one row per finding, in order of game and turn."""
        frame = self.sql("SELECT * FROM findings ORDER BY game_id, turn, number")
        columns = (*TABLES["conventions"], *TABLES["convention_outcomes"])
        return frame.cast(polars_types(columns))

    def losses(self) -> pl.DataFrame:
        """Return the moves that lost points with all cards open, in order of game and turn; see `solve`."""
        return self._table("losses", order=" ORDER BY game_id, turn")

    def best_scores(self) -> pl.LazyFrame:
        """Return the best score still possible after each action with all cards open, as a lazy frame."""
        return self._lazy("best_scores")

    def table(self, name: str) -> pl.DataFrame:
        """Return a table by its name, with the column types of the other methods. Raises `UnknownName`.

        >>> with connect() as db:
        ...     db.table("convention_games").columns
        ['game_id', 'level', 'conventions_version', 'chances', 'features']
        """
        if name not in TABLES:
            raise UnknownName("table", name, nearest(name, TABLES), advice="one of: " + ", ".join(TABLES))
        return self._table(name)

    def count(self, name: str) -> int:
        """Return the number of rows of a table or view.

        >>> with connect() as db:
        ...     db.count("games")
        0
        """
        return int(self.sql(f"SELECT count(*) FROM {name}").item())

    def defects(self) -> pl.DataFrame:
        """Return the defects of the games, one row per breach of a rule in a log."""
        return self._table("defects")

    def rejects(self) -> pl.DataFrame:
        """Return the logs that could not be read or dealt."""
        return self._table("rejects")

    def ingests(self) -> pl.DataFrame:
        """Return the input files of completed ingest runs, each with its numbers of games."""
        return self._table("ingests")

    def export(self, folder: str | os.PathLike[str]) -> dict[str, int]:
        """Write every table as Parquet into a new folder; large tables are split by number of players.

        Returns the number of rows of each table. An interrupted export starts again from the beginning.
        Raises `HanalyzeError` (rule `folder_not_empty`) if the folder has other files.
        """
        from hanalyze.store.results import export

        return export(self.connection, os.fspath(folder))

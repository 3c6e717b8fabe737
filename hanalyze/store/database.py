"""The database in Python: `connect`, and `Database` with its methods."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Self

from hanalyze.errors import HanalyzeError, UnknownName, check_unicode
from hanalyze.lazy import duckdb, polars as pl
from hanalyze.logs.sources.file_search import find_files
from hanalyze.store.definitions import chosen
from hanalyze.store.errors import duckdb_errors, problem_of
from hanalyze.store.files import FileReader, RecordReader
from hanalyze.store.ingest import Summary, ingest
from hanalyze.store.judging_options import PLAY, Judging
from hanalyze.store.mistakes import prepare, prepare_decisions
from hanalyze.store.opening import check_identity, connection_to, file_identity, is_folder
from hanalyze.store.results import Result, as_frame, polars_types
from hanalyze.store.rows import Progress
from hanalyze.store.threads import OfThread, Threads, interruptible
from hanalyze.store.views import make_views, names_views
from hanalyze.tables.store import TABLES
from hanalyze.text import printable

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
    """Open a database, creating it if it does not exist; without a path, one in memory.

    `read_only` requires an existing file, and lets other processes read it at the same time. `rebuild`
    discards an existing database of hanalyze, whatever its version. `files_in` are the folders whose files
    queries may read and write, by default all. `memory_limit`, such as "2GB", is the memory that DuckDB may
    use before it writes to the disk; by default some hundred megabytes for a file, most of the machine's
    memory for a database in memory. Raises `HanalyzeError` with a rule of `hanalyze.store.errors.RULES`.

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

    Several threads may query at once: each has its own connection and temporary tables. A query raises
    `HanalyzeError` (rule `database_busy`) while another thread writes or closes the database. `file` is the
    path as it was given, None in memory; `judging` are the options that `judge` set.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, file: str | None, *, has_files: bool = True
    ) -> None:
        """Wrap an open connection; `has_files`: queries may reach files."""
        self._threads = Threads(connection, file)
        self._is_closed = False
        self.file = file
        self._folder = file if file is not None and is_folder(file) else None
        self._has_files = has_files
        self._identity = file_identity(file)
        self.judging = Judging()

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of Parquet files, and not a file of DuckDB."""
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
        """Close the database; whatever was stored stays."""
        if not self._is_closed:
            with duckdb_errors(self.file):
                self._threads.close()
            self._is_closed = True

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """DuckDB's own connection of this thread."""
        return self._mine.connection

    @property
    def _mine(self) -> OfThread:
        if self._is_closed:
            raise HanalyzeError("the database was closed", rule="closed", file=self.file)
        return self._threads.mine()

    @contextmanager
    def writing(
        self, on_progress: Callable[[Progress], object] | None = None
    ) -> Iterator[Callable[[Progress], object]]:
        """Reserve the database for this thread; give a function to call after every piece of work.

        Raises `HanalyzeError` (rule `database_busy`); in that function and at the end also if the file was
        removed or replaced (rule `removed`).
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
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Summary:
        """Store the games of files, folders and patterns; games that are already stored are skipped.

        A log that cannot be read or dealt becomes a row of `rejects`, and so does a path without a file; a
        broken rule becomes a row of `defects`. Under `strict` the first of either is raised instead, and
        whatever was not yet committed is not stored. `jobs` is the number of threads, by default one for
        each core. `on_progress` is called after every piece.

        For folders only (else rule `usage`): `conventions` also reads the games for conventions, up to
        `level`; `makers` (`hanalyze.report.dashboard.aggregates.MAKERS`) also counts their sums; `shard`,
        (i, n), does every n-th unit of work, so that n processes on any machines do all of them; `cluster`
        is the address of a Dask scheduler (`tcp://...`, `tls://...`), or `local` for `workers` processes of
        this machine, by default one for each core. A script that uses `local` must be guarded by `if
        __name__ == "__main__":`, since each process imports it.
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
                raise HanalyzeError(
                    "shards, clusters, and conventions and sums as games are stored, are for folders",
                    rule="usage",
                    file=self.file,
                    advice="name a folder, as in games/",
                )
            source = FileReader(find_files(listed))
            return ingest(self.connection, source, jobs=jobs, strict=strict, on_progress=progress)

    def add(self, records: Iterable[GameRecord], *, jobs: int | None = None, strict: bool = False) -> Summary:
        """Store games that are in memory, as `ingest` stores those of files.

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
        """Show the newest state of a folder."""
        from hanalyze.store.folder.opening import show_newest

        if self._folder is not None:
            show_newest(self.connection, self._folder)

    def _open_derived(self) -> None:
        """Open the tables of a folder that are computed from stored games, to write them."""
        if self._folder is not None:
            from hanalyze.store.folder.opening import open_derived_tables

            open_derived_tables(self.connection, self._folder)

    def read_conventions(
        self,
        level: int | None = None,
        *,
        jobs: int | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        detectors: Iterable[Detector | Plan] = (),
    ) -> ConventionSummary:
        """Read all games for conventions and store what their actions meant, except games already read.

        `level` is the H-Group's level, 1 to 25, up to which conventions are known; by default the one at
        which games here were read before, else the highest. Another level, or another version of the
        definitions, reads all games again. The table `chances` gets what the cards in hands were likely to
        be, by the shipped model that suits the games best (`hanalyze.chances`); its name is in
        `convention_games`.

        `detectors` are the user's own (`hanalyze.detectors`): their findings are in `detector_findings`,
        their failures in `detector_problems`. Another version of a detector replaces its rows. Raises
        `HanalyzeError` as `in_order` does.
        """
        # Importing the reader takes long.
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
        on_progress: Callable[[Progress], object] | None = None,
    ) -> SolveSummary:
        """Solve the deals of all games with all cards open, and find the moves that lost points.

        Results go to the tables `solved_games`, `best_scores` and `losses`. Games that were solved before
        are skipped; games that stayed open are tried again within a larger budget. `nodes` and `seconds`
        limit the positions and the time for each score, `game_nodes` and `game_seconds` those for each
        game; by default 40,000 positions for each score and 400,000 for each game. `jobs` is the number of
        threads.

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
        """Join the small files of a folder into files of about 128 MB, without rows that no longer count.

        Old files are removed once they are `grace` seconds old (default: a day), since other processes may
        still read them. Raises `HanalyzeError` (rule `usage`) for a database in one file.
        """
        if self._folder is None:
            raise HanalyzeError("only folders are compacted", rule="usage", file=self.file)
        from hanalyze.store.folder.compact import GRACE, compact

        with self.writing():
            summary = compact(self._folder, grace=GRACE if grace is None else grace)
            self._refresh()
        return summary

    @contextmanager
    def _cursor(
        self, query: str, folder: str | os.PathLike[str] | None = None
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a cursor with the views that a query names."""
        check_unicode(query)
        with duckdb_errors(self.file), closing(self.connection.cursor()) as cursor, interruptible(cursor):
            if names_views(query) and make_views(cursor, query, folder, self.judging):
                self._mine.mistakes.table(cursor, folder, self.judging, "found_rows")
            yield cursor

    def sql(
        self,
        query: str,
        params: Sequence[Any] | Mapping[str, Any] | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        temporary: bool = False,
    ) -> pl.DataFrame:
        """Return the result of a query; `params` take the places of `?` or `$name` in it.

        Besides the tables there are the views of `hanalyze.store.schema.VIEWS`. `folder` has further
        definitions of mistakes; after that no query of this database reaches files. With `temporary` the
        query runs on `connection`, sees its temporary tables and may create some. Columns of the same name
        get numbers; types that Polars does not have, such as intervals, become text.

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
        """Run a query, and give its result to be written piece by piece: `hanalyze.store.results`."""
        with self._cursor(query) as cursor:
            yield Result(cursor, query, only_asks=self.is_folder and not self._has_files)

    def prepare(
        self, folder: str | os.PathLike[str] | None = None, *, as_table: bool = False, names: bool = False
    ) -> None:
        """Create the views `decisions` and `mistakes` on `connection`; see `hanalyze.store.mistakes`."""
        with duckdb_errors(self.file):
            prepare(self.connection, folder, as_table=as_table, names=names, judging=self.judging)

    def prepare_decisions(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Create the views of `prepare` except the mistakes, which take longer."""
        with duckdb_errors(self.file):
            prepare_decisions(self.connection, folder, judging=self.judging)

    def mistakes_table(self, folder: str | os.PathLike[str] | None = None) -> str:
        """Return the name of the table of all mistakes: see `hanalyze.store.mistake_cache`."""
        with self._cursor("") as cursor:
            return self._mine.mistakes.table(cursor, folder, self.judging)

    def judge(self, *, by_logic: bool | Iterable[int] = False, play_threshold: float = PLAY) -> None:
        """Set the judging options for mistakes in later queries; nothing is stored.

        `by_logic` are the keys of the games whose conventions do not count, True for all games. A play at
        least `play_threshold` likely to fit is no mistake, and the discard of such a card is one; at two
        strikes that is at least 0.9. Raises `HanalyzeError` (rule `bad_threshold`).

        >>> with connect() as db:
        ...     db.judge(by_logic=True, play_threshold=0.75)
        """
        games = by_logic if isinstance(by_logic, bool) else frozenset(by_logic)
        self.judging = Judging(games, play_threshold)

    def _table(self, name: str, wanted: str = "*", limit: str = "", order: str = "") -> pl.DataFrame:
        """Return a table of ours, with the types of the frames of `Replay`."""
        frame = self.sql(f"SELECT {wanted} FROM {name}{order}{limit}")
        return frame.cast(polars_types(column for column in TABLES[name] if column.name in frame.columns))

    def _lazy(self, name: str) -> pl.LazyFrame:
        """Return a table as a lazy frame, which fetches only the columns and rows that are needed."""
        from polars.io.plugins import register_io_source

        schema = self._table(name, limit=" LIMIT 0").schema

        def source(
            with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _: int | None
        ) -> Iterator[pl.DataFrame]:
            wanted = ", ".join(f'"{column}"' for column in with_columns or list(schema))
            limit = "" if n_rows is None or predicate is not None else f" LIMIT {int(n_rows)}"
            frame = self._table(name, wanted, limit)
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if n_rows is None else frame.head(n_rows)

        return register_io_source(source, schema=schema)

    def mistakes(self, *kinds: str, folder: str | os.PathLike[str] | None = None) -> pl.DataFrame:
        """Return the mistakes of some kinds, or of all, a row each, by game, turn, kind and evidence.

        A family (discard, play, clue) stands for all its kinds. The columns are the game, the names of its
        players and those of `hanalyze.store.mistakes.COLUMNS`; the kinds are those of `definitions`, and
        `folder` has further ones. `hz.worded(row)` says a row in words. Raises `UnknownName`.
        """
        query = """SELECT * FROM mistakes WHERE kind IN (SELECT unnest($kinds))
            ORDER BY game_id, turn, kind, evidence, evidence_values"""
        return self.sql(query, {"kinds": list(chosen(kinds, folder))}, folder=folder)

    def games(self) -> pl.DataFrame:
        """Return the games, a row each, at once; only turns, clues and cards are lazy."""
        return self._table("games")

    def seats(self) -> pl.DataFrame:
        """Return the players of each game by seat."""
        return self._table("seats")

    def turns(self) -> pl.LazyFrame:
        """Return the turns as a lazy frame, which fetches only what a query needs."""
        return self._lazy("turns")

    def clues(self) -> pl.LazyFrame:
        """Return the clues, lazily, as `turns` does."""
        return self._lazy("clues")

    def cards(self) -> pl.LazyFrame:
        """Return the cards of all decks, lazily, as `turns` does."""
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
        """Return any table of the database by its name, in the types that the other methods give.

        >>> with connect() as db:
        ...     db.table("convention_games").columns
        ['game_id', 'level', 'conventions_version', 'chances', 'features']
        """
        if name not in TABLES:
            near = tuple(get_close_matches(name[:100], TABLES, n=2))
            raise UnknownName("table", name, near, advice="one of: " + ", ".join(TABLES))
        return self._table(name)

    def count(self, name: str) -> int:
        """Return how many rows a table or view has.

        >>> with connect() as db:
        ...     db.count("games")
        0
        """
        rows: int = self.sql(f"SELECT count(*) FROM {name}").item()
        return rows

    def defects(self) -> pl.DataFrame:
        """Return the rules that logs break."""
        return self._table("defects")

    def rejects(self) -> pl.DataFrame:
        """Return the logs that could not be read or dealt."""
        return self._table("rejects")

    def ingests(self) -> pl.DataFrame:
        """Return the files of all completed runs."""
        return self._table("ingests")

    def export(self, folder: str | os.PathLike[str]) -> dict[str, int]:
        """Write every table as Parquet into a new folder, the large ones by number of players.

        Returns the rows of each table. An interrupted export is written again from the start. Raises
        `HanalyzeError` (rule `folder_not_empty`) if the folder has other files.
        """
        from hanalyze.store.results import export

        return export(self.connection, os.fspath(folder))

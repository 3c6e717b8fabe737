"""`hanalyze ingest`, `info`, `export`, `sums` and `compact`: make, describe and maintain databases."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from hanalyze.cli.exits import UsageError, say_written
from hanalyze.cli.inputs import named_files
from hanalyze.cli.options import DB, GameBudget, Jobs, Level, MemoryLimit, game_budget
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.cli.screen import progress_bar
from hanalyze.logs.sources.file_search import ENDINGS
from hanalyze.store import connect
from hanalyze.store.folder.opening import holds_folder
from hanalyze.store.folder.storage import is_remote
from hanalyze.store.listings import contents, size_of
from hanalyze.store.opening import is_folder
from hanalyze.store.part_sums import Maker
from hanalyze.text import plural, printable, shorten


@examples(
    "hanalyze ingest games.jsonl --db games.duckdb",
    'hanalyze ingest logs/ "more/*.jsonl.gz" --db games.duckdb --jobs 4',
    "hanalyze ingest games.jsonl --db games.duckdb --conventions --solve",
    "hanalyze ingest logs/ --db games/",
    "hanalyze ingest logs/ --db games/ --shard 3/8",
    "hanalyze ingest logs/ --db games/ --cluster tcp://scheduler:8786",
)
def ingest(
    paths: Annotated[
        list[str], argument("PATH", "Logs, folders with logs, or patterns; - for standard input.")
    ],
    database: Annotated[
        str, option("FILE|FOLDER", "The database, created if missing; a folder if it ends in /.", "--db")
    ] = "games.duckdb",
    jobs: Jobs = None,
    strict: Annotated[bool, flag("--strict", "Stop at the first damaged or illegal log.")] = False,
    conventions: Annotated[bool, flag("--conventions", "Also read what each move meant.")] = False,
    level: Level = None,
    solve: Annotated[bool, flag("--solve", "Also find where points were lost, with all cards open.")] = False,
    budget: GameBudget = None,
    sums: Annotated[
        bool,
        flag(
            "--sums",
            "Also store aggregates, so that dashboards open in seconds; with --shard, run `hanalyze sums` at"
            " the end.",
        ),
    ] = False,
    shard: Annotated[
        str | None, option("I/N", "Run as process I of N processes that store these logs in one folder.")
    ] = None,
    cluster: Annotated[
        str | None, option("ADDRESS", "Store with a Dask cluster: the scheduler's address, or local.")
    ] = None,
    workers: Annotated[int | None, option("N", "With --cluster local: number of processes.", min=1)] = None,
    rebuild: Annotated[bool, flag("--rebuild", "Discard the database and start over.")] = False,
) -> None:
    """Read logs, replay every game, and store all turns, clues and cards in a DuckDB database or a folder.

    Games already stored are skipped, so the same command continues after an interruption. Logs that break a
    rule are stored with their defects; logs that cannot be read or dealt are listed in the table rejects.
    Either way the exit code is 0; with --strict it is 1 or 2. Folders of Parquet files can be written by
    several processes (--shard; I counts from 0 or from 1) or by a Dask cluster (--cluster).
    """
    if database.lower().endswith(ENDINGS):
        what = "this is the name of a log, not of a database"
        raise UsageError(what, "name the database, as in --db games.duckdb", file=database)
    if database.startswith("memory://"):
        what = "this database would be lost when the command ends"
        raise UsageError(what, "name a file or a folder, as in --db games/", file=database)
    if level is not None and not conventions:
        raise UsageError("--level is for conventions", "add --conventions")
    if budget is not None and not solve:
        raise UsageError("--budget is for the solver", "add --solve")
    limits = game_budget(budget)
    part = None if shard is None else _shard_of(shard)
    into_folder = is_folder(database)
    if part is not None and (rebuild or solve or not into_folder):
        advice = "name a folder, as in --db games/, without --rebuild and --solve"
        raise UsageError("--shard stores logs in a folder", advice)
    if cluster is not None and (part is not None or not into_folder):
        advice = "name a folder, as in --db games/, without --shard"
        raise UsageError("--cluster stores logs in a folder", advice)
    if workers is not None and cluster != "local":
        raise UsageError("--workers is for local processes", "add --cluster local")
    files = named_files(paths)
    makers: Sequence[Maker] = ()
    if sums:
        from hanalyze.report.dashboard.aggregates import MAKERS, sum_up  # slow to import

        makers = MAKERS if into_folder and not solve else ()
    with connect(database, rebuild=rebuild, files_in=()) as db, progress_bar() as show:
        summary = db.ingest(
            files,
            jobs=jobs,
            strict=strict,
            conventions=conventions and into_folder,
            level=level,
            shard=part,
            cluster=cluster,
            workers=workers,
            makers=makers,
            on_progress=show,
        )
        results: list[Any] = []
        # A folder's new games were read for conventions when stored; earlier games may still be unread.
        unread = "SELECT 1 FROM games ANTI JOIN convention_games USING (game_id) LIMIT 1"
        if conventions and part is None and not (into_folder and db.sql(unread).is_empty()):
            results.append(db.read_conventions(level, jobs=jobs, on_progress=show))
        if solve:
            results.append(db.solve(**limits, jobs=jobs, on_progress=show))
        # Units of earlier runs may lack sums, and units that share games have invalid sums.
        if sums and part is None and not is_remote(database):
            results.append(sum_up(db))
    rate = summary.read / summary.seconds if summary.seconds else 0
    place = printable(shlex.quote(database))
    typer.echo(f"{summary}; {summary.seconds:.1f} s, {rate:,.0f} games/s; database: {place}")
    for result in results:
        typer.echo(f"{result}; {result.seconds:.1f} s")
    if summary.rejected:
        typer.echo(f'why: hanalyze sql {place} "SELECT file, line, message FROM rejects"')


def _shard_of(text: str) -> tuple[int, int]:
    """Return i and n of "i/n". Raises `UsageError` unless i is from 0 to n, and n above 0.

    >>> _shard_of("3/8")
    (3, 8)
    """
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    if match is None or not 0 <= int(match[1]) <= int(match[2]) or not int(match[2]):
        raise UsageError(f'--shard "{printable(text)}" is not I/N', "give a number from 0 to N, as in 3/8")
    return int(match[1]), int(match[2])


@examples("hanalyze info games.duckdb")
def info(database: DB) -> None:
    """Show a database's contents: size, version, rows; team sizes, variants, editions; defects, rejects."""
    with connect(database, read_only=True, files_in=()) as db:
        rows, kinds = contents(db)
        [(tables_version, package_version)] = db.sql("FROM hanalyze").rows()
        size = size_of(db)
    lines = {
        "folder" if db.is_folder else "file": f"{shorten(database, 100)}, {size / 1e6:,.1f} MB",
        "made by": f"hanalyze {printable(package_version)}, tables version {tables_version}",
        **{table: f"{count:,}" for table, count in rows.items()},
        **{
            title: _listed([f"{shorten(str(value))}: {count:,}" for value, count in counts])
            for title, counts in kinds.items()
            if counts
        },
    }
    width = max(map(len, (*rows, *kinds)))
    for title, text in lines.items():
        typer.echo(f"{title:{width}}  {text}")


def _listed(parts: list[str]) -> str:
    """Return parts as text; of more than `_MOST` + 1, the first `_MOST` and the number of the others."""
    others = len(parts) - _MOST
    return ", ".join(parts if others <= 1 else [*parts[:_MOST], f"and {others:,} more"])


_MOST: Final = 5


@examples("hanalyze export games.duckdb parquet/")
def export(database: DB, folder: Annotated[str, argument("FOLDER", "A new or empty folder.")]) -> None:
    """Write all tables as Parquet; the large ones are partitioned by number of players."""
    with connect(database, read_only=True, files_in=[folder]) as db:
        rows = db.export(folder)
    width = max(map(len, rows))
    for table, count in rows.items():
        typer.echo(f"{table:{width}}  {count:>13,} rows")
    say_written(plural(len(rows), "table"), folder)


@examples("hanalyze sums games.duckdb", "hanalyze sums games/")
def sums(database: DB, memory_limit: MemoryLimit = None) -> None:
    """Store aggregates, so that dashboards and rates of mistakes take seconds.

    dashboard, explore, stats and mistakes --by then add up aggregates instead of judging every turn; the
    numbers are the same. Some numbers are still counted from the turns: rates by severity, your own
    definitions or thresholds, stats about clues, cards or the curve, and the effects of conventions. Run this
    again after adding games, reading them for conventions or solving them; until then, the aggregates are not
    used. Each run counts only new games.

    In a folder, games stored by `hanalyze ingest --sums` are already counted.
    """
    from hanalyze.report.dashboard.aggregates import sum_up  # slow to import

    connect(database, read_only=True, files_in=()).close()  # raises an error if it does not exist
    with connect(database, files_in=(), memory_limit=memory_limit) as db:
        result = sum_up(db)
    typer.echo(f"{result}; {result.seconds:.1f} s")


@examples("hanalyze compact games/", "hanalyze compact games/ --grace 0")
def compact(
    database: DB,
    grace: Annotated[int, option("HOURS", "Delete superseded files only after this many hours.", min=0)] = 24,
) -> None:
    """Join the small files of a folder that `hanalyze ingest` wrote, and delete superseded files.

    Queries are faster over files of 64 to 256 MB. Superseded files stay for a while, because other processes
    may still read them; give --grace 0 only if none does.
    """
    if not is_folder(database) or not holds_folder(database):
        advice = "make one with `hanalyze ingest LOGS --db games/`"
        raise UsageError("this is not a folder that hanalyze wrote", advice, file=database)
    with connect(database, files_in=()) as db:
        typer.echo(str(db.compact(grace=grace * 3600.0)))

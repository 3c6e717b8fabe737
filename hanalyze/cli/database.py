"""`hanalyze info`, `export`, `sums` and `compact`: contents and maintenance of a database."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from hanalyze.cli.exits import UsageError, say_written
from hanalyze.cli.options import DB, MemoryLimit
from hanalyze.cli.parameters import argument, examples, option
from hanalyze.store import connect
from hanalyze.store.folder.opening import holds_folder
from hanalyze.store.listings import contents, size_of
from hanalyze.store.opening import is_folder
from hanalyze.text import plural, printable, shorten


@examples("hanalyze info games.duckdb")
def info(database: DB) -> None:
    """Show the contents of a database: rows, versions, size, games by team size, variants, defects."""
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
    """Return the first `_MOST` parts as text, with the number of the others."""
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

    dashboard, stats and mistakes --by then add up aggregates instead of judging every turn; the numbers are
    the same. Some numbers are still counted from the turns: rates by turn, rank, suit, phase or severity,
    your own definitions or thresholds, and the effects of conventions. Run this again after adding games or
    reading them for conventions; until then, the aggregates are not used. Each run counts only new games.

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

"""`hanalyze ingest`: logs into a database.

In: files, folders, patterns. Out: a database; a bar on standard error while it works, and a line at the end.
"""

from __future__ import annotations

import shlex
from typing import Annotated, Final

import typer

from hanalyze.cli.opened import named_files
from hanalyze.cli.options import GameBudget, budget_of_game
from hanalyze.cli.progress import progress_bar
from hanalyze.errors import HanalyzeError
from hanalyze.text import printable

__all__ = ["EXAMPLES", "ingest"]

EXAMPLES: Final = """\b
Examples:
  hanalyze ingest games.jsonl --db games.duckdb
  hanalyze ingest logs/ "more/*.jsonl.gz" --db games.duckdb --jobs 4
  hanalyze ingest games.jsonl --db games.duckdb --conventions --solve
"""


def ingest(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Logs, folders (.json, .jsonl, .ndjson, also .gz) or patterns; - for standard input.",
        ),
    ],
    database: Annotated[
        str, typer.Option("--db", metavar="FILE", help="The database; created if it does not exist.")
    ] = "games.duckdb",
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Threads (default: one per core).")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first log that is damaged or breaks a rule.")
    ] = False,
    conventions: Annotated[
        bool,
        typer.Option("--conventions", help="Also read what each move meant; see `hanalyze conventions`."),
    ] = False,
    level: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=25, help="With --conventions: highest H-Group level to read (default 25)."
        ),
    ] = None,
    solve: Annotated[
        bool,
        typer.Option(
            "--solve", help="Also find where points were lost with all cards open; see `hanalyze solve`."
        ),
    ] = False,
    budget: GameBudget = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Discard the contents of the database and start over.")
    ] = False,
) -> None:
    """Read logs, replay every game, and store all turns, clues and cards in a DuckDB database.

    Games already stored are skipped, so the same command continues after an interruption. Logs that break a
    rule are stored with their defects; logs that cannot be read or dealt are listed in the table rejects.
    Either way the exit code is 0; with --strict it is 1 or 2.
    """
    from hanalyze.logs.finding import ENDINGS
    from hanalyze.store import connect

    if database.lower().endswith(ENDINGS):
        raise HanalyzeError(
            "this is the name of a log, not of a database",
            rule="not_a_database",
            file=database,
            advice="name the database, as in --db games.duckdb",
        )
    if level is not None and not conventions:
        raise HanalyzeError("--level is for conventions", rule="usage", advice="add --conventions")
    if budget is not None and not solve:
        raise HanalyzeError("--budget is for the solver", rule="usage", advice="add --solve")
    limits = budget_of_game(budget)
    files = named_files(paths)
    with connect(database, rebuild=rebuild, files_in=()) as db, progress_bar() as show:
        summary = db.ingest(files, jobs=jobs, strict=strict, on_progress=show)
        reading = db.read_conventions(level, jobs=jobs, on_progress=show) if conventions else None
        solving = db.solve(**limits, jobs=jobs, on_progress=show) if solve else None
    rate = summary.read / summary.seconds if summary.seconds else 0
    typer.echo(f"{summary}; {summary.seconds:.1f} s, {rate:,.0f} games/s")
    if reading is not None:
        typer.echo(f"{reading}; {reading.seconds:.1f} s")
    if solving is not None:
        typer.echo(f"{solving}; {solving.seconds:.1f} s")
    if summary.rejected:
        place = printable(shlex.quote(database))
        typer.echo(f'why: hanalyze sql {place} "SELECT file, line, message FROM rejects"')

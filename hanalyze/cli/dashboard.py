"""`hanalyze dashboard`: a page about many games, in one file.

In: a database; with `--pages` the logs, too. Out: HTML that opens from disk and loads nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import quote

import typer

from hanalyze.cli.exits import FAILED, Problems
from hanalyze.errors import HanalyzeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hanalyze.store import Database

__all__ = ["EXAMPLES", "dashboard"]

EXAMPLES: Final = """\b
Examples:
  hanalyze dashboard games.duckdb -o dashboard.html
  hanalyze dashboard games.duckdb -o dashboard.html --pages 20 --logs games.jsonl
"""


def dashboard(
    database: Annotated[str, typer.Argument(metavar="DB", help="The database.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PATH", help="The file to write.")
    ] = "dashboard.html",
    pages: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Make the pages of N games that the costliest turns are of."),
    ] = 0,
    logs: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Logs with these games; repeatable. The database has none."),
    ] = None,
) -> None:
    """Make a page about all games of a database: scores, clues, discards, plays, players, costliest turns.

    The page filters by team size, variant and player. It is one file, opens from disk and loads nothing. With
    --pages the pages of single games are written beside it, in a folder named after it.
    """
    from hanalyze.report.dashboard import dashboard as made_dashboard
    from hanalyze.store import open as open_database

    if pages and not logs:
        raise HanalyzeError("--pages needs the logs", rule="usage", advice="give --logs PATH")
    if os.path.isdir(output):
        raise HanalyzeError("this is a folder", rule="unwritable", file=output, advice="name a file")
    problems = Problems()
    with open_database(database, read_only=True) as db:
        there = _pages(db, output, pages, logs or [], problems) if pages else {}
        page = made_dashboard(db, pages=there)
    try:
        with open(output, "wb") as file:
            size = file.write(page.text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise HanalyzeError(error.strerror or str(error), rule="unwritable", file=output) from None
    beside = f", {len(there)} pages of games" if pages else ""
    typer.echo(f"{page.games:,} games, {size / 1e6:.1f} MB{beside}; left out: {page.left_out}")
    if problems.code:
        raise typer.Exit(FAILED)


def _pages(db: Database, output: str, most: int, logs: Iterable[str], problems: Problems) -> dict[int, str]:
    """Write the pages of the costliest games, and return their addresses as seen from the dashboard."""
    from hanalyze.report.dashboard import needed_pages
    from hanalyze.report.records import find_records
    from hanalyze.report.review import write_review

    folder = os.path.splitext(output)[0] + "_games"
    made: dict[int, str] = {}
    for number, record in find_records(logs, needed_pages(db, most), problems.add):
        try:
            os.makedirs(folder, exist_ok=True)
            write_review(record, os.path.join(folder, f"{number}.html"))
        except HanalyzeError as error:
            problems.add(error)
            continue
        made[number] = f"{quote(os.path.basename(folder))}/{number}.html"
    return made

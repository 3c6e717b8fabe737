"""`hanalyze dashboard`: a page about many games, in one file.

In: a database; with `--pages` the logs, too. Out: HTML that opens from disk and loads nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import quote

import typer

from hanalyze.cli.exits import FAILED, Problems
from hanalyze.cli.options import Definitions, MemoryLimit
from hanalyze.errors import HanalyzeError
from hanalyze.output import check_target, unwritable, write_bytes
from hanalyze.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hanalyze.store import Database

EXAMPLES: Final = """\b
Examples:
  hanalyze dashboard games.duckdb -o dashboard.html
  hanalyze dashboard games.duckdb -o dashboard.html --pages 20 --logs games.jsonl
"""


def dashboard(
    database: Annotated[str, typer.Argument(metavar="DB", help="The database.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PATH", help="The file to write; - for standard output.")
    ] = "dashboard.html",
    pages: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Also write the pages of the N games with the costliest turns."
        ),
    ] = 0,
    logs: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH", help="Logs of these games, which the database does not keep; repeatable."
        ),
    ] = None,
    definitions: Definitions = None,
    memory_limit: MemoryLimit = None,
) -> None:
    """Make a page about all games in a database: scores, clues, discards, plays, players, costliest turns.

    If the games were read for conventions (hanalyze conventions DB), the page covers conventions, too. It
    filters by team size, variant and player, and is a single file that works without a network. With --pages,
    pages of single games are written to a folder next to it. Prints the path of the file, and which rare
    names are grouped together.
    """
    from hanalyze.lazy import needed
    from hanalyze.report.dashboard.build import made_dashboard
    from hanalyze.store import connect

    if pages and not logs:
        raise HanalyzeError("--pages needs the logs", rule="usage", advice="give --logs PATH")
    if pages and output == "-":
        raise HanalyzeError(
            "--pages needs a file to write next to, not standard output", rule="usage", advice="give -o FILE"
        )
    # What is missing is said before the games are counted.
    check_target(output)
    needed("plotly")
    if pages:
        needed("jinja2")
    problems = Problems()
    with connect(database, read_only=True, files_in=(), memory_limit=memory_limit) as db:
        there = _pages(db, output, pages, logs or [], problems) if pages else {}
        page = made_dashboard(db, pages=there, mistakes=definitions)
    data = page.text.encode("utf-8", "backslashreplace")
    write_bytes(data, output)
    if output != "-":
        typer.echo(printable(output))
        many = f"{len(there)} page{'' if len(there) == 1 else 's'} of games"
        beside = f", {many} in {printable(_folder(output))}" if pages else ""
        rest = f"; not shown separately: {page.not_apart}" if page.not_apart else ""
        unread = "" if page.read else "; not read for conventions: hanalyze conventions DB"
        unsolved = "" if page.solved else "; not solved: hanalyze solve DB"
        typer.echo(f"{page.games:,} games, {len(data) / 1e6:.1f} MB{beside}{rest}{unsolved}{unread}")
    if problems.code:
        raise typer.Exit(FAILED)


def _folder(output: str) -> str:
    """Return the folder of the pages of games beside a page of all."""
    return os.path.splitext(output)[0] + "_games"


def _pages(db: Database, output: str, most: int, logs: Iterable[str], problems: Problems) -> dict[int, str]:
    """Write the pages of the costliest games, and return their addresses as seen from the dashboard."""
    from hanalyze.report.dashboard.build import needed_pages
    from hanalyze.report.game.review import page_name, write_review
    from hanalyze.store.records import find_records

    folder = _folder(output)
    names: dict[int, str] = {}
    for number, record in find_records(logs, needed_pages(db, most), problems.add):
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise unwritable(error, folder) from None
        name = page_name(record, names.values())
        try:
            write_review(record, os.path.join(folder, name))
        except HanalyzeError as error:
            problems.add(error)
            continue
        names[number] = name
    return {number: quote(f"{os.path.basename(folder)}/{name}") for number, name in names.items()}

"""`hanalyze dashboard`, `explore` and `plot`: pages about many games, and single figures."""

from __future__ import annotations

import os
import shlex
import tempfile
from typing import Annotated

import typer

from hanalyze.cli.exits import FAILED, Problems, UsageError
from hanalyze.cli.options import DB, Definitions, MemoryLimit, Output
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.lazy import needed
from hanalyze.output import check_target, write_bytes, write_text
from hanalyze.report.dashboard.build import made_dashboard, needed_pages
from hanalyze.report.dashboard.figures import figure
from hanalyze.report.dashboard.picture import PICTURES, figure_page, kaleido, picture
from hanalyze.report.explore.build import explore_page
from hanalyze.report.explore.full import (
    MOST_WHOLE,
    TARBALL,
    check_folder,
    check_package,
    full_of,
    write_folder,
)
from hanalyze.report.game.review import write_reviews
from hanalyze.report.page import Page
from hanalyze.store import connect
from hanalyze.store.records import find_records
from hanalyze.text import plural, printable


@examples(
    "hanalyze dashboard games.duckdb -o dashboard.html",
    "hanalyze dashboard games.duckdb -o dashboard.html --pages 20 --logs games.jsonl",
)
def dashboard(
    database: DB,
    output: Output = "dashboard.html",
    pages: Annotated[int, option("N", "Also make pages for the N costliest games.", min=0)] = 0,
    logs: Annotated[list[str] | None, option("PATH", "Logs of these games, for --pages; repeatable.")] = None,
    definitions: Definitions = None,
    memory_limit: MemoryLimit = None,
) -> None:
    """Make a page about all games in a database: scores, clues, discards, plays, players, costliest turns.

    The page covers conventions if the games were read for them (hanalyze conventions DB). It has filters for
    team size, variant and player, and is a single file that works without a network. --pages writes pages for
    single games to a folder next to the file. Prints the path of the file, and which rare names are grouped
    together.
    """
    if pages and not logs:
        raise UsageError("--pages needs the logs", "give --logs PATH")
    if pages and output == "-":
        raise UsageError("--pages needs an output file, beside which the pages are written", "give -o FILE")
    # Report errors before the slow count of games.
    check_target(output)
    needed("plotly")
    if pages:
        needed("jinja2")
    problems = Problems()
    addresses: dict[int, str] = {}
    folder = os.path.splitext(output)[0] + "_games"
    with connect(database, read_only=True, files_in=(), memory_limit=memory_limit) as db:
        if pages:
            records = find_records(logs or [], needed_pages(db, pages), problems.add)
            addresses = write_reviews(records, folder, problems.add)
        page = made_dashboard(db, pages=addresses, mistakes=definitions)
    pages_of = plural(len(addresses), "page of games", "pages of games")
    beside = f", {pages_of} in {printable(folder)}" if pages else ""
    rest = f"; not shown separately: {page.not_apart}" if page.not_apart else ""
    unsolved = "" if page.solved else "; not solved: hanalyze solve DB"
    _print_page(page, write_text(page.text, output), output, f"{beside}{rest}{unsolved}")
    if problems.code:
        raise typer.Exit(FAILED)


def _print_page(page: Page, size: int, output: str, details: str) -> None:
    """Print the path of a page, its number of games and size, and further details; nothing for "-"."""
    if output != "-":
        unread = "" if page.read else "; not read for conventions: hanalyze conventions DB"
        typer.echo(f"{printable(output)}\n{page.games:,} games, {size / 1e6:.1f} MB{details}{unread}")


@examples(
    "hanalyze explore games.duckdb -o explore.html",
    "hanalyze explore games.duckdb --full   # the turns, too, and a box for SQL",
    "hanalyze explore games.duckdb --full -o site/   # for many games: a folder for a web server",
)
def explore(
    database: DB,
    output: Annotated[
        str, option("PATH", "The file, or a folder with --full; - for standard output.", "--output", "-o")
    ] = "explore.html",
    definitions: Definitions = None,
    full: Annotated[
        bool, flag("--full", "Also embed the turns, and DuckDB-WASM to query them with SQL.")
    ] = False,
    duckdb_wasm: Annotated[
        str, option("PATH", "The npm package of DuckDB-WASM: a folder or tarball.", "--duckdb-wasm")
    ] = TARBALL,
    memory_limit: MemoryLimit = None,
) -> None:
    """Make a page that answers questions about all games: any metric, by any dimensions, for any filters.

    The question is a sentence; click a word to change it. An example: discard mistakes by month for Alice in
    3-player games, compared with everyone else. Each number has its interval, and its number of decisions or
    games. The page is a single file that works without a network. If -o is a folder (site/), --full writes
    the page, DuckDB-WASM and the turns to separate files, for any web server: the page then loads only the
    parts of the turns that a query reads. Prints the path of the file or folder, and which rare names are
    grouped together.
    """
    is_folder = full and (os.path.isdir(output) or output.endswith(("/", os.sep)))
    # Report errors before the slow count of games.
    (check_folder if is_folder else check_target)(output)
    needed("plotly")
    if full:
        if definitions is not None:
            raise UsageError("--full knows only the built-in definitions of mistakes", "leave out --mistakes")
        check_package(duckdb_wasm)
    files_in = [output if is_folder else tempfile.gettempdir()] if full else []
    with connect(database, read_only=True, files_in=files_in, memory_limit=memory_limit) as db:
        if is_folder:
            page, size = write_folder(db, duckdb_wasm, output)
        else:
            page = explore_page(db, mistakes=definitions, full=full_of(db, duckdb_wasm) if full else None)
            size = write_text(page.text, output)
    _print_page(page, size, output, f"; {page.not_apart}" if page.not_apart else "")
    if is_folder:
        # Python's server sends whole files only.
        server = "python -m http.server -d" if size < MOST_WHOLE else "npx http-server"
        typer.echo(printable(f"for SQL, serve it: {server} {shlex.quote(output)}"))


@examples(
    "hanalyze plot games.duckdb scores -o scores.html",
    'hanalyze plot games.duckdb discards --players 3 --variant "No Variant" -o discards.svg',
)
def plot(
    database: DB,
    name: Annotated[str, argument("FIGURE", "The figure: scores, points_short, discards, ...")],
    output: Annotated[str, option("PATH", "The file: .html, .png or .svg.", "--output", "-o")],
    players: Annotated[int | None, option("N", "Only games of this team size.")] = None,
    variant: Annotated[str | None, option("NAME", "Only games of this variant.")] = None,
    player: Annotated[str | None, option("NAME", "Only games and decisions of this player.")] = None,
    definitions: Definitions = None,
) -> None:
    """Draw one figure of the dashboard; the database stays unchanged.

    An unknown FIGURE prints the list of figures. Pictures (.png, .svg) need Kaleido
    (pip install 'hanalyze[image]') and Chrome or Chromium, either installed or named by BROWSER_PATH.
    """
    ending = os.path.splitext(output)[1].lower().lstrip(".")
    if ending not in ("html", *PICTURES):
        what = "a figure is written as .html, .png or .svg"
        raise UsageError(what, "use one of these endings", file=output)
    # Report errors before the slow count of games.
    check_target(output)
    if ending in PICTURES:
        kaleido()
    needed("plotly")
    with connect(database, read_only=True, files_in=()) as db:
        filters = {"players": players, "variant": variant, "player": player}
        chart = figure(name, db, filters, mistakes=definitions)
    if ending in PICTURES:
        write_bytes(picture(chart, ending), output)
    else:
        write_text(figure_page(chart), output)
    typer.echo(printable(output))

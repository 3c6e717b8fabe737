"""`hanalyze demo`: all of it once, on the sample logs that come with hanalyze.

In: the name of a folder. Out: there the logs, a database, pages of games and the dashboard; a line for each.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote

import typer

from hanalyze.errors import HanalyzeError
from hanalyze.text import printable

if TYPE_CHECKING:
    from hanalyze.logs import GameRecord
    from hanalyze.store import Database

EXAMPLES: Final = """\b
Examples:
  hanalyze demo
  hanalyze demo somewhere/else --open
"""

_MARKER: Final = "demo.txt"
_MARK: Final = "Made by `hanalyze demo`. With --replace it rebuilds these files: keep no others here.\n"
"""What shows that a folder may be written to."""

_DATABASE: Final = "games.duckdb"
_DASHBOARD: Final = "dashboard.html"
_FIRST: Final = "game.json"
_BROKEN: Final = "broken.jsonl"
"""Games of one deal, each with another fault: among others they would count as fourteen games."""

_PAGES: Final = 6
"""How many of the games that the costliest turns are of get a page: each takes a third of a second."""


def demo(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder to create.")] = "hanalyze-demo",
    replace: Annotated[bool, typer.Option("--replace", help="Rebuild an existing demo.")] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open the dashboard in the browser.")] = False,
) -> None:
    """Build every output from the sample logs: a database, a page of all games, pages of some of them.

    Takes up to a minute, and writes into a folder of its own; an existing folder is only used if it is empty
    or holds a demo.
    """
    target = Path(folder)
    if _is_done(target) and not replace:
        typer.echo("this demo already exists; --replace rebuilds it")
    else:
        _make(target)
    if open_:
        _open(target / _DASHBOARD)
    else:
        typer.echo(_how(target))


def _is_done(target: Path) -> bool:
    """Return whether a folder is a demo that went to its end. Raises where it is something else."""
    from hanalyze.output import unwritable

    try:
        if target.is_dir() and any(target.iterdir()) and not (target / _MARKER).exists():
            raise HanalyzeError(
                "this folder is neither empty nor a demo",
                rule="folder_not_empty",
                file=str(target),
                advice="choose another",
            )
        return (target / _MARKER).exists() and (target / _DASHBOARD).exists()
    except OSError as error:
        raise unwritable(error, str(target)) from None


def _make(target: Path) -> None:
    """Make the demo, and say what was made as it comes."""
    from hanalyze.lazy import needed
    from hanalyze.logs.sources.file_search import sample_folder, sample_logs
    from hanalyze.output import unwritable
    from hanalyze.report.dashboard.build import made_dashboard
    from hanalyze.store import connect
    from hanalyze.store.listings import blamed

    # What is missing is said before anything is written.
    needed("plotly")
    needed("jinja2")
    connect().close()
    logs = [path for path in sample_logs() if path.name != _BROKEN]
    try:
        for part in ("logs", "games"):
            os.makedirs(target / part, exist_ok=True)
        (target / _MARKER).write_text(_MARK, "utf-8")
        # The dashboard comes last: where it is, the demo is complete.
        (target / _DASHBOARD).unlink(missing_ok=True)
        for path in (*sample_logs(), sample_folder() / "SOURCE.md"):
            shutil.copyfile(path, target / "logs" / path.name)
        _say(target / "logs", f"the sample logs; {_BROKEN}, faulty on purpose, is left out of the rest")
        with connect(target / _DATABASE, rebuild=True) as db:
            db.ingest(logs, jobs=1)
            _say(
                target / _DATABASE,
                "every turn, clue and card, and what moves meant; for stats, conventions, mistakes, sql",
            )
            db.read_conventions(jobs=1)
            headline, costliest = blamed(db)
            pages = _write_pages(db, logs, [row["game_id"] for row in costliest], target)
            _say(
                target / "games",
                f"{len(pages)} games to step through: the board, who knew what, the mistakes",
            )
            page = made_dashboard(db, pages=pages)
            (target / _DASHBOARD).write_text(page.text, "utf-8", "backslashreplace")
            _say(
                target / _DASHBOARD,
                "all games: scores, clues, discards, plays, conventions, players, the costliest turns",
            )
            typer.echo("")
            _headline(db, headline)
            for row in costliest:
                _costliest(row, target / pages[row["game_id"]])
    except OSError as error:
        raise unwritable(error, str(error.filename or target)) from None


def _write_pages(db: Database, logs: list[Path], besides: list[int], target: Path) -> dict[int, str]:
    """Write the pages of some games, and return their addresses as seen from the dashboard.

    They are those of the costliest turns, the first one of the sample logs, and those `besides`.
    """
    from hanalyze.cli.exits import code_of
    from hanalyze.report.dashboard.build import needed_pages
    from hanalyze.report.game.review import page_name, write_review
    from hanalyze.store.records import find_records

    wanted = [*needed_pages(db, _PAGES), *besides]
    everything = db.games()["game_id"].to_list()
    [first] = [path for path in logs if path.name == _FIRST]
    records: dict[int, GameRecord] = dict(find_records([first], everything, code_of))
    records.update(find_records(logs, wanted, code_of))
    names: dict[int, str] = {}
    for number, record in records.items():
        names[number] = page_name(record, names.values())
        write_review(record, target / "games" / names[number])
    return {number: f"games/{quote(name)}" for number, name in names.items()}


def _headline(db: Database, found: tuple[int, int, int]) -> None:
    """Say what the games came to."""
    games, turns = db.count("games"), db.count("turns")
    mistakes, decisions, points = found
    typer.echo(
        f"{games:,} games, {turns:,} turns; {mistakes:,} mistakes, in {decisions:,} of the turns, cost"
        f" {points:,} points"
    )


def _costliest(row: dict[str, Any], page: Path) -> None:
    """Say which turn cost most, and where to see it."""
    from hanalyze.store import worded

    evidence, _ = worded(row)
    typer.echo(f"the costliest, {row['points']} points: {printable(row['player'])} {evidence}")
    typer.echo(f"  {printable(str(page))}#turn={row['turn'] + 1}")


def _say(path: Path, what: str) -> None:
    """Say what was made; at once, for the next may take a while."""
    typer.echo(f"{printable(str(path)):<32}  {what}")
    sys.stdout.flush()


def _how(target: Path) -> str:
    """Say how the demo is looked at."""
    import shlex

    named = "" if str(target) == "hanalyze-demo" else f" {shlex.quote(str(target))}"
    return printable(f"open {target / _DASHBOARD} in a browser, or run `hanalyze demo{named} --open`")


def _open(page: Path) -> None:
    """Open a page in the browser."""
    import webbrowser

    from hanalyze.cli.exits import complain

    typer.echo(f"opening {printable(str(page))}")
    sys.stdout.flush()
    if not webbrowser.open(page.resolve().as_uri()):
        complain(f"no browser could be opened; open {page} yourself")

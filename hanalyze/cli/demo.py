"""`hanalyze demo`: build one output of each kind from the sample logs that hanalyze ships."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from hanalyze.analysis.player import me
from hanalyze.cli.exits import UsageError, complain, exit_code
from hanalyze.cli.mistakes import title_in_words
from hanalyze.cli.parameters import argument, examples, flag
from hanalyze.cli.quiz import write_own_quiz
from hanalyze.cli.screen import open_in_browser
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.lazy import needed
from hanalyze.logs import GameRecord
from hanalyze.logs.sources.file_search import sample_folder, sample_logs
from hanalyze.output import unwritable, write_text
from hanalyze.puzzles.search import StoredGames, find_puzzles
from hanalyze.report.dashboard.build import made_dashboard, needed_pages
from hanalyze.report.explore.build import explore
from hanalyze.report.game.review import write_reviews
from hanalyze.report.player import player_page
from hanalyze.report.quiz import write_quiz
from hanalyze.store import Database, connect
from hanalyze.store.definitions import definitions
from hanalyze.store.listings import blamed, frequent_players
from hanalyze.store.records import find_records
from hanalyze.text import printable

_MARKER: Final = "demo.txt"
_MARK: Final = "Made by `hanalyze demo`. --replace rebuilds these files: do not keep other files here.\n"
"""Name and text of the file that marks a folder as a demo."""

_DATABASE: Final = "games.duckdb"
_DASHBOARD: Final = "dashboard.html"
_EXPLORER: Final = "explore.html"
_QUIZ: Final = "quiz.html"
_PUZZLES: Final = 24
_PLAYER: Final = "me.html"
_FIRST: Final = "game.json"
_BROKEN: Final = "broken.jsonl"  # sample games with defects; left out because they would distort statistics

_PAGES: Final = 6  # number of costliest games that get a page


@examples("hanalyze demo", "hanalyze demo somewhere/else --open")
def demo(
    folder: Annotated[str, argument("FOLDER", "The folder to create.")] = "hanalyze-demo",
    replace: Annotated[bool, flag("--replace", "Rebuild an existing demo.")] = False,
    open_: Annotated[bool, flag("--open", "Open the dashboard in the browser.")] = False,
) -> None:
    """Build every output from the sample logs: a database, and pages about all games, one game, one player.

    Takes up to a minute. An existing folder is used only if it is empty or contains a demo.
    """
    target = Path(folder)
    if _is_complete(target) and not replace:
        typer.echo("this demo already exists; --replace rebuilds it")
    else:
        _build(target)
    page = target / _DASHBOARD
    if not open_:
        named = "" if str(target) == "hanalyze-demo" else f" {shlex.quote(str(target))}"
        typer.echo(printable(f"open {page} in a browser, or run `hanalyze demo{named} --open`"))
        return
    typer.echo(f"opening {printable(str(page))}")
    sys.stdout.flush()
    if not open_in_browser(str(page)):
        complain(f"no browser could be opened; open {page} yourself")


def _is_complete(target: Path) -> bool:
    """Return whether a folder is a complete demo. Raises `HanalyzeError` for a folder with other files."""
    try:
        if target.is_dir() and any(target.iterdir()) and not (target / _MARKER).exists():
            what = "this folder is neither empty nor a demo"
            raise UsageError(what, "choose another folder", file=str(target))
        return (target / _MARKER).exists() and (target / _DASHBOARD).exists()
    except OSError as error:
        raise unwritable(error, str(target)) from None


def _build(target: Path) -> None:
    # Missing libraries are reported before anything is written.
    needed("plotly")
    needed("jinja2")
    connect().close()
    typer.echo("building the demo: up to a minute, mostly for the pages of games")
    sys.stdout.flush()
    logs = [path for path in sample_logs() if path.name != _BROKEN]

    def done(name: str, what: str) -> None:
        """Print a finished part and flush, because the next part may take a while."""
        typer.echo(f"{printable(str(target / name)):<32}  {what}")
        sys.stdout.flush()

    try:
        for part in ("logs", "games"):
            os.makedirs(target / part, exist_ok=True)
        (target / _MARKER).write_text(_MARK, "utf-8")
        # The dashboard is written last: a folder with it is a complete demo.
        (target / _DASHBOARD).unlink(missing_ok=True)
        for path in (*sample_logs(), sample_folder() / "SOURCE.md"):
            shutil.copyfile(path, target / "logs" / path.name)
        done("logs", f"the sample logs; {_BROKEN} has defects on purpose and is not used below")
        with connect(target / _DATABASE, rebuild=True) as db:
            db.ingest(logs, jobs=1)
            done(_DATABASE, "every turn, clue and card, and what moves meant")
            db.read_conventions(jobs=1)
            (mistakes, decisions, points), costliest = blamed(db)
            pages = _write_pages(db, logs, [row["game_id"] for row in costliest], target)
            done("games", f"{len(pages)} games to step through: board, knowledge of players, mistakes")
            puzzles = find_puzzles(StoredGames(db), count=_PUZZLES).puzzles
            write_quiz(puzzles, target / _QUIZ, level=HIGHEST_LEVEL, pages=pages)
            done(_QUIZ, "puzzles from these games: what would you do, what are your cards?")
            player = _write_player(db, target, pages)
            done(_PLAYER, f"{player} compared with the others, and a quiz of {player}'s own positions")
            write_text(explore(db), str(target / _EXPLORER))
            done(_EXPLORER, "answers to your own questions: any metric, by any dimensions")
            page = made_dashboard(db, pages=pages)
            write_text(page.text, str(target / _DASHBOARD))
            done(_DASHBOARD, "all games: scores, clues, discards, plays, conventions, costliest turns")
            typer.echo(
                f"\n{db.count('games'):,} games, {db.count('turns'):,} turns; {mistakes:,} mistakes, in"
                f" {decisions:,} of the turns, cost {points:,} points"
            )
            for row in costliest:
                title = title_in_words(row, definitions()[row["kind"]])
                typer.echo(f"the costliest, {row['points']} points: {printable(row['player'])} {title}")
                typer.echo(f"  {printable(str(target / pages[row['game_id']]))}#turn={row['turn'] + 1}")
    except OSError as error:
        raise unwritable(error, str(error.filename or target)) from None


def _write_pages(db: Database, logs: list[Path], besides: list[int], target: Path) -> dict[int, str]:
    """Write the pages of some games; return their relative addresses by game_id.

    The games are the costliest ones, the game of `_FIRST`, and the game_ids in `besides`.
    """
    numbers = [*needed_pages(db, _PAGES), *besides]
    all_games = db.games()["game_id"].to_list()
    [first] = [path for path in logs if path.name == _FIRST]
    records: dict[int, GameRecord] = dict(find_records([first], all_games, exit_code))
    records.update(find_records(logs, numbers, exit_code))
    return write_reviews(records.items(), str(target / "games"), exit_code)


def _write_player(db: Database, target: Path, pages: dict[int, str]) -> str:
    """Write the page of the most frequent player, and a quiz if there are positions; return the player."""
    [player] = frequent_players(db, 1)
    profile = me(db, player)
    quiz = write_own_quiz(db, profile, str(target / _PLAYER), pages)
    address = quiz and os.path.basename(quiz)
    page = player_page(db, profile, games=str(target / _DATABASE), pages=pages, quiz=address)
    write_text(page, str(target / _PLAYER))
    return player

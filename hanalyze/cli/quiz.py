"""`hanalyze quiz` and `me`: a page of puzzles, and a page about one player's own decisions."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import numpy as np
import typer

from hanalyze.cli.exits import FAILED, Problems, UsageError, complain
from hanalyze.cli.inputs import (
    complain_of_unreadable,
    holds_database,
    named_files,
    open_database,
    refuse_memory_limit,
)
from hanalyze.cli.options import GamePaths, MemoryLimit, Output
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.cli.screen import open_in_browser
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import HanalyzeError
from hanalyze.logs.files import read
from hanalyze.output import check_target, write_text
from hanalyze.store.definitions import definitions
from hanalyze.store.listings import frequent_players, level_read
from hanalyze.text import plural, printable, shorten

if TYPE_CHECKING:
    from hanalyze.analysis.player import Profile
    from hanalyze.puzzles.search import Games
    from hanalyze.store import Database


@examples(
    "hanalyze quiz games.jsonl",
    "hanalyze quiz games.duckdb --player Alice --mistakes -o alice.html",
    "hanalyze quiz games.duckdb --theme finesse --level 5 --count 20",
)
def quiz(
    paths: GamePaths = None,
    output: Output = "quiz.html",
    player: Annotated[str | None, option("NAME", "Only turns of this player.")] = None,
    theme: Annotated[
        str | None,
        option("NAME", "Only a convention, kind of mistake or form (play, known, save, get, quiet, cards)."),
    ] = None,
    level: Annotated[
        int | None, option("N", "Only conventions up to this H-Group level.", min=1, max=25)
    ] = None,
    mistakes: Annotated[bool, flag("--mistakes", "Choose turns with a mistake first.")] = False,
    count: Annotated[int | None, option("N", "Number of puzzles (default: 60).", min=1, max=1000)] = None,
    seed: Annotated[int, option("N", "Random seed: another seed gives other puzzles.")] = 0,
    open_: Annotated[bool, flag("--open", "Open the page in the browser.")] = False,
    memory_limit: MemoryLimit = None,
) -> None:
    """Make a page of puzzles from games.

    What would you do? What are your cards? A turn is a puzzle only if the evidence clearly separates its
    right moves from all others. The page is one HTML file that works without a network; it judges every
    answer and repeats puzzles that were answered wrongly. Up to 1,280 games are searched in random order (see
    --seed) until there are enough puzzles. Logs are read for conventions; a database must have been read by
    `hanalyze conventions`.
    """
    from hanalyze.puzzles.search import COUNT, MOST_GAMES, check_theme, find_puzzles
    from hanalyze.report.quiz import write_quiz

    if open_ and output == "-":
        raise UsageError("--open needs a file to open", "give -o FILE")
    check_target(output)
    check_theme(theme)
    problems = Problems()
    with _games(paths, seed, player, theme, level, memory_limit, problems) as games:
        search = find_puzzles(games, theme=theme, level=level, mistakes=mistakes, count=count or COUNT)
        if search.puzzles:
            write_quiz(search.puzzles, output, level=level_read(games.db) or HIGHEST_LEVEL)
        elif not problems.code:
            filtered = player is not None or theme is not None or level is not None
            advice = "drop a filter" if filtered else "give more games: not every game has one"
            raise HanalyzeError(f"{search}: no turn is a puzzle", rule="no_puzzles", advice=advice)
    if output != "-" and search.puzzles:
        typer.echo(printable(output))
        typer.echo(f"{search}")
    if search.puzzles and len(search.puzzles) < (count or COUNT) and search.searched_games == MOST_GAMES:
        complain(f"a quiz searches at most {MOST_GAMES:,} games; another --seed searches others")
    elif count is not None and len(search.puzzles) < count:
        complain(f"only {plural(len(search.puzzles), 'puzzle')} found")
    if problems.code:
        raise typer.Exit(FAILED)
    if open_:
        open_in_browser(output)


@contextmanager
def _games(
    paths: Sequence[str] | None,
    seed: int,
    player: str | None,
    theme: str | None,
    level: int | None,
    memory_limit: str | None,
    problems: Problems,
) -> Iterator[Games]:
    """Open the games of a database or of logs; of logs, only a sample is replayed."""
    from hanalyze.puzzles.search import LoggedGames, StoredGames
    from hanalyze.store import connect

    if not paths or any(map(holds_database, paths)):
        with open_database(paths, memory_limit=memory_limit) as db:
            yield StoredGames(db, seed, player=player, theme=theme)
        return
    refuse_memory_limit(memory_limit)
    records = read(named_files(paths), on_error=problems.add)
    with connect(files_in=()) as db:
        yield LoggedGames(db, records, seed, problems.add, player=player, level=level)


@examples(
    "hanalyze me games.duckdb --player Alice",
    "hanalyze me games.duckdb --player Alice --pages -o alice.html",
)
def me(
    paths: GamePaths = None,
    player: Annotated[str | None, option("NAME", "The player.")] = None,
    output: Output = "me.html",
    pages: Annotated[
        bool, flag("--pages", "Also make pages for the games with the listed positions.")
    ] = False,
    memory_limit: MemoryLimit = None,
) -> None:
    """Make a page about one player: form, rates compared with peers, strengths, things to work on, level.

    Only the player's own decisions count. Peers are the other players in games of the same team size and
    variant family, and of groups at the same level. Strengths and things to work on are rates that differ
    clearly from the peers'; if there are few things to work on, the costliest kinds are added. Each lists
    positions; the same positions are written as a quiz next to the page.

    Logs are read for conventions first; a database must have been read by `hanalyze conventions`. Large
    databases open in seconds after `hanalyze sums`.
    """
    from hanalyze.analysis.player import me as profile_of
    from hanalyze.report.player import player_page

    check_target(output)
    if pages and output == "-":
        raise UsageError("--pages needs an output file, beside which the pages are written", "give -o FILE")
    problems = Problems()
    with open_database(paths, memory_limit=memory_limit) as db:
        if player is None:
            names = [shlex.quote(shorten(name, 30)) for name in frequent_players(db, 3)]
            advice = f"give --player: {', '.join(names) or 'no game has names'}"
            raise UsageError("no player was given", advice)
        if db.file is None:
            db.read_conventions()
        profile = profile_of(db, player)
        addresses = _write_pages(db, profile, output, problems) if pages else {}
        quiz = None if output == "-" else write_own_quiz(db, profile, output, addresses)
        address = quiz and quote(os.path.basename(quiz))
        page = player_page(db, profile, games=" ".join(paths or ()), pages=addresses, quiz=address)
        write_text(page, output)
        complain_of_unreadable(db)
    if output != "-":
        typer.echo(printable(output))
        if quiz is not None:
            typer.echo(printable(quiz))
        typer.echo(f"{plural(profile.games, 'game')}; {_summary(profile)}")
    if problems.code:
        raise typer.Exit(FAILED)


def write_own_quiz(db: Database, profile: Profile, output: str, pages: Mapping[int, str]) -> str | None:
    """Write the quiz of a profile's positions beside its page `output`, and return its path.

    Returns None if the profile has no positions, or games were not read for conventions.
    """
    from hanalyze.puzzles.search import find_positions
    from hanalyze.report.quiz import write_quiz

    level = level_read(db)
    if level is None or profile.positions.is_empty():
        return None
    path = f"{os.path.splitext(output)[0]}_quiz.html"
    write_quiz(find_positions(db, profile.positions), path, level=level, pages=pages)
    return path


def _summary(profile: Profile) -> str:
    parts = []
    for what, before, none in (
        ("strength", "less often than peers", "no clear strength"),
        ("work on", "more often than peers", "nothing clear to work on"),
        ("costly", "costliest", ""),
    ):
        titles = [definitions()[row["kind"]].label for row in profile.chosen(what)]
        parts.append(f"{before}: {', '.join(titles)}" if titles else none)
    return "; ".join(filter(None, parts))


def _write_pages(db: Database, profile: Profile, output: str, problems: Problems) -> dict[int, str]:
    """Write the pages of the games with positions; return their relative addresses by game_id."""
    from hanalyze.report.game.review import write_reviews
    from hanalyze.store.batches import stored_deals

    folder = os.path.splitext(output)[0] + "_games"
    ids = np.array(sorted({*profile.positions["game_id"]}), np.int64)
    records = ((key, deal.record) for key, deal in stored_deals(db.connection, ids, 100))
    return write_reviews(records, folder, problems.add)

"""`hanalyze me`: make a page about one player's own decisions."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from hanalyze.cli.exits import FAILED, Problems, UsageError
from hanalyze.cli.inputs import complain_of_rejects, open_database
from hanalyze.cli.options import GamePaths, MemoryLimit, Output
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.output import check_target, write_bytes
from hanalyze.text import plural, printable, shorten

if TYPE_CHECKING:
    from hanalyze.analysis.player import Profile
    from hanalyze.store import Database


@examples(
    "hanalyze me games.duckdb --player Alice",
    "hanalyze me games.duckdb --player Alice --pages -o alice.html",
)
def me(
    paths: GamePaths = None,
    player: Annotated[str | None, option("NAME", "The player.")] = None,
    output: Output = "me.html",
    pages: Annotated[
        bool, flag("--pages", "Also make pages of the games with the listed positions.")
    ] = False,
    memory_limit: MemoryLimit = None,
) -> None:
    """Make a page about one player: form, rates beside those of peers, strengths, things to work on, level.

    Only the player's own decisions count. Peers are the other players in games of the same team size, variant
    family and level of the group. A strength or a thing to work on differs clearly from the peers, or is
    among the costliest; each has positions, and a quiz beside the page asks for exactly these.

    Logs are read for conventions first; a database must have been read by `hanalyze conventions`. Large
    databases open in seconds after `hanalyze sums`.
    """
    from hanalyze.analysis.player import me as profile_of
    from hanalyze.report.player.build import player_page

    check_target(output)
    if pages and output == "-":
        raise UsageError("--pages needs a file to write next to, not standard output", "give -o FILE")
    problems = Problems()
    with open_database(paths, memory_limit=memory_limit) as db:
        if player is None:
            raise UsageError("no player was given", f"give --player: {_most_frequent(db)}")
        if db.file is None:
            db.read_conventions()
        profile = profile_of(db, player)
        addresses = _write_pages(db, profile, output, problems) if pages else {}
        quiz = None if output == "-" else write_own_quiz(db, profile, output, addresses)
        address = quiz and quote(os.path.basename(quiz))
        page = player_page(db, profile, games=" ".join(paths or ()), pages=addresses, quiz=address)
        write_bytes(page.encode("utf-8", "backslashreplace"), output)
        complain_of_rejects(db)
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
    from hanalyze.puzzles.making import find_positions
    from hanalyze.report.quiz.build import write_quiz
    from hanalyze.store.listings import level_read

    level = level_read(db)
    if level is None or profile.positions.is_empty():
        return None
    path = f"{os.path.splitext(output)[0]}_quiz.html"
    write_quiz(find_positions(db, profile.positions), path, level=level, pages=pages)
    return path


def _summary(profile: Profile) -> str:
    """Return the strengths and the things to work on in words."""
    from hanalyze.store.definitions import definitions

    parts = []
    for what, before, none in (
        ("strength", "rarer than among peers", "no clear strength"),
        ("work on", "more frequent than among peers", "nothing clearly to work on"),
        ("costly", "costliest", ""),
    ):
        titles = [definitions()[row["kind"]].label for row in profile.chosen(what)]
        parts.append(f"{before}: {', '.join(titles)}" if titles else none)
    return "; ".join(filter(None, parts))


def _most_frequent(db: Database) -> str:
    """Return the names of the players with most games as a text."""
    query = "SELECT player FROM seats WHERE player IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 3"
    names = [shlex.quote(shorten(name, 30)) for name in db.sql(query)["player"]]
    return ", ".join(names) if names else "no game has names"


def _write_pages(db: Database, profile: Profile, output: str, problems: Problems) -> dict[int, str]:
    """Write the pages of the games with positions; return their relative addresses by game_id."""
    import numpy as np  # slow to import

    from hanalyze.report.game.review import write_reviews
    from hanalyze.store.batches import stored_deals

    folder = os.path.splitext(output)[0] + "_games"
    ids = np.array(sorted({*profile.positions["game_id"]}), np.int64)
    records = ((key, deal.record) for key, deal in stored_deals(db.connection, ids, 100))
    names = write_reviews(records, folder, problems.add)
    return {number: quote(f"{os.path.basename(folder)}/{name}") for number, name in names.items()}

"""`hanalyze review`: make an HTML page of one game."""

from __future__ import annotations

from typing import Annotated

import typer

from hanalyze.cli.exits import UsageError
from hanalyze.cli.inputs import game_of
from hanalyze.cli.options import (
    Definitions,
    Level,
    PlayThreshold,
    System,
    follows_other_system,
    highest_level,
)
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.cli.screen import open_in_browser
from hanalyze.cli.selection import seat_named
from hanalyze.logs.sources.site import turn_of
from hanalyze.output import check_target
from hanalyze.replaying import replay_many
from hanalyze.report.game.review import anonymous, page_name, write_review
from hanalyze.store.judging_options import PLAY
from hanalyze.text import printable


@examples(
    "hanalyze review game.json",
    "hanalyze review game.json -o game.html",
    "hanalyze review games.jsonl --nth 2 --open",
    "hanalyze review games.jsonl --game p3v0s7",
    "hanalyze review games.duckdb --game p3v0s7",
    "hanalyze review hanab.live/replay/101785#45 --open",
    "hanalyze review game.json --as Bob",
)
def review(
    path: Annotated[
        str,
        argument(
            "PATH", "A log, also .gz; - for stdin; a database; a number or link of a game on hanab.live."
        ),
    ],
    output: Annotated[
        str | None, option("FILE", "The file to write; - for stdout (default: GAME.html).", "--output", "-o")
    ] = None,
    game: Annotated[
        str | None, option("NAME", "Id or seed of the game to show, if there are several.")
    ] = None,
    nth: Annotated[
        int | None, option("N", "Number of the game to show, from 1, if the log contains several.", min=1)
    ] = None,
    folder: Definitions = None,
    system: System = None,
    level: Level = None,
    play_threshold: PlayThreshold = PLAY,
    player: Annotated[
        str | None, option("NAME", "Without spoilers: only what this player could know.", "--as")
    ] = None,
    spoiler_free: Annotated[bool, flag("--spoiler-free", "Hide later turns until you reach them.")] = False,
    anonymous_: Annotated[
        bool, flag("--anonymous", "Replace names; omit notes, tags and the game's id.")
    ] = False,
    open_: Annotated[bool, flag("--open", "Open the page in the browser.")] = False,
) -> None:
    """Make a page for one game: the board turn by turn, what each player could know, and the mistakes.

    The page is one HTML file that works without a network. A game on hanab.live is fetched once and cached; a
    link that ends in #45 opens the page at turn 45. Prints the path of the file; an existing file is
    replaced. With --as or --spoiler-free the page opens without spoilers; its buttons show them.
    """
    if open_ and output == "-":
        raise UsageError("--open needs a file to open", "give -o FILE")
    record = game_of(path, game, nth)
    seat = None if player is None else seat_named(player, record.players)
    if anonymous_:
        record = anonymous(record)
    target = output or page_name(record)
    check_target(target)
    played = next(replay_many([record], measured=True, fast=False))
    other_system = system is None and follows_other_system(played)
    judging = (folder, 0 if other_system else highest_level(system, level), play_threshold)
    write_review(played, target, *judging, seat=seat, spoiler_free=spoiler_free, other_system=other_system)
    if target != "-":
        typer.echo(printable(target))
    if open_:
        turn = turn_of(path)
        open_in_browser(target, "" if turn is None else f"#turn={turn}")

"""`hanalyze simulate`: games made by players of our own, as logs.

In: who plays, how many games, which rules. Out: a log of a game per line, on standard output or in a file.
A file appears when it is complete: what is written until then stands beside it under a name of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

if TYPE_CHECKING:
    from hanalyze.logs.record import GameRecord

__all__ = ["EXAMPLES", "simulate"]

EXAMPLES: Final = """\b
Examples:
  hanalyze simulate --games 20 -o games.jsonl
  hanalyze simulate --agent random --players 4 --seed 7 --variant "6 Suits"
"""

_PIECE: Final = 2000
"""Games that are asked for at a time, so that progress shows and memory stays small."""
_SLOW_PIECE: Final = 20
"""The same without the compiler."""
_WORTH_COMPILING: Final = 100

T = TypeVar("T")


def simulate(
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays: random, cautious or cheating (sees all cards).")
    ] = "cautious",
    players: Annotated[int, typer.Option(metavar="N", help="Players at the table.")] = 3,
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 1,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Number of the first game's seed; the others follow.")
    ] = 1,
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="The variant: its name on hanab.live, its id or its code.")
    ] = "No Variant",
    edition: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The rules, as for `hanalyze replay`.")
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="PATH", help="The file to write, compressed if it ends in .gz."
        ),
    ] = "-",
    deck_plays: Annotated[
        bool, typer.Option("--deck-plays", help="The deck's last card may be played from it.")
    ] = False,
    empty_clues: Annotated[bool, typer.Option("--empty-clues", help="A clue may touch no card.")] = False,
    all_or_nothing: Annotated[
        bool, typer.Option("--all-or-nothing", help="Play until the score is full or lost.")
    ] = False,
    speedrun: Annotated[
        bool, typer.Option("--speedrun", help="A full score out of reach ends the game.")
    ] = False,
    card_cycle: Annotated[
        bool, typer.Option("--card-cycle", help="Each clue makes the giver's chop their newest card.")
    ] = False,
    one_extra_card: Annotated[bool, typer.Option("--one-extra-card", help="Hands have a card more.")] = False,
    one_less_card: Annotated[bool, typer.Option("--one-less-card", help="Hands have a card less.")] = False,
    starting_player: Annotated[int, typer.Option(metavar="SEAT", help="The seat that begins, from 0.")] = 0,
) -> None:
    """Let simple players play, and write their games as logs.

    The same arguments give the same file. Any number of games of one agent have the same first games.
    """
    from hanalyze import agents
    from hanalyze.engine.compile import can_compile
    from hanalyze.errors import HanalyzeError
    from hanalyze.logs.reading import write
    from hanalyze.logs.record import Options

    options = Options(
        starting_player=starting_player,
        speedrun=speedrun,
        card_cycle=card_cycle,
        deck_plays=deck_plays,
        empty_clues=empty_clues,
        one_extra_card=one_extra_card,
        one_less_card=one_less_card,
        all_or_nothing=all_or_nothing,
    )
    if starting_player not in range(max(players, 1)):
        raise HanalyzeError(
            f"no seat {starting_player}", rule="no_such_seat", advice=f"give 0 to {players - 1}"
        )
    fast = can_compile() and games >= _WORTH_COMPILING
    piece = _PIECE if fast else _SLOW_PIECE

    def records() -> Iterator[GameRecord]:
        for start in range(0, games, piece) or [0]:
            yield from agents.simulate(
                agent,
                players=players,
                games=min(piece, games - start),
                seed=seed + start,
                variant=variant,
                edition=edition,
                options=options,
                fast=fast,
            )

    with _complete(output) as path:
        write(_counted(records(), games, output), path)


@contextmanager
def _complete(path: str) -> Iterator[str]:
    """Give a path to write to, whose file takes the place of `path` if all went well and goes if not."""
    from hanalyze.errors import HanalyzeError

    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    # What is no plain file (a pipe, a device) or cannot be replaced is written to as it is.
    replaceable = not os.path.exists(real) or (os.path.isfile(real) and os.access(real, os.W_OK))
    if (
        path == "-"
        or not name
        or not replaceable
        or (os.path.isdir(folder) and not os.access(folder, os.W_OK))
    ):
        yield path
        return
    part = os.path.join(folder, f".{os.getpid()}.part.{name}")
    try:
        yield part
        os.replace(part, real)
    except BaseException as error:
        with suppress(OSError):
            os.remove(part)
        if isinstance(error, HanalyzeError) and error.file == part:
            error.file = path
        raise


def _counted(records: Iterable[T], games: int, output: str) -> Iterable[T]:
    """Yield the records, with a bar on the terminal that fills up unless the games themselves go there."""
    if not sys.stderr.isatty() or (output == "-" and sys.stdout.isatty()):
        return records
    return _with_bar(records, games)


def _with_bar(records: Iterable[T], games: int) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=games)
        for number, record in enumerate(records, start=1):
            yield record
            if number % _SLOW_PIECE == 0:
                progress.update(task, completed=number)

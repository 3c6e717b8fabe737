"""`hanalyze replay` once its options are read: the games of the files, replayed and shown one by one.

In: paths and what to show of the games in them. Out: each game on standard output, the problems on standard
error, the exit code. Nothing is kept of a game that was shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hanalyze.cli.as_json import game_json, position_json
from hanalyze.cli.board import board
from hanalyze.cli.exits import Problems
from hanalyze.cli.screen import Line, Screen, show_json
from hanalyze.cli.summary import heading, outcome
from hanalyze.cli.table import turns_table
from hanalyze.cli.words import Words
from hanalyze.errors import HanalyzeError, LogError
from hanalyze.game.rules import edition as named_edition
from hanalyze.logs.files import read
from hanalyze.logs.record import GameRecord
from hanalyze.position import Position
from hanalyze.replaying import Replay, replay_many
from hanalyze.text import shorten

_FIRST_CHUNKS: Final = (1, 10, 100)
"""Games that are replayed before the first of them is shown: few, so that something is shown at once."""
_CHUNK: Final = 1000
"""The same after these: many are quicker together."""


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What to show, and how to replay it: the options of the command."""

    turn: int | None = None
    """The turn, from 1, before which the position is shown; from the end where it is negative."""
    hide: tuple[str, ...] = ()
    """Players whose hands are hidden, by name or by number from 1."""
    seats: str | None = None
    """Players whose hands are shown, with commas; None: all."""
    edition: str | None = None
    strict: bool = False
    forgive: tuple[str, ...] = ()
    game: str | None = None
    """The id or seed of the games that are wanted."""
    nth: int | None = None
    """The number, from 1, of the one game that is wanted."""
    as_json: bool = False


def show_games(paths: Iterable[str], wish: Wish) -> int:
    """Show the games of the files, and return the exit code."""
    problems = Problems()
    screen = Screen()
    # Wrong for one game, wrong for all: said once.
    if wish.edition is not None:
        named_edition(wish.edition)
    list(replay_many([], forgive=wish.forgive))
    for number, replay in enumerate(_replays(picked(paths, wish, problems), wish, problems)):
        try:
            if wish.as_json:
                _show_json(replay, wish)
            else:
                _show(replay, wish, screen, first=not number)
        except HanalyzeError as error:
            problems.add(error.at(file=replay.record.file, line=replay.record.line, game=replay.record.name))
    return problems.code


def picked(paths: Iterable[str], wish: Wish, problems: Problems) -> Iterator[GameRecord]:
    """Yield the records that are wanted, and say so where there is none."""

    def on_error(error: LogError) -> None:
        # Whoever asks for one game need not hear of the others.
        if wish.game is None or error.line is None or error.game == wish.game:
            problems.add(error)

    records = read(paths, on_error=on_error)
    if wish.nth is not None:
        records = itertools.islice(records, wish.nth - 1, wish.nth)
    found = False
    for record in records:
        if wish.game is None or wish.game in (str(record.id), record.seed, record.name):
            found = True
            yield record
    if found or problems.code:
        return
    if wish.game is not None:
        problems.add(
            HanalyzeError("not found", rule="no_such_game", game=wish.game, advice="give its id or seed")
        )
    elif wish.nth is not None:
        problems.add(HanalyzeError(f"there are fewer than {wish.nth} games", rule="no_such_game"))


def _replays(records: Iterator[GameRecord], wish: Wish, problems: Problems) -> Iterator[Replay]:
    def on_error(_: GameRecord, error: HanalyzeError) -> None:
        problems.add(error)

    # The rows of JSON have all columns, and to measure them game by game takes long.
    measured = wish.as_json and wish.turn is None
    for size in itertools.chain(_FIRST_CHUNKS[: 1 if measured else None], itertools.repeat(_CHUNK)):
        chunk = list(itertools.islice(records, size))
        if not chunk:
            return
        yield from replay_many(
            chunk,
            edition=wish.edition,
            strict=wish.strict,
            forgive=wish.forgive,
            on_error=on_error,
            measured=measured,
        )


def seat_named(text: str, players: tuple[str, ...]) -> int:
    """Return the seat that a player's name means, or their number from 1."""
    wanted = text.strip()
    if wanted.isascii() and wanted.isdecimal() and 1 <= int(wanted[:9]) <= len(players):
        return int(wanted[:9]) - 1
    same = [seat for seat, name in enumerate(players) if name == wanted]
    alike = [seat for seat, name in enumerate(players) if name.casefold() == wanted.casefold()]
    for seats in (same, alike):
        if len(seats) == 1:
            return seats[0]
    names = ", ".join(f"{number} {shorten(name, 20)}" for number, name in enumerate(players, 1))
    raise HanalyzeError(
        f'there is no player "{shorten(wanted)}"', rule="no_such_seat", advice=f"players are {names}"
    )


def turn_index(replay: Replay, turn: int, *, from_end: bool = False) -> int:
    """Return the number, from 0, of a turn that is counted from 1; `from_end`: -1 is the last one, too."""
    last = replay.turn_count + 1
    if not (1 <= turn <= last or (from_end and -last <= turn <= -1)):
        raise HanalyzeError(
            f"there is no turn {turn}",
            rule="no_such_turn",
            game=replay.record.name,
            advice=f"turns are 1 to {last} (the end)",
        )
    return replay.turn_number(turn - 1 if turn > 0 else turn)


def _position(replay: Replay, turn: int) -> Position:
    return replay.state(turn_index(replay, turn, from_end=True))


def _hidden(wish: Wish, players: tuple[str, ...]) -> frozenset[int]:
    """Return the seats whose hands are not to be seen."""
    hidden = {seat_named(text, players) for text in wish.hide}
    if wish.seats is not None:
        seen = {seat_named(text, players) for text in wish.seats.split(",")}
        hidden |= set(range(len(players))) - seen
    return frozenset(hidden)


def _show_json(replay: Replay, wish: Wish) -> None:
    game = game_json(replay, wish.edition)
    hidden = _hidden(wish, replay.record.players)
    if wish.turn is None:
        game["turns"] = list(replay.rows())
    else:
        game["position"] = position_json(_position(replay, wish.turn).seen_by(*hidden))
    show_json(game)


def _show(replay: Replay, wish: Wish, screen: Screen, first: bool) -> None:
    def words(name_width: int = 40) -> Words:
        return Words(replay.variant, replay.suit_names, replay.record.players, name_width)

    width = screen.width
    hidden = _hidden(wish, replay.record.players)
    lines: list[Line] = [] if first else [[], []]
    lines += [*heading(replay, words(), wish.edition, width), []]
    if wish.turn is None:
        lines += [*turns_table(replay, words, width, hidden), [], *outcome(replay, width)]
    else:
        lines += board(replay, _position(replay, wish.turn).seen_by(*hidden), words(), width)
    screen.show(lines)

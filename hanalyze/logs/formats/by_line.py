"""Functions shared by formats whose files consist of lines or texts with one or more games each."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from hanalyze.errors import LogError
from hanalyze.game.actions import ActionKind
from hanalyze.game.editions import Rules
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.streams import limited

_BLOCK = 2**16
_SPREAD = re.compile(rb"\s*\{\s*\n")  # a game in indented JSON: its opening brace alone on the first line


Parse: TypeAlias = Callable[[bytes], GameRecord | list[GameRecord]]
"""Function that returns the game or games of a text, or raises `LogError`; `games_of` adds the file."""


def games_by_line(stream: io.BufferedReader, file: str, parse: Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of a stream with one game per line, and errors for lines that cannot be read."""
    return games_of(lines_of(stream), file, parse)


def games_of_json(stream: io.BufferedReader, file: str, parse: Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of a stream of JSON: one game per line, or one game spread over several lines."""
    if not _SPREAD.match(stream.peek(1)):
        return games_by_line(stream, file, parse)
    return game_of_file(stream, file, parse)


def game_of_file(stream: io.BufferedReader, file: str, parse: Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of a stream that is a single text, or the error if the text cannot be read."""
    return games_of([(1, stream.read(MAX_GAME_BYTES + 1))], file, parse)


def first_of(head: bytes) -> bytes:
    r"""Return the part of the beginning of a file that belongs to its first game.

    >>> first_of(b'{"id":1}\n{"id":2}'), first_of(b'{\n "id": 1\n')
    (b'{"id":1}', b'{\n "id": 1\n')
    """
    return head if _SPREAD.match(head) else head.lstrip().partition(b"\n")[0]


def games_of(texts: Iterable[tuple[int, bytes]], file: str, parse: Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of texts, given as (line, text), and errors for texts that cannot be read.

    Callers may cut a text after `MAX_GAME_BYTES` + 1 bytes, because a longer text is an error anyway.
    """
    return limited(_parsed(texts, file, parse), file)


def _parsed(texts: Iterable[tuple[int, bytes]], file: str, parse: Parse) -> Iterator[GameRecord | LogError]:
    for line, text in texts:
        try:
            if len(text) > MAX_GAME_BYTES:
                raise LogError(f"a game of more than {MAX_GAME_BYTES} bytes", rule="too_large")
            games = parse(text)
        except LogError as error:
            yield error.at(file=file, line=line)
            continue
        for game in games if isinstance(games, list) else [games]:
            yield replace(game, file=file, line=line)


def lines_of(stream: io.BufferedReader) -> Iterator[tuple[int, bytes]]:
    """Yield the number and text of each non-blank line; a text is cut after `MAX_GAME_BYTES` + 1 bytes."""
    number = 0
    while line := stream.readline(MAX_GAME_BYTES + 1):
        number += 1
        if not line.isspace():
            yield number, line
        if len(line) > MAX_GAME_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_BLOCK)


class Hands:
    """Hands as lists of orders, oldest card first; seat 0 is dealt its whole hand first.

    `cards` is the size of the deck, `size` the initial hand size, by default that of an ordinary game.

    >>> hands = Hands(2, 50)
    >>> hands.take(1, 0), hands.of(1)
    (5, [6, 7, 8, 9, 10])
    """

    def __init__(self, players: int, cards: int, size: int | None = None) -> None:
        size = Rules().hand_size(players) if size is None else size
        self._hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(players)]
        self._next = players * size
        self._cards = cards

    def of(self, seat: int) -> list[int]:
        """Return the orders of a hand, oldest card first."""
        return list(self._hands[seat])

    def take(self, seat: int, place: int) -> int:
        """Remove the card at a place (0: oldest) and return its order; draw a card if any is left.

        Raises `IndexError` if the hand has no such place.
        """
        if place < 0:
            raise IndexError(place)
        order = self._hands[seat].pop(place)
        if self._next < self._cards:
            self._hands[seat].append(self._next)
            self._next += 1
        return order

    def place_of(self, seat: int, order: int) -> int:
        """Return the place of a card (0: oldest). Raises `ValueError` if the card is not in the hand."""
        return self._hands[seat].index(order)


BETWEEN: Final = " | "  # separator between notes on the same card, as used by players of hanab.live


def notes_by_turn(
    texts: Sequence[str], record: GameRecord, hand_size: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return texts about the turns of a game as notes on cards; empty if all texts are empty.

    A text becomes a note of the player to move on the card played or discarded, or on the newest card that
    the clue touches. A text for the turn after the last action becomes a note on that player's newest card.
    `hand_size` is the initial hand size, by default that of an ordinary game.

    >>> from hanalyze.logs.formats.hle import parse
    >>> game = parse(b'{"players": 2, "deck": [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5], "moves": [6]}')
    >>> notes_by_turn(["I play", "Well"], game)
    (('', 'turn 1: I play'), ('', '', '', '', '', '', '', '', '', 'turn 2: Well'))
    """
    if not any(texts):
        return ()
    players, deck = len(record.players), record.deck or []
    hands = Hands(players, len(deck), hand_size)
    notes: list[dict[int, list[str]]] = [{} for _ in range(players)]
    turns = len(record.actions)
    for turn in range(max(turns, min(len(texts), turns + 1))):
        seat = (record.options.starting_player + turn) % players
        action = record.actions[turn] if turn < turns else None
        if action is None:
            order = (hands.of(seat) or [0])[-1]
        elif action.kind in (ActionKind.PLAY, ActionKind.DISCARD):
            order = action.target
            hands.take(seat, hands.place_of(seat, order))
        else:
            hand = hands.of(action.target)
            part = "suit" if action.kind == ActionKind.COLOUR_CLUE else "rank"
            touched = [order for order in hand if getattr(deck[order], part) == action.value]
            order = (touched or hand or [0])[-1]
        if turn < len(texts) and texts[turn]:
            notes[seat].setdefault(order, []).append(f"turn {turn + 1}: {texts[turn]}")
    return tuple(
        tuple(BETWEEN.join(one.get(order, ())) for order in range(max(one, default=-1) + 1)) for one in notes
    )

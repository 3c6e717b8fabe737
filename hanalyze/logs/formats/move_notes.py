"""Texts that programs gave with their moves, as notes on cards.

A note lies on the card played, discarded or, newest first, touched, and begins with the turn as people count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hanalyze.game.actions import ActionKind
from hanalyze.logs.formats.hands import Hands
from hanalyze.logs.record import GameRecord

BETWEEN: Final = " | "
"""Between notes on the same card, as players of hanab.live write them."""


def notes_by_turn(
    said: Sequence[str], record: GameRecord, hand_size: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return what was said at the turns of a game with a deck, as notes; empty where nothing was.

    What was said after the last action lies on the newest card of the seat whose turn it was. `hand_size` is
    that of the plain game unless given.

    >>> from hanalyze.logs.formats.hle import parse
    >>> game = parse(b'{"players": 2, "deck": [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5], "moves": [6]}')
    >>> notes_by_turn(["I play", "Well"], game)
    (('', 'turn 1: I play'), ('', '', '', '', '', '', '', '', '', 'turn 2: Well'))
    """
    if not any(said):
        return ()
    players = len(record.players)
    hands = Hands(players, len(record.deck or ()), hand_size)
    notes: list[dict[int, list[str]]] = [{} for _ in range(players)]
    turns = len(record.actions)
    for turn in range(max(turns, min(len(said), turns + 1))):
        seat = (record.options.starting_player + turn) % players
        action = record.actions[turn] if turn < turns else None
        if action is None:
            order = (hands.of(seat) or [0])[-1]
        elif action.kind in (ActionKind.PLAY, ActionKind.DISCARD):
            order = action.target
            hands.take(seat, hands.place_of(seat, order))
        else:
            held = hands.of(action.target)
            touched = [one for one in held if _touches(record, one, action.kind, action.value)]
            order = (touched or held or [0])[-1]
        if turn < len(said) and said[turn]:
            notes[seat].setdefault(order, []).append(f"turn {turn + 1}: {said[turn]}")
    return tuple(
        tuple(BETWEEN.join(one.get(order, ())) for order in range(max(one, default=-1) + 1)) for one in notes
    )


def _touches(record: GameRecord, order: int, kind: int, value: int) -> bool:
    card = (record.deck or [])[order]
    return card.suit == value if kind == ActionKind.COLOUR_CLUE else card.rank == value

"""The rows that conventions write: what an action meant, and what became of it.

In: the verdict on an action. Out: columns of one array for meanings and of one for outcomes, a row
a finding; `F.focus` is the line of the column `focus`, `O.status` of `status`, `P.available` of `available`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hanalyze.conventions import codes
from hanalyze.conventions.names import LEVELS
from hanalyze.conventions.reading import Reading
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.rows import lines
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest
from hanalyze.tables.conventions import CONVENTION_OPPORTUNITIES, CONVENTION_OUTCOMES, CONVENTIONS

__all__ = ["F", "O", "P", "close_row", "write_finding"]

F: Final = lines("F", CONVENTIONS)
O: Final = lines("O", CONVENTION_OUTCOMES)  # noqa: E741 - the letter of its table
P: Final = lines("P", CONVENTION_OPPORTUNITIES)

_LEVELS: Final = np.array(LEVELS, np.int64)
_CARDS: Final = 6


@kernel
def write_finding(
    game: Game,
    reading: Reading,
    found: Ints,
    fates: Ints,
    name: int,
    receiver: int,
    focus: int,
    cards: int,
    expects: int,
) -> int:
    """Write a finding of the present action and return its row, -1 if there is no room.

    `cards` is the mask of the cards beside the steps that the message moves or names; `expects` whether it
    calls for something later.
    """
    row = reading.told.row
    reading.told.row = row + 1
    number = reading.verdict.mentioned
    reading.verdict.mentioned = number + 1
    if row >= found.shape[1]:
        return -1
    found[F.turn, row] = game.turn
    found[F.number, row] = number
    found[F.seat, row] = game.seat
    found[F.convention, row] = name
    found[F.level, row] = _LEVELS[name]
    found[F.certainty, row] = reading.verdict.certainty
    found[F.receiver, row] = receiver
    found[F.focus, row] = focus
    identity = game.identity[focus] if focus >= 0 else -1
    found[F.focus_suit, row] = identity // RANK_SLOTS if identity >= 0 else -1
    found[F.focus_rank, row] = identity % RANK_SLOTS if identity >= 0 else -1
    seats = 1 << game.place[focus] if focus >= 0 else 0
    place = 0
    steps = reading.verdict.chain.length if number == 0 else 0
    for step in range(steps):
        base = reading.verdict.chain.steps[step]
        if place < _CARDS:
            found[F.cards + place, row] = base.order
            seats |= 1 << base.seat
            place += 1
    while cards and place < _CARDS:
        order = lowest(cards)
        cards = drop_lowest(cards)
        found[F.cards + place, row] = order
        seats |= 1 << game.place[order]
        place += 1
    for rest in range(place, _CARDS):
        found[F.cards + rest, row] = -1
    found[F.seats, row] = seats
    found[F.readings, row] = reading.verdict.readings if number == 0 else 0
    found[F.legal, row] = reading.verdict.legal
    found[F.reasons, row] = reading.verdict.why
    found[F.severity, row] = reading.look.severity
    found[F.worth, row] = reading.verdict.worth
    found[F.bad_touch, row] = reading.verdict.bad
    found[F.steps, row] = steps
    fates[O.turn, row] = game.turn
    fates[O.number, row] = number
    fates[O.status, row] = codes.OPEN if expects else codes.NOTHING_EXPECTED
    fates[O.closed_turn, row] = -1
    fates[O.followed, row] = 0
    fates[O.deferrals, row] = 0
    fates[O.strikes, row] = 0
    fates[O.fault, row] = codes.NO_MISPLAY
    fates[O.fault_seat, row] = -1
    fates[O.fault_rule, row] = codes.NO_RULE
    return int(row)


@kernel
def close_row(fates: Ints, row: int, status: int, turn: int) -> None:
    """Write how what a finding expects was settled, if it is open still."""
    if 0 <= row < fates.shape[1] and fates[O.status, row] == codes.OPEN:
        fates[O.status, row] = status
        fates[O.closed_turn, row] = turn

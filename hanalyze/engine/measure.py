"""The numbers of a turn that follow from its position alone.

In: a running game. Out: pace and its risk, and which cards are needed and critical. Each formula is
hanab.live's.
"""

from __future__ import annotations

from typing import Final

from hanalyze.engine.compile import kernel
from hanalyze.engine.lookup import KIND_PLAIN, KIND_UP_OR_DOWN, VariantTable
from hanalyze.engine.stacks import card_left
from hanalyze.engine.state import (
    CARDS,
    DOWN,
    DRAWN,
    END_CONDITION,
    MAX_SCORE,
    RAW_SCORE,
    SEATS,
    UP,
    VARIANT,
    State,
)
from hanalyze.game.cards import RANK_SLOTS, START
from hanalyze.tables import PACE_NULL

__all__ = ["critical_cards", "needed_cards", "pace", "pace_risk"]

# Numbers of the words of the column `pace_risk`.
LOW: Final = 0
MEDIUM: Final = 1
HIGH: Final = 2
ZERO: Final = 3


@kernel
def pace(state: State) -> int:
    """Return how many cards can be discarded before the maximum score is out of reach.

    Score + deck - maximum score + players, as each player has a turn in the last round; `PACE_NULL` with an
    empty deck and once the game is over.
    """
    deck = state.n[CARDS] - state.n[DRAWN]
    if deck <= 0 or state.n[END_CONDITION] != 0:
        return PACE_NULL
    return int(state.n[RAW_SCORE] + deck - state.n[MAX_SCORE] + state.n[SEATS])


@kernel
def pace_risk(pace: int, seats: int) -> int:
    """Return the risk that a pace means for a number of players, as a number of the column's words."""
    if pace == PACE_NULL:
        return LOW
    if pace <= 0:
        return ZERO
    if pace - seats + seats // 2 < 0:
        return HIGH
    if pace - seats < 0:
        return MEDIUM
    return LOW


@kernel
def _needed_run(state: State, variants: VariantTable, suit: int, first: int, step: int, most: int) -> int:
    """Return the ranks from `first` on up to and with the first that is lost, at most `most`, as a mask."""
    size = variants.stack_size[state.n[VARIANT]]
    ranks = 0
    rank = first
    for _ in range(most):
        ranks |= 1 << rank
        if not card_left(state, variants, suit, rank):
            return ranks
        rank += step
        if rank > size:
            rank = 1
        elif rank < 1:
            rank = size
    return ranks


@kernel
def _needed_ranks(state: State, variants: VariantTable, suit: int) -> int:
    """Return the ranks of a suit that are needed, as a mask with bit `rank`."""
    v = state.n[VARIANT]
    size = variants.stack_size[v]
    top = state.top[suit]
    missing = size - state.stack[suit]
    if missing <= 0:
        return 0
    if variants.kind[v] == KIND_PLAIN:
        if variants.reversed[v] >> suit & 1:
            return _needed_run(state, variants, suit, top - 1 if top > 0 else size, -1, missing)
        return _needed_run(state, variants, suit, top + 1, 1, missing)
    if variants.kind[v] == KIND_UP_OR_DOWN:
        if state.way[suit] == UP:
            return _needed_run(state, variants, suit, top + 1, 1, missing)
        if state.way[suit] == DOWN:
            return _needed_run(state, variants, suit, top - 1, -1, missing)
        ranks = 0
        if top == 0:
            ranks = 1 << START | 1 << 1 | 1 << 5
        start_left = card_left(state, variants, suit, START)
        if start_left or card_left(state, variants, suit, 1):
            ranks |= _needed_run(state, variants, suit, 2, 1, size - (2 if top == START else 1))
        if start_left or card_left(state, variants, suit, 5):
            ranks |= _needed_run(state, variants, suit, 4, -1, size - (2 if top == START else 1))
        return ranks
    if top > 0:
        return _needed_run(state, variants, suit, top % size + 1, 1, missing)
    ranks = 0
    for first in range(1, size + 1):
        free = True
        for other in range(variants.suits[v]):
            if state.start[other] == first:
                free = False
        if free:
            ranks |= _needed_run(state, variants, suit, first, 1, size)
    return ranks


@kernel
def needed_cards(state: State, variants: VariantTable) -> int:
    """Return the mask of identities that a stack can still come to need; all others are trash.

    An identity of which every copy is lost counts as needed as long as its stack could have come to it.
    """
    needed = 0
    for suit in range(variants.suits[state.n[VARIANT]]):
        needed |= _needed_ranks(state, variants, suit) << (suit * RANK_SLOTS)
    return needed


@kernel
def _spare_starts(state: State, variants: VariantTable, suit: int) -> int:
    """Return the identities that may begin an empty stack of Up or Down and are not critical.

    There are three ways to begin, so one of them is critical only if another is lost.
    """
    mask = 0
    for rank in (1, 5, START):
        if not card_left(state, variants, suit, rank):
            return 0
        mask |= 1 << (suit * RANK_SLOTS + rank)
    return mask


@kernel
def critical_cards(state: State, variants: VariantTable, needed: int) -> int:
    """Return the mask of needed identities with one copy left."""
    v = state.n[VARIANT]
    critical = 0
    for suit in range(variants.suits[v]):
        for rank in range(1, RANK_SLOTS):
            number = suit * RANK_SLOTS + rank
            if needed >> number & 1 and state.lost[number] + 1 == variants.copies[v, number]:
                critical |= 1 << number
        if variants.kind[v] == KIND_UP_OR_DOWN and state.way[suit] == 0 and state.stack[suit] == 0:
            critical &= ~_spare_starts(state, variants, suit)
    return critical

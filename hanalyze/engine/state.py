"""The arrays of one running game.

In: nothing but sizes. Out: `State`, which `hanalyze.engine.step` deals into and changes move by move. It is
allocated once and used for one game after the other. All numbers are 64-bit integers: one type keeps both
speeds of the engine alike, and a game's state fits the processor's first cache anyhow.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hanalyze.game.cards import IDENTITIES, MAX_CARDS, MAX_SUITS

__all__ = ["MAX_HAND", "MAX_SEATS", "Ints", "State", "new_state"]

Ints: TypeAlias = NDArray[np.int64]

MAX_SEATS: Final = 6
MAX_HAND: Final = 6

# Places of a card; a seat (0 to 5) stands for that player's hand.
IN_DECK: Final = -1
ON_STACK: Final = -2
IN_DISCARD: Final = -3

# Ways in which a stack grows.
UNDECIDED: Final = 0
UP: Final = 1
DOWN: Final = -1

# Entries of `State.n`.
VARIANT: Final = 0
"""Row of the game's variant in the batch's tables."""
RULES: Final = 1
"""Row of the game's rules in the batch's table."""
SEATS: Final = 2
SEAT: Final = 3
"""The player to move."""
TURN: Final = 4
"""Actions carried out so far."""
CARDS: Final = 5
"""Cards of the whole deck."""
DRAWN: Final = 6
"""Cards that have left the deck, which is also the order of its top card."""
TOKENS: Final = 7
"""Clue tokens in units of `TOKEN_UNIT` to the token (halves in Clue Starved)."""
STRIKES: Final = 8
RAW_SCORE: Final = 9
"""Cards on the play stacks."""
MAX_SCORE: Final = 10
END_TURN: Final = 11
"""The turn before which the last round is over, -1 while cards are left."""
END_CONDITION: Final = 12
"""A number of `EndCondition`; 0 while the game goes on."""
PLAYABLE: Final = 13
"""Mask of the identities that fit a stack now."""
LAST_CLUE: Final = 14
"""Kind of the last clue, -1 before the first."""
STUCK_RULE: Final = 15
"""1 while the game ends when nothing can be played any more."""
RESULT: Final = 16
"""What came of the last action, a number of `hanalyze.engine.step`'s results."""
SLOT: Final = 17
"""Slot from which the last card was played or discarded, 0 the deck."""
TOUCHED: Final = 18
"""Orders' slots that the last clue touched, bit 0 slot 1."""
TAKEN: Final = 19
"""Order of the card drawn after the last action, -1 if none was."""
_N: Final = 20


class State(NamedTuple):
    """One running game.

    `n` (20): the single numbers, see the names above. `hand` (seats, hand): orders, oldest first, and
    `hand_len` (seats). By order (cards): `identity`, `place` (seat, or one of the places above),
    `colour_clues` and `rank_clues` (how often clues of the kind touched it), `informed` (1 once any clue was
    given to the hand that holds it), `possible` (mask of the identities that its clues leave). By suit:
    `stack` (cards on it), `top` (rank of its top card, 0 none), `way`, `start` (rank of its first card, 0
    none), `stack_max` (cards it can still come to). `lost` (identities): copies discarded or misplayed.
    """

    n: Ints
    hand: Ints
    hand_len: Ints
    identity: Ints
    place: Ints
    colour_clues: Ints
    rank_clues: Ints
    informed: Ints
    possible: Ints
    stack: Ints
    top: Ints
    way: Ints
    start: Ints
    stack_max: Ints
    lost: Ints


def new_state() -> State:
    """Return the arrays for a game, not dealt yet."""

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    return State(
        n=zeros(_N),
        hand=zeros(MAX_SEATS, MAX_HAND),
        hand_len=zeros(MAX_SEATS),
        identity=zeros(MAX_CARDS),
        place=zeros(MAX_CARDS),
        colour_clues=zeros(MAX_CARDS),
        rank_clues=zeros(MAX_CARDS),
        informed=zeros(MAX_CARDS),
        possible=zeros(MAX_CARDS),
        stack=zeros(MAX_SUITS),
        top=zeros(MAX_SUITS),
        way=zeros(MAX_SUITS),
        start=zeros(MAX_SUITS),
        stack_max=zeros(MAX_SUITS),
        lost=zeros(IDENTITIES),
    )

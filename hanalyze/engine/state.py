"""The array of one running game, and the names of its places.

In: nothing. Out: a layout. A running game is one array of 64-bit integers, `s`: what changes from move to
move, then what its variant and rules lay down, then room to work in. `s[at.TOKENS]` is a number,
`s[at.PLACE + order]` an entry of a table in it (with `from hanalyze.engine import state as at`).

One array and not one for each field, because compiled code pays for every array that it hands from function
to function: with fifteen of them a move took ten times as long. All of it fits the processor's first cache.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hanalyze.game.cards import IDENTITIES, MAX_CARDS, MAX_SUITS, RANK_SLOTS
from hanalyze.kernels.compiling import kernel

Ints: TypeAlias = NDArray[np.int64]

MAX_SEATS: Final = 6
MAX_HAND: Final = 6

# --- Numbers that change from move to move.
SEAT: Final = 0
"""The player to move."""
TURN: Final = 1
"""Actions carried out so far."""
DRAWN: Final = 2
"""Cards that have left the deck, which is also the order of its top card."""
TOKENS: Final = 3
"""Clue tokens in units of `TOKEN_UNIT` to the token (halves in Clue Starved)."""
STRIKES: Final = 4
RAW_SCORE: Final = 5
"""Cards on the play stacks."""
MAX_SCORE: Final = 6
END_TURN: Final = 7
"""The turn before which the last round is over, -1 while cards are left."""
END_CONDITION: Final = 8
"""A number of `EndCondition`; 0 while the game goes on."""
PLAYABLE: Final = 9
"""Mask of the identities that fit a stack now."""
LAST_CLUE: Final = 10
"""Kind of the last clue, -1 before the first."""
STUCK_RULE: Final = 11
"""1 while the game ends when nothing can be played any more."""

# --- What the last action came to, for whoever writes it down.
RESULT: Final = 12
"""A number of the words of the column `result`."""
SLOT: Final = 13
"""Slot from which the card was played or discarded, 0 the deck."""
TOUCHED: Final = 14
"""Slots that the clue touched, bit 0 slot 1."""
TAKEN: Final = 15
"""Order of the card drawn afterwards, -1 if none was."""

CLUES_LOST: Final = 16
"""Clues given, and tokens lost by strikes and by stacks completed with all tokens there; in halves."""

NEEDED: Final = 17
"""Mask of the identities that a stack can still come to need, -1 when it must be found anew."""

CRITICAL: Final = 18
"""Mask of those of which one copy is left, found together with `NEEDED`."""
GONE: Final = 19
"""Mask of the identities of which no copy is left."""
ONE_LEFT: Final = 20
"""Mask of the identities of which one copy is left."""
KNOWN_NOTED: Final = 21
"""Mask of the orders whose holder is noted to have known them."""
PLAYABLE_NOTED: Final = 22
"""Mask of the orders that are noted to have been playable."""
UNREAD: Final = 23
"""Mask of the seats whose `KNOWN` is out of date."""
UNSURE: Final = 24
"""Mask of the seats that have only seen `NEW_CARD` since: their `KNOWN` may be out of date."""
NEW_CARD: Final = 25
"""Order of the card that the others saw last."""
READ: Final = 26
"""Mask of the seats whose `KNOWN` was found anew since their cards were followed last."""
PLAYABLE_FOLLOWED: Final = 27
"""`PLAYABLE` when the cards were followed last, -1 before the first time."""
CLUED: Final = 28
"""Mask of the orders in hands that a clue touched."""
JUST_LOST: Final = 29
"""The needed identity that the last action lost a copy of and that has one left, -1 if there is none."""

# --- Tables by seat.
HAND_LEN: Final = 30
HAND: Final = HAND_LEN + MAX_SEATS
"""`HAND + seat * MAX_HAND + i`: orders in the hand, the oldest first."""
UNSEEN: Final = HAND + MAX_SEATS * MAX_HAND
"""`UNSEEN + seat * 3 + n`: mask of the identities of which a player does not see more than n copies, which
are in the deck or in the own hand."""

# --- Tables by order.
IDENTITY: Final = UNSEEN + MAX_SEATS * 3
PLACE: Final = IDENTITY + MAX_CARDS
"""A seat, or one of the places below."""
COLOUR_CLUES: Final = PLACE + MAX_CARDS
"""How many colour clues touched the card."""
RANK_CLUES: Final = COLOUR_CLUES + MAX_CARDS
"""How many rank clues touched the card."""
INFORMED: Final = RANK_CLUES + MAX_CARDS
"""1 once any clue was given to the hand that holds the card."""
POSSIBLE: Final = INFORMED + MAX_CARDS
"""Mask of the identities that the card's clues leave."""

# --- Tables by suit.
STACK: Final = POSSIBLE + MAX_CARDS
"""Cards on the stack."""
TOP: Final = STACK + MAX_SUITS
"""Rank of its top card, 0 none."""
WAY: Final = TOP + MAX_SUITS
START_RANK: Final = WAY + MAX_SUITS
"""Rank of its first card, 0 none."""
STACK_MAX: Final = START_RANK + MAX_SUITS
"""Cards it can still come to."""

# --- Tables by identity.
LOST: Final = STACK_MAX + MAX_SUITS
"""Copies discarded or misplayed."""

# --- What the game is played with: the table, the variant, the rules. Laid down by `deal`.
SEATS: Final = LOST + IDENTITIES
CARDS: Final = SEATS + 1
"""Cards of the whole deck."""
FULL_TOKENS: Final = SEATS + 2
"""Clue tokens when all are there, in the units of `TOKENS`."""
FULL_SCORE: Final = SEATS + 3
"""Points when all stacks are complete."""

VARIANT: Final = SEATS + 4
"""Where a variant's row begins; its places are `hanalyze.engine.lookup.variant_row`'s."""
SUITS: Final = VARIANT
STACK_SIZE: Final = VARIANT + 1
COLOURS: Final = VARIANT + 2
"""Clue colours."""
STACK_KIND: Final = VARIANT + 3
"""One of the ways to build stacks below."""
FLAGS: Final = VARIANT + 4
TOKEN_UNIT: Final = VARIANT + 5
"""Units to a clue token: 2 in Clue Starved, where half tokens are gained."""
REVERSED: Final = VARIANT + 6
"""Mask of the suits that are built downwards."""
CLUE_RANKS: Final = VARIANT + 7
"""Mask of the ranks that can be named."""
EVERYTHING: Final = VARIANT + 8
"""Three masks: the identities of which the deck has 1 copy at least (all of the variant's), 2, and 3."""
COPIES: Final = VARIANT + 11
COLOUR_TOUCH: Final = COPIES + IDENTITIES
"""By clue colour, the mask of the identities that it touches."""
RANK_TOUCH: Final = COLOUR_TOUCH + MAX_SUITS
"""By rank, the mask of the identities that a clue of it touches."""
VARIANT_END: Final = RANK_TOUCH + RANK_SLOTS

RULES: Final = VARIANT_END
"""Where the row of the rules begins; its places are `hanalyze.engine.lookup.rules_row`'s, in this order."""
CLUE_TOKENS: Final = RULES
STRIKES_TO_LOSE: Final = RULES + 1
ZERO_WHEN_LOST: Final = RULES + 2
EMPTY_CLUES: Final = RULES + 3
DISCARD_AT_FULL_TOKENS: Final = RULES + 4
CLUE_TO_SELF: Final = RULES + 5
ENDS_WHEN_STUCK: Final = RULES + 6
ALL_OR_NOTHING: Final = RULES + 7
SPEEDRUN: Final = RULES + 8
DECK_PLAYS: Final = RULES + 9
CARD_CYCLE: Final = RULES + 10
RULES_END: Final = RULES + 11

# --- Room to work in.
MEMBERS: Final = RULES_END
"""The masks of the cards of a hand that can say something about the others."""
MEMBER_INDEX: Final = MEMBERS + MAX_HAND
"""The indices in the hand of these cards."""
UNION: Final = MEMBER_INDEX + MAX_HAND
"""By set of these cards, what they can be together."""
INDICES: Final = UNION + (1 << MAX_HAND)
"""By set of these cards, their indices in the hand as a mask."""
KNOWN: Final = INDICES + (1 << MAX_HAND)
"""`KNOWN + seat * MAX_HAND + i`: what a holder allows for."""
CERTAIN: Final = KNOWN + MAX_SEATS * MAX_HAND
"""By seat, the indices of the cards for which the holder allows for one identity, as a mask."""
CHOP: Final = CERTAIN + MAX_SEATS
"""By seat, the order of the chop when the cards were followed last, -1 if there was none."""
CHOICE: Final = CHOP + MAX_SEATS
"""The action that a player chose: kind, target, value."""
NOISE: Final = CHOICE + 3
"""State of a player's random numbers, from 1 to 2**32 - 1."""
CLUE_ROW: Final = NOISE + 1
"""By order, the row of the clue that first touched the card."""
SIZE: Final = CLUE_ROW + MAX_CARDS

# --- Places of a card; a seat (0 to 5) stands for that player's hand.
IN_DECK: Final = -1
ON_STACK: Final = -2
IN_DISCARD: Final = -3

# --- Ways in which a stack of Up or Down grows.
UNDECIDED: Final = 0
UP: Final = 1
DOWN: Final = -1

# --- Ways to build stacks.
PLAIN: Final = 0
UP_OR_DOWN: Final = 1
SUDOKU: Final = 2

# --- Bits of `FLAGS`.
HOLE: Final = 1
"""Throw It in a Hole: a completed stack gives no token."""
ALTERNATING: Final = 2
"""Clues must alternate between colour and rank."""
INVERTED: Final = 4
"""A suit is inverted: cards may be discarded with all tokens there."""
COLOURS_TOUCH_NOTHING: Final = 8
RANKS_TOUCH_NOTHING: Final = 16
SILENT: Final = 32
"""Players do not learn what a clue meant (Cow & Pig, Duck)."""


@kernel
def in_hand(seat: int, i: int) -> int:
    """Return the place of the card with index `i` (0 the oldest) in the hand of `seat`."""
    return HAND + seat * MAX_HAND + i


def new_state() -> Ints:
    """Return the array for a game, (`SIZE`,) int64, not dealt yet.

    >>> new_state().nbytes < 8192
    True
    """
    return np.zeros(SIZE, np.int64)

"""The numbers of a turn that follow from its position alone.

In: a running game. Out: score, pace and its risk, which cards are needed and critical, and where the chop
is. Each formula is hanab.live's.
"""

from __future__ import annotations

from typing import Final

from hanalyze.engine import state as at
from hanalyze.engine.stacks import card_left
from hanalyze.engine.state import Ints, in_hand
from hanalyze.game.cards import RANK_SLOTS, START
from hanalyze.game.rules import EndCondition
from hanalyze.kernels.compiling import kernel
from hanalyze.tables import PACE_NULL

__all__ = [
    "chop_index",
    "chop_order",
    "clued",
    "critical_cards",
    "needed_cards",
    "pace",
    "pace_risk",
    "score",
]

_NORMAL: Final = int(EndCondition.NORMAL)

# Numbers of the words of the column `pace_risk`.
LOW: Final = 0
MEDIUM: Final = 1
HIGH: Final = 2
ZERO: Final = 3


@kernel
def score(s: Ints) -> int:
    """Return the score as the edition counts it: nothing for a lost game, or the points all the same."""
    if s[at.ZERO_WHEN_LOST] and s[at.END_CONDITION] > _NORMAL:
        return 0
    return int(s[at.RAW_SCORE])


@kernel
def pace(s: Ints) -> int:
    """Return how many cards can be discarded before the maximum score is out of reach.

    Score + deck - maximum score + players, as each player has a turn in the last round; `PACE_NULL` with an
    empty deck and once the game is over.
    """
    deck = s[at.CARDS] - s[at.DRAWN]
    if deck <= 0 or s[at.END_CONDITION] != 0:
        return PACE_NULL
    return int(s[at.RAW_SCORE] + deck - s[at.MAX_SCORE] + s[at.SEATS])


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
def _needed_run(s: Ints, suit: int, first: int, step: int, most: int) -> int:
    """Return the ranks from `first` on up to the first that is lost, at most `most`, as a mask.

    The lost rank itself counts where all suits are built upwards, and nowhere else: so says hanab.live.
    """
    size = s[at.STACK_SIZE]
    ranks = 0
    rank = first
    for _ in range(most):
        if not card_left(s, suit, rank):
            if s[at.STACK_KIND] == at.PLAIN and s[at.REVERSED] == 0:
                ranks |= 1 << rank
            return ranks
        ranks |= 1 << rank
        rank += step
        if rank > size:
            rank = 1
        elif rank < 1:
            rank = size
    return ranks


@kernel
def _needed_ranks(s: Ints, suit: int) -> int:
    """Return the ranks of a suit that are needed, as a mask with bit `rank`."""
    size = s[at.STACK_SIZE]
    top = s[at.TOP + suit]
    missing = size - s[at.STACK + suit]
    if missing <= 0:
        return 0
    if s[at.STACK_KIND] == at.PLAIN:
        if s[at.REVERSED] >> suit & 1:
            return _needed_run(s, suit, top - 1 if top > 0 else size, -1, missing)
        # The ranks above the top up to the first that is gone; with it as in `_needed_run`.
        above = (1 << (size + 1)) - (1 << (top + 1))
        gone = s[at.GONE] >> (suit * RANK_SLOTS) & above
        if gone == 0:
            return int(above)
        first = gone & -gone
        return int(above & (first * 2 - 1 if s[at.REVERSED] == 0 else first - 1))
    if s[at.STACK_KIND] == at.UP_OR_DOWN:
        if s[at.WAY + suit] == at.UP:
            return _needed_run(s, suit, top + 1, 1, missing)
        if s[at.WAY + suit] == at.DOWN:
            return _needed_run(s, suit, top - 1, -1, missing)
        ranks = 0
        if top == 0:
            ranks = 1 << START | 1 << 1 | 1 << 5
        start_left = card_left(s, suit, START)
        if start_left or card_left(s, suit, 1):
            ranks |= _needed_run(s, suit, 2, 1, size - 1)
        if start_left or card_left(s, suit, 5):
            ranks |= _needed_run(s, suit, 4, -1, size - 1)
        return ranks
    if top > 0:
        return _needed_run(s, suit, top % size + 1, 1, missing)
    ranks = 0
    for first in range(1, size + 1):
        free = True
        for other in range(s[at.SUITS]):
            if s[at.START_RANK + other] == first:
                free = False
        if free:
            ranks |= _needed_run(s, suit, first, 1, size)
    return ranks


@kernel
def _spare_starts(s: Ints, suit: int) -> int:
    """Return the ranks that may begin an empty stack of Up or Down and are not critical.

    There are three ways to begin, so one of them is critical only if another is lost.
    """
    mask = 0
    for rank in (1, 5, START):
        if not card_left(s, suit, rank):
            return 0
        mask |= 1 << rank
    return mask


@kernel
def _find_status(s: Ints) -> None:
    """Find anew which cards are needed and which of them critical."""
    needed = 0
    critical = 0
    for suit in range(s[at.SUITS]):
        ranks = _needed_ranks(s, suit)
        last_copies = ranks & s[at.ONE_LEFT] >> (suit * RANK_SLOTS)
        if s[at.STACK_KIND] == at.UP_OR_DOWN and s[at.WAY + suit] == at.UNDECIDED:
            last_copies &= ~_spare_starts(s, suit)
        needed |= ranks << (suit * RANK_SLOTS)
        critical |= last_copies << (suit * RANK_SLOTS)
    s[at.NEEDED] = needed
    s[at.CRITICAL] = critical


@kernel
def needed_cards(s: Ints) -> int:
    """Return the mask of identities that a stack can still come to need; all others are trash.

    As hanab.live has it, a few identities of which every copy is lost count as needed, too: they are what
    stopped their stack.
    """
    if s[at.NEEDED] < 0:
        _find_status(s)
    return int(s[at.NEEDED])


@kernel
def critical_cards(s: Ints) -> int:
    """Return the mask of needed identities with one copy left."""
    if s[at.NEEDED] < 0:
        _find_status(s)
    return int(s[at.CRITICAL])


@kernel
def clued(s: Ints, order: int) -> bool:
    """Return whether any clue touched a card that is in a hand."""
    return bool(s[at.CLUED] >> order & 1)


@kernel
def chop_index(s: Ints, seat: int) -> int:
    """Return the index in the hand of the oldest card that no clue touched, -1 if there is none."""
    for i in range(s[at.HAND_LEN + seat]):
        if not clued(s, s[in_hand(seat, i)]):
            return i
    return -1


@kernel
def chop_order(s: Ints, seat: int) -> int:
    """Return the order of the oldest card that no clue touched, -1 if there is none."""
    index = chop_index(s, seat)
    return int(s[in_hand(seat, index)]) if index >= 0 else -1

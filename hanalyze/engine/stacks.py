"""Which cards fit a play stack now, and how many cards each stack can still come to.

In: a running game whose stacks or losses have changed. Out: its `PLAYABLE` mask, and `STACK_MAX` with its
sum `MAX_SCORE`. The three ways to build stacks are here and nowhere else: from 1 up (reversed suits from 5
down), Up or Down, and Sudoku. Source of the rules and of the maximum score: hanab.live.
"""

from __future__ import annotations

from hanalyze.engine import state as at
from hanalyze.engine.state import Ints
from hanalyze.game.cards import IDENTITIES, MAX_SUITS, RANK_SLOTS, START
from hanalyze.kernels.compiling import kernel

__all__ = ["card_left", "fits_after", "goes_under", "grow_stack", "lose_card", "next_ranks", "set_up_stacks"]


@kernel
def next_ranks(s: Ints, suit: int) -> int:
    """Return the ranks that fit the stack of `suit` now, as a mask with bit `rank`."""
    size = int(s[at.STACK_SIZE])
    top = int(s[at.TOP + suit])
    if s[at.STACK + suit] >= size:
        return 0
    if s[at.STACK_KIND] == at.PLAIN:
        if s[at.REVERSED] >> suit & 1:
            return 1 << (top - 1 if top > 0 else size)
        return 1 << (top + 1)
    if s[at.STACK_KIND] == at.UP_OR_DOWN:
        if top == 0:
            return 1 << 1 | 1 << 5 | 1 << START
        if top == START:
            return 1 << 2 | 1 << 4
        return 1 << (top + 1 if s[at.WAY + suit] == at.UP else top - 1)
    if top > 0:
        return 1 << (top % size + 1)
    ranks = (1 << (size + 1)) - 2
    for other in range(s[at.SUITS]):
        if s[at.START_RANK + other] > 0:
            ranks &= ~(1 << int(s[at.START_RANK + other]))
    return ranks


@kernel
def fits_after(s: Ints, number: int) -> int:
    """Return the identities that will fit a stack when `number` is its top card, as a mask.

    Of a stack of Up or Down whose way is open, the way that the card decides; after START, both.
    """
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    size = int(s[at.STACK_SIZE])
    if s[at.STACK_KIND] == at.PLAIN:
        if s[at.REVERSED] >> suit & 1:
            return 1 << (number - 1) if rank > 1 else 0
        return 1 << (number + 1) if rank < size else 0
    if s[at.STACK + suit] + 1 >= size:
        return 0
    if s[at.STACK_KIND] == at.SUDOKU:
        return 1 << (suit * RANK_SLOTS + rank % size + 1)
    if rank == START:
        return (1 << 2 | 1 << 4) << (suit * RANK_SLOTS)
    way = s[at.WAY + suit]
    if way == at.UP or (way == at.UNDECIDED and rank <= 2):
        return 1 << (number + 1) if rank < size else 1 << (suit * RANK_SLOTS + START)
    return 1 << (number - 1) if rank > 1 else 1 << (suit * RANK_SLOTS + START)


@kernel
def goes_under(s: Ints, number: int) -> int:
    """Return the identity that must lie under `number`; -1 if none must, or several may."""
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    size = int(s[at.STACK_SIZE])
    if s[at.STACK_KIND] == at.PLAIN:
        if s[at.REVERSED] >> suit & 1:
            return number + 1 if rank < size else -1
        return number - 1 if rank > 1 else -1
    if s[at.STACK_KIND] == at.SUDOKU:
        if s[at.START_RANK + suit] in (0, rank):
            return -1
        return suit * RANK_SLOTS + (rank - 2) % size + 1
    if s[at.WAY + suit] == at.UNDECIDED or rank in (1, size, START):
        return -1
    return number - 1 if s[at.WAY + suit] == at.UP else number + 1


@kernel
def _find_playable(s: Ints) -> None:
    """Set the mask of identities that fit a stack."""
    playable = 0
    for suit in range(s[at.SUITS]):
        playable |= next_ranks(s, suit) << (suit * RANK_SLOTS)
    s[at.PLAYABLE] = playable


@kernel
def card_left(s: Ints, suit: int, rank: int) -> bool:
    """Return whether a copy is left that was neither discarded nor misplayed."""
    return not s[at.GONE] >> (suit * RANK_SLOTS + rank) & 1


@kernel
def _run(s: Ints, suit: int, first: int, step: int, most: int) -> int:
    """Return how many ranks in a row are left from `first` on, at most `most`, wrapping beyond the ends."""
    size = s[at.STACK_SIZE]
    rank = first
    for length in range(most):
        if not card_left(s, suit, rank):
            return length
        rank += step
        if rank > size:
            rank = 1
        elif rank < 1:
            rank = size
    return most


@kernel
def _most_up_or_down(s: Ints, suit: int) -> int:
    """Return the most cards that a stack of Up or Down can come to."""
    size = s[at.STACK_SIZE]
    start_left = card_left(s, suit, START)
    up = 0
    down = 0
    if start_left or card_left(s, suit, 1):
        up = 1 + _run(s, suit, 2, 1, size - 1)
    if start_left or card_left(s, suit, 5):
        down = 1 + _run(s, suit, 4, -1, size - 1)
    if s[at.WAY + suit] == at.UP:
        return up
    if s[at.WAY + suit] == at.DOWN:
        return down
    return max(up, down)


@kernel
def _most_sudoku(s: Ints) -> None:
    """Set what each stack of Sudoku can come to.

    Stacks must start at different ranks. A stack that has started runs from its first rank. One that has not,
    and has lost no rank, can be completed from any start, so it takes whichever is left. The others share the
    starts that nobody has used in the way that adds up to most; of equal sums, the one whose values, sorted,
    come first. Both are one addition per choice: a value v weighs `v * 2**20 + 2**(3 * (5 - v))`.
    """
    size = s[at.STACK_SIZE]
    suits = s[at.SUITS]
    free = (1 << size) - 1  # bit rank - 1
    for suit in range(suits):
        if s[at.START_RANK + suit] > 0:
            free &= ~(1 << (s[at.START_RANK + suit] - 1))
    codes = 1
    for suit in range(suits):
        first = max(s[at.START_RANK + suit], 1)
        s[at.STACK_MAX + suit] = _run(s, suit, first, 1, size)
        if s[at.START_RANK + suit] == 0 and s[at.STACK_MAX + suit] < size:
            codes *= size
    if codes == 1:
        return
    # A code is a start for each suit that must share, as a number with a digit per suit.
    best_weight = -1
    best_code = 0
    for code in range(codes):
        rest = code
        taken = 0
        weight = 0
        for suit in range(suits):
            if s[at.START_RANK + suit] == 0 and s[at.STACK_MAX + suit] < size:
                start = rest % size
                rest //= size
                if taken >> start & 1 or not free >> start & 1:
                    weight = -1
                    break
                taken |= 1 << start
                value = _run(s, suit, start + 1, 1, size)
                weight += (value << 20) + (1 << (3 * (5 - value)))
        if weight > best_weight:
            best_weight = weight
            best_code = code
    rest = best_code
    for suit in range(suits):
        if s[at.START_RANK + suit] == 0 and s[at.STACK_MAX + suit] < size:
            s[at.STACK_MAX + suit] = _run(s, suit, rest % size + 1, 1, size)
            rest //= size


@kernel
def _find_max_score(s: Ints, suit: int) -> None:
    """Bring `stack_max` up to date after a change to `suit`, and the maximum score with it."""
    if s[at.STACK_KIND] == at.PLAIN:
        # A rank fits only after the one before, so what counts is the run of ranks left from the start.
        size = s[at.STACK_SIZE]
        down = s[at.REVERSED] >> suit & 1
        most = _run(s, suit, size, -1, size) if down else _run(s, suit, 1, 1, size)
        s[at.MAX_SCORE] += most - s[at.STACK_MAX + suit]
        s[at.STACK_MAX + suit] = most
        return
    if s[at.STACK_KIND] == at.UP_OR_DOWN:
        s[at.STACK_MAX + suit] = _most_up_or_down(s, suit)
    else:
        _most_sudoku(s)
    total = 0
    for other in range(s[at.SUITS]):
        total += s[at.STACK_MAX + other]
    s[at.MAX_SCORE] = total


@kernel
def set_up_stacks(s: Ints) -> None:
    """Empty all stacks."""
    s[at.NEEDED] = -1
    s[at.GONE] = 0
    s[at.ONE_LEFT] = s[at.EVERYTHING] & ~s[at.EVERYTHING + 1]
    for number in range(IDENTITIES):
        s[at.LOST + number] = 0
    for suit in range(MAX_SUITS):
        s[at.STACK + suit] = 0
        s[at.TOP + suit] = 0
        s[at.WAY + suit] = at.UNDECIDED
        s[at.START_RANK + suit] = 0
        s[at.STACK_MAX + suit] = s[at.STACK_SIZE] if suit < s[at.SUITS] else 0
    s[at.MAX_SCORE] = s[at.FULL_SCORE]
    _find_playable(s)


@kernel
def grow_stack(s: Ints, number: int) -> bool:
    """Put a card that fits on its stack, and return whether that completed the stack."""
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    s[at.STACK + suit] += 1
    s[at.NEEDED] = -1
    s[at.TOP + suit] = rank
    if s[at.STACK_KIND] == at.PLAIN:
        mine = ((1 << RANK_SLOTS) - 1) << (suit * RANK_SLOTS)
        fits = next_ranks(s, suit) << (suit * RANK_SLOTS)
        s[at.PLAYABLE] = s[at.PLAYABLE] & ~mine | fits
        return bool(s[at.STACK + suit] == s[at.STACK_SIZE])
    if s[at.START_RANK + suit] == 0:
        s[at.START_RANK + suit] = rank
    if s[at.STACK_KIND] == at.UP_OR_DOWN and s[at.WAY + suit] == at.UNDECIDED:
        if rank in (1, 2):
            s[at.WAY + suit] = at.UP
        elif rank in (4, 5):
            s[at.WAY + suit] = at.DOWN
    _find_playable(s)
    _find_max_score(s, suit)
    return bool(s[at.STACK + suit] == s[at.STACK_SIZE])


@kernel
def lose_card(s: Ints, number: int) -> None:
    """Count a card as gone that was discarded or misplayed."""
    s[at.LOST + number] += 1
    s[at.NEEDED] = -1
    left = s[at.COPIES + number] - s[at.LOST + number]
    if left == 1:
        s[at.ONE_LEFT] |= 1 << number
    elif left == 0:
        s[at.ONE_LEFT] &= ~(1 << number)
        s[at.GONE] |= 1 << number
        _find_max_score(s, number // RANK_SLOTS)

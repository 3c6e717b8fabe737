"""Which cards fit a play stack now, and how many cards each stack can still come to.

In: a running game whose stacks or losses have changed. Out: `State.n[PLAYABLE]`, and `State.stack_max` with
its sum. The three ways to build stacks are here and nowhere else: from 1 up (reversed suits from 5 down),
Up or Down, and Sudoku. Source of the rules and of the maximum score: hanab.live.
"""

from __future__ import annotations

from hanalyze.engine.compile import kernel
from hanalyze.engine.lookup import KIND_PLAIN, KIND_UP_OR_DOWN, VariantTable
from hanalyze.engine.state import DOWN, MAX_SCORE, PLAYABLE, UNDECIDED, UP, VARIANT, State
from hanalyze.game.cards import RANK_SLOTS, START

__all__ = ["card_left", "grow_stack", "lose_card", "next_ranks", "set_up_stacks"]


@kernel
def next_ranks(state: State, variants: VariantTable, suit: int) -> int:
    """Return the ranks that fit the stack of `suit` now, as a mask with bit `rank`."""
    v = state.n[VARIANT]
    size = variants.stack_size[v]
    top = state.top[suit]
    if state.stack[suit] >= size:
        return 0
    if variants.kind[v] == KIND_PLAIN:
        if variants.reversed[v] >> suit & 1:
            return 1 << (top - 1 if top > 0 else size)
        return 1 << (top + 1)
    if variants.kind[v] == KIND_UP_OR_DOWN:
        if top == 0:
            return 1 << 1 | 1 << 5 | 1 << START
        if top == START:
            return 1 << 2 | 1 << 4
        return 1 << (top + 1 if state.way[suit] == UP else top - 1)
    if top > 0:
        return 1 << (top % size + 1)
    ranks = (1 << (size + 1)) - 2
    for other in range(variants.suits[v]):
        if state.start[other] > 0:
            ranks &= ~(1 << state.start[other])
    return ranks


@kernel
def _find_playable(state: State, variants: VariantTable) -> None:
    """Set the mask of identities that fit a stack."""
    playable = 0
    for suit in range(variants.suits[state.n[VARIANT]]):
        playable |= next_ranks(state, variants, suit) << (suit * RANK_SLOTS)
    state.n[PLAYABLE] = playable


@kernel
def card_left(state: State, variants: VariantTable, suit: int, rank: int) -> bool:
    """Return whether a copy is left that was neither discarded nor misplayed."""
    number = suit * RANK_SLOTS + rank
    return bool(state.lost[number] < variants.copies[state.n[VARIANT], number])


@kernel
def _run(state: State, variants: VariantTable, suit: int, first: int, step: int, most: int) -> int:
    """Return how many ranks in a row are left from `first` on, at most `most`, wrapping beyond the ends."""
    size = variants.stack_size[state.n[VARIANT]]
    rank = first
    for length in range(most):
        if not card_left(state, variants, suit, rank):
            return length
        rank += step
        if rank > size:
            rank = 1
        elif rank < 1:
            rank = size
    return most


@kernel
def _most_up_or_down(state: State, variants: VariantTable, suit: int) -> int:
    """Return the most cards that a stack of Up or Down can come to."""
    size = variants.stack_size[state.n[VARIANT]]
    start_left = card_left(state, variants, suit, START)
    up = 0
    down = 0
    if start_left or card_left(state, variants, suit, 1):
        up = 1 + _run(state, variants, suit, 2, 1, size - 1)
    if start_left or card_left(state, variants, suit, 5):
        down = 1 + _run(state, variants, suit, 4, -1, size - 1)
    if state.way[suit] == UP:
        return up
    if state.way[suit] == DOWN:
        return down
    return max(up, down)


@kernel
def _most_sudoku(state: State, variants: VariantTable) -> None:
    """Set what each stack of Sudoku can come to.

    Stacks must start at different ranks. A stack that has started runs from its first rank. One that has not,
    and has lost no rank, can be completed from any start, so it takes whichever is left. The others share the
    starts that nobody has used in the way that adds up to most; of equal sums, the one whose values, sorted,
    come first. Both are one addition per choice: a value v weighs `v * 2**20 + 2**(3 * (5 - v))`.
    """
    v = state.n[VARIANT]
    size = variants.stack_size[v]
    suits = variants.suits[v]
    free = (1 << size) - 1  # bit rank - 1
    for suit in range(suits):
        if state.start[suit] > 0:
            free &= ~(1 << (state.start[suit] - 1))
    codes = 1
    for suit in range(suits):
        first = max(state.start[suit], 1)
        state.stack_max[suit] = _run(state, variants, suit, first, 1, size)
        if state.start[suit] == 0 and state.stack_max[suit] < size:
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
            if state.start[suit] == 0 and state.stack_max[suit] < size:
                start = rest % size
                rest //= size
                if taken >> start & 1 or not free >> start & 1:
                    weight = -1
                    break
                taken |= 1 << start
                value = _run(state, variants, suit, start + 1, 1, size)
                weight += (value << 20) + (1 << (3 * (5 - value)))
        if weight > best_weight:
            best_weight = weight
            best_code = code
    rest = best_code
    for suit in range(suits):
        if state.start[suit] == 0 and state.stack_max[suit] < size:
            state.stack_max[suit] = _run(state, variants, suit, rest % size + 1, 1, size)
            rest //= size


@kernel
def _find_max_score(state: State, variants: VariantTable, suit: int) -> None:
    """Bring `stack_max` up to date after a change to `suit`, and the maximum score with it."""
    v = state.n[VARIANT]
    if variants.kind[v] == KIND_PLAIN:
        # A rank fits only after the one before, so what counts is the run of ranks left from the start.
        size = variants.stack_size[v]
        if variants.reversed[v] >> suit & 1:
            most = _run(state, variants, suit, size, -1, size)
        else:
            most = _run(state, variants, suit, 1, 1, size)
        state.n[MAX_SCORE] += most - state.stack_max[suit]
        state.stack_max[suit] = most
        return
    if variants.kind[v] == KIND_UP_OR_DOWN:
        state.stack_max[suit] = _most_up_or_down(state, variants, suit)
    else:
        _most_sudoku(state, variants)
    total = 0
    for other in range(variants.suits[v]):
        total += state.stack_max[other]
    state.n[MAX_SCORE] = total


@kernel
def set_up_stacks(state: State, variants: VariantTable) -> None:
    """Empty all stacks."""
    v = state.n[VARIANT]
    state.stack[:] = 0
    state.top[:] = 0
    state.way[:] = UNDECIDED
    state.start[:] = 0
    state.lost[:] = 0
    state.stack_max[:] = 0
    for suit in range(variants.suits[v]):
        state.stack_max[suit] = variants.stack_size[v]
    state.n[MAX_SCORE] = variants.suits[v] * variants.stack_size[v]
    _find_playable(state, variants)


@kernel
def grow_stack(state: State, variants: VariantTable, number: int) -> bool:
    """Put a card that fits on its stack, and return whether that completed the stack."""
    v = state.n[VARIANT]
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    state.stack[suit] += 1
    state.top[suit] = rank
    if variants.kind[v] == KIND_PLAIN:
        mine = ((1 << RANK_SLOTS) - 1) << (suit * RANK_SLOTS)
        fits = next_ranks(state, variants, suit) << (suit * RANK_SLOTS)
        state.n[PLAYABLE] = state.n[PLAYABLE] & ~mine | fits
        return bool(state.stack[suit] == variants.stack_size[v])
    if state.start[suit] == 0:
        state.start[suit] = rank
    if variants.kind[v] == KIND_UP_OR_DOWN and state.way[suit] == UNDECIDED:
        if rank in (1, 2):
            state.way[suit] = UP
        elif rank in (4, 5):
            state.way[suit] = DOWN
    _find_playable(state, variants)
    _find_max_score(state, variants, suit)
    return bool(state.stack[suit] == variants.stack_size[v])


@kernel
def lose_card(state: State, variants: VariantTable, number: int) -> None:
    """Count a card as gone that was discarded or misplayed."""
    state.lost[number] += 1
    if state.lost[number] == variants.copies[state.n[VARIANT], number]:
        _find_max_score(state, variants, number // RANK_SLOTS)

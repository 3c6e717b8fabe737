"""Playable cards, the order of play, and the maximum size of upward, reversed, Up or Down and Sudoku stacks.

Source of the rules and of the maximum score: hanab.live.
"""

from __future__ import annotations

from hanalyze.engine.game import DOWN, PLAIN, SUDOKU, UNDECIDED, UP, UP_OR_DOWN, Game
from hanalyze.game.cards import IDENTITIES, MAX_SUITS, RANK_SLOTS, START
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import lowest, members, popcount

kernel_module(__name__)


def next_ranks(game: Game, suit: int) -> int:
    """Return the ranks that fit the stack of `suit`, as a mask with bit r for rank r."""
    size = game.variant.stack_size
    top = game.top[suit]
    if game.stack[suit] >= size:
        return 0
    if game.variant.stack_kind == PLAIN:
        if game.variant.reversed >> suit & 1:
            return 1 << (top - 1 if top > 0 else size)
        return 1 << (top + 1)
    if game.variant.stack_kind == UP_OR_DOWN:
        if top == 0:
            return 1 << 1 | 1 << 5 | 1 << START
        if top == START:
            return 1 << 2 | 1 << 4
        return 1 << (top + 1 if game.way[suit] == UP else top - 1)
    if top > 0:
        return 1 << (top % size + 1)
    ranks = (1 << (size + 1)) - 2
    for other in range(game.variant.suits):
        if game.start_rank[other] > 0:
            ranks &= ~(1 << game.start_rank[other])
    return ranks


def fits_after(game: Game, number: int) -> int:
    """Return the mask of the identities that will fit a stack when identity `number` is its top card.

    The result is 0 if the stack is then complete. If a stack of Up or Down has no direction yet, the card
    decides the direction; START allows both directions.
    """
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    size = game.variant.stack_size
    if game.variant.stack_kind == PLAIN:
        if game.variant.reversed >> suit & 1:
            return 1 << (number - 1) if rank > 1 else 0
        return 1 << (number + 1) if rank < size else 0
    if game.stack[suit] + 1 >= size:
        return 0
    if game.variant.stack_kind == SUDOKU:
        return 1 << (suit * RANK_SLOTS + rank % size + 1)
    if rank == START:
        return (1 << 2 | 1 << 4) << (suit * RANK_SLOTS)
    way = game.way[suit]
    if way == UP or (way == UNDECIDED and rank <= 2):
        return 1 << (number + 1) if rank < size else 1 << (suit * RANK_SLOTS + START)
    return 1 << (number - 1) if rank > 1 else 1 << (suit * RANK_SLOTS + START)


def fits_after_any(game: Game, ids: int) -> int:
    """Return the mask of the identities that directly follow one of `ids` on plain stacks."""
    down = 0
    for suit in members(game.variant.reversed):
        down |= ids & 255 << suit * RANK_SLOTS
    return ((ids & ~down) << 1 | down >> 1) & game.variant.everything[0]


def after_playing(game: Game, playable: int, number: int) -> int:
    """Return the mask of playable identities after `number`, one of `playable`, has been played."""
    return playable & ~(1 << number) | fits_after(game, number)


def goes_under(game: Game, number: int) -> int:
    """Return the identity directly below `number` on its stack; -1 if there is none or it is undetermined.

    It is undetermined in an Up or Down stack without a direction, and in an empty Sudoku stack.
    """
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    size = game.variant.stack_size
    if game.variant.stack_kind == PLAIN:
        if game.variant.reversed >> suit & 1:
            return number + 1 if rank < size else -1
        return number - 1 if rank > 1 else -1
    if game.variant.stack_kind == SUDOKU:
        if game.start_rank[suit] in (0, rank):
            return -1
        return suit * RANK_SLOTS + (rank - 2) % size + 1
    way = game.way[suit]
    first = 1 if way == UP else size
    if way == UNDECIDED or rank in (first, START):
        return -1
    return number - 1 if way == UP else number + 1


def _ids_up_to(game: Game, number: int) -> int:
    """Return the mask of the identities of a plain stack up to `number` in the order of play.

    Bits of ranks that do not exist may be set, too.
    """
    stack_ids = 255 << (number & ~7)
    if game.variant.reversed >> (number >> 3) & 1:
        return stack_ids & -(1 << number)
    return stack_ids & (2 << number) - 1


def next_missing(game: Game, playable: int, number: int) -> int:
    """Return the identity to play next in order to play `number`, which may be `number` itself.

    The result is -1 if no identity of `playable` leads to `number`.
    """
    if game.variant.stack_kind == PLAIN:
        first = playable & _ids_up_to(game, number)
        return lowest(first) if first else -1
    for _ in range(6):
        if playable >> number & 1:
            return number
        number = goes_under(game, number)
        if number < 0:
            return -1
    return -1


def missing_ids(game: Game, playable: int, number: int) -> int:
    """Return the mask of the identities to play before `number`, -1 if none of `playable` leads to it."""
    ids = 0
    if game.variant.stack_kind == PLAIN:
        ids = _ids_up_to(game, number)
        first = playable & ids
        return (ids & ~_ids_up_to(game, lowest(first)) | first) & ~(1 << number) if first else -1
    for _ in range(6):
        if playable >> number & 1:
            return ids
        number = goes_under(game, number)
        if number < 0:
            return -1
        ids |= 1 << number
    return -1


def plays_until(game: Game, playable: int, number: int) -> int:
    """Return the number of cards to play before `number`, -1 if no identity of `playable` leads to it."""
    missing = missing_ids(game, playable, number)
    return popcount(missing) if missing >= 0 else -1


def _find_playable(game: Game) -> None:
    playable = 0
    for suit in range(game.variant.suits):
        playable |= next_ranks(game, suit) << (suit * RANK_SLOTS)
    game.playable = playable


def card_left(game: Game, suit: int, rank: int) -> bool:
    """Return whether at least one copy of a card was neither discarded nor misplayed."""
    return not game.gone >> (suit * RANK_SLOTS + rank) & 1


def run_ranks(game: Game, suit: int, first: int, step: int, most: int) -> int:
    """Return the mask of at most `most` ranks from `first`, in steps of `step`, before the first lost rank.

    The ranks wrap around at both ends.
    """
    size = game.variant.stack_size
    ranks = 0
    rank = first
    for _ in range(most):
        if not card_left(game, suit, rank):
            break
        ranks |= 1 << rank
        rank += step
        if rank > size:
            rank = 1
        elif rank < 1:
            rank = size
    return ranks


def _run(game: Game, suit: int, first: int, step: int, most: int) -> int:
    """Return the number of ranks in `run_ranks`."""
    return popcount(run_ranks(game, suit, first, step, most))


def _most_up_or_down(game: Game, suit: int) -> int:
    size = game.variant.stack_size
    start_left = card_left(game, suit, START)
    up = 0
    down = 0
    if start_left or card_left(game, suit, 1):
        up = 1 + _run(game, suit, 2, 1, size - 1)
    if start_left or card_left(game, suit, 5):
        down = 1 + _run(game, suit, 4, -1, size - 1)
    if game.way[suit] == UP:
        return up
    if game.way[suit] == DOWN:
        return down
    return max(up, down)


def _most_sudoku(game: Game) -> None:
    """Set the maximum size that each Sudoku stack can reach.

    Stacks must start at different ranks. A started stack runs from its first rank. A stack that has not
    started and has lost no rank can be completed from any start, so it can take any start that is left. The
    free starts are assigned to the remaining stacks so that the sum of the sizes is largest. If several
    assignments have the largest sum, the one with the lexicographically smallest sorted sizes is used. A size
    v has the weight `v * 2**20 + 2**(3 * (5 - v))`, so that the largest sum of weights meets both criteria.
    """
    size = game.variant.stack_size
    suits = game.variant.suits
    free = (1 << size) - 1  # free starts: bit n for rank n + 1
    for suit in range(suits):
        if game.start_rank[suit] > 0:
            free &= ~(1 << (game.start_rank[suit] - 1))
    codes = 1
    for suit in range(suits):
        game.stack_max[suit] = _run(game, suit, max(game.start_rank[suit], 1), 1, size)
        if game.start_rank[suit] == 0 and game.stack_max[suit] < size:
            codes *= size
    if codes == 1:
        return
    # An assignment is coded as a number with one digit per suit: the start of its stack.
    best_weight = -1
    best_code = 0
    for code in range(codes):
        rest = code
        taken = 0
        weight = 0
        for suit in range(suits):
            if game.start_rank[suit] == 0 and game.stack_max[suit] < size:
                start = rest % size
                rest //= size
                if taken >> start & 1 or not free >> start & 1:
                    weight = -1
                    break
                taken |= 1 << start
                value = _run(game, suit, start + 1, 1, size)
                weight += (value << 20) + (1 << (3 * (5 - value)))
        if weight > best_weight:
            best_weight = weight
            best_code = code
    rest = best_code
    for suit in range(suits):
        if game.start_rank[suit] == 0 and game.stack_max[suit] < size:
            game.stack_max[suit] = _run(game, suit, rest % size + 1, 1, size)
            rest //= size


def _find_max_score(game: Game, suit: int) -> None:
    """Update `stack_max` and the maximum score after a change to `suit`."""
    if game.variant.stack_kind == PLAIN:
        # Each rank needs the previous rank, so the size is the number of ranks before the first lost rank.
        size = game.variant.stack_size
        down = game.variant.reversed >> suit & 1
        most = _run(game, suit, size, -1, size) if down else _run(game, suit, 1, 1, size)
        game.max_score += most - game.stack_max[suit]
        game.stack_max[suit] = most
        return
    if game.variant.stack_kind == UP_OR_DOWN:
        game.stack_max[suit] = _most_up_or_down(game, suit)
    else:
        _most_sudoku(game)
    total = 0
    for other in range(game.variant.suits):
        total += game.stack_max[other]
    game.max_score = total


def set_up_stacks(game: Game) -> None:
    """Empty all stacks, and reset the lost, needed, critical and playable cards and the maximum score."""
    game.needed = 0
    game.critical = 0
    game.changed_suits = (1 << game.variant.suits) - 1
    game.gone = 0
    game.one_left = game.variant.everything[0] & ~game.variant.everything[1]
    for number in range(IDENTITIES):
        game.lost[number] = 0
    for suit in range(MAX_SUITS):
        game.stack[suit] = 0
        game.top[suit] = 0
        game.way[suit] = UNDECIDED
        game.start_rank[suit] = 0
        game.stack_max[suit] = game.variant.stack_size if suit < game.variant.suits else 0
    game.max_score = game.full_score
    _find_playable(game)


def grow_stack(game: Game, number: int) -> bool:
    """Put a playable identity on its stack, and return whether the stack is now complete."""
    suit = number // RANK_SLOTS
    rank = number % RANK_SLOTS
    game.stack[suit] += 1
    game.changed_suits |= 1 << suit
    game.top[suit] = rank
    if game.variant.stack_kind == PLAIN:
        mine = ((1 << RANK_SLOTS) - 1) << (suit * RANK_SLOTS)
        game.playable = game.playable & ~mine | next_ranks(game, suit) << (suit * RANK_SLOTS)
        return game.stack[suit] == game.variant.stack_size
    if game.start_rank[suit] == 0:
        game.start_rank[suit] = rank
        game.changed_suits = (1 << game.variant.suits) - 1  # no other stack of Sudoku can begin at this rank
    if game.variant.stack_kind == UP_OR_DOWN and game.way[suit] == UNDECIDED:
        if rank in (1, 2):
            game.way[suit] = UP
        elif rank in (4, 5):
            game.way[suit] = DOWN
    _find_playable(game)
    _find_max_score(game, suit)
    return game.stack[suit] == game.variant.stack_size


def lose_card(game: Game, number: int) -> None:
    """Count a copy of `number` as lost; update the maximum score and the masks `one_left` and `gone`."""
    game.lost[number] += 1
    game.changed_suits |= 1 << number // RANK_SLOTS
    left = game.variant.copies[number] - game.lost[number]
    if left == 1:
        game.one_left |= 1 << number
    elif left == 0:
        game.one_left &= ~(1 << number)
        game.gone |= 1 << number
        _find_max_score(game, number // RANK_SLOTS)


def points_of(game: Game, number: int) -> int:
    """Return the points by which losing the last copy of a needed identity lowers the maximum score."""
    suit = number // RANK_SLOTS
    if game.variant.stack_kind == PLAIN:
        rank = number % RANK_SLOTS
        place = game.variant.stack_size + 1 - rank if game.variant.reversed >> suit & 1 else rank
        return max(game.stack_max[suit] + 1 - place, 0)
    before = game.max_score
    game.gone |= 1 << number
    _find_max_score(game, suit)
    points = before - game.max_score
    game.gone &= ~(1 << number)
    _find_max_score(game, suit)
    return points

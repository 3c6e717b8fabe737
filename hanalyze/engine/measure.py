"""Measures of a position by hanab.live's formulas: score, pace, needed cards, chop, efficiency."""

from __future__ import annotations

import math

from hanalyze.engine.game import DOWN, HOLE, PLAIN, UNDECIDED, UP, UP_OR_DOWN, Game
from hanalyze.engine.stacks import card_left, next_ranks, run_ranks
from hanalyze.game.cards import RANK_SLOTS, START
from hanalyze.game.editions import EndCondition
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import drop_lowest, lowest, members
from hanalyze.tables import PACE_NULL, PaceRisk

kernel_module(__name__)


def score(game: Game) -> int:
    """Return the number of cards on the stacks; with `zero_when_lost`, 0 once the game is lost."""
    if game.rules.zero_when_lost and game.end_condition > EndCondition.NORMAL:
        return 0
    return game.raw_score


def pace(game: Game) -> int:
    """Return the number of cards that can be discarded before the maximum score is out of reach.

    Pace is raw score + deck - maximum score + players, because each player has a turn in the last round. It
    is `PACE_NULL` if the deck is empty or the game is over.
    """
    deck = game.cards - game.drawn
    if deck <= 0 or game.end_condition:
        return PACE_NULL
    return game.raw_score + deck - game.max_score + game.seats


def pace_risk(pace: int, seats: int) -> int:
    """Return the risk of a pace for this number of players, as a number of `PaceRisk`."""
    if pace == PACE_NULL:
        return PaceRisk.LOW
    if pace <= 0:
        return PaceRisk.ZERO
    if pace - seats + seats // 2 < 0:
        return PaceRisk.HIGH
    if pace - seats < 0:
        return PaceRisk.MEDIUM
    return PaceRisk.LOW


def _needed_ranks(game: Game, suit: int) -> int:
    """Return the ranks of a suit that are needed, as a mask with bit r for rank r."""
    size = game.variant.stack_size
    top = game.top[suit]
    missing = size - game.stack[suit]
    if missing <= 0:
        return 0
    if game.variant.stack_kind == PLAIN:
        if game.variant.reversed >> suit & 1:
            return run_ranks(game, suit, top - 1 if top > 0 else size, -1, missing)
        # Ranks above the top, up to the first lost rank, which hanab.live includes if all suits go upwards.
        above = (1 << (size + 1)) - (1 << (top + 1))
        lost_ranks = game.gone >> (suit * RANK_SLOTS) & above
        if lost_ranks == 0:
            return above
        first = lost_ranks & -lost_ranks
        return above & (first * 2 - 1 if game.variant.reversed == 0 else first - 1)
    if game.variant.stack_kind == UP_OR_DOWN:
        if game.way[suit] == UP:
            return run_ranks(game, suit, top + 1, 1, missing)
        if game.way[suit] == DOWN:
            return run_ranks(game, suit, top - 1, -1, missing)
        ranks = 1 << START | 1 << 1 | 1 << 5 if top == 0 else 0
        start_left = card_left(game, suit, START)
        if start_left or card_left(game, suit, 1):
            ranks |= run_ranks(game, suit, 2, 1, size - 1)
        if start_left or card_left(game, suit, 5):
            ranks |= run_ranks(game, suit, 4, -1, size - 1)
        return ranks
    ranks = 0
    for first in members(next_ranks(game, suit)):
        ranks |= run_ranks(game, suit, first, 1, missing)
    return ranks


def _spare_starts(game: Game, suit: int) -> int:
    """Return the mask of the ranks that can begin an empty stack of Up or Down and are not critical.

    Three ranks can begin a stack, so none of them is critical until one of them is lost.
    """
    starts = 1 << 1 | 1 << 5 | 1 << START
    return 0 if game.gone >> (suit * RANK_SLOTS) & starts else starts


def _find_status(game: Game) -> None:
    for suit in range(game.variant.suits):
        if not game.changed_suits >> suit & 1:
            continue
        ranks = _needed_ranks(game, suit)
        last_copies = ranks & game.one_left >> (suit * RANK_SLOTS)
        if game.variant.stack_kind == UP_OR_DOWN and game.way[suit] == UNDECIDED:
            last_copies &= ~_spare_starts(game, suit)
        others = ~(((1 << RANK_SLOTS) - 1) << (suit * RANK_SLOTS))
        game.needed = game.needed & others | ranks << (suit * RANK_SLOTS)
        game.critical = game.critical & others | last_copies << (suit * RANK_SLOTS)
    game.changed_suits = 0


def needed_cards(game: Game) -> int:
    """Return the mask of identities that a stack can still need; all other identities are trash.

    As on hanab.live, an identity without any copy left can count as needed: the first such identity above the
    top of its stack, if all suits are built upwards.
    """
    if game.changed_suits:
        _find_status(game)
    return game.needed


def critical_cards(game: Game) -> int:
    """Return the mask of the needed identities with one copy left.

    In Up or Down, cards that can begin an empty stack do not count while all of them have a copy left.
    """
    if game.changed_suits:
        _find_status(game)
    return game.critical


def chop_index(game: Game, seat: int) -> int:
    """Return the hand index of the oldest card that no clue touched, -1 if all cards are clued."""
    for i in range(game.hand_len[seat]):
        if not game.clued >> game.hands[seat][i] & 1:
            return i
    return -1


def cards_gotten(game: Game, needed: int) -> int:
    """Return the number of cards on the stacks plus the number of needed clued cards in hands.

    `needed` is the result of `needed_cards`. A card counts even if its holder does not know its identity, and
    two copies of a needed card count twice. The result is at most the maximum score.
    """
    gotten = game.raw_score
    orders = game.clued
    while orders:
        gotten += needed >> game.identity[lowest(orders)] & 1
        orders = drop_lowest(orders)
    return min(gotten, game.max_score)


def _completions(game: Game, plays: int) -> int:
    """Return the number of stacks that `plays` cards can complete, counting the most complete ones first."""
    size = game.variant.stack_size
    # Number of stacks that lack 1, 2, ... cards, in one byte each.
    stacks = 0
    for suit in range(game.variant.suits):
        if game.stack_max[suit] == size:
            stacks += 1 << (8 * (size - game.stack[suit]))
    total = 0
    for missing in range(1, size + 1):
        completed = stacks >> (8 * missing) & 0xFF
        if completed * missing > plays:
            return total + plays // missing
        plays -= completed * missing
        total += completed
    return total


def clues_left_exactly(game: Game) -> float:
    """Return the number of clues, including halves, that can still be given without losing a point.

    This is the sum of the present tokens, the tokens from the discards that the pace allows, and the tokens
    from the stacks that can be completed before the last round. NaN if the deck is empty.
    """
    deck = game.cards - game.drawn
    if deck <= 0:
        return math.nan
    worth = 1.0 / game.variant.token_unit
    last_round = game.seats
    # As on hanab.live, the score is used, which is 0 in a lost game.
    missing = game.max_score - score(game)
    discards = 0
    if missing <= last_round + 1:
        discards = deck - 1
    elif missing <= last_round + deck:
        discards = last_round + deck - missing
    left = discards * worth + game.tokens * worth
    if not game.variant.flags & HOLE:
        plays = min(missing, last_round + deck) - min(missing, last_round + 1)
        left += _completions(game, plays) * worth
    return float(left)


def clues_left(game: Game) -> float:
    """Return the number of whole clues that can still be given, NaN if the deck is empty."""
    return float(math.floor(clues_left_exactly(game))) if game.drawn < game.cards else math.nan


def future_efficiency(game: Game, gotten: int, left: float) -> float:
    """Return the number of cards still to get per clue, for `left` clues; NaN if `left` is 0 or NaN."""
    return float((game.max_score - gotten) / left) if left > 0 else math.nan

"""Clue efficiency: cards gotten per clue spent, and cards still needed per clue left, by hanab.live's rules.

In Clue Starved a discard or a completed stack gives half a token, which counts as half a clue.
"""

from __future__ import annotations

import math

from hanalyze.engine.game import HOLE, Game
from hanalyze.engine.measure import score
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest


@kernel
def cards_gotten(game: Game, needed: int) -> int:
    """Return the cards on the stacks and those in hands that a clue touched and that are needed.

    `needed` is the mask of `hanalyze.engine.measure.needed_cards`. What a card is counts, not what its holder
    knows, and two copies of a needed card count twice; the maximum score is the bound.
    """
    gotten = game.raw_score
    orders = game.clued
    while orders:
        gotten += needed >> game.identity[lowest(orders)] & 1
        orders = drop_lowest(orders)
    return min(gotten, game.max_score)


@kernel
def _completions(game: Game, plays: int) -> int:
    """Return how many stacks can be completed with `plays` cards, the shortest way first."""
    size = game.variant.stack_size
    # How many stacks miss 1, 2, ... cards: a byte for each.
    stacks = 0
    for suit in range(game.variant.suits):
        if game.stack_max[suit] == size:
            stacks += 1 << (8 * (size - game.stack[suit]))
    done = 0
    for missing in range(1, min(size, plays) + 1):
        some = min(stacks >> (8 * missing) & 0xFF, plays // missing)
        plays -= some * missing
        done += some
    return done


@kernel
def clues_left_exactly(game: Game) -> float:
    """Return how many clues can still be given, halves included, without giving up a point; NaN if no deck.

    The tokens at hand, those from the discards that the pace allows, and those from the stacks that can be
    completed before the last round.
    """
    deck = game.cards - game.drawn
    if deck <= 0:
        return math.nan
    worth = 1.0 / game.variant.token_unit
    last_round = game.seats
    # The site counts from the score, which a lost game has none of.
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


@kernel
def clues_left(game: Game) -> float:
    """Return how many whole clues can still be given, NaN with an empty deck."""
    return float(math.floor(clues_left_exactly(game))) if game.drawn < game.cards else math.nan


@kernel
def future_efficiency(game: Game, gotten: int, left: float) -> float:
    """Return the cards yet to get per clue left; NaN with an empty deck or no clue left.

    `gotten` are the cards gotten and `left` the clues left.
    """
    return float((game.max_score - gotten) / left) if left > 0 else math.nan


@kernel
def minimum_efficiency(game: Game) -> float:
    """Return the cards per clue that a full score takes, of a game that has just been dealt."""
    return float(game.full_score / clues_left(game))

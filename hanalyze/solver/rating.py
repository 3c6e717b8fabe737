"""How promising a position looks: the order in which moves are tried, and which positions a beam keeps.

In: a position that its bounds do not exclude. Out: a number, the higher the better. It decides nothing but
how soon a line is found. The weights were found by trying, on decks that no test uses.
"""

from __future__ import annotations

from typing import Final

from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import popcount
from hanalyze.solver.state import POOLED, Setting, State, closure, fitting

__all__ = ["WEIGHTS", "rating"]

WEIGHTS: Final = {
    2: (60, 24, 26, 6, 10, 10, 14, 10, 6, -8, -30, -4, -10, 8, -8, -40),
    3: (60, 24, 26, 6, 10, 10, 14, 10, 6, -8, -30, -4, -10, 8, -8, -40),
    4: (60, 24, 26, 6, 10, 10, 14, 10, 6, -8, -30, -4, -10, 8, -8, -40),
    5: (60, 24, 26, 6, 10, 10, 14, 10, 6, -8, -30, -4, -10, 8, -8, -40),
    6: (60, 24, 26, 6, 10, 10, 14, 10, 6, -8, -30, -4, -10, 8, -8, -40),
}
"""By team size, what each number below counts."""


@kernel
def rating(setting: Setting, state: State, spare: int) -> int:
    """Return the rating of a position with so many turns to spare in the pooled game."""
    weights = setting.weights
    fits = fitting(setting, state.played)
    score = popcount(state.played)
    once = state.pool & ~POOLED
    twice = 0
    movers = 0
    locked = 0
    runs = 0
    useful = 0
    for seat in range(setting.seats):
        hand = state.hands[seat]
        twice |= once & hand
        once |= hand
        size = popcount(hand)
        useful += size
        if hand & fits:
            movers += 1
        elif size == setting.hand_size:
            locked += 1
        runs += popcount(hand & hand << 1 & ~setting.starts)
    mine = state.hands[state.seat]
    total = weights[0] * score
    total += weights[1] * state.tokens // setting.unit
    total += weights[2] * min(spare, 6)
    total += weights[3] * min(setting.cards - state.drawn + setting.seats - setting.goal + score, 12)
    total += weights[4] * useful
    total += weights[5] * popcount(once & fits)
    total += weights[6] * movers
    if (mine | state.pool) & fits:
        total += weights[7]
    elif popcount(mine) < setting.hand_size and state.tokens < setting.full_tokens:
        total += weights[8]
    total += weights[9] * popcount(once & ~twice & ~setting.ahead[state.drawn])
    total += weights[10] * locked
    total += weights[11] * runs
    if state.tokens < setting.unit:
        total += weights[12]
    total += weights[13] * (popcount(closure(setting, state.played, once)) - score)
    total += weights[14] * popcount(twice)
    total += weights[15] * max(0, 2 - spare)
    return total

"""Heuristic rating of positions, which orders moves and selects the positions of a beam.

The weights were chosen by hand: a beam of width 1 wins 92% (5 players) to 98% (3) of the deals of No Variant.
"""

from __future__ import annotations

from typing import Final

from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import popcount
from hanalyze.solver.state import POOLED, Setting, State, closure, fitting

kernel_module(__name__)

# --- Contribution of one unit of each feature to the rating.
_POINT: Final = 60
_TOKEN: Final = 24
_SPARE_TURN: Final = 26  # a turn to spare in the pooled game, up to six
_PACE: Final = 6  # a discard that the deck allows, up to twelve
_NEEDED: Final = 10  # a needed card in a hand
_FITTING: Final = 10  # a kind of card that fits a stack and is in some hand
_MOVER: Final = 14  # a player with a card that fits
_MAY_PLAY: Final = 10  # the player to move has a card that fits
_MAY_DISCARD: Final = 6  # otherwise, the player to move may discard trash
_ONLY_COPY: Final = -8  # a needed card with no other copy in hands or deck
_LOCKED: Final = -30  # a hand of needed cards without a card that fits
_RUN: Final = -4  # two consecutive cards in one hand, which its holder needs two turns to play
_NO_TOKEN: Final = -10
_UNDERWAY: Final = 8  # a point that the cards in hands allow
_TWICE: Final = -8  # a needed card in two hands
_TIGHT: Final = -40  # each spare turn short of two


def rating(setting: Setting, state: State, spare: int) -> int:
    """Return the rating of a position with `spare` spare turns in the pooled game."""
    fits = fitting(setting, state.played)
    score = popcount(state.played)
    once = state.pool & ~POOLED
    twice = 0
    total = _POINT * score + _TOKEN * state.tokens // setting.unit
    total += _SPARE_TURN * min(spare, 6) + _TIGHT * max(0, 2 - spare)
    total += _PACE * min(setting.cards - state.drawn + setting.seats - setting.goal + score, 12)
    for seat in range(setting.seats):
        hand = state.hands[seat]
        twice |= once & hand
        once |= hand
        size = popcount(hand)
        total += _NEEDED * size + _RUN * popcount(hand & hand << 1 & ~setting.starts)
        if hand & fits:
            total += _MOVER
        elif size == setting.hand_size:
            total += _LOCKED
    mine = state.hands[state.seat]
    if (mine | state.pool) & fits:
        total += _MAY_PLAY
    elif popcount(mine) < setting.hand_size and state.tokens < setting.full_tokens:
        total += _MAY_DISCARD
    if state.tokens < setting.unit:
        total += _NO_TOKEN
    total += _FITTING * popcount(once & fits) + _TWICE * popcount(twice)
    total += _ONLY_COPY * popcount(once & ~twice & ~setting.ahead[state.drawn])
    total += _UNDERWAY * (popcount(closure(setting, state.played, once)) - score)
    return total

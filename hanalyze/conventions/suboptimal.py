"""Clues to a last copy on chop by the worse of colour and number: they save nothing, but call other cards.

In: a turn that was looked at, and a clue to a chop. Out: whether the other kind of clue would have touched
more useful cards and no more bad ones, so that the clue cannot be meant as a save.
"""

from __future__ import annotations

from hanalyze.conventions.focus import last_ranks
from hanalyze.conventions.hands import elsewhere
from hanalyze.conventions.state import ConventionState
from hanalyze.engine.game import Game
from hanalyze.engine.step import clue_touch
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.kernels.compiling import kernel


@kernel
def is_suboptimal(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a clue to a chop, `number`, is clearly worse than one of the other kind."""
    clue, view = state.clue, state.turn_view
    saved = view.critical & ~last_ranks(game) & ~view.hypo_playable
    if state.common.level < 20 or not saved >> number & 1 or game.playable >> number & 1:
        return False
    good, bad = _touch(game, state, clue.identities)
    if clue.kind == COLOUR_CLUE:
        more, worse = _touch(game, state, clue_touch(game, RANK_CLUE, number & 7))
        return more > good and worse <= bad
    for colour in range(game.variant.colours):
        identities = clue_touch(game, COLOUR_CLUE, colour)
        if identities >= 0 and identities >> number & 1:
            more, worse = _touch(game, state, identities)
            if more > good and worse <= bad:
                return True
    return False


@kernel
def _touch(game: Game, state: ConventionState, identities: int) -> tuple[int, int]:
    """Return how many new cards a clue to the receiver would get, and how many of them would be bad."""
    clue, view = state.clue, state.turn_view
    gotten_ids = elsewhere(game, view, clue.giver)
    good = 0
    bad = 0
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        number = game.identity[order]
        if view.gotten >> order & 1 or number < 0 or not identities >> number & 1:
            continue
        if (view.needed & ~gotten_ids) >> number & 1:
            gotten_ids |= 1 << number
            good += 1
        else:
            bad += 1
    return good, bad

"""Focus inversion: a clue to a chop that can mean nothing there means another of its new cards.

In: a turn that was looked at, and a clue whose focus, in the verdict, is the chop. Out: the card that is
meant instead.
"""

from __future__ import annotations

from hanalyze.conventions.bluffs import bluff_card
from hanalyze.conventions.chains import OTHERS, find_chain, plays_until
from hanalyze.conventions.focus import copies_in_sight, may_be, save_set
from hanalyze.conventions.hands import newest
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.verdict import begin_verdict
from hanalyze.engine.game import Game
from hanalyze.game.actions import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest


@kernel
def inverted_focus(game: Game, state: ConventionState) -> int:
    """Return the card that the clue is about if its focus, on chop, can be neither played nor saved by it.

    That is the leftmost of the other new cards; -1 if there is none, or if the chop may be meant. The
    verdict, which has just begun with the chop, is left as it was.
    """
    clue, view, common, verdict = state.clue, state.turn_view, state.common, state.verdict
    others = clue.newly & ~view.gotten & ~common.chop_moved & ~(1 << verdict.focus)
    if others == 0 or common.level < 12:
        return -1
    other = newest(game, clue.receiver, others)
    if view.belief[other] & clue.identities & view.hypo_playable == 0:
        return -1
    could_be = may_be(game, state)
    if could_be == 0 or could_be & view.hypo_playable:
        return -1
    if save_set(game, state, could_be, copies_in_sight(game, state, clue.receiver)):
        return -1
    called = False
    while could_be and not called:
        number = lowest(could_be)
        could_be = drop_lowest(could_be)
        # By rank a finesse on oneself comes before an inversion; by colour it would touch the card itself.
        called = clue.kind == RANK_CLUE and plays_until(game, view.hypo_playable, number) == 1
        called = called or find_chain(game, state, number, OTHERS)
        called = called or bluff_card(game, state, number, False) >= 0
    begin_verdict(verdict, verdict.focus, 1, 0)
    return -1 if called else other

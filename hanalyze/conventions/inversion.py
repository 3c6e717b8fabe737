"""Focus inversion: a clue to a chop that can mean nothing there means another of its new cards.

In: a turn that was looked at, and a clue whose focus, in the verdict, is the chop. Out: the card that is
meant instead.
"""

from __future__ import annotations

from hanalyze.conventions.bluffs import bluff_card
from hanalyze.conventions.chains import OTHERS, OWN, UNKNOWN, find_chain
from hanalyze.conventions.focus import copies_in_sight, may_be, save_set
from hanalyze.conventions.hands import newest
from hanalyze.conventions.reading import Reading
from hanalyze.engine.game import Game
from hanalyze.game.actions import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest

__all__ = ["inverted_focus"]


@kernel
def inverted_focus(game: Game, reading: Reading) -> int:
    """Return the card that the clue is about if its focus, on chop, can be neither played nor saved by it.

    That is the leftmost of the other new cards; -1 if there is none, or if the chop may be meant.
    """
    clue, look, told, verdict = reading.clue, reading.look, reading.told, reading.verdict
    others = clue.newly & ~look.gotten & ~told.chop_moved & ~(1 << verdict.focus)
    if others == 0 or told.level < 12:
        return -1
    could_be = may_be(game, reading)
    if could_be == 0 or could_be & look.hypo_playable:
        return -1
    if save_set(game, reading, could_be, copies_in_sight(game, reading, clue.receiver)):
        return -1
    # By rank a finesse on oneself comes before an inversion; by colour it would touch the card itself.
    where = OWN | UNKNOWN if clue.kind == RANK_CLUE else OTHERS
    called = False
    while could_be and not called:
        number = lowest(could_be)
        could_be = drop_lowest(could_be)
        called = find_chain(game, reading, number, where) or bluff_card(game, reading, number, False) >= 0
    return -1 if called else newest(game, clue.receiver, others)

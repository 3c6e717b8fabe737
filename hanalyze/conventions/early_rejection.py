"""Rejection of possible clues that no convention can explain, before they are judged further."""

from __future__ import annotations

from hanalyze.conventions.bluffs import bluff_card
from hanalyze.conventions.chop_moves import may_call_by_trash
from hanalyze.conventions.focus import save_set
from hanalyze.conventions.reach import is_out_of_reach
from hanalyze.conventions.retouch import count_starts
from hanalyze.conventions.signals import promised_by_trash, signalled_card
from hanalyze.conventions.state import ConventionState, is_number
from hanalyze.conventions.turn_view import LOCKED
from hanalyze.engine.game import Game
from hanalyze.kernels.compiling import kernel_module

kernel_module(__name__)


def cannot_be_explained(game: Game, state: ConventionState) -> bool:
    """Return whether a possible clue certainly adds nothing, or only a burn, to the offers.

    Call it when the focus is set, for clues that are not fixes. The result is False if a hand is hidden, and
    for clues to new cards by the highest rank or, while there are `early_options`, by number 1.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    focus = verdict.focus
    if view.hidden:
        return False
    if clue.newly == 0:
        return _is_idle(game, state)
    if not (clue.newly & ~view.gotten) >> focus & 1 or is_number(clue, game.variant.stack_size):
        return False
    if state.common.early_options and is_number(clue, 1):
        return False
    useful = clue.identities & view.needed & ~view.hypo_played
    if game.possible[focus] & useful == 0 and clue.touched & ~clue.newly & ~view.future_plays:
        # The clue may be a tempo clue whose new cards are known trash.
        return False
    held = view.belief[focus] if verdict.on_chop else game.possible[focus]
    if held & useful == 0 and may_call_by_trash(game, state):
        return False
    number = game.identity[focus]
    if view.needed >> number & 1:
        return _cannot_play(game, state, number)
    return promised_by_trash(game, state) == 0


def _is_idle(game: Game, state: ConventionState) -> bool:
    """Return whether a clue without new cards calls no card on a turn that allows no such stall."""
    view, focus = state.turn_view, state.verdict.focus
    if state.common.level < 6 or view.stall_severity >= 2 or view.end_phase:
        return False
    number = game.identity[focus]
    calls = view.needed >> number & 1 and not view.future_plays >> focus & 1
    return (not calls or _cannot_play(game, state, number)) and count_starts(game, state) == 0


def _cannot_play(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a clue to a useful card, `number`, neither saves it nor calls it to be played."""
    view = state.turn_view
    if (view.hypo_playable | view.hypo_played) >> number & 1 or view.stall_severity >= LOCKED:
        return False
    if state.verdict.on_chop and save_set(game, state, 1 << number, 0):
        return False
    if not is_out_of_reach(game, state, number) or bluff_card(game, state, number, False) >= 0:
        return False
    return signalled_card(game, state, number) < 0

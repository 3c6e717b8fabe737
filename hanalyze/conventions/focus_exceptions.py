"""Clues whose focus is not the usual card: focus inversion, out-of-order clues.

H-Group: https://hanabi.github.io/level-12 and https://hanabi.github.io/level-20.
"""

from __future__ import annotations

from hanalyze.conventions.bluffs import bluff_card
from hanalyze.conventions.chains import OTHERS, find_chain
from hanalyze.conventions.common_knowledge import note_source
from hanalyze.conventions.focus import copies_in_sight, may_be, save_set
from hanalyze.conventions.state import ConventionState, begin_verdict
from hanalyze.conventions.steps import MAX_STEPS, clear_chain, push_own
from hanalyze.conventions.turn_view import newest
from hanalyze.engine.game import Game, next_seat
from hanalyze.engine.stacks import after_playing, next_missing, plays_until
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import drop_lowest, lowest

kernel_module(__name__)


def inverted_focus(game: Game, state: ConventionState) -> int:
    """Return the leftmost other new card if the focus on chop can be neither played nor saved, else -1.

    The other card must look playable. The result is -1 below level 12. The verdict has the chop as its focus
    before and after the call.
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
        # A rank clue to a card one away from playable is read as a self-finesse, not as an inversion. A
        # colour clue is no self-finesse, because it would also touch the missing card.
        called = clue.kind == RANK_CLUE and plays_until(game, view.hypo_playable, number) == 1
        called = called or find_chain(game, state, number, OTHERS)
        called = called or bluff_card(game, state, number, False) >= 0
    begin_verdict(verdict, verdict.focus, 1, 0)
    return -1 if called else other


def judge_out_of_order(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a clue with the focus `number` is an out-of-order clue.

    Such clues are by colour, from level 20 on. The receiver takes the focus for the next card of its stack,
    which is in fact another new card. The next player, who must not be the receiver, has to show the identity
    of the focus, with a second clue token. Then the receiver plays the other new cards from left to right,
    and the focus last.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    focus, chain = verdict.focus, verdict.chain
    others = clue.newly & ~view.gotten & ~(1 << focus)
    if state.common.level < 20 or clue.kind != COLOUR_CLUE or others == 0:
        return False
    if (
        clue.receiver == next_seat(clue.giver, game.seats)
        or game.tokens < 2 * game.variant.token_unit
        or not clue.newly >> focus & 1
    ):
        return False
    playable = view.hypo_playable
    if game.identity[newest(game, clue.receiver, others)] != next_missing(game, playable, number):
        return False
    gotten_ids = view.elsewhere_ids[clue.giver]
    if may_be(game, state) & playable == 0:
        return False
    clear_chain(chain)
    for i in range(game.hand_len[clue.receiver] - 1, -1, -1):
        order = game.hands[clue.receiver][i]
        if not others >> order & 1:
            continue
        missing = next_missing(game, playable, number)
        if missing < 0 or gotten_ids >> missing & 1 or game.identity[order] != missing:
            break
        if missing == number or chain.length >= MAX_STEPS - 2:
            break
        push_own(chain, clue.receiver, order, 1 << missing)
        playable = after_playing(game, playable, missing)
        if playable >> number & 1:
            verdict.name = Convention.OUT_OF_ORDER_CLUE
            return True
    clear_chain(chain)
    return False


def tell_order(state: ConventionState) -> None:
    """Record the identities of the other cards of an out-of-order clue whose focus has just been shown."""
    for call in state.calls[: state.call_places]:
        shown = call.is_open and call.kind == Convention.OUT_OF_ORDER_CLUE
        if not shown or call.focus != state.verdict.focus:
            continue
        for card in call.steps[call.done : call.length]:
            state.common.inferred[card.order] = card.ids
            note_source(state.common, card.order, call.turn, call.giver, card.ids, 0)

"""Clues by colour that focus too high a card, with the cards before it among those that they touch.

In: a turn that was looked at, and a clue by colour; later the clue that shows what the focus is. Out: the
verdict, with the receiver's other new cards in the order in which they are played; and, once the focus is
shown, what the receiver takes these cards for.
"""

from __future__ import annotations

from hanalyze.conventions.chains import next_missing
from hanalyze.conventions.common_knowledge import note_source
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.hands import elsewhere, newest
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import MAX_CALLS, MAX_STEPS, clear_chain, push_own
from hanalyze.conventions.verdict import decide
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import after_playing
from hanalyze.game.actions import COLOUR_CLUE
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel


@kernel
def judge_out_of_order(game: Game, state: ConventionState, number: int) -> bool:
    """Judge a clue whose focus, `number`, is taken for the next card of its stack, which is another new one.

    The next player, who must not be the receiver, is to show what the focus is. Then the others are played
    from left to right, and the focus last.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    focus, chain = verdict.focus, verdict.chain
    others = clue.newly & ~view.gotten & ~(1 << focus)
    if state.common.level < 20 or clue.kind != COLOUR_CLUE or others == 0:
        return False
    next_seat = (clue.giver + 1) % game.seats
    if clue.receiver == next_seat or game.tokens < 2 * game.variant.token_unit or not clue.newly >> focus & 1:
        return False
    playable = view.hypo_playable
    if game.identity[newest(game, clue.receiver, others)] != next_missing(game, playable, number):
        return False
    gotten_ids = elsewhere(game, view, clue.giver)
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
            decide(verdict, Convention.OUT_OF_ORDER_CLUE)
            return True
    clear_chain(chain)
    return False


@kernel
def tell_order(game: Game, state: ConventionState) -> None:
    """Tell the receiver of such a clue, whose focus has just been shown, what the other cards are."""
    for index in range(MAX_CALLS):
        call = state.calls[index]
        shown = call.is_open and call.kind == Convention.OUT_OF_ORDER_CLUE
        if not shown or call.focus != state.verdict.focus:
            continue
        for step in range(call.done, call.length):
            card = call.steps[step]
            state.common.inferred[card.order] = card.ids
            note_source(state.common, card.order, call.turn, call.giver, card.ids, 0)

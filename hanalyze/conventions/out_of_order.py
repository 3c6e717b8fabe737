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
from hanalyze.conventions.state import Reading
from hanalyze.conventions.steps import MAX_CALLS, MAX_STEPS, clear_chain, push_own
from hanalyze.conventions.verdict import decide
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import after_playing
from hanalyze.game.actions import COLOUR_CLUE
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel


@kernel
def judge_out_of_order(game: Game, reading: Reading, number: int) -> bool:
    """Judge a clue whose focus, `number`, is taken for the next card of its stack, which is another new one.

    The next player, who must not be the receiver, is to show what the focus is. Then the others are played
    from left to right, and the focus last.
    """
    clue, look, verdict = reading.clue, reading.look, reading.verdict
    focus, chain = verdict.focus, verdict.chain
    others = clue.newly & ~look.gotten & ~(1 << focus)
    if reading.told.level < 20 or clue.kind != COLOUR_CLUE or others == 0:
        return False
    next_seat = (clue.giver + 1) % game.seats
    if clue.receiver == next_seat or game.tokens < 2 * game.variant.token_unit or not clue.newly >> focus & 1:
        return False
    playable = look.hypo_playable
    if game.identity[newest(game, clue.receiver, others)] != next_missing(game, playable, number):
        return False
    held = elsewhere(game, look, clue.giver)
    if may_be(game, reading) & playable == 0:
        return False
    clear_chain(chain)
    for i in range(game.hand_len[clue.receiver] - 1, -1, -1):
        order = game.hands[clue.receiver][i]
        if not others >> order & 1:
            continue
        missing = next_missing(game, playable, number)
        if missing < 0 or held >> missing & 1 or game.identity[order] != missing:
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
def tell_order(game: Game, reading: Reading) -> None:
    """Tell the receiver of such a clue, whose focus has just been shown, what the other cards are."""
    for index in range(MAX_CALLS):
        call = reading.calls[index]
        shown = call.is_open and call.kind == Convention.OUT_OF_ORDER_CLUE
        if not shown or call.focus != reading.verdict.focus:
            continue
        for step in range(call.done, call.length):
            card = call.steps[step]
            reading.told.inferred[card.order] = card.ids
            note_source(reading.told, card.order, call.turn, call.giver, card.ids, 0)

"""Calls that somebody let pass and a clue made good: who leaves the clued card again.

The cards of such a call wait for the clued card; a player who leaves that, too, ends the call.
"""

from __future__ import annotations

from hanalyze.conventions.common_knowledge import CommonKnowledge, note_breaker, note_repair
from hanalyze.conventions.steps import Call
from hanalyze.engine.game import Game
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest


@kernel
def note_repaired_call(game: Game, common: CommonKnowledge, call: Call) -> None:
    """Remember that a clue to the open step of a call helps out where somebody had let the call pass."""
    first = call.steps[call.done].order
    if call.focus >= 0:
        note_repair(common, call.focus, first)
        _show_called(game, common, call, first)
    for step in range(call.done + 1, call.length):
        note_repair(common, call.steps[step].order, first)


@kernel
def _show_called(game: Game, common: CommonKnowledge, call: Call, first: int) -> None:
    """Give the holder of a call's focus, who sees the card called before it clued, back what the call left.

    They had taken the focus for a card that plays by itself, as nobody had shown another.
    """
    number, focus = game.identity[first], call.focus
    if number < 0 or game.place[first] == game.place[focus] or common.source_turn[focus] != call.turn:
        return
    left = common.source_ids[focus] & ~(1 << number)
    if left:
        common.inferred[focus] = left


@kernel
def follow_repairs(game: Game, common: CommonKnowledge, order: int, excused: bool) -> None:
    """Note what the player to move does about cards that clues made playable in place of a call.

    `order` is the card that leaves the hand, -1 for a clue; `excused` whether what was done may go before.
    Whoever lets such a card pass, too, ends the call after all.
    """
    rest = common.repaired
    while rest:
        card = lowest(rest)
        rest = drop_lowest(rest)
        first = common.repair_card[card]
        if first == order:
            common.repaired &= ~(1 << card)
        elif game.place[first] == game.seat and not excused:
            common.repaired &= ~(1 << card)
            note_breaker(common, card, game.turn, game.seat, 0)

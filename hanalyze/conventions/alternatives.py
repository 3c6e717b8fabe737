"""Longer explanations of a clue to a card that is unknown to us, kept beside the shortest.

In: a clue just read, by which its receiver plays a card of the own hand whichever the focus is. Out: which
cards of other hands are called as well if that card turns out to be what a longer explanation needs, in
`CommonKnowledge.tentative_calls`; once it is played they are called, or forgotten.
"""

from __future__ import annotations

from hanalyze.conventions.chains import OWN, UNKNOWN, find_chain
from hanalyze.conventions.common_knowledge import call_blind, forget_tentative, note_tentative
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import copy_chain
from hanalyze.engine.game import Game
from hanalyze.game.meanings import StepKind
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest


@kernel
def keep_alternatives(game: Game, state: ConventionState) -> None:
    """Keep what longer explanations of the clue would call beside the receiver's first card."""
    verdict, common = state.verdict, state.common
    if verdict.focus < 0 or game.identity[verdict.focus] >= 0 or not verdict.chain.own:
        return
    forget_tentative(common, verdict.chain.steps[0].order)
    copy_chain(verdict.chain, verdict.spare_chain)
    rest = may_be(game, state)
    while rest:
        number = lowest(rest)
        rest = drop_lowest(rest)
        if find_chain(game, state, number, OWN | UNKNOWN):
            _keep_rest(game, state)
    copy_chain(verdict.spare_chain, verdict.chain)


@kernel
def _keep_rest(game: Game, state: ConventionState) -> None:
    """Keep the blind cards of other hands in the chain, if it begins with the card that is called."""
    chain, common = state.verdict.chain, state.common
    if chain.length == 0 or chain.steps[0].order != common.tentative_cause:
        return
    for index in range(1, chain.length):
        step = chain.steps[index]
        other = step.seat not in (state.clue.giver, state.clue.receiver)
        if other and step.kind == StepKind.FINESSE and game.identity[step.order] >= 0:
            note_tentative(common, step.order, step.ids, chain.steps[0].ids)


@kernel
def settle_alternatives(game: Game, state: ConventionState, order: int, number: int) -> None:
    """Call what is kept, or forget it: the card on which it hangs, `number`, has left its hand."""
    common = state.common
    if order != common.tentative_cause:
        return
    rest = common.tentative_calls & ~state.turn_view.gotten
    while rest:
        card = lowest(rest)
        rest = drop_lowest(rest)
        if common.tentative_cause_ids[card] >> number & 1:
            call_blind(common, card)
            common.inferred[card] = common.tentative_ids[card]
    forget_tentative(common, -1)

"""Identities of the focus by which a clue makes sense to its receiver, and longer explanations beside them.

The receiver sees all cards but those of the own hand, and the giver's only as the giver may know them.
H-Group: https://hanabi.github.io/level-1 (good touch principle) and https://hanabi.github.io/level-11
(Occam's razor).
"""

from __future__ import annotations

from hanalyze.conventions.bluffs import bluff_card, ids_after_prompt
from hanalyze.conventions.chains import OTHERS, OWN, UNKNOWN, find_chain, plays_until
from hanalyze.conventions.classes import BLUFFS, is_any
from hanalyze.conventions.common_knowledge import call_blind, forget_tentative, note_tentative
from hanalyze.conventions.focus import copies_in_sight, may_be, save_set, stalls_with_five
from hanalyze.conventions.state import ConventionState, refuse
from hanalyze.conventions.steps import copy_chain, is_deep
from hanalyze.conventions.turn_view import LOCKED
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import members

kernel_module(__name__)


def find_readings(game: Game, state: ConventionState) -> int:
    """Find the readings of the focus, and return the receiver's inference until more is known."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    could_be = may_be(game, state)
    locked = view.stall_severity == LOCKED and verdict.on_chop and state.common.level >= 9
    stalls = True
    for seat in range(game.seats):
        # The receiver does not see what could be clued to the own hand.
        stalls = stalls and (seat == clue.receiver or state.offers.best_for[seat] == 0)
    stalls = stalls or state.offers.may_be_left != 0
    if locked or (stalls and stalls_with_five(game, state)):
        # A locked player may save any card, and a stalling one may clue any 5.
        verdict.readings = could_be
        return could_be
    saves = 0
    if verdict.on_chop:
        saves = save_set(game, state, could_be, copies_in_sight(game, state, clue.receiver))
    direct = could_be & _playing_for(game, state)
    number = game.identity[verdict.focus]
    true = 1 << number if number >= 0 else 0
    called = verdict.chain.length > 0
    rest = could_be & ~direct & ~saves
    calls, bluffed, showing, deep = _readings_by_calls(game, state, rest & ~true if called else rest)
    if called and not verdict.chain.own:
        calls |= true & could_be
        deep |= true & could_be if is_deep(verdict.chain) else 0
        showing |= _seats_showing(game, state)
    if true:
        verdict.direct = direct | saves
        verdict.showing_seats = showing
    if is_any(verdict.name, BLUFFS):
        bluffed |= true & could_be
    if verdict.second == Convention.BLUFF or is_any(verdict.name, BLUFFS):
        verdict.bluff_ids = (bluffed if bluffed else calls) | ids_after_prompt(game, state)
    readings = direct | saves | calls
    interpretation = readings if true else direct | saves
    if called:
        if verdict.chain.own:
            # Once the others have passed, the receiver tries an own clued card.
            simpler = readings if verdict.chain.blind else direct | saves
            if simpler and verdict.name != Convention.SELF_BLUFF:
                refuse(verdict, Reason.SIMPLER_READING)
            for other in members(could_be & ~readings):
                if plays_until(game, view.hypo_playable, other) >= 0:
                    readings |= 1 << other
        interpretation = readings
    if readings == 0:
        readings = could_be
    verdict.readings = readings
    travels = verdict.second == Convention.TIME_TRAVEL_CHOP_MOVE
    if true and not readings & true and not travels:
        # The holder of the other copy takes it for another card.
        refuse(verdict, Reason.UNREADABLE)
    # Readings by deep chains count once they are shown, unless there are no others.
    verdict.deep = deep if interpretation & ~deep else 0
    return interpretation if interpretation else readings


def _playing_for(game: Game, state: ConventionState) -> int:
    """Return what may be playable for the receiver after all future plays, with own ones uncertain."""
    view = state.turn_view
    playable = view.hypo_playable
    for order in members(view.future_plays & view.cards[state.clue.receiver]):
        belief = view.belief[order] & (playable | view.hypo_played)
        for number in members(belief):
            playable |= 1 << number | fits_after(game, number)
    return playable


def _seats_showing(game: Game, state: ConventionState) -> int:
    """Return the seats whose play would show the chain: its own, and those with a copy to finesse."""
    clue, chain = state.clue, state.verdict.chain
    seats = 0
    for step in chain.steps[: chain.length]:
        seats |= 1 << step.seat
        if step.kind != StepKind.FINESSE:
            continue
        for seat in range(game.seats):
            first = state.turn_view.finesse_card[seat]
            if (
                first >= 0
                and seat not in (clue.giver, clue.receiver)
                and step.ids == 1 << max(game.identity[first], 0)
            ):
                seats |= 1 << seat
    return seats


def _readings_by_calls(game: Game, state: ConventionState, ids: int) -> tuple[int, int, int, int]:
    """Return identities of the focus by calls of other hands.

    All of them, those by a bluff, the seats that would show them, and those that only a deep chain explains.
    """
    verdict = state.verdict
    copy_chain(verdict.chain, verdict.spare_chain)
    called_ids = 0
    bluffed = 0
    showing = 0
    deep = 0
    for number in members(ids):
        target = -1
        if not find_chain(game, state, number, OTHERS):
            target = bluff_card(game, state, number, False)
            if target < 0 or game.place[target] == state.clue.receiver:
                continue
            bluffed |= 1 << number
            showing |= 1 << game.place[target]
        else:
            showing |= _seats_showing(game, state)
            deep |= 1 << number if is_deep(verdict.chain) else 0
        called_ids |= 1 << number
    copy_chain(verdict.spare_chain, verdict.chain)
    return called_ids, bluffed, showing, deep


def keep_alternatives(game: Game, state: ConventionState) -> None:
    """Remember tentative calls: cards that longer explanations call after the same first card."""
    verdict, common = state.verdict, state.common
    if verdict.focus < 0 or game.identity[verdict.focus] >= 0 or not verdict.chain.own:
        return
    forget_tentative(common, verdict.chain.steps[0].order)
    copy_chain(verdict.chain, verdict.spare_chain)
    for number in members(may_be(game, state)):
        if find_chain(game, state, number, OWN | UNKNOWN):
            _keep_rest(game, state)
    copy_chain(verdict.spare_chain, verdict.chain)


def _keep_rest(game: Game, state: ConventionState) -> None:
    """Remember the blind cards of other hands in a chain with the same first card."""
    chain, common = state.verdict.chain, state.common
    if chain.length == 0 or chain.steps[0].order != common.tentative_cause:
        return
    for index in range(1, chain.length):
        step = chain.steps[index]
        other = step.seat not in (state.clue.giver, state.clue.receiver)
        if other and step.kind == StepKind.FINESSE and game.identity[step.order] >= 0:
            note_tentative(common, step.order, step.ids, chain.steps[0].ids)


def settle_alternatives(game: Game, state: ConventionState, order: int, number: int) -> None:
    """Call or forget tentative calls once their cause, `number`, leaves its hand."""
    common = state.common
    if order != common.tentative_cause:
        return
    for card in members(common.tentative_calls & ~state.turn_view.gotten):
        if common.tentative_cause_ids[card] >> number & 1:
            call_blind(common, card)
            common.inferred[card] = common.tentative_ids[card]
    forget_tentative(common, -1)

"""Clues that touch a bad card on purpose, and elimination notes: cards of which one has a known identity.

H-Group: https://hanabi.github.io/level-17 and https://hanabi.github.io/level-18.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import is_any, set_of
from hanalyze.conventions.common_knowledge import note_source
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.state import ConventionState, is_undefined, refuse
from hanalyze.conventions.turn_view import free_behind, useful_cards
from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.rules import clue_touch
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, lowest, members

kernel_module(__name__)

_SHOWS: Final = set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE, Convention.CRITICAL_SAVE)


def name_bad_touch(game: Game, state: ConventionState, number: int) -> None:
    """Set the further meaning that a bad card gives to the clue, whose focus is `number`."""
    clue, view, verdict, level = state.clue, state.turn_view, state.verdict, state.common.level
    if verdict.bad == 0 or verdict.second >= 0 or level < 17:
        return
    if _travels(game, state, number):
        behind = free_behind(game, view, clue.receiver, verdict.focus, state.common.chop_moved)
        verdict.second = Convention.TIME_TRAVEL_CHOP_MOVE
        verdict.worth = useful_cards(game, view, clue.giver, behind)
    else:
        copy = implied_copy(game, state)
        if copy < 0 or not _has_third(game, state, copy):
            return
        verdict.second = Convention.TRASH_TOUCH
    verdict.reasons &= ~(1 << Reason.BAD_TOUCH)
    verdict.reasons &= ~(1 << Reason.DUPLICATE)


def _travels(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether the clue gets only a playable copy of a gotten card, with free cards behind the copy."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    if verdict.name != Convention.PLAY_CLUE or verdict.worth > 0 or clue.touched != clue.newly:
        return False
    if view.end_phase or view.stall_severity >= 2 or not game.playable >> number & 1:
        return False
    for ahead in range(1, (clue.receiver - clue.giver) % game.seats):
        if view.hand_ids[(clue.giver + ahead) % game.seats] >> number & 1:
            # The copy in this hand is played first.
            return False
    belief = may_be(game, state)
    if belief == 0 or belief & ~game.playable or not view.elsewhere_ids[clue.giver] >> number & 1:
        return False
    return free_behind(game, view, clue.receiver, verdict.focus, state.common.chop_moved) != 0


def implied_copy(game: Game, state: ConventionState) -> int:
    """Return the only identity that the receiver can infer for the bad cards of an avoidable touch, or -1.

    The touch is avoidable if the other kind of clue would touch only the focus and give as much information
    about it. Below level 18, the result is -1.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    focus, level = verdict.focus, state.common.level
    if level < 18 or verdict.bad == 0 or view.end_phase or not is_any(verdict.name, _SHOWS):
        return -1
    number = game.identity[focus]
    gotten_ids = view.elsewhere_ids[clue.giver]
    if number < 0 or not clue.newly >> focus & 1 or not (view.needed & ~gotten_ids) >> number & 1:
        return -1
    if not _is_avoidable(game, state, number):
        return -1
    gotten_ids |= 1 << number
    free = clue.identities & view.needed & ~view.elsewhere_ids[clue.receiver] & ~(1 << number)
    belief = 0
    for order in members(clue.newly & ~(1 << focus)):
        true = game.identity[order]
        if true < 0:
            return -1
        if not view.needed >> true & 1 or gotten_ids >> true & 1:
            belief |= view.belief[order] & free
        gotten_ids |= 1 << true
    return lowest(belief) if belief and is_one(belief) else -1


def _is_avoidable(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a clue of the other kind would touch only the focus and tell as much about it.

    `number` is the identity of the focus. A rank clue tells less about a 5, because it may be a stall, and
    about a card on chop, because it may be a save; the latter does not apply if the given clue is a critical
    save.
    """
    verdict = state.verdict
    if state.clue.kind == COLOUR_CLUE:
        if number & 7 == game.variant.stack_size or (
            verdict.on_chop and verdict.name != Convention.CRITICAL_SAVE
        ):
            return False
        return _touches_focus_alone(game, state, clue_touch(game, RANK_CLUE, number & 7))
    for colour in range(game.variant.colours):
        if _touches_focus_alone(game, state, clue_touch(game, COLOUR_CLUE, colour)):
            return True
    return False


def _touches_focus_alone(game: Game, state: ConventionState, identities: int) -> bool:
    clue, focus = state.clue, state.verdict.focus
    if identities < 0:
        return False
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        number = game.identity[order]
        if number < 0 or (identities >> number & 1 != 0) != (order == focus):
            return False
    return True


def _sees_copy(game: Game, seat: int, number: int) -> bool:
    """Return whether a player sees `number`, or a card of unknown identity, in another hand."""
    for other in next_seats(seat, game.seats):
        for order in game.hands[other][: game.hand_len[other]]:
            if game.identity[order] in (number, -1):
                return True
    return False


def _misses_copy(game: Game, state: ConventionState, seat: int, number: int) -> bool:
    """Return whether a third player sees no `number` and no card of unknown identity."""
    return seat not in (state.clue.giver, state.clue.receiver) and not _sees_copy(game, seat, number)


def _has_third(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a third player holds an ungotten `number` and sees no other copy."""
    for seat in range(game.seats):
        if _misses_copy(game, state, seat, number):
            for order in game.hands[seat][: game.hand_len[seat]]:
                if game.identity[order] == number and not state.turn_view.gotten >> order & 1:
                    return True
    return False


def note_copy(game: Game, state: ConventionState, order: int) -> None:
    """Note which cards of the player may be a copy of the discarded card, if the player must hold a copy."""
    view, common, verdict = state.turn_view, state.common, state.verdict
    number = game.identity[order]
    if common.level < 18 or not common.declined_clue or common.early or view.end_phase or not verdict.legal:
        return
    if verdict.name != Convention.PLAIN_DISCARD or order != view.chop[game.seat] or is_undefined(game):
        return
    two = number & 7 == 2 and not game.variant.reversed >> (number >> 3) & 1
    worth = game.playable | (1 << number if two else 0)
    if not (view.needed & ~view.critical & worth) >> number & 1 or _sees_copy(game, game.seat, number):
        return
    common.elimination_identity[game.seat] = number
    common.elimination_cards[game.seat] = _candidates(game, state, game.seat, number, order)


def note_implied(game: Game, state: ConventionState) -> None:
    """Note that third players who see no copy hold the identity that the clue's bad card implies."""
    common = state.common
    number = implied_copy(game, state)
    if number < 0:
        return
    for seat in range(game.seats):
        if common.elimination_cards[seat] == 0 and _misses_copy(game, state, seat, number):
            common.elimination_identity[seat] = number
            common.elimination_cards[seat] = _candidates(game, state, seat, number, -1)


def _candidates(game: Game, state: ConventionState, seat: int, number: int, leaves: int) -> int:
    """Return the cards of a hand that may be `number`, except the card `leaves`, -1 for none."""
    cards = 0
    for order in game.hands[seat][: game.hand_len[seat]]:
        if order != leaves and state.turn_view.belief[order] >> number & 1:
            cards |= 1 << order
    return cards


def shrink_by_leaving(game: Game, state: ConventionState, order: int) -> None:
    """Remove a card that leaves its hand from the notes; delete the notes about its identity."""
    common = state.common
    for seat in range(game.seats):
        if common.elimination_cards[seat] == 0:
            continue
        if common.elimination_identity[seat] == game.identity[order]:
            common.elimination_cards[seat] = 0
        common.elimination_cards[seat] &= ~(1 << order)


def _noted_after_clue(state: ConventionState) -> int:
    """Return the noted cards of the receiver that, after the clue, can still be the noted copy."""
    clue, common = state.clue, state.common
    number = common.elimination_identity[clue.receiver]
    left = 0
    rest = common.elimination_cards[clue.receiver]
    is_named = clue.identities >> number & 1
    for order in members(rest):
        if state.turn_view.belief[order] >> number & 1 and clue.touched >> order & 1 == is_named:
            left |= 1 << order
    return left


def shrink_by_clue(game: Game, state: ConventionState) -> None:
    """Remove noted cards that the clue shows to be something else.

    If only one card remains and the clue touches it, the card is known to be the noted copy.
    """
    clue, common = state.clue, state.common
    if common.elimination_cards[clue.receiver] == 0:
        return
    left = _noted_after_clue(state)
    common.elimination_cards[clue.receiver] = left
    if is_one(left) and clue.touched & left:
        card, ids = lowest(left), 1 << common.elimination_identity[clue.receiver]
        common.elimination_cards[clue.receiver] = 0
        common.inferred[card] = ids
        note_source(common, card, game.turn, game.seat, ids, 0)


def singled_out(game: Game, state: ConventionState) -> int:
    """Return the noted playable card that the clue singles out, or -1."""
    clue, common = state.clue, state.common
    if (
        common.elimination_cards[clue.receiver] == 0
        or not game.playable >> common.elimination_identity[clue.receiver] & 1
    ):
        return -1
    left = _noted_after_clue(state)
    return lowest(left) if is_one(left) and clue.touched & left else -1


def judge_elimination(game: Game, state: ConventionState) -> None:
    """Judge a clue that singles out its focus by an elimination note."""
    verdict, number = state.verdict, state.common.elimination_identity[state.clue.receiver]
    verdict.readings = 1 << number
    if game.identity[verdict.focus] not in (number, -1):
        refuse(verdict, Reason.UNREADABLE)
        return
    verdict.name = Convention.PLAY_CLUE
    verdict.second = Convention.ELIMINATION

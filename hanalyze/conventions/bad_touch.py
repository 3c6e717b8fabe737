"""Clues that touch a bad card on purpose: elimination by trash touch, time travel chop moves.

H-Group: https://hanabi.github.io/level-17 and https://hanabi.github.io/level-18.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import is_any, set_of
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.hands import elsewhere, free_behind, useful_cards
from hanalyze.conventions.state import ConventionState
from hanalyze.engine.game import Game
from hanalyze.engine.step import clue_touch
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one, lowest, members

_SHOWS: Final = set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE, Convention.CRITICAL_SAVE)


@kernel
def name_bad_touch(game: Game, state: ConventionState, number: int) -> None:
    """Add what the clue, whose focus is `number`, means by its bad card."""
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


@kernel
def _travels(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether the clue gets nothing but a copy of a gotten card, which its receiver plays at once."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    if verdict.name != Convention.PLAY_CLUE or verdict.worth > 0 or clue.touched != clue.newly:
        return False
    if view.end_phase or view.stall_severity >= 2 or not game.playable >> number & 1:
        return False
    for ahead in range(1, (clue.receiver - clue.giver) % game.seats):
        if view.hand_ids[(clue.giver + ahead) % game.seats] >> number & 1:
            # That one is played first.
            return False
    belief = may_be(game, state)
    if belief == 0 or belief & ~game.playable or not elsewhere(game, view, clue.giver) >> number & 1:
        return False
    return free_behind(game, view, clue.receiver, verdict.focus, state.common.chop_moved) != 0


@kernel
def implied_copy(game: Game, state: ConventionState) -> int:
    """Return the one identity that the receiver must take the bad cards of an avoidable touch for, or -1.

    The other kind of clue would have touched the focus alone, and said as much of it. From level 18 on.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    focus, level = verdict.focus, state.common.level
    if level < 18 or verdict.bad == 0 or view.end_phase or not is_any(verdict.name, _SHOWS):
        return -1
    number = game.identity[focus]
    gotten_ids = elsewhere(game, view, clue.giver)
    if number < 0 or not clue.newly >> focus & 1 or not (view.needed & ~gotten_ids) >> number & 1:
        return -1
    if not _is_avoidable(game, state, number):
        return -1
    gotten_ids |= 1 << number
    free = clue.identities & view.needed & ~elsewhere(game, view, clue.receiver) & ~(1 << number)
    belief = 0
    for order in members(clue.newly & ~(1 << focus)):
        true = game.identity[order]
        if true < 0:
            return -1
        if not view.needed >> true & 1 or gotten_ids >> true & 1:
            belief |= view.belief[order] & free
        gotten_ids |= 1 << true
    return lowest(belief) if belief and is_one(belief) else -1


@kernel
def _is_avoidable(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a clue of the other kind would touch the focus, `number`, alone, and say as much.

    A number may be a save on chop, and stalls with a 5.
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


@kernel
def _touches_focus_alone(game: Game, state: ConventionState, identities: int) -> bool:
    """Return whether a clue that touches `identities` would touch the focus alone."""
    clue, focus = state.clue, state.verdict.focus
    if identities < 0:
        return False
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        number = game.identity[order]
        if number < 0 or (identities >> number & 1 != 0) != (order == focus):
            return False
    return True


@kernel
def misses_copy(game: Game, state: ConventionState, seat: int, number: int) -> bool:
    """Return whether a third player sees `number` in no other hand, nor a card there unknown to us."""
    if seat in (state.clue.giver, state.clue.receiver):
        return False
    for other in range(game.seats):
        if other != seat:
            for i in range(game.hand_len[other]):
                if game.identity[game.hands[other][i]] in (number, -1):
                    return False
    return True


@kernel
def _has_third(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a third player holds `number`, untouched, and sees it nowhere else."""
    for seat in range(game.seats):
        if misses_copy(game, state, seat, number):
            for order in game.hands[seat][: game.hand_len[seat]]:
                if game.identity[order] == number and not state.turn_view.gotten >> order & 1:
                    return True
    return False

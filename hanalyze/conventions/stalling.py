"""Stalling clues by severity, and distribution clues.

H-Group: https://hanabi.github.io/level-9 and https://hanabi.github.io/level-8 (distribution).
"""

from __future__ import annotations

from hanalyze.conventions.focus import may_be
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.turn_view import LOCKED
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one


@kernel
def judge_stall(game: Game, state: ConventionState) -> bool:
    """Judge a clue to new cards that neither saves nor calls anything, where stalling is allowed."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    level = state.common.level
    number = game.identity[verdict.focus]
    if number >= 0 and not view.needed >> number & 1:
        # Trash touched to pass the turn; a receiver who may take it for good plays it.
        if may_be(game, state):
            return False
        if view.end_phase and level >= 8:
            verdict.name = Convention.BURN
            return True
        if view.stall_severity >= 2 and level >= 9:
            verdict.name = Convention.HARD_BURN
            return True
        return False
    if view.stall_severity == LOCKED and verdict.on_chop and level >= 9:
        verdict.name = Convention.LOCKED_HAND_SAVE
        return True
    slot_one = game.hands[clue.receiver][game.hand_len[clue.receiver] - 1]
    if view.stall_severity == 4 and clue.newly and level >= 9 and verdict.focus != slot_one:
        verdict.name = Convention.EIGHT_CLUE_SAVE
        return True
    return False


@kernel
def judge_distribution(game: Game, state: ConventionState, number: int) -> bool:
    """Judge a playable copy of another player's card, touched late, as meant to share the plays."""
    clue, view = state.clue, state.turn_view
    if not clue.newly >> state.verdict.focus & 1 or not view.hypo_played >> number & 1:
        return False
    for seat in range(game.seats):
        if seat in (clue.giver, clue.receiver) or not view.hand_ids[seat] >> number & 1:
            continue
        # Its holder has another card to play, too.
        if not is_one(view.gotten & view.cards[seat] & ~view.known_trash):
            state.verdict.name = Convention.DISTRIBUTION_CLUE
            state.verdict.reasons &= ~(1 << Reason.DUPLICATE)
            return True
    return False

"""Chops at risk that a player could have saved (save principle).

`SAVE_MISSED` is for the last player who could have saved the card, `SAVE_LEFT` for one after whom another
still can. Players with something better to do are not expected to discard. H-Group:
https://hanabi.github.io/level-1.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import EMERGENCIES, SAVES, is_any, set_of
from hanalyze.conventions.focus import seen_copies
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.verdict import refuse
from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.stacks import after_playing
from hanalyze.game.actions import CLUED, PLAYED
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel

_BEFORE_A_SAVE: Final = (
    SAVES
    | EMERGENCIES
    | set_of(
        Convention.FIX_CLUE, Convention.BLIND_PLAY, Convention.TRASH_CHOP_MOVE, Convention.FIVE_CHOP_MOVE
    )
)
"""Actions that take precedence over a save: other saves and called plays."""
_GIVES_A_PLAY: Final = set_of(Convention.PLAY_CLUE, Convention.DISTRIBUTION_CLUE, Convention.TRASH_CHOP_MOVE)
"""Clues after which the receiver has something else to do than to discard the chop."""


@kernel
def chops_at_risk(game: Game, state: ConventionState) -> int:
    """Return the last copies and unseen 2s on chops of others who have nothing better to do."""
    if game.drawn == game.cards:
        return 0
    view, common = state.turn_view, state.common
    busy = view.playable_now | view.doubtful | view.known_trash | common.blind & view.called
    chops = 0
    for other in next_seats(game.seat, game.seats):
        chop = view.chop[other]
        if chop < 0 or busy & view.cards[other] or common.seats_to_clue >> other & 1:
            continue
        number = game.identity[chop]
        if number < 0 or not view.needed >> number & 1:
            continue
        worth = view.critical >> number & 1
        if not worth and number & 7 == 2 and not game.variant.reversed >> (number >> 3) & 1:
            worth = not seen_copies(game, state, game.seat, game.seat, chop) >> number & 1
        if worth:
            chops |= 1 << chop
    return chops


@kernel
def _is_busy_after(game: Game, state: ConventionState, holder: int, result: int, number: int) -> bool:
    """Return whether an action, a play of `number` or a clue, gives a player something new to do."""
    view, clue, verdict = state.turn_view, state.clue, state.verdict
    for step in verdict.chain.steps[: verdict.chain.length]:
        if step.seat == holder:
            return True
    playable = game.playable
    if result == PLAYED:
        playable = after_playing(game, playable, number)
    elif result != CLUED or clue.receiver != holder:
        return False
    elif is_any(verdict.name, _GIVES_A_PLAY):
        return True
    for order in game.hands[holder][: game.hand_len[holder]]:
        if not view.gotten >> order & 1:
            continue
        belief = view.belief[order]
        if result == CLUED:
            belief &= clue.identities if clue.touched >> order & 1 else ~clue.identities
        if belief & ~playable == 0 or belief & view.needed == 0:
            return True
    return False


@kernel
def _clues_first(game: Game, state: ConventionState, holder: int, result: int, tokens: int) -> bool:
    """Return whether a player will clue rather than discard: early, with something left to clue."""
    if not state.common.early or tokens < game.variant.token_unit:
        return False
    others = state.offers.better & ~state.turn_view.cards[holder]
    if result == CLUED:
        others &= ~state.clue.touched
    return others != 0


@kernel
def weigh_saving(game: Game, state: ConventionState, result: int, number: int) -> None:
    """Note or refuse the action just judged if it leaves a savable chop at risk.

    `result` and `number` are the result of the action and the identity of the card that left the hand.
    """
    view, offers, verdict = state.turn_view, state.offers, state.verdict
    rest = offers.at_risk & offers.savable & ~verdict.marked_cards
    tokens = game.tokens
    if result == CLUED:
        rest &= ~state.clue.touched
        tokens -= game.variant.token_unit
    elif result != PLAYED:
        tokens += game.variant.token_unit
    if rest == 0 or is_any(verdict.name, _BEFORE_A_SAVE):
        return
    helpers = False
    following = (game.seat + 1) % game.seats
    for other in next_seats(game.seat, game.seats):
        chop = view.chop[other]
        at_risk = chop >= 0 and rest >> chop & 1 != 0
        # With all tokens nobody may discard.
        safe = other == following and tokens >= game.full_tokens
        safe = safe or _clues_first(game, state, other, result, tokens)
        if at_risk and not safe and not _is_busy_after(game, state, other, result, number):
            if not helpers:
                refuse(verdict, Reason.SAVE_MISSED)
                return
            verdict.reasons |= 1 << Reason.SAVE_LEFT
        must_play = state.common.blind & view.called & view.cards[other]
        helpers = helpers or (tokens >= game.variant.token_unit and must_play == 0)

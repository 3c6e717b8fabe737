"""Whether a clue can be a bluff: a card of the next player that is played though it is not what is missing.

In: a turn that was looked at, a clue with its focus, and the identity that the focus has or may have. Out:
the card that would be played, if all who see it are left with the truth.
"""

from __future__ import annotations

from hanalyze.conventions.chains import is_too_far, next_missing, prompt_card
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.hands import elsewhere, finesse_position
from hanalyze.conventions.kinds import tells_nothing
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import MAX_CALLS
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.game.actions import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import lowest


@kernel
def bluff_card(game: Game, state: ConventionState, number: int, guess: bool) -> int:
    """Return the card that the next player would play as a bluff, -1 if the clue cannot be one.

    `number` is the identity of the focus; with `guess` the card to play may be unknown to us. What is missing
    must be playable now, or the next player would wait for it; that player must have a playable card on the
    finesse position, no open call, and no clued card that looks like what is missing. The focus must be one
    card away (see `is_too_far`). What the card leads to must not be open to the receiver, nor to another
    player who waits for it.
    """
    clue, view, focus = state.clue, state.turn_view, state.verdict.focus
    seat = (clue.giver + 1) % game.seats
    if state.common.level < 11 or view.end_phase or state.common.blind & view.cards[seat]:
        return -1
    if seat == clue.receiver and clue.kind != RANK_CLUE:
        return -1
    order = finesse_position(game, view, seat, 1 << focus)
    if order < 0:
        return -1
    true = game.identity[order]
    if true >= 0:
        if not game.playable >> true & 1:
            return -1
    elif not guess or view.belief[order] & game.playable == 0:
        return -1
    missing = next_missing(game, view.hypo_playable, number)
    if missing < 0 or missing == number or not game.playable >> missing & 1:
        return -1
    if is_too_far(game, state, missing, number) or prompt_card(game, state, seat, missing, 1 << focus) >= 0:
        return -1
    if state.common.level >= 20 and tells_nothing(game, state):
        # By such a clue one card may be finessed, but none bluffed.
        return -1
    if true >= 0 and _misleads(game, state, true, number):
        return -1
    return order


@kernel
def _misleads(game: Game, state: ConventionState, true: int, number: int) -> bool:
    """Return whether somebody would take the bluffed card, which is `true`, for a part of a finesse.

    The receiver does if the focus, which is `number`, may be what follows it; a player before whom an
    earlier clue is open does if the card that it was about may be.
    """
    clue, view = state.clue, state.turn_view
    follows = fits_after(game, true)
    gotten_ids = elsewhere(game, view, clue.receiver)
    while follows & gotten_ids:
        follows = fits_after(game, lowest(follows & gotten_ids))
    if follows & may_be(game, state) or follows >> number & 1:
        return True
    for index in range(MAX_CALLS):
        call = state.calls[index]
        waits = call.is_open and call.focus >= 0 and call.receiver not in (clue.giver, clue.receiver)
        if not waits or game.turn - call.turn >= game.seats or call.identity < 0:
            continue
        # Who has had a turn since takes the focus for what was to be had without a call.
        acted = (call.receiver - call.giver) % game.seats < game.turn - call.turn
        follows = fits_after(game, true)
        if not acted and call.readings & follows and not follows >> call.identity & 1:
            return True
    return False

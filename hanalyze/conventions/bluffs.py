"""Bluffs, in which the next player plays a card that is not the missing one, and their named kinds.

`clues.py` judges clues as bluffs; `inferences.py` takes the receiver's view. H-Group:
https://hanabi.github.io/level-11#the-bluff and https://hanabi.github.io/level-13.
"""

from __future__ import annotations

from hanalyze.conventions.chains import cards_away, is_too_far, prompt_card
from hanalyze.conventions.classes import BLUFFS, is_any
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import Call
from hanalyze.conventions.turn_view import finesse_position
from hanalyze.engine.game import Game, next_seat
from hanalyze.engine.stacks import fits_after, next_missing
from hanalyze.game.actions import RANK_CLUE
from hanalyze.game.meanings import Convention, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import lowest, members

kernel_module(__name__)


def bluff_card(game: Game, state: ConventionState, number: int, guess: bool) -> int:
    """Return the card that the next player would play as a bluff, -1 if the clue cannot be a bluff.

    `number` is the identity of the focus. With `guess`, the bluffed card may be of unknown identity; if it is
    known, no player may mistake the bluff for a finesse. The missing card must be playable, and the focus not
    too far away (`is_too_far`). The next player must have a playable finesse position, no card called blind,
    and no clued card that looks like the missing one. Only a rank clue can bluff its receiver. There are no
    bluffs below level 11, in the end game, or, from level 20 on, by clues without new information.
    """
    clue, view, focus = state.clue, state.turn_view, state.verdict.focus
    seat = next_seat(clue.giver, game.seats)
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
        # A clue without new information can be a finesse, but not a bluff.
        return -1
    if true >= 0 and _misleads(game, state, true, number):
        return -1
    return order


def _misleads(game: Game, state: ConventionState, true: int, number: int) -> bool:
    """Return whether a player would mistake the bluffed card, of identity `true`, for part of a finesse.

    The receiver makes this mistake if the focus, of identity `number`, may follow the bluffed card. The
    receiver of another call of the last round makes it if the focus of that call seems to follow the card.
    """
    clue, view = state.clue, state.turn_view
    follows = fits_after(game, true)
    gotten_ids = view.elsewhere_ids[clue.receiver]
    while follows & gotten_ids:
        follows = fits_after(game, lowest(follows & gotten_ids))
    if follows & may_be(game, state) or follows >> number & 1:
        return True
    for call in state.calls[: state.call_places]:
        waits = call.is_open and call.focus >= 0 and call.receiver not in (clue.giver, clue.receiver)
        if not waits or game.turn - call.turn >= game.seats or call.identity < 0:
            continue
        # A receiver who has moved since that call takes its focus for directly playable.
        acted = (call.receiver - call.giver) % game.seats < game.turn - call.turn
        follows = fits_after(game, true)
        if not acted and call.readings & follows and not follows >> call.identity & 1:
            return True
    return False


def may_be_bluff(game: Game, state: ConventionState, call: Call) -> bool:
    """Return whether the first called player does not act next and may suspect a bluff of the next player."""
    first = call.steps[0]
    is_blind = call.receiver >= 0 and call.length > 0 and first.kind in (StepKind.FINESSE, StepKind.LAYER)
    if not is_blind or call.identity < 0 or first.seat == next_seat(call.giver, game.seats):
        return False
    return bluff_card(game, state, call.identity, False) >= 0


def name_kind(game: Game, state: ConventionState, number: int) -> None:
    """Set `second` to the special kind of a bluff or finesse, if any; `number` is the focus's identity."""
    verdict, level = state.verdict, state.common.level
    if verdict.second >= 0 or verdict.chain.length == 0:
        return
    if is_any(verdict.name, BLUFFS):
        if level >= 13:
            verdict.second = _bluff_kind(game, state, number)
    elif verdict.chain.blind and level >= 20 and tells_nothing(game, state):
        verdict.second = Convention.NO_INFORMATION_FINESSE
    elif verdict.name == Convention.LAYERED_FINESSE and _is_clandestine(game, state, number):
        verdict.second = Convention.CLANDESTINE_FINESSE


def _bluff_kind(game: Game, state: ConventionState, number: int) -> int:
    true = game.identity[state.verdict.chain.steps[0].order]
    missing = next_missing(game, state.turn_view.hypo_playable, number)
    if missing >= 0 and cards_away(game, state, missing, number) > 1:
        return Convention.THREE_BLUFF if number & 7 == 3 else Convention.CRITICAL_COLOUR_BLUFF
    if true >= 0 and _leads_to_third(game, state, true):
        return Convention.GOOD_TOUCH_BLUFF
    return Convention.HARD_BLUFF if ids_after_prompt(game, state) else -1


def _leads_to_third(game: Game, state: ConventionState, true: int) -> bool:
    """Return whether a third player has a gotten card that follows `true` and that the focus could be."""
    clue, view = state.clue, state.turn_view
    follows = fits_after(game, true) & clue.identities & game.possible[state.verdict.focus]
    for seat in range(game.seats):
        if seat not in (clue.giver, clue.receiver) and view.hand_ids[seat] & follows:
            return True
    return False


def ids_after_prompt(game: Game, state: ConventionState) -> int:
    """Return the identities that a bluff's focus could have if the clue were a finesse and a prompt.

    The bluffed card would be played first, then a prompted card of the receiver, then the focus. The receiver
    cannot distinguish this finesse from the bluff and keeps both readings. The result is 0 for clues that are
    not a bluff by rank, and below level 13.
    """
    clue, verdict = state.clue, state.verdict
    if state.common.level < 13 or not is_any(verdict.name, BLUFFS) or clue.kind != RANK_CLUE:
        return 0
    true = game.identity[verdict.chain.steps[0].order]
    follows = fits_after(game, true) if true >= 0 else 0
    left = 0
    for between in members(follows):
        prompt = prompt_card(game, state, clue.receiver, between, clue.newly | 1 << verdict.focus)
        if prompt >= 0:
            left |= fits_after(game, between)
    return left & may_be(game, state)


def _is_clandestine(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether the receiver may take the focus for the card that follows the first layer."""
    first = state.verdict.chain.steps[0]
    true = game.identity[first.order]
    if first.kind != StepKind.LAYER or true < 0:
        return False
    return fits_after(game, true) & may_be(game, state) & ~(1 << number) != 0


def tells_nothing(game: Game, state: ConventionState) -> bool:
    """Return whether the clue gives no new information about the cards that it touches."""
    clue = state.clue
    if clue.newly:
        return False
    for order in members(clue.touched):
        if game.possible[order] & ~clue.identities:
            return False
    return True

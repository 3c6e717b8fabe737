"""Open calls: how they begin and end, and what the holders of called cards infer.

`calls.py` follows the actions that answer them. H-Group: https://hanabi.github.io/level-5.
"""

from __future__ import annotations

from hanalyze.conventions.bluffs import may_be_bluff
from hanalyze.conventions.common_knowledge import call_blind, note_breaker, note_source, take_back
from hanalyze.conventions.focus import find_focus
from hanalyze.conventions.inferences import begin_pending
from hanalyze.conventions.rows import close_row
from hanalyze.conventions.state import ConventionState, renew_view
from hanalyze.conventions.steps import MAX_CALLS, Call, copy_step, weight_of
from hanalyze.engine.game import Game, Ints, next_seat
from hanalyze.game.cards import MAX_CARDS
from hanalyze.game.meanings import Convention, OutcomeKind, StepKind
from hanalyze.kernels.compiling import kernel_module

kernel_module(__name__)


def open_step_of(state: ConventionState, order: int) -> int:
    """Return the index of the oldest call whose open step is the card `order`, or -1."""
    best = -1
    for index in range(state.call_places):
        call = state.calls[index]
        waits = call.is_open and call.done < call.length and call.steps[call.done].order == order
        if waits and (best < 0 or call.turn < state.calls[best].turn):
            best = index
    return best


def is_blind(kind: int) -> bool:
    """Return whether a step of this kind is a play of an unclued card."""
    return kind in (StepKind.FINESSE, StepKind.LAYER, StepKind.BLUFF)


def is_guided(game: Game, state: ConventionState) -> bool:
    """Return whether a player just called to play blind gives a clue to the next player instead.

    From level 11 on, the sender of that call is responsible for the next player's chop (guide principle).
    """
    seat = game.seat
    if state.common.level < 11 or state.clue.receiver != next_seat(seat, game.seats):
        return False
    for call in state.calls[: state.call_places]:
        if call.is_open and call.turn == game.turn - 1 and call.done < call.length:
            step = call.steps[call.done]
            if step.seat == seat and is_blind(step.kind):
                return True
    return False


def take_back_rest(state: ConventionState, call: Call) -> None:
    """Clear the inferences about the cards of a call's remaining steps, and no longer call them blind."""
    for step in call.steps[call.done : call.length]:
        state.common.inferred[step.order] = -1
        if is_blind(step.kind):
            state.common.blind &= ~(1 << step.order)


def note_call_breaker(game: Game, state: ConventionState, call: Call) -> None:
    """Record that the player to move ended a call, for its focus and its remaining cards."""
    if call.focus >= 0:
        note_breaker(state.common, call.focus, game.turn, game.seat, 0)
    for step in call.steps[call.done : call.length]:
        note_breaker(state.common, step.order, game.turn, game.seat, 1)


def close_call(state: ConventionState, outcomes: Ints, call: Call, outcome: int, turn: int) -> None:
    """Close a call with an outcome, and clear the inferences about the cards of its remaining steps."""
    take_back_rest(state, call)
    close_row(outcomes, call.row, outcome, turn)
    call.is_open = 0


def _free_place(state: ConventionState, outcomes: Ints, turn: int) -> int:
    """Return the index of a free place for a call; if all are taken, the oldest call is closed."""
    oldest = 0
    for index in range(MAX_CALLS):
        if state.calls[index].is_open == 0:
            return index
        if state.calls[index].turn < state.calls[oldest].turn:
            oldest = index
    close_call(state, outcomes, state.calls[oldest], OutcomeKind.CENSORED, turn)
    return oldest


def is_behind(call: Call, index: int) -> bool:
    """Return whether the step `index` lies behind a layer or a hidden prompt of its hand."""
    if index == 0 or call.steps[index - 1].seat != call.steps[index].seat:
        return False
    return call.steps[index - 1].kind in (StepKind.LAYER, StepKind.HIDDEN_PROMPT)


def tell_step(state: ConventionState, call: Call, index: int) -> None:
    """Record the identities that the holder infers for the card of the step `index`."""
    common, step = state.common, call.steps[index]
    if step.kind == StepKind.HIDDEN_PROMPT and state.turn_view.future_plays >> step.order & 1:
        # The card will be played without this call.
        return
    common.inferred[step.order] = step.ids
    note_source(common, step.order, call.turn, call.giver, step.ids, 0)


def call_step(game: Game, state: ConventionState, call: Call, index: int) -> None:
    """Call the card of the step `index`, and record what its holder infers unless that must wait."""
    common, step = state.common, call.steps[index]
    if call.kind == Convention.OUT_OF_ORDER_CLUE:
        # Until the identity of the focus is shown, the holder takes the focus for the first card to play.
        return
    if is_blind(step.kind):
        call_blind(common, step.order)
        if not state.turn_view.gotten >> step.order & 1:
            common.got_turn[step.order] = game.turn
    if call.is_confirmed and not is_behind(call, index):
        tell_step(state, call, index)


def confirm_calls(game: Game, state: ConventionState, excused: bool) -> None:
    """Record what called players infer when the next player's action shows that the call is not a bluff.

    An `excused` action shows nothing.
    """
    for call in state.calls[: state.call_places]:
        is_waiting = call.is_open and call.is_confirmed == 0 and call.turn != game.turn
        if not is_waiting or excused or game.seat != (call.giver + 1) % game.seats:
            continue
        call.is_confirmed = 1
        for index in range(call.done, call.length):
            if not is_behind(call, index):
                tell_step(state, call, index)


def open_call(
    game: Game, state: ConventionState, outcomes: Ints, row: int, receiver: int, focus: int
) -> None:
    """Open the call of the message that was just judged, and mark the cards that it calls.

    `row` is the finding whose outcome the call decides, or -1. `receiver` is -1 for a discard or a play;
    `focus` is -1 if no card is to be played after the steps.
    """
    verdict = state.verdict
    place = _free_place(state, outcomes, game.turn)
    state.call_places = max(state.call_places, place + 1)
    call = state.calls[place]
    call.is_open = 1
    call.kind = verdict.name
    call.giver = game.seat
    call.receiver = receiver
    call.focus = focus
    call.identity = game.identity[focus] if focus >= 0 else -1
    call.turn = game.turn
    call.dealt = game.drawn
    call.row = row
    call.length = verdict.chain.length
    call.done = 0
    call.late_turns = 0
    call.late_seat = -1
    call.late_turn = -1
    call.receiver_played = 0
    call.readings = verdict.readings
    call.bluff_ids = verdict.bluff_ids
    call.weight = weight_of(verdict.chain)
    begin_pending(game, call, verdict.direct, verdict.showing_seats)
    for index in range(call.length):
        copy_step(verdict.chain.steps[index], call.steps[index])
    call.is_confirmed = 0 if may_be_bluff(game, state, call) else 1
    for index in range(call.length):
        call_step(game, state, call, index)


def close_refuted_calls(game: Game, state: ConventionState, outcomes: Ints) -> None:
    """Close calls that take a hidden card for a copy of the clue's focus: the giver sees that it is none."""
    clue, view = state.clue, state.turn_view
    focus = find_focus(game, state)
    number = game.identity[focus]
    if number < 0 or not clue.newly >> focus & 1 or not view.gotten_ids >> number & 1:
        return
    refuted = False
    for call in state.calls[: state.call_places]:
        for step in call.steps[call.done : call.length]:
            unknown = view.hidden & ~view.cards[clue.giver] & 1 << step.order
            if call.is_open and unknown and step.ids == 1 << number:
                close_call(state, outcomes, call, OutcomeKind.SUPERSEDED, game.turn)
                refuted = True
    if refuted:
        renew_view(game, state)


def withdraw_calls(game: Game, state: ConventionState) -> None:
    """Close the calls opened on this turn, and clear the inferences from them."""
    for call in state.calls[: state.call_places]:
        if call.is_open and call.turn == game.turn:
            call.is_open = 0
            for step in call.steps[call.done : call.length]:
                take_back(state.common, step.order)


def keep_card(state: ConventionState, outcomes: Ints, order: int, row: int, turn: int) -> None:
    """Record that the finding in `row` saved, chop moved or named the card.

    The fate of the card decides the outcome of the finding. The card's previous finding is closed as
    superseded.
    """
    close_row(outcomes, state.common.save_row[order], OutcomeKind.SUPERSEDED, turn)
    state.common.save_row[order] = row


def close_all(state: ConventionState, outcomes: Ints, turn: int) -> None:
    """Close all open calls and saves at the end of the game, as censored."""
    for call in state.calls[: state.call_places]:
        if call.is_open:
            close_row(outcomes, call.row, OutcomeKind.CENSORED, turn)
            call.is_open = 0
    for order in range(MAX_CARDS):
        close_row(outcomes, state.common.save_row[order], OutcomeKind.CENSORED, turn)
        state.common.save_row[order] = -1

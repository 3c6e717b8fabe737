"""How actions answer open calls: plays, deferrals (urgency), and the outcomes of the calls.

H-Group: https://hanabi.github.io/level-5 (urgency) and https://hanabi.github.io/level-2 (stomping).
"""

from __future__ import annotations

from hanalyze.conventions.classes import AT_ONCE, BLUFFS, SIGNALS, TRASH_SIGNALS, is_any
from hanalyze.conventions.common_knowledge import ON_CHOP, note_breaker, take_back
from hanalyze.conventions.inferences import (
    drop_unplayed,
    end_pending,
    follow_repairs,
    keep_unshown_readings,
    narrow_by_play,
    narrow_focus,
    note_repaired_call,
    tell_trash,
)
from hanalyze.conventions.open_calls import (
    call_step,
    close_call,
    confirm_calls,
    is_behind,
    is_blind,
    note_call_breaker,
    take_back_rest,
    tell_step,
)
from hanalyze.conventions.rows import OUTCOME, close_row, count_in_row
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import (
    BUILT_UPON,
    MAX_STEPS,
    UNEXPLAINED,
    Call,
    Step,
    set_step,
)
from hanalyze.conventions.turn_view import finesse_position
from hanalyze.engine.game import Game, Ints, next_seats
from hanalyze.engine.stacks import after_playing, fits_after, goes_under
from hanalyze.game.actions import CLUED, DISCARDED, MISPLAYED, PLAYED
from hanalyze.game.meanings import Convention, OutcomeKind, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, lowest, members

kernel_module(__name__)


def _name_between(game: Game, state: ConventionState, call: Call) -> None:
    """Record the identity of each clued card of a third player to be played before the focus of a bluff.

    The holder recognises such a card if no other clued card of the hand can have this identity.
    """
    common, number = state.common, call.identity
    for _ in range(MAX_STEPS):
        number = goes_under(game, number) if number >= 0 else -1
        if number < 0 or game.playable >> number & 1:
            return
        for seat in range(game.seats):
            if seat in (call.giver, call.receiver) or not state.turn_view.hand_ids[seat] >> number & 1:
                continue
            fitting = 0
            for order in game.hands[seat][: game.hand_len[seat]]:
                if game.clued >> order & 1 and state.turn_view.belief[order] >> number & 1:
                    fitting |= 1 << order
            if fitting and is_one(fitting):
                common.inferred[lowest(fitting)] = 1 << number


def _after_steps(game: Game, state: ConventionState, outcomes: Ints, call: Call, played: int) -> None:
    """Update a call after the card of its last step was played; `played` is its identity, -1 if unknown."""
    common = state.common
    if call.focus < 0:
        # The call of a push, a discard or a play has no focus to wait for.
        close_call(state, outcomes, call, OutcomeKind.SUCCESS, game.turn)
    elif is_any(call.kind, BLUFFS):
        # The called card was not the missing one: the focus is not playable yet.
        left = call.bluff_ids & ~game.playable
        if left:
            common.inferred[call.focus] = left
        _name_between(game, state, call)
    elif is_any(call.kind, TRASH_SIGNALS):
        tell_trash(game, state, call, played)
        close_call(state, outcomes, call, OutcomeKind.SUCCESS, game.turn)
    elif is_any(call.kind, SIGNALS):
        common.inferred[call.focus] = call.bluff_ids
    elif call.identity < 0 and played >= 0 and common.inferred[call.focus] & fits_after(game, played):
        narrow_focus(game, state, call, common.inferred[call.focus] & fits_after(game, played))


def _count_step(game: Game, state: ConventionState, outcomes: Ints, call: Call, played: int) -> None:
    """Complete the open step and continue with the next; `played` is the played identity, -1 if unknown."""
    kind = call.steps[call.done].kind
    call.done += 1
    if call.focus >= 0 and call.identity >= 0 and played >= 0 and not is_any(call.kind, BLUFFS):
        in_front = kind in (StepKind.LAYER, StepKind.HIDDEN_PROMPT)
        narrow_by_play(game, state, call, played, in_front)
    if call.done >= call.length:
        _after_steps(game, state, outcomes, call, played)
    elif is_behind(call, call.done):
        tell_step(state, call, call.done)


def _narrow(game: Game, state: ConventionState, call: Call, order: int, number: int) -> None:
    """Narrow the focus of a delayed play clue to identities that fit after its receiver plays `number`."""
    view, common = state.turn_view, state.common
    if call.kind != Convention.DELAYED_PLAY_CLUE or common.source_flags[call.focus] & ON_CHOP:
        return
    if call.waits_until >= 0:
        # Another player may still show another reading.
        return
    for other in members(view.future_plays & view.cards[game.seat] & ~(1 << order) & ~(1 << call.focus)):
        if not is_one(view.belief[other]):
            # The focus may follow this other card of the hand.
            return
    fits = after_playing(game, game.playable, number)
    left = common.inferred[call.focus] & (fits | view.hypo_playable | view.hypo_played)
    if left:
        common.inferred[call.focus] = left


def _goes_on_after_strike(game: Game, state: ConventionState, outcomes: Ints, call: Call) -> bool:
    """After the strike of a wrong prompt, call the finesse position of the clue's turn if it fits.

    The card fits if it may be the missing one. Return whether a card is called; otherwise the call ends, as
    it always does below level 2.
    """
    common, step = state.common, call.steps[call.done]
    gotten, missing = state.turn_view.gotten, step.ids & game.playable
    is_prompt = step.kind in (StepKind.PROMPT, StepKind.HIDDEN_PROMPT)
    if common.level < 2 or not is_prompt or not missing:
        return False
    first = -1
    for card in game.hands[step.seat][: game.hand_len[step.seat]]:
        was_gotten = gotten >> card & 1 and common.got_turn[card] <= call.turn
        if card < call.dealt and not was_gotten:
            first = card
    if first < 0 or gotten >> first & 1 or not game.possible[first] & missing:
        return False
    close_row(outcomes, call.row, OutcomeKind.BROKEN, game.turn)
    call.row = -1
    call.bluff_ids = 0
    call.is_confirmed = 1
    call.weight = UNEXPLAINED
    set_step(step, step.seat, first, StepKind.FINESSE, missing)
    call_step(game, state, call, call.done)
    if call.focus >= 0:
        narrow_by_play(game, state, call, lowest(missing), False)
    return True


def _follow_step(
    game: Game, state: ConventionState, outcomes: Ints, call: Call, fits: bool, number: int
) -> None:
    """Update a call after the card of its open step was played, or misplayed if it does not fit.

    `number` is the identity of the card, -1 if it is unknown.
    """
    step = call.steps[call.done]
    if not fits:
        count_in_row(outcomes, OUTCOME.strikes, call.row)
        if _goes_on_after_strike(game, state, outcomes, call):
            return
        call.done += 1
        close_call(state, outcomes, call, OutcomeKind.BROKEN, game.turn)
        return
    is_meant = number >= 0 and step.ids >> number & 1
    if not is_meant and step.kind == StepKind.FINESSE and call.bluff_ids:
        call.kind = Convention.BLUFF
    elif not is_meant and step.kind == StepKind.FINESSE and state.common.level >= 5 and call.row >= 0:
        # The played card is a layer; the card with the called identity lies behind it. After a strike, which
        # settled the finding, no card behind the called one is meant.
        behind = finesse_position(game, state.turn_view, step.seat, -(1 << call.dealt))
        if behind >= 0:
            step.order = behind
            state.common.blind |= 1 << behind
            state.common.inferred[behind] = step.ids
            return
    count_in_row(outcomes, OUTCOME.followed, call.row)
    _count_step(game, state, outcomes, call, number)


def _is_passed_on(game: Game, state: ConventionState, call: Call) -> bool:
    """Pass a finesse on to a later player who has the called identity on finesse position.

    Return whether this excuses the called player, who takes the later player's card for the called one
    (ambiguous finesse). If the called player also has the next step, the finesse stays, and one late turn is
    excused: the later player waits, because the called player would misplay their copy as the next card.
    """
    common, step = state.common, call.steps[call.done]
    if common.level < 5 or step.kind != StepKind.FINESSE or is_behind(call, call.done):
        return False
    for other in next_seats(step.seat, game.seats):
        if other == call.giver:
            break
        card = finesse_position(game, state.turn_view, other, 0)
        if other != call.receiver and card >= 0 and step.ids == 1 << max(game.identity[card], 0):
            if call.done + 1 < call.length and call.steps[call.done + 1].seat == step.seat:
                call.late_turns += 1
                return call.late_turns == 1
            take_back(common, step.order)
            set_step(step, other, card, StepKind.FINESSE, step.ids)
            call_step(game, state, call, call.done)
            return True
    return False


def _let_pass(
    game: Game, state: ConventionState, outcomes: Ints, call: Call, result: int, order: int, excused: bool
) -> int:
    """Record that the called player took another action; return `Reason` bits, 0 if the card was not due."""
    common = state.common
    step = call.steps[call.done]
    number = game.identity[step.order]
    due = game.playable >> number & 1 if number >= 0 else step.ids & game.playable
    if not due:
        if is_any(call.kind, AT_ONCE):
            close_call(state, outcomes, call, OutcomeKind.SUPERSEDED, game.turn)
        return 0
    count_in_row(outcomes, OUTCOME.deferrals, call.row)
    if result == PLAYED:
        # Blind cards are played in the order of their calls, and before prompted cards.
        earlier = common.call_number[order] < common.call_number[step.order]
        excused = common.blind >> order & 1 != 0 and (earlier or not is_blind(step.kind))
    if excused or call.is_confirmed == 0 or _is_passed_on(game, state, call):
        return 1 << Reason.LEGAL_DEFERRAL
    call.late_turns += 1
    call.late_seat = game.seat
    call.late_turn = game.turn
    # After one late turn, even a play, players give up a deep chain or a card called after a wrong prompt.
    patience = 2 if call.weight >= BUILT_UPON else 1
    if is_any(call.kind, AT_ONCE) or (call.late_turns >= patience and (result != PLAYED or patience == 1)):
        note_call_breaker(game, state, call)
        close_call(state, outcomes, call, OutcomeKind.MISSED, game.turn)
    return 1 << (Reason.LEGAL_DEFERRAL if _may_await_receiver(game, state, call) else Reason.LATE)


def _may_await_receiver(game: Game, state: ConventionState, call: Call) -> bool:
    """Return whether the called player may take the call for a self-finesse that the receiver postpones.

    The receiver must have the same card on finesse position, but have played another card since the clue.
    """
    step = call.steps[call.done]
    if call.receiver_played == 0 or step.kind != StepKind.FINESSE or call.late_turns > 1:
        return False
    first = finesse_position(game, state.turn_view, call.receiver, -(1 << call.dealt))
    return first >= 0 and step.ids == 1 << max(game.identity[first], 0)


def _pass_on(game: Game, state: ConventionState, outcomes: Ints, call: Call) -> None:
    """Replace the discarded card of a call by the card that the discard names, or drop the step."""
    verdict = state.verdict
    # The finding is settled, but the call continues with the card that the discard named.
    close_row(outcomes, call.row, OutcomeKind.PASSED_BACK, game.turn)
    call.row = -1
    card = -1
    if verdict.marked_cards:
        card = lowest(verdict.marked_cards)
    elif verdict.chain.length:
        card = verdict.chain.steps[verdict.chain.length - 1].order
    if card >= 0:
        step = call.steps[call.done]
        set_step(step, game.place[card], card, StepKind.PROMPT, step.ids)
        return
    call.done += 1
    if call.done >= call.length:
        close_call(state, outcomes, call, OutcomeKind.PASSED_BACK, game.turn)


def follow_calls(
    game: Game,
    state: ConventionState,
    outcomes: Ints,
    order: int,
    result: int,
    passes_on: bool,
    excused: bool,
) -> int:
    """Apply an action of the player to move to all open calls; return `Reason` bits: stomps and deferrals.

    `order` is the card that leaves the hand, -1 for a clue; `result` is the result of the action. `passes_on`
    is set for a discard that names another card. An `excused` action may precede the play of a called card.
    """
    reasons = 0
    follow_repairs(game, state.common, order, excused)
    fixed = state.verdict.name == Convention.FIX_CLUE
    # A clue that touches a card not yet gotten is about that card, and stomps on no call, unless it fixes a
    # mistake.
    beside = not fixed and state.clue.touched & ~state.turn_view.gotten != 0
    for call in state.calls[: state.call_places]:
        if call.is_open == 0:
            continue
        if result == PLAYED and call.receiver == game.seat:
            call.receiver_played = 1
        if order >= 0 and _settle(game, state, outcomes, call, order, result, passes_on):
            continue
        if call.done >= call.length:
            continue
        step = call.steps[call.done]
        stomped = state.clue.touched & state.common.blind if result == CLUED and not beside else 0
        if stomped >> step.order & 1 and step.kind == StepKind.LAYER and not fixed:
            # The clue shows a layer; the card behind it is still called.
            reasons |= 1 << Reason.STOMP
        elif stomped >> step.order & 1:
            if call.late_seat >= 0:
                note_repaired_call(game, state.common, call)
            else:
                reasons |= 1 << Reason.STOMP
                note_call_breaker(game, state, call)
            close_call(state, outcomes, call, OutcomeKind.STOMPED, game.turn)
        elif step.seat == game.seat and call.turn != game.turn:
            reasons |= _let_pass(game, state, outcomes, call, result, order, excused)
    if result == CLUED:
        keep_unshown_readings(game, state)
    end_pending(game, state, excused)
    confirm_calls(game, state, excused)
    if result != PLAYED:
        drop_unplayed(game, state)
    return reasons


def _is_unexpected(game: Game, state: ConventionState, call: Call, order: int) -> bool:
    """Return whether the play of `order` seems to the receiver to answer the call.

    The player must be able to show the identity of the focus. The card must be neither called blind nor a
    future play, unless it is a copy of the focus.
    """
    if call.focus < 0 or call.identity < 0 or not call.showing_seats >> game.seat & 1:
        return False
    waits = call.waits_until >= 0 or call.done < call.length
    is_copy = game.identity[order] == call.identity
    return waits and (is_copy or not (state.turn_view.future_plays | state.common.blind) >> order & 1)


def _supersede(state: ConventionState, outcomes: Ints, call: Call, turn: int) -> None:
    """Close a call after another copy of its focus is played.

    A receiver who waits for other players does not know this: the call stays open, without further steps.
    """
    if call.waits_until < 0:
        close_call(state, outcomes, call, OutcomeKind.SUPERSEDED, turn)
        return
    take_back_rest(state, call)
    close_row(outcomes, call.row, OutcomeKind.SUPERSEDED, turn)
    call.row = -1
    call.length = call.done


def _settle(
    game: Game, state: ConventionState, outcomes: Ints, call: Call, order: int, result: int, passes_on: bool
) -> bool:
    """Update a call when a card leaves a hand; return whether the update is complete."""
    number = game.identity[order]
    if order == call.focus:
        if result == MISPLAYED:
            count_in_row(outcomes, OUTCOME.strikes, call.row)
        failed = OutcomeKind.PASSED_BACK if passes_on else OutcomeKind.FAILED
        close_call(state, outcomes, call, OutcomeKind.SUCCESS if result == PLAYED else failed, game.turn)
        return True
    if result == PLAYED and _is_unexpected(game, state, call, order):
        # To the receiver, the play looks like an answer to the call, even if the card was not called.
        narrow_by_play(game, state, call, number, False)
    if result == PLAYED and number >= 0 and number == call.identity:
        note_call_breaker(game, state, call)
        _supersede(state, outcomes, call, game.turn)
        return True
    if call.done >= call.length:
        if result == PLAYED and call.receiver == game.seat:
            _narrow(game, state, call, order, number)
        return True
    step = call.steps[call.done]
    if step.order == order:
        if result != DISCARDED:
            _follow_step(game, state, outcomes, call, result == PLAYED, number)
        elif passes_on:
            _pass_on(game, state, outcomes, call)
        else:
            note_call_breaker(game, state, call)
            close_call(state, outcomes, call, OutcomeKind.MISSED, game.turn)
        return True
    if result == PLAYED and step.ids == 1 << max(number, 0):
        _skip_step(game, state, outcomes, call, number)
        return True
    return False


def _free_step(game: Game, state: ConventionState, step: Step) -> None:
    """Withdraw a step that the play of another copy has replaced."""
    note_breaker(state.common, step.order, game.turn, game.seat, 1)
    if step.kind in (StepKind.FINESSE, StepKind.LAYER):
        take_back(state.common, step.order)


def _skip_step(game: Game, state: ConventionState, outcomes: Ints, call: Call, number: int) -> None:
    """Continue with the next step of a call after another copy of the missing card `number` is played."""
    while call.done < call.length - 1 and is_behind(call, call.done + 1):
        # The cards in front of the missing card are no longer called.
        _free_step(game, state, call.steps[call.done])
        call.done += 1
    freed = call.steps[call.done]
    _free_step(game, state, freed)
    _count_step(game, state, outcomes, call, number)
    # The freed card is on finesse position again, so its holder takes it for the next missing card.
    shifts = call.done < call.length and call.steps[call.done].seat == freed.seat
    shifts = shifts and freed.kind == StepKind.FINESSE and call.steps[call.done].kind == StepKind.FINESSE
    if call.is_open and (shifts or call.done >= call.length):
        close_call(state, outcomes, call, OutcomeKind.SUPERSEDED, game.turn)

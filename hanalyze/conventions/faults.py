"""The fault for a misplay (seat and rule), and the records of earlier actions that determine it."""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import URGENT, is_any, set_of
from hanalyze.conventions.common_knowledge import BAD_TOUCH, NAMED, ON_CHOP, UNSEEN_BAD_TOUCH, note_source
from hanalyze.conventions.open_calls import open_step_of
from hanalyze.conventions.state import ConventionState, blame
from hanalyze.conventions.steps import BUILT_UPON, UNEXPLAINED
from hanalyze.conventions.unclear_clues import (
    is_impossible_call,
    is_save_misread,
    is_supposed_call,
    note_answer,
    note_refused,
)
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention, Fault, FaultRule, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members

kernel_module(__name__)

_ANSWERS: Final = set_of(Convention.BLIND_PLAY, Convention.PROMPTED_PLAY)


def note_clue(game: Game, state: ConventionState, tells: bool) -> None:
    """Record the clue as the last message about the newly touched cards and, if `tells`, about its focus."""
    clue, view, verdict, common = state.clue, state.turn_view, state.verdict, state.common
    giver_ids = view.elsewhere_ids[clue.giver]
    receiver_ids = view.elsewhere_ids[clue.receiver]
    once = 0
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        newly = clue.newly >> order & 1
        is_focus = order == verdict.focus
        if not newly and not (is_focus and tells):
            continue
        number = game.identity[order]
        how = NAMED if is_focus and verdict.legal and is_one(common.inferred[order]) else 0
        if newly:
            if is_focus and verdict.on_chop:
                how |= ON_CHOP
            if number >= 0 and not view.gotten >> order & 1:
                bit = 1 << number
                if not view.needed & bit or (giver_ids | once) & bit:
                    how |= BAD_TOUCH
                elif receiver_ids & bit:
                    how |= UNSEEN_BAD_TOUCH
                once |= bit
        note_source(common, order, game.turn, clue.giver, common.inferred[order], how)
        if is_focus and verdict.name == Convention.UNEXPLAINED:
            common.weight[order] = UNEXPLAINED
    note_refused(game, state)


def note_play(game: Game, state: ConventionState, order: int, number: int) -> None:
    """Record which seat got the played card, on which turn, and which seat plays it.

    A play that answers a call extends the time to answer unclear clues.
    """
    common = state.common
    if common.level >= 3 and is_one(state.turn_view.belief[order]) and _sees_twin(game, state, number):
        common.twin_turn[number] = game.turn
    common.copy_turn[number] = game.turn
    common.copy_sender[number] = game.seat
    common.copy_player[number] = game.seat
    if is_any(state.verdict.name, _ANSWERS):
        note_answer(game, state)
    if state.turn_view.gotten >> order & 1 and common.source_seat[order] >= 0:
        common.copy_turn[number] = common.got_turn[order]
        common.copy_sender[number] = common.source_seat[order]


def _sees_twin(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether the player to move may discard and sees a gotten copy of `number` in another hand."""
    view = state.turn_view
    if game.tokens >= game.full_tokens:
        return False
    for card in members(view.gotten & ~view.known_trash & ~view.cards[game.seat]):
        if game.identity[card] == number:
            return True
    return False


def _blame_seat(game: Game, state: ConventionState, seat: int, giver: int, rule: int, turn: int) -> None:
    """Blame a seat as player, giver or third player; `turn` is -1 if no single action is at fault."""
    if seat == game.seat:
        blame(state.verdict, Fault.PLAYER, seat, rule, turn)
    elif seat == giver:
        blame(state.verdict, Fault.GIVER, seat, rule, turn)
    else:
        blame(state.verdict, Fault.THIRD, seat, rule, turn)


def _blame_nobody(state: ConventionState, rule: int) -> None:
    blame(state.verdict, Fault.NOBODY, -1, rule, -1)


def _blame_player(game: Game, state: ConventionState, rule: int) -> None:
    blame(state.verdict, Fault.PLAYER, game.seat, rule, game.turn)


def note_unfixed(game: Game, state: ConventionState, called: int) -> None:
    """Record coming misplays, and gotten trash, that the player to move could have fixed.

    Nothing is recorded for an urgent action. `called` is the seat that the action calls to play another card,
    or -1. That seat may play the other card first, so only the giver of the wrong clue is expected to prevent
    the misplay.
    """
    common, view = state.common, state.turn_view
    if is_any(state.verdict.name, URGENT) or state.offers.available < 0:
        return
    for order in members((view.misplays | view.bad_cards) & state.offers.fixable & ~view.cards[game.seat]):
        is_coming = view.misplays >> order & 1
        if not is_coming and view.needed >> game.identity[order] & 1:
            continue
        common.fixable_turn[order] = game.turn
        common.fixable_seat[order] = game.seat
        if is_coming and (game.place[order] != called or game.seat == common.source_seat[order]):
            common.unfixed_turn[order] = game.turn
            common.unfixed_seat[order] = game.seat


def _pass_to_fixer(game: Game, state: ConventionState, order: int) -> None:
    """If a wrong clue stood for more than two rounds, blame the last player who should have fixed it.

    Otherwise, or without such a player in the last round, record the last who could have fixed it, if any.
    """
    common, verdict = state.common, state.verdict
    if verdict.fault_rule not in (FaultRule.BAD_CARD, FaultRule.FALSE_CLUE, FaultRule.LATER_COPY):
        return
    clued_turn, unfixed_turn = verdict.fault_turn, common.unfixed_turn[order]
    if game.turn - clued_turn > 2 * game.seats and unfixed_turn > max(clued_turn, game.turn - game.seats):
        seat = common.unfixed_seat[order]
        _blame_seat(game, state, seat, common.source_seat[order], FaultRule.NOT_FIXED, unfixed_turn)
    elif common.fixable_turn[order] > clued_turn:
        verdict.unfixed_seat = common.fixable_seat[order]
        verdict.unfixed_turn = common.fixable_turn[order]


def find_fault(game: Game, state: ConventionState, order: int, number: int) -> None:
    """Find the seat at fault for the misplay of the card `order`, whose identity is `number`."""
    _find_culprit(game, state, order, number)
    _pass_to_fixer(game, state, order)
    verdict = state.verdict
    excused = verdict.fault not in (Fault.PLAYER, Fault.NONE) and verdict.fault_rule != FaultRule.INTENDED
    gambled = verdict.fault_rule in (FaultRule.GAMBLE, FaultRule.TOLD_TRASH)
    if (excused or gambled) and _is_known_unfit(game, order):
        # The player knew that the play would fail, so it was neither required nor a gamble.
        _blame_player(game, state, FaultRule.KNOWN_UNFIT)


def _is_known_unfit(game: Game, order: int) -> bool:
    """Return whether the player to move knows, from clues and seen cards, that a card does not fit."""
    for i in range(game.hand_len[game.seat]):
        if game.hands[game.seat][i] == order:
            return game.know.known[game.seat][i] & game.playable == 0
    return False


def _find_culprit(game: Game, state: ConventionState, order: int, number: int) -> None:
    """Find the seat at fault from the messages, even if the player knows that the card does not fit."""
    view, common = state.turn_view, state.common
    belief = view.belief[order]
    if common.weight[order] < BUILT_UPON and belief & common.source_ids[order]:
        # The message was withdrawn when the player did not play the card; a later play still relies on it.
        belief &= common.source_ids[order]
    unfit = belief & ~game.playable
    last_round = game.drawn == game.cards and game.strikes + 1 < game.rules.strikes_to_lose
    last_chance = last_round and unfit and belief & game.playable
    call = open_step_of(state, order)
    gotten = view.gotten >> order & 1
    # A broken call counts only on the player's first turn after it.
    breaker = common.breaker_seat[order] if game.turn - common.breaker_turn[order] < game.seats else -1
    supposed = is_supposed_call(game, state, order)
    other = _other_call(game, state, order) if unfit or not gotten else -1
    if state.verdict.name == Convention.POSITIONAL_MISPLAY or last_chance:
        _blame_nobody(state, FaultRule.INTENDED)
    elif call >= 0:
        _fault_of_call(game, state, number, call)
    elif not gotten and breaker >= 0 and common.breaker_called[order]:
        _blame_seat(game, state, breaker, -1, FaultRule.BROKEN_CALL, common.breaker_turn[order])
    elif not gotten and supposed and common.supposed_card[game.seat] == order:
        _blame_unclear_giver(game, state, FaultRule.FALSE_CALL)
    elif other >= 0:
        _fault_of_wrong_card(game, state, other)
    elif not gotten and supposed and not is_impossible_call(game, state, order):
        _blame_unclear_giver(game, state, FaultRule.UNCLEAR_CALL)
    elif not gotten and is_save_misread(game, state, order):
        _blame_player(game, state, FaultRule.SAVE_MISREAD)
    elif not gotten and supposed:
        # An unclear clue may have misled the player, who could tell that it did not call this card.
        blame(
            state.verdict,
            Fault.SHARED,
            common.supposed_giver[game.seat],
            FaultRule.UNCLEAR_CALL,
            common.supposed_turn[game.seat],
        )
    elif not gotten:
        _blame_player(game, state, FaultRule.NO_MESSAGE)
    elif view.known_trash >> order & 1:
        _blame_player(game, state, FaultRule.TOLD_TRASH)
    elif _skips_ones(game, state, order):
        _blame_player(game, state, FaultRule.WRONG_CARD)
    elif unfit == 0:
        _fault_if_certain(game, state, order, number, breaker)
    else:
        _fault_if_doubtful(game, state, order, number, breaker)


def _skips_ones(game: Game, state: ConventionState, order: int) -> bool:
    """Return whether a 1 is played before a playable 1 of its clue, out of order and not to move a chop."""
    verdict, common = state.verdict, state.common
    if verdict.name != Convention.ORDER_OF_ONES or not verdict.reasons >> Reason.OUT_OF_ORDER & 1:
        return False
    for card in game.hands[game.seat][: game.hand_len[game.seat]]:
        number = game.identity[card]
        same = common.source_turn[card] == common.source_turn[order] and common.source_seat[card] >= 0
        if card != order and same and number >= 0 and number & 7 == 1 and game.playable >> number & 1:
            return True
    return False


def _blame_unclear_giver(game: Game, state: ConventionState, rule: int) -> None:
    """Blame the giver of a clue that seemed to call the card."""
    common, seat = state.common, game.seat
    blame(state.verdict, Fault.GIVER, common.supposed_giver[seat], rule, common.supposed_turn[seat])


def _fault_of_wrong_card(game: Game, state: ConventionState, index: int) -> None:
    """Find the seat at fault if a card other than the played one was called."""
    call = state.calls[index]
    step = call.steps[call.done]
    called = game.identity[step.order]
    if step.seat == game.seat and called >= 0 and not game.playable >> called & 1:
        # The called card would also have been a strike.
        blame(state.verdict, Fault.SHARED, call.giver, FaultRule.CONTRADICTION, call.turn)
    else:
        _blame_player(game, state, FaultRule.WRONG_CARD)


def _fault_of_call(game: Game, state: ConventionState, number: int, index: int) -> None:
    """Find the seat at fault if the played card is the open step of a call."""
    common, call = state.common, state.calls[index]
    step = call.steps[call.done]
    in_front = step.kind in (StepKind.LAYER, StepKind.HIDDEN_PROMPT)
    is_meant = in_front or step.ids >> number & 1 != 0
    if is_meant and state.turn_view.needed >> number & 1:
        # The player had to wait until other cards were played first.
        _blame_player(game, state, FaultRule.NOT_AWAITED)
    elif is_meant and common.copy_turn[number] >= call.turn:
        _blame_seat(game, state, common.copy_player[number], call.giver, FaultRule.BROKEN_CALL, -1)
    else:
        _blame_seat(game, state, call.giver, call.giver, FaultRule.FALSE_CALL, call.turn)


def _other_call(game: Game, state: ConventionState, order: int) -> int:
    """Return the index of the open call that a play of `order` seems to answer, -1 if there is none."""
    for index in range(state.call_places):
        call = state.calls[index]
        if call.is_open == 0 or call.done >= call.length:
            continue
        step = call.steps[call.done]
        if step.seat == game.seat and step.ids & game.playable and game.possible[order] & step.ids:
            return index
        for later in range(call.done + 1, call.length):
            if call.steps[later].order == order:
                return index
    return -1


def _late_call(state: ConventionState, order: int) -> int:
    """Return the index of an open call with focus `order` in which a player missed a step, or -1."""
    for index in range(state.call_places):
        call = state.calls[index]
        if call.is_open and call.focus == order and call.done < call.length and call.late_seat >= 0:
            return index
    return -1


def _blame_late(game: Game, state: ConventionState, index: int, giver: int) -> None:
    call = state.calls[index]
    _blame_seat(game, state, call.late_seat, giver, FaultRule.BROKEN_CHAIN, call.late_turn)


def _fault_if_certain(game: Game, state: ConventionState, order: int, number: int, breaker: int) -> None:
    """Find the seat at fault if every identity that the player considered possible was playable.

    `breaker` is the seat that ended the call of the card, or -1.
    """
    common = state.common
    giver = common.source_seat[order]
    how = common.source_flags[order]
    is_meant = common.source_ids[order] >> number & 1
    needed = state.turn_view.needed >> number & 1
    if giver < 0:
        _blame_nobody(state, FaultRule.UNLUCKY)
    elif how & BAD_TOUCH:
        _blame_seat(game, state, giver, giver, FaultRule.BAD_CARD, common.source_turn[order])
    elif how & UNSEEN_BAD_TOUCH:
        _blame_nobody(state, FaultRule.UNLUCKY)
    elif not needed and common.copy_turn[number] == common.source_turn[order]:
        # The same clue got both copies.
        _blame_seat(game, state, giver, giver, FaultRule.BAD_CARD, common.source_turn[order])
    elif not needed and common.copy_turn[number] > common.source_turn[order]:
        if common.copy_sender[number] == game.seat and common.twin_turn[number] >= 0:
            # The player got the other copy without seeing this one, which the copy's player could have named.
            blame(
                state.verdict,
                Fault.SHARED,
                common.copy_player[number],
                FaultRule.LATER_COPY,
                common.twin_turn[number],
            )
            return
        _blame_seat(
            game, state, common.copy_sender[number], giver, FaultRule.LATER_COPY, common.copy_turn[number]
        )
    elif not needed and is_meant:
        _blame_nobody(state, FaultRule.UNLUCKY)
    elif is_meant and breaker >= 0:
        _blame_seat(game, state, breaker, giver, FaultRule.BROKEN_CHAIN, common.breaker_turn[order])
    elif is_meant and common.repaired >> order & 1:
        # A clue has just repaired the call that had to be answered first.
        _blame_player(game, state, FaultRule.NOT_AWAITED)
    elif is_meant and _late_call(state, order) >= 0:
        _blame_late(game, state, _late_call(state, order), giver)
    elif is_meant:
        blame(state.verdict, Fault.SHARED, giver, FaultRule.CONTRADICTION, common.source_turn[order])
    else:
        _blame_seat(game, state, giver, giver, FaultRule.FALSE_CLUE, common.source_turn[order])


def _fault_if_doubtful(game: Game, state: ConventionState, order: int, number: int, breaker: int) -> None:
    """Find the seat at fault if the player knew that the card might not be playable.

    `breaker` is the seat that ended the call of the card, or -1.
    """
    view, common = state.turn_view, state.common
    giver = common.source_seat[order]
    if not view.belief[order] >> number & 1:
        if giver < 0 or giver == game.seat:
            _blame_player(game, state, FaultRule.GAMBLE)
        else:
            blame(state.verdict, Fault.SHARED, giver, FaultRule.CONTRADICTION, common.source_turn[order])
        return
    waits = (view.hypo_playable >> number | common.repaired >> order) & 1 != 0
    late = _late_call(state, order)
    must_wait = view.belief[order] & game.playable == 0
    must_wait = must_wait or (breaker >= 0 and view.belief[order] & ~game.playable & view.critical != 0)
    if must_wait and (late >= 0 or breaker >= 0):
        # The player knew that an earlier card was missing, or risked a last copy after a broken call.
        if breaker >= 0 and breaker != game.seat:
            blame(state.verdict, Fault.SHARED, breaker, FaultRule.NOT_AWAITED, common.breaker_turn[order])
        else:
            _blame_player(game, state, FaultRule.NOT_AWAITED)
        return
    if late >= 0:
        _blame_late(game, state, late, giver)
        return
    for call in state.calls[: state.call_places]:
        if call.is_open and call.focus == order and call.done < call.length:
            waits = True
    if breaker >= 0:
        _blame_seat(game, state, breaker, giver, FaultRule.BROKEN_CHAIN, common.breaker_turn[order])
    elif waits:
        _blame_player(game, state, FaultRule.NOT_AWAITED)
    elif common.source_flags[order] & ON_CHOP:
        _blame_player(game, state, FaultRule.SAVE_MISREAD)
    elif is_supposed_call(game, state, order):
        _blame_unclear_giver(game, state, FaultRule.UNCLEAR_CALL)
    else:
        _blame_player(game, state, FaultRule.GAMBLE)

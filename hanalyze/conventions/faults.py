"""Who is at fault for a misplay: who told the player what, and was it so.

In: a turn that was looked at, and the card about to be misplayed, while its calls are still open. Out: who is
at fault, that seat, and the rule that decided, in the verdict. Only the past counts: which
identities the last message about the card left open, whether the giver could see the truth, and who has
ignored a call since.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.calls import open_step_of
from hanalyze.conventions.classes import is_any, set_of
from hanalyze.conventions.common_knowledge import (
    TOLD_BADLY,
    TOLD_ON_CHOP,
    TOLD_UNAWARE,
    note_source,
    note_weight,
)
from hanalyze.conventions.hands import elsewhere
from hanalyze.conventions.refused_clues import asks_for, note_answer, note_unclear, took_a_save
from hanalyze.conventions.state import Reading
from hanalyze.conventions.steps import MAX_CALLS
from hanalyze.conventions.verdict import blame
from hanalyze.conventions.weights import BUILT_UPON, UNEXPLAINED
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention, Fault, FaultRule, Reason, StepKind
from hanalyze.kernels.compiling import kernel

_ANSWERS: Final = set_of(Convention.BLIND_PLAY, Convention.PROMPTED_PLAY)


@kernel
def note_clue(game: Game, reading: Reading, tells: bool) -> None:
    """Remember what the clue told of the cards that it newly touched, and of its focus.

    `tells` says whether it says anything of its focus.
    """
    clue, look, verdict, told = reading.clue, reading.look, reading.verdict, reading.told
    seen = elsewhere(game, look, clue.giver)
    known = elsewhere(game, look, clue.receiver)
    once = 0
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        newly = clue.newly >> order & 1
        is_focus = order == verdict.focus
        if not newly and not (is_focus and tells):
            continue
        number = game.identity[order]
        how = 0
        if newly:
            if is_focus and verdict.on_chop:
                how |= TOLD_ON_CHOP
            if number >= 0 and not look.gotten >> order & 1:
                one = 1 << number
                if not look.needed & one or (seen | once) & one:
                    how |= TOLD_BADLY
                elif known & one:
                    how |= TOLD_UNAWARE
                once |= one
        note_source(told, order, game.turn, clue.giver, told.inferred[order], how)
        if is_focus and verdict.name == Convention.UNEXPLAINED:
            note_weight(told, order, UNEXPLAINED)
    note_unclear(game, reading)


@kernel
def note_play(game: Game, reading: Reading, order: int, number: int) -> None:
    """Remember who got the copy that is played now, and who plays it."""
    told = reading.told
    told.taken_turn[number] = game.turn
    told.taken_from[number] = game.seat
    told.taken_by[number] = game.seat
    if is_any(reading.verdict.name, _ANSWERS):
        note_answer(game, reading)
    if reading.look.gotten >> order & 1 and told.source_seat[order] >= 0:
        told.taken_turn[number] = told.got_turn[order]
        told.taken_from[number] = told.source_seat[order]


@kernel
def _blame_seat(game: Game, reading: Reading, seat: int, giver: int, rule: int, turn: int) -> None:
    """Blame a seat in its role: the player who misplays, the giver of the message, or a third player.

    `turn` is that of what they did, -1 where that is no one action.
    """
    if seat == game.seat:
        blame(reading.verdict, Fault.PLAYER, seat, rule, turn)
    elif seat == giver:
        blame(reading.verdict, Fault.GIVER, seat, rule, turn)
    else:
        blame(reading.verdict, Fault.THIRD, seat, rule, turn)


@kernel
def _blame_nobody(reading: Reading, rule: int) -> None:
    blame(reading.verdict, Fault.NOBODY, -1, rule, -1)


@kernel
def _blame_player(game: Game, reading: Reading, rule: int) -> None:
    blame(reading.verdict, Fault.PLAYER, game.seat, rule, game.turn)


@kernel
def find_fault(game: Game, reading: Reading, order: int, number: int) -> None:
    """Find who is at fault for the misplay of `order`, which is `number`."""
    _find_culprit(game, reading, order, number)
    verdict = reading.verdict
    excused = verdict.fault not in (Fault.PLAYER, Fault.NONE) and verdict.fault_rule != FaultRule.INTENDED
    gambled = verdict.fault_rule in (FaultRule.GAMBLE, FaultRule.TOLD_TRASH)
    if (excused or gambled) and _is_known_unfit(game, order):
        # Whatever the others did: nobody has to play what cannot fit. No chance was taken, either.
        _blame_player(game, reading, FaultRule.KNOWN_UNFIT)


@kernel
def _is_known_unfit(game: Game, order: int) -> bool:
    """Return whether the player to move knows, from clues and seen cards, that a card does not fit."""
    for i in range(game.hand_len[game.seat]):
        if game.hands[game.seat][i] == order:
            return game.know.known[game.seat][i] & game.playable == 0
    return False


@kernel
def _find_culprit(game: Game, reading: Reading, order: int, number: int) -> None:
    """Find who is at fault, the player's certain knowledge aside."""
    look, told = reading.look, reading.told
    sees = look.sees[order]
    if told.weight[order] < BUILT_UPON and sees & told.ids[order]:
        # It was taken back when the player left it; who comes back to it goes by the message all the same.
        sees &= told.ids[order]
    unfit = sees & ~game.playable
    last_round = game.drawn == game.cards and game.strikes + 1 < game.rules.strikes_to_lose
    tried = last_round and unfit and sees & game.playable
    call = open_step_of(reading, order)
    gotten = look.gotten >> order & 1
    # Whoever ended a call is forgotten once the player has had a turn since.
    breaker = told.breaker_seat[order] if game.turn - told.breaker_turn[order] < game.seats else -1
    asked = asks_for(game, reading, order)
    other = _other_call(game, reading, order) if unfit or not gotten else -1
    if reading.verdict.name == Convention.POSITIONAL_MISPLAY or tried:
        _blame_nobody(reading, FaultRule.INTENDED)
    elif call >= 0:
        _fault_of_call(game, reading, number, call)
    elif not gotten and breaker >= 0 and told.breaker_called[order]:
        _blame_seat(game, reading, breaker, -1, FaultRule.BROKEN_CALL, told.breaker_turn[order])
    elif not gotten and asked and told.asked_surely[game.seat] == order:
        _blame_asker(game, reading, FaultRule.FALSE_CALL)
    elif other >= 0:
        _fault_of_wrong_card(game, reading, other)
    elif not gotten and asked:
        _blame_asker(game, reading, FaultRule.UNCLEAR_CALL)
    elif not gotten and took_a_save(game, reading, order):
        _blame_player(game, reading, FaultRule.SAVE_MISREAD)
    elif not gotten:
        _blame_player(game, reading, FaultRule.NO_MESSAGE)
    elif look.known_trash >> order & 1:
        _blame_player(game, reading, FaultRule.TOLD_TRASH)
    elif _skips_ones(game, reading, order):
        _blame_player(game, reading, FaultRule.WRONG_CARD)
    elif unfit == 0:
        _fault_of_promise(game, reading, order, number, breaker)
    else:
        _fault_of_doubt(game, reading, order, number, breaker)


@kernel
def _skips_ones(game: Game, reading: Reading, order: int) -> bool:
    """Return whether a 1 is played before its turn, though another of its clue fits, and tells nothing by it.

    In the order agreed a bad one of several can come last, with time left to tell of it.
    """
    verdict, told = reading.verdict, reading.told
    if verdict.name != Convention.ORDER_OF_ONES or not verdict.reasons >> Reason.OUT_OF_ORDER & 1:
        return False
    for i in range(game.hand_len[game.seat]):
        card = game.hands[game.seat][i]
        number = game.identity[card]
        same = told.source_turn[card] == told.source_turn[order] and told.source_seat[card] >= 0
        if card != order and same and number >= 0 and number & 7 == 1 and game.playable >> number & 1:
            return True
    return False


@kernel
def _blame_asker(game: Game, reading: Reading, rule: int) -> None:
    """Blame the giver of a clue that seemed to call the card."""
    told, seat = reading.told, game.seat
    blame(reading.verdict, Fault.GIVER, told.asked_seat[seat], rule, told.asked_turn[seat])


@kernel
def _fault_of_wrong_card(game: Game, reading: Reading, index: int) -> None:
    """Find who is at fault where another card than this one was called."""
    call = reading.calls[index]
    step = call.steps[call.done]
    called = game.identity[step.order]
    if step.seat == game.seat and called >= 0 and not game.playable >> called & 1:
        # The called card would have been a strike as well.
        blame(reading.verdict, Fault.SHARED, call.giver, FaultRule.CONTRADICTION, call.turn)
    else:
        _blame_player(game, reading, FaultRule.WRONG_CARD)


@kernel
def _fault_of_call(game: Game, reading: Reading, number: int, index: int) -> None:
    """Find who is at fault where the card is what a call waits for."""
    told, call = reading.told, reading.calls[index]
    step = call.steps[call.done]
    in_front = step.kind in (StepKind.LAYER, StepKind.HIDDEN_PROMPT)
    meant = in_front or step.ids >> number & 1 != 0
    if meant and reading.look.needed >> number & 1:
        # It will fit, after cards that the player was to wait for.
        _blame_player(game, reading, FaultRule.NOT_AWAITED)
    elif meant and told.taken_turn[number] >= call.turn:
        _blame_seat(game, reading, told.taken_by[number], call.giver, FaultRule.BROKEN_CALL, -1)
    else:
        _blame_seat(game, reading, call.giver, call.giver, FaultRule.FALSE_CALL, call.turn)


@kernel
def _other_call(game: Game, reading: Reading, order: int) -> int:
    """Return the index of a call in whose place this card seems to be played, -1 if there is none."""
    for index in range(MAX_CALLS):
        call = reading.calls[index]
        if call.is_open == 0 or call.done >= call.length:
            continue
        step = call.steps[call.done]
        if step.seat == game.seat and step.ids & game.playable and game.possible[order] & step.ids:
            return index
        for later in range(call.done + 1, call.length):
            if call.steps[later].order == order:
                return index
    return -1


@kernel
def _late_call(reading: Reading, order: int) -> int:
    """Return the index of the call before a card that somebody let pass, -1 if nobody did."""
    for index in range(MAX_CALLS):
        call = reading.calls[index]
        if call.is_open and call.focus == order and call.done < call.length and call.late_seat >= 0:
            return index
    return -1


@kernel
def _blame_late(game: Game, reading: Reading, index: int, giver: int) -> None:
    """Blame who let the call pass that had to be answered before a card."""
    call = reading.calls[index]
    _blame_seat(game, reading, call.late_seat, giver, FaultRule.BROKEN_CHAIN, call.late_turn)


@kernel
def _fault_of_promise(game: Game, reading: Reading, order: int, number: int, breaker: int) -> None:
    """Find who is at fault where the card should have fitted, whatever it might be."""
    told = reading.told
    giver = told.source_seat[order]
    how = told.how_told[order]
    meant = told.ids[order] >> number & 1
    needed = reading.look.needed >> number & 1
    if giver < 0:
        _blame_nobody(reading, FaultRule.UNLUCKY)
    elif how & TOLD_BADLY:
        _blame_seat(game, reading, giver, giver, FaultRule.BAD_CARD, told.source_turn[order])
    elif how & TOLD_UNAWARE:
        _blame_nobody(reading, FaultRule.UNLUCKY)
    elif not needed and told.taken_turn[number] == told.source_turn[order]:
        # One clue got both copies.
        _blame_seat(game, reading, giver, giver, FaultRule.BAD_CARD, told.source_turn[order])
    elif not needed and told.taken_turn[number] > told.source_turn[order]:
        _blame_seat(
            game, reading, told.taken_from[number], giver, FaultRule.LATER_COPY, told.taken_turn[number]
        )
    elif not needed and meant:
        _blame_nobody(reading, FaultRule.UNLUCKY)
    elif meant and breaker >= 0:
        _blame_seat(game, reading, breaker, giver, FaultRule.BROKEN_CHAIN, told.breaker_turn[order])
    elif meant and told.helped >> order & 1:
        # A clue just made good what had to be played first.
        _blame_player(game, reading, FaultRule.NOT_AWAITED)
    elif meant and _late_call(reading, order) >= 0:
        _blame_late(game, reading, _late_call(reading, order), giver)
    elif meant:
        blame(reading.verdict, Fault.SHARED, giver, FaultRule.CONTRADICTION, told.source_turn[order])
    else:
        _blame_seat(game, reading, giver, giver, FaultRule.FALSE_CLUE, told.source_turn[order])


@kernel
def _fault_of_doubt(game: Game, reading: Reading, order: int, number: int, breaker: int) -> None:
    """Find who is at fault where the player knew that the card may not fit."""
    look, told = reading.look, reading.told
    giver = told.source_seat[order]
    if not look.sees[order] >> number & 1:
        if giver < 0 or giver == game.seat:
            _blame_player(game, reading, FaultRule.GAMBLE)
        else:
            blame(reading.verdict, Fault.SHARED, giver, FaultRule.CONTRADICTION, told.source_turn[order])
        return
    waits = (look.hypo_playable >> number | told.helped >> order) & 1 != 0
    late = _late_call(reading, order)
    if look.sees[order] & game.playable == 0 and (late >= 0 or breaker >= 0):
        # The player knew that the card before it is still to come, whoever let its call pass.
        if breaker >= 0 and breaker != game.seat:
            blame(reading.verdict, Fault.SHARED, breaker, FaultRule.NOT_AWAITED, told.breaker_turn[order])
        else:
            _blame_player(game, reading, FaultRule.NOT_AWAITED)
        return
    if late >= 0:
        _blame_late(game, reading, late, giver)
        return
    for index in range(MAX_CALLS):
        call = reading.calls[index]
        if call.is_open and call.focus == order and call.done < call.length:
            waits = True
    if breaker >= 0:
        _blame_seat(game, reading, breaker, giver, FaultRule.BROKEN_CHAIN, told.breaker_turn[order])
    elif waits:
        _blame_player(game, reading, FaultRule.NOT_AWAITED)
    elif told.how_told[order] & TOLD_ON_CHOP:
        _blame_player(game, reading, FaultRule.SAVE_MISREAD)
    elif asks_for(game, reading, order):
        _blame_asker(game, reading, FaultRule.UNCLEAR_CALL)
    else:
        _blame_player(game, reading, FaultRule.GAMBLE)

"""Who is at fault for a misplay: who told the player what, and was it so.

In: a turn that `look` has looked at, and the card about to be misplayed, while its calls are still open. Out:
who is at fault, that seat, and the rule that decided. Only the past counts: what the last message about the
card left it to be, whether the giver could see that, and who did something else than was called for since.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.calls import note_source, open_step_of
from hanalyze.conventions.chains import away
from hanalyze.conventions.hands import elsewhere, finesse_position
from hanalyze.conventions.reading import MAX_CALLS, TOLD_BADLY, TOLD_ON_CHOP, TOLD_UNAWARE, Reading
from hanalyze.engine.game import Game
from hanalyze.kernels.compiling import kernel

__all__ = ["find_fault", "note_clue", "note_play"]


@kernel
def note_clue(game: Game, reading: Reading, receiver: int, newly: int, tells: bool) -> None:
    """Remember what a clue told of the cards that it newly touched, and of its focus.

    `tells` says whether it says anything of its focus.
    """
    giver = game.seat
    seen = elsewhere(game, reading, giver)
    known = elsewhere(game, reading, receiver)
    focus = reading.verdict.focus
    once = 0
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        bit = 1 << order
        is_focus = order == focus and tells
        if not newly & bit and not is_focus:
            continue
        number = game.identity[order]
        how = 0
        if newly & bit:
            if order == focus and reading.verdict.on_chop:
                how |= TOLD_ON_CHOP
            if number >= 0 and not reading.look.gotten & bit:
                one = 1 << number
                if not reading.look.needed & one or (seen | once) & one:
                    how |= TOLD_BADLY
                elif known & one:
                    how |= TOLD_UNAWARE
                once |= one
        told = reading.told.inferred[order]
        note_source(game, reading, order, told, how)
    if reading.verdict.name == codes.UNEXPLAINED and focus >= 0 and reading.verdict.chain.length == 0:
        _note_asked(game, reading, receiver)


@kernel
def _note_asked(game: Game, reading: Reading, receiver: int) -> None:
    """Remember whose finesse position a clue without a chain seems to ask for."""
    number = game.identity[reading.verdict.focus]
    following = (game.seat + 1) % game.seats
    if number < 0 or away(game, reading.look.hypo_playable, number) < 1:
        return
    direct = reading.look.sees[reading.verdict.focus] & reading.verdict.touch & reading.look.hypo_playable
    if following == receiver and direct:
        return
    reading.told.asked = finesse_position(game, reading, following, reading.verdict.touched)
    reading.told.asked_by = game.turn * 8 + game.seat + 1


@kernel
def note_play(game: Game, reading: Reading, order: int, number: int) -> None:
    """Remember who got the copy that is played now, and who plays it."""
    seat = game.seat
    got = seat + 1
    when = game.turn
    if reading.look.gotten >> order & 1 and reading.told.source[order]:
        got = reading.told.source[order] & 7
        when = reading.told.got_turn[order]
    reading.told.taken[number] = when * 64 + got * 8 + seat + 1


@kernel
def _answer(who: int, seat: int, rule: int) -> int:
    """Return who is at fault, the seat and the rule as one number."""
    return who + rule * 8 + (seat + 1) * 128


@kernel
def _role(game: Game, seat: int, giver: int) -> int:
    """Return what a seat is to a misplay of the player to move."""
    if seat == game.seat:
        return codes.PLAYER
    return codes.GIVER if seat == giver else codes.THIRD


@kernel
def find_fault(game: Game, reading: Reading, order: int, number: int) -> int:
    """Return who is at fault for the misplay of `order`, which is `number`.

    As one number: `fault + rule * 8 + (seat + 1) * 128`.
    """
    seat = game.seat
    sees = reading.look.sees[order]
    unfit = sees & ~game.playable
    if reading.verdict.name == codes.POSITIONAL_MISPLAY:
        return _answer(codes.NOBODY, -1, codes.INTENDED)
    last_round = game.drawn == game.cards and game.strikes + 1 < game.rules.strikes_to_lose
    if last_round and unfit and sees & game.playable:
        return _answer(codes.NOBODY, -1, codes.INTENDED)
    chain = open_step_of(reading, order)
    if chain >= 0:
        return _fault_of_call(game, reading, order, number, chain)
    breaker = reading.told.breaker[order]
    if game.turn - breaker // 16 >= game.seats:
        # The player has had a turn since.
        breaker = 0
    gotten = reading.look.gotten >> order & 1
    if not gotten and breaker & 8:
        who = (breaker & 7) - 1
        return _answer(_role(game, who, -1), who, codes.BROKEN_CALL)
    if not gotten and order == reading.told.asked and game.turn - reading.told.asked_by // 8 < game.seats:
        giver = (reading.told.asked_by & 7) - 1
        return _answer(_role(game, giver, giver), giver, codes.FALSE_CALL)
    if _other_is_called(game, reading, order, unfit != 0 or not gotten):
        return _answer(codes.PLAYER, seat, codes.WRONG_CARD)
    if not gotten:
        return _answer(codes.PLAYER, seat, codes.NO_MESSAGE)
    if reading.look.known_trash >> order & 1:
        return _answer(codes.PLAYER, seat, codes.GAMBLE)
    if unfit == 0:
        return _fault_of_promise(game, reading, order, number, breaker)
    return _fault_of_doubt(game, reading, order, number, breaker)


@kernel
def _fault_of_call(game: Game, reading: Reading, order: int, number: int, chain: int) -> int:
    """Find who is at fault where the card is what a call waits for."""
    seat = game.seat
    call = reading.calls[chain]
    giver = call.giver
    step = reading.calls[chain].steps[call.done]
    if not step.ids >> number & 1:
        return _answer(_role(game, giver, giver), giver, codes.FALSE_CALL)
    if reading.look.needed >> number & 1:
        # It will fit, after cards that the player was to wait for.
        return _answer(codes.PLAYER, seat, codes.NOT_AWAITED)
    taken = reading.told.taken[number]
    if taken and taken // 64 >= call.turn:
        who = (taken & 7) - 1
        return _answer(_role(game, who, giver), who, codes.BROKEN_CALL)
    return _answer(_role(game, giver, giver), giver, codes.FALSE_CALL)


@kernel
def _other_is_called(game: Game, reading: Reading, order: int, doubtful: bool) -> bool:
    """Return whether another card of the player to move was called, for which this one was taken."""
    if not doubtful:
        return False
    seat = game.seat
    for chain in range(MAX_CALLS):
        call = reading.calls[chain]
        if call.is_open == 0 or call.done >= call.length:
            continue
        step = reading.calls[chain].steps[call.done]
        ids = step.ids
        due = ids & game.playable
        if step.seat == seat and due and game.possible[order] & ids:
            return True
        for later in range(call.done + 1, call.length):
            if reading.calls[chain].steps[later].order == order:
                return True
    return False


@kernel
def _fault_of_promise(game: Game, reading: Reading, order: int, number: int, breaker: int) -> int:
    """Find who is at fault where the card should have fitted, whatever it might be."""
    source = reading.told.source[order]
    giver = (source & 7) - 1
    how = reading.told.how_told[order]
    if source == 0:
        return _answer(codes.NOBODY, -1, codes.UNLUCKY)
    if how & TOLD_BADLY:
        return _answer(_role(game, giver, giver), giver, codes.BAD_CARD)
    if how & TOLD_UNAWARE:
        return _answer(codes.NOBODY, -1, codes.UNLUCKY)
    told = reading.told.ids[order] >> number & 1
    if not reading.look.needed >> number & 1:
        taken = reading.told.taken[number]
        if taken // 64 > source // 8:
            who = (taken >> 3 & 7) - 1
            return _answer(_role(game, who, giver), who, codes.LATER_COPY)
        if told:
            return _answer(codes.NOBODY, -1, codes.UNLUCKY)
    if told and breaker:
        who = (breaker & 7) - 1
        return _answer(_role(game, who, giver), who, codes.BROKEN_CHAIN)
    if told:
        return _answer(codes.SHARED, giver, codes.CONTRADICTION)
    return _answer(_role(game, giver, giver), giver, codes.FALSE_CLUE)


@kernel
def _fault_of_doubt(game: Game, reading: Reading, order: int, number: int, breaker: int) -> int:
    """Find who is at fault where the player knew that the card may not fit."""
    seat = game.seat
    giver = (reading.told.source[order] & 7) - 1
    if not reading.look.sees[order] >> number & 1:
        if giver < 0 or giver == seat:
            return _answer(codes.PLAYER, seat, codes.GAMBLE)
        return _answer(codes.SHARED, giver, codes.CONTRADICTION)
    waits = bool(reading.look.hypo_playable >> number & 1)
    for chain in range(MAX_CALLS):
        call = reading.calls[chain]
        if call.is_open == 0 or call.focus != order:
            continue
        if call.done < call.length:
            waits = True
            if call.late:
                who = call.late - 1
                return _answer(_role(game, who, giver), who, codes.BROKEN_CHAIN)
    if breaker:
        who = (breaker & 7) - 1
        return _answer(_role(game, who, giver), who, codes.BROKEN_CHAIN)
    if waits:
        return _answer(codes.PLAYER, seat, codes.NOT_AWAITED)
    if reading.told.how_told[order] & TOLD_ON_CHOP:
        return _answer(codes.PLAYER, seat, codes.SAVE_MISREAD)
    return _answer(codes.PLAYER, seat, codes.GAMBLE)

"""Who is at fault for a misplay: who told the player what, and was it so.

In: a turn that `look` has looked at, and the card about to be misplayed, while its calls are still open. Out:
who is at fault, that seat, and the rule that decided. Only the past counts: what the last message about the
card left it to be, whether the giver could see that, and who did something else than was called for since.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.calls import note_source, open_step_of
from hanalyze.conventions.chains import away
from hanalyze.conventions.hands import elsewhere, finesse_position
from hanalyze.engine.game import Game, Ints
from hanalyze.kernels.compiling import kernel

__all__ = ["find_fault", "note_clue", "note_play"]


@kernel
def note_clue(game: Game, v: Ints, receiver: int, newly: int, tells: bool) -> None:
    """Remember what a clue told of the cards that it newly touched, and of its focus.

    `tells` says whether it says anything of its focus.
    """
    giver = game.seat
    seen = elsewhere(game, v, giver)
    known = elsewhere(game, v, receiver)
    focus = v[at.FOCUS]
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
            if order == focus and v[at.ON_CHOP]:
                how |= at.TOLD_ON_CHOP
            if number >= 0 and not v[at.GOTTEN] & bit:
                one = 1 << number
                if not v[at.NEEDED] & one or (seen | once) & one:
                    how |= at.TOLD_BADLY
                elif known & one:
                    how |= at.TOLD_UNAWARE
                once |= one
        told = v[at.INFERRED + order]
        note_source(game, v, order, told, how)
    if v[at.MAIN] == codes.UNEXPLAINED and focus >= 0 and v[at.STEPS] == 0:
        _note_asked(game, v, receiver)


@kernel
def _note_asked(game: Game, v: Ints, receiver: int) -> None:
    """Remember whose finesse position a clue without a chain seems to ask for."""
    number = game.identity[v[at.FOCUS]]
    following = (game.seat + 1) % game.seats
    if number < 0 or away(game, v[at.HYPO_PLAYABLE], number) < 1:
        return
    direct = v[at.SEES + v[at.FOCUS]] & v[at.TOUCH] & v[at.HYPO_PLAYABLE]
    if following == receiver and direct:
        return
    v[at.ASKED] = finesse_position(game, v, following, v[at.TOUCHED])
    v[at.ASKED_BY] = game.turn * 8 + game.seat + 1


@kernel
def note_play(game: Game, v: Ints, order: int, number: int) -> None:
    """Remember who got the copy that is played now, and who plays it."""
    seat = game.seat
    got = seat + 1
    when = game.turn
    if v[at.GOTTEN] >> order & 1 and v[at.SOURCE + order]:
        got = v[at.SOURCE + order] & 7
        when = v[at.GOT_TURN + order]
    v[at.TAKEN + number] = when * 64 + got * 8 + seat + 1


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
def find_fault(game: Game, v: Ints, order: int, number: int) -> int:
    """Return who is at fault for the misplay of `order`, which is `number`.

    As one number: `fault + rule * 8 + (seat + 1) * 128`.
    """
    seat = game.seat
    sees = v[at.SEES + order]
    unfit = sees & ~game.playable
    if v[at.MAIN] == codes.POSITIONAL_MISPLAY:
        return _answer(codes.NOBODY, -1, codes.INTENDED)
    last_round = game.drawn == game.cards and game.strikes + 1 < game.rules.strikes_to_lose
    if last_round and unfit and sees & game.playable:
        return _answer(codes.NOBODY, -1, codes.INTENDED)
    chain = open_step_of(v, order)
    if chain >= 0:
        return _fault_of_call(game, v, order, number, chain)
    breaker = v[at.BREAKER + order]
    if game.turn - breaker // 16 >= game.seats:
        # The player has had a turn since.
        breaker = 0
    gotten = v[at.GOTTEN] >> order & 1
    if not gotten and breaker & 8:
        who = (breaker & 7) - 1
        return _answer(_role(game, who, -1), who, codes.BROKEN_CALL)
    if not gotten and order == v[at.ASKED] and game.turn - v[at.ASKED_BY] // 8 < game.seats:
        giver = (v[at.ASKED_BY] & 7) - 1
        return _answer(_role(game, giver, giver), giver, codes.FALSE_CALL)
    if _other_is_called(game, v, order, unfit != 0 or not gotten):
        return _answer(codes.PLAYER, seat, codes.WRONG_CARD)
    if not gotten:
        return _answer(codes.PLAYER, seat, codes.NO_MESSAGE)
    if v[at.KNOWN_TRASH] >> order & 1:
        return _answer(codes.PLAYER, seat, codes.GAMBLE)
    if unfit == 0:
        return _fault_of_promise(game, v, order, number, breaker)
    return _fault_of_doubt(game, v, order, number, breaker)


@kernel
def _fault_of_call(game: Game, v: Ints, order: int, number: int, chain: int) -> int:
    """Find who is at fault where the card is what a call waits for."""
    seat = game.seat
    base = at.chain_at(chain)
    giver = v[base + at.CHAIN_GIVER]
    step = at.step_at(chain, v[base + at.CHAIN_DONE])
    if not v[step + at.STEP_IDS] >> number & 1:
        return _answer(_role(game, giver, giver), giver, codes.FALSE_CALL)
    if v[at.NEEDED] >> number & 1:
        # It will fit, after cards that the player was to wait for.
        return _answer(codes.PLAYER, seat, codes.NOT_AWAITED)
    taken = v[at.TAKEN + number]
    if taken and taken // 64 >= v[base + at.CHAIN_TURN]:
        who = (taken & 7) - 1
        return _answer(_role(game, who, giver), who, codes.BROKEN_CALL)
    return _answer(_role(game, giver, giver), giver, codes.FALSE_CALL)


@kernel
def _other_is_called(game: Game, v: Ints, order: int, doubtful: bool) -> bool:
    """Return whether another card of the player to move was called, for which this one was taken."""
    if not doubtful:
        return False
    seat = game.seat
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] == 0 or v[base + at.CHAIN_DONE] >= v[base + at.CHAIN_STEPS]:
            continue
        step = at.step_at(chain, v[base + at.CHAIN_DONE])
        ids = v[step + at.STEP_IDS]
        due = ids & game.playable
        if v[step + at.STEP_SEAT] == seat and due and game.possible[order] & ids:
            return True
        for later in range(v[base + at.CHAIN_DONE] + 1, v[base + at.CHAIN_STEPS]):
            if v[at.step_at(chain, later) + at.STEP_ORDER] == order:
                return True
    return False


@kernel
def _fault_of_promise(game: Game, v: Ints, order: int, number: int, breaker: int) -> int:
    """Find who is at fault where the card should have fitted, whatever it might be."""
    source = v[at.SOURCE + order]
    giver = (source & 7) - 1
    how = v[at.HOW_TOLD + order]
    if source == 0:
        return _answer(codes.NOBODY, -1, codes.UNLUCKY)
    if how & at.TOLD_BADLY:
        return _answer(_role(game, giver, giver), giver, codes.BAD_CARD)
    if how & at.TOLD_UNAWARE:
        return _answer(codes.NOBODY, -1, codes.UNLUCKY)
    told = v[at.TOLD + order] >> number & 1
    if not v[at.NEEDED] >> number & 1:
        taken = v[at.TAKEN + number]
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
def _fault_of_doubt(game: Game, v: Ints, order: int, number: int, breaker: int) -> int:
    """Find who is at fault where the player knew that the card may not fit."""
    seat = game.seat
    giver = (v[at.SOURCE + order] & 7) - 1
    if not v[at.SEES + order] >> number & 1:
        if giver < 0 or giver == seat:
            return _answer(codes.PLAYER, seat, codes.GAMBLE)
        return _answer(codes.SHARED, giver, codes.CONTRADICTION)
    waits = bool(v[at.HYPO_PLAYABLE] >> number & 1)
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] == 0 or v[base + at.CHAIN_FOCUS] != order:
            continue
        if v[base + at.CHAIN_DONE] < v[base + at.CHAIN_STEPS]:
            waits = True
            if v[base + at.CHAIN_LATE]:
                who = v[base + at.CHAIN_LATE] - 1
                return _answer(_role(game, who, giver), who, codes.BROKEN_CHAIN)
    if breaker:
        who = (breaker & 7) - 1
        return _answer(_role(game, who, giver), who, codes.BROKEN_CHAIN)
    if waits:
        return _answer(codes.PLAYER, seat, codes.NOT_AWAITED)
    if v[at.HOW_TOLD + order] & at.TOLD_ON_CHOP:
        return _answer(codes.PLAYER, seat, codes.SAVE_MISREAD)
    return _answer(codes.PLAYER, seat, codes.GAMBLE)

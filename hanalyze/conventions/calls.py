"""Calls that are open: what a message expects of later turns, and how that goes.

In: an action before it is carried out, and the calls of earlier messages. Out: the calls brought up to date,
with their outcomes written to the rows of the findings that opened them. What a card is called for is part of
what later messages mean; how a call ended is an outcome.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.chains import copy_step
from hanalyze.conventions.findings import O, close_row
from hanalyze.conventions.hands import finesse_position
from hanalyze.conventions.reading import MAX_CALLS, TOLD_ON_CHOP, Reading
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.stacks import fits_after
from hanalyze.engine.step import CLUED, DISCARDED, MISPLAYED, PLAYED
from hanalyze.game.cards import MAX_CARDS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest

__all__ = ["close_all", "follow_calls", "keep_card", "note_source", "open_call", "open_step_of"]


@kernel
def open_step_of(reading: Reading, order: int) -> int:
    """Return the oldest call whose open step is a card, -1 if there is none."""
    best = -1
    for chain in range(MAX_CALLS):
        call = reading.calls[chain]
        if call.is_open and call.done < call.length:
            step = reading.calls[chain].steps[call.done]
            earlier = best < 0 or call.turn < reading.calls[best].turn
            if earlier and step.order == order:
                best = chain
    return best


@kernel
def note_source(game: Game, reading: Reading, order: int, told: int, how: int) -> None:
    """Remember that the player to move told which identities a card may have."""
    reading.told.source[order] = game.turn * 8 + game.seat + 1
    reading.told.ids[order] = told
    reading.told.how_told[order] = how
    reading.told.breaker[order] = 0


@kernel
def _release(reading: Reading, chain: int) -> None:
    """Take back what a call said of the cards that it has not come to."""
    call = reading.calls[chain]
    for step in range(call.done, call.length):
        place = reading.calls[chain].steps[step]
        order = place.order
        kind = place.kind
        if kind in (codes.FINESSE_STEP, codes.LAYER_STEP, codes.BLUFF_STEP):
            reading.told.finessed &= ~(1 << order)
            reading.told.inferred[order] = -1
        else:
            reading.told.inferred[order] = -1


@kernel
def _blame(reading: Reading, chain: int, seat: int, turn: int) -> None:
    """Remember who ended a call, by the cards that are left of it."""
    call = reading.calls[chain]
    who = turn * 16 + seat + 1
    if call.focus >= 0:
        reading.told.breaker[call.focus] = who
    for step in range(call.done, call.length):
        reading.told.breaker[reading.calls[chain].steps[step].order] = who + 8


@kernel
def _close(reading: Reading, fates: Ints, chain: int, status: int, turn: int) -> None:
    call = reading.calls[chain]
    _release(reading, chain)
    close_row(fates, call.row, status, turn)
    call.is_open = 0


@kernel
def _free_place(reading: Reading, fates: Ints, turn: int) -> int:
    """Return a place for a call; where all are taken, that of the oldest, which is given up."""
    oldest = 0
    for chain in range(MAX_CALLS):
        call = reading.calls[chain]
        if call.is_open == 0:
            return chain
        if call.turn < reading.calls[oldest].turn:
            oldest = chain
    _close(reading, fates, oldest, codes.CENSORED, turn)
    return oldest


@kernel
def open_call(
    game: Game, reading: Reading, fates: Ints, row: int, receiver: int, name: int, number: int
) -> None:
    """Open the call of the message that was just judged, and mark the cards that it calls."""
    chain = _free_place(reading, fates, game.turn)
    call = reading.calls[chain]
    call.is_open = 1
    call.kind = name
    call.giver = game.seat
    call.receiver = receiver
    call.focus = reading.verdict.focus
    call.identity = number
    call.turn = game.turn
    call.row = row
    call.length = reading.verdict.chain.length
    call.done = 0
    call.deferrals = 0
    call.late = 0
    call.readings = reading.verdict.readings
    for step in range(reading.verdict.chain.length):
        source = reading.verdict.chain.steps[step]
        place = reading.calls[chain].steps[step]
        copy_step(source, place)
        order = source.order
        kind = source.kind
        if kind in (codes.FINESSE_STEP, codes.LAYER_STEP, codes.BLUFF_STEP):
            reading.told.finessed |= 1 << order
            reading.told.queue += 1
            reading.told.call_number[order] = reading.told.queue
            if not reading.look.gotten >> order & 1:
                reading.told.got_turn[order] = game.turn
        reading.told.inferred[order] = source.ids
        note_source(game, reading, order, source.ids, 0)


@kernel
def _steps_are_done(game: Game, reading: Reading, fates: Ints, chain: int, played: int) -> None:
    """Let the receiver know what the focus is, by the steps, of which `played` was the last."""
    call = reading.calls[chain]
    focus = call.focus
    number = call.identity
    kind = call.kind
    if focus < 0:
        # A discard's call: there is nothing more to wait for.
        _close(reading, fates, chain, codes.SUCCESS, game.turn)
        return
    if kind in (codes.BLUFF, codes.SELF_BLUFF):
        # What was called was something else: the focus is not playable yet.
        left = call.readings & ~game.playable
        if left:
            reading.told.inferred[focus] = left
    elif number >= 0:
        reading.told.inferred[focus] = 1 << number
    elif played >= 0 and reading.told.inferred[focus] & fits_after(game, played):
        reading.told.inferred[focus] &= fits_after(game, played)


@kernel
def _narrow(game: Game, reading: Reading, chain: int, order: int, number: int) -> None:
    """Let the receiver of a delayed play clue take the focus for what follows the own card now played."""
    call = reading.calls[chain]
    focus = call.focus
    if call.kind != codes.DELAYED_PLAY_CLUE or reading.told.how_told[focus] & TOLD_ON_CHOP:
        return
    others = reading.look.playing & reading.look.cards[game.seat] & ~(1 << order) & ~(1 << focus)
    while others:
        sees = reading.look.sees[lowest(others)]
        others = drop_lowest(others)
        if not is_one(sees):
            # It may follow that one.
            return
    fits = game.playable & ~(1 << number) | fits_after(game, number)
    left = reading.told.inferred[focus] & (fits | reading.look.hypo_playable | reading.look.hypo_played)
    if left:
        reading.told.inferred[focus] = left


@kernel
def _follow_step(game: Game, reading: Reading, fates: Ints, chain: int, fits: bool, number: int) -> None:
    """Bring a call up to date whose open step is the card now played, with identity `number`."""
    call = reading.calls[chain]
    row = call.row
    there = 0 <= row < fates.shape[1]
    step = reading.calls[chain].steps[call.done]
    if not fits:
        if there:
            fates[O.strikes, row] += 1
        call.done += 1
        _close(reading, fates, chain, codes.BROKEN, game.turn)
        return
    kind = step.kind
    meant = number >= 0 and step.ids >> number & 1
    if not meant and kind == codes.FINESSE_STEP and reading.told.level >= 5:
        # Something else that fits: the card that is meant lies behind it.
        seat = step.seat
        behind = finesse_position(game, reading, seat, 0)
        if behind >= 0 and call.identity < 0:
            step.order = behind
            reading.told.finessed |= 1 << behind
            reading.told.inferred[behind] = step.ids
            return
    call.done += 1
    if there:
        fates[O.followed, row] += 1
    if call.done >= call.length:
        _steps_are_done(game, reading, fates, chain, number)


@kernel
def _passes(
    game: Game, reading: Reading, fates: Ints, chain: int, result: int, order: int, excused: bool
) -> int:
    """Bring a call up to date whose called player did something else; return the reasons, 0 if not due."""
    call = reading.calls[chain]
    step = reading.calls[chain].steps[call.done]
    card = step.order
    number = game.identity[card]
    ids = step.ids
    due = ids & game.playable != 0
    if number >= 0:
        due = game.playable >> number & 1 != 0
    if not due:
        return 0
    row = call.row
    call.deferrals += 1
    if 0 <= row < fates.shape[1]:
        fates[O.deferrals, row] += 1
    legal = excused
    if result == PLAYED:
        earlier = (
            reading.told.finessed >> order & 1
            and reading.told.call_number[order] < reading.told.call_number[card]
        )
        legal = bool(earlier)
    if legal:
        return codes.LEGAL_DEFERRAL
    call.late = game.seat + 1
    now_or_never = call.kind in (codes.POSITIONAL_DISCARD, codes.POSITIONAL_MISPLAY)
    if now_or_never or (call.deferrals >= 2 and result != PLAYED):
        _blame(reading, chain, game.seat, game.turn)
        _close(reading, fates, chain, codes.MISSED, game.turn)
    return codes.LATE


@kernel
def _pass_on(game: Game, reading: Reading, fates: Ints, chain: int) -> None:
    """Let the card that a discard names take the place of the discarded one in a call."""
    call = reading.calls[chain]
    # The call goes on for those who hear it; what was asked of the called player is settled.
    close_row(fates, call.row, codes.PASSED_BACK, game.turn)
    call.row = -1
    card = -1
    if reading.verdict.moved:
        card = lowest(reading.verdict.moved)
    elif reading.verdict.chain.length:
        card = reading.verdict.chain.steps[reading.verdict.chain.length - 1].order
    if card < 0:
        call.done += 1
        if call.done >= call.length:
            _close(reading, fates, chain, codes.PASSED_BACK, game.turn)
        return
    step = reading.calls[chain].steps[call.done]
    step.order = card
    step.seat = game.place[card]
    step.kind = codes.PROMPT_STEP


@kernel
def follow_calls(
    game: Game,
    reading: Reading,
    fates: Ints,
    order: int,
    result: int,
    touched: int,
    passed: bool,
    excused: bool,
) -> int:
    """Bring all calls up to date with an action of the player to move, and return the reasons of deferrals.

    `order` is the card that leaves the hand, -1 for a clue; `result` what comes of it; `touched` the cards
    that a clue touches; `passed` whether a discard hands its card on; `excused` whether what was done may go
    before a called card.
    """
    seat = game.seat
    turn = game.turn
    number = game.identity[order] if order >= 0 else -1
    reasons = 0
    for chain in range(MAX_CALLS):
        call = reading.calls[chain]
        if call.is_open == 0:
            continue
        focus = call.focus
        if order >= 0 and order == focus:
            if result == PLAYED:
                _close(reading, fates, chain, codes.SUCCESS, turn)
            else:
                row = call.row
                if result == MISPLAYED and 0 <= row < fates.shape[1]:
                    fates[O.strikes, row] += 1
                _close(reading, fates, chain, codes.PASSED_BACK if passed else codes.FAILED, turn)
            continue
        identity = call.identity
        if result == PLAYED and number >= 0 and number == identity:
            _blame(reading, chain, seat, turn)
            _close(reading, fates, chain, codes.SUPERSEDED, turn)
            continue
        if call.done >= call.length:
            if result == PLAYED and call.receiver == seat:
                _narrow(game, reading, chain, order, number)
            continue
        step = reading.calls[chain].steps[call.done]
        card = step.order
        if card == order:
            if result == DISCARDED and not passed:
                _blame(reading, chain, seat, turn)
                _close(reading, fates, chain, codes.MISSED, turn)
            elif result == DISCARDED:
                _pass_on(game, reading, fates, chain)
            else:
                _follow_step(game, reading, fates, chain, result == PLAYED, number)
            continue
        if result == PLAYED and step.ids == 1 << max(number, 0):
            # Another copy of what was missing.
            kind = step.kind
            reading.told.breaker[card] = turn * 16 + seat + 9
            if kind == codes.FINESSE_STEP:
                reading.told.finessed &= ~(1 << card)
                reading.told.inferred[card] = -1
            call.done += 1
            if call.done >= call.length:
                _steps_are_done(game, reading, fates, chain, number)
                if call.is_open:
                    _close(reading, fates, chain, codes.SUPERSEDED, turn)
            continue
        if result == CLUED and touched >> card & 1 and reading.told.finessed >> card & 1:
            reasons |= codes.STOMP
            _blame(reading, chain, seat, turn)
            _close(reading, fates, chain, codes.STOMPED, turn)
            continue
        if step.seat == seat and call.turn != turn:
            reasons |= _passes(game, reading, fates, chain, result, order, excused)
    return reasons


@kernel
def keep_card(reading: Reading, fates: Ints, order: int, row: int, turn: int) -> None:
    """Let the fate of a card be written to the row of the message that keeps it now."""
    close_row(fates, reading.told.save_row[order], codes.SUPERSEDED, turn)
    reading.told.save_row[order] = row


@kernel
def close_all(reading: Reading, fates: Ints, turn: int) -> None:
    """Close what is open at the end of the game: nobody knows how it would have gone."""
    for chain in range(MAX_CALLS):
        call = reading.calls[chain]
        if call.is_open:
            close_row(fates, call.row, codes.CENSORED, turn)
            call.is_open = 0
    for order in range(MAX_CARDS):
        close_row(fates, reading.told.save_row[order], codes.CENSORED, turn)
        reading.told.save_row[order] = -1

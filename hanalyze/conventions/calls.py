"""Calls that are open: what a message expects of later turns, and how that goes.

In: an action before it is carried out, and the calls of earlier messages. Out: the calls brought up to date,
with their outcomes written to the rows of the findings that opened them. What a card is called for is part of
what later messages mean; how a call ended is an outcome.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.findings import O, close_row
from hanalyze.conventions.hands import finesse_position
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.stacks import fits_after
from hanalyze.engine.step import CLUED, DISCARDED, MISPLAYED, PLAYED
from hanalyze.game.cards import MAX_CARDS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest

__all__ = ["close_all", "follow_calls", "keep_card", "note_source", "open_call", "open_step_of"]


@kernel
def open_step_of(v: Ints, order: int) -> int:
    """Return the oldest call whose open step is a card, -1 if there is none."""
    best = -1
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] and v[base + at.CHAIN_DONE] < v[base + at.CHAIN_STEPS]:
            step = at.step_at(chain, v[base + at.CHAIN_DONE])
            earlier = best < 0 or v[base + at.CHAIN_TURN] < v[at.chain_at(best) + at.CHAIN_TURN]
            if earlier and v[step + at.STEP_ORDER] == order:
                best = chain
    return best


@kernel
def note_source(game: Game, v: Ints, order: int, told: int, how: int) -> None:
    """Remember that the player to move told which identities a card may have."""
    v[at.SOURCE + order] = game.turn * 8 + game.seat + 1
    v[at.TOLD + order] = told
    v[at.HOW_TOLD + order] = how
    v[at.BREAKER + order] = 0


@kernel
def _release(v: Ints, chain: int) -> None:
    """Take back what a call said of the cards that it has not come to."""
    base = at.chain_at(chain)
    for step in range(v[base + at.CHAIN_DONE], v[base + at.CHAIN_STEPS]):
        place = at.step_at(chain, step)
        order = v[place + at.STEP_ORDER]
        kind = v[place + at.STEP_KIND]
        if kind in (codes.FINESSE_STEP, codes.LAYER_STEP, codes.BLUFF_STEP):
            v[at.FINESSED] &= ~(1 << order)
            v[at.INFERRED + order] = -1
        else:
            v[at.INFERRED + order] = -1


@kernel
def _blame(v: Ints, chain: int, seat: int, turn: int) -> None:
    """Remember who ended a call, by the cards that are left of it."""
    base = at.chain_at(chain)
    who = turn * 16 + seat + 1
    if v[base + at.CHAIN_FOCUS] >= 0:
        v[at.BREAKER + v[base + at.CHAIN_FOCUS]] = who
    for step in range(v[base + at.CHAIN_DONE], v[base + at.CHAIN_STEPS]):
        v[at.BREAKER + v[at.step_at(chain, step) + at.STEP_ORDER]] = who + 8


@kernel
def _close(v: Ints, fates: Ints, chain: int, status: int, turn: int) -> None:
    base = at.chain_at(chain)
    _release(v, chain)
    close_row(fates, v[base + at.CHAIN_ROW], status, turn)
    v[base + at.CHAIN_STATUS] = 0


@kernel
def _free_place(v: Ints, fates: Ints, turn: int) -> int:
    """Return a place for a call; where all are taken, that of the oldest, which is given up."""
    oldest = 0
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] == 0:
            return chain
        if v[base + at.CHAIN_TURN] < v[at.chain_at(oldest) + at.CHAIN_TURN]:
            oldest = chain
    _close(v, fates, oldest, codes.CENSORED, turn)
    return oldest


@kernel
def open_call(game: Game, v: Ints, fates: Ints, row: int, receiver: int, name: int, number: int) -> None:
    """Open the call of the message that was just judged, and mark the cards that it calls."""
    chain = _free_place(v, fates, game.turn)
    base = at.chain_at(chain)
    v[base + at.CHAIN_STATUS] = 1
    v[base + at.CHAIN_KIND] = name
    v[base + at.CHAIN_GIVER] = game.seat
    v[base + at.CHAIN_RECEIVER] = receiver
    v[base + at.CHAIN_FOCUS] = v[at.FOCUS]
    v[base + at.CHAIN_IDENTITY] = number
    v[base + at.CHAIN_TURN] = game.turn
    v[base + at.CHAIN_ROW] = row
    v[base + at.CHAIN_STEPS] = v[at.STEPS]
    v[base + at.CHAIN_DONE] = 0
    v[base + at.CHAIN_DEFERRALS] = 0
    v[base + at.CHAIN_LATE] = 0
    v[base + at.CHAIN_READINGS] = v[at.READINGS]
    for step in range(v[at.STEPS]):
        source = at.STEP + step * at.STEP_SIZE
        place = at.step_at(chain, step)
        for field in range(at.STEP_SIZE):
            v[place + field] = v[source + field]
        order = v[source + at.STEP_ORDER]
        kind = v[source + at.STEP_KIND]
        if kind in (codes.FINESSE_STEP, codes.LAYER_STEP, codes.BLUFF_STEP):
            v[at.FINESSED] |= 1 << order
            v[at.QUEUE] += 1
            v[at.CALL_NUMBER + order] = v[at.QUEUE]
            if not v[at.GOTTEN] >> order & 1:
                v[at.GOT_TURN + order] = game.turn
        v[at.INFERRED + order] = v[source + at.STEP_IDS]
        note_source(game, v, order, v[source + at.STEP_IDS], 0)


@kernel
def _steps_are_done(game: Game, v: Ints, fates: Ints, chain: int, played: int) -> None:
    """Let the receiver know what the focus is, by the steps, of which `played` was the last."""
    base = at.chain_at(chain)
    focus = v[base + at.CHAIN_FOCUS]
    number = v[base + at.CHAIN_IDENTITY]
    kind = v[base + at.CHAIN_KIND]
    if focus < 0:
        # A discard's call: there is nothing more to wait for.
        _close(v, fates, chain, codes.SUCCESS, game.turn)
        return
    if kind in (codes.BLUFF, codes.SELF_BLUFF):
        # What was called was something else: the focus is not playable yet.
        left = v[base + at.CHAIN_READINGS] & ~game.playable
        if left:
            v[at.INFERRED + focus] = left
    elif number >= 0:
        v[at.INFERRED + focus] = 1 << number
    elif played >= 0 and v[at.INFERRED + focus] & fits_after(game, played):
        v[at.INFERRED + focus] &= fits_after(game, played)


@kernel
def _narrow(game: Game, v: Ints, chain: int, order: int, number: int) -> None:
    """Let the receiver of a delayed play clue take the focus for what follows the own card now played."""
    base = at.chain_at(chain)
    focus = v[base + at.CHAIN_FOCUS]
    if v[base + at.CHAIN_KIND] != codes.DELAYED_PLAY_CLUE or v[at.HOW_TOLD + focus] & at.TOLD_ON_CHOP:
        return
    others = v[at.PLAYING] & v[at.CARDS + game.seat] & ~(1 << order) & ~(1 << focus)
    while others:
        sees = v[at.SEES + lowest(others)]
        others = drop_lowest(others)
        if not is_one(sees):
            # It may follow that one.
            return
    fits = game.playable & ~(1 << number) | fits_after(game, number)
    left = v[at.INFERRED + focus] & (fits | v[at.HYPO_PLAYABLE] | v[at.HYPO_PLAYED])
    if left:
        v[at.INFERRED + focus] = left


@kernel
def _follow_step(game: Game, v: Ints, fates: Ints, chain: int, fits: bool, number: int) -> None:
    """Bring a call up to date whose open step is the card now played, with identity `number`."""
    base = at.chain_at(chain)
    row = v[base + at.CHAIN_ROW]
    there = 0 <= row < fates.shape[1]
    step = at.step_at(chain, v[base + at.CHAIN_DONE])
    if not fits:
        if there:
            fates[O.strikes, row] += 1
        v[base + at.CHAIN_DONE] += 1
        _close(v, fates, chain, codes.BROKEN, game.turn)
        return
    kind = v[step + at.STEP_KIND]
    meant = number >= 0 and v[step + at.STEP_IDS] >> number & 1
    if not meant and kind == codes.FINESSE_STEP and v[at.LEVEL] >= 5:
        # Something else that fits: the card that is meant lies behind it.
        seat = v[step + at.STEP_SEAT]
        behind = finesse_position(game, v, seat, 0)
        if behind >= 0 and v[base + at.CHAIN_IDENTITY] < 0:
            v[step + at.STEP_ORDER] = behind
            v[at.FINESSED] |= 1 << behind
            v[at.INFERRED + behind] = v[step + at.STEP_IDS]
            return
    v[base + at.CHAIN_DONE] += 1
    if there:
        fates[O.followed, row] += 1
    if v[base + at.CHAIN_DONE] >= v[base + at.CHAIN_STEPS]:
        _steps_are_done(game, v, fates, chain, number)


@kernel
def _passes(game: Game, v: Ints, fates: Ints, chain: int, result: int, order: int, excused: bool) -> int:
    """Bring a call up to date whose called player did something else; return the reasons, 0 if not due."""
    base = at.chain_at(chain)
    step = at.step_at(chain, v[base + at.CHAIN_DONE])
    card = v[step + at.STEP_ORDER]
    number = game.identity[card]
    ids = v[step + at.STEP_IDS]
    due = ids & game.playable != 0
    if number >= 0:
        due = game.playable >> number & 1 != 0
    if not due:
        return 0
    row = v[base + at.CHAIN_ROW]
    v[base + at.CHAIN_DEFERRALS] += 1
    if 0 <= row < fates.shape[1]:
        fates[O.deferrals, row] += 1
    legal = excused
    if result == PLAYED:
        earlier = v[at.FINESSED] >> order & 1 and v[at.CALL_NUMBER + order] < v[at.CALL_NUMBER + card]
        legal = bool(earlier)
    if legal:
        return codes.LEGAL_DEFERRAL
    v[base + at.CHAIN_LATE] = game.seat + 1
    now_or_never = v[base + at.CHAIN_KIND] in (codes.POSITIONAL_DISCARD, codes.POSITIONAL_MISPLAY)
    if now_or_never or (v[base + at.CHAIN_DEFERRALS] >= 2 and result != PLAYED):
        _blame(v, chain, game.seat, game.turn)
        _close(v, fates, chain, codes.MISSED, game.turn)
    return codes.LATE


@kernel
def _pass_on(game: Game, v: Ints, fates: Ints, chain: int) -> None:
    """Let the card that a discard names take the place of the discarded one in a call."""
    base = at.chain_at(chain)
    # The call goes on for those who hear it; what was asked of the called player is settled.
    close_row(fates, v[base + at.CHAIN_ROW], codes.PASSED_BACK, game.turn)
    v[base + at.CHAIN_ROW] = -1
    card = -1
    if v[at.MOVED]:
        card = lowest(v[at.MOVED])
    elif v[at.STEPS]:
        card = v[at.STEP + (v[at.STEPS] - 1) * at.STEP_SIZE + at.STEP_ORDER]
    if card < 0:
        v[base + at.CHAIN_DONE] += 1
        if v[base + at.CHAIN_DONE] >= v[base + at.CHAIN_STEPS]:
            _close(v, fates, chain, codes.PASSED_BACK, game.turn)
        return
    step = at.step_at(chain, v[base + at.CHAIN_DONE])
    v[step + at.STEP_ORDER] = card
    v[step + at.STEP_SEAT] = game.place[card]
    v[step + at.STEP_KIND] = codes.PROMPT_STEP


@kernel
def follow_calls(
    game: Game, v: Ints, fates: Ints, order: int, result: int, touched: int, passed: bool, excused: bool
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
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] == 0:
            continue
        focus = v[base + at.CHAIN_FOCUS]
        if order >= 0 and order == focus:
            if result == PLAYED:
                _close(v, fates, chain, codes.SUCCESS, turn)
            else:
                row = v[base + at.CHAIN_ROW]
                if result == MISPLAYED and 0 <= row < fates.shape[1]:
                    fates[O.strikes, row] += 1
                _close(v, fates, chain, codes.PASSED_BACK if passed else codes.FAILED, turn)
            continue
        identity = v[base + at.CHAIN_IDENTITY]
        if result == PLAYED and number >= 0 and number == identity:
            _blame(v, chain, seat, turn)
            _close(v, fates, chain, codes.SUPERSEDED, turn)
            continue
        if v[base + at.CHAIN_DONE] >= v[base + at.CHAIN_STEPS]:
            if result == PLAYED and v[base + at.CHAIN_RECEIVER] == seat:
                _narrow(game, v, chain, order, number)
            continue
        step = at.step_at(chain, v[base + at.CHAIN_DONE])
        card = v[step + at.STEP_ORDER]
        if card == order:
            if result == DISCARDED and not passed:
                _blame(v, chain, seat, turn)
                _close(v, fates, chain, codes.MISSED, turn)
            elif result == DISCARDED:
                _pass_on(game, v, fates, chain)
            else:
                _follow_step(game, v, fates, chain, result == PLAYED, number)
            continue
        if result == PLAYED and v[step + at.STEP_IDS] == 1 << max(number, 0):
            # Another copy of what was missing.
            kind = v[step + at.STEP_KIND]
            v[at.BREAKER + card] = turn * 16 + seat + 9
            if kind == codes.FINESSE_STEP:
                v[at.FINESSED] &= ~(1 << card)
                v[at.INFERRED + card] = -1
            v[base + at.CHAIN_DONE] += 1
            if v[base + at.CHAIN_DONE] >= v[base + at.CHAIN_STEPS]:
                _steps_are_done(game, v, fates, chain, number)
                if v[base + at.CHAIN_STATUS]:
                    _close(v, fates, chain, codes.SUPERSEDED, turn)
            continue
        if result == CLUED and touched >> card & 1 and v[at.FINESSED] >> card & 1:
            reasons |= codes.STOMP
            _blame(v, chain, seat, turn)
            _close(v, fates, chain, codes.STOMPED, turn)
            continue
        if v[step + at.STEP_SEAT] == seat and v[base + at.CHAIN_TURN] != turn:
            reasons |= _passes(game, v, fates, chain, result, order, excused)
    return reasons


@kernel
def keep_card(v: Ints, fates: Ints, order: int, row: int, turn: int) -> None:
    """Let the fate of a card be written to the row of the message that keeps it now."""
    close_row(fates, v[at.SAVE_ROW + order], codes.SUPERSEDED, turn)
    v[at.SAVE_ROW + order] = row


@kernel
def close_all(v: Ints, fates: Ints, turn: int) -> None:
    """Close what is open at the end of the game: nobody knows how it would have gone."""
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS]:
            close_row(fates, v[base + at.CHAIN_ROW], codes.CENSORED, turn)
            v[base + at.CHAIN_STATUS] = 0
    for order in range(MAX_CARDS):
        close_row(fates, v[at.SAVE_ROW + order], codes.CENSORED, turn)
        v[at.SAVE_ROW + order] = -1

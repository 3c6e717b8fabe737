"""Who could have saved a card that is about to be discarded, and did something else.

In: a turn that `look` has looked at, the clues that it offers, and its action, judged. Out: the chops at
risk, and the reason that an action gets which leaves one there: `SAVE_MISSED` for the last player who could
have saved it, `SAVE_LEFT` for one after whom another still can. By what is known at the time; what came of
it does not count.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.focus import seen_copies
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.stacks import fits_after
from hanalyze.engine.step import CLUED, PLAYED
from hanalyze.kernels.compiling import kernel

__all__ = ["chops_at_risk", "left_to_others"]


@kernel
def chops_at_risk(game: Game, v: Ints) -> int:
    """Return the chops of the others that need saving, where the holder knows nothing better to do.

    What needs saving is the last copy of a card, and a 2 of which no copy is in sight.
    """
    if game.drawn == game.cards:
        return 0
    seat = game.seat
    busy = v[at.PLAYABLE_NOW] | v[at.KNOWN_TRASH] | v[at.FINESSED] & v[at.CALLED]
    found = 0
    for ahead in range(1, game.seats):
        other = (seat + ahead) % game.seats
        chop = v[at.CHOP + other]
        if chop < 0 or busy & v[at.CARDS + other] or v[at.SCREAMED] >> other & 1:
            continue
        number = game.identity[chop]
        if number < 0 or not v[at.NEEDED] >> number & 1:
            continue
        worth = v[at.CRITICAL] >> number & 1
        if not worth and number & 7 == 2 and not game.variant.reversed >> (number >> 3) & 1:
            worth = not seen_copies(game, v, seat, seat, chop) >> number & 1
        if worth:
            found |= 1 << chop
    return found


@kernel
def _is_busy_after(game: Game, v: Ints, holder: int, result: int, receiver: int, number: int) -> bool:
    """Return whether an action gives a player something to play, or to discard, that was not there before."""
    for step in range(v[at.STEPS]):
        if v[at.STEP + step * at.STEP_SIZE + at.STEP_SEAT] == holder:
            return True
    playable = game.playable
    if result == PLAYED:
        playable = playable & ~(1 << number) | fits_after(game, number)
    elif result != CLUED or receiver != holder:
        return False
    if result == CLUED and v[at.MAIN] in (codes.PLAY_CLUE, codes.DISTRIBUTION_CLUE, codes.TRASH_CHOP_MOVE):
        return True
    for i in range(game.hand_len[holder]):
        order = game.hands[holder][i]
        if not v[at.GOTTEN] >> order & 1:
            continue
        sees = v[at.SEES + order]
        if result == CLUED:
            sees &= v[at.TOUCH] if v[at.TOUCHED] >> order & 1 else ~v[at.TOUCH]
        if sees & ~playable == 0 or sees & v[at.NEEDED] == 0:
            return True
    return False


@kernel
def _saves_or_must(name: int) -> bool:
    """Return whether an action may go before a save: it saves another card, or is a called play."""
    if name in (codes.FIX_CLUE, codes.BLIND_PLAY, codes.TRASH_CHOP_MOVE, codes.FIVE_CHOP_MOVE):
        return True
    return bool(
        codes.FIVE_SAVE <= name <= codes.CRITICAL_SAVE
        or codes.SCREAM_DISCARD <= name <= codes.GENERATION_DISCARD
    )


@kernel
def left_to_others(game: Game, v: Ints, result: int, receiver: int, number: int) -> int:
    """Return the reason that the action just judged gets for a chop at risk that it leaves there, 0 for none.

    `receiver` is that of a clue, `number` the identity of a card that leaves the hand.
    """
    rest = v[at.AT_RISK] & v[at.SAVABLE] & ~v[at.MOVED]
    if result == CLUED:
        rest &= ~v[at.TOUCHED]
    if rest == 0 or _saves_or_must(v[at.MAIN]):
        return 0
    seat = game.seat
    unit = game.variant.token_unit
    tokens = game.tokens
    if result == CLUED:
        tokens -= unit
    elif result != PLAYED:
        tokens += unit
    helpers = False
    reason = 0
    for ahead in range(1, game.seats):
        other = (seat + ahead) % game.seats
        chop = v[at.CHOP + other]
        at_risk = chop >= 0 and rest >> chop & 1
        if at_risk and ahead == 1 and tokens >= game.full_tokens:
            # With all tokens there nobody discards.
            at_risk = False
        if at_risk and not _is_busy_after(game, v, other, result, receiver, number):
            if not helpers:
                return codes.SAVE_MISSED
            reason = codes.SAVE_LEFT
        must_play = v[at.FINESSED] & v[at.CALLED] & v[at.CARDS + other]
        helpers = helpers or (tokens >= unit and must_play == 0)
    return reason

"""Who could have saved a card that is about to be discarded, and did something else.

In: a turn that `look` has looked at, the clues that it offers, and its action, judged. Out: the chops at
risk, and the reason that an action gets which leaves one there: `SAVE_MISSED` for the last player who could
have saved it, `SAVE_LEFT` for one after whom another still can. By what is known at the time; what came of
it does not count.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.focus import seen_copies
from hanalyze.conventions.reading import Reading
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.engine.step import CLUED, PLAYED
from hanalyze.kernels.compiling import kernel

__all__ = ["chops_at_risk", "left_to_others"]


@kernel
def chops_at_risk(game: Game, reading: Reading) -> int:
    """Return the chops of the others that need saving, where the holder knows nothing better to do.

    What needs saving is the last copy of a card, and a 2 of which no copy is in sight.
    """
    if game.drawn == game.cards:
        return 0
    seat = game.seat
    busy = reading.look.playable_now | reading.look.known_trash | reading.told.finessed & reading.look.called
    found = 0
    for ahead in range(1, game.seats):
        other = (seat + ahead) % game.seats
        chop = reading.look.chop[other]
        if chop < 0 or busy & reading.look.cards[other] or reading.told.screamed >> other & 1:
            continue
        number = game.identity[chop]
        if number < 0 or not reading.look.needed >> number & 1:
            continue
        worth = reading.look.critical >> number & 1
        if not worth and number & 7 == 2 and not game.variant.reversed >> (number >> 3) & 1:
            worth = not seen_copies(game, reading, seat, seat, chop) >> number & 1
        if worth:
            found |= 1 << chop
    return found


@kernel
def _is_busy_after(
    game: Game, reading: Reading, holder: int, result: int, receiver: int, number: int
) -> bool:
    """Return whether an action gives a player something to play, or to discard, that was not there before."""
    for step in range(reading.verdict.chain.length):
        if reading.verdict.chain.steps[step].seat == holder:
            return True
    playable = game.playable
    if result == PLAYED:
        playable = playable & ~(1 << number) | fits_after(game, number)
    elif result != CLUED or receiver != holder:
        return False
    if result == CLUED and reading.verdict.name in (
        codes.PLAY_CLUE,
        codes.DISTRIBUTION_CLUE,
        codes.TRASH_CHOP_MOVE,
    ):
        return True
    for i in range(game.hand_len[holder]):
        order = game.hands[holder][i]
        if not reading.look.gotten >> order & 1:
            continue
        sees = reading.look.sees[order]
        if result == CLUED:
            sees &= reading.verdict.touch if reading.verdict.touched >> order & 1 else ~reading.verdict.touch
        if sees & ~playable == 0 or sees & reading.look.needed == 0:
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
def left_to_others(game: Game, reading: Reading, result: int, receiver: int, number: int) -> int:
    """Return the reason that the action just judged gets for a chop at risk that it leaves there, 0 for none.

    `receiver` is that of a clue, `number` the identity of a card that leaves the hand.
    """
    rest = reading.look.at_risk & reading.look.savable & ~reading.verdict.moved
    if result == CLUED:
        rest &= ~reading.verdict.touched
    if rest == 0 or _saves_or_must(reading.verdict.name):
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
        chop = reading.look.chop[other]
        at_risk = chop >= 0 and rest >> chop & 1
        if at_risk and ahead == 1 and tokens >= game.full_tokens:
            # With all tokens there nobody discards.
            at_risk = False
        if at_risk and not _is_busy_after(game, reading, other, result, receiver, number):
            if not helpers:
                return codes.SAVE_MISSED
            reason = codes.SAVE_LEFT
        must_play = reading.told.finessed & reading.look.called & reading.look.cards[other]
        helpers = helpers or (tokens >= unit and must_play == 0)
    return reason

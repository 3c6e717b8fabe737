"""Clues about cards that are clued already: fixes, tempo clues, fill-ins, burnt clues.

In: a turn that `look` has looked at, and a clue with its focus. Out: the fields of the verdict that say what
it is, and whether it is one of these.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.chains import away, prompted
from hanalyze.conventions.hands import is_locked, useful_cards
from hanalyze.conventions.reading import Reading
from hanalyze.engine.game import Game
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["judge_fix", "judge_nothing_new", "judge_retouch"]


@kernel
def _shows_two(game: Game, reading: Reading, receiver: int, touch: int, touched: int) -> bool:
    """Judge whether a clue shows that two clued cards of a hand are the same."""
    once = 0
    told = False
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        if not touched >> order & 1:
            continue
        before = game.possible[order]
        after = before & touch
        told = told or after != before
        if is_one(after) and after:
            if once & after and told and after & reading.look.needed:
                reading.verdict.name = codes.FIX_CLUE
                reading.verdict.focus = order
                return True
            once |= after
    return False


@kernel
def judge_fix(game: Game, reading: Reading, receiver: int, touch: int, touched: int) -> bool:
    """Judge whether a clue keeps its receiver from playing a card that does not fit, or shows a bad one."""
    if touched & ~game.clued == 0 and _shows_two(game, reading, receiver, touch, touched):
        return True
    doubtful = (reading.look.danger | reading.look.duplicated) & reading.look.cards[receiver]
    if doubtful == 0:
        return False
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        bit = 1 << order
        if not doubtful & bit:
            continue
        before = reading.look.sees[order]
        after = before & touch if touched & bit else before & ~touch
        if after == 0:
            possible = game.possible[order]
            after = possible & touch if touched & bit else possible & ~touch
        if after == before and not (reading.look.danger & touched & bit):
            continue
        # Shown: no longer one that would be played, or known for what it is.
        if reading.look.danger & bit:
            shown = after & ~game.playable != 0 or after & reading.look.needed == 0
            shown = shown or (after == before and touched & bit != 0)
        else:
            shown = is_one(after) or after & reading.look.needed == 0
            shown = shown and touched & ~game.clued == 0
        if shown:
            reading.verdict.name = codes.FIX_CLUE
            reading.verdict.focus = order
            return True
    return False


@kernel
def judge_retouch(game: Game, reading: Reading, giver: int, receiver: int, touch: int, touched: int) -> bool:
    """Judge a clue that touches no new card, and return whether it is explained without a chain."""
    starts = 0
    said = False
    focus = reading.verdict.focus
    hypo = reading.look.hypo_playable
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        if not game.clued >> order & 1:
            continue
        before = reading.look.sees[order]
        after = before & touch if touched >> order & 1 else before & ~touch
        if after == 0:
            after = before
        said = said or after != before
        number = game.identity[order]
        if reading.look.playing >> order & 1:
            continue
        fits = after & ~hypo == 0
        if order == focus and number >= 0:
            fits = hypo >> number & 1 != 0
        if fits:
            starts += 1
    reading.verdict.said = 1 if said else 0
    number = game.identity[focus]
    focus_plays = not reading.look.playing >> focus & 1
    if number >= 0:
        focus_plays = focus_plays and bool(hypo >> number & 1)
    else:
        focus_plays = focus_plays and reading.look.sees[focus] & touch & hypo != 0
    if reading.look.playing >> focus & 1 and starts == 0:
        if reading.told.level < 6:
            reading.verdict.name = codes.PLAY_CLUE
        else:
            judge_nothing_new(reading)
        return True
    if number < 0 and focus_plays and not said:
        # Told again: so it is one that fits.
        starts = max(starts, 1)
    if starts and (focus_plays or number < 0 or away(game, hypo, number) < 0):
        _judge_tempo(game, reading, giver, receiver, starts, number)
        return True
    if number >= 0 and not reading.look.needed >> number & 1:
        judge_nothing_new(reading)
        return True
    return False


@kernel
def _judge_tempo(game: Game, reading: Reading, giver: int, receiver: int, starts: int, number: int) -> None:
    """Judge a clue that makes clued cards playable."""
    focus = reading.verdict.focus
    # No card is newly got; what is worth a clue counts as one.
    reading.verdict.worth = 1
    if reading.told.level < 6:
        reading.verdict.name = codes.PLAY_CLUE
        return
    valuable = starts >= 2
    if not valuable and number >= 0 and number & 7 != game.variant.stack_size:
        valuable = prompted(game, reading, receiver, number, 0) != focus
    if not valuable:
        valuable = (
            is_locked(reading, receiver) and not reading.look.playable_now & reading.look.cards[receiver]
        )
    if valuable:
        reading.verdict.name = codes.TEMPO_CLUE
    elif reading.look.severity >= 2:
        reading.verdict.name = codes.TEMPO_CLUE_STALL
        reading.verdict.worth = 0
    elif game.seats > 2 and not reading.look.end_phase and reading.look.chop[receiver] >= 0:
        reading.verdict.name = codes.TEMPO_CHOP_MOVE
        reading.verdict.moved = 1 << reading.look.chop[receiver]
        reading.verdict.worth = useful_cards(game, reading, giver, reading.verdict.moved)
    else:
        reading.verdict.name = codes.TEMPO_CLUE


@kernel
def judge_nothing_new(reading: Reading) -> None:
    """Judge a clue that makes nothing playable."""
    reading.verdict.worth = 0
    level = reading.told.level
    said = reading.verdict.said
    if said and level >= 9:
        reading.verdict.name = codes.FILL_IN
    elif reading.look.severity >= 2 and not said and level >= 9:
        reading.verdict.name = codes.HARD_BURN
    elif not said and level >= 6:
        reading.verdict.name = codes.BURN
    reading.verdict.why = 0
    if reading.look.severity < 2 and not reading.look.end_phase:
        reading.verdict.legal = 0
        reading.verdict.why = codes.STALL_NOT_ALLOWED

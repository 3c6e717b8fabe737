"""Clues about cards that are clued already: fixes, tempo clues, fill-ins, burnt clues.

In: a turn that `look` has looked at, and a clue with its focus. Out: the places of `v` that say what it is,
and whether it is one of these.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.chains import away, prompted
from hanalyze.conventions.hands import is_locked, useful_cards
from hanalyze.engine.game import Game, Ints
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["judge_fix", "judge_nothing_new", "judge_retouch"]


@kernel
def _shows_two(game: Game, v: Ints, receiver: int, touch: int, touched: int) -> bool:
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
            if once & after and told and after & v[at.NEEDED]:
                v[at.MAIN] = codes.FIX_CLUE
                v[at.FOCUS] = order
                return True
            once |= after
    return False


@kernel
def judge_fix(game: Game, v: Ints, receiver: int, touch: int, touched: int) -> bool:
    """Judge whether a clue keeps its receiver from playing a card that does not fit, or shows a bad one."""
    if touched & ~game.clued == 0 and _shows_two(game, v, receiver, touch, touched):
        return True
    doubtful = (v[at.DANGER] | v[at.DUPLICATED]) & v[at.CARDS + receiver]
    if doubtful == 0:
        return False
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        bit = 1 << order
        if not doubtful & bit:
            continue
        before = v[at.SEES + order]
        after = before & touch if touched & bit else before & ~touch
        if after == 0:
            possible = game.possible[order]
            after = possible & touch if touched & bit else possible & ~touch
        if after == before and not (v[at.DANGER] & touched & bit):
            continue
        # Shown: no longer one that would be played, or known for what it is.
        if v[at.DANGER] & bit:
            shown = after & ~game.playable != 0 or after & v[at.NEEDED] == 0
            shown = shown or (after == before and touched & bit != 0)
        else:
            shown = is_one(after) or after & v[at.NEEDED] == 0
            shown = shown and touched & ~game.clued == 0
        if shown:
            v[at.MAIN] = codes.FIX_CLUE
            v[at.FOCUS] = order
            return True
    return False


@kernel
def judge_retouch(game: Game, v: Ints, giver: int, receiver: int, touch: int, touched: int) -> bool:
    """Judge a clue that touches no new card, and return whether it is explained without a chain."""
    starts = 0
    said = False
    focus = v[at.FOCUS]
    hypo = v[at.HYPO_PLAYABLE]
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        if not game.clued >> order & 1:
            continue
        before = v[at.SEES + order]
        after = before & touch if touched >> order & 1 else before & ~touch
        if after == 0:
            after = before
        said = said or after != before
        number = game.identity[order]
        if v[at.PLAYING] >> order & 1:
            continue
        fits = after & ~hypo == 0
        if order == focus and number >= 0:
            fits = hypo >> number & 1 != 0
        if fits:
            starts += 1
    v[at.SAID] = 1 if said else 0
    number = game.identity[focus]
    focus_plays = not v[at.PLAYING] >> focus & 1
    if number >= 0:
        focus_plays = focus_plays and bool(hypo >> number & 1)
    else:
        focus_plays = focus_plays and v[at.SEES + focus] & touch & hypo != 0
    if v[at.PLAYING] >> focus & 1 and starts == 0:
        if v[at.LEVEL] < 6:
            v[at.MAIN] = codes.PLAY_CLUE
        else:
            judge_nothing_new(v)
        return True
    if number < 0 and focus_plays and not said:
        # Told again: so it is one that fits.
        starts = max(starts, 1)
    if starts and (focus_plays or number < 0 or away(game, hypo, number) < 0):
        _judge_tempo(game, v, giver, receiver, starts, number)
        return True
    if number >= 0 and not v[at.NEEDED] >> number & 1:
        judge_nothing_new(v)
        return True
    return False


@kernel
def _judge_tempo(game: Game, v: Ints, giver: int, receiver: int, starts: int, number: int) -> None:
    """Judge a clue that makes clued cards playable."""
    focus = v[at.FOCUS]
    # No card is newly got; what is worth a clue counts as one.
    v[at.WORTH] = 1
    if v[at.LEVEL] < 6:
        v[at.MAIN] = codes.PLAY_CLUE
        return
    valuable = starts >= 2
    if not valuable and number >= 0 and number & 7 != game.variant.stack_size:
        valuable = prompted(game, v, receiver, number, 0) != focus
    if not valuable:
        valuable = is_locked(v, receiver) and not v[at.PLAYABLE_NOW] & v[at.CARDS + receiver]
    if valuable:
        v[at.MAIN] = codes.TEMPO_CLUE
    elif v[at.SEVERITY] >= 2:
        v[at.MAIN] = codes.TEMPO_CLUE_STALL
        v[at.WORTH] = 0
    elif game.seats > 2 and not v[at.END_PHASE] and v[at.CHOP + receiver] >= 0:
        v[at.MAIN] = codes.TEMPO_CHOP_MOVE
        v[at.MOVED] = 1 << v[at.CHOP + receiver]
        v[at.WORTH] = useful_cards(game, v, giver, v[at.MOVED])
    else:
        v[at.MAIN] = codes.TEMPO_CLUE


@kernel
def judge_nothing_new(v: Ints) -> None:
    """Judge a clue that makes nothing playable."""
    v[at.WORTH] = 0
    level = v[at.LEVEL]
    said = v[at.SAID]
    if said and level >= 9:
        v[at.MAIN] = codes.FILL_IN
    elif v[at.SEVERITY] >= 2 and not said and level >= 9:
        v[at.MAIN] = codes.HARD_BURN
    elif not said and level >= 6:
        v[at.MAIN] = codes.BURN
    v[at.WHY] = 0
    if v[at.SEVERITY] < 2 and not v[at.END_PHASE]:
        v[at.LEGAL] = 0
        v[at.WHY] = codes.STALL_NOT_ALLOWED

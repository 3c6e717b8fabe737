"""What could have been clued: the conventions that the legal clues of a turn would be.

In: a turn that `look` has looked at. Out: the set of these conventions, and the most that a clean play or
save clue would get, by which stalls are weighed. Each clue is judged by the same function as a clue that is
given, for itself: whether stalling is allowed does not count.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.hands import is_undefined
from hanalyze.conventions.judge import judge_clue, judge_stall, stalls_with_five
from hanalyze.conventions.saving import chops_at_risk
from hanalyze.engine import state as game
from hanalyze.engine.state import Ints, in_hand
from hanalyze.engine.step import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["find_opportunities"]


@kernel
def _consider(s: Ints, v: Ints, receiver: int, kind: int, value: int, touch: int) -> None:
    """Add what one clue would be to the opportunities of the turn."""
    touched = 0
    for i in range(s[game.HAND_LEN + receiver]):
        order = s[in_hand(receiver, i)]
        number = s[game.IDENTITY + order]
        if number >= 0:
            touched |= (touch >> number & 1) << order
    if touched == 0:
        return
    v[at.LEGAL_CLUES] += 1
    judge_clue(s, v, s[game.SEAT], receiver, kind, value, touch, touched, False)
    if v[at.SEVERITY] and v[at.LEVEL] >= 2:
        _consider_stall(s, v, receiver, kind, value)
    name = v[at.MAIN]
    if name == codes.UNEXPLAINED or v[at.LEGAL] == 0:
        return
    v[at.AVAILABLE] |= 1 << name
    v[at.SAVABLE] |= v[at.AT_RISK] & (touched | v[at.MOVED])
    if v[at.SECOND] >= 0:
        v[at.AVAILABLE] |= 1 << v[at.SECOND]
    if name <= codes.TEMPO_CLUE and v[at.BAD] == 0 and not v[at.WHY] & codes.HIDDEN_CARD:
        v[at.BEST] = max(v[at.BEST], v[at.WORTH])
        v[at.BETTER] |= 1 << v[at.FOCUS]


@kernel
def _consider_stall(s: Ints, v: Ints, receiver: int, kind: int, value: int) -> None:
    """Add to the opportunities of the turn that a clue would be a stall, if there were nothing better."""
    if stalls_with_five(s, v, kind, value, v[at.NEWLY]):
        number = s[game.IDENTITY + v[at.FOCUS]]
        if number < 0 or not s[game.PLAYABLE] >> number & 1:
            v[at.AVAILABLE] |= 1 << codes.FIVE_STALL
    if v[at.MAIN] == codes.UNEXPLAINED and v[at.NEWLY] and judge_stall(s, v, receiver, v[at.NEWLY]):
        v[at.AVAILABLE] |= 1 << v[at.MAIN]
        v[at.MAIN] = codes.UNEXPLAINED


@kernel
def find_opportunities(s: Ints, v: Ints) -> None:
    """Find what the player to move could clue, if that is not found yet."""
    if v[at.AVAILABLE] >= 0:
        return
    v[at.AVAILABLE] = 0
    v[at.BEST] = 0
    v[at.LEGAL_CLUES] = 0
    v[at.BETTER] = 0
    v[at.MAY_BE_LEFT] = 0
    v[at.AT_RISK] = 0
    v[at.SAVABLE] = 0
    if s[game.TOKENS] < s[game.TOKEN_UNIT] or is_undefined(s):
        return
    v[at.AT_RISK] = chops_at_risk(s, v)
    alternating = s[game.FLAGS] & game.ALTERNATING
    by_colour = not (alternating and s[game.LAST_CLUE] == COLOUR_CLUE)
    by_rank = not (alternating and s[game.LAST_CLUE] == RANK_CLUE)
    for ahead in range(1, s[game.SEATS]):
        receiver = (s[game.SEAT] + ahead) % s[game.SEATS]
        if by_colour:
            for colour in range(s[game.COLOURS]):
                _consider(s, v, receiver, COLOUR_CLUE, colour, s[game.COLOUR_TOUCH + colour])
        if by_rank:
            for rank in range(1, RANK_SLOTS):
                if s[game.CLUE_RANKS] >> rank & 1:
                    _consider(s, v, receiver, RANK_CLUE, rank, s[game.RANK_TOUCH + rank])
    v[at.MAY_BE_LEFT] = 1 if _may_be_left(s, v) else 0


@kernel
def _may_be_left(s: Ints, v: Ints) -> bool:
    """Return whether the only card to clue is one that a later finesse may call as well."""
    better = v[at.BETTER]
    if better == 0 or not is_one(better):
        return False
    for seat in range(s[game.SEATS]):
        first = v[at.FIRST + seat]
        if first >= 0 and better == 1 << first and v[at.CHOP + seat] != first:
            return True
    return False

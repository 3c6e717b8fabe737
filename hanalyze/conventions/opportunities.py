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
from hanalyze.engine.game import ALTERNATING, Game, Ints
from hanalyze.engine.step import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["find_opportunities"]


@kernel
def _consider(game: Game, v: Ints, receiver: int, kind: int, value: int, touch: int) -> None:
    """Add what one clue would be to the opportunities of the turn."""
    touched = 0
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        number = game.identity[order]
        if number >= 0:
            touched |= (touch >> number & 1) << order
    if touched == 0:
        return
    v[at.LEGAL_CLUES] += 1
    judge_clue(game, v, game.seat, receiver, kind, value, touch, touched, False)
    if v[at.SEVERITY] and v[at.LEVEL] >= 2:
        _consider_stall(game, v, receiver, kind, value)
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
def _consider_stall(game: Game, v: Ints, receiver: int, kind: int, value: int) -> None:
    """Add to the opportunities of the turn that a clue would be a stall, if there were nothing better."""
    if stalls_with_five(game, v, kind, value, v[at.NEWLY]):
        number = game.identity[v[at.FOCUS]]
        if number < 0 or not game.playable >> number & 1:
            v[at.AVAILABLE] |= 1 << codes.FIVE_STALL
    if v[at.MAIN] == codes.UNEXPLAINED and v[at.NEWLY] and judge_stall(game, v, receiver, v[at.NEWLY]):
        v[at.AVAILABLE] |= 1 << v[at.MAIN]
        v[at.MAIN] = codes.UNEXPLAINED


@kernel
def find_opportunities(game: Game, v: Ints) -> None:
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
    if game.tokens < game.variant.token_unit or is_undefined(game):
        return
    v[at.AT_RISK] = chops_at_risk(game, v)
    alternating = game.variant.flags & ALTERNATING
    by_colour = not (alternating and game.last_clue == COLOUR_CLUE)
    by_rank = not (alternating and game.last_clue == RANK_CLUE)
    for ahead in range(1, game.seats):
        receiver = (game.seat + ahead) % game.seats
        if by_colour:
            for colour in range(game.variant.colours):
                _consider(game, v, receiver, COLOUR_CLUE, colour, game.variant.colour_touch[colour])
        if by_rank:
            for rank in range(1, RANK_SLOTS):
                if game.variant.clue_ranks >> rank & 1:
                    _consider(game, v, receiver, RANK_CLUE, rank, game.variant.rank_touch[rank])
    v[at.MAY_BE_LEFT] = 1 if _may_be_left(game, v) else 0


@kernel
def _may_be_left(game: Game, v: Ints) -> bool:
    """Return whether the only card to clue is one that a later finesse may call as well."""
    better = v[at.BETTER]
    if better == 0 or not is_one(better):
        return False
    for seat in range(game.seats):
        first = v[at.FIRST + seat]
        if first >= 0 and better == 1 << first and v[at.CHOP + seat] != first:
            return True
    return False

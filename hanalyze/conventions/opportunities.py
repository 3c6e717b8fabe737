"""What could have been clued: the conventions that the legal clues of a turn would be.

In: a turn that `look` has looked at. Out: the set of these conventions, and the most that a clean play or
save clue would get, by which stalls are weighed. Each clue is judged by the same function as a clue that is
given, for itself: whether stalling is allowed does not count.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.hands import is_undefined
from hanalyze.conventions.judge import judge_clue, judge_stall, stalls_with_five
from hanalyze.conventions.reading import Reading
from hanalyze.conventions.saving import chops_at_risk
from hanalyze.engine.game import ALTERNATING, Game
from hanalyze.engine.step import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["find_opportunities"]


@kernel
def _consider(game: Game, reading: Reading, receiver: int, kind: int, value: int, touch: int) -> None:
    """Add what one clue would be to the opportunities of the turn."""
    touched = 0
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        number = game.identity[order]
        if number >= 0:
            touched |= (touch >> number & 1) << order
    if touched == 0:
        return
    reading.look.legal_clues += 1
    judge_clue(game, reading, game.seat, receiver, kind, value, touch, touched, False)
    if reading.look.severity and reading.told.level >= 2:
        _consider_stall(game, reading, receiver, kind, value)
    name = reading.verdict.name
    if name == codes.UNEXPLAINED or reading.verdict.legal == 0:
        return
    reading.look.available |= 1 << name
    reading.look.savable |= reading.look.at_risk & (touched | reading.verdict.moved)
    if reading.verdict.second >= 0:
        reading.look.available |= 1 << reading.verdict.second
    if name <= codes.TEMPO_CLUE and reading.verdict.bad == 0 and not reading.verdict.why & codes.HIDDEN_CARD:
        reading.look.best = max(reading.look.best, reading.verdict.worth)
        reading.look.better |= 1 << reading.verdict.focus


@kernel
def _consider_stall(game: Game, reading: Reading, receiver: int, kind: int, value: int) -> None:
    """Add to the opportunities of the turn that a clue would be a stall, if there were nothing better."""
    if stalls_with_five(game, reading, kind, value, reading.verdict.newly):
        number = game.identity[reading.verdict.focus]
        if number < 0 or not game.playable >> number & 1:
            reading.look.available |= 1 << codes.FIVE_STALL
    if (
        reading.verdict.name == codes.UNEXPLAINED
        and reading.verdict.newly
        and judge_stall(game, reading, receiver, reading.verdict.newly)
    ):
        reading.look.available |= 1 << reading.verdict.name
        reading.verdict.name = codes.UNEXPLAINED


@kernel
def find_opportunities(game: Game, reading: Reading) -> None:
    """Find what the player to move could clue, if that is not found yet."""
    if reading.look.available >= 0:
        return
    reading.look.available = 0
    reading.look.best = 0
    reading.look.legal_clues = 0
    reading.look.better = 0
    reading.look.may_be_left = 0
    reading.look.at_risk = 0
    reading.look.savable = 0
    if game.tokens < game.variant.token_unit or is_undefined(game):
        return
    reading.look.at_risk = chops_at_risk(game, reading)
    alternating = game.variant.flags & ALTERNATING
    by_colour = not (alternating and game.last_clue == COLOUR_CLUE)
    by_rank = not (alternating and game.last_clue == RANK_CLUE)
    for ahead in range(1, game.seats):
        receiver = (game.seat + ahead) % game.seats
        if by_colour:
            for colour in range(game.variant.colours):
                _consider(game, reading, receiver, COLOUR_CLUE, colour, game.variant.colour_touch[colour])
        if by_rank:
            for rank in range(1, RANK_SLOTS):
                if game.variant.clue_ranks >> rank & 1:
                    _consider(game, reading, receiver, RANK_CLUE, rank, game.variant.rank_touch[rank])
    reading.look.may_be_left = 1 if _may_be_left(game, reading) else 0


@kernel
def _may_be_left(game: Game, reading: Reading) -> bool:
    """Return whether the only card to clue is one that a later finesse may call as well."""
    better = reading.look.better
    if better == 0 or not is_one(better):
        return False
    for seat in range(game.seats):
        first = reading.look.first[seat]
        if first >= 0 and better == 1 << first and reading.look.chop[seat] != first:
            return True
    return False

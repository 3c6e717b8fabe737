"""What could have been clued: the conventions that the legal clues of a turn would be.

In: a turn that was looked at. Out: the set of these conventions, and the most that a clean play or save clue
would get, by which stalls are weighed. Each clue is judged by the same function as a clue that is given, for
itself: whether stalling is allowed does not count.
"""

from __future__ import annotations

from hanalyze.conventions.classes import GETTING, is_any
from hanalyze.conventions.clue import propose
from hanalyze.conventions.clues import judge_clue, judge_stall, stalls_with_five
from hanalyze.conventions.reading import Reading, is_undefined
from hanalyze.conventions.saving import chops_at_risk
from hanalyze.conventions.verdict import decide, has_reason
from hanalyze.engine.game import ALTERNATING, Game
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["find_opportunities"]


@kernel
def _consider(game: Game, reading: Reading, receiver: int, kind: int, value: int) -> None:
    """Add what one clue would be to what the turn offers."""
    clue, offers, verdict = reading.clue, reading.offers, reading.verdict
    propose(game, clue, receiver, kind, value)
    if clue.touched == 0:
        return
    offers.legal_clues += 1
    judge_clue(game, reading, False)
    if reading.look.stall_severity and reading.told.level >= 2:
        _consider_stall(game, reading)
    name = verdict.name
    if name == Convention.UNEXPLAINED or verdict.legal == 0:
        return
    offers.available |= 1 << name
    if verdict.second >= 0:
        offers.available |= 1 << verdict.second
    offers.savable |= offers.at_risk & (clue.touched | verdict.marked)
    if is_any(name, GETTING) and verdict.bad == 0 and not has_reason(verdict, Reason.HIDDEN_CARD):
        offers.best = max(offers.best, verdict.worth)
        offers.better |= 1 << verdict.focus


@kernel
def _consider_stall(game: Game, reading: Reading) -> None:
    """Add to what the turn offers that a clue would be a stall, if there were nothing better."""
    offers, verdict = reading.offers, reading.verdict
    if stalls_with_five(game, reading):
        number = game.identity[verdict.focus]
        if number < 0 or not game.playable >> number & 1:
            offers.available |= 1 << Convention.FIVE_STALL
    if verdict.name == Convention.UNEXPLAINED and reading.clue.newly and judge_stall(game, reading):
        offers.available |= 1 << verdict.name
        decide(verdict, Convention.UNEXPLAINED)


@kernel
def find_opportunities(game: Game, reading: Reading) -> None:
    """Find what the player to move could clue, if that is not found yet."""
    offers = reading.offers
    if offers.available >= 0:
        return
    offers.available = 0
    offers.best = 0
    offers.legal_clues = 0
    offers.better = 0
    offers.may_be_left = 0
    offers.at_risk = 0
    offers.savable = 0
    if game.tokens < game.variant.token_unit or is_undefined(game):
        return
    offers.at_risk = chops_at_risk(game, reading)
    alternating = game.variant.flags & ALTERNATING
    by_colour = not (alternating and game.last_clue == COLOUR_CLUE)
    by_rank = not (alternating and game.last_clue == RANK_CLUE)
    for ahead in range(1, game.seats):
        receiver = (game.seat + ahead) % game.seats
        if by_colour:
            for colour in range(game.variant.colours):
                _consider(game, reading, receiver, COLOUR_CLUE, colour)
        if by_rank:
            for rank in range(1, RANK_SLOTS):
                if game.variant.clue_ranks >> rank & 1:
                    _consider(game, reading, receiver, RANK_CLUE, rank)
    offers.may_be_left = 1 if _may_be_left(game, reading) else 0


@kernel
def _may_be_left(game: Game, reading: Reading) -> bool:
    """Return whether the only card to clue is one that a later finesse may call as well."""
    better = reading.offers.better
    if better == 0 or not is_one(better):
        return False
    for seat in range(game.seats):
        first = reading.look.first[seat]
        if first >= 0 and better == 1 << first and reading.look.chop[seat] != first:
            return True
    return False

"""What could have been clued: the conventions that the legal clues of a turn would be.

In: a turn that was looked at. Out: the set of these conventions, and the most that a clean play or save clue
would get, by which stalls are weighed. Each clue is judged by the same function as a clue that is given, for
itself: whether stalling is allowed does not count.
"""

from __future__ import annotations

from hanalyze.conventions.classes import GETTING, OFFERED, STALLS, is_any
from hanalyze.conventions.clue import propose
from hanalyze.conventions.clues import judge_clue
from hanalyze.conventions.focus import stalls_with_five
from hanalyze.conventions.offers import OFFERED_CALLS
from hanalyze.conventions.reading import Reading, is_undefined
from hanalyze.conventions.saving import chops_at_risk
from hanalyze.conventions.stalling import judge_stall
from hanalyze.conventions.steps import MAX_STEPS
from hanalyze.conventions.verdict import decide, has_reason
from hanalyze.engine.game import ALTERNATING, MAX_SEATS, Game
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
    if verdict.legal and is_any(name, STALLS):
        _note_stall(game, reading, name)
    if name == Convention.UNEXPLAINED or verdict.legal == 0:
        return
    offers.available |= 1 << name
    if 0 <= verdict.second < OFFERED:
        offers.available |= 1 << verdict.second
    offers.savable |= offers.at_risk & (clue.touched | verdict.marked)
    stomps = clue.touched & reading.told.blind
    clean = verdict.bad == 0 and stomps == 0 and not has_reason(verdict, Reason.HIDDEN_CARD)
    if is_any(name, GETTING) and clean:
        offers.best = max(offers.best, verdict.worth)
        offers.best_for[receiver] = max(offers.best_for[receiver], verdict.worth)
        offers.better |= 1 << verdict.focus
        _prefer(game, reading)


@kernel
def _prefer(game: Game, reading: Reading) -> None:
    """Keep a clean clue if it is better than those before: a save, more cards, fewer plays of others."""
    clue, offers, verdict = reading.clue, reading.offers, reading.verdict
    chain = verdict.chain
    saves = 1 if offers.at_risk & (clue.touched | verdict.marked) else 0
    rank = (saves * 8 + max(verdict.worth, 0)) * (MAX_STEPS + 1) + MAX_STEPS - chain.length
    if rank <= offers.clue_rank or verdict.worth <= 0:
        return
    offers.clue_rank = rank
    offers.clue_name = verdict.name
    offers.clue_receiver = clue.receiver
    offers.clue_kind = clue.kind
    offers.clue_value = clue.value
    offers.clue_focus = verdict.focus
    offers.clue_saves = saves
    for place in range(OFFERED_CALLS):
        offers.clue_gets[place] = -1
        if place < chain.length and chain.steps[place].seat != game.seat:
            offers.clue_gets[place] = game.identity[chain.steps[place].order]


@kernel
def _note_stall(game: Game, reading: Reading, name: int) -> None:
    """Note a stall, unless it touches trash, or is for the player before, whom all others can tell."""
    before = (game.seat + game.seats - 1) % game.seats
    if reading.verdict.bad == 0 and (reading.clue.receiver != before or game.seats == 2):
        reading.offers.stalls |= 1 << name


@kernel
def _consider_stall(game: Game, reading: Reading) -> None:
    """Add to what the turn offers that a clue would be a stall, if there were nothing better."""
    offers, verdict = reading.offers, reading.verdict
    if stalls_with_five(game, reading):
        number = game.identity[verdict.focus]
        if number < 0 or not game.playable >> number & 1:
            offers.available |= 1 << Convention.FIVE_STALL
            _note_stall(game, reading, Convention.FIVE_STALL)
    if verdict.name == Convention.UNEXPLAINED and reading.clue.newly and judge_stall(game, reading):
        offers.available |= 1 << verdict.name
        _note_stall(game, reading, verdict.name)
        decide(verdict, Convention.UNEXPLAINED)


@kernel
def find_opportunities(game: Game, reading: Reading) -> None:
    """Find what the player to move could clue, if that is not found yet."""
    offers = reading.offers
    if offers.available >= 0:
        return
    offers.available = 0
    offers.best = 0
    for seat in range(MAX_SEATS):
        offers.best_for[seat] = 0
    offers.stalls = 0
    offers.legal_clues = 0
    offers.better = 0
    offers.may_be_left = 0
    offers.at_risk = 0
    offers.savable = 0
    offers.clue_rank = -1
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

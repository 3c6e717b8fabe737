"""The estimates behind `convention_effects`: of each convention on each outcome, and of a placebo.

In: turns that offered conventions. Out: an `Estimate` for each convention, or why there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.convention_offers import OfferedTurns
from hanalyze.analysis.statistics.doubly_robust import Effect, Rows, effect
from hanalyze.analysis.statistics.intervals import SEED, Bools, Floats, Ints
from hanalyze.conventions.classes import CLUES, conventions_in
from hanalyze.game.meanings import Convention

OFFERABLE: Final = conventions_in(CLUES)
"""The conventions of which it is known which turns offered them: those that clues give."""
LEAST_GAMES: Final = 20
"""Games that must have a turn that took the convention."""


class Estimate(NamedTuple):
    """What is known of the effect of a convention.

    Turns that offered it: those that took it, those that declined it; `games` with one that took it;
    `players`: the table sizes of those that took it; `within`: the share of them whose players are compared
    with themselves; `unadjusted`: the plain difference in each outcome. `found` is the effect on each
    outcome, `placebo` that of a word put on the turns at random; without them, `why` says what is missing.
    """

    convention: Convention
    taken: int
    declined: int
    games: int
    players: Ints
    within: float
    unadjusted: Floats | None
    found: Effect | None
    placebo: Effect | None
    why: str | None


def estimates(
    turns: OfferedTurns, conventions: Iterable[Convention], minimum: int, *, placebo: bool = True
) -> Iterator[Estimate]:
    """Yield the estimates of those of some conventions that any turn offered, with a placebo if wanted."""
    for convention in conventions:
        rows, taken, players = turns.of(convention, minimum)
        if len(taken):
            yield _estimate(convention, rows, taken, players[taken], minimum, placebo)


def _estimate(
    convention: Convention, rows: Rows, taken: Bools, players: Ints, minimum: int, placebo: bool
) -> Estimate:
    counts = int(taken.sum()), int((~taken).sum())
    games = len(np.unique(rows.game[taken]))
    within = float((rows.player[taken] > 0).mean()) if counts[0] else 0.0
    unadjusted = None
    if min(counts):
        unadjusted = rows.outcomes[taken].mean(axis=0) - rows.outcomes[~taken].mean(axis=0)
    head = convention, *counts, games, players, within, unadjusted
    why = _too_few(*counts, games, minimum)
    if why is not None:
        return Estimate(*head, None, None, why)
    found = effect(rows, taken)
    if np.isnan(found.value).all():
        return Estimate(*head, None, None, "no_overlap")
    if not placebo:
        return Estimate(*head, found, None, None)
    # Where the convention is likely, so is the word; but it says nothing.
    word = np.random.default_rng(SEED).random(len(taken)) < found.chance
    return Estimate(*head, found, effect(rows, word), None)


def _too_few(taken: int, declined: int, games: int, minimum: int) -> str | None:
    """Return what there is too little of for an estimate."""
    if taken < minimum:
        return "few_taken"
    if declined < minimum:
        return "few_declined"
    return "few_games" if games < LEAST_GAMES else None

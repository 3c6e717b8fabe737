"""Means over games of which a few were lost by strikes, and differences of such means.

A sample of a few dozen games often has no strikeout, so its variation does not include the cost of one. The
share of strikeouts has an interval even without any strikeout, and their worst cost is known. Three estimates
are therefore combined (MOVER: Zou & Donner 2008): the mean F of all other games with interval f to f', the
share p of strikeouts with interval q to q', and the mean L of strikeouts (the worst possible value if there
are none) with standard error s. The mean is (1 - p) F + p L. If L > F, its lower end is

    mean - sqrt(((1 - p) (F - f))^2 + ((L - F) (p - q))^2 + (p z s)^2).

The upper end is analogous, with f' and q'; if L < F, q and q' change places. The interval of a difference of
two means has the terms of both groups and uses Jeffreys' intervals of shares (Laud 2017). Wilson's intervals,
which are longer for a share of 0, would give too high coverage; `python -m tests.benchmarks.coverage`
measures it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import (
    FEWEST_GAMES,
    UNKNOWN,
    Floats,
    Interval,
    Ints,
    Sums,
    mean_of_sums,
    share_of_sums,
    share_worth,
)
from hanalyze.lazy import scipy_stats


def mean_apart(every: Sums, struck: Sums, worst: float, confidence: float = 0.95) -> Interval:
    """Return the interval of a mean of games, some of which struck out, from sums over games.

    `every` has the sums over all games, with one opportunity per game, and `struck` those over the games that
    struck out. `worst` is the worst possible value of a strikeout. Values and ends are non-negative. With at
    least `FEWEST_GAMES` strikeouts and fewer other games, the interval is that of `mean_of_sums`. Otherwise
    it is NaN with fewer than `FEWEST_GAMES` other games, and if no game struck out and no value differs.

    >>> low, high = mean_apart(Sums(20, 40, 40, 20, 40), Sums(0, 0, 0, 0, 0), 25)
    >>> round(low, 2), round(high, 2)  # none of 40 games struck out: at most 8.76 % do, for 24.5 points more
    (0.29, 2.68)
    """
    games, count = every.o, struck.o
    others = Sums(*(all_ - mine for all_, mine in zip(every, struck, strict=True)))
    if others.o < FEWEST_GAMES <= count:
        return mean_of_sums(every, games, confidence)
    if others.o < FEWEST_GAMES:
        return UNKNOWN
    mean, usual = every.f / games, others.f / others.o
    low, high = mean_of_sums(others, others.o, confidence)
    if math.isnan(low) and count:
        low = high = usual  # the mean of equal values is treated as known
    share = count / games
    fewest, most = share_of_sums(Sums(count, games, count, count, games), games, confidence)
    lost = struck.f / count if count else worst
    error = 0.0
    if count > 1:
        error = math.sqrt(max(struck.ff - count * lost * lost, 0.0) / (count - 1) / count)
    error *= share * NormalDist().inv_cdf((1 + confidence) / 2)
    cost = lost - usual
    down, up = cost * (share - fewest), cost * (most - share)
    if cost < 0:
        down, up = up, down
    below, above = (usual - low) * (1 - share), (high - usual) * (1 - share)
    low, high = mean - math.hypot(below, down, error), mean + math.hypot(above, up, error)
    return Interval(low if math.isnan(low) else max(low, 0.0), high)


class Struck(NamedTuple):
    """Strikeouts, and their approximate worst value by measure.

    `games` has 1.0 for each game that struck out and 0.0 for each other game. `worst` is None for measures
    that do not treat strikeouts separately.
    """

    games: Floats
    worst: Sequence[float | None]


class OfGroup(NamedTuple):
    """Arrays with a value per game of a group; `of` are opportunities, `struck` is 1.0 for a strikeout."""

    found: Floats
    of: Floats
    weight: Floats
    deal: Ints
    struck: Floats


def jeffreys(found: float, of: float, confidence: float = 0.95) -> Interval:
    """Return Jeffreys' interval for a share of independent opportunities. Needs SciPy.

    For a share of 0 or 1 the end on this side is 0 or 1 (Brown, Cai & DasGupta 2001).

    >>> low, high = jeffreys(1, 40)
    >>> round(low, 4), round(high, 4), jeffreys(0, 40).low
    (0.0027, 0.1109, 0.0)
    """
    levels = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = scipy_stats.beta.ppf(levels, found + 0.5, of - found + 0.5).tolist()
    return Interval(0.0 if found <= 0 else low, 1.0 if found >= of else high)


def strikeout_costs(group: OfGroup, worst: float, confidence: float) -> tuple[float, float]:
    """Return how much lower and higher the mean of a group may be because of its strikeouts.

    The interval of the share of strikeouts uses the effective number of games, from the weights (Kish 1965)
    and, over deals, from `share_worth`. NaN if this number is unknown.

    >>> ones, struck = np.ones(40), (np.arange(40) < 1).astype(float)
    >>> group = OfGroup(20 - 20 * struck, ones, ones, np.arange(40), struck)
    >>> lower, higher = strikeout_costs(group, 0.0, 0.95)
    >>> round(lower, 2), round(higher, 2)  # 1 of 40, between 0.27 % and 11.09 %, at 20 points
    (1.72, 0.45)
    """
    of = group.weight * group.of
    bad = of * group.struck
    total, count = float(of.sum()), float(of.sum() ** 2 / (of * group.weight).sum())
    share = float(bad.sum()) / total
    usual = float((group.found * group.weight * (1 - group.struck)).sum()) / float((of - bad).sum())
    number = np.unique(group.deal, return_inverse=True)[1]
    f, o = (np.bincount(number, values) * (count / total) for values in (bad, of))
    f, o = f[o > 0], o[o > 0]
    worth = count * share_worth(Sums.of(f, o), len(o), confidence)
    low, high = jeffreys(share * worth, worth, confidence)
    struck = bad > 0
    theirs, error = worst, 0.0
    if struck.any():
        values, weights = group.found[struck] / group.of[struck], bad[struck]
        theirs = float((values * weights).sum() / weights.sum())
        if len(values) > 1:
            spread = float((weights**2 * (values - theirs) ** 2).sum()) * len(values) / (len(values) - 1)
            error = math.sqrt(spread) / total * NormalDist().inv_cdf((1 + confidence) / 2)
    less, more = abs(theirs - usual) * (share - low), abs(theirs - usual) * (high - share)
    lower, higher = (less, more) if theirs > usual else (more, less)
    return math.hypot(lower, error), math.hypot(higher, error)

"""Means over games of which a few were lost by strikes, and differences of such means.

Most samples of some dozen games have no such game, so their variation does not show what one may cost. But
the share of such games has an interval even where none was found, and the most that one can cost is known. So
the mean F of the other games, between f and f', the share p of games that struck out, between q and q', and
their mean L (the worst possible where there is none) are combined (MOVER: Zou & Donner 2008). The mean is
(1 - p) F + p L, and its lower end, where L > F, is

    that - sqrt(((1 - p) (F - f))^2 + ((L - F) (p - q))^2 + (p z s)^2),

with the standard error s of L; the upper end likewise, and the other way round where L < F. The difference of
two means has the terms of both groups, with Jeffreys' intervals of shares (Laud 2017): by Wilson's, which are
longer where nothing was found, differences hold too often. `python -m tests.benchmarks.coverage` measures it.
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

    `every` are the sums over all games, each of 1, `struck` those over the games that struck out; `worst` is
    the value that such a game may have at worst. Values are never below 0, and neither are the ends. NaN
    where fewer than `FEWEST_GAMES` games did not strike out, and where no game did and the others do not
    vary. With 20 games that struck out, and fewer others, strikeouts are no exceptions: the interval is that
    of `mean_of_sums`.

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
        low = high = usual  # others that do not vary are known
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
    """Which games struck out, 1.0 or 0.0 for each; and about the worst value of one, by measure.

    The worst is None for a measure of which strikeouts are no exceptions.
    """

    games: Floats
    worst: Sequence[float | None]


class OfGroup(NamedTuple):
    """Arrays with a value per game of a group: found, opportunities, weight, deal, 1.0 for a strikeout."""

    found: Floats
    of: Floats
    weight: Floats
    deal: Ints
    struck: Floats


def jeffreys(found: float, of: float, confidence: float = 0.95) -> Interval:
    """Return Jeffreys' interval for a share of independent opportunities. Needs SciPy.

    Where nothing or all was found its end there is 0 or 1 (Brown, Cai & DasGupta 2001).

    >>> low, high = jeffreys(1, 40)
    >>> round(low, 4), round(high, 4), jeffreys(0, 40).low
    (0.0027, 0.1109, 0.0)
    """
    levels = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = scipy_stats.beta.ppf(levels, found + 0.5, of - found + 0.5).tolist()
    return Interval(0.0 if found <= 0 else low, 1.0 if found >= of else high)


def strikeout_costs(group: OfGroup, worst: float, confidence: float) -> tuple[float, float]:
    """Return by how much the mean of a group may be lower and higher, for its strikeouts.

    The share is of the effective number of games: by weights (Kish 1965), and over deals by `share_worth`.
    NaN where that is not known.

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

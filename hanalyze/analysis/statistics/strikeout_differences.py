"""Differences of means over games of which a few are disasters: what those may cost is counted apart.

In: games of two groups with their weights, and which of them are disasters. Out: by how much the mean of a
group may be lower and higher for its disasters. All that stands here knows nothing of Hanabi.

It is the same with two groups as with one (`hanalyze.analysis.statistics.strikeouts`): resampling knows of
disasters
only as many as there happen to be, but the share of such games has an interval even where none was found, and
it is known what one may cost. So three parts are each off by so much, and put together (MOVER): the
difference of the usual games, resampled, by e and e'; in each group the share p of the disasters, between q
and q', times what one costs, F - L (the mean of usual games less theirs; the worst where there is none); and
that cost, with a standard error s, where there are several. Of means that disasters lower, as scores, the
lower end is

    a - b - sqrt(e^2 + ((F_a - L_a) (q'_a - p_a))^2 + ((F_b - L_b) (p_b - q_b))^2
                 + (p_a z s_a)^2 + (p_b z s_b)^2),

and the upper one likewise, with the ends of the shares exchanged. The intervals of the shares are Jeffreys',
which are shorter than Wilson's where nothing was found: with Wilson's the intervals of differences, which
have two, hold too often. A group that never loses a game so is not told from one that rarely does: of 40
games of such a group they hold about 99 % of the time.

Sources: Zou, G. Y. & Donner, A. (2008), Construction of confidence limits about effect measures: a general
approach, Statistics in Medicine 27, 1693-1702; Brown, L. D., Cai, T. T. & DasGupta, A. (2001), Interval
estimation for a binomial proportion, Statistical Science 16, 101-133 (Jeffreys' interval); Laud, P. J.
(2017), Equal-tailed confidence intervals for comparison of rates, Pharmaceutical Statistics 16, 334-348
(Jeffreys' in MOVER). `python -m tests.benchmarks.coverage` says how often they hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import Floats, Interval, Ints, Sums, share_worth
from hanalyze.lazy import scipy_stats


class Rare(NamedTuple):
    """Which games are disasters, 1.0 or 0.0 for each; and about the worst that one may come to, by measure.

    The worst is None for a measure of which disasters are no exceptions.
    """

    games: Floats
    worst: Sequence[float | None]


class OfGroup(NamedTuple):
    """Arrays with a value a game of a group: found, opportunities, weight, deal, and 1.0 for a disaster."""

    found: Floats
    of: Floats
    weight: Floats
    deal: Ints
    rare: Floats


def jeffreys(found: float, of: float, confidence: float = 0.95) -> Interval:
    """Return Jeffreys' interval for a share of independent opportunities. Wants SciPy.

    Where nothing or all was found its end there is 0 or 1 (Brown, Cai & DasGupta 2001).

    >>> low, high = jeffreys(1, 40)
    >>> round(low, 4), round(high, 4), jeffreys(0, 40).low
    (0.0027, 0.1109, 0.0)
    """
    beta = scipy_stats.beta
    ends = beta.ppf([(1 - confidence) / 2, (1 + confidence) / 2], found + 0.5, of - found + 0.5).tolist()
    return Interval(0.0 if found <= 0 else ends[0], 1.0 if found >= of else ends[1])


def costs(group: OfGroup, worst: float, confidence: float) -> tuple[float, float]:
    """Return by how much the mean of a group may be lower and higher, for its disasters.

    The share is of as many opportunities as the games are worth: of one weight (Kish 1965), over deals, by
    `share_worth`. NaN where that is not known.

    >>> ones, rare = np.ones(40), (np.arange(40) < 1).astype(float)
    >>> lower, higher = costs(OfGroup(20 - 20 * rare, ones, ones, np.arange(40), rare), 0.0, 0.95)
    >>> round(lower, 2), round(higher, 2)  # 1 of 40, between 0.27 % and 11.09 %, at 20 points
    (1.72, 0.45)
    """
    of = group.weight * group.of
    bad = of * group.rare
    total, count = float(of.sum()), float(of.sum() ** 2 / (of * group.weight).sum())
    share = float(bad.sum()) / total
    usual = float((group.found * group.weight * (1 - group.rare)).sum()) / float((of - bad).sum())
    number = np.unique(group.deal, return_inverse=True)[1]
    f, o = (np.bincount(number, values) * (count / total) for values in (bad, of))
    f, o = f[o > 0], o[o > 0]
    sums = Sums(*(float(values.sum()) for values in (f, o, f * f, f * o, o * o)))
    worth = count * share_worth(sums, len(o), confidence)
    low, high = jeffreys(share * worth, worth, confidence)
    there = bad > 0
    theirs, off = worst, 0.0
    if there.any():
        values, weights = group.found[there] / group.of[there], bad[there]
        theirs = float((values * weights).sum() / weights.sum())
        if len(values) > 1:
            spread = float((weights**2 * (values - theirs) ** 2).sum()) * len(values) / (len(values) - 1)
            off = math.sqrt(spread) / total * NormalDist().inv_cdf((1 + confidence) / 2)
    less, more = abs(theirs - usual) * (share - low), abs(theirs - usual) * (high - share)
    lower, higher = (less, more) if theirs > usual else (more, less)
    return math.hypot(lower, off), math.hypot(higher, off)

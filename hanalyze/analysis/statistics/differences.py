"""Differences between two matched groups of games in ratios of sums, with intervals and p-values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import (
    FEWEST_GAMES,
    SEED,
    UNKNOWN,
    Bools,
    Floats,
    Interval,
    Ints,
    Shares,
    check_confidence,
    effective_share,
    student,
    two_sided,
)
from hanalyze.analysis.statistics.permutations import PERMUTATIONS, Labels

_FEW: Final = 200
"""Number of deals of the smaller group below which p-values come from permutations."""


class Difference(NamedTuple):
    """The result for a measure; unknown numbers are NaN.

    `ratios` are the ratios of the weighted sums of both groups, and `effect` is the first ratio less the
    second, with the interval from `low` to `high`. `p_value` is two-sided. `found`, `opportunities` and
    `games` (with an opportunity) are unweighted sums of both groups. `shares` has the parts of the interval
    of a difference of shares; None for means.
    """

    ratios: tuple[float, float]
    effect: float
    low: float
    high: float
    p_value: float
    found: tuple[float, float]
    opportunities: tuple[float, float]
    games: tuple[int, int]
    shares: Shares | None = None


class _Part(NamedTuple):
    """Games whose units vary about one mean: the games, the unit of each game, and the number of units."""

    rows: Ints
    unit: Ints
    units: int


class Design:
    """The sampling design: which games form a unit, and which units vary about one mean.

    Games of one deal depend on each other and form one unit. A stratum in which a group has a single deal
    forms one unit with the games of both groups (a pair). In all other strata, the units are the deals of
    each group, which vary about the group's mean in the stratum. Strata have fixed weights (Cochran 1977).

    The arrays `group` (0 or 1), `stratum` (from 0), `deal` (any number) and `weight` (equal for all games of
    a stratum and group) have a value per game. `paired` has a value per stratum: whether it is a single deal.
    """

    def __init__(self, group: Ints, stratum: Ints, deal: Ints, weight: Floats, paired: Bools) -> None:
        self.group, self.weight, self.deal = group, weight, deal
        strata = len(paired)
        # A deal is numbered within its stratum and group.
        cell = stratum * 2 + group
        order = np.lexsort((deal, cell))
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = (np.diff(cell[order]) != 0) | (np.diff(deal[order]) != 0)
        number = np.empty(len(order), np.int64)
        number[order] = np.cumsum(fresh) - 1
        deals = np.bincount(cell[order][fresh], minlength=2 * strata).reshape(strata, 2)
        whole = paired | (deals.min(axis=1) < 2)
        if whole.sum() == 1:
            # A single pair has no variance, so its games are treated like those of other strata.
            whole[:] = False
        # On a deal that both groups played, single games change groups in the permutations.
        changing = np.where(paired[stratum], np.arange(len(deal)), deal)
        few = deals.sum(axis=0).min() < _FEW
        self.labels = Labels(group, stratum, changing, weight, whole) if few else None
        """The permutations for p-values of small groups; None for larger groups."""
        self._parts: list[_Part] = []
        together = np.flatnonzero(whole[stratum])
        if len(together):
            names, unit = np.unique(stratum[together], return_inverse=True)
            self._parts.append(_Part(together, unit, len(names)))
        rest = order[~whole[stratum[order]]]
        ends = np.flatnonzero(np.diff(cell[rest])) + 1
        for rows in np.split(rest, ends) if len(rest) else []:
            unit = number[rows] - number[rows[0]]
            if unit[-1]:
                self._parts.append(_Part(rows, unit, int(unit[-1]) + 1))

    def variance(self, influence: Floats) -> tuple[float, float]:
        """Return the variance of a sum of games' values, and Satterthwaite's degrees of freedom."""
        total = square = 0.0
        for part in self._parts:
            units = np.bincount(part.unit, influence[part.rows], part.units)
            own = part.units * float(np.var(units, ddof=1))
            total += own
            square += own * own / (part.units - 1)
        return total, total * total / square if square else math.nan

    def fewest_deals(self, opportunities: Floats) -> int:
        """Return the number of deals with an opportunity in the group that has fewer of them."""
        has_opportunity = opportunities > 0
        return min(len(np.unique(self.deal[has_opportunity & (self.group == side)])) for side in (0, 1))

    def __bool__(self) -> bool:
        return bool(self._parts)


def differences(
    design: Design,
    found: Sequence[Floats],
    opportunities: Sequence[Floats],
    *,
    shares: Sequence[bool],
    minimum: Sequence[float],
    fewest: Sequence[int] = (),
    confidence: float = 0.95,
    seed: int = SEED,
) -> list[Difference]:
    """Return, for each measure, the difference between the two groups of a design.

    `found` and `opportunities` have an array per measure with a value per game. A measure with fewer than
    its `minimum` of opportunities in a group, or without any, gets sums only. `shares` tells for each measure
    whether the finds are a part of the opportunities.

    The ratio of a group is sum(weight found) / sum(weight opportunities). Interval and p-value use Student's
    t with the linearised standard error and Satterthwaite's degrees of freedom. Both are NaN if nothing
    varies. The interval of a difference of shares is that of `Shares`. The sample variance of a share of 0 or
    1 is 0, so the standard error is then at least that of two independent shares at the common rate. A mean
    has no interval if a group has fewer deals with an opportunity than `fewest`, which has a value per
    measure (default `FEWEST_GAMES`).

    If a group has fewer than 200 deals, the p-value is that of a permutation test (`Labels.p_values`). If no
    permutation is as extreme as the data, it is the smaller of this p-value and Student's. Interval and
    p-value may then disagree about 0; `adjusted_intervals` moves the end of the interval.
    """
    check_confidence(confidence)
    by_permutation = [math.nan] * len(found)
    if design.labels is not None:
        by_permutation = design.labels.p_values(found, opportunities, shares, seed).tolist()
    results: list[Difference] = []
    for number, (f, o, share) in enumerate(zip(found, opportunities, shares, strict=True)):
        sides = [design.group == side for side in (0, 1)]
        sums = [(float(f[side].sum()), float(o[side].sum()), int((o[side] > 0).sum())) for side in sides]
        finds, of, games = zip(*sums, strict=True)
        ratios, ends, p_value, two = (math.nan, math.nan), UNKNOWN, math.nan, None
        if min(of) >= minimum[number] and min(of) > 0:
            both = _ratios(design, f, o)
            ratios = both.values
            if share:
                two, p_value = _share_difference(design, o, both, confidence)
                ends = two.difference(confidence)
            else:
                ends, p_value = _mean_difference(design, both, confidence)
                if design.fewest_deals(o) < (fewest[number] if fewest else FEWEST_GAMES):
                    ends = UNKNOWN
            permuted = by_permutation[number]
            if not math.isnan(p_value) and not math.isnan(permuted):
                # Only Student's distribution gives values below the smallest p-value of the permutations.
                p_value = min(p_value, permuted) if permuted <= 1 / (1 + PERMUTATIONS) else permuted
        results.append(Difference(ratios, ratios[0] - ratios[1], *ends, p_value, finds, of, games, two))
    return results


class _Ratios(NamedTuple):
    """Weighted ratios and opportunities of both groups, and the influence of each game on each ratio."""

    values: tuple[float, float]
    of: tuple[float, float]
    influences: tuple[Floats, Floats]


def _ratios(design: Design, found: Floats, opportunities: Floats) -> _Ratios:
    sides = []
    for side in (0, 1):
        weight = design.weight * (design.group == side)
        f, o = found * weight, opportunities * weight
        total = float(o.sum())
        ratio = float(f.sum()) / total
        sides.append((ratio, total, (f - ratio * o) / total))
    return _Ratios(*zip(*sides, strict=True))


def _mean_difference(design: Design, both: _Ratios, confidence: float) -> tuple[Interval, float]:
    effect = both.values[0] - both.values[1]
    variance, freedom = design.variance(both.influences[0] - both.influences[1])
    error = math.sqrt(variance)
    if not design or error <= 1e-12 * max(map(abs, both.values)):
        return UNKNOWN, math.nan
    half = student((1 + confidence) / 2, freedom) * error
    return Interval(effect - half, effect + half), two_sided(effect / error, freedom)


def _share_difference(
    design: Design, opportunities: Floats, pair: _Ratios, confidence: float
) -> tuple[Shares, float]:
    """Return the parts of the interval of a difference of shares, and its p-value."""
    ratios, totals, influences = pair
    both, freedom = design.variance(influences[0] - influences[1])
    own = [design.variance(influence) for influence in influences]
    counts, worth = [], []
    for side, (variance, units) in enumerate(own):
        # The effective number of opportunities with these weights (Kish 1965).
        count = totals[side] ** 2 / float((opportunities * design.weight**2)[design.group == side].sum())
        counts.append(count)
        worth.append(count * effective_share(ratios[side], count, variance, units, confidence))
    spread = math.sqrt(own[0][0] * own[1][0])
    correlation = max(-1.0, min((own[0][0] + own[1][0] - both) / (2 * spread), 1.0)) if spread else 0.0
    effect = ratios[0] - ratios[1]
    alike = min(ratios) < 1e-12 or max(ratios) > 1 - 1e-12
    if alike:
        pooled = (ratios[0] * counts[0] + ratios[1] * counts[1]) / sum(counts)
        both = max(both, pooled * (1 - pooled) * (1 / counts[0] + 1 / counts[1]))
    elif not design:  # the variation between games is unknown
        worth = [math.nan, math.nan]
    shares = Shares(ratios, (worth[0], worth[1]), correlation)
    error = math.sqrt(both)
    if not design or (error <= 1e-12 and not alike):
        return shares, math.nan
    if alike:
        return shares, math.erfc(abs(effect) / error / math.sqrt(2)) if error > 0 else 1.0
    return shares, two_sided(effect / error, freedom)

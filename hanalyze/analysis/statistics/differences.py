"""Differences in ratios of sums between two matched groups of games, with intervals and p-values.

For small groups, p-values come from permutation tests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

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
from hanalyze.lazy import needed

_FEW: Final = 200
"""Number of deals of the smaller group below which p-values come from permutations."""


class Difference(NamedTuple):
    """The result for a measure; unknown numbers are NaN.

    `ratios` are the ratios of the weighted sums of both groups, and `effect` is the first ratio less the
    second, with the interval from `low` to `high`. `p_value` is two-sided. `found`, `opportunities` and
    `games` (those with an opportunity) are the unweighted sums of each group. `shares` has the parts of the
    interval of a difference of shares; otherwise it is None.
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
    """Games whose units vary about one mean: their indices, each game's unit, and the number of units."""

    rows: Ints
    unit: Ints
    units: int


class Design:
    """The sampling design: which games form a unit, and which units vary about one mean.

    Games of one deal depend on each other and form one unit. In a stratum in which a group has a single
    deal, the games of both groups form one unit (a pair). In all other strata, the units are the deals of
    each group, which vary about the group's mean in the stratum. Strata have fixed weights (Cochran 1977).

    The arrays `group` (0 or 1), `stratum` (from 0), `deal` (any number) and `weight` (equal for all games of
    a stratum and group) have a value per game. `paired` has a value per stratum: whether the stratum is a
    single deal.
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
        """Return the variance of the sum of games' influences, and Satterthwaite's degrees of freedom."""
        total = square = 0.0
        for part in self._parts:
            units = np.bincount(part.unit, influence[part.rows], part.units)
            own = part.units * float(np.var(units, ddof=1))
            total += own
            square += own * own / (part.units - 1)
        return total, total * total / square if square else math.nan

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
) -> list[Difference]:
    """Return, for each measure, the difference between the two groups of a design.

    `found` and `opportunities` have an array per measure with a value per game. A measure has only
    sums if a group has no opportunity, or fewer than the measure's `minimum`. `shares` tells for each measure
    whether the finds are a part of the opportunities.

    The ratio of a group is sum(weight found) / sum(weight opportunities). Interval and p-value use Student's
    t with the linearised standard error and Satterthwaite's degrees of freedom. Both are NaN if nothing
    varies. The interval of a difference of shares is that of `Shares`. The sample variance of a share of 0 or
    1 is 0, so the standard error is then at least that of two independent shares at the common rate. A mean
    has no interval if a group has fewer deals with an opportunity than `fewest`, which has a value per
    measure (default `FEWEST_GAMES`).

    If a group has fewer than 200 deals, the p-value is that of a permutation test (`Labels.p_values`). If no
    permutation is as extreme as the data, the smaller of this p-value and Student's is used. Interval and
    p-value may then disagree about 0; `adjusted_intervals` moves the end of the interval.
    """
    check_confidence(confidence)
    by_permutation = [math.nan] * len(found)
    if design.labels is not None:
        by_permutation = design.labels.p_values(found, opportunities, shares, SEED).tolist()
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
                deals = min(len(np.unique(design.deal[side & (o > 0)])) for side in sides)
                if deals < (fewest[number] if fewest else FEWEST_GAMES):
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
    is_extreme = min(ratios) < 1e-12 or max(ratios) > 1 - 1e-12
    if is_extreme:
        pooled = (ratios[0] * counts[0] + ratios[1] * counts[1]) / sum(counts)
        both = max(both, pooled * (1 - pooled) * (1 / counts[0] + 1 / counts[1]))
    elif not design:  # the variation between games is unknown
        worth = [math.nan, math.nan]
    shares = Shares(ratios, (worth[0], worth[1]), correlation)
    error = math.sqrt(both)
    if not design or (error <= 1e-12 and not is_extreme):
        return shares, math.nan
    if is_extreme:
        return shares, math.erfc(abs(effect) / error / math.sqrt(2)) if error > 0 else 1.0
    return shares, two_sided(effect / error, freedom)


PERMUTATIONS: Final = 4999
"""Number of permutations; the smallest possible p-value is 1 / (`PERMUTATIONS` + 1)."""

_AT_ONCE: Final = 32
"""Number of measures in memory at a time."""
_SAME: Final = 1 - 1e-9
"""Two statistics count as equal if the ratio of the smaller to the larger exceeds this (rounding errors)."""


class Labels:
    """The permutations of the group labels of games.

    The tests are valid for few games and for skewed values. Within a stratum, the games of a deal change
    groups together; on a deal that both groups played, single games change groups. The statistic is the
    difference over its standard error, computed for every permutation, so that groups may differ in variance
    (studentised: Janssen 1997, Chung & Romano 2013).

    The arrays are those of `Design`. Games of a stratum and group with the same `unit` (any number) change
    groups together. `whole` has a value per stratum: whether its two groups form one unit, as pairs do.
    """

    def __init__(self, group: Ints, stratum: Ints, unit: Ints, weight: Floats, whole: Bools) -> None:
        order = np.lexsort((unit, group, stratum))
        ends = np.flatnonzero(np.diff(stratum[order])) + 1
        self._strata = [(rows, bool(whole[stratum[rows[0]]])) for rows in np.split(order, ends) if len(rows)]
        self._group, self._unit, self._weight = group, unit, weight

    def p_values(
        self, found: Sequence[Floats], opportunities: Sequence[Floats], shares: Sequence[bool], seed: int
    ) -> Floats:
        """Return each measure's two-sided p-value: 1 if both ratios are equal, NaN if one is undefined.

        The arguments are those of `differences`. The variance of a difference of shares is at least that of
        independent opportunities at the common rate. Permutations in which a group has no opportunity do not
        count. The result of a measure does not depend on other measures.

        >>> ones, group, game = np.ones(8), np.arange(8) // 4, np.arange(8)
        >>> labels = Labels(group, group * 0, game, ones, np.array([False]))
        >>> values = np.array([21.0, 22, 23, 24, 11, 12, 13, 14])
        >>> labels.p_values([values], [ones], [False], seed=1).round(2).tolist()  # 2 of 70
        [0.03]
        """
        parts = [
            self._strengths(
                np.stack(found[first : first + _AT_ONCE], axis=1).astype(np.float64),
                np.stack(opportunities[first : first + _AT_ONCE], axis=1).astype(np.float64),
                np.array(shares[first : first + _AT_ONCE]),
                seed,
            )
            for first in range(0, len(found), _AT_ONCE)
        ]
        strengths = np.concatenate(parts, axis=1)
        finite = np.isfinite(strengths)
        more = finite & (strengths >= strengths[0] * _SAME)
        # The first row is the actual labelling, which counts as one permutation (Phipson & Smyth 2010).
        return np.where(finite[0], more.sum(axis=0) / np.maximum(finite.sum(axis=0), 1), np.nan)

    def _strengths(self, found: Floats, of: Floats, shares: Bools, seed: int) -> Floats:
        """Return studentised differences, (1 + permutations, measures); the first row has the true groups."""
        both = _Sums(PERMUTATIONS + 1, found.shape[1])
        for number, (rows, whole) in enumerate(self._strata):
            side = self._group[rows]
            fresh = np.ones(len(rows), np.bool_)
            fresh[1:] = (np.diff(side) != 0) | (np.diff(self._unit[rows]) != 0)
            starts = np.flatnonzero(fresh)
            sides, weights = side[starts], self._weight[rows[starts]]
            counts = np.bincount(sides, minlength=2)
            f, o = (np.add.reduceat(columns[rows], starts) for columns in (found, of))
            values = np.stack([f, o, f * f, f * o, o * o])
            # Units of the smaller group are drawn; the larger group gets the remaining units.
            small = int(counts[1] < counts[0])
            units = _draws(np.flatnonzero(sides == small), len(starts), [seed, number]) @ values.transpose(
                1, 0, 2
            ).reshape(len(starts), -1)
            sums = [units.reshape(len(units), 5, -1)] * 2
            sums[1 - small] = values.sum(axis=1) - sums[small]
            both.add(sums, counts, [float(weights[sides == one].mean()) for one in (0, 1)], whole)
        return both.strengths(shares)


def _draws(actual: Ints, of: int, seed: Sequence[int]) -> Any:
    """Return a sparse 0/1 matrix: the units drawn in each permutation (Floyd's method); row 0 is `actual`."""
    random = np.random.default_rng(seed)
    sample = np.empty((PERMUTATIONS + 1, len(actual)), np.int64)
    for place, last in enumerate(range(of - len(actual), of)):
        pick = random.integers(0, last + 1, len(sample))
        is_drawn = (sample[:, :place] == pick[:, None]).any(axis=1)
        sample[:, place] = np.where(is_drawn, last, pick)
    sample[0] = actual
    ends = np.arange(len(sample) + 1) * len(actual)
    data = np.ones(sample.size), sample.ravel(), ends
    return needed("scipy.sparse").csr_matrix(data, shape=(len(sample), of))


class _Sums:
    """Sums of the two groups over strata, for each permutation and measure.

    `totals` has sums of weighted finds, of weighted opportunities, and of opportunities times the squared
    weight. `deviations` has squares and products of the units' deviations from their mean. `whole` and
    `products` have sums and products over strata whose two groups form one unit.
    """

    def __init__(self, rows: int, measures: int) -> None:
        self.totals = np.zeros((2, 3, rows, measures))
        self.deviations = np.zeros((2, 3, rows, measures))
        self.whole = np.zeros((4, rows, measures))
        self.products = np.zeros((4, 4, rows, measures))
        self.whole_strata = 0

    def add(self, sums: Sequence[Floats], counts: Ints, weights: Sequence[float], whole: bool) -> None:
        """Add a stratum with, for each group, the sums (rows, 5, measures), number of units and weight."""
        for side, weight in enumerate(weights):
            f, o, ff, fo, oo = sums[side].transpose(1, 0, 2)
            self.totals[side] += weight * f, weight * o, weight * weight * o
            units = int(counts[side])
            if not whole and units > 1:
                factor = weight * weight * units / (units - 1)
                self.deviations[side] += (
                    factor * (ff - f * f / units),
                    factor * (fo - f * o / units),
                    factor * (oo - o * o / units),
                )
        if whole:
            self.whole_strata += 1
            parts = [weights[side] * sums[side][:, number] for side in (0, 1) for number in (0, 1)]
            for i, one in enumerate(parts):
                self.whole[i] += one
                for j in range(i + 1):
                    self.products[i, j] += one * parts[j]

    def strengths(self, shares: Bools) -> Floats:
        """Return studentised differences; NaN if a group has no opportunity."""
        with np.errstate(invalid="ignore", divide="ignore"):
            f, o, worth = self.totals.transpose(1, 0, 2, 3)
            rates = f / o
            ff, fo, oo = self.deviations.transpose(1, 0, 2, 3)
            variance = ((ff - 2 * rates * fo + rates**2 * oo) / o**2).sum(axis=0)
            if self.whole_strata > 1:
                one, other = 1 / o
                factors = one, -rates[0] * one, -other, rates[1] * other
                mean = sum(a * part for a, part in zip(factors, self.whole, strict=True))
                squares = sum(
                    (1 if i == j else 2) * factors[i] * factors[j] * self.products[i, j]
                    for i in range(4)
                    for j in range(i + 1)
                )
                strata = self.whole_strata
                variance = variance + (squares - mean * mean / strata) * strata / (strata - 1)
            # The effective number of opportunities (Kish 1965).
            worth = o**2 / worth
            pooled = np.clip((rates * worth).sum(axis=0) / worth.sum(axis=0), 0, 1)
            independent = pooled * (1 - pooled) * (1 / worth).sum(axis=0)
            effect = np.abs(rates[0] - rates[1])
            scale = np.maximum(np.abs(rates).max(axis=0), 1e-100)
            variance = np.where(shares, np.maximum(variance, independent), variance)
            # Differences due to rounding become 0, and errors get a positive lower bound.
            effect = np.where(effect <= 1e-12 * scale, 0.0, effect)
            error = np.sqrt(np.maximum(variance, (1e-12 * scale) ** 2))
            strengths: Floats = effect / error
        return strengths

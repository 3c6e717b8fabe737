"""Permutation tests of the difference between two groups of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hanalyze.analysis.statistics.intervals import Bools, Floats, Ints
from hanalyze.lazy import needed

PERMUTATIONS: Final = 4999
"""Number of permutations; the smallest possible p-value is 1 / (`PERMUTATIONS` + 1)."""

_AT_ONCE: Final = 32
"""Number of measures in memory at a time."""
_SAME: Final = 1 - 1e-9
"""Ratio of two statistics above which they count as equal: rounding may make them differ."""


class Labels:
    """The permutations of the group labels of games.

    The tests are valid for few games and for skewed values. Deals change groups within a stratum together
    with their games; on a deal that both groups played, single games change groups. The statistic is the
    difference over its standard error, computed for every permutation, so that groups may differ in variance
    (studentised: Janssen 1997, Chung & Romano 2013).

    The arrays `group` (0 or 1), `stratum` (from 0), `unit` (any number) and `weight` (equal for all games of
    a stratum and group) have a value per game. Games of a stratum and group with the same `unit` change
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
        """Return each measure's two-sided p-value: 1 if the groups' ratios are equal, NaN if one has none.

        `found` and `opportunities` have an array per measure with a value per game. `shares` tells for each
        measure whether the finds are a part of the opportunities; the variance of the difference is then at
        least that of independent opportunities at the common rate. Permutations in which a group has no
        opportunity do not count. The result of a measure does not depend on other measures.

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
            units = _dealt(np.flatnonzero(sides == small), len(starts), [seed, number]) @ values.transpose(
                1, 0, 2
            ).reshape(len(starts), -1)
            sums = [units.reshape(len(units), 5, -1)] * 2
            sums[1 - small] = values.sum(axis=1) - sums[small]
            both.add(sums, counts, [float(weights[sides == one].mean()) for one in (0, 1)], whole)
        return both.strengths(shares)


def _dealt(as_is: Ints, of: int, seed: Sequence[int]) -> Any:
    """Return each permutation's drawn units (first `as_is`) as rows of a sparse matrix (Floyd's method)."""
    random = np.random.default_rng(seed)
    sample = np.empty((PERMUTATIONS + 1, len(as_is)), np.int64)
    for place, last in enumerate(range(of - len(as_is), of)):
        pick = random.integers(0, last + 1, len(sample))
        is_drawn = (sample[:, :place] == pick[:, None]).any(axis=1)
        sample[:, place] = np.where(is_drawn, last, pick)
    sample[0] = as_is
    ends = np.arange(len(sample) + 1) * len(as_is)
    data = np.ones(sample.size), sample.ravel(), ends
    return needed("scipy.sparse").csr_matrix(data, shape=(len(sample), of))


class _Sums:
    """Sums of the two groups over strata, for each permutation and measure.

    `totals` has sums of weighted finds, of weighted opportunities, and of opportunities times the squared
    weight. `apart` has squares and products of the units' deviations from their mean. `whole` and `products`
    have sums and products over strata whose two groups form one unit.
    """

    def __init__(self, rows: int, measures: int) -> None:
        self.totals = np.zeros((2, 3, rows, measures))
        self.apart = np.zeros((2, 3, rows, measures))
        self.whole = np.zeros((4, rows, measures))
        self.products = np.zeros((4, 4, rows, measures))
        self.drawn_whole = 0

    def add(self, sums: Sequence[Floats], counts: Ints, weights: Sequence[float], whole: bool) -> None:
        """Add a stratum with, for each group, the sums (rows, 5, measures), number of units and weight."""
        for side, weight in enumerate(weights):
            f, o, ff, fo, oo = sums[side].transpose(1, 0, 2)
            self.totals[side] += weight * f, weight * o, weight * weight * o
            units = int(counts[side])
            if not whole and units > 1:
                blown = weight * weight * units / (units - 1)
                self.apart[side] += (
                    blown * (ff - f * f / units),
                    blown * (fo - f * o / units),
                    blown * (oo - o * o / units),
                )
        if whole:
            self.drawn_whole += 1
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
            ff, fo, oo = self.apart.transpose(1, 0, 2, 3)
            variance = ((ff - 2 * rates * fo + rates**2 * oo) / o**2).sum(axis=0)
            if self.drawn_whole > 1:
                one, other = 1 / o
                factors = one, -rates[0] * one, -other, rates[1] * other
                mean = sum(a * part for a, part in zip(factors, self.whole, strict=True))
                squares = sum(
                    (1 if i == j else 2) * factors[i] * factors[j] * self.products[i, j]
                    for i in range(4)
                    for j in range(i + 1)
                )
                strata = self.drawn_whole
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

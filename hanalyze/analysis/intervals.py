"""How sure a rate is: intervals for it, and what is left of p-values when many are looked at.

In: counts, or counts by game. Out: `Interval`s, adjusted p-values. Opportunities of one game depend on each
other (the same players, the same deck), games do not: so what is drawn again and again is games.

Sources: Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference, Journal
of the American Statistical Association 22, 209-212. Efron, B. & Tibshirani, R. (1993), An introduction to the
bootstrap, chapter 13 (percentile interval); Field, C. & Welsh, A. (2007), Bootstrapping clustered data,
Journal of the Royal Statistical Society B 69, 369-390 (whole clusters are drawn). Benjamini, Y. & Hochberg,
Y. (1995), Controlling the false discovery rate, Journal of the Royal Statistical Society B 57, 289-300.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hanalyze.errors import HanalyzeError
from hanalyze.extras import needed

__all__ = [
    "RESAMPLES",
    "SEED",
    "Interval",
    "adjusted",
    "bootstrap_groups",
    "cluster_bootstrap",
    "scipy_stats",
    "wilson",
]

RESAMPLES: Final = 1000
"""How often games are resampled."""
SEED: Final = 1
"""Where the random numbers start: the same data give the same interval."""

_PAIRS_FROM: Final = 5000
"""Games from which on it pays to draw pairs of values rather than games."""
_LONE: Final = 20
"""A measure that so few games of a group have an opportunity for is drawn from these alone: else a resample
might have none of them."""
_BLOCK: Final = 300_000
_COLUMNS: Final = 4000
"""Numbers that are held at a time: draws, and sums in each resample."""

_PLACES: Final = 1 << 20
"""Pairs of counts that are counted in place."""
_MANY_PAIRS: Final = 4000
_PARTS: Final = 16
"""Where more than `_MANY_PAIRS` pairs differ, as they do of measures that are no counts, games that are alike
to the 16th part of the standard deviation are taken as one. What that takes from the variance of the measure
is about one part in three thousand; its mean stays what it is."""

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[Any]
"""Counts as small unsigned integers, or real numbers."""


class Interval(NamedTuple):
    """The two ends of an interval; NaN where there is none."""

    low: float
    high: float


def scipy_stats() -> Any:
    """Return the module `scipy.stats`."""
    return needed("scipy.stats")


def check_confidence(confidence: float) -> None:
    """Raise `HanalyzeError` unless a confidence lies between 0 and 1."""
    if not 0 < confidence < 1:
        raise HanalyzeError(
            f"confidence {confidence}", rule="bad_number", advice="use a number between 0 and 1, such as 0.95"
        )


def wilson(found: float, opportunities: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval (Wilson 1927) for a share of independent opportunities.

    Both ends are shares, 0 to 1; with no opportunity at all they are 0 and 1, for nothing is known then.

    >>> low, high = wilson(81, 263)
    >>> round(low, 4), round(high, 4)
    (0.2553, 0.3662)
    """
    check_confidence(confidence)
    if not 0 <= found <= opportunities:
        raise HanalyzeError(f"{found:g} found, but {opportunities:g} opportunities", rule="bad_number")
    if not opportunities:
        return Interval(0.0, 1.0)
    z2 = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2
    middle = (found + z2 / 2) / (opportunities + z2)
    spread = found * (opportunities - found) / opportunities + z2 / 4
    half = math.sqrt(z2 * spread) / (opportunities + z2)
    # At the ends both terms are the same but for the last bit.
    low = 0.0 if found == 0 else middle - half
    return Interval(low, 1.0 if found == opportunities else middle + half)


def adjusted(p_values: ArrayLike) -> list[float]:
    """Return p-values as Benjamini & Hochberg (1995) adjust them, in the same order.

    Who calls a discovery what is at most q is wrong about a share of at most q of them, on average. A NaN
    stays one, and does not count. Wants SciPy.

    >>> [round(q, 4) for q in adjusted([0.01, 0.04, float("nan"), 0.03])]
    [0.03, 0.04, nan, 0.04]
    """
    values = np.asarray(p_values, np.float64)
    there = ~np.isnan(values)
    result = np.full(values.shape, np.nan)
    if there.any():
        result[there] = scipy_stats().false_discovery_control(values[there], method="bh")
    return [float(value) for value in result]


def cluster_bootstrap(
    found_per_game: ArrayLike,
    opportunities_per_game: ArrayLike,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Return a bootstrap interval for sum(found) / sum(opportunities), a value a game in both.

    As many games as there are get drawn with replacement, `resamples` times; the interval lies between the
    percentiles of the ratios. Games with the same pair of values are alike, so how often each pair is drawn
    comes from a multinomial distribution. Games without an opportunity are left out; below two games there
    is no interval.

    With few games such intervals are too narrow: of those that ought to hold a rate of 10 % in 95 of 100
    cases, some 83 held it with ten games, 89 with twenty, 91 with fifty and 95 with two hundred.

    >>> low, high = cluster_bootstrap([0, 1, 0, 2, 1, 0], [3, 4, 2, 5, 4, 2])
    >>> 0 <= low < 4 / 20 < high <= 1
    True
    """
    found = np.asarray(found_per_game, np.float64)
    opportunities = np.asarray(opportunities_per_game, np.float64)
    if found.shape != opportunities.shape or found.ndim != 1:
        raise HanalyzeError("found and opportunities must have one value per game each", rule="bad_number")
    kept = opportunities > 0
    [[ends]] = bootstrap_groups(
        [found[kept]],
        [opportunities[kept]],
        np.zeros(int(kept.sum()), np.int64),
        np.ones((1, 1), np.bool_),
        confidence,
        resamples=resamples,
        seed=seed,
    ).tolist()
    return Interval(*ends)


def bootstrap_groups(
    found: Sequence[Numbers],
    opportunities: Sequence[Numbers],
    group: Ints,
    wanted: Bools,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Floats:
    """Return the intervals of `cluster_bootstrap` for many groups and measures, (groups, measures, 2).

    `found` and `opportunities` are columns, one a measure, with a value for each game of each group; `group`
    has the number of its group. `wanted` (groups, measures) says which intervals to give; the others are NaN,
    as they are where fewer than two games have an opportunity. All measures of a group are of the same draws.
    What comes out for a group and a measure does not depend on the others.
    """
    check_confidence(confidence)
    groups, measures = wanted.shape
    result = np.full((groups, measures, 2), np.nan)
    if (group[1:] < group[:-1]).any():
        order = np.argsort(group, kind="stable")
        found, opportunities = [one[order] for one in found], [one[order] for one in opportunities]
        group = group[order]
    sizes = np.bincount(group, minlength=groups)
    starts = np.cumsum(sizes) - sizes
    levels = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    enough = np.stack([np.bincount(group[of > 0], minlength=groups) for of in opportunities], axis=1)
    wanted = wanted & (enough > 1)
    lone = wanted & (enough <= _LONE) & (enough < sizes[:, None])
    if lone.any():
        # Each as a group of its own, with a single measure.
        numbers = np.cumsum(lone).reshape(lone.shape) - 1
        rows = [np.flatnonzero(lone[group, n] & (of > 0)) for n, of in enumerate(opportunities)]
        of_these = np.concatenate([numbers[group[row], n] for n, row in enumerate(rows)])
        f, o = (
            np.concatenate([values[row] for values, row in zip(columns, rows, strict=True)])
            for columns in (found, opportunities)
        )
        every = np.ones((int(lone.sum()), 1), np.bool_)
        how = {"resamples": resamples, "seed": seed}
        result[lone] = bootstrap_groups([f], [o], of_these, every, confidence, **how)[:, 0]
        wanted &= ~lone
    needed = wanted.any(axis=1)
    for size in np.unique(sizes[needed & (sizes < _PAIRS_FROM)]).tolist():
        those = np.flatnonzero(needed & (sizes == size))
        weights = list(_weights(size, resamples, seed))
        for some in np.array_split(those, math.ceil(len(those) * measures / _COLUMNS)):
            games = starts[some][:, None] + np.arange(size)
            f, o = (
                np.stack([values[games] for values in columns], axis=2).astype(np.float64)
                for columns in (found, opportunities)
            )
            chosen = wanted[some]
            ratios = _ratios(weights, f, o)[chosen]
            ends = result[some]
            ends[chosen] = np.quantile(ratios, levels, axis=-1).T
            result[some] = ends
    for large, column in np.argwhere(wanted & (sizes >= _PAIRS_FROM)[:, None]).tolist():
        mine = slice(starts[large], starts[large] + sizes[large])
        f, o = found[column][mine], opportunities[column][mine]
        result[large, column] = np.quantile(_drawn(f[o > 0], o[o > 0], resamples, seed), levels)
    return result


def _weights(size: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of `size` games is drawn, a row for each resample."""
    random = np.random.default_rng(seed)
    for count in _pieces(resamples, max(_BLOCK // size, 1)):
        drawn = random.integers(0, size, (count, size)) + np.arange(count)[:, None] * size
        counts = np.bincount(drawn.ravel(), minlength=count * size)
        yield counts.reshape(count, size).astype(np.float64)


def _ratios(weights: Sequence[Floats], found: Floats, opportunities: Floats) -> Floats:
    """Return ratios in each resample, (groups, measures, resamples), of arrays (groups, games, measures)."""
    groups, games, measures = found.shape
    both = np.concatenate([found, opportunities], axis=2).transpose(1, 0, 2).reshape(games, -1)
    sums = np.concatenate([one @ both for one in weights])
    sums = sums.T.reshape(groups, 2, measures, -1)
    with np.errstate(invalid="ignore"):
        ratios: Floats = sums[:, 0] / sums[:, 1]
    return ratios


def _drawn(found: Numbers, opportunities: Numbers, resamples: int, seed: int) -> Floats:
    """Return the ratio in each resample of games, by pairs."""
    f, o, alike = _pairs(found, opportunities)
    random = np.random.default_rng(seed)
    ratios = []
    for count in _pieces(resamples, _BLOCK // len(alike) + 1):
        weights = random.multinomial(int(alike.sum()), alike / alike.sum(), size=count)
        ratios.append((weights @ f) / (weights @ o))
    return np.concatenate(ratios)


def _pieces(total: int, most: int) -> Iterator[int]:
    while total > 0:
        yield min(total, most)
        total -= most


def _pairs(found: Numbers, opportunities: Numbers) -> tuple[Floats, Floats, Ints]:
    """Return the distinct pairs, in order, and how many games have each."""
    if found.dtype.kind == "u" == opportunities.dtype.kind:
        # Counts: there is a place for every pair, and nothing to sort.
        width = int(opportunities.max()) + 1
        if (int(found.max()) + 1) * width <= _PLACES:
            places = np.bincount(found.astype(np.int64) * width + opportunities)
            there = np.flatnonzero(places)
            return (there // width).astype(np.float64), (there % width).astype(np.float64), places[there]
    parts = [np.unique(values, return_inverse=True) for values in (found, opportunities)]
    pair, alike = _combined([inverse for _, inverse in parts])
    if len(alike) > _MANY_PAIRS:
        pair, alike = _combined([_rounded(values) for values in (found, opportunities)])
    means = [np.bincount(pair, values) / alike for values in (found, opportunities)]
    return means[0], means[1], alike


def _combined(keys: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Return the number of each row's pair of keys, and how many rows each pair has."""
    first, second = keys
    both = first.astype(np.int64) * (int(second.max()) + 1) + second
    _, inverse, alike = np.unique(both, return_inverse=True, return_counts=True)
    return inverse.astype(np.int64), alike.astype(np.int64)


def _rounded(values: Numbers) -> Ints:
    """Return the values in parts of their standard deviation, from 0; few distinct values stay apart."""
    distinct, inverse = np.unique(values, return_inverse=True)
    if len(distinct) <= _PARTS * 4:
        return inverse.astype(np.int64)
    width = float(np.std(values)) / _PARTS
    parts: Ints = ((values - values.min()) / width).astype(np.int64)
    return parts

"""How sure a mean is, by drawing games again and again: bootstrap-t.

In: what was found in each game of each group, and of how much. Out: intervals, by group and measure.

A mean of skewed numbers, such as scores among which a few games are lost, has a skewed interval. The ratio of
each resample is studentised by the linearised standard error of the same resample, and the percentiles of
that take the place of Student's. Games are what is drawn, also where they weigh differently by what they
have opportunities for.

What only a few games have is another matter: resamples that happen to have little of it also vary little,
and what they are studentised by makes the upper end endless. Where what was found is worth no more than a
dozen games with the same each, the score interval of `mean_of_sums` takes its place, whose variance grows
with the mean: it holds as often, and its upper ends are half as far (`python -m tests.benchmarks.coverage`).

Sources: Efron, B. & Tibshirani, R. (1993), An introduction to the bootstrap, chapter 12.5 (bootstrap-t);
Field, C. & Welsh, A. (2007), Bootstrapping clustered data, Journal of the Royal Statistical Society B 69,
369-390 (whole clusters are drawn); Hall, P. (1988), Theoretical comparison of bootstrap confidence
intervals, Annals of Statistics 16, 927-953 (why studentised); Kish, L. (1965), Survey sampling, chapter 11
(how many equal ones unequal ones are worth).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from hanalyze.analysis.statistics.intervals import (
    FEWEST_GAMES,
    Bools,
    Floats,
    Interval,
    Ints,
    Numbers,
    Sums,
    check_confidence,
    mean_of_sums,
)
from hanalyze.errors import HanalyzeError

RESAMPLES: Final = 1000
"""How often games are resampled."""
SEED: Final = 1
"""Where the random numbers start: the same data give the same interval."""

_MANY: Final = 5000
"""Games from which on the interval of `mean_of_sums` is as good: skewness matters little then."""
_FEW: Final = 12
"""Games with the same each: what is worth fewer has the interval of `mean_of_sums`."""
_BLOCK: Final = 300_000
_COLUMNS: Final = 1500
"""Numbers that are held at a time: draws, and sums in each resample."""
_ENDLESS: Final = 1e100


def mean_interval(
    found_per_game: ArrayLike,
    opportunities_per_game: ArrayLike,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Return a bootstrap-t interval for sum(found) / sum(opportunities), a value a game in both.

    Games without an opportunity are left out. Below `FEWEST_GAMES` games there is no interval, and none where
    games do not differ; from 5,000 on it is that of `mean_of_sums`. So it is where few games have nearly all
    that was found (where x^2 / xx is below 12, x in all and xx in squares: so many games with the same each
    it is worth, as Kish 1965 counts), and where too many resamples have no variation. What is never below 0
    has no end there. Raises `HanalyzeError` (rule `bad_number`).

    >>> low, high = mean_interval([25] * 20 + [24, 24, 23, 22, 0], [1] * 25)
    >>> low < 23.72 < high
    True
    """
    found = np.asarray(found_per_game, np.float64)
    opportunities = np.asarray(opportunities_per_game, np.float64)
    if found.shape != opportunities.shape or found.ndim != 1:
        raise HanalyzeError("found and opportunities must have one value per game each", rule="bad_number")
    kept = opportunities > 0
    [[ends]] = mean_intervals(
        [found[kept]],
        [opportunities[kept]],
        np.zeros(int(kept.sum()), np.int64),
        np.ones((1, 1), np.bool_),
        confidence,
        resamples=resamples,
        seed=seed,
    ).tolist()
    return Interval(*ends)


def mean_intervals(
    found: Sequence[Numbers],
    opportunities: Sequence[Numbers],
    group: Ints,
    wanted: Bools,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Floats:
    """Return the intervals of `mean_interval` for many groups and measures, (groups, measures, 2).

    `found` and `opportunities` are columns, one a measure, with a value for each game of each group; `group`
    has the number of its group. `wanted` (groups, measures) says which intervals to give; the others are
    NaN. All measures of a group are of the same draws. What comes out for a group and a measure does not
    depend on the others. With 0 `resamples` all are those of `mean_of_sums`.
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
    enough = np.stack([np.bincount(group[of > 0], minlength=groups) for of in opportunities], axis=1)
    wanted = wanted & (enough >= FEWEST_GAMES)
    drawn_for = np.zeros_like(wanted)
    for number, measure in np.argwhere(wanted).tolist():
        mine = slice(starts[number], starts[number] + sizes[number])
        f, o = (one[measure][mine].astype(np.float64) for one in (found, opportunities))
        f = np.where(o > 0, f, 0.0)
        sums = Sums(*(float(one.sum()) for one in (f, o, f * f, f * o, o * o)))
        signed = bool(f.min() < 0)
        result[number, measure] = mean_of_sums(sums, enough[number, measure], confidence, signed=signed)
        drawn_for[number, measure] = signed or sums.f * sums.f >= _FEW * sums.ff
    drawn_for &= ~np.isnan(result[..., 0])
    some = drawn_for.any(axis=1) & (sizes < _MANY) & (resamples > 0)
    for size in np.unique(sizes[some]).tolist():
        those = np.flatnonzero(some & (sizes == size))
        weights = list(_weights(size, resamples, seed))
        for part in np.array_split(those, math.ceil(len(those) * measures / _COLUMNS)):
            games = starts[part][:, None] + np.arange(size)
            f, o = (
                np.stack([values[games] for values in columns], axis=2).astype(np.float64)
                for columns in (found, opportunities)
            )
            ends = result[part]
            drawn = _studentised(weights, np.where(o > 0, f, 0.0), o, confidence)
            there = drawn_for[part][..., None] & ~np.isnan(drawn).any(axis=2, keepdims=True)
            result[part] = np.where(there, drawn, ends)
    return result


def _weights(size: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of `size` games is drawn, a row for each resample."""
    random = np.random.default_rng(seed)
    step = max(_BLOCK // size, 1)
    for first in range(0, resamples, step):
        count = min(step, resamples - first)
        drawn = random.integers(0, size, (count, size)) + np.arange(count)[:, None] * size
        counts = np.bincount(drawn.ravel(), minlength=count * size)
        yield counts.reshape(count, size).astype(np.float64)


def _studentised(weights: Sequence[Floats], found: Floats, of: Floats, confidence: float) -> Floats:
    """Return the ends, (groups, measures, 2), of arrays (groups, games, measures); NaN where endless."""
    groups, games, measures = found.shape
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = found.sum(axis=1) / of.sum(axis=1)
        rest = found - rate[:, None] * of
        error = np.sqrt((rest * rest).sum(axis=1)) / of.sum(axis=1)
        parts = np.stack([rest, of, rest * rest, rest * of, of * of], axis=1)
        flat = parts.transpose(2, 0, 1, 3).reshape(games, -1)
        sums = np.concatenate([one @ flat for one in weights])
        rests, ofs, squares, products, weighed = sums.T.reshape(groups, 5, measures, -1).transpose(1, 0, 2, 3)
        off = rests / ofs
        spread = squares - 2 * off * products + off * off * weighed
        # What varies by rounding alone does not vary.
        spread[spread <= 1e-12 * (rest * rest).sum(axis=1)[..., None]] = 0.0
        students = np.clip(rests / np.sqrt(spread), -2 * _ENDLESS, 2 * _ENDLESS)
    # A resample without any opportunity says nothing, nor one that is as the whole and does not vary.
    students[np.isnan(students)] = 0.0
    lower, upper = np.quantile(students, [(1 - confidence) / 2, (1 + confidence) / 2], axis=-1)
    ends = np.stack([rate - upper * error, rate - lower * error], axis=-1)
    ends[(np.abs(lower) > _ENDLESS) | (np.abs(upper) > _ENDLESS)] = np.nan
    positive = found.min(axis=1) >= 0
    ends[positive, 0] = np.maximum(ends[positive, 0], 0.0)
    clipped: Floats = ends
    return clipped

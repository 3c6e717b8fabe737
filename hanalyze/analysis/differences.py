"""Differences of two groups of games that were matched: of ratios of sums, with intervals and p-values.

In: for each game its group, stratum and weight, and for each measure how much was found, of how much. Out:
the ratio in both groups, their difference, and how sure it is. All that stands here knows nothing of
Hanabi.

What is drawn again and again (the bootstrap) is what was drawn in the first place. Games of one deal depend
on each other, so they are drawn together. A stratum that is one deal, or in which a group has one deal
only, is drawn as a whole, with the games of both groups (the bootstrap of pairs); in the others each
group's deals are drawn within the stratum, one less than there are and blown up to as many, without which
small strata would seem surer than they are. The weights of the strata stay what they are.

Of small groups neither Student's distribution nor the bootstrap knows enough: of ten games most lack the rare
disasters, and seem surer for it. Their p-values are those of permutations
(`hanalyze.analysis.statistics.permutations`), and intervals exclude 0 just where these say so. Where it is
said which
games are disasters, the intervals of means are put together from what these may cost and from the others
(`hanalyze.analysis.statistics.strikeout_differences`). Means have no intervals where a group has less than
20 deals.

Sources: Efron, B. & Tibshirani, R. (1993), An introduction to the bootstrap, chapters 8 (two samples, and
pairs) and 13 (percentile interval); Rao, J. N. K. & Wu, C. F. J. (1988), Resampling inference with complex
survey data, Journal of the American Statistical Association 83, 231-241 (one less, and blown up);
Hesterberg, T. (2015), What teachers should know about the bootstrap, The American Statistician 69, 371-386
(intervals of few widened by what Student's distribution is wider); Satterthwaite, F. (1946), An approximate
distribution of estimates of variance components, Biometrics Bulletin 2, 110-114 (how few they are). Those of
differences of shares: `hanalyze.analysis.statistics.intervals`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.statistics.bootstrap import RESAMPLES, SEED
from hanalyze.analysis.statistics.intervals import (
    FEWEST_GAMES,
    Bools,
    Floats,
    Interval,
    Ints,
    Shares,
    check_confidence,
    student,
)
from hanalyze.analysis.statistics.multiplicity import matching
from hanalyze.analysis.statistics.permutations import PERMUTATIONS, Labels
from hanalyze.analysis.statistics.strikeout_differences import OfGroup, Rare, costs
from hanalyze.lazy import scipy_stats

_MANY: Final = 10_000
"""Units to draw from which on the sums of a resample come from the normal distribution that they have nearly:
it has the same means, variances and covariances."""
_FEW: Final = 200
"""Deals of the smaller group below which p-values are those of permutations."""
_DRAWS: Final = 2_000_000
_BLOCK: Final = 500_000
"""Numbers that are held at a time: draws, and values of games and measures."""


class Difference(NamedTuple):
    """What is known of a measure: NaN where a number is not to be given.

    `ratios`: of the weighted sums, in both groups; `effect`: the first less the second, between `low` and
    `high`; `p_value`, two-sided; `found`, `opportunities` and `games` with an opportunity: plain sums, in
    both groups; `shares`: of a difference of shares what its interval is made of.
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
    """Rows that are drawn from among each other: their units, and of each row the game and its unit."""

    rows: Ints
    unit: Ints
    units: int


class Draws:
    """What is drawn: the parts of which resamples are made, for any number of measures.

    All arrays have a value a game: `group`, 0 or 1; `stratum`, from 0; `deal`, any number; `weight`, the same
    for all games of a stratum and a group. `paired` says of each stratum whether it is one deal.
    """

    def __init__(self, group: Ints, stratum: Ints, deal: Ints, weight: Floats, paired: Bools) -> None:
        self.group, self.weight, self.deal = group, weight, deal
        strata = len(paired)
        # Deals are told apart within a stratum and a group.
        cell = stratum * 2 + group
        order = np.lexsort((deal, cell))
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = (np.diff(cell[order]) != 0) | (np.diff(deal[order]) != 0)
        number = np.empty(len(order), np.int64)
        number[order] = np.cumsum(fresh) - 1
        deals = np.bincount(cell[order][fresh], minlength=2 * strata).reshape(strata, 2)
        whole = paired | (deals.min(axis=1) < 2)
        if whole.sum() == 1:
            # Nothing to draw it from: what can be drawn in it is drawn as elsewhere.
            whole[:] = False
        # Games of a deal that both played may be those of either group.
        changing = np.where(paired[stratum], np.arange(len(deal)), deal)
        few = deals.sum(axis=0).min() < _FEW
        self.labels = Labels(group, stratum, changing, weight, whole) if few else None
        """By which p-values of small groups are found; None for groups that are not small."""
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

    def sums(self, columns: Floats, resamples: int, seed: int) -> Floats:
        """Return the sums of `columns` (games, 4, measures) in each resample: (resamples, 4, measures).

        What comes out for a measure does not depend on the others.
        """
        result = np.tile(columns.sum(axis=0), (resamples, 1, 1))
        if sum(part.units for part in self._parts) >= _MANY:
            spread = np.zeros((columns.shape[2], 4, 4))
            for part in self._parts:
                units = _by_unit(columns, part)
                units -= units.mean(axis=0)
                spread += np.einsum("uim,ujm->mij", units, units) * (part.units / (part.units - 1))
            for measure in range(len(spread)):
                values, vectors = np.linalg.eigh(spread[measure])
                normal = np.random.default_rng(seed).standard_normal((resamples, 4))
                result[:, :, measure] += normal * np.sqrt(np.maximum(values, 0)) @ vectors.T
            return result
        for index, part in enumerate(self._parts):
            units = _by_unit(columns, part)
            flat = units.reshape(part.units, -1)
            drawn = [weights @ flat for weights in _weights(part.units, resamples, [seed, index])]
            # One less than there are, blown up, so that their variance is what it ought to be.
            blown = np.concatenate(drawn) * (part.units / (part.units - 1))
            result += blown.reshape(result.shape) - units.sum(axis=0)
        return result

    def variance(self, influence: Floats) -> tuple[float, float]:
        """Return the variance of a sum of what each game adds, and its degrees of freedom (Satterthwaite)."""
        total = square = 0.0
        for part in self._parts:
            units = np.bincount(part.unit, influence[part.rows], part.units)
            own = part.units * float(np.var(units, ddof=1))
            total += own
            square += own * own / (part.units - 1)
        return total, total * total / square if square else math.nan

    def fewest_deals(self, opportunities: Floats) -> int:
        """Return how many deals with an opportunity the group has that has fewer of them."""
        there = opportunities > 0
        return min(len(np.unique(self.deal[there & (self.group == side)])) for side in (0, 1))

    def __bool__(self) -> bool:
        return bool(self._parts)


def _by_unit(columns: Floats, part: _Part) -> Floats:
    """Return the sums of columns (games, 4, measures) over the games of each unit, (units, 4, measures)."""
    flat = columns[part.rows].reshape(len(part.rows), -1)
    sums = [np.bincount(part.unit, column, part.units) for column in flat.T]
    return np.stack(sums, axis=1).astype(np.float64).reshape(part.units, *columns.shape[1:])


def _weights(count: int, resamples: int, seed: Sequence[int]) -> Iterator[Floats]:
    """Yield how often each of `count` units is among `count - 1` drawn ones, a row for each resample."""
    random = np.random.default_rng(seed)
    step = max(_DRAWS // count, 1)
    for first in range(0, resamples, step):
        rows = min(step, resamples - first)
        drawn = random.integers(0, count, (rows, count - 1)) + np.arange(rows)[:, None] * count
        yield np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count).astype(np.float64)


def differences(
    draws: Draws,
    found: Sequence[Floats],
    opportunities: Sequence[Floats],
    *,
    shares: Sequence[bool],
    minimum: Sequence[float],
    rare: Rare | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Difference]:
    """Return for each measure the difference of the two groups of `draws`.

    `found` and `opportunities` are columns, one a measure, with a value for each game. A measure of which a
    group has less than `minimum` opportunities, or none, gets sums only. `shares` says that what is found
    are some of the opportunities. `rare` says which games are disasters, and of which means; where they are
    more than half of a group's games they are no exceptions there.

    The ratio of a group is sum(weight found) / sum(weight opportunities). The interval lies between
    percentiles of the resampled differences, whose distances to the difference itself are stretched by as
    much as Student's distribution is wider than the normal one. The p-value is Student's, of the difference
    over the standard error that the bootstrap tends to (the linearised one). There is neither where nothing
    varies, or nothing can be drawn.

    The interval of a difference of shares is Newcombe's (1998), which is never beyond -1 and 1, of as many
    opportunities as those of either group are worth (`hanalyze.analysis.statistics.intervals.share_worth`),
    and of the
    correlation of the two, of identical deals; none where they are worth less than one. Where a group has
    all or nothing its games seem all alike: then the standard error is at least that of two independent
    shares at the rate of both together. A mean has no interval where a group has less than 20 deals with
    an opportunity. Where disasters are said, what they may cost is put to what the others vary
    (`hanalyze.analysis.statistics.strikeout_differences`).

    Where a group has less than 200 deals the p-value is that of a permutation test (`Labels.p_values`), or
    Student's where that is lower and no permutation came as far; the interval's end towards 0 is moved where
    it would say otherwise about 0 than the p-value.
    """
    check_confidence(confidence)
    results: list[Difference] = []
    # As many measures at a time as there is room for.
    step = max(_BLOCK // (len(draws.weight) + 1), 1)
    for first in range(0, len(found), step):
        some = range(first, min(first + step, len(found)))
        columns = [_columns(draws, found[number], opportunities[number]) for number in some]
        apart = {
            number: _apart(draws, found[number], opportunities[number], rare.games, worst)
            for number in some
            if rare is not None and not shares[number] and (worst := rare.worst[number]) is not None
        }
        # Intervals of shares need no resamples.
        drawn = [number for number in some if not shares[number]]
        every = [*(columns[number - first] for number in drawn), *(one.usual for one in apart.values())]
        sums = draws.sums(np.stack(every, axis=2), resamples, seed) if every else np.empty((0, 4, 0))
        dealt = None
        if draws.labels is not None:
            mine = [[one[number] for number in some] for one in (found, opportunities)]
            dealt = draws.labels.p_values(mine[0], mine[1], [shares[number] for number in some], seed)
        for place, number in enumerate(some):
            games = tuple(int(((opportunities[number] > 0) & (draws.group == side)).sum()) for side in (0, 1))
            plain = [
                float(values[number][draws.group == side].sum())
                for values in (found, opportunities)
                for side in (0, 1)
            ]
            if min(plain[2:]) < minimum[number] or min(plain[2:]) <= 0:
                ratios, ends, p_value = (math.nan, math.nan), Interval(math.nan, math.nan), math.nan
                two = None
            else:
                ratios = _ratios(columns[place])
                if shares[number]:
                    two, p_value = _judged_shares(draws, columns[place], confidence)
                    ends = two.difference(confidence)
                else:
                    resampled = sums[:, :, drawn.index(number)]
                    two, (ends, p_value) = None, _judged(draws, columns[place], resampled, confidence)
                    if draws.fewest_deals(opportunities[number]) < FEWEST_GAMES:
                        ends = Interval(math.nan, math.nan)
                    elif number in apart and not math.isnan(ends.low):
                        usual = sums[:, :, len(drawn) + list(apart).index(number)]
                        ends = _put_together(draws, ratios, apart[number], usual, confidence)
                if dealt is not None:
                    ends, p_value = _dealt(ratios, ends, two, p_value, float(dealt[place]), confidence)
            results.append(
                Difference(
                    ratios,
                    ratios[0] - ratios[1],
                    ends.low,
                    ends.high,
                    p_value,
                    (plain[0], plain[1]),
                    (plain[2], plain[3]),
                    (games[0], games[1]),
                    two,
                )
            )
    return results


def _columns(draws: Draws, found: Floats, opportunities: Floats) -> Floats:
    """Return what each game adds to the weighted sums: found and opportunities of both groups."""
    chosen = [draws.weight * (draws.group == side) for side in (0, 1)]
    return np.stack([values * mine for mine in chosen for values in (found, opportunities)], axis=1)


def _ratios(columns: Floats) -> tuple[float, float]:
    one_found, one_of, other_found, other_of = columns.sum(axis=0).tolist()
    return one_found / one_of, other_found / other_of


def _influences(columns: Floats) -> tuple[Floats, Floats]:
    """Return what each game adds to the ratio of either group."""
    one, other = _ratios(columns)
    _, one_of, _, other_of = columns.sum(axis=0)
    return (columns[:, 0] - one * columns[:, 1]) / one_of, (columns[:, 2] - other * columns[:, 3]) / other_of


def _judged(draws: Draws, columns: Floats, sums: Floats, confidence: float) -> tuple[Interval, float]:
    """Return the interval and the p-value of a difference of means."""
    one, other = _ratios(columns)
    effect = one - other
    mine, theirs = _influences(columns)
    variance, freedom = draws.variance(mine - theirs)
    error = math.sqrt(variance)
    if not draws or error <= 1e-12 * max(abs(one), abs(other)):
        return Interval(math.nan, math.nan), math.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    level = (1 + confidence) / 2
    low, high = np.quantile(drawn[np.isfinite(drawn)], [1 - level, level]).tolist()
    student_t = scipy_stats.t
    stretch = float(student_t.ppf(level, freedom)) / NormalDist().inv_cdf(level)
    ends = Interval(effect - (effect - low) * stretch, effect + (high - effect) * stretch)
    return ends, 2 * float(student_t.sf(abs(effect) / error, freedom))


def _judged_shares(draws: Draws, columns: Floats, confidence: float) -> tuple[Shares, float]:
    """Return what the interval of a difference of shares is made of, and its p-value."""
    ratios = _ratios(columns)
    influences = _influences(columns)
    both, freedom = draws.variance(influences[0] - influences[1])
    own = [draws.variance(one) for one in influences]
    level = (1 + confidence) / 2
    counts, worth = [], []
    for side, (variance, units) in enumerate(own):
        of = columns[:, 2 * side + 1]
        # So many opportunities of one weight would be worth as much (Kish 1965).
        count = float(of.sum() ** 2 / (of * draws.weight)[draws.group == side].sum())
        independent = ratios[side] * (1 - ratios[side]) / (count - 1) if count > 1 else 0.0
        design = max(variance / independent, 1.0) if independent > 0 else 1.0
        few = 1.0
        if units >= 1:
            few = min(student(level, max(round(count) - 1, 1)) / student(level, round(units)), 1.0)
        counts.append(count)
        worth.append(count * few * few / design)
    spread = math.sqrt(own[0][0] * own[1][0])
    correlation = max(-1.0, min((own[0][0] + own[1][0] - both) / (2 * spread), 1.0)) if spread else 0.0
    effect = ratios[0] - ratios[1]
    alike = min(ratios) < 1e-12 or max(ratios) > 1 - 1e-12
    if alike:
        pooled = (ratios[0] * counts[0] + ratios[1] * counts[1]) / sum(counts)
        both = max(both, pooled * (1 - pooled) * (1 / counts[0] + 1 / counts[1]))
    elif not draws:  # nobody knows how games differ
        worth = [math.nan, math.nan]
    shares = Shares(ratios, (worth[0], worth[1]), correlation)
    error = math.sqrt(both)
    if not draws or (error <= 1e-12 and not alike):
        return shares, math.nan
    if alike:
        return shares, math.erfc(abs(effect) / error / math.sqrt(2)) if error > 0 else 1.0
    return shares, 2 * float(scipy_stats.t.sf(abs(effect) / error, freedom))


class _Apart(NamedTuple):
    """Disasters and usual games of both groups, and columns of the latter.

    The worst is None in a group whose disasters are no exceptions, and among its usual games.
    """

    groups: list[OfGroup]
    worst: list[float | None]
    usual: Floats


def _apart(draws: Draws, found: Floats, opportunities: Floats, rare: Floats, worst: float) -> _Apart:
    """Return disasters and usual games; disasters are none in a group of which they are more than half."""
    bad = rare * (opportunities > 0)
    groups, limits = [], []
    for side in (0, 1):
        mine = draws.group == side
        usual = bad[mine].sum() <= (opportunities[mine] > 0).sum() / 2
        bad[mine] *= usual
        limits.append(worst if usual else None)
        groups.append(
            OfGroup(found[mine], opportunities[mine], draws.weight[mine], draws.deal[mine], bad[mine])
        )
    return _Apart(groups, limits, _columns(draws, found * (1 - bad), opportunities * (1 - bad)))


def _put_together(
    draws: Draws, ratios: tuple[float, float], apart: _Apart, sums: Floats, confidence: float
) -> Interval:
    """Return the interval of a difference of means by what disasters and usual games may be off (MOVER).

    `sums` are those of the usual games in each resample.
    """
    columns = apart.usual
    one, other = _ratios(columns)
    total = columns.sum(axis=0)
    # What the mean of the usual games counts in that of all.
    kept = [
        of / float((group.of * group.weight).sum())
        for of, group in zip(total[[1, 3]], apart.groups, strict=True)
    ]
    influence = kept[0] * (columns[:, 0] - one * columns[:, 1]) / total[1]
    influence -= kept[1] * (columns[:, 2] - other * columns[:, 3]) / total[3]
    variance, freedom = draws.variance(influence)
    below = above = 0.0
    # Usual games that do not vary are known.
    if math.sqrt(variance) > 1e-12 * max(abs(one), abs(other)):
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = kept[0] * (sums[:, 0] / sums[:, 1] - one) - kept[1] * (sums[:, 2] / sums[:, 3] - other)
        level = (1 + confidence) / 2
        stretch = float(scipy_stats.t.ppf(level, freedom)) / NormalDist().inv_cdf(level)
        low, high = np.quantile(drawn[np.isfinite(drawn)], [1 - level, level]).tolist()
        below, above = -low * stretch, high * stretch
    a, b = (
        (0.0, 0.0) if worst is None else costs(group, worst, confidence)
        for group, worst in zip(apart.groups, apart.worst, strict=True)
    )
    effect = ratios[0] - ratios[1]
    return Interval(effect - math.hypot(below, a[0], b[1]), effect + math.hypot(above, a[1], b[0]))


def _dealt(
    ratios: tuple[float, float],
    ends: Interval,
    shares: Shares | None,
    students: float,
    dealt: float,
    confidence: float,
) -> tuple[Interval, float]:
    """Return interval and p-value of small groups: those of permutations; NaN where there are none."""
    if math.isnan(students):
        return ends, students
    # How much less likely what no permutation came to may be, only Student's distribution can tell.
    p_value = min(students, dealt) if dealt <= 1 / (1 + PERMUTATIONS) else dealt
    [moved] = matching([ratios[0] - ratios[1]], [ends], [p_value], [p_value], confidence, [shares])
    return moved, p_value

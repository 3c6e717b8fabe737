"""Intervals of shares and means from sums over games, and p-values adjusted for multiple comparisons.

Opportunities of one game depend on each other (same players, same deck), but games are independent, so
intervals use the variation between games. `report/dashboard/scripts/rates.js` has the same formulas.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import scipy_special

SEED: Final = 1
"""Default seed of random samples."""
FEWEST_GAMES: Final = 20
"""Minimum number of games for the interval of a mean; with fewer, no tested method had nominal coverage."""
RARE: Final = 3
"""Maximum effective number of finds (or of other opportunities) for which a share's interval is extended
towards 0 (or 1)."""
FEWEST_MIXED: Final = 200
"""`FEWEST_GAMES` for means that include struck-out games: in fewer games, strikeouts dominate the mean."""

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


class Interval(NamedTuple):
    """The two ends of an interval; both are NaN if the interval is unknown."""

    low: float
    high: float


class Sums(NamedTuple):
    """Sums over games of numerators (f), of denominators (o), and of their products."""

    f: float
    o: float
    ff: float
    fo: float
    oo: float

    @classmethod
    def of(cls, f: NDArray[Any], o: NDArray[Any]) -> Sums:
        """Return the sums of arrays with a value per game."""
        return cls(*(float(values.sum()) for values in (f, o, f * f, f * o, o * o)))


UNKNOWN: Final = Interval(math.nan, math.nan)


def check_confidence(confidence: float) -> None:
    """Raise `HanalyzeError` (rule `bad_number`) unless a confidence lies between 0 and 1."""
    if not 0 < confidence < 1:
        advice = "use a number between 0 and 1, such as 0.95"
        raise HanalyzeError(f"confidence {confidence}", rule="bad_number", advice=advice)


def wilson(found: float, opportunities: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval (Wilson 1927) for a share of independent opportunities.

    Without opportunities the ends are 0 and 1. Raises `HanalyzeError` (rule `bad_number`) unless
    0 < confidence < 1 and 0 <= found <= opportunities.

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
    # Without a find, `middle` and `half` differ only by a rounding error.
    low = 0.0 if found == 0 else middle - half
    return Interval(low, 1.0 if found == opportunities else middle + half)


def benjamini_hochberg(p_values: ArrayLike) -> list[float]:
    """Return p-values adjusted by Benjamini & Hochberg (1995), in the same order.

    Among the rows with an adjusted value of at most q, the expected share of false discoveries is at most q.
    NaN stays NaN and does not count.

    >>> [round(q, 4) for q in benjamini_hochberg([0.01, 0.04, float("nan"), 0.03])]
    [0.03, 0.04, nan, 0.04]
    """
    values = np.asarray(p_values, np.float64)
    is_known = ~np.isnan(values)
    result = np.full(values.shape, np.nan)
    order = np.flatnonzero(is_known)[np.argsort(values[is_known])]
    scaled = values[order] * (len(order) / np.arange(1, len(order) + 1))
    # A smaller p-value never has a larger q-value.
    result[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return [float(value) for value in result]


def student(level: float, freedom: float) -> float:
    """Return the quantile at `level` of Student's t with `freedom` degrees of freedom. Needs SciPy.

    >>> round(student(0.975, 1), 3), round(student(0.975, 19), 4)
    (12.706, 2.093)
    """
    return float(scipy_special.stdtrit(freedom, level))


def two_sided(strength: float, freedom: float, bound: float = 0.0) -> float:
    """Return the two-sided p-value of a difference given in standard errors, from Student's t distribution.

    With `bound`, also in standard errors, the null hypothesis is that the true difference is at most `bound`
    in either direction (minimum-effect test: Murphy & Myors 1999).

    >>> round(two_sided(2.093, 19), 3), round(two_sided(-3.093, 19, 1), 3)
    (0.05, 0.025)
    """
    return float(scipy_special.stdtr(freedom, np.array([bound, -bound]) - abs(strength)).sum())


def variance(sums: Sums, games: float) -> float:
    """Return the linearised variance of f / o over games (Cochran 1977), NaN for one game or if o is 0.

    >>> variance(Sums(2, 4, 4, 4, 8), 2)  # 0 of 2 and 2 of 2
    0.25
    """
    if games < 2 or not sums.o:
        return math.nan
    rate = sums.f / sums.o
    spread = max(0.0, sums.ff - 2 * rate * sums.fo + rate * rate * sums.oo)
    return spread * games / (games - 1) / (sums.o * sums.o)


def share_of_sums(sums: Sums, games: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval (1927) of a share, f / o, with the effective number of opportunities.

    The effective number is the actual number divided by the design effect (Kish 1965; at least 1), and by the
    square of the ratio of Student's quantiles with games - 1 and with opportunities - 1 degrees of freedom
    (Korn & Graubard 1998). For shares of 0 or 1 the design effect is unknown and assumed to be 1. With at
    most `RARE` finds, the lower end is computed with half a find less, because Wilson's is too high there
    (Brown, Cai & DasGupta 2001); likewise the upper end if the other opportunities are as few. The ends are 0
    and 1 without opportunities, and NaN for a single game with several opportunities.

    >>> share_of_sums(Sums(81, 263, 81, 81, 263), 263) == wilson(81, 263)
    True
    >>> low, high = share_of_sums(Sums(1, 400, 1, 10, 4000), 40)
    >>> round(low, 5), round(high, 4)
    (0.00012, 0.0146)
    """
    check_confidence(confidence)
    found, of = min(sums.f, sums.o), sums.o
    if of <= 0:
        return Interval(0.0, 1.0)
    if games != of:
        if games < 2:
            return UNKNOWN
        worth = effective_share(found / of, of, variance(sums, games), games - 1, confidence)
        found, of = min(found * worth, of * worth), of * worth
    low, high = wilson(found, of, confidence)
    others = of - found
    if found <= RARE:
        low = wilson(found - min(found, 1.0) / 2, of, confidence).low
    if others <= RARE:
        high = wilson(found + min(others, 1.0) / 2, of, confidence).high
    return Interval(low, high)


def effective_share(
    rate: float, opportunities: float, variance: float, freedom: float, confidence: float
) -> float:
    """Return the ratio of the effective to the actual number of opportunities of a share (`share_of_sums`).

    >>> round(effective_share(0.3, 100, 0.0042, 39, 0.95), 2)  # design effect 1.98
    0.49
    """
    level = (1 + confidence) / 2
    few = 1.0
    if freedom >= 1:
        few = min(student(level, max(round(opportunities) - 1, 1)) / student(level, round(freedom)), 1.0)
    independent = rate * (1 - rate) / (opportunities - 1) if opportunities > 1 else 0.0
    return few * few / (max(variance / independent, 1.0) if independent > 0 else 1.0)


class Shares(NamedTuple):
    """Two shares: their values, effective numbers of opportunities, and correlation.

    >>> low, high = Shares((0.9, 0.3), (10, 10)).difference()  # 9 of 10 and 3 of 10
    >>> round(low, 4), round(high, 4)
    (0.1705, 0.809)
    """

    values: tuple[float, float]
    effective: tuple[float, float]
    correlation: float = 0.0

    def difference(self, confidence: float = 0.95, stretch: float = 1.0) -> Interval:
        """Return Newcombe's interval (1998) of the first share less the second, always within -1 and 1.

        It combines the distances between the shares and the ends of their Wilson intervals. `stretch`
        multiplies the standard errors. NaN if the effective number of opportunities of a share is below 1.
        """
        if not min(self.effective) >= 1:
            return UNKNOWN
        one, other = (min(value, 1.0) for value in self.values)
        first, second = (
            wilson(value * of / stretch**2, of / stretch**2, confidence)
            for value, of in zip((one, other), self.effective, strict=True)
        )

        return Interval(
            one - other - _joined(one - first.low, second.high - other, self.correlation),
            one - other + _joined(first.high - one, other - second.low, self.correlation),
        )


def _joined(a: float, b: float, correlation: float) -> float:
    """Return a difference's distance from its interval end, given those of its two parts (Newcombe 1998)."""
    return math.sqrt(max(a * a + b * b - 2 * correlation * a * b, 0.0))


def share_interval(
    found_per_game: ArrayLike, opportunities_per_game: ArrayLike, confidence: float = 0.95
) -> Interval:
    """Return the interval of a share, sum(found) / sum(opportunities); both have a value per game.

    `share_of_sums` computes it; games without an opportunity are left out. Raises `HanalyzeError` (rule
    `bad_number`) if the shapes differ, or if a value of found is negative or above its opportunities.

    >>> low, high = share_interval([0, 1, 0, 2, 1, 0], [3, 4, 2, 5, 4, 2])
    >>> round(low, 3), round(high, 3)
    (0.048, 0.469)
    """
    found, of = _per_game(found_per_game, opportunities_per_game)
    if (found < 0).any() or (found > of).any():
        raise HanalyzeError("found must be at least 0 and at most opportunities", rule="bad_number")
    return share_of_sums(Sums.of(found, of), len(of), confidence)


def mean_interval(
    found_per_game: ArrayLike, opportunities_per_game: ArrayLike, confidence: float = 0.95
) -> Interval:
    """Return the interval of a mean, sum(found) / sum(opportunities); both have a value per game.

    `mean_of_sums` computes it; games without an opportunity are left out. Raises `HanalyzeError` (rule
    `bad_number`) if the shapes differ.

    >>> low, high = mean_interval([25] * 20 + [24, 24, 23, 22, 0], [1] * 25)
    >>> low < 23.72 < high
    True
    """
    found, of = _per_game(found_per_game, opportunities_per_game)
    return mean_of_sums(Sums.of(found, of), len(of), confidence, signed=bool((found < 0).any()))


def _per_game(found_per_game: ArrayLike, opportunities_per_game: ArrayLike) -> tuple[Floats, Floats]:
    found, of = np.asarray(found_per_game, np.float64), np.asarray(opportunities_per_game, np.float64)
    if found.shape != of.shape or found.ndim != 1:
        raise HanalyzeError("found and opportunities must have one value per game each", rule="bad_number")
    return found[of > 0], of[of > 0]


def mean_of_sums(
    sums: Sums, games: float, confidence: float = 0.95, *, signed: bool = False, fewest: int = FEWEST_GAMES
) -> Interval:
    """Return the interval of a mean, f / o, from the linearised variance over games and Student's quantile.

    Non-negative values have a score interval (Wilson 1927; for counts, Barker 2002): each end is the mean
    whose distance from the estimate is Student's quantile times the standard error for that mean. The
    variance is assumed to be proportional to the mean; for counts, variance / mean is the contribution of one
    event to the estimate. For the lower end, this contribution is first subtracted from the estimate:
    samples without an event have no interval, so the first event says nothing about how frequent events are.
    `signed` values get the symmetric interval. NaN for fewer than `fewest` games, or if f / o is the
    same in all games. Raises `HanalyzeError` (rule `bad_number`) unless `confidence` lies between 0 and 1.

    >>> low, high = mean_of_sums(Sums(1, 40, 1, 1, 40), 40)  # one event in 40 games
    >>> low, round(high, 3)
    (0.0, 0.148)
    >>> low, high = mean_of_sums(Sums(600, 40, 9400, 600, 40), 40, signed=True)
    >>> round(low, 2), round(high, 2)
    (13.98, 16.02)
    """
    check_confidence(confidence)
    rate = sums.f / sums.o if sums.o else math.nan
    error = math.sqrt(max(variance(sums, games), 0.0)) if games >= fewest else 0.0
    if not error > 1e-9 * max(abs(rate), 1e-9):
        return UNKNOWN
    quantile = student((1 + confidence) / 2, round(games) - 1)
    if signed or rate <= 0:
        return Interval(rate - quantile * error, rate + quantile * error)
    loss = error * error / rate
    more = quantile * quantile * loss / 2
    fewer = rate - loss if loss < rate * (1 - 1e-9) else 0.0  # else a rounding error may remain
    low = fewer + more - math.sqrt(more * more + 2 * more * fewer)
    return Interval(low, rate + more + math.sqrt(more * more + 2 * more * rate))


def mean_below(
    sums: Sums, short: Sums, full: Sums, games: float, confidence: float = 0.95, *, fewest: int = FEWEST_GAMES
) -> Interval:
    """Return the interval of a mean of values with a maximum in each game, such as scores.

    `short` are the sums of the distances from the maxima, and `full` those of the maxima. If all maxima are
    equal, the ends are the maximum less the ends of the mean distance (`mean_of_sums`), which suits means
    near the maximum. Otherwise the variation of the maxima is added as in `Shares.difference`. NaN if the
    mean distance has no interval.

    >>> scores, full = np.array([25] * 20 + [24, 24, 23, 22, 0]), np.full(25, 25)
    >>> one = np.ones(25)
    >>> low, high = mean_below(Sums.of(scores, one), Sums.of(full - scores, one), Sums.of(full, one), 25)
    >>> round(low, 2), round(high, 2)
    (19.41, 24.94)
    """
    ends = mean_of_sums(short, games, confidence, fewest=fewest)
    own, of_short, of_full = (variance(part, games) for part in (sums, short, full))
    if math.isnan(ends.low):
        return UNKNOWN
    rate, mean = sums.f / sums.o, short.f / short.o
    spread = math.sqrt(of_short * of_full)
    correlation = (of_short + of_full - own) / (2 * spread) if spread else 0.0
    half = student((1 + confidence) / 2, round(games) - 1) * math.sqrt(of_full)
    return Interval(
        rate - _joined(half, ends.high - mean, correlation),
        rate + _joined(half, mean - ends.low, correlation),
    )

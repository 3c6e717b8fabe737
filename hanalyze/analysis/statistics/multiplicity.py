"""Intervals adjusted for multiple comparisons; shrinkage."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import numpy as np

from hanalyze.analysis.statistics.intervals import Floats, Interval, Shares
from hanalyze.lazy import scipy_special

Q_MEANS: Final = "q: false discovery rate, over the differences with this q or a lower one"
"""The meaning of a q-value in a sentence."""
_NEARLY: Final = 0.99
"""How near to 0 an interval that excludes it may end, as a share of the difference."""


def adjusted_intervals(
    effects: Sequence[float],
    ends: Sequence[Interval],
    p_values: Sequence[float],
    q_values: Sequence[float],
    confidence: float = 0.95,
    shares: Sequence[Shares | None] = (),
) -> list[Interval]:
    """Return intervals that exclude 0 where a difference has a q-value of at most 1 - confidence, else not.

    They are those of Benjamini & Yekutieli (2005): where R of m q-values are as low as that, the error rate
    of the intervals is R / m of the nominal one, and with none 1 / m. An interval keeps its shape, but where
    it would exclude 0 and its p-value does not, its end towards 0 follows the p-value. Where it would include
    0 and its p-value does not, it ends at a hundredth of the difference: a p-value excludes 0, but gives no
    distance. NaN stays NaN. A difference of `shares` has their interval at the adjusted level, and no end
    beyond -1 or 1.

    >>> ends = [Interval(0.0, 2.0), Interval(-1.0, 3.0)]
    >>> wider = adjusted_intervals([1.0, 1.0], ends, [0.05, 0.33], [0.1, 0.33])
    >>> [round(end, 2) for end in wider[0]], wider[1].low < -1
    ([-0.14, 2.14], True)
    """
    q = 1 - confidence
    known = [value for value in q_values if not np.isnan(value)]
    significant = sum(value <= q for value in known)
    normal = NormalDist()
    level = normal.inv_cdf(1 - q * max(significant, 1) / max(len(known), 1) / 2)
    stretch = level / normal.inv_cdf(1 - q / 2)
    result = []
    for number, (effect, (low, high), p_value) in enumerate(zip(effects, ends, p_values, strict=True)):
        share = shares[number] if shares else None
        if share is None:
            below, above = stretch * (effect - low), stretch * (high - effect)
        else:
            wider = share.difference(confidence, stretch)
            below, above = effect - wider.low, wider.high - effect
        if not np.isnan(p_value):
            strength = normal.inv_cdf(1 - max(p_value, 1e-15) / 2)
            limit = abs(effect) * level / max(strength, 1.0)
            if strength < level:
                below, above = (max(below, limit), above) if effect > 0 else (below, max(above, limit))
            else:
                limit = max(limit, _NEARLY * abs(effect))
                below, above = (min(below, limit), above) if effect > 0 else (below, min(above, limit))
        if share is not None and not np.isnan(below):
            # No difference of shares is beyond -1 or 1.
            below, above = min(below, 1 + effect), min(above, 1 - effect)
        result.append(Interval(effect - below, effect + above))
    return result


def against_the_rest(
    means: Floats, variances: Floats, games: Floats, every: tuple[float, float, int]
) -> Floats:
    """Return two-sided p-values of the means of groups of games against those of all other games.

    `every` is mean, variance and number of all games. Welch's t-test, with the variance of a group at least
    that of all games: a few games that happen to lack the rare strikeouts are no surer for it. NaN where a
    group or the others have fewer than two games, or nothing varies. Needs SciPy.

    >>> p_values = against_the_rest(np.array([20.0]), np.array([4.0]), np.array([10.0]), (20.0, 4.0, 50))
    >>> p_values.round(3).tolist()
    [1.0]
    """
    mean, variance, number = every
    rest = number - games
    with np.errstate(invalid="ignore", divide="ignore"):
        rest_mean = (number * mean - games * means) / rest
        squares = variance * (number - 1) + number * mean**2 - variances * (games - 1) - games * means**2
        rest_variance = np.maximum(squares - rest * rest_mean**2, 0) / (rest - 1)
        own, others = np.maximum(variances, variance) / games, rest_variance / rest
        freedom = (own + others) ** 2 / (own**2 / (games - 1) + others**2 / (rest - 1))
        strength = np.abs(means - rest_mean) / np.sqrt(own + others)
        # Student's distribution; `scipy.stats` has the same, and takes longer to import.
        p_values: Floats = 2 * scipy_special.stdtr(freedom, -strength)
    p_values[(games < 2) | (rest < 2)] = np.nan
    return p_values


def empirical_bayes(values: Floats, variances: Floats) -> Floats:
    """Return values of groups shrunk towards their common mean, the more the greater their variances.

    Empirical Bayes (Efron & Morris 1975) with a normal distribution of groups, whose variance is that of
    DerSimonian & Laird (1986). Arrays of a value per group; NaN, and values without a variance, stay. With
    fewer than three groups all are NaN, as the distribution is unknown.

    >>> empirical_bayes(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.5, 0.5])).round(2).tolist()
    [0.5, 1.0, 1.5]
    """
    with np.errstate(invalid="ignore"):
        known = np.isfinite(values) & (variances > 0)
    result = np.full(values.shape, np.nan)
    if known.sum() < 3:
        return result
    result[np.isfinite(values)] = values[np.isfinite(values)]
    some, weights = values[known], 1 / variances[known]
    total = weights.sum()
    mean = (weights * some).sum() / total
    excess = (weights * (some - mean) ** 2).sum() - (len(some) - 1)
    between = max(0.0, float(excess / (total - (weights**2).sum() / total)))
    result[known] = mean + between / (between + variances[known]) * (some - mean)
    return result

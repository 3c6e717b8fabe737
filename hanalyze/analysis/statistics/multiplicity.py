"""Intervals adjusted for multiple comparisons; shrinkage."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import numpy as np

from hanalyze.analysis.statistics.intervals import Floats, Interval, Shares

Q_MEANS: Final = "q: p-value of the difference, adjusted for the number of measures (docs/measures.md)"
"""Note on q-values below a table of measures."""
_NEARLY: Final = 0.99
"""Minimum distance between a difference and an end moved to exclude 0, as a share of the difference."""


def critical_value(significant: int, tested: int, error: float = 0.05) -> float:
    """Return the critical value, in standard errors, if `significant` of `tested` differences reach it.

    By Benjamini & Hochberg (1995), with the false discovery rate `error`, the significant differences are the
    largest number of differences that all reach the critical value for their number.

    >>> round(critical_value(1, 1), 2), round(critical_value(1, 10), 2), round(critical_value(10, 10), 2)
    (1.96, 2.81, 1.96)
    """
    return NormalDist().inv_cdf(1 - error * max(significant, 1) / max(tested, 1) / 2)


def adjusted_intervals(
    effects: Sequence[float],
    ends: Sequence[Interval],
    p_values: Sequence[float],
    q_values: Sequence[float],
    confidence: float = 0.95,
    shares: Sequence[Shares | None] = (),
) -> list[Interval]:
    """Return adjusted intervals, which exclude 0 exactly for q-values of at most 1 - confidence.

    The intervals follow Benjamini & Yekutieli (2005): if R of m q-values are at most 1 - confidence, the
    intervals' error rate is max(R, 1) / m of the nominal rate. Intervals are stretched to this rate. If an
    interval excludes 0 although its q-value is not significant, the end nearer to 0 is moved outwards
    according to the p-value. If it includes 0 although its q-value is significant, that end is moved past 0,
    by at most a hundredth of the difference, because a p-value does not say how far from 0 the end should be.
    NaN stays NaN. For a difference of `shares`, the interval is that of these shares at the adjusted level,
    within -1 and 1.

    >>> ends = [Interval(0.0, 2.0), Interval(-1.0, 3.0)]
    >>> wider = adjusted_intervals([1.0, 1.0], ends, [0.05, 0.33], [0.1, 0.33])
    >>> [round(end, 2) for end in wider[0]], wider[1].low < -1
    ([-0.14, 2.14], True)
    """
    q = 1 - confidence
    finite = [value for value in q_values if not np.isnan(value)]
    significant = sum(value <= q for value in finite)
    normal = NormalDist()
    level = critical_value(significant, len(finite), q)
    stretch = level / critical_value(1, 1, q)
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
            # A difference of shares lies between -1 and 1.
            below, above = min(below, 1 + effect), min(above, 1 - effect)
        result.append(Interval(effect - below, effect + above))
    return result


def empirical_bayes(values: Floats, variances: Floats) -> Floats:
    """Return values of groups shrunk towards their common mean, more strongly for larger variances.

    This is empirical Bayes (Efron & Morris 1975) with a normal distribution of groups, whose variance is
    estimated by DerSimonian & Laird (1986). The arrays contain a value per group. NaN, and values without a
    positive variance, stay unchanged. With fewer than three other values all results are NaN, because the
    distribution is unknown.

    >>> empirical_bayes(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.5, 0.5])).round(2).tolist()
    [0.5, 1.0, 1.5]
    """
    with np.errstate(invalid="ignore"):
        is_known = np.isfinite(values) & (variances > 0)
    result = np.full(values.shape, np.nan)
    if is_known.sum() < 3:
        return result
    result[np.isfinite(values)] = values[np.isfinite(values)]
    known, weights = values[is_known], 1 / variances[is_known]
    total = weights.sum()
    mean = (weights * known).sum() / total
    excess = (weights * (known - mean) ** 2).sum() - (len(known) - 1)
    between = max(0.0, float(excess / (total - (weights**2).sum() / total)))
    result[is_known] = mean + between / (between + variances[is_known]) * (known - mean)
    return result

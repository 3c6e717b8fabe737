"""Computes rates and their 95% intervals from sums over games. Its twin is rates.js.

Intervals use the methods of `hanalyze.analysis.statistics.intervals`: for a share, Wilson's interval with the
effective number of opportunities; for a mean, a score interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from hanalyze.analysis.statistics.intervals import Sums, mean_of_sums, share_of_sums, variance

Z: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Sum:
    """Sums of one number over the games of some cells."""

    panel: str = ""
    label: str = ""
    n: float = 0.0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    xy: float = 0.0
    yy: float = 0.0

    @property
    def variance(self) -> float:
        """Variance of x / y over games; NaN for fewer than two games."""
        return variance(self.sums, self.n)

    @property
    def sums(self) -> Sums:
        """The sums in the type of `hanalyze.analysis`."""
        return Sums(self.x, self.y, self.xx, self.xy, self.yy)


def estimate(one: Sum, *, share: bool) -> tuple[float, float | None, float | None]:
    """Return x / y (never below 0) and its interval; the ends are None without an interval.

    >>> value, low, high = estimate(Sum(n=9, x=9, y=36, xx=15, xy=36, yy=144), share=True)
    >>> value, 0 < low < value < high < 1
    (0.25, True)
    """
    value = one.x / one.y
    low, high = (share_of_sums if share else mean_of_sums)(one.sums, one.n)
    return (value, None, None) if math.isnan(low) else (value, low, high)


def quantile(bins: Sequence[float], n: float, level: float, width: float) -> float:
    """Return a quantile of counts in bins of equal width, by linear interpolation within a bin.

    >>> quantile([0, 2, 2], 4, 0.5, 0.05)
    0.1
    """
    wanted = min(max(level, 0.0), 1.0) * n
    before = 0.0
    for number, games in enumerate(bins):
        if games and before + games >= wanted:
            return (number + (wanted - before) / games) * width
        before += games
    return len(bins) * width

"""From sums to rates and their intervals. Its twin is rates.js.

In: sums over n games of x (found), y (of how much), xx, xy and yy. Out: x / y and its 95% interval: that of a
ratio of sums over games, linearised (Cochran, W. G. (1977), Sampling techniques, 3rd edition, chapter 6),
which is what the bootstrap over games of `hanalyze.analysis` tends to. A share in which all or nothing was
found, or of one game, has Wilson's interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

from hanalyze.analysis.intervals import wilson

__all__ = ["Sum", "Z", "estimate", "quantile"]

Z: Final = NormalDist().inv_cdf(0.975)
_SUMS: Final = ("n", "x", "y", "xx", "xy", "yy")


@dataclass(frozen=True, slots=True)
class Sum:
    """The sums of one number over the games of some cells."""

    panel: str = ""
    label: str = ""
    n: float = 0.0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    xy: float = 0.0
    yy: float = 0.0

    def _with(self, other: Sum, sign: int) -> Sum:
        return replace(self, **{key: getattr(self, key) + sign * getattr(other, key) for key in _SUMS})

    def __add__(self, other: Sum) -> Sum:
        return self._with(other, 1)

    def __sub__(self, other: Sum) -> Sum:
        return self._with(other, -1)

    @property
    def variance(self) -> float:
        """The variance of x / y over games; NaN below two games."""
        if self.n < 2 or not self.y:
            return math.nan
        rate = self.x / self.y
        spread = max(0.0, self.xx - 2 * rate * self.xy + rate * rate * self.yy)
        return spread * self.n / (self.n - 1) / (self.y * self.y)


def estimate(one: Sum, *, share: bool, by_wilson: bool = False) -> tuple[float, float | None, float | None]:
    """Return x / y and its interval.

    >>> value, low, high = estimate(Sum(n=9, x=9, y=36, xx=15, xy=36, yy=144), share=True)
    >>> value, 0 < low < value < high < 1
    (0.25, True)
    """
    value = one.x / one.y
    variance = one.variance
    error = math.sqrt(variance) if variance > 0 else 0.0
    if by_wilson or (share and not error > 1e-9 * max(value, 1e-9)):
        return value, *wilson(min(one.x, one.y), one.y)
    if not error:
        return value, None, None
    high = value + Z * error
    return value, max(0.0, value - Z * error), min(1.0, high) if share else high


def quantile(bins: Sequence[float], n: float, level: float, width: float) -> float:
    """Return a quantile of what is counted in bins of a width, by linear interpolation within a bin.

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

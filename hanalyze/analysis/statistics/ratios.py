"""Ratios of sums over games by group, with intervals and tests against all other groups together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import (
    FEWEST_GAMES,
    Floats,
    Ints,
    Sums,
    mean_below,
    mean_of_sums,
    share_of_sums,
)
from hanalyze.lazy import scipy_special


class GroupSums(NamedTuple):
    """Sums over games, with a value per group: numerators (f), denominators (o) and their products.

    `games` is the number of games with an opportunity, `least` the smallest numerator of a game.
    """

    games: Ints
    f: Floats
    o: Floats
    ff: Floats
    fo: Floats
    oo: Floats
    least: Floats

    def of(self, group: int) -> Sums:
        """Return the sums of one group."""
        return Sums(*(float(values[group]) for values in self[1:6]))


class Shared(NamedTuple):
    """Sums over the games of each group: products of a value of the group and a value of the whole game.

    In `fo`, for example, f is that of the group and o that of all groups together. `games` is the number of
    games that also have opportunities in other groups.
    """

    games: Ints
    ff: Floats
    fo: Floats
    of: Floats
    oo: Floats


class Total(NamedTuple):
    """Sums over all games, and the number of games with an opportunity."""

    sums: Sums
    games: int


class Ratios(NamedTuple):
    """Ratios f / o, with intervals and p-values, as arrays with a value per group; NaN if undefined."""

    found: Floats
    opportunities: Floats
    games: Ints
    rate: Floats
    low: Floats
    high: Floats
    p_value: Floats


def ratios(
    sums: GroupSums,
    share: bool = True,
    fewest: int = FEWEST_GAMES,
    confidence: float = 0.95,
    minimum: float = 0,
    p_values: Floats | None = None,
    below: Sequence[GroupSums] = (),
) -> Ratios:
    """Return the ratio of each group with an interval.

    The interval is that of `share_of_sums` if `share`, otherwise that of `mean_below` if `below` is given,
    otherwise that of `mean_of_sums`. `below` are the arguments `short` and `full` of `mean_below`, for values
    with a maximum in each game. A group with fewer than `minimum` opportunities has only sums, and a mean of
    fewer than `fewest` games has no interval.
    """
    has_rate = (sums.o > 0) & (sums.o >= minimum)
    unknown = np.full(len(has_rate), math.nan)
    low, high = unknown.copy(), unknown.copy()
    for group in np.flatnonzero(has_rate).tolist():
        one, games = sums.of(group), int(sums.games[group])
        if share:
            low[group], high[group] = share_of_sums(one, games, confidence)
        elif below:
            short, full = (part.of(group) for part in below)
            low[group], high[group] = mean_below(one, short, full, games, confidence, fewest=fewest)
        else:
            signed = bool(sums.least[group] < 0)
            low[group], high[group] = mean_of_sums(one, games, confidence, signed=signed, fewest=fewest)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = np.where(has_rate, sums.f / sums.o, math.nan)
    p_value = unknown if p_values is None else np.where(has_rate, p_values, math.nan)
    return Ratios(sums.f, sums.o, sums.games, rate, low, high, p_value)


def against_other_groups(group: GroupSums, total: Total, shared: Shared | None, share: bool) -> Floats:
    """Return two-sided p-values of each group's ratio against the ratio of all other groups together.

    The difference of the ratios is linearised: the influence of a game is (f - r o) / O of the group less the
    same term of the other groups, and the variance is the sum of the squared influences. `shared` is needed
    if a game may belong to several groups. A small group may lack rare finds or losses by chance, so the
    variance of each ratio is at least v / O, where v is the variance of one opportunity in all groups
    together: p (1 - p) for a `share`, otherwise the pooled variance within the group and within its
    complement. The p-value uses Student's distribution with the degrees of freedom of Satterthwaite (1946).
    NaN if the group or its complement has fewer than two games. Needs SciPy.
    """
    if shared is None:
        shared = Shared(np.zeros_like(group.games), group.ff, group.fo, group.fo, group.oo)
    overall = total.sums
    rest_f, rest_o = overall.f - group.f, overall.o - group.o
    with np.errstate(invalid="ignore", divide="ignore"):
        rate, rest, pooled = group.f / group.o, rest_f / rest_o, np.divide(overall.f, overall.o)
        elsewhere = total.games - group.games + shared.games
        own = group.ff - 2 * rate * group.fo + rate**2 * group.oo
        # (f - rate o) of the group times that of its complement; the complement is all values less the group.
        both = shared.ff - group.ff - rate * (shared.of - group.fo) - rest * (shared.fo - group.fo)
        both += rate * rest * (shared.oo - group.oo)
        others = overall.ff + group.ff - 2 * shared.ff
        others -= 2 * rest * (overall.fo + group.fo - shared.fo - shared.of)
        others += rest**2 * (overall.oo + group.oo - 2 * shared.oo)
        single = pooled * (1 - pooled) if share else (own + others) / overall.o
        own *= group.games / (group.games - 1) / group.o**2
        others *= elsewhere / (elsewhere - 1) / rest_o**2
        own, others = np.maximum(own, single / group.o), np.maximum(others, single / rest_o)
        variance = own - 2 * both / (group.o * rest_o) + others
        freedom = (own + others) ** 2 / (own**2 / (group.games - 1) + others**2 / (elsewhere - 1))
        difference = np.abs(rate - rest)
        strength = np.where(difference > 0, difference / np.sqrt(variance), 0.0)
        p_values: Floats = 2 * scipy_special.stdtr(freedom, -strength)
    p_values[(group.games < 2) | (elsewhere < 2) | ~(rest_o > 0)] = math.nan
    return p_values


class PairSums(NamedTuple):
    """Sums over games for two groups that may share games, with a value per row.

    x / y is the ratio of the first group and u / v that of the second; `games` and `other_games` are their
    numbers of games with y > 0 and v > 0. The other fields are sums of products.
    """

    games: Ints
    other_games: Ints
    x: Floats
    y: Floats
    u: Floats
    v: Floats
    xx: Floats
    xy: Floats
    yy: Floats
    uu: Floats
    uv: Floats
    vv: Floats
    xu: Floats
    xv: Floats
    yu: Floats
    yv: Floats


def pair_terms(x: str, y: str, u: str, v: str) -> list[str]:
    """Return the SQL aggregates of `PairSums` over rows, one for each game.

    >>> pair_terms("x", "y", "u", "v")[2]
    'sum(coalesce(x, 0))'
    """
    columns = {name: f"coalesce({sql}, 0)" for name, sql in zip("xyuv", (x, y, u, v), strict=True)}
    counts = [f"count(*) FILTER ({columns[name]} > 0)" for name in "yv"]
    return [
        *counts,
        *(f"sum({' * '.join(columns[letter] for letter in name)})" for name in PairSums._fields[2:]),
    ]


def difference_of_ratios(
    sums: PairSums, share: bool, fewest: int = FEWEST_GAMES, confidence: float = 0.95, minimum: float = 0
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the differences x / y - u / v, the ends of their intervals, and two-sided p-values.

    The difference is linearised: the influence of a game is (x - r y) / Y - (u - s v) / V, with the ratios r
    and s and the sums Y and V, so that a game of both groups counts only once. As in `against_other_groups`,
    the variance of a share is at least that of independent opportunities. Student's distribution has one
    degree of freedom less than the smaller group has games. NaN if nothing varies, or if a group has fewer
    than `minimum` opportunities, two games, or, for a mean, `fewest` games. Needs SciPy.

    >>> sums = [np.array([one]) for one in (9, 9, 9, 90, 45, 90, 9, 90, 900, 225, 450, 900, 45, 90, 450, 900)]
    >>> [round(float(one[0]), 2) for one in difference_of_ratios(PairSums(*sums), True)]
    [-0.4, -0.56, -0.24, 0.0]
    """
    least = 2 if share else fewest
    few = np.minimum(sums.games, sums.other_games)
    is_known = (few >= max(least, 2)) & (np.minimum(sums.y, sums.v) >= max(minimum, 1e-12))
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = sums.x / sums.y, sums.u / sums.v
        own = (sums.xx - 2 * first * sums.xy + first**2 * sums.yy) / sums.y**2
        other = (sums.uu - 2 * second * sums.uv + second**2 * sums.vv) / sums.v**2
        both = (sums.xu - second * sums.xv - first * sums.yu + first * second * sums.yv) / (sums.y * sums.v)
        own, other = (part * n / (n - 1) for part, n in ((own, sums.games), (other, sums.other_games)))
        if share:
            pooled = (sums.x + sums.u) / (sums.y + sums.v)
            own = np.maximum(own, pooled * (1 - pooled) / sums.y)
            other = np.maximum(other, pooled * (1 - pooled) / sums.v)
        error = np.sqrt(own + other - 2 * both * few / (few - 1))
        is_known &= error > 0
        difference = np.where(is_known, first - second, math.nan)
        half = scipy_special.stdtrit(few - 1, 0.5 + confidence / 2) * error
        p_value = 2 * scipy_special.stdtr(few - 1, -np.abs(first - second) / error)
        ends = difference - half, difference + half
    return difference, *ends, np.where(is_known, p_value, math.nan)

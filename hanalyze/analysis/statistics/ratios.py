"""Ratios of sums over games by group, with intervals, and compared with all other groups together."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import Floats, Ints, Sums, mean_of_sums, share_of_sums


class GroupSums(NamedTuple):
    """Sums over the games of each group, an array each: of what was found (f), of how much (o), of products.

    `games` have an opportunity, `least` is the least that a game has found.
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
    """Sums over the games of each group of its values times those of all groups in the same game.

    `games` have opportunities in other groups, too.
    """

    games: Ints
    ff: Floats
    fo: Floats
    of: Floats
    oo: Floats


class Total(NamedTuple):
    """Sums over all games, and how many of them have an opportunity."""

    sums: Sums
    games: int


class Ratios(NamedTuple):
    """Ratios f / o of groups, an array each; NaN where there is no number."""

    found: Floats
    opportunities: Floats
    games: Ints
    rate: Floats
    low: Floats
    high: Floats
    p_value: Floats


def ratios(
    sums: GroupSums,
    *,
    share: bool = True,
    confidence: float = 0.95,
    minimum: float = 0,
    p_values: Floats | None = None,
) -> Ratios:
    """Return the ratio of each group: a `share` with the interval of `share_of_sums`, else of `mean_of_sums`.

    A group with fewer than `minimum` opportunities has sums only.
    """
    shown = (sums.o > 0) & (sums.o >= minimum)
    unknown = np.full(len(shown), math.nan)
    low, high = unknown.copy(), unknown.copy()
    for group in np.flatnonzero(shown).tolist():
        one, games = sums.of(group), int(sums.games[group])
        if share:
            low[group], high[group] = share_of_sums(one, games, confidence)
        else:
            signed = bool(sums.least[group] < 0)
            low[group], high[group] = mean_of_sums(one, games, confidence, signed=signed)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = np.where(shown, sums.f / sums.o, math.nan)
    p_value = unknown if p_values is None else np.where(shown, p_values, math.nan)
    return Ratios(sums.f, sums.o, sums.games, rate, low, high, p_value)


def against_other_groups(group: GroupSums, total: Total, shared: Shared | None, share: bool) -> Floats:
    """Return two-sided p-values of each group's ratio against that of all other groups together.

    The difference of two ratios of sums over games is linearised: each game adds (f - r o) / O of the group
    less the same of the others, and the sum of the squares of what the games add is the variance. `shared` is
    needed where a game may belong to a group and to the others. For a `share` the standard error is at least
    that of independent opportunities at the rate of all together: a group without a find would have none.
    Then the normal distribution. NaN for a group or others of fewer than two games.
    """
    if shared is None:
        shared = Shared(np.zeros_like(group.games), group.ff, group.fo, group.fo, group.oo)
    every = total.sums
    rest_f, rest_o = every.f - group.f, every.o - group.o
    with np.errstate(invalid="ignore", divide="ignore"):
        rate, rest = group.f / group.o, rest_f / rest_o
        elsewhere = total.games - group.games + shared.games
        own = group.ff - 2 * rate * group.fo + rate**2 * group.oo
        # (f - rate o) times the same of the others, who have what all have less what the group has.
        both = shared.ff - group.ff - rate * (shared.of - group.fo) - rest * (shared.fo - group.fo)
        both += rate * rest * (shared.oo - group.oo)
        others = every.ff + group.ff - 2 * shared.ff
        others -= 2 * rest * (every.fo + group.fo - shared.fo - shared.of)
        others += rest**2 * (every.oo + group.oo - 2 * shared.oo)
        variance = own / group.o**2 - 2 * both / (group.o * rest_o) + others / rest_o**2
        if share:
            pooled = np.divide(every.f, every.o)
            variance = np.maximum(variance, pooled * (1 - pooled) * (1 / group.o + 1 / rest_o))
        difference = np.abs(rate - rest)
    result = np.full(len(rate), math.nan)
    for number in np.flatnonzero((group.games > 1) & (elsewhere > 1) & (rest_o > 0)).tolist():
        error = math.sqrt(max(variance[number], 0.0))
        if error > 0:
            result[number] = math.erfc(difference[number] / error / math.sqrt(2))
        else:
            result[number] = 1.0 if difference[number] == 0 else 0.0
    return result

"""Ratios of sums over games, by group: with intervals, and compared with all other groups together.

In: for each game of each group how much was found, of how much. Out: a row a group, found / opportunities.
All that stands here knows nothing of Hanabi.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hanalyze.analysis.intervals import Floats, Ints, bootstrap_groups, wilson

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Ratios", "ratio_columns", "ratios"]


class Ratios(NamedTuple):
    """What is known of a measure of each group, an array each; NaN where a number is not to be given."""

    found: Floats
    opportunities: Floats
    games: Ints
    rate: Floats
    low: Floats
    high: Floats
    p_value: Floats


def ratios(
    group: Ints,
    groups: int,
    game: Ints,
    found: Sequence[Floats],
    opportunities: Sequence[Floats],
    *,
    confidence: float,
    minimum: float = 0,
    shares: Sequence[bool] | bool = True,
    compare: bool = False,
) -> list[Ratios]:
    """Return for each measure sum(found) / sum(opportunities) in each of `groups` groups.

    All arrays have a value for each game of each group: the group's number, the game's, and for each measure
    what was found, and of how much. A group with less than `minimum` opportunities gets sums only. `shares`
    says that what is found are some of the opportunities. `compare` asks for p-values, see `_p_values`.

    Where all resamples are alike, as those of a single game are, and those of games without any or with
    nothing but finds, they say nothing: there is no interval then, or of a share Wilson's.
    """
    # Intervals do not depend on the order in which games come.
    order = np.lexsort((game, group))
    group, game = group[order], game[order]
    chances = [values[order] for values in opportunities]
    finds = [np.where(of > 0, values[order], 0.0) for values, of in zip(found, chances, strict=True)]
    sums = [(_sums(group, f, groups), _sums(group, o, groups)) for f, o in zip(finds, chances, strict=True)]
    shown = np.stack([(of > 0) & (of >= minimum) for _, of in sums], axis=1)
    ends = bootstrap_groups(np.stack(finds, axis=1), np.stack(chances, axis=1), group, shown, confidence)
    ends[ends[..., 1] - ends[..., 0] <= 1e-12 * np.abs(ends[..., 1])] = np.nan
    kinds = [shares] * len(sums) if isinstance(shares, bool) else shares
    results = []
    for measure, ((total, of), share) in enumerate(zip(sums, kinds, strict=True)):
        visible, low, high = shown[:, measure], ends[:, measure, 0], ends[:, measure, 1]
        if share:
            for lone in np.flatnonzero(visible & np.isnan(low)).tolist():
                low[lone], high[lone] = wilson(total[lone], of[lone], confidence)
        chosen = chances[measure] > 0
        p_value = np.full(groups, np.nan)
        if compare and int((of > 0).sum()) > 1:
            values = _p_values(
                group[chosen],
                groups,
                game[chosen],
                finds[measure][chosen],
                chances[measure][chosen],
                share,
            )
            p_value[visible] = values[visible]
        with np.errstate(invalid="ignore", divide="ignore"):
            rate = np.where(visible, total / of, np.nan)
        games = np.bincount(group[chosen], minlength=groups)
        results.append(Ratios(total, of, games, rate, low, high, p_value))
    return results


def _sums(group: Ints, values: Floats, groups: int) -> Floats:
    return np.bincount(group, weights=values, minlength=groups).astype(np.float64)


def _p_values(
    group: Ints, groups: int, game: Ints, found: Floats, opportunities: Floats, share: bool
) -> Floats:
    """Return how likely so great a difference to all other groups together would be by chance, two-sided.

    The difference of two ratios of sums over games is linearised: each game adds (f - r o) / O of the group
    less the same of the others, and the sum of the squares of what the games add is the variance. That is
    what the bootstrap over games tends to, and it minds that a game may belong to a group and to the others.
    Where found and opportunities are counts, the standard error is at least that of independent opportunities
    at the rate of all together: a group in which nothing was found would have none. Then the normal
    distribution. NaN for a group or others of less than two games.
    """
    _, game = np.unique(game, return_inverse=True)
    count = int(game.max()) + 1 if len(game) else 0
    # By game, over all groups.
    all_f, all_o = _sums(game, found, count), _sums(game, opportunities, count)
    sum_f, sum_o = _sums(group, found, groups), _sums(group, opportunities, groups)
    rest_f, rest_o = all_f.sum() - sum_f, all_o.sum() - sum_o

    def by_group(values: Floats) -> Floats:
        return _sums(group, values, groups)

    f, o, other_f, other_o = found, opportunities, all_f[game] - found, all_o[game] - opportunities
    with np.errstate(invalid="ignore", divide="ignore"):
        rate, rest = sum_f / sum_o, rest_f / rest_o
        own = by_group((f - rate[group] * o) ** 2)
        both = by_group((f - rate[group] * o) * (other_f - rest[group] * other_o))
        # The others in the group's own games, and in all games but these.
        near = by_group((other_f - rest[group] * other_o) ** 2)
        far_ff = (all_f**2).sum() - by_group(all_f[game] ** 2)
        far_fo = (all_f * all_o).sum() - by_group(all_f[game] * all_o[game])
        far_oo = (all_o**2).sum() - by_group(all_o[game] ** 2)
        far = far_ff - 2 * rest * far_fo + rest**2 * far_oo
        variance = own / sum_o**2 - 2 * both / (sum_o * rest_o) + (near + far) / rest_o**2
        if share:
            pooled = all_f.sum() / all_o.sum()
            variance = np.maximum(variance, pooled * (1 - pooled) * (1 / sum_o + 1 / rest_o))
        difference = np.abs(rate - rest)
    games = np.bincount(group, minlength=groups)
    elsewhere = count - np.bincount(group[other_o <= 0], minlength=groups)
    result = np.full(groups, np.nan)
    for number in np.flatnonzero((games > 1) & (elsewhere > 1) & (rest_o > 0)).tolist():
        error = math.sqrt(max(variance[number], 0.0))
        if error > 0:
            result[number] = math.erfc(difference[number] / error / math.sqrt(2))
        else:
            result[number] = 1.0 if difference[number] == 0 else 0.0
    return result


def ratio_columns(name: str, result: Ratios) -> list[pl.Series]:
    """Return a ratio and its interval as columns: `name`, `name_low`, `name_high`; NaN becomes null."""
    import polars as pl

    parts = (("", result.rate), ("_low", result.low), ("_high", result.high))
    return [pl.Series(name + part, values).fill_nan(None) for part, values in parts]

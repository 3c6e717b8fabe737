"""Ratios of sums over games, by group: with intervals, and compared with all other groups together.

In: what was found in each game of each group, and its opportunities. Out: one row per group, found /
opportunities. All that stands here knows nothing of Hanabi.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar

import numpy as np

from hanalyze.analysis.statistics.bootstrap import RESAMPLES, mean_intervals
from hanalyze.analysis.statistics.intervals import Bools, Floats, Ints, Numbers, Sums, share_of_sums
from hanalyze.lazy import polars as pl

_T = TypeVar("_T")

_MANY: Final = 10_000
"""Rows from which on measures are worth a thread each: NumPy counts many without the lock of Python."""


class Ratios(NamedTuple):
    """What is known of a measure of each group, an array each; NaN where a number is not to be given."""

    found: Floats
    opportunities: Floats
    games: Ints
    rate: Floats
    low: Floats
    high: Floats
    p_value: Floats

    @classmethod
    def empty(cls, groups: int) -> Ratios:
        """Return a result that is to be filled in."""
        unknown = (np.full(groups, np.nan) for _ in range(4))
        return cls(np.zeros(groups), np.zeros(groups), np.zeros(groups, np.int64), *unknown)


class Every(NamedTuple):
    """A measure in all groups together, with which each of them is compared.

    `f` and `o` have, for each row, what was found in its game by all groups, and of how much; `sums` are over
    all games, and `games` is how many of them have an opportunity.
    """

    f: Numbers
    o: Numbers
    sums: Sums
    games: int


def ratios(
    group: Ints,
    groups: int,
    game: Ints,
    found: Sequence[Numbers],
    opportunities: Sequence[Numbers],
    *,
    confidence: float,
    minimum: float = 0,
    shares: Sequence[bool] | bool = True,
    compare: bool = False,
    every: Sequence[Every] | None = None,
    resampled: bool = True,
) -> list[Ratios]:
    """Return for each measure sum(found) / sum(opportunities) in each of `groups` groups.

    All arrays have a value for each game of each group: the group's number, the game's, and for each measure
    what was found, and of how much, counts as unsigned integers or real numbers. A group with less than
    `minimum` opportunities gets sums only. `shares` says that what is found are some of the opportunities.
    `compare` asks for p-values, see `_p_values`; where these are not all the rows that there are, `every`
    says for each measure what the others have.

    Shares have the intervals of `share_of_sums`, means those of `mean_interval`, or where they are not to be
    `resampled` those of `mean_of_sums`.
    """
    # Intervals do not depend on the order in which games come.
    order = np.lexsort((game, group))
    rows = _Rows(group[order], groups)

    def ordered(measure: int) -> tuple[Numbers, Numbers]:
        of = opportunities[measure][order]
        return np.where(of > 0, found[measure][order], 0), of

    numbers = range(len(found))
    finds, chances = zip(*_each(ordered, numbers, len(order)), strict=True)
    sums = [(rows.sums(f), rows.sums(o)) for f, o in zip(finds, chances, strict=True)]
    shown = np.stack([(of > 0) & (of >= minimum) for _, of in sums], axis=1)
    kinds = [shares] * len(sums) if isinstance(shares, bool) else shares
    means = shown & ~np.array(kinds, np.bool_)
    ends = np.full((*shown.shape, 2), np.nan)
    if means.any():
        draws = RESAMPLES if resampled else 0
        ends = mean_intervals(finds, chances, group[order], means, confidence, resamples=draws)

    def result(measure: int) -> Ratios:
        (total, of), share = sums[measure], kinds[measure]
        visible, low, high = shown[:, measure], ends[:, measure, 0], ends[:, measure, 1]
        games = rows.count(chances[measure] > 0)
        if share:
            f, o = finds[measure].astype(np.float64), chances[measure].astype(np.float64)
            every_sum = np.stack([total, of, rows.sums(f * f), rows.sums(f * o), rows.sums(o * o)], axis=1)
            for number in np.flatnonzero(visible).tolist():
                of_group = Sums(*every_sum[number].tolist())
                low[number], high[number] = share_of_sums(of_group, int(games[number]), confidence)
        p_value = np.full(groups, np.nan)
        if compare:
            if every is None:
                all_ = _every(game[order], finds[measure], chances[measure])
            else:
                all_ = every[measure]._replace(f=every[measure].f[order], o=every[measure].o[order])
            values = _p_values(rows, finds[measure], chances[measure], share, all_)
            p_value[visible] = values[visible]
        with np.errstate(invalid="ignore", divide="ignore"):
            rate = np.where(visible, total / of, np.nan)
        return Ratios(total, of, games, rate, low, high, p_value)

    return _each(result, numbers, len(order))


def _each(what: Callable[[int], _T], numbers: Sequence[int], rows: int) -> list[_T]:
    """Return what comes of each number, in their order; of many rows, all cores work at it."""
    if rows < _MANY:
        return list(map(what, numbers))
    with ThreadPoolExecutor(os.cpu_count() or 1, "ratios") as pool:
        return list(pool.map(what, numbers))


class _Rows:
    """Rows in order of their groups."""

    def __init__(self, group: Ints, groups: int) -> None:
        self.groups = groups
        first = np.flatnonzero(np.diff(group, prepend=-1))
        self._first, self._there = first, group[first]

    def sums(self, values: Numbers) -> Floats:
        """Return the sum of some values in each group."""
        result = np.zeros(self.groups)
        if len(self._first):
            kind = np.float64 if values.dtype.kind == "f" else np.int64
            result[self._there] = np.add.reduceat(values, self._first, dtype=kind)
        return result

    def count(self, which: Bools) -> Ints:
        """Return how many rows of each group are meant."""
        return self.sums(which).astype(np.int64)


def _every(game: Ints, found: Numbers, opportunities: Numbers) -> Every:
    """Return what the rows come to together."""
    number = np.unique(game, return_inverse=True)[1]
    f, o = np.bincount(number, found), np.bincount(number, opportunities)
    sums = Sums(f.sum(), o.sum(), (f * f).sum(), (f * o).sum(), (o * o).sum())
    return Every(f[number], o[number], sums, int((o > 0).sum()))


def _p_values(rows: _Rows, found: Numbers, opportunities: Numbers, share: bool, every: Every) -> Floats:
    """Return how likely so great a difference to all other groups together would be by chance, two-sided.

    The difference of two ratios of sums over games is linearised: each game adds (f - r o) / O of the group
    less the same of the others, and the sum of the squares of what the games add is the variance. That is
    what the bootstrap over games tends to, and it minds that a game may belong to a group and to the others.
    Where found and opportunities are counts, the standard error is at least that of independent opportunities
    at the rate of all together: a group in which nothing was found would have none. Then the normal
    distribution. NaN for a group or others of less than two games.
    """
    f, o = found.astype(np.float64), opportunities.astype(np.float64)
    sum_f, sum_o = rows.sums(f), rows.sums(o)
    rest_f, rest_o = every.sums.f - sum_f, every.sums.o - sum_o
    mine = rows.count(o > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate, rest = sum_f / sum_o, rest_f / rest_o

        # Sums of products of what the group has in its games, and with what all have there.
        own_ff, own_fo, own_oo = rows.sums(f * f), rows.sums(f * o), rows.sums(o * o)
        every_f, every_o = every.f.astype(np.float64), every.o.astype(np.float64)
        ff, fo = rows.sums(f * every_f), rows.sums(f * every_o)
        of, oo = rows.sums(o * every_f), rows.sums(o * every_o)
        elsewhere = every.games - mine + rows.count((o > 0) & (every_o > o))
        own = own_ff - 2 * rate * own_fo + rate**2 * own_oo
        # (f - rate o) times the same of the others, who have what all have less what the group has.
        both = ff - own_ff - rate * (of - own_fo) - rest * (fo - own_fo)
        both += rate * rest * (oo - own_oo)
        others_ff, others_oo = every.sums.ff + own_ff - 2 * ff, every.sums.oo + own_oo - 2 * oo
        others = others_ff - 2 * rest * (every.sums.fo + own_fo - fo - of) + rest**2 * others_oo
        variance = own / sum_o**2 - 2 * both / (sum_o * rest_o) + others / rest_o**2
        if share:
            pooled = np.divide(every.sums.f, every.sums.o)
            variance = np.maximum(variance, pooled * (1 - pooled) * (1 / sum_o + 1 / rest_o))
        difference = np.abs(rate - rest)
    result = np.full(rows.groups, np.nan)
    for number in np.flatnonzero((mine > 1) & (elsewhere > 1) & (rest_o > 0)).tolist():
        error = math.sqrt(max(variance[number], 0.0))
        if error > 0:
            result[number] = math.erfc(difference[number] / error / math.sqrt(2))
        else:
            result[number] = 1.0 if difference[number] == 0 else 0.0
    return result


def per_game(
    groups: pl.DataFrame, kinds: Sequence[str], results: Sequence[Ratios], *more: Sequence[pl.Series]
) -> pl.DataFrame:
    """Return what games lost by each kind, a row for each group with games and kind, in their order.

    `more` are further columns, a series for each kind.
    """
    parts = [
        groups.with_columns(
            pl.lit(kind).alias("kind"),
            pl.Series("games", result.games),
            *ratio_columns("per_game", result, ""),
            *(column[number] for column in more),
            pl.lit(number).alias("_kind"),
        )
        for number, (kind, result) in enumerate(zip(kinds, results, strict=True))
    ]
    return pl.concat(parts).filter(pl.col("games") > 0).sort("_group", "_kind")


def ratio_columns(name: str, result: Ratios, ends: str | None = None) -> list[pl.Series]:
    """Return a ratio and its interval as columns; NaN becomes null.

    They are `name`, `name_low` and `name_high`, or instead of `name_` with what `ends` says.
    """
    begin = f"{name}_" if ends is None else ends
    parts = ((name, result.rate), (f"{begin}low", result.low), (f"{begin}high", result.high))
    return [pl.Series(part, values, nan_to_null=True) for part, values in parts]

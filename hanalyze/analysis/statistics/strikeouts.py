"""Means over games of which some were lost by strikes: the usual games and the disasters apart.

In: rows of games and groups that say which games struck out, or sums over games. Out: `Ratios` of all games
together and of the others alone, or the interval of one mean.

A few games that cost nearly everything decide what a mean comes to, and of some dozen games most have none.
No resampling can know of what it has not seen, so its intervals miss the mean of many games far too often.
But the share of such games has an interval even where none was found, Wilson's, and the most that one can
cost is known. So both parts are estimated apart, and put together by what each may be off (MOVER): with the
mean F of the usual games, between f and f', the share p of the others, between q and q', and their mean L
(the worst possible where there is none), the mean is (1 - p) F + p L, and its lower end, where L > F, is

    that - sqrt(((1 - p) (F - f))^2 + ((L - F) (p - q))^2 + (p z s)^2),

with z s for how far L may be off; the upper end likewise, and the other way round where L < F.

Sources: Zou, G. Y. & Donner, A. (2008), Construction of confidence limits about effect measures: a general
approach, Statistics in Medicine 27, 1693-1702; Wilson (1927) and bootstrap-t as in
`hanalyze.analysis.statistics.intervals` and `hanalyze.analysis.statistics.bootstrap`. `python -m
tests.benchmarks.coverage` says how often they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hanalyze.analysis.blocks import Measured
from hanalyze.analysis.ratios import Ratios
from hanalyze.analysis.statistics.intervals import (
    FEWEST_GAMES,
    Bools,
    Floats,
    Interval,
    Sums,
    mean_of_sums,
    share_of_sums,
)

if TYPE_CHECKING:
    from hanalyze.analysis.blocks import Rows


class WithStrikeouts(NamedTuple):
    """What is known of a mean: of all games, of those that did not strike out, and the share that did."""

    all: list[Ratios]
    others: list[Ratios]
    share: Ratios


def with_strikeouts(
    rows: Rows,
    values: Sequence[str],
    worst: str,
    *,
    confidence: float,
    more: Sequence[Measured] = (),
    resampled: bool = True,
) -> tuple[WithStrikeouts, list[Ratios]]:
    """Return the means of values of games, and the `Ratios` of further measures.

    The rows have `_struck`, 1 where a game was such a disaster, else 0. `values` are SQL over the rows `r`;
    `worst` is an aggregate over them: what a game that struck out may come to at worst. Where means are not
    to be `resampled`, their intervals are those of `mean_apart`, and of further means of `mean_of_sums`.
    """
    struck, rest = "r._struck::DOUBLE", "(1 - r._struck)::DOUBLE"
    share, *found = rows.ratios(
        [
            Measured(struck, "1::DOUBLE"),
            *(Measured(f"({value} * (1 - r._struck))::DOUBLE", rest, False) for value in values),
            *more,
        ],
        confidence=confidence,
        resampled=resampled,
    )
    others, further = found[: len(values)], found[len(values) :]
    sums = rows.frame(
        ", ".join(
            f"coalesce(sum({value} * r._struck), 0)::DOUBLE AS f{n},"
            f" coalesce(sum({value} * {value} * r._struck), 0)::DOUBLE AS ff{n}"
            for n, value in enumerate(values)
        )
        + f", ({worst})::DOUBLE AS worst"
    )
    limit = sums["worst"].fill_null(0).to_numpy()
    every = [
        mixed(one, share, sums[f"f{n}"].to_numpy(), sums[f"ff{n}"].to_numpy(), limit, confidence)
        for n, one in enumerate(others)
    ]
    usual = _usual(share)
    if usual.any():
        measured = [Measured(f"({value})::DOUBLE", "1::DOUBLE", False) for value in values]
        plainly = rows.ratios(measured, confidence=confidence, resampled=resampled)
        for one, plain in zip(every, plainly, strict=True):
            one.low[usual], one.high[usual] = plain.low[usual], plain.high[usual]
    return WithStrikeouts(every, others, share), further


def _usual(share: Ratios) -> Bools:
    """Return where games that struck out are many, and the others few: there they are no rare disasters."""
    few: Bools = share.opportunities - share.found < FEWEST_GAMES
    return few & (share.found >= FEWEST_GAMES)


def mean_apart(every: Sums, struck: Sums, worst: float, confidence: float = 0.95) -> Interval:
    """Return the interval of a mean of games, some of which struck out, from sums over games.

    `every` are the sums over all games, each of 1, `struck` those over the games that struck out, and `worst`
    is what such a game might come to: see `mixed`. The mean of the others has the interval of `mean_of_sums`.
    Twenty games that struck out, and less than that which did not, are no exceptions: then it is that of all.

    >>> low, high = mean_apart(Sums(20, 40, 40, 20, 40), Sums(0, 0, 0, 0, 0), 25)
    >>> round(low, 2), round(high, 2)  # none of 40 games struck out: at most 8.76 % do, for 24.5 points more
    (0.29, 2.68)
    """
    others = Sums(*(all_ - mine for all_, mine in zip(every, struck, strict=True)))
    games = Sums(struck.o, every.o, struck.o, struck.o, every.o)
    share = _alone(games, share_of_sums(games, every.o, confidence))
    if _usual(share).any():
        return mean_of_sums(every, every.o, confidence)
    rest = _alone(others, mean_of_sums(others, others.o, confidence))
    found, squares, limit = (np.array([value], np.float64) for value in (struck.f, struck.ff, worst))
    result = mixed(rest, share, found, squares, limit, confidence)
    return Interval(result.low.item(), result.high.item())


def _alone(sums: Sums, interval: Interval) -> Ratios:
    """Return a ratio of a single group, of which each game has one opportunity."""
    rate = sums.f / sums.o if sums.o else np.nan
    values = (np.array([value], np.float64) for value in (sums.f, sums.o, rate, *interval, np.nan))
    found, of, *rest = values
    return Ratios(found, of, of.astype(np.int64), *rest)


def mixed(
    others: Ratios, share: Ratios, found: Floats, squares: Floats, worst: Floats, confidence: float
) -> Ratios:
    """Return means over all games of groups, with intervals; all arrays have a value a group.

    `others` are the means of the games that did not strike out, `share` is the share of those that did, of
    all; `found` and `squares` are sums of the values of the latter and of their squares, `worst` is the value
    that they might have at worst. Values are never below 0, and neither are the ends. NaN where less than
    `FEWEST_GAMES` games did not strike out, and where no game did and the others do not vary.

    >>> one = [np.array([value]) for value in (780.0, 39, 39, 20, 19.4, 20.6, np.nan)]
    >>> two = [np.array([value]) for value in (1.0, 40, 40, 0.025, 0.004, 0.129, np.nan)]
    >>> nothing = np.zeros(1)
    >>> result = mixed(Ratios(*one), Ratios(*two), nothing, nothing, nothing, 0.95)
    >>> result.rate.item(), result.low.round(2).item(), result.high.round(2).item()
    (19.5, 17.34, 20.22)
    """
    struck, games = share.found, share.opportunities
    total = others.found + found
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / games
        theirs = np.where(struck > 0, found / np.maximum(struck, 1), worst)
        spread = np.maximum(squares - struck * theirs * theirs, 0) / np.maximum(struck - 1, 1)
        off = np.where(struck > 1, np.sqrt(spread / np.maximum(struck, 1)), 0.0)
        off *= share.rate * NormalDist().inv_cdf((1 + confidence) / 2)
        # Others that do not vary are known, but where all games are alike nothing is.
        known = np.isnan(others.low) & (others.games >= FEWEST_GAMES) & (struck > 0)
        below = np.where(known, 0.0, others.rate - others.low) * (1 - share.rate)
        above = np.where(known, 0.0, others.high - others.rate) * (1 - share.rate)
        cost = theirs - others.rate
        more, less = cost * (share.high - share.rate), cost * (share.rate - share.low)
        down, up = np.where(cost > 0, less, more), np.where(cost > 0, more, less)
        low = mean - np.sqrt(below**2 + down**2 + off**2)
        high = mean + np.sqrt(above**2 + up**2 + off**2)
    return Ratios(
        total,
        games.copy(),
        share.games.copy(),
        mean,
        np.maximum(low, 0.0),
        high,
        np.full(len(mean), np.nan),
    )

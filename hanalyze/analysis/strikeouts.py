"""Means over games of which some were lost by strikes: the usual games and the disasters apart.

In: rows of games and groups that say which games struck out. Out: `Ratios` of all games together and of the
others alone.

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
`hanalyze.analysis.intervals` and `hanalyze.analysis.resampling`. `python -m tests.benchmarks.coverage` says
how often they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hanalyze.analysis.blocks import Measured
from hanalyze.analysis.intervals import FEWEST_GAMES, Floats
from hanalyze.analysis.ratios import Ratios

if TYPE_CHECKING:
    from hanalyze.analysis.blocks import Rows

__all__ = ["WithStrikeouts", "mixed", "with_strikeouts"]


class WithStrikeouts(NamedTuple):
    """What is known of a mean: of all games, of those that did not strike out, and the share that did."""

    all: list[Ratios]
    others: list[Ratios]
    share: Ratios


def with_strikeouts(
    rows: Rows, values: Sequence[str], worst: str, *, confidence: float, more: Sequence[Measured] = ()
) -> tuple[WithStrikeouts, list[Ratios]]:
    """Return the means of values of games, and the `Ratios` of further measures.

    The rows have `_struck`, 1 where a game was such a disaster, else 0. `values` are SQL over the rows `r`;
    `worst` is an aggregate over them: what a game that struck out may come to at worst.
    """
    struck, rest = "r._struck::DOUBLE", "(1 - r._struck)::DOUBLE"
    share, *found = rows.ratios(
        [
            Measured(struck, "1::DOUBLE"),
            *(Measured(f"({value} * (1 - r._struck))::DOUBLE", rest, False) for value in values),
            *more,
        ],
        confidence=confidence,
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
    # Where games that struck out are many, and the others few, they are no rare disasters.
    usual = (share.opportunities - share.found < FEWEST_GAMES) & (share.found >= FEWEST_GAMES)
    if usual.any():
        measured = [Measured(f"({value})::DOUBLE", "1::DOUBLE", False) for value in values]
        for one, plain in zip(every, rows.ratios(measured, confidence=confidence), strict=True):
            one.low[usual], one.high[usual] = plain.low[usual], plain.high[usual]
    return WithStrikeouts(every, others, share), further


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

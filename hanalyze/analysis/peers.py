"""A player's share compared with peers and with earlier games, from sums over games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.analysis.statistics.differences import Design, differences
from hanalyze.analysis.statistics.intervals import UNKNOWN, Floats, Interval, Sums, share_of_sums
from hanalyze.analysis.statistics.ratios import GroupSums, Shared, Total, against_other_groups

ENOUGH: Final = 50
"""Minimum number of opportunities for a verdict on a rate."""
PAIRS: Final = ("f*f", "f*o", "o*o", "a*a", "a*b", "b*b", "f*a", "f*b", "o*a", "o*b")
"""Products summed over games: f and o are the player's finds and opportunities, a and b those of others."""


class Compared(NamedTuple):
    """A player's share in comparable games (`own`), and the share of the peers; NaN if unknown.

    `ends` is the interval of the peers' share. `p_value` is two-sided, for the difference of the shares.
    """

    own: float
    peers: float
    ends: Interval
    p_value: float


def compare_with_peers(cells: Floats, confidence: float = 0.95) -> Compared:
    """Compare a player's share with that of the peers, in cells weighted by the player's opportunities.

    `cells` has a row per cell of similar games, with sums over its games: f, o (the player), a, b (the
    others), the numbers of games with o, with b, with both and with either, then `PAIRS`. Cells in which one
    side has no opportunity do not count. The weights of the peers' games are constants (direct
    standardisation) and leave the peers' total of opportunities unchanged.
    """
    cells = cells[(cells[:, 1] > 0) & (cells[:, 3] > 0)]
    if not len(cells):
        return Compared(math.nan, math.nan, UNKNOWN, math.nan)
    f, o, a, b, games, others, both, either, ff, fo, oo, aa, ab, bb, fa, fb, oa, ob = cells.T
    weight = o / b * (b.sum() / o.sum())
    group = GroupSums(*(np.array([one.sum()]) for one in (games, f, o, ff, fo, oo, f * 0)))
    of_all = (
        *(f + weight * a, o + weight * b, ff + 2 * weight * fa + weight**2 * aa),
        *(fo + weight * (fb + oa) + weight**2 * ab, oo + 2 * weight * ob + weight**2 * bb),
    )
    total = Total(Sums(*(float(one.sum()) for one in of_all)), int(either.sum()))
    products = (both, ff + weight * fa, fo + weight * fb, fo + weight * oa, oo + weight * ob)
    shared = Shared(*(np.array([one.sum()]) for one in products))
    [p_value] = against_other_groups(group, total, shared, True).tolist()
    of_peers = (weight * a, weight * b, weight**2 * aa, weight**2 * ab, weight**2 * bb)
    peers = Sums(*(float(one.sum()) for one in of_peers))
    ends = share_of_sums(peers, int(others.sum()), confidence)
    return Compared(float(f.sum() / o.sum()), peers.f / peers.o, ends, p_value)


class Trend(NamedTuple):
    """Rates of mistakes in the first and the second half of the games, and the p- and q-value of the change.

    `similar` has the two rates that the test compares: those in the cells that occur in both halves, with the
    same weights of the cells.
    """

    first: float
    second: float
    similar: tuple[float, float]
    p_value: float
    q_value: float


def trend_of(cells: Sequence[int] | np.ndarray[Any, Any], f: Floats, o: Floats) -> Trend | None:
    """Compare the second half of some games with the first, within cells of similar games.

    `cells`, `f` (finds) and `o` (opportunities) have a value per game, in the order of the games. The q-value
    is NaN. Returns None unless each half has `ENOUGH` opportunities in the cells that occur in both.
    """
    middle = len(f) // 2
    group = (np.arange(len(f)) >= middle).astype(np.int64)
    _, stratum = np.unique(np.asarray(cells), return_inverse=True)
    strata = stratum.max(initial=0) + 1
    sizes = np.stack([np.bincount(stratum[group == side], minlength=strata) for side in (0, 1)])
    both = np.asarray((sizes > 0).all(axis=0))[stratum]
    if not both.any():
        return None
    halves = [(f[half].sum(), o[half].sum()) for half in (slice(middle), slice(middle, None))]
    group, (_, stratum), f, o = group[both], np.unique(stratum[both], return_inverse=True), f[both], o[both]
    sizes = np.stack([np.bincount(stratum[group == side]) for side in (0, 1)])
    weight = (sizes.prod(axis=0) / sizes.sum(axis=0) / sizes)[group, stratum]
    design = Design(group, stratum, np.arange(len(f)), weight, np.zeros(sizes.shape[1], np.bool_))
    [found] = differences(design, [f], [o], shares=[True], minimum=[ENOUGH])
    if math.isnan(found.p_value):
        return None
    first, second = (float(mistakes / chances) for mistakes, chances in halves)
    return Trend(first, second, found.ratios, found.p_value, math.nan)

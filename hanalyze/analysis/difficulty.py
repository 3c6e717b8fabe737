"""Difficulty of deals: share of the variance of scores that deck order and search explain.

Scores are predicted by linear regression on games of other deals (ten folds, each deal in one fold), within
the same team size and variant. The explained share is 1 - E / M, with E the sum of squared errors and M that
of the mean of the other folds (Campbell & Thompson 2008); it is below 0 for useless features. Intervals of
the ratio E / M use Student's t, with deals as clusters.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.columns import FEATURES, schema
from hanalyze.analysis.statistics.intervals import Floats, check_confidence
from hanalyze.engine.batch import Deal
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import polars as pl, scipy_stats
from hanalyze.solver.deals import RUNS, hardness
from hanalyze.solver.search_plan import Budget
from hanalyze.solver.solving import check_covered
from hanalyze.store import Database
from hanalyze.store.batches import stored_deals

_FOLDS: Final = 10
_FEWEST: Final = 50
"""Minimum number of games of a team size and variant, for a dozen features."""
_NODES: Final = 40_000
_PIECE: Final = 50
_SAVED: Final = 0.2
"""Seconds per deal that compiled code saves."""


def deal_difficulty(
    db: Database,
    by: str | None = None,
    *,
    runs: int = RUNS,
    confidence: float = 0.95,
    jobs: int | None = None,
) -> pl.DataFrame:
    """Return the share of the variance of scores that deals explain within a team size and variant.

    The frame has a row for each set of features: `deck`, `search` and `both`. `runs` is the number of noisy
    beams of width 1 for each deal; `jobs` is the number of solver threads, by default one per core.
    Unfinished games count, too. Games are left out if their team size and variant has fewer than 50 games, or
    if the solver does not support them. Groupings are not supported.

    `FRAMES` lists the columns. Raises `UnknownName` if `by` is given.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     deal_difficulty(db, runs=1).columns[:3]
    ['features', 'games', 'deals']
    """
    check_confidence(confidence)
    if by is not None:
        raise UnknownName("grouping", by, (), advice="leave it out: there are no groups")
    games = db.sql("SELECT game_id, players, variant, score FROM games ORDER BY game_id")
    keep = games.filter(pl.len().over("players", "variant") >= _FEWEST)
    deals, places, kept = _covered(db, keep["game_id"].to_numpy())
    keep = keep.filter(pl.Series(kept, dtype=pl.Boolean))
    kinds = keep.select("players", "variant").to_numpy().astype(str)
    groups = np.unique(kinds, axis=0, return_inverse=True)[1].reshape(-1)
    score = keep["score"].to_numpy().astype(np.float64)
    deck, search = _deck_features(deals), _search_features(deals, runs, jobs)
    sets = {"deck": deck, "search": search, "both": np.hstack([deck, search])}
    rows = []
    for name in FEATURES:
        ends = (math.nan,) * 3
        if len(score):
            ends = _explained(sets[name][places], score, places, groups, confidence)
        rows.append([name, len(score), len(deals), *(None if math.isnan(end) else end for end in ends)])
    return pl.DataFrame(rows, schema("deal_difficulty"), orient="row")


def _covered(db: Database, ids: NDArray[np.int64]) -> tuple[list[Deal], NDArray[np.int64], list[bool]]:
    """Return the distinct deals, the index of each covered game's deal, and whether each game is covered."""
    deals: list[Deal] = []
    known: dict[Any, int] = {}
    places, kept = [], []
    for _, deal in stored_deals(db.connection, ids, 2_000):
        try:
            check_covered(deal.variant, deal.rules)
        except HanalyzeError:
            kept.append(False)
            continue
        kept.append(True)
        key = (len(deal.record.players), deal.variant.name, deal.rules, deal.deck.tobytes())
        if key not in known:
            known[key] = len(deals)
            deals.append(deal)
        places.append(known[key])
    return deals, np.array(places, np.int64), kept


def _deck_features(deals: Sequence[Deal]) -> Floats:
    """Return, for each deal, the mean depth of the first and of the last copies of each rank, (deals, 10)."""
    rows = []
    for deal in deals:
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for place, identity in enumerate(deal.deck.tolist()):
            first.setdefault(identity, place)
            last[identity] = place
        size = len(deal.deck)
        by_rank = [
            [place / size for identity, place in ends.items() if identity % 8 == rank]
            for ends in (first, last)
            for rank in range(1, 6)
        ]
        rows.append([sum(some) / len(some) if some else 0.0 for some in by_rank])
    return np.array(rows, np.float64).reshape(len(deals), 10)


def _search_features(deals: Sequence[Deal], runs: int, jobs: int | None) -> Floats:
    """Return the search features of each deal, (deals, 4)."""
    fast = pays_off(_SAVED * len(deals))

    def solved(piece: Sequence[Deal]) -> list[list[float]]:
        return [
            [
                math.log1p(one.nodes),
                one.lucky / runs if runs else 0.0,
                float(one.straight),
                float(one.full - one.low),
            ]
            for one in hardness(list(piece), runs, Budget(_NODES), fast)
        ]

    pieces = [deals[first : first + _PIECE] for first in range(0, len(deals), _PIECE)]
    with ThreadPoolExecutor((jobs or os.cpu_count() or 1) if fast else 1, "difficulty") as pool:
        rows = [row for some in pool.map(solved, pieces) for row in some]
    return np.array(rows, np.float64).reshape(len(deals), 4)


def _explained(
    features: Floats, score: Floats, deals: NDArray[np.int64], groups: NDArray[np.int64], confidence: float
) -> tuple[float, float, float]:
    """Return the share of the variance that features explain, and its interval."""
    fold = np.random.default_rng(1).permutation(int(deals.max()) + 1)[deals] % _FOLDS
    wrong, spread = np.zeros(len(score)), np.zeros(len(score))
    for number in range(_FOLDS):
        out = fold == number
        if out.all() or not out.any():
            continue
        means = _means(score, groups, ~out)
        centred = features - _means(features, groups, ~out)
        # Features that do not vary are all 0 after centring, so their weight is 0.
        weights = np.linalg.lstsq(centred[~out], (score - means)[~out], rcond=None)[0]
        rest = (score - means)[out]
        wrong[out] = (rest - centred[out] @ weights) ** 2
        spread[out] = rest**2
    if not spread.sum():
        return math.nan, math.nan, math.nan
    # Games of one deal are one observation.
    by_deal = [np.bincount(deals, one) for one in (wrong, spread)]
    ratio = wrong.sum() / spread.sum()
    count = len(by_deal[0])
    left = by_deal[0] - ratio * by_deal[1]
    error = math.sqrt(count / max(count - 1, 1) * float(left @ left)) / spread.sum()
    half = float(scipy_stats.t.ppf((1 + confidence) / 2, max(count - 1, 1))) * error
    return 1 - ratio, 1 - ratio - half, 1 - ratio + half


def _means(values: Floats, groups: NDArray[np.int64], used: NDArray[np.bool_]) -> Floats:
    """Return each game's group mean over the used games; the overall mean if the group has no used game."""
    means = np.empty_like(values)
    for group in np.unique(groups):
        mine = groups == group
        some = values[mine & used]
        means[mine] = (some if len(some) else values[used]).mean(axis=0)
    return means

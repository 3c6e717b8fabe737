"""Checks which deals can be won with open cards, and how often a greedy noisy player wins them."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, Final, NamedTuple

from hanalyze.decks.hanab_live import named_in
from hanalyze.engine.batch import Deal, deal_records, make_batch
from hanalyze.errors import HanalyzeError
from hanalyze.game.variants import variant as named_variant
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import polars as pl
from hanalyze.logs.record import GameRecord
from hanalyze.solver.search_plan import NODES, Budget, Games, Seeker, Speed
from hanalyze.solver.solving import check_covered
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.solved import DEALS

RUNS: Final = 20
"""Runs of a beam of width 1 for each deal, by default."""
NOISE: Final = 240
"""How far noise may raise a rating, which is as much as four points on the stacks count.

With it few deals of any number of players are won by every run, and few by none.
"""

_CHUNK: Final = 50  # deals that a thread takes at a time
_SAVED: Final = 0.2  # seconds a deal that compiled code saves
_MOST_PLAYERS: Final = 6


def dealt(seed: str, players: int | None = None, variant: str | None = None) -> GameRecord:
    """Return a game of a seed before its first action.

    What is not given is what the seed says: `p3v0s1` is for three players in variant 0. Raises
    `HanalyzeError`: rule `player_count` for none or too many, `UnknownName` for an unknown variant.

    >>> game = dealt("p3v0s1")
    >>> len(game.players), game.variant
    (3, 'No Variant')
    """
    own = named_in(seed)
    if players is None:
        if own is None:
            raise HanalyzeError(
                "the seed does not say for how many players", rule="player_count", advice="give --players"
            )
        players = own[0]
    if variant is None and own is not None:
        variant = named_variant(own[1]).name
    if not 2 <= players <= _MOST_PLAYERS:
        what = f"{players} players, but hanab-live is for 2 to {_MOST_PLAYERS}"
        raise HanalyzeError(what, rule="player_count")
    names = tuple(f"Player {number}" for number in range(1, players + 1))
    return GameRecord(players=names, seed=seed, variant=variant or "No Variant")


def deals(
    seeds: Iterable[str],
    *,
    players: int | None = None,
    variant: str | None = None,
    runs: int = RUNS,
    nodes: int = NODES,
    jobs: int | None = None,
    fast: bool | None = None,
) -> pl.DataFrame:
    """Return a row for each deal: whether it can be won with all cards open, and how hard that is.

    Columns as in `hanalyze.tables.solved.DEALS`, in the order of the seeds. `players` and `variant` are, by
    default, what each seed says. `runs`: beams of width 1 for each deal that is not lost; `nodes`: positions
    to look at for a score; `jobs`: threads, by default one per core, of which compiled code makes use; `fast`
    chooses it, by default where it pays. Raises `HanalyzeError` for a seed that cannot be dealt (rules
    `player_count`, `bad_seed`), for a variant that the solver does not play (`not_covered`), and for fewer
    than no runs (`bad_number`).

    >>> deals(["p2v0s1"], runs=2, fast=False).select("seed", "winnable", "best_low", "lucky").row(0)
    ('p2v0s1', True, 25, 0.5)
    """
    if isinstance(seeds, str):
        # A string is an iterable of strings: it would quietly give a row per letter.
        raise HanalyzeError("deals() takes several seeds, not one string", rule="bad_seed")
    if runs < 0:
        raise HanalyzeError(f"{runs} runs", rule="bad_number", advice="take 0 or more")
    stream = iter(seeds)
    first = list(islice(stream, _CHUNK))
    pieces = _pieces(first, stream)
    if fast is None:
        # Of what comes after the first piece nobody knows how much it is.
        more = len(first) == _CHUNK
        fast = pays_off(math.inf if more else _SAVED * len(first))
    jobs = jobs or os.cpu_count() or 1
    rows: list[list[Any]] = []
    running: deque[Future[list[list[Any]]]] = deque()
    with ThreadPoolExecutor(jobs if fast else 1, "deals") as pool:
        for piece in pieces:
            records = [dealt(seed, players, variant) for seed in piece]
            running.append(pool.submit(_rows, records, runs, Budget(nodes), fast))
            if len(running) > 2 * jobs:
                rows += running.popleft().result()
        while running:
            rows += running.popleft().result()
    types = {column.name: getattr(pl, POLARS_TYPES[column.type]) for column in DEALS}
    return pl.DataFrame(rows, types, orient="row")


def _pieces(first: list[str], stream: Iterator[str]) -> Iterator[list[str]]:
    while first:
        yield first
        first = list(islice(stream, _CHUNK))


def _rows(records: list[GameRecord], runs: int, budget: Budget, fast: bool) -> list[list[Any]]:
    deals = deal_records(records)
    rows = []
    for deal, one in zip(deals, hardness(deals, runs, budget, fast), strict=True):
        winnable = None if one.low < one.full == one.high else one.low == one.full
        rows.append(
            [
                deal.record.seed,
                len(deal.record.players),
                deal.variant.name,
                one.full,
                winnable,
                one.low,
                one.high,
                one.nodes,
                runs,
                one.lucky / runs if runs else None,
            ]
        )
    return rows


class Hardness(NamedTuple):
    """How hard a deal is: its full score, the best one (between `low` and `high`), positions looked at.

    `lucky`: the runs of a beam of width 1 with noise that came upon a line to the full score; `straight`:
    whether one without noise does.
    """

    full: int
    low: int
    high: int
    nodes: int
    lucky: int
    straight: bool


def hardness(deals: list[Deal], runs: int, budget: Budget, fast: bool) -> list[Hardness]:
    """Return how hard each of some deals is. Raises `HanalyzeError` (rule `not_covered`)."""
    for deal in deals:
        check_covered(deal.variant, deal.rules)
    games = Games.of(make_batch(deals), Speed(fast, fast))
    hard = []
    for number, deal in enumerate(deals):
        full = len(deal.variant.suits) * deal.variant.stack_size
        seeker = Seeker(games, number, budget)
        best = seeker.best(0, 0, full)
        # What cannot be won needs no run to be lost.
        can_win = best.high == full
        lucky = seeker.lucky_runs(0, full, runs, NOISE) if can_win else 0
        straight = can_win and seeker.lucky_runs(0, full, 1, 0) == 1
        hard.append(Hardness(full, best.low, best.high, best.nodes, lucky, straight))
    return hard

"""Whether deals can be won with open cards, and how often a beam of width 1 with noise finds the win."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import Any, Final

from hanalyze.decks.hanab_live import named_in
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.errors import HanalyzeError
from hanalyze.game.variants import variant as named_variant
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import polars as pl
from hanalyze.logs.record import GameRecord
from hanalyze.solver.question import ask
from hanalyze.solver.search_plan import NODES, Budget, Games, Seeker
from hanalyze.solver.solving import check_covered
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.solved import DEALS
from hanalyze.text import plural, shorten

RUNS: Final = 20  # default number of runs of a beam of width 1 per deal
NOISE: Final = 240  # upper limit of the noise in a rating: the weight of four points on the stacks

_CHUNK: Final = 50  # deals per task of a thread
_SAVED: Final = 0.08  # seconds per deal that compiled code saves
_ENOUGH: Final = 1000  # deals read ahead to decide whether compiling pays
_MOST_PLAYERS: Final = 6


def dealt(seed: str, players: int | None = None, variant: str | None = None) -> GameRecord:
    """Return the game of a seed before its first action.

    Missing arguments are taken from the seed: `p3v0s1` is for three players in variant 0. A seed of another
    form is for No Variant. Raises `HanalyzeError` (rule `player_count`) if the number of players is unknown
    or not from 2 to 6, and `UnknownName` for an unknown variant in the seed; `variant` is not checked.

    >>> game = dealt("p3v0s1")
    >>> len(game.players), game.variant
    (3, 'No Variant')
    """
    own = named_in(seed)
    if players is None:
        if own is None:
            what = f'the seed "{shorten(seed)}" does not contain the number of players'
            raise HanalyzeError(what, rule="player_count", advice="give --players")
        players = own[0]
    if variant is None and own is not None:
        try:
            variant = named_variant(own[1]).name
        except HanalyzeError as error:
            raise error.at(game=seed) from None
    if not 2 <= players <= _MOST_PLAYERS:
        what = f"{plural(players, 'player')}, but hanab-live is for 2 to {_MOST_PLAYERS}"
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
    """Return a row for each deal: whether it can be won with all cards open, and how difficult that is.

    The columns are those of `hanalyze.tables.solved.DEALS`; the rows are in the order of the seeds. `players`
    and `variant` are by default taken from each seed. `runs` is the number of beams of width 1 for each deal
    that may be winnable. `nodes` is the maximum number of positions searched for a score. `jobs` is the
    number of threads for compiled code, by default one per core. `fast` selects compiled code, by default if
    it saves time. Raises `HanalyzeError` for a seed that cannot be dealt (rules `player_count`, `bad_seed`),
    for a variant that the solver does not cover (`not_covered`), and for a negative number of runs
    (`bad_number`); raises `UnknownName` for an unknown variant.

    >>> deals(["p2v0s1"], runs=2, fast=False).select("seed", "winnable", "best_low", "lucky").row(0)
    ('p2v0s1', True, 25, 0.5)
    """
    if isinstance(seeds, str):
        # A string is an iterable of strings: it would silently give a row per letter.
        raise HanalyzeError("deals() takes several seeds, not one string", rule="bad_seed")
    if runs < 0:
        raise HanalyzeError(f"{runs} runs", rule="bad_number", advice="use 0 or more")
    stream = iter(seeds)
    first = list(islice(stream, _ENOUGH))
    if fast is None:
        fast = pays_off(_SAVED * len(first), ask)
    jobs = jobs or os.cpu_count() or 1
    rows: list[list[Any]] = []
    running: deque[Future[list[list[Any]]]] = deque()
    with ThreadPoolExecutor(jobs if fast else 1, "deals") as pool:
        every = chain(first, stream)
        while piece := list(islice(every, _CHUNK)):
            records = [dealt(seed, players, variant) for seed in piece]
            running.append(pool.submit(_rows, records, runs, Budget(nodes), fast))
            if len(running) > 2 * jobs:
                rows += running.popleft().result()
        while running:
            rows += running.popleft().result()
    types = {column.name: getattr(pl, POLARS_TYPES[column.type]) for column in DEALS}
    return pl.DataFrame(rows, types, orient="row")


def _rows(records: list[GameRecord], runs: int, budget: Budget, fast: bool) -> list[list[Any]]:
    deals = deal_records(records)
    for deal in deals:
        try:
            check_covered(deal.variant, deal.rules)
        except HanalyzeError as error:
            raise error.at(game=deal.record.seed) from None
    games = Games.of(make_batch(deals), fast=fast)
    rows = []
    for number, deal in enumerate(deals):
        full = deal.variant.max_score
        seeker = Seeker(games, number, budget)
        best = seeker.best(0, 0, full)
        # A deal that cannot be won needs no runs.
        lucky = seeker.lucky_runs(0, full, runs, NOISE) if best.high == full else 0
        winnable = None if best.low < full == best.high else best.low == full
        row = [deal.record.seed, len(deal.record.players), deal.variant.name, full, winnable]
        rows.append([*row, best.low, best.high, best.nodes, runs, lucky / runs if runs else None])
    return rows

"""Solving the deals of stored games with all cards open, and storing the points that moves lost.

A game is solved again only by another version of the solver, or, if it stayed open, within a larger budget.
"""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.engine.batch import Deal
from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import duckdb
from hanalyze.replaying import replay_deals
from hanalyze.solver.losses import Solution, solve_many
from hanalyze.solver.search_plan import NODES as LONG, Budget
from hanalyze.solver.solving import check_covered
from hanalyze.store.batches import stored_deals
from hanalyze.store.memory import less_memory
from hanalyze.store.rows import Arrays, Progress, in_turn, report, store_rows, texts, threads_of
from hanalyze.tables.solved import LOSS_CAUSES, LOSS_KINDS, SOLVER_VERSION
from hanalyze.text import plural

NODES: Final = 40_000
GAME_NODES: Final = 400_000
"""The default limits: positions for each score, and for each game."""

_FETCHED: Final = 2_000
"""Games that are fetched at a time."""
_PIECE: Final = 50
"""Games that a thread solves, and a transaction stores, at a time."""
_AHEAD: Final = 8
"""Pieces per thread that may wait to be stored: some games take as long as hundreds of others."""
_SAVED: Final = 0.3
"""Seconds a game that compiled code saves."""

_BUDGET: Final = ("nodes", "game_nodes", "seconds", "game_seconds")
_LARGER: Final = " OR ".join(
    f"coalesce(${name}::DOUBLE, 'inf') > coalesce(s.{name}::DOUBLE, 'inf')" for name in _BUDGET
)
_SMALLER: Final = _LARGER.replace(">", "<")
_WANTED: Final = f"""
SELECT game_id, s.game_id IS NOT NULL AS again
FROM games LEFT JOIN solved_games s USING (game_id)
WHERE s.game_id IS NULL OR solver_version <> $version
OR (open_points > 0 AND ({_LARGER}) AND NOT ({_SMALLER}))
"""


class SolveSummary(NamedTuple):
    """Summary of solving a database, in games.

    `not_covered`: games whose rules or variant the solver does not play. `still_open`: games where the loss
    of some turn is not known; they may have lost up to `open_points`.

    >>> print(SolveSummary(100, 20, 0, 3, 7, 1.5))
    100 games solved: 3 still open (3.0%), in which up to 7 points may be lost; 20 had been solved before
    """

    games: int
    already_solved: int
    not_covered: int
    still_open: int
    open_points: int
    seconds: float

    def __str__(self) -> str:
        solved = self.games - self.not_covered
        text = f"{plural(solved, 'game')} solved: {self.still_open:,} still open"
        if self.still_open:
            text += f" ({self.still_open / solved:.1%}), in which up to {plural(self.open_points, 'point')}"
            text += " may be lost"
        if self.not_covered:
            text += f"; {plural(self.not_covered, 'game')} not covered by the solver"
        return text + (f"; {self.already_solved:,} had been solved before" if self.already_solved else "")


def budget_of(
    nodes: int | None, seconds: float | None, game_nodes: int | None, game_seconds: float | None
) -> Budget:
    """Return the budget for many games: the default without arguments, else only the given limits.

    >>> budget_of(None, None, None, None).game_nodes, budget_of(1_000_000, None, None, None).game_nodes
    (400000, None)
    """
    if nodes is seconds is game_nodes is game_seconds is None:
        return Budget(NODES, game_nodes=GAME_NODES)
    return Budget(nodes or game_nodes or LONG, seconds, game_nodes, game_seconds)


def solve_games(
    connection: duckdb.DuckDBPyConnection,
    budget: Budget,
    *,
    jobs: int | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> SolveSummary:
    """Solve the games that were not; see `Database.solve`."""
    start = time.perf_counter()
    jobs = threads_of(jobs)
    limits = {name: getattr(budget, name) for name in _BUDGET}
    wanted = connection.execute(_WANTED, {**limits, "version": SOLVER_VERSION}).fetchnumpy()
    ids, again = np.asarray(wanted["game_id"], np.int64), np.asarray(wanted["again"], np.bool_)
    [(games,)] = connection.execute("SELECT count(*) FROM games").fetchall()
    stop = threading.Event()
    fast = True if pays_off(len(ids) * _SAVED) else None
    work = functools.partial(_rows_of, budget=budget, fast=fast, stop=stop)
    deals = stored_deals(connection, ids, _FETCHED)
    pieces = iter(lambda: list(itertools.islice(deals, _PIECE)), [])

    def solved_before(rows: dict[str, Arrays]) -> Arrays:
        return {"game_id": np.intersect1d(ids[again], rows["solved_games"]["game_id"])}

    done = not_covered = still_open = open_points = 0
    with less_memory(connection, jobs), ThreadPoolExecutor(jobs, "solve") as pool:
        try:
            results = in_turn(pool, pieces, _AHEAD * jobs, work)
            for rows in store_rows(connection, results, report(on_progress, len(ids)), solved_before):
                solved = rows["solved_games"]
                done += len(solved["game_id"])
                not_covered += int((solved["open_points"] < 0).sum())
                still_open += int((solved["open_points"] > 0).sum())
                open_points += int(solved["open_points"].clip(0).sum())
        finally:
            # After an interruption nobody waits for the games that are under way.
            stop.set()
    if done:
        connection.execute("CHECKPOINT")
    seconds = time.perf_counter() - start
    return SolveSummary(done, games - len(ids), not_covered, still_open, open_points, seconds)


def _rows_of(
    piece: Sequence[tuple[int, Deal]], *, budget: Budget, fast: bool | None, stop: threading.Event
) -> dict[str, Arrays]:
    """Solve some games with their keys; return their rows by table."""
    refused: dict[int, str] = {}
    for key, deal in piece:
        try:
            check_covered(deal.variant, deal.rules, deal.record.deck_known)
        except HanalyzeError as error:
            refused[key] = error.message
    taken = [(key, deal) for key, deal in piece if key not in refused]
    solutions = solve_many(
        replay_deals((deal for _, deal in taken), fast=fast),
        nodes=budget.nodes,
        seconds=budget.seconds,
        game_nodes=budget.game_nodes,
        game_seconds=budget.game_seconds,
        fast=fast,
    )
    solved = {}
    for key, _ in taken:
        if stop.is_set():
            break
        solved[key] = next(solutions)
    return {
        "solved_games": _solved_games(solved, refused, budget),
        "best_scores": _best_scores(solved),
        "losses": _losses(solved),
    }


def _solved_games(solved: dict[int, Solution], refused: dict[int, str], budget: Budget) -> Arrays:
    count = len(solved) + len(refused)

    def numbers(values: Sequence[int]) -> Any:
        return np.array([*values, *(-1 for _ in refused)], np.int64)

    def limit(value: float | None, none: float, kind: type) -> Any:
        return np.full(count, none if value is None else value, kind)

    return {
        "game_id": np.array([*solved, *refused], np.int64),
        "solver_version": np.full(count, SOLVER_VERSION, np.int16),
        "not_covered": texts([*(None for _ in solved), *refused.values()]),
        "nodes": limit(budget.nodes, -1, np.int64),
        "game_nodes": limit(budget.game_nodes, -1, np.int64),
        "seconds": limit(budget.seconds, np.nan, np.float64),
        "game_seconds": limit(budget.game_seconds, np.nan, np.float64),
        "looked_at": numbers([one.nodes for one in solved.values()]),
        "best_score_low": numbers([one.low[0] for one in solved.values()]),
        "best_score_high": numbers([one.high[0] for one in solved.values()]),
        "open_points": numbers([one.open_points for one in solved.values()]),
    }


def _best_scores(solved: dict[int, Solution]) -> Arrays:
    low = [score for one in solved.values() for score in one.low[1:]]
    high = [score for one in solved.values() for score in one.high[1:]]
    turns = [len(one.low) - 1 for one in solved.values()]
    return {
        "game_id": np.repeat(np.array([*solved], np.int64), turns),
        "turn": np.array([turn for count in turns for turn in range(count)], np.int16),
        "best_score_after": np.array(low, np.int8),
        "best_score_exact": np.array(low, np.int8) == np.array(high, np.int8),
        "best_score_high_after": np.array(high, np.int8),
    }


def _losses(solved: dict[int, Solution]) -> Arrays:
    rows = [(key, one, loss) for key, one in solved.items() for loss in one.losses]
    return {
        "game_id": np.array([key for key, _, _ in rows], np.int64),
        "turn": np.array([loss.turn for _, _, loss in rows], np.int16),
        "seat": np.array([loss.seat for _, _, loss in rows], np.int8),
        "kind": np.array([LOSS_KINDS.index(loss.kind) for _, _, loss in rows], np.uint8),
        "cause": np.array([_CAUSES.index(loss.cause) for _, _, loss in rows], np.uint8),
        "points": np.array([loss.points for _, _, loss in rows], np.int8),
        "best_score_before": np.array([loss.before for _, _, loss in rows], np.int8),
        "best_score_after": np.array([loss.after for _, _, loss in rows], np.int8),
        "exact": np.array([loss.exact for _, _, loss in rows], np.bool_),
        "first": np.array([loss == one.first_loss for _, one, loss in rows], np.bool_),
    }


_CAUSES: Final = tuple(LOSS_CAUSES)

"""Solve the deals of stored games with all cards open, and store the points that moves lost.

A game is solved again only by another version of the solver, or with a larger budget if a loss is unknown.
"""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.engine.batch import Deal
from hanalyze.engine.run import play_batch
from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import Connection
from hanalyze.replaying import replay_deals
from hanalyze.solver.question import ask
from hanalyze.solver.search_plan import NODES as LONG, Budget
from hanalyze.solver.solving import check_covered, solve_many
from hanalyze.store.batches import stored_deals
from hanalyze.store.memory import less_memory
from hanalyze.store.rows import Arrays, OnProgress, arrays_of, in_turn, report, store_rows, threads_of
from hanalyze.tables.solved import SOLVER_VERSION
from hanalyze.text import plural

NODES: Final = 40_000
GAME_NODES: Final = 400_000
"""Default budget: maximum number of positions for each score, and for each game."""

_FETCHED: Final = 2_000
"""Number of games fetched at a time."""
_PIECE: Final = 50
"""Number of games that a thread solves, and a transaction stores, at a time."""
_AHEAD: Final = 8
"""Number of pieces per thread that may wait to be stored: one game may take as long as many others."""
_SAVED: Final = 0.12
"""Seconds that compiled code saves per game."""

_BUDGET: Final = ("nodes", "game_nodes", "seconds", "game_seconds")
"""The fields of a budget, in the order of the columns of `solved_games`."""
_LOSS: Final = attrgetter("kind", "cause", "points", "before", "after", "exact")
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

    `not_covered` counts games whose rules or variant the solver does not support. `still_open` counts games
    in which the loss of some turn is unknown; together they may have lost up to `open_points` more points.

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
    """Return the budget for many games: the given limits, or `NODES` and `GAME_NODES` if none is given.

    Without `nodes`, each score may take all `game_nodes` positions, or `LONG` if this limit is missing, too.

    >>> budget_of(None, None, None, None).game_nodes, budget_of(1_000_000, None, None, None).game_nodes
    (400000, None)
    """
    if nodes is seconds is game_nodes is game_seconds is None:
        return Budget(NODES, game_nodes=GAME_NODES)
    return Budget(nodes or game_nodes or LONG, seconds, game_nodes, game_seconds)


def compiled_solver_pays(games: int) -> bool:
    """Return whether the compiled solver saves more time on this number of games than its start takes.

    >>> compiled_solver_pays(1)
    False
    """
    return pays_off(games * _SAVED, ask)


def solve_games(
    connection: Connection, budget: Budget, *, jobs: int | None = None, on_progress: OnProgress = None
) -> SolveSummary:
    """Solve unsolved games, and with a larger budget also games with unknown losses; see `Database.solve`."""
    start = time.perf_counter()
    jobs = threads_of(jobs)
    limits = {name: getattr(budget, name) for name in _BUDGET}
    games_due = connection.execute(_WANTED, {**limits, "version": SOLVER_VERSION}).fetchnumpy()
    ids, again = np.asarray(games_due["game_id"], np.int64), np.asarray(games_due["again"], np.bool_)
    [(games,)] = connection.execute("SELECT count(*) FROM games").fetchall()
    stop = threading.Event()
    fast = True if pays_off(len(ids) * _SAVED, ask, play_batch) else None
    work = functools.partial(_rows_of, limits=limits, fast=fast, stop=stop)
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
            # After an interruption, threads stop after the game that they are solving.
            stop.set()
    if done:
        connection.execute("CHECKPOINT")
    seconds = time.perf_counter() - start
    return SolveSummary(done, games - len(ids), not_covered, still_open, open_points, seconds)


def _rows_of(
    piece: Sequence[tuple[int, Deal]], *, limits: dict[str, Any], fast: bool | None, stop: threading.Event
) -> dict[str, Arrays]:
    refused: dict[int, str] = {}
    for key, deal in piece:
        try:
            check_covered(deal.variant, deal.rules, deal.record.deck_known)
        except HanalyzeError as error:
            refused[key] = error.message
    covered = [(key, deal) for key, deal in piece if key not in refused]
    solutions = solve_many(replay_deals((deal for _, deal in covered), fast=fast), fast=fast, **limits)
    solved = {}
    for key, _ in covered:
        if stop.is_set():
            break
        solved[key] = next(solutions)
    games: list[tuple[Any, ...]] = [
        (key, SOLVER_VERSION, None, *limits.values(), one.nodes, one.low[0], one.high[0], one.open_points)
        for key, one in solved.items()
    ]
    games += [(key, SOLVER_VERSION, why, *limits.values(), *[None] * 4) for key, why in refused.items()]
    scores = [
        (key, turn, low, low == high, high)
        for key, one in solved.items()
        for turn, (low, high) in enumerate(zip(one.low[1:], one.high[1:], strict=True))
    ]
    losses = [
        (key, loss.turn, None if loss.kind == "end" else loss.seat, *_LOSS(loss), loss == one.first_loss)
        for key, one in solved.items()
        for loss in one.losses
    ]
    return {
        "solved_games": arrays_of("solved_games", games),
        "best_scores": arrays_of("best_scores", scores),
        "losses": arrays_of("losses", losses),
    }

"""Reading the games of a database for conventions, and storing what their moves meant."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np

from hanalyze.chances.model import Model, load_model
from hanalyze.conventions.run import HIGHEST_LEVEL, SAVED, Output, read_games
from hanalyze.detectors.plugin import Detector, Plan, in_order
from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import Ints
from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import duckdb
from hanalyze.store.batches import stored_batches
from hanalyze.store.chances import CONVENTION_TABLES, choose_model, chosen_before, convention_rows
from hanalyze.store.detectors import DETECTOR_TABLES, DetectorSummary, run_detectors
from hanalyze.store.ingest import Progress
from hanalyze.store.memory import less_memory
from hanalyze.store.pieces import in_turn, store_rows
from hanalyze.store.rows import Arrays
from hanalyze.store.schema import writable_name
from hanalyze.tables.conventions import CONVENTIONS_VERSION

_BATCH: Final = 8_000
"""Games that are fetched at a time."""
_PIECE: Final = 500
"""Games whose rows are held at a time."""


class ConventionSummary(NamedTuple):
    """Summary of reading a database for conventions: games read now, and games read before."""

    games: int
    already_read: int
    level: int
    seconds: float
    detected: DetectorSummary | None = None
    """Summary of the user's detectors, if there were any."""

    def __str__(self) -> str:
        before = f", {self.already_read:,} had been read before" if self.already_read else ""
        detected = f"; {self.detected}" if self.detected is not None else ""
        return f"{self.games:,} games read for conventions up to level {self.level}{before}{detected}"


def read_conventions(
    connection: duckdb.DuckDBPyConnection,
    *,
    level: int | None = None,
    jobs: int | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    detectors: Iterable[Detector | Plan] = (),
) -> ConventionSummary:
    """Read the games that were not; see `Database.read_conventions`."""
    start = time.perf_counter()
    plans = in_order(detectors)
    found = connection.execute("SELECT DISTINCT level, conventions_version FROM convention_games").fetchall()
    level = level or (found[0][0] if found else HIGHEST_LEVEL)
    if not 1 <= level <= HIGHEST_LEVEL:
        raise HanalyzeError(f"level {level}, but levels are 1 to {HIGHEST_LEVEL}", rule="bad_number")
    if found not in ([], [(level, CONVENTIONS_VERSION)]):
        connection.execute("BEGIN")
        for table in (*CONVENTION_TABLES, *DETECTOR_TABLES):
            connection.execute(f"DELETE FROM {writable_name(connection, table)}")
        if connection.execute("SELECT 1 FROM convention_games LIMIT 1").fetchall():
            # Of a folder: these rows are in files, which are never changed.
            connection.execute("ROLLBACK")
            read, version = found[0]
            raise HanalyzeError(
                f"games were read up to level {read}, version {version}, as they were ingested",
                rule="other_level",
                advice="ingest the logs again, with --rebuild --conventions --level N",
            )
        connection.execute("COMMIT")
    query = "SELECT game_id FROM games ANTI JOIN convention_games USING (game_id)"
    ids = np.asarray(connection.execute(query).fetchnumpy()["game_id"], np.int64)
    [(known,)] = connection.execute("SELECT count(*) FROM convention_games").fetchall()
    fast = pays_off(len(ids) * SAVED)
    model = chosen_before(connection)
    done = 0
    jobs = jobs or os.cpu_count() or 1
    with less_memory(connection, jobs), ThreadPoolExecutor(jobs, "conventions") as pool:
        for some, batch in stored_batches(connection, ids, _BATCH):
            model = model or choose_model(batch, level, fast)
            work = functools.partial(_rows_of, level=level, fast=fast, model=load_model(model))
            pieces = [
                (some, batch, first, min(first + _PIECE, len(some))) for first in range(0, len(some), _PIECE)
            ]
            for rows in in_turn(pool, pieces, jobs, work):
                store_rows(connection, rows)
                done += len(rows["convention_games"]["game_id"])
                if on_progress is not None:
                    on_progress(Progress(done, done, len(ids), time.perf_counter() - start))
    detected = run_detectors(connection, plans, level, on_progress) if plans else None
    if done or detected is not None:
        connection.execute("CHECKPOINT")
    return ConventionSummary(done, known, level, time.perf_counter() - start, detected)


def _rows_of(
    piece: tuple[Ints, GameBatch, int, int], *, level: int, fast: bool, model: Model
) -> dict[str, Arrays]:
    """Read a piece, the games from one to another of a batch with their keys; return their rows by table."""
    ids, batch, first, last = piece
    output: Output = read_games(batch, level=level, fast=fast, first=first, last=last, cards=True)
    keys = ids[first:last]
    return convention_rows(keys, output, level, model)

"""Read the games of a database for conventions, and store the meanings of their moves."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np

from hanalyze.chances.model import MODELS, HandCards, Model, hand_cards_of, load_model, read_hand_cards
from hanalyze.chances.model_choice import FEWEST, closest_model
from hanalyze.conventions.run import HIGHEST_LEVEL, SAVED, check_level, read_batch, read_games
from hanalyze.detectors.plugin import Detector, Plan, in_order
from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import Ints
from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import Connection
from hanalyze.store.batches import stored_batches
from hanalyze.store.convention_rows import convention_rows
from hanalyze.store.detectors import DetectorSummary, run_detectors
from hanalyze.store.memory import less_memory
from hanalyze.store.rows import Arrays, OnProgress, in_turn, report, store_rows, threads_of
from hanalyze.store.schema import CONVENTION_TABLES, DETECTOR_TABLES, transaction, writable_name
from hanalyze.tables.conventions import CONVENTIONS_VERSION

SAMPLE: Final = 50
"""Number of games used to choose a model. Keys are parts of digests, so the first games are random."""


def chosen_before(connection: Connection) -> str | None:
    """Return the name of the model of chances that most games have; None if fewer than `FEWEST` have it."""
    query = "SELECT chances, count(*) FROM convention_games GROUP BY chances ORDER BY count(*) DESC, chances"
    names = connection.execute(query).fetchall()
    return names[0][0] if names and names[0][1] >= FEWEST else None


def choose_model(batch: GameBatch, level: int, fast: bool) -> str:
    """Return the name of the shipped model that best fits the first `SAMPLE` games of a batch.

    For fewer than `FEWEST` games, return the name of the default model.
    """
    count = min(len(batch.seats), SAMPLE)
    if count < FEWEST:
        return MODELS[0]
    return _closest(read_hand_cards(batch, level=level, fast=fast, last=count))


def _closest(rows: HandCards) -> str:
    """Return the name of the shipped model with the lowest loss on rows of `HAND_CARDS`."""
    explained = rows.columns["explained"]
    if not explained.any():
        return closest_model(rows, "context")[0]
    return closest_model(rows.where(np.flatnonzero(explained)), "conventions")[0]


_BATCH: Final = 8_000
"""Number of games fetched at a time."""
_PIECE: Final = 500
"""Number of games that a thread reads at a time."""


class ConventionSummary(NamedTuple):
    """Summary of reading a database for conventions: numbers of games read now and by earlier runs."""

    games: int
    already_read: int
    level: int
    seconds: float
    detected: DetectorSummary | None = None
    """Summary of the user's detectors; None without detectors."""

    def __str__(self) -> str:
        before = f", {self.already_read:,} had been read before" if self.already_read else ""
        detected = f"; {self.detected}" if self.detected is not None else ""
        return f"{self.games:,} games read for conventions up to level {self.level}{before}{detected}"


def read_conventions(
    connection: Connection,
    *,
    level: int | None = None,
    jobs: int | None = None,
    on_progress: OnProgress = None,
    detectors: Iterable[Detector | Plan] = (),
) -> ConventionSummary:
    """Read the games that were not read yet; see `Database.read_conventions`."""
    start = time.perf_counter()
    plans = in_order(detectors)
    before = connection.execute("SELECT DISTINCT level, conventions_version FROM convention_games").fetchall()
    level = level or (before[0][0] if before else HIGHEST_LEVEL)
    check_level(level)
    if before not in ([], [(level, CONVENTIONS_VERSION)]):
        with transaction(connection):
            for table in (*CONVENTION_TABLES, *DETECTOR_TABLES):
                connection.execute(f"DELETE FROM {writable_name(connection, table)}")
            if connection.execute("SELECT 1 FROM convention_games LIMIT 1").fetchall():
                # The remaining rows are in files of a folder, which are never changed.
                read_to, version = before[0]
                problem = "conventions were already read during the ingest,"
                problem += f" up to level {read_to} (version {version})"
                advice = "ingest the logs again, with --rebuild --conventions --level N"
                raise HanalyzeError(problem, rule="other_level", advice=advice)
    query = "SELECT game_id FROM games ANTI JOIN convention_games USING (game_id)"
    ids = np.asarray(connection.execute(query).fetchnumpy()["game_id"], np.int64)
    [(already,)] = connection.execute("SELECT count(*) FROM convention_games").fetchall()
    fast = pays_off(len(ids) * SAVED, read_batch)
    done = 0
    jobs = threads_of(jobs)
    with less_memory(connection, jobs), ThreadPoolExecutor(jobs, "conventions") as pool:

        def read() -> Iterator[dict[str, Arrays]]:
            name = chosen_before(connection)
            for some, batch in stored_batches(connection, ids, _BATCH):
                first = 0
                if name is None:
                    first = min(len(some), SAMPLE)  # read once, to choose the model and to get the rows
                    output = read_games(batch, level=level, fast=fast, last=first, cards=True)
                    name = MODELS[0] if first < FEWEST else _closest(hand_cards_of(output))
                    yield convention_rows(some[:first], output, level, load_model(name))
                work = functools.partial(rows_read, level=level, fast=fast, model=load_model(name))
                firsts = range(first, len(some), _PIECE)
                pieces = [(some, batch, first, min(first + _PIECE, len(some))) for first in firsts]
                yield from in_turn(pool, pieces, jobs, work)

        for rows in store_rows(connection, read(), report(on_progress, len(ids))):
            done += len(rows["convention_games"]["game_id"])
    detected = run_detectors(connection, plans, level, on_progress) if plans else None
    if done or detected is not None:
        connection.execute("CHECKPOINT")
    return ConventionSummary(done, already, level, time.perf_counter() - start, detected)


def rows_read(
    piece: tuple[Ints, GameBatch, int, int], *, level: int, fast: bool, model: Model
) -> dict[str, Arrays]:
    """Read a range of the games of a batch for conventions; return their rows by table.

    `piece` consists of the keys of the batch, the batch, and the start and end (exclusive) of the range.
    """
    keys, batch, first, last = piece
    output = read_games(batch, level=level, fast=fast, first=first, last=last, cards=True)
    return convention_rows(keys[first:last], output, level, model)

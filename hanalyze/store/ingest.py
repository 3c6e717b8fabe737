"""Logs into a database file: read, dealt, played and written by several threads, in bounded memory.

The main thread cuts logs into pieces; workers write a piece each, in transactions of their own, and commit
together every `_GAMES_A_CHECKPOINT` games. A game is known by the digest of its content, so an ingest that
was killed is completed by the same one run again.
"""

from __future__ import annotations

import gc
import itertools
import os
import queue
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.engine.run import play_batch
from hanalyze.errors import HanalyzeError
from hanalyze.game.rules import RULES_VERSION
from hanalyze.kernels.compiling import compiled, pays_off
from hanalyze.lazy import duckdb
from hanalyze.store.dealing import KnownKeys
from hanalyze.store.files import Segment, Source, shown_path
from hanalyze.store.memory import less_memory
from hanalyze.store.rows import Arrays, insertion, reject_of, reject_rows, texts
from hanalyze.store.unit_of_work import DEFECTS, READ, REJECTED, STORED, THERE, RejectLog, UnitRows, make_rows
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.store import TABLES
from hanalyze.version import __version__

_GAMES_A_CHECKPOINT: Final = 16_000
SAVED: Final = 2.4e-6
"""Seconds a byte of logs that compiled code saves: 8 ms a game of 3.4 kB."""


class Progress(NamedTuple):
    """Progress of an ingest: games read, bytes read, bytes in all (0: not known), seconds since its start."""

    games: int
    done: int
    total: int
    seconds: float


class Summary(NamedTuple):
    """Summary of an ingest, in games; `read` includes those that were rejected.

    >>> print(Summary(10, 7, 2, 1, 1, 0.5))
    10 games read: 7 stored (1 with defects), 2 already there, 1 rejected
    """

    read: int
    stored: int
    already_there: int
    with_defects: int
    rejected: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.read:,} game{'s' if self.read != 1 else ''} read: {self.stored:,} stored"
            f" ({self.with_defects:,} with defects), {self.already_there:,} already there,"
            f" {self.rejected:,} rejected"
        )


class _Turns:
    """Lets workers take turns in the order of their pieces."""

    def __init__(self) -> None:
        self._next = 0
        self._over: set[int] = set()
        self._changed = threading.Condition()

    def wait(self, piece: int) -> None:
        """Wait until the turns of all pieces before this one are over."""
        with self._changed:
            self._changed.wait_for(lambda: self._next == piece)

    def end(self, piece: int) -> None:
        """End the turn of a piece, even if it has not begun."""
        with self._changed:
            if piece >= self._next:
                self._over.add(piece)
            while self._next in self._over:
                self._over.remove(self._next)
                self._next += 1
            self._changed.notify_all()


class _Shared(NamedTuple):
    """State that all workers of an ingest share."""

    games: KnownKeys
    turns: _Turns
    strict: bool
    fast: bool


class _Worker:
    """Writes pieces over a connection of its own, in one transaction until `commit`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, number: int, shared: _Shared) -> None:
        self._connection = connection.cursor()
        self._number = number
        self._shared = shared
        self._open = False
        self._failed: Exception | None = None

    def work(self, piece: list[Segment], number: int) -> UnitRows:
        """Store the games of a piece; return its counts, without the rows.

        Once a piece has failed, all later ones of this worker fail for the same reason.
        """

        def choose(keys: Any, checks: Any) -> Any:
            # Of equal games the first one counts.
            self._shared.turns.wait(number)
            new = self._shared.games.claim(keys, checks)
            self._shared.turns.end(number)
            return new

        try:
            if self._failed is not None:
                raise self._failed
            made = make_rows(piece, choose, fast=self._shared.fast, strict=self._shared.strict)
            for rows in itertools.chain.from_iterable(made.rows.values()):
                for table, arrays in rows.items():
                    self._insert(table, arrays)
            return made._replace(rows={})
        except Exception as error:
            self._failed = error
            self._shared.turns.end(number)
            raise

    def _insert(self, table: str, arrays: Arrays) -> None:
        first = TABLES[table][0].name
        if not len(arrays[first]):
            return
        if not self._open:
            self._connection.execute("BEGIN")
            self._open = True
        source = f"_{table}_{self._number}"
        self._connection.register(source, arrays)
        try:
            self._connection.execute(insertion(table, source))
        finally:
            self._connection.unregister(source)

    def commit(self) -> None:
        """Commit the transaction, if one is open."""
        if self._open:
            self._connection.execute("COMMIT")
            self._open = False

    def close(self) -> None:
        """Roll back whatever was not committed, and close the connection."""
        if self._open:
            with suppress(Exception):
                self._connection.execute("ROLLBACK")
        self._connection.close()


def _shared(connection: duckdb.DuckDBPyConnection, strict: bool, fast: bool) -> _Shared:
    """Return the shared state, with the keys of the games that the database has."""
    there = connection.execute(
        "SELECT game_id, ('0x' || digest[17:32])::UBIGINT AS rest FROM games"
    ).fetchnumpy()
    games = KnownKeys(np.asarray(there["game_id"], np.int64), np.asarray(there["rest"], np.uint64))
    return _Shared(games, _Turns(), strict, fast)


def _known_rejects(connection: duckdb.DuckDBPyConnection) -> KnownKeys:
    there = connection.execute("SELECT reject_id FROM rejects").fetchnumpy()["reject_id"]
    return KnownKeys(np.asarray(there, np.int64), np.zeros(len(there), np.uint64))


def _store_rejects(
    connection: duckdb.DuckDBPyConnection, rejects: list[HanalyzeError], known: KnownKeys
) -> None:
    """Store the rejected logs that are new."""
    arrays = reject_rows(map(reject_of, rejects))
    keys = arrays["reject_id"]
    new = known.claim(keys, np.zeros(len(keys), np.uint64))
    if new.any():
        connection.register("_rejects", {name: array[new] for name, array in arrays.items()})
        try:
            connection.execute(insertion("rejects", "_rejects"))
        finally:
            connection.unregister("_rejects")


@contextmanager
def _settings(connection: duckdb.DuckDBPyConnection, jobs: int) -> Iterator[None]:
    """Leave the cores and some memory to the workers while they write."""
    [(threads,)] = connection.execute("SELECT current_setting('threads')").fetchall()
    try:
        if jobs > 1:
            connection.execute("SET threads = 1")
        with less_memory(connection, jobs):
            yield
    finally:
        with suppress(Exception):
            connection.execute(f"SET threads = {int(threads)}")


@contextmanager
def frozen(fast: bool) -> Iterator[None]:
    """Exclude all present objects, the compiler's too, from garbage collection."""
    if fast:
        compiled(play_batch)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _workers(
    connection: duckdb.DuckDBPyConnection, jobs: int, shared: _Shared
) -> Iterator[tuple[ThreadPoolExecutor, list[_Worker]]]:
    workers = [_Worker(connection, number, shared) for number in range(jobs)]
    pool = ThreadPoolExecutor(jobs, "ingest")
    try:
        yield pool, workers
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        for worker in workers:
            worker.close()


def ingest(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    jobs: int | None = None,
    strict: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
) -> Summary:
    """Store the games of files, or records; see `Database.ingest` and `Database.add`."""
    start = time.perf_counter()
    jobs = jobs or os.cpu_count() or 1
    if jobs < 1:
        raise HanalyzeError(f"{jobs} jobs", rule="bad_number", advice="give 1 or more")
    pieces = source.pieces()
    # How much a pipe holds is known when its first piece has come.
    begin = list(itertools.islice(pieces, 1))
    size = source.done if source.total is None else source.total
    fast = pays_off(size * SAVED)
    counts: Counter[tuple[int, str]] = Counter()
    rejects = RejectLog(source.files, source.give_up)
    known_rejects = _known_rejects(connection)
    games = 0
    since_checkpoint = 0
    with (
        frozen(fast),
        _settings(connection, jobs),
        _workers(connection, jobs, _shared(connection, strict, fast)) as (pool, workers),
    ):
        idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        for worker in workers:
            idle.put(worker)

        def work(piece: list[Segment], number: int) -> UnitRows:
            worker = idle.get()
            try:
                return worker.work(piece, number)
            finally:
                idle.put(worker)

        running: deque[Future[UnitRows]] = deque()

        def finish(most: int) -> None:
            nonlocal games, since_checkpoint
            while len(running) > most:
                found = running.popleft().result()
                rejects.add(found.counts, found.rejects)
                counts.update(found.counts)
                read = sum(number for (_, what), number in found.counts.items() if what == READ)
                games += read
                since_checkpoint += read
                if on_progress is not None:
                    seconds = time.perf_counter() - start
                    on_progress(Progress(games, source.done, source.total or 0, seconds))

        for number, piece in enumerate(itertools.chain(begin, pieces)):
            running.append(pool.submit(work, piece, number))
            finish(jobs)
            if since_checkpoint >= _GAMES_A_CHECKPOINT:
                finish(0)
                _store_rejects(connection, rejects.take(), known_rejects)
                _commit(connection, pool, workers)
                since_checkpoint = 0
        finish(0)
        _store_rejects(connection, rejects.take(at_end=True), known_rejects)
        _commit(connection, pool, workers)
    read, stored, there, defects, rejected = (_total(counts, what) for what in WHATS)
    summary = Summary(read, stored, there, defects, rejected, time.perf_counter() - start)
    _note(connection, source, counts, summary.seconds)
    return summary


WHATS: Final = (READ, STORED, THERE, DEFECTS, REJECTED)


def _total(counts: Counter[tuple[int, str]], what: str) -> int:
    return sum(number for (_, kind), number in counts.items() if kind == what)


def _commit(connection: duckdb.DuckDBPyConnection, pool: ThreadPoolExecutor, workers: list[_Worker]) -> None:
    # To commit is to compress the rows of the last row group: the workers do it at the same time.
    for done in [pool.submit(worker.commit) for worker in workers]:
        done.result()
    connection.execute("CHECKPOINT")


def _note(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    counts: Counter[tuple[int, str]],
    seconds: float,
) -> None:
    """Insert a row of `ingests` for each file."""
    numbers = range(len(source.files))
    count = len(numbers)
    arrays: Arrays = {
        "file": texts(shown_path(file) for file in source.files),
        "digest": texts(source.digests.get(number) for number in numbers),
        **{what: np.array([counts[number, what] for number in numbers], np.int64) for what in WHATS},
        "rules_version": np.full(count, RULES_VERSION, np.int16),
        "tables_version": np.full(count, TABLES_VERSION, np.int16),
        "package_version": texts([__version__] * count),
        "seconds": np.full(count, seconds),
        "at": np.full(count, np.datetime64(datetime.now(UTC).replace(tzinfo=None), "us")),
    }
    connection.register("_ingests", arrays)
    try:
        connection.execute(insertion("ingests", "_ingests"))
    finally:
        connection.unregister("_ingests")
    connection.execute("CHECKPOINT")

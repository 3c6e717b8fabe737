"""Files of logs into the database: read, deal, play, write, all at once and in bounded memory.

In: paths and an open database. Out: rows, and a `Summary`. The main thread cuts files into pieces; workers
read, play and write a piece each, in transactions of their own. All workers commit together every
`_GAMES_A_CHECKPOINT` games, and what is written is tidied up then. A game is known by the digest of its
content, so after an ingest that was killed the same one run again completes it.
"""

from __future__ import annotations

import gc
import os
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hanalyze.engine.compile import can_compile, compiled
from hanalyze.engine.run import play, play_batch
from hanalyze.errors import HanalyzeError
from hanalyze.game.rules import RULES_VERSION
from hanalyze.store.dealing import Stack, deal_segments, digest, make_batch
from hanalyze.store.files import FileReader, Segment, find_files, shown_path
from hanalyze.store.known import KnownKeys, keys_of
from hanalyze.store.rows import Arrays, find_defects, game_rows, insertion, reject_rows, texts
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.store import TABLES
from hanalyze.version import __version__

if TYPE_CHECKING:
    import duckdb

__all__ = ["Progress", "Summary", "ingest"]

_GAMES_A_CHECKPOINT: Final = 16_000
_MEMORY: Final = 80
_MEMORY_A_JOB: Final = 80
"""MiB of memory that DuckDB may use for a file, in all and for each worker."""

_WORTH_COMPILING: Final = 500_000
"""Bytes from which on starting the compiler takes less time than it saves: some 150 games."""

_READ: Final = "read"
_STORED: Final = "stored"
_THERE: Final = "already_there"
_DEFECTS: Final = "with_defects"
_REJECTED: Final = "rejected"


class Progress(NamedTuple):
    """How far an ingest is: games read, bytes read of how many, and seconds since its start."""

    games: int
    done: int
    total: int
    seconds: float


class Summary(NamedTuple):
    """What an ingest came to, in games; `read` counts those too that could not be read.

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


class _Shared(NamedTuple):
    """What all workers of an ingest have in common."""

    games: KnownKeys
    rejects: KnownKeys
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

    def work(self, piece: list[Segment]) -> Counter[tuple[int, str]]:
        """Store the games of a piece; return how many were read, stored and so on, by file.

        Once a piece has failed, its transaction takes no other: all that come then fail for the same reason.
        """
        if self._failed is not None:
            raise self._failed
        try:
            return self._work(piece)
        except Exception as error:
            self._failed = error
            raise

    def _work(self, piece: list[Segment]) -> Counter[tuple[int, str]]:
        counts: Counter[tuple[int, str]] = Counter()
        stack = deal_segments(piece, self._shared.fast)
        if self._shared.strict and stack.rejects:
            raise min((error for _, error in stack.rejects), key=lambda error: error.line or 0)
        digests = [digest(*game) for game in zip(stack.heads, stack.decks, stack.actions, strict=True)]
        keys, checks = keys_of(digests)
        new = self._shared.games.claim(keys, checks)
        for head, is_new in zip(stack.heads, new.tolist(), strict=True):
            counts[head.file, _STORED if is_new else _THERE] += 1
            counts[head.file, _READ] += 1
        for file, _ in stack.rejects:
            counts[file, _REJECTED] += 1
            counts[file, _READ] += 1
        kept = np.flatnonzero(new).tolist()
        if kept:
            for table, arrays in self._rows(stack, kept, keys[new], digests, counts).items():
                self._insert(table, arrays)
        if stack.rejects:
            self._reject([error for _, error in stack.rejects])
        return counts

    def _rows(
        self, stack: Stack, kept: list[int], ids: Any, digests: list[bytes], counts: Counter[tuple[int, str]]
    ) -> dict[str, Arrays]:
        batch = make_batch(stack, kept)
        output = play(batch, fast=self._shared.fast)
        found = find_defects(stack, kept, output)
        for game, several in found.items():
            head = stack.heads[kept[game]]
            if self._shared.strict:
                raise several[0].error().at(file=head.path, line=head.line)
            counts[head.file, _DEFECTS] += 1
        return game_rows(stack, kept, ids, [digests[i] for i in kept], output, batch.cards, found)

    def _reject(self, errors: list[HanalyzeError]) -> None:
        arrays = reject_rows(errors)
        keys = arrays["reject_id"]
        new = self._shared.rejects.claim(keys, np.zeros(len(keys), np.uint64))
        self._insert("rejects", {name: array[new] for name, array in arrays.items()})

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
        """Make what was written last."""
        if self._open:
            self._connection.execute("COMMIT")
            self._open = False

    def close(self) -> None:
        """Forget what was not committed."""
        if self._open:
            with suppress(Exception):
                self._connection.execute("ROLLBACK")
        self._connection.close()


def _shared(connection: duckdb.DuckDBPyConnection, strict: bool, fast: bool) -> _Shared:
    """Read which games and rejects the database has."""
    there = connection.execute(
        "SELECT game_id, ('0x' || digest[17:32])::UBIGINT AS rest FROM games"
    ).fetchnumpy()
    rejects = connection.execute("SELECT reject_id FROM rejects").fetchnumpy()["reject_id"]
    return _Shared(
        KnownKeys(np.asarray(there["game_id"], np.int64), np.asarray(there["rest"], np.uint64)),
        KnownKeys(np.asarray(rejects, np.int64), np.zeros(len(rejects), np.uint64)),
        strict,
        fast,
    )


@contextmanager
def _settings(connection: duckdb.DuckDBPyConnection, jobs: int) -> Iterator[None]:
    """Let DuckDB leave the cores to the workers, and a file's pages to the disk, while they write."""
    [(threads,)] = connection.execute("SELECT current_setting('threads')").fetchall()
    [(memory,)] = connection.execute("SELECT current_setting('memory_limit')").fetchall()
    [(file,)] = connection.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall()
    try:
        if jobs > 1:
            connection.execute("SET threads = 1")
        if file:
            connection.execute(f"SET memory_limit = '{_MEMORY + _MEMORY_A_JOB * jobs}MiB'")
        yield
    finally:
        with suppress(Exception):
            connection.execute(f"SET threads = {int(threads)}")
            connection.execute(f"SET memory_limit = '{memory}'")


@contextmanager
def _frozen(fast: bool) -> Iterator[None]:
    """Keep the garbage collector from looking at what is there before, the compiler too, again and again."""
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
    paths: Iterable[str | os.PathLike[str]],
    *,
    jobs: int | None = None,
    strict: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
) -> Summary:
    """Store the games of files; see `Database.ingest`."""
    start = time.perf_counter()
    files = find_files(paths)
    reader = FileReader(files)
    jobs = jobs or os.cpu_count() or 1
    if jobs < 1:
        raise HanalyzeError(f"{jobs} jobs", rule="bad_number", advice="give 1 or more")
    fast = can_compile() and (reader.total >= _WORTH_COMPILING or "-" in files)
    counts: Counter[tuple[int, str]] = Counter()
    games = 0
    since_checkpoint = 0
    with (
        _frozen(fast),
        _settings(connection, jobs),
        _workers(connection, jobs, _shared(connection, strict, fast)) as (pool, workers),
    ):
        idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        for worker in workers:
            idle.put(worker)

        def work(piece: list[Segment]) -> Counter[tuple[int, str]]:
            worker = idle.get()
            try:
                return worker.work(piece)
            finally:
                idle.put(worker)

        running: deque[Future[Counter[tuple[int, str]]]] = deque()

        def finish(most: int) -> None:
            nonlocal games, since_checkpoint
            while len(running) > most:
                found = running.popleft().result()
                counts.update(found)
                read = sum(number for (_, what), number in found.items() if what == _READ)
                games += read
                since_checkpoint += read
                if on_progress is not None:
                    seconds = time.perf_counter() - start
                    on_progress(Progress(games, reader.done, reader.total, seconds))

        for piece in reader.pieces():
            running.append(pool.submit(work, piece))
            finish(jobs)
            if since_checkpoint >= _GAMES_A_CHECKPOINT:
                finish(0)
                _commit(connection, pool, workers)
                since_checkpoint = 0
        finish(0)
        _commit(connection, pool, workers)
    read, stored, there, defects, rejected = (_total(counts, what) for what in _WHATS)
    summary = Summary(read, stored, there, defects, rejected, time.perf_counter() - start)
    _note(connection, reader, counts, summary.seconds)
    return summary


_WHATS: Final = (_READ, _STORED, _THERE, _DEFECTS, _REJECTED)


def _total(counts: Counter[tuple[int, str]], what: str) -> int:
    return sum(number for (_, kind), number in counts.items() if kind == what)


def _commit(connection: duckdb.DuckDBPyConnection, pool: ThreadPoolExecutor, workers: list[_Worker]) -> None:
    # To commit is to compress the rows of the last row group: the workers do it at the same time.
    for done in [pool.submit(worker.commit) for worker in workers]:
        done.result()
    connection.execute("CHECKPOINT")


def _note(
    connection: duckdb.DuckDBPyConnection,
    reader: FileReader,
    counts: Counter[tuple[int, str]],
    seconds: float,
) -> None:
    """Write a row for each file."""
    numbers = range(len(reader.files))
    count = len(numbers)
    arrays: Arrays = {
        "file": texts(shown_path(file) for file in reader.files),
        "digest": texts(reader.digests.get(number) for number in numbers),
        **{what: np.array([counts[number, what] for number in numbers], np.int64) for what in _WHATS},
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

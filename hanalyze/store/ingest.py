"""Ingest logs into a database file with several threads, in bounded memory.

Each thread stores one piece at a time; all threads commit together every `_GAMES_A_CHECKPOINT` games. A game
is identified by the digest of its content, so the same command completes an ingest that was killed.
"""

from __future__ import annotations

import gc
import itertools
import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from typing import Final, NamedTuple

import numpy as np

from hanalyze.engine.run import play_batch
from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import RULES_VERSION
from hanalyze.kernels.compiling import compiled, pays_off
from hanalyze.lazy import Connection
from hanalyze.store.dealing import KnownKeys, deal_segments
from hanalyze.store.files import Segment, Source, shown_path
from hanalyze.store.memory import less_memory
from hanalyze.store.rows import (
    Arrays,
    OnProgress,
    Progress,
    arrays_of,
    in_turn,
    insert,
    reject_of,
    reject_rows,
    threads_of,
)
from hanalyze.store.unit_of_work import (
    DEFECTS,
    READ,
    REJECTED,
    STORED,
    THERE,
    RejectLog,
    UnitRows,
    make_rows,
)
from hanalyze.tables import TABLES_VERSION
from hanalyze.text import plural
from hanalyze.version import __version__

_GAMES_A_CHECKPOINT: Final = 16_000
_ROWS_AN_INSERT: Final = 60_000
"""Minimum number of rows of an insert, except at a commit: the turns of one piece, or the clues of three."""
_NEW_OBJECTS: Final = 50_000
"""Number of new objects after which garbage is collected."""
SAVED: Final = 1e-6
"""Seconds that compiled code saves per byte of logs: 3.4 ms for a game of 3.4 kB."""

FIRST_PIECES: Final = 8
"""Number of pieces read from a pipe, whose size is unknown, before deciding whether compiling pays."""


class Summary(NamedTuple):
    """Summary of an ingest, in games; `read` includes rejected games.

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
        stored = f"{self.stored:,} stored ({self.with_defects:,} with defects)"
        rest = f"{self.already_there:,} already there, {self.rejected:,} rejected"
        return f"{plural(self.read, 'game')} read: {stored}, {rest}"


class _Turns:
    """Lock that threads acquire in the order of their pieces."""

    def __init__(self) -> None:
        self._next = 0
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, piece: int) -> Iterator[None]:
        """Wait until the turns of all pieces before this one are over."""
        with self._changed:
            self._changed.wait_for(lambda: self._next == piece)
            try:
                yield
            finally:
                self._next += 1
                self._changed.notify_all()


class _Writer:
    """Writer with its own connection; all rows until `commit` are in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection.cursor()
        self._open = False
        self._waiting: dict[str, list[Arrays]] = {}

    def insert(self, table: str, arrays: Arrays) -> None:
        """Insert rows, or let them wait for more rows if they are few, because each statement takes time."""
        waiting = self._waiting.setdefault(table, [])
        waiting.append(arrays)
        if sum(len(next(iter(rows.values()))) for rows in waiting) >= _ROWS_AN_INSERT:
            self._insert_waiting(table)

    def _insert_waiting(self, table: str) -> None:
        first, *others = self._waiting.pop(table)
        if not self._open:
            self._connection.execute("BEGIN")
            self._open = True
        arrays = {name: np.concatenate([first[name], *(rows[name] for rows in others)]) for name in first}
        insert(self._connection, table, arrays if others else first)

    def commit(self) -> None:
        """Insert the waiting rows, and commit the transaction, if one is open."""
        for table in list(self._waiting):
            self._insert_waiting(table)
        if self._open:
            self._connection.execute("COMMIT")
            self._open = False

    def close(self) -> None:
        """Roll back the transaction if one is open, and close the connection."""
        if self._open:
            with suppress(Exception):
                self._connection.execute("ROLLBACK")
        self._connection.close()


def _stored_games(connection: Connection) -> KnownKeys:
    query = "SELECT game_id, ('0x' || digest[17:32])::UBIGINT AS rest FROM games"
    stored = connection.execute(query).fetchnumpy()
    return KnownKeys(np.asarray(stored["game_id"], np.int64), np.asarray(stored["rest"], np.uint64))


def _store_rejects(connection: Connection, rejects: list[HanalyzeError]) -> None:
    """Store rejected logs, except those that are stored already."""
    arrays = reject_rows(dict.fromkeys(map(reject_of, rejects)))
    stored = connection.execute("SELECT reject_id FROM rejects").fetchnumpy()["reject_id"]
    new = ~np.isin(arrays["reject_id"], np.asarray(stored))
    insert(connection, "rejects", {name: array[new] for name, array in arrays.items()})


@contextmanager
def frozen(fast: bool) -> Iterator[None]:
    """Exclude existing objects from garbage collection; with `fast`, also those that the compiler loads.

    Collections also run less often, because games contain no reference cycles.
    """
    if fast:
        compiled(play_batch)
    youngest, *older = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(youngest, _NEW_OBJECTS), *older)
    try:
        yield
    finally:
        gc.set_threshold(youngest, *older)
        gc.unfreeze()


def ingest(
    connection: Connection,
    source: Source,
    *,
    jobs: int | None = None,
    strict: bool = False,
    on_progress: OnProgress = None,
) -> Summary:
    """Store the games of files or records; see `Database.ingest` and `Database.add`."""
    start = time.perf_counter()
    jobs = threads_of(jobs)
    pieces = source.pieces()
    begin = list(itertools.islice(pieces, FIRST_PIECES if source.total is None else 1))
    size = source.done if source.total is None else source.total
    fast = pays_off(size * SAVED, play_batch)
    counts: Counter[tuple[int, str]] = Counter()
    rejects = RejectLog(source.files, source.give_up)
    stored_games = _stored_games(connection)
    turns = _Turns()
    numbered = enumerate(itertools.chain(begin, pieces))
    games = since_checkpoint = 0
    at_end = False

    def until_checkpoint() -> Iterator[tuple[int, list[Segment]]]:
        nonlocal since_checkpoint, at_end
        since_checkpoint = 0
        for one in numbered:
            yield one
            if since_checkpoint >= _GAMES_A_CHECKPOINT:
                return
        at_end = True

    # DuckDB is limited to less memory, because the workers need the rest, and to one thread: with several
    # threads, an insert would first write the rows of each thread separately, and then copy them.
    with (
        frozen(fast),
        less_memory(connection, jobs, threads=1),
        ExitStack() as stack,
        ThreadPoolExecutor(jobs, "ingest") as pool,
    ):
        writers = [stack.enter_context(closing(_Writer(connection))) for _ in range(jobs)]
        idle: queue.SimpleQueue[_Writer] = queue.SimpleQueue()
        for writer in writers:
            idle.put(writer)

        def work(numbered_piece: tuple[int, list[Segment]]) -> UnitRows:
            """Store the games of a piece; return its counts, without the rows."""
            number, piece = numbered_piece
            # The writer is taken before any work. After a failed insert, its later inserts fail, too. Only
            # pieces that start later can get this writer, so the original error is raised first.
            writer = idle.get()
            try:
                try:
                    deals = deal_segments(piece, strict=strict)
                except BaseException:
                    with turns.turn(number):
                        raise
                with turns.turn(number):  # of equal games, the first game counts
                    is_new = stored_games.claim(deals.keys, deals.checks)
                unit = make_rows(deals, is_new, fast=fast, strict=strict)
                for rows in itertools.chain.from_iterable(unit.rows.values()):
                    for table, arrays in rows.items():
                        writer.insert(table, arrays)
            finally:
                idle.put(writer)
            return unit._replace(rows={})

        while not at_end:
            for unit in in_turn(pool, until_checkpoint(), jobs, work):
                rejects.add(unit.counts, unit.rejects)
                counts.update(unit.counts)
                read = _total(unit.counts, READ)
                games += read
                since_checkpoint += read
                if on_progress is not None:
                    seconds = time.perf_counter() - start
                    on_progress(Progress(games, source.done, source.total or 0, seconds))
            _store_rejects(connection, rejects.take(at_end=at_end))
            # A commit compresses the rows of the last row group, so the threads commit at the same time.
            list(pool.map(_Writer.commit, writers))
            connection.execute("CHECKPOINT")
    read, stored, present, defects, rejected = (_total(counts, what) for what in OUTCOMES)
    summary = Summary(read, stored, present, defects, rejected, time.perf_counter() - start)
    _insert_ingests(connection, source, counts, summary.seconds)
    return summary


OUTCOMES: Final = (READ, STORED, THERE, DEFECTS, REJECTED)


def _total(counts: Counter[tuple[int, str]], what: str) -> int:
    return sum(number for (_, kind), number in counts.items() if kind == what)


def _insert_ingests(
    connection: Connection, source: Source, counts: Counter[tuple[int, str]], seconds: float
) -> None:
    moment = datetime.now(UTC).replace(tzinfo=None)
    end = (RULES_VERSION, TABLES_VERSION, __version__, seconds, moment)
    rows = []
    for number, file in enumerate(source.files):
        games = [counts[number, what] for what in OUTCOMES]
        rows.append((shown_path(file), source.digests.get(number), *games, *end))
    insert(connection, "ingests", arrays_of("ingests", rows))
    connection.execute("CHECKPOINT")

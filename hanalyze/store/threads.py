"""Separate connections, with separate temporary tables, for the threads that use a `Database`.

While one thread writes, every other thread gets an error (rule `database_busy`).
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from hanalyze.lazy import Connection, duckdb
from hanalyze.store.errors import database_busy
from hanalyze.store.mistake_cache import MistakeCache


class OfThread:
    """The connection of a thread and its cache of mistakes."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.mistakes = MistakeCache()
        self.is_closed = False
        # The cached tables of a thread are dropped when the thread ends.
        weakref.finalize(self, _forget, self.mistakes, connection).atexit = False

    def close(self) -> None:
        """Close the connection; DuckDB raises an error while its thread runs a query."""
        if not self.is_closed:
            self.mistakes.forget(self.connection)
            self.connection.close()
            self.is_closed = True


def _forget(mistakes: MistakeCache, connection: Connection) -> None:
    with suppress(Exception):  # the database was closed
        mistakes.forget(connection)


class Threads:
    """Connections of all threads that use a database; errors name its `file`."""

    def __init__(self, connection: Connection, file: str | None) -> None:
        self._file = file
        self._first = OfThread(connection)
        self._others: weakref.WeakSet[OfThread] = weakref.WeakSet()
        self._of = threading.local()
        self._of.thread = self._first
        self._lock = threading.Lock()
        self._write = threading.RLock()
        self._writer: int | None = None

    def mine(self) -> OfThread:
        """Return the connection of this thread. Raises `HanalyzeError` (`database_busy`)."""
        if self._writer not in (None, threading.get_ident()):
            raise database_busy(self._file)
        mine: OfThread | None = getattr(self._of, "thread", None)
        if mine is None or mine.is_closed:
            with self._lock:
                mine = self._of.thread = OfThread(self._first.connection.cursor())
                self._others.add(mine)
        return mine

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Reserve the database for this thread. Raises `HanalyzeError` (`database_busy`)."""
        if not self._write.acquire(blocking=False):
            raise database_busy(self._file)
        previous_writer, self._writer = self._writer, threading.get_ident()
        try:
            yield
        finally:
            self._writer = previous_writer
            self._write.release()

    def close(self) -> None:
        """Close all connections. Raises `HanalyzeError` (`database_busy`)."""
        with self.writing(), self._lock:
            for one in (*self._others, self._first):
                one.close()


_RUNNING: Final[list[Connection]] = []
_LOCK: Final = threading.Lock()


@contextmanager
def interruptible(cursor: Connection) -> Iterator[None]:
    """Let `interrupt_queries` stop the query of a cursor."""
    with _LOCK:
        _RUNNING.append(cursor)
    try:
        yield
    finally:
        with _LOCK:
            _RUNNING[:] = [one for one in _RUNNING if one is not cursor]


def interrupt_queries() -> None:
    """Interrupt the queries of all `interruptible` cursors: they raise DuckDB's `InterruptException`."""
    with _LOCK:
        for cursor in _RUNNING:
            with suppress(duckdb.Error):  # the cursor was closed meanwhile
                cursor.interrupt()

"""Interrupting running queries from another thread: DuckDB sometimes loses the signal to a process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from hanalyze.lazy import duckdb

_ASKED: Final[list[duckdb.DuckDBPyConnection]] = []
_LOCK: Final = threading.Lock()


@contextmanager
def interruptible(cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let `interrupt_queries` stop what a cursor is asked."""
    with _LOCK:
        _ASKED.append(cursor)
    try:
        yield
    finally:
        with _LOCK:
            _ASKED[:] = [one for one in _ASKED if one is not cursor]


def interrupt_queries() -> None:
    """Stop the queries that are being asked: they end with DuckDB's `InterruptException`."""
    from duckdb import Error

    with _LOCK:
        for cursor in _ASKED:
            with suppress(Error):  # it was closed meanwhile
                cursor.interrupt()

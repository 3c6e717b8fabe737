"""Interrupting running queries from another thread: DuckDB sometimes loses the signal to a process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from hanalyze.lazy import duckdb

_RUNNING: Final[list[duckdb.DuckDBPyConnection]] = []
_LOCK: Final = threading.Lock()


@contextmanager
def interruptible(cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let `interrupt_queries` stop the query of a cursor."""
    with _LOCK:
        _RUNNING.append(cursor)
    try:
        yield
    finally:
        with _LOCK:
            _RUNNING[:] = [one for one in _RUNNING if one is not cursor]


def interrupt_queries() -> None:
    """Interrupt all running queries: they end with DuckDB's `InterruptException`."""
    from duckdb import Error

    with _LOCK:
        for cursor in _RUNNING:
            with suppress(Error):  # it was closed meanwhile
                cursor.interrupt()

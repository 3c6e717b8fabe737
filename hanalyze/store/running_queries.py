"""The queries that are being asked, so that they can be stopped from another thread.

In: cursors. Out: nothing. DuckDB now and then loses the signal that interrupts a process; what it was asked
then runs to its end, however far that is, unless somebody insists.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from hanalyze.lazy import duckdb

_ASKED: Final[list[duckdb.DuckDBPyConnection]] = []
_LOCK: Final = threading.Lock()


@contextmanager
def asking(cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let `stop_asking` stop what a cursor is asked."""
    with _LOCK:
        _ASKED.append(cursor)
    try:
        yield
    finally:
        with _LOCK:
            _ASKED[:] = [one for one in _ASKED if one is not cursor]


def stop_asking() -> None:
    """Stop the queries that are being asked: they end with DuckDB's `InterruptException`."""
    from duckdb import Error

    with _LOCK:
        for cursor in _ASKED:
            with suppress(Error):  # it was closed meanwhile
                cursor.interrupt()

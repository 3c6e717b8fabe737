"""Work on the games of a database in pieces: done by several threads, written a piece per transaction."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from hanalyze.engine.game import Ints
from hanalyze.lazy import duckdb
from hanalyze.store.rows import Arrays, insertion
from hanalyze.store.schema import writable_name

_T = TypeVar("_T")
_R = TypeVar("_R")


def in_turn(
    pool: ThreadPoolExecutor, pieces: Iterable[_T], ahead: int, work: Callable[[_T], _R]
) -> Iterator[_R]:
    """Yield the results of a pool for pieces, in their order; at most `ahead` wait to be taken."""
    running: deque[Future[_R]] = deque()
    for piece in pieces:
        running.append(pool.submit(work, piece))
        if len(running) > ahead:
            yield running.popleft().result()
    while running:
        yield running.popleft().result()


def store_rows(
    connection: duckdb.DuckDBPyConnection, rows: dict[str, Arrays], replaced: Ints | None = None
) -> None:
    """Write the rows of some games in one transaction, after deleting those of the games `replaced`."""
    connection.execute("BEGIN")
    try:
        if replaced is not None and len(replaced):
            _remove(connection, rows, replaced)
        for table, arrays in rows.items():
            source = f"_{table}"
            connection.register(source, arrays)
            try:
                connection.execute(insertion(table, source, writable_name(connection, table)))
            finally:
                connection.unregister(source)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _remove(connection: duckdb.DuckDBPyConnection, tables: Iterable[str], games: Ints) -> None:
    connection.register("_replaced", {"game_id": games})
    try:
        for table in tables:
            home = writable_name(connection, table)
            connection.execute(f"DELETE FROM {home} WHERE game_id IN (SELECT game_id FROM _replaced)")
    finally:
        connection.unregister("_replaced")

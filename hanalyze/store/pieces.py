"""Work on the games of a database, a piece at a time: made by several threads, written in order.

In: pieces, and what is to be made of each. Out: rows by table, which are written a piece in a transaction: a
game has all of its rows, or none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from hanalyze.engine.game import Ints
from hanalyze.lazy import duckdb
from hanalyze.store.rows import Arrays, insertion
from hanalyze.store.schema import home_of

_T = TypeVar("_T")
_R = TypeVar("_R")


def in_turn(
    pool: ThreadPoolExecutor, pieces: Iterable[_T], ahead: int, work: Callable[[_T], _R]
) -> Iterator[_R]:
    """Yield what a pool makes of pieces, in their order; no more than `ahead` wait to be taken."""
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
    """Write the rows of some games in one transaction; those of the games `replaced` make room for them."""
    connection.execute("BEGIN")
    try:
        if replaced is not None and len(replaced):
            _remove(connection, rows, replaced)
        for table, arrays in rows.items():
            source = f"_{table}"
            connection.register(source, arrays)
            try:
                connection.execute(insertion(table, source, home_of(connection, table)))
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
            home = home_of(connection, table)
            connection.execute(f"DELETE FROM {home} WHERE game_id IN (SELECT game_id FROM _replaced)")
    finally:
        connection.unregister("_replaced")

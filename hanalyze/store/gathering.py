"""Rows of many games put into a table, query by query: of all games at once, or of a part after the other.

In: a connection, and queries whose rows are each of one game. Out: a temporary table with their rows. How
much memory a query takes is DuckDB's choice, and depends on which of its threads comes first. Where it had no
room for all games, the same query is asked of an eighth of them at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from hanalyze.extras import needed
from hanalyze.store.schema import home
from hanalyze.tables.store import TABLES

if TYPE_CHECKING:
    import duckdb

__all__ = ["PARTS", "Gathered", "gather", "part_of_games"]

PARTS: Final = 8
"""Into how many parts the games are divided, by their keys: a power of two."""
_SHOWN: Final = tuple(
    table for table, columns in TABLES.items() if any(column.name == "game_id" for column in columns)
)


class Gathered(NamedTuple):
    """A query for rows, and whether each row is of one game alone, so that games may be asked in parts."""

    query: str
    by_game: bool = True


def gather(connection: duckdb.DuckDBPyConnection, table: str, queries: Iterable[Gathered]) -> None:
    """Make a temporary table of the rows of some queries, which all have the same columns.

    They are asked one after the other: together they would hold the memory of all at once.
    """
    duckdb = needed("duckdb")
    made = f"CREATE OR REPLACE TEMP TABLE {table} AS"
    for query, by_game in queries:
        try:
            connection.execute(f"{made}\n{query}")
        except duckdb.OutOfMemoryException:
            if not by_game:
                raise
            for part in range(PARTS):
                with part_of_games(connection, part):
                    connection.execute(f"{made}\n{query}")
                made = f"INSERT INTO {table}"
        made = f"INSERT INTO {table}"


@contextmanager
def part_of_games(connection: duckdb.DuckDBPyConnection, part: int) -> Iterator[None]:
    """Let a connection see a part of its games alone, 0 to `PARTS` - 1, as long as the `with` lasts.

    Temporary views stand before the tables of their names; one that is there already is narrowed.
    """
    there = home(connection)
    names = "SELECT view_name FROM duckdb_views() WHERE database_name = 'temp'"
    views = {name for (name,) in connection.execute(names).fetchall()}
    narrowed: list[str] = []
    try:
        for table in _SHOWN:
            source = f"{there}.{table}"
            if table in views:
                source = f"temp._whole_{table}"
                connection.execute(f"ALTER VIEW temp.{table} RENAME TO _whole_{table}")
            narrowed.append(table)
            connection.execute(
                f"CREATE TEMP VIEW {table} AS SELECT * FROM {source} WHERE game_id & {PARTS - 1} = {part}"
            )
        yield
    finally:
        for table in narrowed:
            connection.execute(f"DROP VIEW IF EXISTS temp.{table}")
            if table in views:
                connection.execute(f"ALTER VIEW temp._whole_{table} RENAME TO {table}")

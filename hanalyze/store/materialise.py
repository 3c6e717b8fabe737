"""Tables from queries over many games; in parts of the games where memory runs out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hanalyze.lazy import duckdb
from hanalyze.store.filtered_connection import PARTS, part_of_games


class RowQuery(NamedTuple):
    """A query for rows, and whether each row is of one game alone, so that games may be asked in parts."""

    query: str
    by_game: bool = True


def materialise(connection: duckdb.DuckDBPyConnection, table: str, queries: Iterable[RowQuery]) -> None:
    """Make a table of the rows of some queries, which all have the same columns.

    It is temporary, unless its name says in which database it is to be. The queries are asked one after the
    other: together they would hold the memory of all at once.
    """
    made = f"CREATE OR REPLACE {'TABLE' if '.' in table else 'TEMP TABLE'} {table} AS"
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

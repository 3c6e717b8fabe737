"""Create tables from queries over many games, and restrict connections to some of the games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from hanalyze.lazy import Connection, duckdb
from hanalyze.store.schema import home, restrict
from hanalyze.tables.store import TABLES

PARTS: Final = 8
"""Number of parts that the games are divided into by their keys, a power of two."""
_BY_GAME: Final = tuple(
    table for table, columns in TABLES.items() if any(column.name == "game_id" for column in columns)
)


def only_games(connection: Connection, games: str) -> None:
    """Create views that hide all games except those in the table `games`; `prepare_decisions` drops some."""
    restrict(connection, _BY_GAME, f"game_id IN (SELECT game_id FROM {games})")


def copy_games(connection: Connection, games: Sequence[int]) -> None:
    """Restrict a connection to some games by copying their rows to temporary tables.

    Call this after `prepare_decisions`. For few of many games, it is faster than `only_games`.
    """
    keys = ", ".join(map(str, games))  # constants, so that a scan skips other games
    for table in _BY_GAME:
        rows = f"SELECT * FROM {table} WHERE game_id IN ({keys})"
        connection.execute(f"CREATE OR REPLACE TEMP TABLE _copy AS {rows}")
        connection.execute(f"DROP VIEW IF EXISTS temp.{table}; ALTER TABLE _copy RENAME TO {table}")


@contextmanager
def part_of_games(connection: Connection, part: int) -> Iterator[None]:
    """Restrict a connection, with its views of tables, to one part of its games (0 to `PARTS` - 1)."""
    prefix = home(connection)
    names = "SELECT view_name FROM duckdb_views() WHERE database_name = 'temp'"
    views = {name for (name,) in connection.execute(names).fetchall()}
    narrowed: list[str] = []
    try:
        for table in _BY_GAME:
            source = f"{prefix}.{table}"
            if table in views:
                source = f"temp._whole_{table}"
                connection.execute(f"ALTER VIEW temp.{table} RENAME TO _whole_{table}")
            narrowed.append(table)
            rows = f"SELECT * FROM {source} WHERE game_id & {PARTS - 1} = {part}"
            connection.execute(f"CREATE TEMP VIEW {table} AS {rows}")
        yield
    finally:
        for table in narrowed:
            connection.execute(f"DROP VIEW IF EXISTS temp.{table}")
            if table in views:
                connection.execute(f"ALTER VIEW temp._whole_{table} RENAME TO {table}")


class RowQuery(NamedTuple):
    """A query; it may run on parts of the games if each of its rows depends on one game only (`by_game`)."""

    query: str
    by_game: bool = True


def materialise(
    connection: Connection, table: str, columns: Mapping[str, str], queries: Iterable[RowQuery]
) -> None:
    """Create a table from the rows of queries; it is temporary unless its name contains a database name.

    `columns` are the names and types of the columns; columns that a query lacks are null. If a query that may
    run on parts of the games runs out of memory, it is repeated part by part.
    """
    kind = "TABLE" if "." in table else "TEMP TABLE"
    listed = ", ".join(f'"{name}" {type_}' for name, type_ in columns.items())
    connection.execute(f"CREATE OR REPLACE {kind} {table} ({listed})")
    for query, by_game in queries:
        insert = f"INSERT INTO {table} BY NAME\n{query}"
        try:
            connection.execute(insert)
        except duckdb.OutOfMemoryException:
            if not by_game:
                raise
            for part in range(PARTS):
                with part_of_games(connection, part):
                    connection.execute(insert)

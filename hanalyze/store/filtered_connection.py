"""Connections that see some of the games only, by temporary views in front of the tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from hanalyze.lazy import duckdb
from hanalyze.store.schema import home
from hanalyze.tables.store import TABLES

PARTS: Final = 8
"""Into how many parts the games are divided, by their keys: a power of two."""
_BY_GAME: Final = tuple(
    table for table, columns in TABLES.items() if any(column.name == "game_id" for column in columns)
)
"""The tables that have a game's key."""


def only_games(connection: duckdb.DuckDBPyConnection, games: str) -> None:
    """Let what a connection asks from now on be about some games alone.

    `games` is a table with their `game_id`. To be called after `hanalyze.store.mistakes.prepare`, which drops
    some of these views.
    """
    there = home(connection)
    for table in _BY_GAME:
        connection.execute(
            f"CREATE OR REPLACE TEMP VIEW {table} AS"
            f" SELECT * FROM {there}.{table} WHERE game_id IN (SELECT game_id FROM {games})"
        )


@contextmanager
def part_of_games(connection: duckdb.DuckDBPyConnection, part: int) -> Iterator[None]:
    """Let a connection see a part of its games alone, 0 to `PARTS` - 1, as long as the `with` lasts.

    A view that stands before a table already is narrowed.
    """
    there = home(connection)
    names = "SELECT view_name FROM duckdb_views() WHERE database_name = 'temp'"
    views = {name for (name,) in connection.execute(names).fetchall()}
    narrowed: list[str] = []
    try:
        for table in _BY_GAME:
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

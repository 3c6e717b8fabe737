"""Where the rows of a table are written: in a file beside all others, of a folder in a database of its own.

In: an open connection and a table. Out: the name by which statements that write know the table. Statements
that read need none of this.
"""

from __future__ import annotations

from typing import Final

from hanalyze.lazy import duckdb

LATER: Final = "later"
"""The name, in a connection to a folder, of the database that is written to."""

FOUND: Final = (
    "convention_games",
    "conventions",
    "convention_outcomes",
    "convention_opportunities",
    "chances",
    "detector_games",
    "detector_findings",
    "detector_problems",
    "solved_games",
    "best_scores",
    "losses",
)
"""Tables of what is found of stored games."""


def home_of(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """Return what a table is called by statements that write.

    >>> import duckdb
    >>> home_of(duckdb.connect(), "losses")
    'losses'
    """
    if table not in FOUND:
        return table
    query = f"SELECT 1 FROM duckdb_databases() WHERE database_name = '{LATER}'"
    return f"{LATER}.main.{table}" if connection.execute(query).fetchall() else table

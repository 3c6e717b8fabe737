"""DuckDB connections of bounded memory that read the files of a folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hanalyze.lazy import duckdb
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.folder.storage import Place
from hanalyze.store.memory import hide_progress, memory_settings


def connected(place: Place, memory_limit: str | None = None) -> duckdb.DuckDBPyConnection:
    """Return a connection in memory that reads the files of a place; `memory_limit` in DuckDB's form."""
    threads = os.cpu_count() or 1
    config: dict[str, Any] = {
        "threads": threads,
        "autoinstall_known_extensions": False,
        **memory_settings(place.path, True, threads),
    }
    if memory_limit is not None:
        config["memory_limit"] = memory_limit
    if "temp_directory" in config:
        # Each connection is a database of its own, with temporary files of the same names.
        config["temp_directory"] += f"-{secrets.token_hex(8)}"
    connection: duckdb.DuckDBPyConnection = duckdb.connect(":memory:", config=config)
    hide_progress(connection)
    register = getattr(place, "register", None)
    if register is not None:
        register(connection)
    return connection


@contextmanager
def bounded_connection(place: Place) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection to the files of a place; errors of DuckDB become `HanalyzeError`s."""
    with duckdb_errors(place.path):
        connection = connected(place)
        try:
            yield connection
        finally:
            connection.close()

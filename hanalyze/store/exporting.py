"""A database as a folder of Parquet files for other programs."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import Final

from hanalyze.errors import HanalyzeError, check_unicode
from hanalyze.lazy import duckdb
from hanalyze.store.errors import duckdb_errors, system_errors
from hanalyze.tables.store import TABLES

_UNFINISHED: Final = ".unfinished"
"""A file in the folder of an export, as long as it is not complete."""


def export(connection: duckdb.DuckDBPyConnection, target: str) -> dict[str, int]:
    """Write every table; see `Database.export`."""
    check_unicode(os.path.abspath(target))
    unfinished = os.path.join(target, _UNFINISHED)
    with system_errors(target):
        os.makedirs(target, exist_ok=True)
        if os.path.exists(unfinished):
            _clear(target)
        elif os.listdir(target):
            raise HanalyzeError("this folder is not empty", rule="folder_not_empty", file=target)
        with open(unfinished, "wb"):
            pass
    try:
        with duckdb_errors(target):
            rows = {name: _export(connection, name, target) for name in TABLES}
    except HanalyzeError as error:
        # What is there would be in the way of making room.
        _clear(target)
        if error.rule == "disk_full":
            error.advice = "free some space, and try again"
        elif error.rule == "no_files":
            error.advice = "open the database again, with this folder in `files_in`"
        raise
    os.remove(unfinished)
    return rows


def _export(connection: duckdb.DuckDBPyConnection, name: str, target: str) -> int:
    """Write a table into a folder of its own; return its rows."""
    columns = TABLES[name]
    place = os.path.join(target, name)
    options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 122880"
    query = f"SELECT * FROM {name}"
    if name in ("seats", "turns", "clues", "cards"):
        query = f"SELECT players, {name}.* FROM {name} JOIN games USING (game_id)"
    if name == "games" or query != f"SELECT * FROM {name}":
        options += ", PARTITION_BY (players), WRITE_PARTITION_COLUMNS false"
    else:
        with system_errors(target):
            os.makedirs(place)
        place = os.path.join(place, "part.parquet")
    if columns[0].name == "game_id":
        query += " ORDER BY game_id" + (", turn" if "turn" in (c.name for c in columns) else "")
    connection.execute(f"COPY ({query}) TO ? ({options})", [place])
    [(rows,)] = connection.execute(f"SELECT count(*) FROM {name}").fetchall()
    return int(rows)


def _clear(folder: str) -> None:
    """Remove the tables that an export has written into a folder."""
    with system_errors(folder):
        for name in TABLES:
            with suppress(FileNotFoundError):
                shutil.rmtree(os.path.join(folder, name))
        os.remove(os.path.join(folder, _UNFINISHED))

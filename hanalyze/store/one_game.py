"""The database in memory for one game, opened while Python still imports what reads the game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Final

from hanalyze.lazy import duckdb
from hanalyze.store.judging_options import Judging
from hanalyze.store.mistakes import begin
from hanalyze.store.opening import connection_for_few, is_database
from hanalyze.store.schema import GAME_TABLES
from hanalyze.tables.store import TABLES

Folder = str | os.PathLike[str] | None

_LARGEST: Final = 100_000
"""Size in bytes from which a log probably has several games."""
_OPENING: Final[dict[tuple[Folder, float], Future[duckdb.DuckDBPyConnection]]] = {}
"""Connections that are being opened ahead."""


def _opened(folder: Folder, play: float) -> duckdb.DuckDBPyConnection:
    # Definitions in a folder may name any table.
    connection = connection_for_few(TABLES if folder else GAME_TABLES)
    try:
        begin(connection, folder, Judging(play=play))
    except BaseException:
        connection.close()
        raise
    return connection


def game_connection(folder: Folder, play: float) -> duckdb.DuckDBPyConnection:
    """Return a connection to an empty database for one game, after `hanalyze.store.mistakes.begin`.

    It is the connection of `opened_ahead`, if there is one. `folder` has additional definitions of mistakes;
    `play` is the play threshold.
    """
    opening = _OPENING.pop((folder, play), None)
    return _opened(folder, play) if opening is None else opening.result()


@contextmanager
def opened_ahead(path: str, folder: Folder, play: float) -> Iterator[None]:
    """Open the connection of `game_connection` in a thread, if `path` may be the log of a single game."""
    is_one = os.path.isfile(path) and 0 < os.path.getsize(path) < _LARGEST and not is_database(path)
    if not is_one:
        yield
        return
    key = folder, play
    with ThreadPoolExecutor(1) as pool:
        _OPENING[key] = pool.submit(_opened, folder, play)
        try:
            yield
        finally:
            if (unused := _OPENING.pop(key, None)) is not None:
                with suppress(Exception):  # nobody needed the connection
                    unused.result().close()

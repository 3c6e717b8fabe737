"""Partial sums of a whole database, kept in its schema `sums` (`hanalyze.store.part_sums`).

They are used only if every game is in a part that is not stale, and if the definitions of mistakes and the
queries are the same as when they were counted. For folders see `hanalyze.store.folder.unit_sums`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from hanalyze.lazy import duckdb
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.folder.storage import is_remote
from hanalyze.store.folder.unit_sums import update_folder
from hanalyze.store.judging_options import USUAL
from hanalyze.store.materialise import only_games
from hanalyze.store.mistakes import prepare_decisions
from hanalyze.store.part_sums import (
    Maker,
    SumsSummary,
    add_part,
    begin_sums,
    remove_parts,
    stale_parts,
    tables_of_sums,
    version_of,
    versions_kept,
)
from hanalyze.store.schema import home

if TYPE_CHECKING:
    from hanalyze.store.database import Database

_log = logging.getLogger("hanalyze")

_MANY: Final = 50_000
"""Games from which on it is worth saying that sums would help."""

_A_PART: Final = 20_000
"""Games that are counted at a time, which bounds the memory of the queries."""

_REMOTE_ADVICE: Final = "copy the folder to a disk, and run `hanalyze sums` there"
"""Advice for remote folders, where sums cannot be written later."""

_notified: Final[WeakSet[Database]] = WeakSet()
"""Databases whose unused sums were logged: once is enough."""


def sums_hold(db: Database, maker: Maker) -> bool:
    """Return whether a maker's sums cover all games of a database in their present state.

    Sums use our definitions and the default judging options. If many games have none, or if they are stale,
    that is logged once (logger `hanalyze`).
    """
    if db.judging != USUAL:
        return False
    with duckdb_errors(db.file):
        connection = db.connection
        if not {*tables_of_sums(connection)} - {"makers", "parts", "games"}:
            [(games,)] = connection.execute(f"SELECT count(*) FROM {home(connection)}.games").fetchall()
            if games >= _MANY and db.file is not None:
                way_out = _REMOTE_ADVICE if is_remote(db.file) else "`hanalyze sums` makes that quick"
                _notify(db, f"counting the turns of {games:,} games; {way_out}")
            return False
        if versions_kept(connection).get(maker.name) == version_of(maker) and not stale_parts(connection):
            return True
    way_out = _REMOTE_ADVICE if db.file is not None and is_remote(db.file) else "run `hanalyze sums`"
    _notify(db, f"the sums of this database are older than its games, and not used; {way_out}")
    return False


def _notify(db: Database, what: str) -> None:
    """Log a message about a database once."""
    if db not in _notified:
        _notified.add(db)
        _log.info("%s", what)


def update_sums(
    db: Database, makers: Sequence[Maker], on_part: Callable[[int], object] | None = None
) -> SumsSummary:
    """Count the sums of all games that have none or whose sums are stale, each part in one transaction.

    `on_part` gets the number of games before they are counted.
    """
    with db.writing():
        if db.is_folder and db.file is not None:
            return update_folder(db.connection, db.file, makers, on_part)
        return _update_file(db.connection, makers, on_part)


def _update_file(
    connection: duckdb.DuckDBPyConnection, makers: Sequence[Maker], on_part: Callable[[int], object] | None
) -> SumsSummary:
    begun = time.monotonic()
    cursor = connection.cursor()
    try:
        versions = {one.name: version_of(one) for one in makers}
        if tables_of_sums(cursor) and versions_kept(cursor) != versions:
            cursor.execute("DROP SCHEMA sums CASCADE")
        if not tables_of_sums(cursor):
            begin_sums(cursor, "sums", versions)
        cursor.execute("BEGIN")
        remove_parts(cursor, "sums", [part for part in stale_parts(cursor) if part is not None])
        cursor.execute("COMMIT")
        there = home(cursor)
        cursor.execute(
            "CREATE TEMP TABLE unsummed AS SELECT g.game_id,"
            f" (row_number() OVER (ORDER BY g.rowid) - 1) // {_A_PART} AS part FROM {there}.games g"
            " WHERE g.game_id NOT IN (SELECT s.game_id FROM sums.games s)"
        )
        [(games,)] = cursor.execute("SELECT count(*) FROM unsummed").fetchall()
        [(every,)] = cursor.execute(f"SELECT count(*) FROM {there}.games").fetchall()
        if games:
            if on_part is not None:
                on_part(games)
            prepare_decisions(cursor)
            for part in range(-(-games // _A_PART)):
                cursor.execute(
                    "CREATE OR REPLACE TEMP TABLE part_of_games AS"
                    f" SELECT game_id FROM unsummed WHERE part = {part}"
                )
                if min(games, _A_PART) < every:
                    only_games(cursor, "part_of_games")
                add_part(cursor, makers, "part_of_games")
    finally:
        cursor.close()
    return SumsSummary(games, every - games, time.monotonic() - begun)

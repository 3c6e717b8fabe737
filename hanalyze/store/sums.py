"""Partial sums in a database: what numbers are made of, kept beside the rows that it was counted from.

In: a database, and `Maker`s, which know what is counted. Out: tables of the schema `sums`, and whether they
still hold; see `hanalyze.store.part_sums`. As long as there is a part that does not, or a game without a
part, nobody is given the sums. The same holds for other definitions of mistakes, or other queries: they are
part of the version. Of a folder, see `hanalyze.store.folder.unit_sums`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from hanalyze.lazy import duckdb
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.filtered_connection import only_games
from hanalyze.store.folder.storage import is_remote
from hanalyze.store.folder.unit_sums import update_folder
from hanalyze.store.judging_options import USUAL
from hanalyze.store.mistakes import prepare
from hanalyze.store.part_sums import (
    Maker,
    Summed,
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
"""Games from which on it is worth saying that numbers are counted from the turns."""

_A_PART: Final = 20_000
"""Games that are counted at a time: what the queries hold in memory is theirs."""

_FROM_AFAR: Final = "copy the folder to a disk, and run `hanalyze sums` there"
"""What to do about sums in a remote folder, where later ones cannot be written."""

_told: Final[WeakSet[Database]] = WeakSet()
"""Databases of which it was said that their sums are not used: a command asks for them often."""


def sums_hold(db: Database, maker: Maker) -> bool:
    """Return whether a maker's sums are in a database, of all of its games as they are now.

    They are of the usual definitions, and moves judged as usual. Where there are none and the games are
    many, or those that there are do not hold any more, that is said once to the logger `hanalyze`.
    """
    if db.judging != USUAL:
        return False
    with duckdb_errors(db.file):
        connection = db.connection
        if not {*tables_of_sums(connection)} - {"makers", "parts", "games"}:
            [(games,)] = connection.execute(f"SELECT count(*) FROM {home(connection)}.games").fetchall()
            if games >= _MANY and db.file is not None:
                way_out = _FROM_AFAR if is_remote(db.file) else "`hanalyze sums` makes that quick"
                _tell(db, f"counting the turns of {games:,} games; {way_out}")
            return False
        if versions_kept(connection).get(maker.name) == version_of(maker) and not stale_parts(connection):
            return True
    way_out = _FROM_AFAR if db.file is not None and is_remote(db.file) else "run `hanalyze sums`"
    _tell(db, f"the sums of this database are older than its games, and not used; {way_out}")
    return False


def _tell(db: Database, what: str) -> None:
    """Say something of a database once."""
    if db not in _told:
        _told.add(db)
        _log.info("%s", what)


def update_sums(
    db: Database, makers: Sequence[Maker], on_part: Callable[[int], object] | None = None
) -> Summed:
    """Make the sums of all games that have none, or others than they had now.

    Each part is kept as a whole or not at all. `on_part` is given the number of games before they are
    counted.
    """
    with db.writing():
        if db.is_folder and db.file is not None:
            return update_folder(db.connection, db.file, makers, on_part)
        return _update_file(db.connection, makers, on_part)


def _update_file(
    connection: duckdb.DuckDBPyConnection, makers: Sequence[Maker], on_part: Callable[[int], object] | None
) -> Summed:
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
            prepare(cursor)
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
    return Summed(games, every - games, time.monotonic() - begun)

"""Partial sums of a whole database, in its schema `sums` (`hanalyze.store.part_sums`).

Sums are used only if every game is in a part that is not stale, and definitions and queries have not changed.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

import numpy as np

from hanalyze.lazy import Connection
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.folder.storage import is_remote
from hanalyze.store.folder.unit_sums import update_folder
from hanalyze.store.judging_options import USUAL, Judging, judge_by
from hanalyze.store.levels import USUAL_LEVEL, show_levels
from hanalyze.store.materialise import only_games
from hanalyze.store.part_sums import (
    Maker,
    SumsSummary,
    add_parts,
    open_sums,
    remove_parts,
    stale_parts,
    stored_versions,
    versions_of,
)
from hanalyze.store.schema import home, tables_in, transaction

if TYPE_CHECKING:
    from hanalyze.store.database import Database

_log = logging.getLogger("hanalyze")

_MANY: Final = 50_000
"""Minimum number of games for which a message recommends storing sums."""

_A_PART: Final = 20_000
"""Maximum number of games counted at a time, which limits the memory of the queries."""

_REMOTE_ADVICE: Final = "copy the folder to a disk, and run `hanalyze sums` there"
"""Advice for remote folders, where sums cannot be written later."""

_notified: Final[WeakSet[Database]] = WeakSet()
"""Databases for which a message about their sums was logged; each database gets one message."""


def sums_hold(db: Database, maker: Maker) -> bool:
    """Return whether a maker's sums are valid for all games of a database, under its judging options."""
    return games_without_sums(db, maker) == []


def games_without_sums(db: Database, maker: Maker) -> list[int] | None:
    """Return the keys of the games for which a maker's sums are invalid; None if these are all games.

    Sums use the built-in definitions and the default judging options. They are invalid for games that the
    judging options of the database judge differently, and for all games if they are stale. If a large
    database has no sums, or if the sums are stale, a message is logged once (logger `hanalyze`).
    """
    if db.judging.play != USUAL.play:
        return None
    with duckdb_errors(db.file):
        connection = db.connection
        if not tables_in(connection, "sums") - {"makers", "parts", "games"}:
            [(games,)] = connection.execute(f"SELECT count(*) FROM {home(connection)}.games").fetchall()
            if games >= _MANY and db.file is not None:
                advice = _REMOTE_ADVICE if is_remote(db.file) else "`hanalyze sums` makes that quick"
                _notify(db, f"counting the turns of {games:,} games; {advice}")
            return None
        versions = versions_of([maker])
        if versions.items() <= stored_versions(connection).items() and not stale_parts(connection):
            return _judged_otherwise(connection, db.judging)
    advice = _REMOTE_ADVICE if db.file is not None and is_remote(db.file) else "run `hanalyze sums`"
    _notify(db, f"the sums of this database are out of date, and not used; {advice}")
    return None


_OTHERWISE: Final = f"""SELECT c.game_id FROM {{}}.convention_games c
LEFT JOIN usual_levels u ON u.game_id = c.game_id
LEFT JOIN game_levels v ON v.game_id = c.game_id
LEFT JOIN convention_games seen ON seen.game_id = c.game_id
WHERE seen.game_id IS NULL OR coalesce(u.level, {USUAL_LEVEL}) <> signal_level(v.level)
ORDER BY c.game_id"""


def _judged_otherwise(connection: Connection, judging: Judging) -> list[int]:
    """Return the games whose conventions are ignored, or whose level differs from their default level.

    If some games of a group are judged by logic, its level is estimated from its other games.
    """
    if judging == USUAL:
        return []
    with closing(connection.cursor()) as cursor:
        show_levels(cursor, USUAL.level)
        cursor.execute("ALTER TABLE game_levels RENAME TO usual_levels")
        judge_by(cursor, judging)
        show_levels(cursor, judging.level)
        rows = cursor.execute(_OTHERWISE.format(home(connection))).fetchall()
    return [key for (key,) in rows]


def _notify(db: Database, text: str) -> None:
    if db not in _notified:
        _notified.add(db)
        _log.info("%s", text)


def update_sums(
    db: Database, makers: Sequence[Maker], on_part: Callable[[int], object] | None = None
) -> SumsSummary:
    """Compute the sums of all games without sums or with stale sums, each part in one transaction.

    `on_part` gets the number of these games before they are counted. Raises `HanalyzeError` (rule `remote`)
    if a remote folder has such games.
    """
    begun = time.monotonic()
    update = functools.partial(update_folder, db.file) if db.is_folder and db.file else _update_file
    with db.writing():
        connection = db.connection
        games = update(connection, makers, on_part or (lambda games: None))
        [(game_count,)] = connection.execute(f"SELECT count(*) FROM {home(connection)}.games").fetchall()
    return SumsSummary(games, game_count - games, time.monotonic() - begun)


def _update_file(connection: Connection, makers: Sequence[Maker], on_part: Callable[[int], object]) -> int:
    open_sums(connection, "sums", versions_of(makers))
    with transaction(connection):
        remove_parts(connection, "sums", [part for part in stale_parts(connection) if part is not None])
    games = f"{home(connection)}.games"
    unsummed = f"FROM {games} WHERE game_id NOT IN (SELECT game_id FROM sums.games)"
    query = f"SELECT game_id {unsummed} ORDER BY rowid"
    keys = np.asarray(connection.execute(query).fetchnumpy()["game_id"], np.int64)
    [(game_count,)] = connection.execute(f"SELECT count(*) FROM {games}").fetchall()

    def restrict(cursor: Connection, piece: slice) -> None:
        if len(keys[piece]) < game_count:
            only_games(cursor, "piece")

    add_parts(connection, makers, "sums", keys, _A_PART, restrict, on_part)
    return len(keys)

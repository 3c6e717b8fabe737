"""Partial sums in a database: what numbers are made of, kept beside the rows that it was counted from.

In: a database, and `Maker`s, which know what is counted. Out: tables of the schema `sums`, and whether they
still hold. A part is some of the games: what one run found new. Its rows are added to those of other parts,
so that further games cost only their own counting.

`sums.games` says which game is of which part, `sums.parts` in which state they were counted: by which rules,
as read for which conventions, and as solved. A part whose games are in another state now is counted anew; as
long as there is one, or a game without a part, nobody is given the sums. The same holds for other definitions
of mistakes, or other queries: they are part of the version. A database that is a folder keeps no sums.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol
from weakref import WeakSet

from hanalyze.errors import HanalyzeError
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.judging import USUAL
from hanalyze.store.mistakes import keep_found, prepare, what_decides
from hanalyze.store.schema import home, quoted
from hanalyze.store.views import judge_losses
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.store import TABLES

if TYPE_CHECKING:
    import duckdb

    from hanalyze.store.database import Database

__all__ = ["Maker", "Summed", "only_games", "sums_hold", "sums_of_part", "update_sums", "version_of"]

_log = logging.getLogger("hanalyze")

_MANY: Final = 50_000
"""Games from which on it is worth saying that numbers are counted from the turns."""

_told: Final[WeakSet[Database]] = WeakSet()
"""Databases of which it was said that their sums are not used: a command asks for them often."""


class Maker(Protocol):
    """What counts something for the sums."""

    @property
    def name(self) -> str:
        """What tells it from the others."""

    @property
    def version(self) -> str:
        """The queries, as text."""

    def queries(self, connection: duckdb.DuckDBPyConnection) -> AbstractContextManager[Mapping[str, str]]:
        """Give by table the query for its rows, of the games that a connection sees.

        The connection has the views of `hanalyze.store.mistakes.prepare`, and what `keep_found` kept; what
        the queries need besides is made there, and goes at the end. For the same version the tables always
        have the same columns.
        """


@dataclass(frozen=True, slots=True)
class Summed:
    """What `update_sums` did: games counted now, games whose sums were there already."""

    games: int
    already: int
    seconds: float

    def __str__(self) -> str:
        there = f", {self.already:,} already there" if self.already else ""
        return f"sums of {self.games:,} games made{there}"


def version_of(maker: Maker) -> str:
    """Return the version of what a maker counts, as 32 hexadecimal digits.

    All queries and definitions are part of it.
    """
    text = json.dumps([TABLES_VERSION, what_decides(), maker.version])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def only_games(connection: duckdb.DuckDBPyConnection, games: str) -> None:
    """Let what a connection asks from now on be about some games alone.

    `games` is a table with their `game_id`. Temporary views stand before the tables of their names, so it is
    to be called after `prepare`, which drops some of them.
    """
    there = home(connection)
    for table, columns in TABLES.items():
        if any(column.name == "game_id" for column in columns):
            connection.execute(
                f"CREATE OR REPLACE TEMP VIEW {table} AS"
                f" SELECT * FROM {there}.{table} WHERE game_id IN (SELECT game_id FROM {games})"
            )


@contextmanager
def sums_of_part(connection: duckdb.DuckDBPyConnection, makers: Sequence[Maker]) -> Iterator[dict[str, str]]:
    """Give by table the query for the sums of all games that a connection sees.

    Nothing else decides about them, so a worker may count its games alone: what several have counted is put
    together row by row, in any order. The queries may be copied into files, or be inserted into a database;
    they work as long as the `with` lasts.
    """
    keep_found(connection)
    judge_losses(connection, "seen")
    with ExitStack() as stack:
        queries: dict[str, str] = {}
        for one in makers:
            queries |= stack.enter_context(one.queries(connection))
        yield queries


def sums_hold(db: Database, maker: Maker) -> bool:
    """Return whether a maker's sums are in a database, of all of its games as they are now.

    They are of the usual definitions, and moves judged as usual. Where there are none and the games are
    many, or those that there are do not hold any more, that is said once to the logger `hanalyze`.
    """
    if db.judging != USUAL:
        return False
    with duckdb_errors(db.file):
        connection = db.connection
        if not _there(connection):
            [(games,)] = connection.execute(f"SELECT count(*) FROM {home(connection)}.games").fetchall()
            if games >= _MANY and db.file is not None and not db.is_folder:
                _tell(db, f"counting the turns of {games:,} games; `hanalyze sums` makes that quick")
            return False
        if _versions(connection).get(maker.name) == version_of(maker) and not _stale(connection):
            return True
    _tell(db, "the sums of this database are older than its games, and not used; run `hanalyze sums`")
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
    if db.is_folder:
        raise HanalyzeError(
            "sums are kept in a file, not in a folder",
            rule="folder",
            file=db.file,
            advice="ingest into a .duckdb file for them",
        )
    begun = time.monotonic()
    with duckdb_errors(db.file):
        cursor = db.connection.cursor()
        try:
            versions = {one.name: version_of(one) for one in makers}
            if _there(cursor) and _versions(cursor) != versions:
                cursor.execute("DROP SCHEMA sums CASCADE")
            if not _there(cursor):
                cursor.execute("BEGIN")
                cursor.execute("CREATE SCHEMA sums")
                cursor.execute("CREATE TABLE sums.makers (name VARCHAR, version VARCHAR)")
                cursor.execute("CREATE TABLE sums.parts (part INTEGER, state VARCHAR)")
                cursor.execute("CREATE TABLE sums.games (part INTEGER, game_id BIGINT)")
                for name, version in versions.items():
                    cursor.execute("INSERT INTO sums.makers VALUES (?, ?)", [name, version])
                cursor.execute("COMMIT")
            stale = sorted(_stale(cursor) - {None}, key=str)
            cursor.execute("BEGIN")
            for table in set(_tables(cursor)) - {"makers"}:
                for part in stale:
                    cursor.execute(f"DELETE FROM sums.{table} WHERE part = ?", [part])
            cursor.execute("COMMIT")
            there = home(cursor)
            cursor.execute(
                f"CREATE TEMP TABLE unsummed AS SELECT game_id FROM {there}.games"
                " WHERE game_id NOT IN (SELECT game_id FROM sums.games)"
            )
            [(games,)] = cursor.execute("SELECT count(*) FROM unsummed").fetchall()
            [(every,)] = cursor.execute(f"SELECT count(*) FROM {there}.games").fetchall()
            if games:
                if on_part is not None:
                    on_part(games)
                prepare(cursor)
                if games < every:
                    only_games(cursor, "unsummed")
                _add_part(cursor, makers)
        finally:
            cursor.close()
    return Summed(games, every - games, time.monotonic() - begun)


def _add_part(cursor: duckdb.DuckDBPyConnection, makers: Sequence[Maker]) -> None:
    """Add the sums of the games of `unsummed`, which the cursor sees."""
    [(part,)] = cursor.execute("SELECT coalesce(max(part), -1) + 1 FROM sums.parts").fetchall()
    with sums_of_part(cursor, makers) as queries:
        there = set(_tables(cursor))
        cursor.execute("BEGIN")
        try:
            for table, query in queries.items():
                rows = f"SELECT {part}::INTEGER AS part, * FROM ({query})"
                begin = f"INSERT INTO sums.{table}" if table in there else f"CREATE TABLE sums.{table} AS"
                cursor.execute(f"{begin} {rows}")
            cursor.execute(f"INSERT INTO sums.games SELECT {part}, game_id FROM unsummed")
            state = _states(cursor)[part]
            cursor.execute("INSERT INTO sums.parts VALUES (?, ?)", [part, state])
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


def _there(connection: duckdb.DuckDBPyConnection) -> bool:
    return bool(_tables(connection))


def _tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of the tables of sums."""
    [(catalog,)] = connection.execute("SELECT current_database()").fetchall()
    query = (
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'sums'"
        f" AND table_catalog = {quoted(catalog)} ORDER BY table_name"
    )
    return [name for (name,) in connection.execute(query).fetchall()]


def _versions(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, version FROM sums.makers").fetchall())


def _states(connection: duckdb.DuckDBPyConnection) -> dict[int | None, str]:
    """Return of each part what its games are now; None stands for games without a part.

    Which games they are is said by their number, and by the sum of their keys, which are digests.
    """
    there = home(connection)
    rows = connection.execute(
        f"""SELECT s.part, g.rules_version, g.tables_version, c.level, c.conventions_version, c.chances,
    c.features, z.solver_version, count(*), sum(g.game_id)::VARCHAR, bit_xor(g.game_id)::VARCHAR,
    sum(z.looked_at)::VARCHAR, sum(z.best_score_low + z.best_score_high)::VARCHAR, sum(z.open_points)::VARCHAR
FROM {there}.games g
LEFT JOIN sums.games s ON s.game_id = g.game_id
LEFT JOIN {there}.convention_games c ON c.game_id = g.game_id
LEFT JOIN {there}.solved_games z ON z.game_id = g.game_id
GROUP BY ALL"""
    ).fetchall()
    of_part: defaultdict[int | None, list[str]] = defaultdict(list)
    for part, *values in rows:
        of_part[part].append(json.dumps([str(value) for value in values]))
    return {
        part: hashlib.sha256("\n".join(sorted(some)).encode()).hexdigest()[:32]
        for part, some in of_part.items()
    }


def _stale(connection: duckdb.DuckDBPyConnection) -> set[int | None]:
    """Return the parts that do not hold any more; None if games have no part."""
    kept = dict(connection.execute("FROM sums.parts").fetchall())
    now = _states(connection)
    return {part for part in {*kept, *now} if kept.get(part) != now.get(part)}

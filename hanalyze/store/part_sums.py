"""Partial sums of games, which dashboards and rates add up.

A part consists of games that were counted together, such as those of a unit of work. `sums.games` lists the
games of each part; `sums.parts` has a digest of their state when they were counted. A part is stale if the
state of its games has changed, or if one of its games is also in a later part.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hanalyze.engine.game import Ints
from hanalyze.lazy import Connection
from hanalyze.store.levels import show_levels
from hanalyze.store.mistake_cache import STATE_SQL, digest
from hanalyze.store.mistakes import definitions_as_text, materialise_mistakes, prepare_decisions
from hanalyze.store.rows import registered
from hanalyze.store.schema import home, tables_in, transaction
from hanalyze.store.views import judge_losses
from hanalyze.tables import TABLES_VERSION


class Maker(Protocol):
    """Protocol of the objects that compute partial sums."""

    @property
    def name(self) -> str:
        """A unique name."""

    @property
    def version(self) -> str:
        """The text of all queries; a change makes stored sums invalid."""

    def queries(self, connection: Connection) -> AbstractContextManager[Mapping[str, str]]:
        """Yield the queries for the rows of each table of sums, over the games that a connection sees.

        The connection has the views of `prepare_decisions`, and the table of mistakes of
        `materialise_mistakes`. Further tables that the queries need exist until the `with` block ends. The
        columns depend only on the version.
        """


@dataclass(frozen=True, slots=True)
class SumsSummary:
    """Result of `update_sums`: numbers of games counted now, and of games counted before."""

    games: int
    already: int
    seconds: float

    def __str__(self) -> str:
        already = f", {self.already:,} already there" if self.already else ""
        return f"sums of {self.games:,} games stored{already}"


def versions_of(makers: Sequence[Maker]) -> dict[str, str]:
    """Return for each maker a digest (32 hexadecimal digits) of all queries and definitions that it uses."""
    texts = {one.name: json.dumps([TABLES_VERSION, definitions_as_text(), one.version]) for one in makers}
    return {name: hashlib.sha256(text.encode()).hexdigest()[:32] for name, text in texts.items()}


@contextmanager
def sums_of_part(connection: Connection, makers: Sequence[Maker]) -> Iterator[dict[str, str]]:
    """Yield the queries for each table of sums, over the games that a connection sees.

    The connection has the tables of a database, or views with their names, and the views of
    `hanalyze.store.mistakes.prepare_decisions`.
    """
    materialise_mistakes(connection)
    judge_losses(connection, "seen")
    with ExitStack() as stack:
        queries: dict[str, str] = {}
        for one in makers:
            queries |= stack.enter_context(one.queries(connection))
        yield queries


def open_sums(connection: Connection, schema: str, versions: Mapping[str, str]) -> None:
    """Create the schema of sums if it does not exist; replace it if it has other versions of the makers."""
    if tables_in(connection, schema):
        if stored_versions(connection, schema) == versions:
            return
        connection.execute(f"DROP SCHEMA {schema} CASCADE")
    with transaction(connection):
        connection.execute(f"CREATE SCHEMA {schema}")
        connection.execute(f"CREATE TABLE {schema}.makers (name VARCHAR, version VARCHAR)")
        connection.execute(f"CREATE TABLE {schema}.parts (part BIGINT, state VARCHAR)")
        connection.execute(f"CREATE TABLE {schema}.games (part BIGINT, game_id BIGINT)")
        for name, version in versions.items():
            connection.execute(f"INSERT INTO {schema}.makers VALUES (?, ?)", [name, version])


def remove_parts(connection: Connection, schema: str, parts: Sequence[int]) -> None:
    """Delete the rows of some parts from all tables of a schema, except the table `makers`."""
    for table in sorted(tables_in(connection, schema) - {"makers"}):
        for part in parts:
            connection.execute(f"DELETE FROM {schema}.{table} WHERE part = ?", [part])


def add_parts(
    connection: Connection,
    makers: Sequence[Maker],
    schema: str,
    keys: Ints,
    most: int,
    restrict: Callable[[Connection, slice], object],
    on_part: Callable[[int], object],
) -> None:
    """Add the sums of the games `keys` to a schema, in parts of at most `most` games.

    Each part is added in one transaction. `restrict` restricts a connection to the games in its table
    `piece`, which has a slice of the keys. If there are games, `on_part` is called once with their number.
    """
    if len(keys):
        on_part(len(keys))
    for first in range(0, len(keys), most):
        piece = slice(first, first + most)
        with closing(connection.cursor()) as cursor:
            with registered(cursor, {"game_id": keys[piece]}) as source:
                cursor.execute(f"CREATE TEMP TABLE piece AS FROM {source}")
            prepare_decisions(cursor)
            restrict(cursor, piece)
            _add_part(cursor, makers, schema)


def _add_part(cursor: Connection, makers: Sequence[Maker], schema: str) -> None:
    [(part,)] = cursor.execute(f"SELECT coalesce(max(part), -1) + 1 FROM {schema}.parts").fetchall()
    state = state_of_part(cursor)
    with sums_of_part(cursor, makers) as queries:
        tables = tables_in(cursor, schema)
        with transaction(cursor):
            for table, query in queries.items():
                target = f"{schema}.{table}"
                begin = f"INSERT INTO {target}" if table in tables else f"CREATE TABLE {target} AS"
                cursor.execute(f"{begin} SELECT {part}::BIGINT AS part, * FROM ({query})")
            cursor.execute(f"INSERT INTO {schema}.games SELECT {part}, game_id FROM piece")
            cursor.execute(f"INSERT INTO {schema}.parts VALUES (?, ?)", [part, state])


_LEVELS_SQL: Final = """SELECT {0} AS part, count(*), v.level, bit_xor(v.game_id)::VARCHAR
FROM game_levels v JOIN {1} ON s.game_id = v.game_id GROUP BY ALL"""
"""Query for further rows of a state (see `STATE_SQL`): the games of groups with an unusual level."""


def state_of_part(connection: Connection) -> str:
    """Return a digest of the state of the games that a connection sees after `prepare_decisions`."""
    queries = (STATE_SQL.format("NULL", "", ""), _LEVELS_SQL.format("NULL", "games s"))
    return digest(row for query in queries for row in connection.execute(query).fetchall())


def stored_versions(connection: Connection, schema: str = "sums") -> dict[str, str]:
    """Return the versions of the makers of the sums in a schema."""
    return dict(connection.execute(f"SELECT name, version FROM {schema}.makers").fetchall())


def stale_parts(connection: Connection) -> set[int | None]:
    """Return the numbers of the stale parts, and also None if a game is in no part.

    If several parts share a game, all of them except the part with the highest number are stale.
    """
    prefix = f"{home(connection)}."
    joined = "LEFT JOIN sums.games s ON s.game_id = g.game_id"
    states: defaultdict[int | None, list[tuple[Any, ...]]] = defaultdict(list)
    for row in connection.execute(STATE_SQL.format("s.part", prefix, joined)).fetchall():
        states[row[0]].append(row)
    counted = sum(row[1] for rows in states.values() for row in rows)
    with closing(connection.cursor()) as cursor:  # a cursor without temporary views
        show_levels(cursor, None)
        for row in cursor.execute(_LEVELS_SQL.format("s.part", "sums.games s")).fetchall():
            states[row[0]].append(row)
    stored = dict(connection.execute("FROM sums.parts").fetchall())
    current = {part: digest(rows) for part, rows in states.items()}
    stale = {part for part in {*stored, *current} if stored.get(part) != current.get(part)}
    [(games,)] = connection.execute(f"SELECT count(*) FROM {prefix}games").fetchall()
    if counted > games:
        query = """SELECT DISTINCT s.part FROM sums.games s
            JOIN (SELECT game_id, max(part) AS part FROM sums.games GROUP BY game_id) last
            ON last.game_id = s.game_id AND last.part > s.part"""
        stale |= {part for (part,) in connection.execute(query).fetchall()}
    return stale

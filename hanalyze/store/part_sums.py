"""Partial sums of some games, which dashboards and rates are added up from.

A part is the games that one run, or one unit of work, stored; further games cost only their own counting.
`sums.games` says which game is in which part, `sums.parts` in which state its games were counted: by which
rules, as read for which conventions, and as solved. A part is stale once its games are in another state, or
once one of them is in another part.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Protocol

from hanalyze.lazy import duckdb
from hanalyze.store.mistakes import definitions_as_text, materialise_mistakes
from hanalyze.store.schema import home, quoted
from hanalyze.store.views import judge_losses
from hanalyze.tables import TABLES_VERSION


class Maker(Protocol):
    """Counts something for the partial sums."""

    @property
    def name(self) -> str:
        """A unique name."""

    @property
    def version(self) -> str:
        """The text of the queries."""

    def queries(self, connection: duckdb.DuckDBPyConnection) -> AbstractContextManager[Mapping[str, str]]:
        """Give by table the query for its rows, over the games that a connection sees.

        The connection has the views of `hanalyze.store.mistakes.prepare`, and the table of mistakes of
        `materialise_mistakes`. What the queries need besides is created here and dropped at the end. The
        columns depend on the version only.
        """


@dataclass(frozen=True, slots=True)
class SumsSummary:
    """Result of `update_sums`: games counted now, games that had been counted before."""

    games: int
    already: int
    seconds: float

    def __str__(self) -> str:
        there = f", {self.already:,} already there" if self.already else ""
        return f"sums of {self.games:,} games made{there}"


def version_of(maker: Maker) -> str:
    """Return a digest of all queries and definitions that a maker uses, 32 hexadecimal digits."""
    text = json.dumps([TABLES_VERSION, definitions_as_text(), maker.version])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@contextmanager
def sums_of_part(connection: duckdb.DuckDBPyConnection, makers: Sequence[Maker]) -> Iterator[dict[str, str]]:
    """Give by table the query for the sums of the games that a connection sees, as long as the `with` lasts.

    They depend on these games only, so workers may count games apart and append their rows in any order.
    """
    materialise_mistakes(connection)
    judge_losses(connection, "seen")
    with ExitStack() as stack:
        queries: dict[str, str] = {}
        for one in makers:
            queries |= stack.enter_context(one.queries(connection))
        yield queries


def begin_sums(connection: duckdb.DuckDBPyConnection, schema: str, versions: Mapping[str, str]) -> None:
    """Create an empty schema for sums; `versions` are those of the makers."""
    connection.execute("BEGIN")
    connection.execute(f"CREATE SCHEMA {schema}")
    connection.execute(f"CREATE TABLE {schema}.makers (name VARCHAR, version VARCHAR)")
    connection.execute(f"CREATE TABLE {schema}.parts (part BIGINT, state VARCHAR)")
    connection.execute(f"CREATE TABLE {schema}.games (part BIGINT, game_id BIGINT)")
    for name, version in versions.items():
        connection.execute(f"INSERT INTO {schema}.makers VALUES (?, ?)", [name, version])
    connection.execute("COMMIT")


def remove_parts(connection: duckdb.DuckDBPyConnection, schema: str, parts: Sequence[int]) -> None:
    """Delete the rows of some parts from all tables of a schema."""
    for table in sorted({*tables_of_sums(connection, schema)} - {"makers"}):
        for part in parts:
            connection.execute(f"DELETE FROM {schema}.{table} WHERE part = ?", [part])


def add_part(
    cursor: duckdb.DuckDBPyConnection, makers: Sequence[Maker], games: str, schema: str = "sums"
) -> None:
    """Add the sums of the games in a table in one transaction; the cursor sees only these games."""
    [(part,)] = cursor.execute(f"SELECT coalesce(max(part), -1) + 1 FROM {schema}.parts").fetchall()
    state = state_of(cursor)
    with sums_of_part(cursor, makers) as queries:
        there = set(tables_of_sums(cursor, schema))
        cursor.execute("BEGIN")
        try:
            for table, query in queries.items():
                rows = f"SELECT {part}::BIGINT AS part, * FROM ({query})"
                begin = (
                    f"INSERT INTO {schema}.{table}" if table in there else f"CREATE TABLE {schema}.{table} AS"
                )
                cursor.execute(f"{begin} {rows}")
            cursor.execute(f"INSERT INTO {schema}.games SELECT {part}, game_id FROM {games}")
            cursor.execute(f"INSERT INTO {schema}.parts VALUES (?, ?)", [part, state])
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


def tables_of_sums(connection: duckdb.DuckDBPyConnection, schema: str = "sums") -> list[str]:
    """Return the names of the tables, or views, of a schema, as in `sums` or `later.sums`."""
    catalog, _, name = schema.rpartition(".")
    if not catalog:
        [(catalog,)] = connection.execute("SELECT current_database()").fetchall()
    query = (
        f"SELECT table_name FROM information_schema.tables WHERE table_schema = {quoted(name)}"
        f" AND table_catalog = {quoted(catalog)} ORDER BY table_name"
    )
    return [name for (name,) in connection.execute(query).fetchall()]


def versions_kept(connection: duckdb.DuckDBPyConnection, schema: str = "sums") -> dict[str, str]:
    """Return the versions of the makers of sums that are kept."""
    return dict(connection.execute(f"SELECT name, version FROM {schema}.makers").fetchall())


def state_of(connection: duckdb.DuckDBPyConnection) -> str:
    """Return a digest of the games that a connection sees and of their state, 32 hexadecimal digits.

    The games enter by their number and by the sum of their keys.
    """
    return _digest(connection.execute(_STATE.format("NULL", "", "")).fetchall())


def _states(connection: duckdb.DuckDBPyConnection) -> dict[int | None, list[tuple[object, ...]]]:
    """Return the rows that tell the present state of each part; None stands for games without a part."""
    there = f"{home(connection)}."
    joined = "LEFT JOIN sums.games s ON s.game_id = g.game_id"
    of_part: defaultdict[int | None, list[tuple[object, ...]]] = defaultdict(list)
    for row in connection.execute(_STATE.format("s.part", there, joined)).fetchall():
        of_part[row[0]].append(row)
    return of_part


_STATE = """SELECT {0} AS part, count(*), g.rules_version, g.tables_version, c.level, c.conventions_version,
    c.chances, c.features, z.solver_version, sum(g.game_id)::VARCHAR, bit_xor(g.game_id)::VARCHAR,
    sum(z.looked_at)::VARCHAR, sum(z.best_score_low + z.best_score_high)::VARCHAR, sum(z.open_points)::VARCHAR
FROM {1}games g
{2}
LEFT JOIN {1}convention_games c ON c.game_id = g.game_id
LEFT JOIN {1}solved_games z ON z.game_id = g.game_id
GROUP BY ALL"""


def _digest(rows: Sequence[tuple[object, ...]]) -> str:
    said = sorted(json.dumps([str(value) for value in row[1:]]) for row in rows)
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:32]


def stale_parts(connection: duckdb.DuckDBPyConnection) -> set[int | None]:
    """Return the stale parts; None among them if games have no part.

    Of parts that share a game, only the one with the highest number is not stale.
    """
    kept = dict(connection.execute("FROM sums.parts").fetchall())
    states = _states(connection)
    now = {part: _digest(rows) for part, rows in states.items()}
    stale = {part for part in {*kept, *now} if kept.get(part) != now.get(part)}
    counted = sum(int(str(row[1])) for rows in states.values() for row in rows)
    [(games,)] = connection.execute(f"SELECT count(*) FROM {home(connection)}.games").fetchall()
    if counted > games:
        query = """SELECT DISTINCT s.part FROM sums.games s
            JOIN (SELECT game_id, max(part) AS part FROM sums.games GROUP BY game_id) last
            ON last.game_id = s.game_id AND last.part > s.part"""
        stale |= {part for (part,) in connection.execute(query).fetchall()}
    return stale

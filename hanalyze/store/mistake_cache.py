"""Cache of mistakes: tables in memory beside the database, created when they are first needed.

The columns are `game_id`, `turn`, `number` (of the kind, in the order of `definitions`), `severity`, `points`
and `tokens`; `keep` also adds a table with all columns if the mistakes are few.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Final

from hanalyze.lazy import Connection
from hanalyze.store.definition_queries import COLUMNS
from hanalyze.store.definitions import Folder, definitions
from hanalyze.store.judging_options import Judging
from hanalyze.store.materialise import RowQuery, copy_games, materialise
from hanalyze.store.mistakes import are_few, prepare_decisions, queries_of_kinds
from hanalyze.store.schema import quoted

_COLUMNS: Final = {
    name: "TINYINT" if name == "number" else COLUMNS[name]
    for name in ("game_id", "turn", "number", "severity", "points", "tokens")
}

_MOST_ROWS: Final = 100_000
"""Maximum number of mistakes whose columns are all cached: about 50 MB."""


def numbered(rows: str, kinds: Iterable[str]) -> str:
    """Return the query for the columns of the cache; `rows` is a table of mistakes, or a query for them."""
    number = f"(list_position([{', '.join(map(quoted, kinds))}], kind) - 1)::TINYINT AS number"
    return f"SELECT game_id, turn, {number}, severity, points, tokens FROM {rows}"


class MistakeCache:
    """Cache of tables; their names include a digest of the data and options that they depend on."""

    def __init__(self) -> None:
        # A random name, because two connections to one file see each other's attached databases.
        self._catalog = f"found_{secrets.token_hex(8)}"
        self._tables: set[str] = set()

    def table(
        self, connection: Connection, folder: Folder, judging: Judging, games: Sequence[int] | None = None
    ) -> str:
        """Return the name of the table of mistakes in all games, or in `games`; create a missing table."""
        name = self._name("numbers", connection, folder, judging, games)
        if name not in self._tables:
            if games is None and (rows := self.rows(connection, folder, judging)) is not None:
                queries = [RowQuery(numbered(rows, definitions(folder)), False)]
            else:
                as_table = games is None and are_few(connection)
                prepare_decisions(connection, folder, judging=judging, as_table=as_table)
                if games is not None:
                    copy_games(connection, games)
                table = "decisions" if as_table else None
                kinds = queries_of_kinds(connection, folder, ("kind", *_COLUMNS), table=table)
                known = definitions(folder)
                queries = [RowQuery(numbered(f"(\n{one.query}\n)", known), one.by_game) for one in kinds]
            self._attach(connection, name)
            materialise(connection, name, _COLUMNS, queries)
            self._tables.add(name)
        return name

    def rows(self, connection: Connection, folder: Folder, judging: Judging) -> str | None:
        """Return the name of the table of mistakes with all columns, None if it does not exist."""
        name = self._name("rows", connection, folder, judging)
        return name if folder is None and name in self._tables else None

    def keep(self, connection: Connection, folder: Folder, judging: Judging) -> None:
        """Cache the rows of `found_rows`, which `hanalyze.store.mistakes.prepare` has just computed."""
        numbers = self._name("numbers", connection, folder, judging)
        self._attach(connection, numbers)
        if numbers not in self._tables:
            query = numbered("found_rows", definitions(folder))
            materialise(connection, numbers, _COLUMNS, [RowQuery(query, False)])
            self._tables.add(numbers)
        [(count,)] = connection.execute("SELECT count(*) FROM found_rows").fetchall()
        if folder is None and count <= _MOST_ROWS:
            name = self._name("rows", connection, folder, judging)
            connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM found_rows")
            self._tables.add(name)

    def forget(self, connection: Connection) -> None:
        """Drop all cached tables."""
        if self._tables:
            self._tables.clear()
            connection.execute(f"DETACH DATABASE IF EXISTS {self._catalog}")

    def _attach(self, connection: Connection, name: str) -> None:
        """Attach the in-memory database; drop tables whose data or options differ from those of `name`."""
        digest = name.rpartition("_")[2]
        if any(not one.endswith(digest) for one in self._tables):
            self.forget(connection)
        connection.execute(f"ATTACH IF NOT EXISTS ':memory:' AS {self._catalog} (READ_WRITE)")

    def _name(
        self,
        table: str,
        connection: Connection,
        folder: Folder,
        judging: Judging,
        games: Sequence[int] | None = None,
    ) -> str:
        with closing(connection.cursor()) as fresh:  # a cursor without temporary views
            state = state_of(fresh)
        texts = [one.text for one in definitions(folder).values()]
        content = repr([state, judging.by_logic, judging.play, judging.level, games, *texts])
        return f"{self._catalog}.main.{table}_{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def state_of(connection: Connection) -> str:
    """Return a digest of the number, keys and states of the games that a connection sees."""
    return digest(connection.execute(STATE_SQL.format("NULL", "", "")).fetchall())


STATE_SQL: Final = """SELECT {0} AS part, count(*), g.rules_version, g.tables_version, c.level,
    c.conventions_version, c.chances, c.features, z.solver_version,
    sum(g.game_id)::VARCHAR, bit_xor(g.game_id)::VARCHAR,
    sum(z.looked_at)::VARCHAR, sum(z.best_score_low + z.best_score_high)::VARCHAR, sum(z.open_points)::VARCHAR
FROM {1}games g
{2}
LEFT JOIN {1}convention_games c ON c.game_id = g.game_id
LEFT JOIN {1}solved_games z ON z.game_id = g.game_id
GROUP BY ALL"""
"""Query for the number, keys and state of each part's games; slots: the part, a prefix of tables, a join."""


def digest(rows: Iterable[tuple[object, ...]]) -> str:
    """Return a digest (32 hexadecimal digits) of rows of `STATE_SQL`; parts and order do not matter."""
    lines = sorted(json.dumps([str(value) for value in row[1:]]) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]

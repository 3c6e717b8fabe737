"""Cache of mistakes: a table in memory beside the database, created when it is first needed.

The columns are `game_id`, `turn`, `number` (of the kind, in the order of `definitions`), `severity`, `points`
and `tokens`.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import closing
from typing import Final, TypeAlias

from hanalyze.lazy import duckdb
from hanalyze.store.definitions import definitions
from hanalyze.store.judging_options import Judging
from hanalyze.store.materialise import RowQuery, materialise
from hanalyze.store.mistakes import prepare_decisions, queries_of_kinds
from hanalyze.store.part_sums import state_of
from hanalyze.store.schema import quoted

Folder: TypeAlias = "str | os.PathLike[str] | None"


_COLUMNS: Final = {
    "game_id": "BIGINT",
    "turn": "SMALLINT",
    "number": "TINYINT",
    "severity": "VARCHAR",
    "points": "TINYINT",
    "tokens": "FLOAT",
}


def numbered(rows: str, folder: Folder = None) -> str:
    """Return the query for the columns of the cache; `rows` is a table of mistakes, or a query for them."""
    kinds = ", ".join(map(quoted, definitions(folder)))
    number = f"(list_position([{kinds}], kind) - 1)::TINYINT AS number"
    return f"SELECT game_id, turn, {number}, severity, points, tokens FROM {rows}"


class MistakeCache:
    """Cache of one table, whose name is a digest of the data and options that the table depends on."""

    def __init__(self) -> None:
        # A random name, because two connections to one file see each other's attached databases.
        self._catalog = f"found_{secrets.token_hex(8)}"
        self._table: str | None = None

    def table(
        self,
        connection: duckdb.DuckDBPyConnection,
        folder: Folder,
        judging: Judging,
        rows: str | None = None,
    ) -> str:
        """Return the name of the table; create the table unless a valid table exists.

        `rows` is the table of mistakes if `hanalyze.store.mistakes.prepare` has just computed it.
        """
        name = self._name(connection, folder, judging)
        if name == self._table:
            return name
        if rows is None:
            prepare_decisions(connection, folder, judging=judging)
            kinds = queries_of_kinds(connection, folder, ("kind", *_COLUMNS))
            queries = [RowQuery(numbered(f"(\n{one.query}\n)", folder), one.by_game) for one in kinds]
        else:
            queries = [RowQuery(numbered(rows, folder), False)]
        self.forget(connection)
        connection.execute(f"ATTACH IF NOT EXISTS ':memory:' AS {self._catalog} (READ_WRITE)")
        materialise(connection, name, _COLUMNS, queries)
        self._table = name
        return name

    def forget(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Drop the table."""
        if self._table is not None:
            self._table = None
            connection.execute(f"DETACH DATABASE IF EXISTS {self._catalog}")

    def _name(self, connection: duckdb.DuckDBPyConnection, folder: Folder, judging: Judging) -> str:
        with closing(connection.cursor()) as fresh:  # a cursor without temporary views
            state = state_of(fresh)
        texts = [one.text for one in definitions(folder).values()]
        content = repr([state, judging.by_logic, judging.play, *texts])
        return f"{self._catalog}.main.found_{hashlib.sha256(content.encode()).hexdigest()[:16]}"

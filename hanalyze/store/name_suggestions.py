"""Whether a name that somebody types is one of the database, and which one may have been meant.

In: an open connection, the name of a column, a name. Out: `UnknownName` with the names most like it.
"""

from __future__ import annotations

from typing import Final

from hanalyze.errors import UnknownName
from hanalyze.lazy import duckdb
from hanalyze.text import nearest

_LOOKED_AT: Final = 20
"""Names that are compared letter by letter; the database finds them, for there may be millions."""


def check_name(connection: duckdb.DuckDBPyConnection, column: str, name: str) -> None:
    """Raise `UnknownName` unless some game has a name: `column` is `player`, or one of `games` that has text.

    >>> from hanalyze.store import connect
    >>> from hanalyze.logs.sources.file_search import sample_folder
    >>> with connect() as db:
    ...     _ = db.ingest(sample_folder() / "game.json")
    ...     check_name(db.connection, "player", "Alcie")
    Traceback (most recent call last):
    hanalyze.errors.UnknownName: there is no player "Alcie"; did you mean "Alice"?
    """
    table = "seats" if column == "player" else "games"
    there = f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1"
    if connection.execute(there, [name]).fetchall():
        return
    like = f"""
        SELECT DISTINCT {column}, jaro_winkler_similarity(lower({column}), lower(?)) AS likeness
        FROM {table} WHERE {column} IS NOT NULL ORDER BY likeness DESC, {column} LIMIT {_LOOKED_AT}
    """
    names = [one for one, _ in connection.execute(like, [name[:100]]).fetchall()]
    raise UnknownName(column, name, nearest(name, names), advice="no game has it")

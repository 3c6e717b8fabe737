"""What a database holds, in short: how many rows, made by which version, what its games are.

In: a database. Out: `Contents`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from hanalyze.tables.store import TABLES

if TYPE_CHECKING:
    from hanalyze.store.database import Database

KINDS: Final = {
    "players": ("games", "players"),
    "variants": ("games", "variant"),
    "editions": ("games", "edition"),
    "defects by rule": ("defects", "rule"),
    "rejects by rule": ("rejects", "rule"),
}
"""What is counted by its values: a table and its column."""

_MOST: Final = 5
"""Values of a column that are named, the most frequent first; of team sizes all are, in order."""


class Contents(NamedTuple):
    """Rows by table, the versions, and rows by value of each of `KINDS`."""

    rows: dict[str, int]
    tables_version: int
    package_version: str
    kinds: dict[str, list[tuple[object, int]]]


def contents(db: Database) -> Contents:
    """Return what a database holds.

    >>> from hanalyze.store import connect
    >>> with connect() as db:
    ...     contents(db).rows["games"]
    0
    """
    kinds = {}
    for title, (table, column) in KINDS.items():
        order = "ALL" if column == "players" else f"count(*) DESC, {column} LIMIT {_MOST}"
        query = f"SELECT {column}, count(*) FROM {table} GROUP BY ALL ORDER BY {order}"
        kinds[title] = db.sql(query).rows()
    [(tables_version, package_version)] = db.sql("SELECT * FROM hanalyze").rows()
    return Contents({table: db.count(table) for table in TABLES}, tables_version, package_version, kinds)


def size_of(db: Database) -> int:
    """Return the bytes of a database on the disk: of a folder those of the rows that count; 0 in memory."""
    if db.file is None:
        return 0
    if not db.is_folder:
        return os.path.getsize(db.file)
    from hanalyze.store.folder.location import place_of
    from hanalyze.store.folder.manifest import newest

    return sum(part.size for _, part in newest(place_of(db.file)).parts())

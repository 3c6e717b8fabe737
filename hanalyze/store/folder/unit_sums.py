"""Partial sums of a folder: a unit computes the sums of its games; sums of other games are computed later.

Sums of units are files; later sums are in the schema `sums` of `found.duckdb`. If games were read for
conventions, solved or dropped after their sums were computed, the sums are stale and are computed again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from hanalyze.engine.game import Ints
from hanalyze.lazy import Connection
from hanalyze.store.folder.commit_markers import SUMS, Part
from hanalyze.store.folder.manifest import NOT_DROPPED, OWNER, Manifest, newest
from hanalyze.store.folder.opening import (
    GONE,
    LATER_SUMS,
    open_derived_tables,
    show_manifest,
    table_queries,
)
from hanalyze.store.folder.parts import write_query
from hanalyze.store.folder.storage import Place, bounded_connection, is_remote, place_of
from hanalyze.store.mistakes import prepare_decisions
from hanalyze.store.part_sums import (
    Maker,
    add_parts,
    open_sums,
    remove_parts,
    stale_parts,
    state_of_part,
    stored_versions,
    sums_of_part,
    versions_of,
)
from hanalyze.store.schema import enum_statements, quoted, tables_in, transaction
from hanalyze.tables.store import TABLES

OF_UNITS: Final = 1 << 61
"""First part number of units; the numbers of parts that are computed later begin at 0."""
_MEMORY: Final = "384MiB"
_LEAST: Final = 3_000
"""Minimum number of games for which a unit computes its own sums."""
_MOST: Final = 10_000
"""Maximum number of games in a part that is computed later."""


def is_worth_it(place: Place, parts: Sequence[Part]) -> bool:
    """Return whether a unit computes the sums of its own games, whose rows are in the files `parts`.

    Computing mistakes takes time even for few games, so small units are left to `update_folder`, except in
    remote folders.
    """
    games = sum(part.rows for part in parts if part.table == "games")
    return games >= (1 if is_remote(place.path) else _LEAST)


def write_sums(place: Place, stem: str, parts: Sequence[Part], makers: Sequence[Maker]) -> Iterator[Part]:
    """Write the sums of the games whose rows are in the files `parts`; yield the new files, named `stem`."""
    with bounded_connection(place, _MEMORY) as connection:
        connection.execute("SET threads = 1")  # units run in parallel
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(";\n".join(enum_statements()))
        rows = table_queries(connection, place, Manifest(), [(stem, part) for part in parts])
        for table, query in rows.items():
            # A table instead of a view, because definitions scan it often.
            connection.execute(f"CREATE TABLE {table} AS\n{query}")
        prepare_decisions(connection)
        state = quoted(state_of_part(connection))
        with sums_of_part(connection, makers) as sums:
            queries = {"parts": f"SELECT {state} AS state", "games": "SELECT game_id FROM games", **sums}
            for table, query in queries.items():
                name = f"{SUMS}/{table}/{stem}.parquet"
                rows_of_part = f"SELECT {_number(stem)}::BIGINT AS part, * FROM ({query})"
                yield write_query(connection, place, rows_of_part, Part(f"{SUMS}/{table}", None, name, 0, 0))


def _number(stem: str) -> int:
    """Return the part number of a unit. If two units had the same number, both parts would count as stale."""
    return OF_UNITS + int.from_bytes(hashlib.blake2b(stem.encode(), digest_size=7).digest(), "big")


def update_folder(
    path: str, connection: Connection, makers: Sequence[Maker], on_part: Callable[[int], object]
) -> int:
    """Compute the missing sums of a folder; return the number of games whose sums were computed.

    The connection sees the games of the newest manifest afterwards.
    """
    place = place_of(path)
    manifest = newest(place)
    show_manifest(connection, place, manifest)
    versions = versions_of(makers)
    if (
        tables_in(connection, "sums")
        and stored_versions(connection) == versions
        and not stale_parts(connection)
    ):
        return 0
    open_derived_tables(connection, path)
    connection.execute("DROP SCHEMA IF EXISTS sums CASCADE")  # its views read the schema that is opened next
    open_sums(connection, LATER_SUMS, versions)
    connection.execute(f"CREATE TABLE IF NOT EXISTS {GONE} (part BIGINT)")
    show_manifest(connection, place, manifest)
    _remove_stale(connection)
    keys, owners, ends = _unsummed(connection, place, manifest)

    def restrict(cursor: Connection, piece: slice) -> None:
        first, last = np.searchsorted(ends, [piece.start, min(piece.stop, len(keys)) - 1], "right")
        of_piece = set(owners[first : last + 1])
        parts = [(owner, part) for owner, part in manifest.parts() if owner in of_piece]
        between = f"game_id BETWEEN {keys[piece].min()} AND {keys[piece].max()}"
        for table, query in table_queries(cursor, place, manifest, parts).items():
            if any(column.name == "game_id" for column in TABLES[table]):
                cursor.execute(
                    f"CREATE TEMP TABLE {table} AS SELECT * FROM ({query})"
                    f" WHERE {between} AND game_id IN (SELECT piece.game_id FROM piece)"
                )

    add_parts(connection, makers, LATER_SUMS, keys, _MOST, restrict, on_part)
    show_manifest(connection, place, manifest)
    return len(keys)


def _remove_stale(connection: Connection) -> None:
    """Remove stale parts; stale parts of units stay in files, but are listed in the table `GONE`."""
    stale = [part for part in stale_parts(connection) if part is not None]
    with transaction(connection):
        remove_parts(connection, LATER_SUMS, [part for part in stale if part < OF_UNITS])
        for part in stale:
            if part >= OF_UNITS:
                connection.execute(f"INSERT INTO {GONE} VALUES (?)", [part])


def _unsummed(connection: Connection, place: Place, manifest: Manifest) -> tuple[Ints, list[str], Ints]:
    """Return the keys of games without sums, sorted by owner (unit or pack), the owners, and their ends.

    The keys of owner i end before index `ends[i]`.
    """
    files = [place.address(part.name) for _, part in manifest.parts() if part.table == "games"]
    if not files:
        return np.zeros(0, np.int64), [], np.zeros(0, np.int64)
    query = f"""CREATE OR REPLACE TEMP TABLE unsummed AS SELECT {OWNER} AS owner, part.game_id
        FROM read_parquet($files, hive_partitioning = false, filename = true) part
        WHERE {NOT_DROPPED}
        AND NOT EXISTS (FROM sums.games summed WHERE summed.game_id = part.game_id)"""
    connection.execute(query, {"files": files})
    keys = connection.execute("SELECT game_id FROM unsummed ORDER BY owner, game_id").fetchnumpy()["game_id"]
    query = "SELECT owner, count(*) FROM unsummed GROUP BY owner ORDER BY owner"
    counts = connection.execute(query).fetchall()
    connection.execute("DROP TABLE unsummed")
    owners, numbers = [owner for owner, _ in counts], [count for _, count in counts]
    return np.asarray(keys, np.int64), owners, np.cumsum(numbers)

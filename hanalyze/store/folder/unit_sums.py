"""Partial sums of a folder: units count their own games, and games without sums are counted later.

Sums of units are files beside those of rows; later ones are in the schema `sums` of `found.duckdb`, which one
process at a time writes. Sums become stale when their games are read for conventions or solved, or when some
are dropped; those games are counted again from the rows, in parts of bounded size, each in one transaction.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from hanalyze.lazy import duckdb
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.folder.commit_markers import SUMS, Part
from hanalyze.store.folder.manifest import Manifest, newest
from hanalyze.store.folder.opening import GONE, LATER_SUMS, open_derived_tables, show_manifest, table_queries
from hanalyze.store.folder.parts import ROW_GROUP
from hanalyze.store.folder.storage import Place, connected, is_remote, place_of
from hanalyze.store.mistakes import prepare
from hanalyze.store.part_sums import (
    Maker,
    SumsSummary,
    add_part,
    begin_sums,
    remove_parts,
    stale_parts,
    state_of,
    sums_of_part,
    tables_of_sums,
    version_of,
    versions_kept,
)
from hanalyze.store.schema import enum_statements, quoted
from hanalyze.tables.store import TABLES

OF_UNITS: Final = 1 << 61
"""First number of parts of units; those of parts that are counted later begin at 0."""
_MEMORY: Final = "384MiB"
_LEAST: Final = 3_000
"""Games from which on a unit counts its own sums."""
_MOST: Final = 10_000
"""Approximate games of a part that is counted later."""


def is_worth_it(place: Place, parts: Sequence[Part]) -> bool:
    """Return whether a unit counts the sums of its own games, whose rows are in some files.

    Computing mistakes takes a second or two even for few games, so small units are left to `update_folder`,
    which counts many of them together; it cannot do so in a remote folder.
    """
    games = sum(part.rows for part in parts if part.table == "games")
    return games >= (1 if is_remote(place.path) else _LEAST)


def write_sums(place: Place, stem: str, parts: Sequence[Part], makers: Sequence[Maker]) -> Iterator[Part]:
    """Write the sums of the games whose rows are in some files, as one part; yield files named `stem`."""
    with duckdb_errors(place.path):
        connection = connected(place, _MEMORY)
        try:
            connection.execute("SET threads = 1")  # units are done side by side
            connection.execute("SET preserve_insertion_order = false")
            connection.execute(";\n".join(enum_statements()))
            queries = table_queries(connection, place, Manifest(), [(stem, part) for part in parts])
            for table, query in queries.items():
                # Definitions scan them often.
                connection.execute(f"CREATE TABLE {table} AS\n{query}")
            prepare(connection)
            state = quoted(state_of(connection))
            with sums_of_part(connection, makers) as counted:
                every = {
                    "parts": f"SELECT {state} AS state",
                    "games": "SELECT game_id FROM games",
                    **counted,
                }
                for table, query in every.items():
                    yield _write(connection, place, table, query, stem)
        finally:
            connection.close()


def _write(connection: duckdb.DuckDBPyConnection, place: Place, table: str, query: str, stem: str) -> Part:
    options = f"FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE {ROW_GROUP}"
    rows = f"SELECT {_number(stem)}::BIGINT AS part, * FROM ({query})"
    with tempfile.TemporaryDirectory(prefix="hanalyze-") as folder:
        file = os.path.join(folder, "sums.parquet")
        [(count,)] = connection.execute(f"COPY ({rows}) TO {quoted(file)} ({options})").fetchall()
        name = f"{SUMS}/{table}/{stem}.parquet"
        place.copy(file, name)
        size = os.path.getsize(file)
    return Part(f"{SUMS}/{table}", None, name, count, size)


def _number(stem: str) -> int:
    """Return the number of the part of a unit. If two collide, both are stale, since the state differs."""
    return OF_UNITS + int.from_bytes(hashlib.blake2b(stem.encode(), digest_size=7).digest(), "big")


def update_folder(
    connection: duckdb.DuckDBPyConnection,
    path: str,
    makers: Sequence[Maker],
    on_part: Callable[[int], object] | None = None,
) -> SumsSummary:
    """Count the sums of all games of a folder that have none or whose sums are stale.

    Raises `HanalyzeError` (rule `remote`) if a remote folder has such games. `connection` is one to the
    folder, and shows its newest manifest afterwards; `on_part` as in `hanalyze.store.sums.update_sums`.
    """
    begun = time.monotonic()
    place = place_of(path)
    manifest = newest(place)
    show_manifest(connection, place, manifest)
    versions = {one.name: version_of(one) for one in makers}
    [(every,)] = connection.execute("SELECT count(*) FROM games").fetchall()
    games = 0
    if not every or not _hold(connection, versions):
        open_derived_tables(connection, path)
        _begin(connection, versions)
        show_manifest(connection, place, manifest)
        _forget(connection)
        try:
            _list_unsummed(connection, place, manifest)
            [(games,)] = connection.execute("SELECT count(*) FROM unsummed").fetchall()
            if games and on_part is not None:
                on_part(games)
            for piece in _pieces(connection):
                _count(connection, place, manifest, piece, makers)
        finally:
            connection.execute("DROP TABLE IF EXISTS unsummed")
        show_manifest(connection, place, manifest)
    return SumsSummary(games, every - games, time.monotonic() - begun)


def _hold(connection: duckdb.DuckDBPyConnection, versions: dict[str, str]) -> bool:
    there = tables_of_sums(connection)
    return bool(there) and versions_kept(connection) == versions and not stale_parts(connection)


def _begin(connection: duckdb.DuckDBPyConnection, versions: dict[str, str]) -> None:
    """Create the schema for later sums of these versions, unless it exists."""
    if tables_of_sums(connection, LATER_SUMS):
        if versions_kept(connection, LATER_SUMS) == versions:
            return
        connection.execute("DROP SCHEMA IF EXISTS sums CASCADE")  # views of it
        connection.execute(f"DROP SCHEMA {LATER_SUMS} CASCADE")
    begin_sums(connection, LATER_SUMS, versions)
    connection.execute(f"CREATE TABLE {GONE} (part BIGINT)")


def _forget(connection: duckdb.DuckDBPyConnection) -> None:
    """Remove stale parts; those of units are listed as gone."""
    stale = [part for part in stale_parts(connection) if part is not None]
    connection.execute("BEGIN")
    remove_parts(connection, LATER_SUMS, [part for part in stale if part < OF_UNITS])
    for part in stale:
        if part >= OF_UNITS:
            connection.execute(f"INSERT INTO {GONE} VALUES (?)", [part])
    connection.execute("COMMIT")


_OWNER: Final = "split_part(parse_filename(part.filename, true), '-', 1)"


class _Piece(NamedTuple):
    """Games that are counted as a part: their units or packs, and their range of keys."""

    owners: list[str]
    first: int
    last: int


def _list_unsummed(connection: duckdb.DuckDBPyConnection, place: Place, manifest: Manifest) -> None:
    """Create the table `unsummed`: games without sums, and the unit or pack of their files."""
    listed = [part.name for _, part in manifest.parts() if part.table == "games"]
    files = ", ".join(quoted(place.address(name)) for name in listed)
    connection.execute("CREATE OR REPLACE TABLE unsummed (owner VARCHAR, game_id BIGINT)")
    if files:
        connection.execute(
            f"INSERT INTO unsummed SELECT {_OWNER}, part.game_id"
            f" FROM read_parquet([{files}], hive_partitioning = false, filename = true) part"
            " WHERE NOT EXISTS (FROM dropped_games gone WHERE gone.game_id = part.game_id"
            f" AND gone.unit = {_OWNER})"
            " AND NOT EXISTS (FROM sums.games there WHERE there.game_id = part.game_id)"
        )


def _pieces(connection: duckdb.DuckDBPyConnection) -> list[_Piece]:
    """Return the parts to count: small units together, large files in ranges of keys."""
    owned = connection.execute(
        "SELECT owner, count(*), min(game_id), max(game_id) FROM unsummed GROUP BY owner ORDER BY owner"
    ).fetchall()
    pieces: list[_Piece] = []
    room = 0
    for owner, games, first, last in owned:
        if games > _MOST:
            query = """SELECT min(game_id), max(game_id) FROM (
                SELECT game_id, ntile($tiles) OVER (ORDER BY game_id) AS tile
                FROM unsummed WHERE owner = $owner
            ) GROUP BY tile ORDER BY tile"""
            tiles = connection.execute(query, {"tiles": -(-games // _MOST), "owner": owner}).fetchall()
            pieces += [_Piece([owner], *tile) for tile in tiles]
            room = 0
        elif games <= room:
            before = pieces[-1]
            owners = [*before.owners, owner]
            pieces[-1] = _Piece(owners, min(first, before.first), max(last, before.last))
            room -= games
        else:
            pieces.append(_Piece([owner], first, last))
            room = _MOST - games
    return pieces


def _count(
    connection: duckdb.DuckDBPyConnection,
    place: Place,
    manifest: Manifest,
    piece: _Piece,
    makers: Sequence[Maker],
) -> None:
    """Add the sums of a piece."""
    cursor = connection.cursor()
    try:
        owners = ", ".join(map(quoted, piece.owners))
        between = f"game_id BETWEEN {piece.first} AND {piece.last}"
        cursor.execute(
            f"CREATE TEMP TABLE piece AS SELECT game_id FROM unsummed WHERE owner IN ({owners}) AND {between}"
        )
        of_piece = set(piece.owners)
        parts = [(owner, part) for owner, part in manifest.parts() if owner in of_piece]
        prepare(cursor)
        for table, query in table_queries(cursor, place, manifest, parts).items():
            if any(column.name == "game_id" for column in TABLES[table]):
                cursor.execute(
                    f"CREATE TEMP TABLE {table} AS SELECT * FROM ({query})"
                    f" WHERE {between} AND game_id IN (SELECT piece.game_id FROM piece)"
                )
        add_part(cursor, makers, "piece", LATER_SUMS)
    finally:
        cursor.close()

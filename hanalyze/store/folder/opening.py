"""Connect to a folder; the tables of the connection are views of the folder's files.

Results that are computed later from stored games are in the folder's `found.duckdb`, which only one process
at a time can write.
"""

from __future__ import annotations

import logging
import os
import secrets
import shlex
import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import Connection
from hanalyze.output import lock
from hanalyze.store.errors import duckdb_errors, system_errors
from hanalyze.store.folder.commit_markers import META, Part
from hanalyze.store.folder.damage import DERIVED_FILE, check_links, damaged_derived_file
from hanalyze.store.folder.manifest import (
    NOT_DROPPED,
    OWNER,
    SIDE,
    Manifest,
    ingest_rows,
    is_ours,
    load_dropped_games,
    newest,
)
from hanalyze.store.folder.storage import TEMPORARY, Place, connected, is_remote, place_of
from hanalyze.store.part_sums import stored_versions
from hanalyze.store.rows import insert
from hanalyze.store.schema import (
    DERIVED_TABLES,
    LATER,
    STORAGE_VERSION,
    VERSIONS_STATEMENT,
    check_version,
    enum_statements,
    quoted,
    sql_type,
    table_statement,
    tables_in,
    transaction,
)
from hanalyze.tables.store import TABLES

_log = logging.getLogger("hanalyze")

_LOCK: Final = "found.lock"
"""File that a process locks while it creates `found.duckdb`."""
_CREATING: Final = threading.Lock()
_LISTED: Final = 256
"""Maximum number of dropped games that are listed in the queries themselves."""


def holds_folder(path: str) -> bool:
    """Return whether a path is a folder that is a database, or a URL that may be such a folder."""
    if is_remote(path):
        return not path.startswith(("http://", "https://"))
    return os.path.isdir(os.path.join(path, META))


def connection_to_folder(
    path: str,
    *,
    read_only: bool,
    files_in: Iterable[str | os.PathLike[str]] | None,
    memory_limit: str | None = None,
) -> Connection:
    """Return a connection to a folder, without writing to the folder; see `hanalyze.store.connect`."""
    check_links(path)
    place = place_of(path)
    manifest = newest(place)
    check_version(manifest.tables_version, path)
    if read_only and not manifest.generation and not is_remote(path) and not holds_folder(path):
        advice = f"if it has logs, first: hanalyze ingest {shlex.quote(path)} --db games.duckdb"
        raise HanalyzeError("this folder is not a database", rule="not_a_database", file=path, advice=advice)
    with duckdb_errors(path):
        connection = connected(place, memory_limit)
        try:
            connection.execute("SET preserve_insertion_order = false")
            connection.execute("SET parquet_metadata_cache = true")
            connection.execute(";\n".join([*enum_statements(), VERSIONS_STATEMENT]))
            _attach_if_whole(connection, path, "READ_ONLY" if read_only else "READ_WRITE")
            show_manifest(connection, place, manifest)
            # Needed even if files are allowed, because `mistakes.prepare` may later forbid all other folders.
            allowed = [*(() if is_remote(path) else (path,)), *(files_in or ())]
            folders = ", ".join(quoted(os.path.abspath(folder)) for folder in allowed)
            connection.execute(f"SET allowed_directories = [{folders}]")
            if files_in is not None and not is_remote(path):
                connection.execute("SET enable_external_access = false")
            if files_in is not None and read_only:
                connection.execute("SET lock_configuration = true")
        except BaseException:
            connection.close()
            raise
    return connection


def prepare_folder(path: str, *, rebuild: bool = False) -> None:
    """Create the folder of a database unless it exists; with `rebuild`, remove the files of the database.

    Raises `HanalyzeError` (rule `not_a_database`) if the folder has files but is not a database.
    """
    check_links(path)
    with system_errors(path):
        if not is_remote(path):
            os.makedirs(path, exist_ok=True)
            if not holds_folder(path) and os.listdir(path):
                problem = "this folder has other files, and is not a database"
                raise HanalyzeError(problem, rule="not_a_database", file=path, advice="name a new folder")
            os.makedirs(os.path.join(path, META), exist_ok=True)
        if rebuild:
            place = place_of(path)
            names = [entry.name for entry in place.entries() if is_ours(entry.name)]
            # The manifest is removed first, because without it no other file counts.
            names.sort(key=lambda name: not name.startswith(META))
            for name in (*names, DERIVED_FILE, f"{DERIVED_FILE}.wal", f"{META}/{_LOCK}"):
                place.remove(name)
            if not is_remote(path):
                _remove_empty_folders(path, names)


def _remove_empty_folders(path: str, names: Iterable[str]) -> None:
    """Remove the folders of removed files if they are empty, except the folder `META`."""
    folders = {parent for name in names for parent in PurePath(name).parents} - {PurePath(), PurePath(META)}
    for folder in sorted(folders, key=lambda one: len(one.parts), reverse=True):
        with suppress(OSError):  # the folder has other files
            os.rmdir(os.path.join(path, folder))


def _attach_if_whole(connection: Connection, path: str, options: str) -> None:
    """Attach `found.duckdb` if it exists; if it is damaged, log a warning and continue without it."""
    file = _derived_file(path)
    if not is_remote(path) and os.path.exists(file) and os.path.getsize(file):
        try:
            _attach(connection, path, options)
        except HanalyzeError as error:
            if error.rule != "damaged":
                raise
            _log.warning("%s", error)


def _derived_file(path: str) -> str:
    return os.path.join(os.path.abspath(path), DERIVED_FILE)


def _attach(connection: Connection, path: str, options: str) -> None:
    """Attach `found.duckdb`. Raises `HanalyzeError` (rule `damaged`)."""
    try:
        with duckdb_errors(_derived_file(path)):
            connection.execute(f"ATTACH {quoted(_derived_file(path))} AS {LATER} ({options})")
    except HanalyzeError as error:
        raise damaged_derived_file(path) if error.rule in ("damaged", "not_a_database") else error from None


def _create_derived_file(connection: Connection, path: str) -> None:
    """Create `found.duckdb` unless it exists and is not empty.

    One process at a time writes a temporary database and moves it into place. The lock is on a separate file,
    because Windows cannot replace an open file.
    """
    file = _derived_file(path)
    if os.path.exists(file) and os.path.getsize(file):
        return
    root = os.path.abspath(path)
    aside = os.path.join(root, SIDE, f".{secrets.token_hex(8)}{TEMPORARY}")
    with system_errors(file), _CREATING, open(os.path.join(root, META, _LOCK), "ab") as stream:
        lock(stream.fileno(), wait=True)
        if os.path.exists(file) and os.path.getsize(file):
            return
        os.makedirs(os.path.dirname(aside), exist_ok=True)
        try:
            connection.execute(f"ATTACH {quoted(aside)} AS aside (STORAGE_VERSION '{STORAGE_VERSION}')")
            connection.execute("DETACH aside")
            with suppress(FileNotFoundError):
                os.remove(f"{file}.wal")  # left by a removed database
            os.replace(aside, file)
        finally:
            with suppress(FileNotFoundError):
                os.remove(aside)


def open_derived_tables(connection: Connection, path: str) -> None:
    """Open `found.duckdb` for writing; other processes cannot open it until this process closes it.

    Raises `HanalyzeError` (rule `remote`) for a remote folder.
    """
    if is_remote(path):
        problem = "results computed from stored games cannot be written to a remote folder"
        advice = "ingest into a new folder with --conventions or --sums, or copy this folder to a disk"
        raise HanalyzeError(problem, rule="remote", file=path, advice=advice)
    query = f"SELECT 1 FROM duckdb_databases() WHERE database_name = '{LATER}'"
    if not connection.execute(query).fetchall():
        _create_derived_file(connection, path)
        _attach(connection, path, "READ_WRITE")
    tables = tables_in(connection, f"{LATER}.main")
    if not tables.issuperset(DERIVED_TABLES):
        query = f"SELECT type_name FROM duckdb_types() WHERE database_name = '{LATER}' AND NOT internal"
        types = {name for (name,) in connection.execute(query).fetchall()}
        missing = [table for table in DERIVED_TABLES if table not in tables]
        connection.execute(f"USE {LATER}")
        try:
            with transaction(connection):
                connection.execute(";\n".join([*enum_statements(types), *map(table_statement, missing)]))
        finally:
            connection.execute("USE memory")
    show_newest(connection, path)


def show_newest(connection: Connection, path: str) -> None:
    """Create the views of a connection over the newest manifest of a folder."""
    place = place_of(path)
    show_manifest(connection, place, newest(place))


def show_manifest(connection: Connection, place: Place, manifest: Manifest) -> None:
    """Create the views of a connection over the files of a manifest."""
    load_dropped_games(connection, place, manifest)
    for table, query in table_queries(connection, place, manifest, manifest.parts()).items():
        connection.execute(f"CREATE OR REPLACE VIEW {table} AS\n{query}")
    connection.execute("DROP TABLE IF EXISTS ingests")
    connection.execute(table_statement("ingests"))
    insert(connection, "ingests", ingest_rows(manifest))
    show_sums(connection, place, manifest)


def table_queries(
    connection: Connection, place: Place, manifest: Manifest, parts: Iterable[tuple[str, Part]]
) -> dict[str, str]:
    """Return for each table except `ingests` the query for the rows of `parts` and of `found.duckdb`."""
    derived = tables_in(connection, f"{LATER}.main")
    by_table: defaultdict[str, list[tuple[str, Part]]] = defaultdict(list)
    for owner, part in parts:
        by_table[part.table].append((owner, part))
    dirty = set(manifest.dirty)
    condition = _not_dropped(connection) if dirty else ""
    whole: dict[str, str] = {}
    for table in TABLES:
        if table == "ingests":
            continue
        queries = []
        if table == "rejects" and manifest.rejects is not None:
            queries.append(_reading(table, [place.address(manifest.rejects)]))
        for is_dirty in (False, True):
            owned = by_table[table]
            files = [place.address(part.name) for owner, part in owned if (owner in dirty) == is_dirty]
            if files:
                queries.append(_reading(table, files, condition if is_dirty else ""))
        if table in DERIVED_TABLES and table in derived:
            columns = ", ".join(f'"{column.name}"' for column in TABLES[table])
            queries.append(f"SELECT {columns} FROM {LATER}.main.{table}")
        if not queries:
            values = ", ".join(f'NULL::{sql_type(one)} AS "{one.name}"' for one in TABLES[table])
            queries.append(f"SELECT {values} WHERE false")
        whole[table] = "\nUNION ALL\n".join(queries)
    return whole


def _not_dropped(connection: Connection) -> str:
    """Return the condition that a row belongs to a game that was not dropped.

    Up to `_LISTED` dropped games are listed in the query, because a join would take memory for each of the
    many scans of a definition.
    """
    dropped = connection.execute(f"FROM dropped_games LIMIT {_LISTED + 1}").fetchall()
    if len(dropped) > _LISTED:
        return NOT_DROPPED
    games = ", ".join(str(game) for _, game in dropped)
    pairs = ", ".join(quoted(f"{owner} {game}") for owner, game in dropped)
    return (
        f"NOT (list_contains([{games}]::BIGINT[], part.game_id)"
        f" AND list_contains([{pairs}]::VARCHAR[], {OWNER} || ' ' || part.game_id))"
    )


def _reading(table: str, files: Sequence[str], condition: str = "") -> str:
    """Return the query for the rows of `files` that meet `condition`, cast to the types of the database."""
    columns = ", ".join(
        f'part."{one.name}"::{sql_type(one)} AS "{one.name}"' if one.words else f'part."{one.name}"'
        for one in TABLES[table]
    )
    listed = ", ".join(map(quoted, files))
    options = ", filename = true" if condition else ""
    query = f"SELECT {columns} FROM read_parquet([{listed}], hive_partitioning = false{options}) part"
    return f"{query} WHERE {condition}" if condition else query


LATER_SUMS: Final = f"{LATER}.sums"
GONE: Final = f"{LATER_SUMS}.gone"


def show_sums(connection: Connection, place: Place, manifest: Manifest) -> None:
    """Create the schema `sums` of a connection: views of the sums in a manifest and in `found.duckdb`.

    All sums have the same version: that of the sums in `found.duckdb`, else that of the newest unit's sums.
    """
    connection.execute("DROP SCHEMA IF EXISTS sums CASCADE")
    later = tables_in(connection, LATER_SUMS)
    versions = stored_versions(connection, LATER_SUMS) if later else manifest.makers()
    if not versions:
        return
    files: dict[str, list[str]] = {}
    for _, part in manifest.sums(versions):
        files.setdefault(part.table.partition("/")[2], []).append(quoted(place.address(part.name)))
    if not files and not later:
        return
    connection.execute("CREATE SCHEMA sums")
    connection.execute("CREATE TABLE sums.makers (name VARCHAR, version VARCHAR)")
    for name, version in versions.items():
        connection.execute("INSERT INTO sums.makers VALUES (?, ?)", [name, version])
    counts = f" WHERE part NOT IN (SELECT gone.part FROM {GONE} gone)" if later else ""
    for table in sorted({*files, *later} - {"makers", "gone"}):
        queries = []
        if table in files:
            listed = ", ".join(files[table])
            queries.append(f"SELECT * FROM read_parquet([{listed}], hive_partitioning = false){counts}")
        if table in later:
            queries.append(f"SELECT * FROM {LATER_SUMS}.{table}")
        connection.execute(f"CREATE VIEW sums.{table} AS\n" + "\nUNION ALL BY NAME\n".join(queries))

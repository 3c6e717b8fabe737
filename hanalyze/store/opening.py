"""Connect to the DuckDB file of a database, and check that its tables are those of this hanalyze version."""

from __future__ import annotations

import atexit
import os
import re
import shlex
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Final

from hanalyze.errors import HanalyzeError, check_unicode
from hanalyze.lazy import Connection, duckdb
from hanalyze.store.errors import duckdb_errors, system_errors
from hanalyze.store.memory import hide_progress, memory_limit_of, settings
from hanalyze.store.schema import (
    STORAGE_VERSION,
    VERSIONS_STATEMENT,
    check_version,
    enum_statements,
    quoted,
    statements,
    table_statement,
    tables_in,
    transaction,
)
from hanalyze.tables.store import TABLES


def is_database(file: str) -> bool:
    """Return whether to open a file as a database: it is empty, unreadable, or begins like a DuckDB file.

    The function checks the bytes itself, because DuckDB also opens other files, such as JSON.
    """
    try:
        start = _start(file)
    except OSError:
        return True  # DuckDB raises the error for an unreadable file
    return not start or start[8:12] == b"DUCK"


def is_folder(path: str) -> bool:
    """Return whether a database path is an existing folder, ends with a path separator, or is a URL.

    >>> is_folder("games/"), is_folder("s3://bucket/games"), is_folder("games.duckdb")
    (True, True, False)
    """
    return "://" in path or path.endswith(("/", os.sep)) or os.path.isdir(path)


def _start(file: str) -> bytes:
    with open(file, "rb") as stream:
        return stream.read(512)


_KINDS: Final = {
    b"SQLite format 3": "but an SQLite database",
    b"PAR1": "but a Parquet file",
    b"\x1f\x8b": "but a file compressed by gzip",
    b"PK\x03\x04": "but a ZIP archive",
    b"{": "but JSON",
    b"[": "but JSON",
}


def _kind(start: bytes) -> str:
    """Return how an error message names a file that is not a DuckDB database, by its first bytes."""
    for mark, kind in _KINDS.items():
        if start.lstrip().startswith(mark):
            return kind
    text = start.decode("utf-8", "ignore")
    is_text = text and all(character.isprintable() or character.isspace() for character in text)
    return "but text" if is_text else "or its first bytes are damaged"


def _name_of(path: str | os.PathLike[str]) -> str:
    """Return the name of a database's file. Raises `HanalyzeError` (rule `bad_name`)."""
    file = os.fspath(path)
    if not file:
        raise HanalyzeError("the name of the database is empty", rule="bad_name", advice="give a file")
    if file.startswith(":memory:"):
        problem = "a database in memory would be lost at the end"
        advice = "give a file; in Python, `connect()` creates a database in memory"
        raise HanalyzeError(problem, rule="bad_name", file=file, advice=advice)
    if file.startswith(("file://", "local://")):
        advice = f"give {file.partition('://')[2]}"
        raise HanalyzeError("a local folder is named by its path", rule="bad_name", file=file, advice=advice)
    return file


def connection_to(
    path: str | os.PathLike[str] | None,
    *,
    read_only: bool,
    rebuild: bool,
    files_in: Iterable[str | os.PathLike[str]] | None,
    memory_limit: str | None = None,
) -> tuple[Connection, str | None]:
    """Return a connection to a database of hanalyze, and its file; see `hanalyze.store.connect`."""
    file = None if path is None else _name_of(path)
    folders = None if files_in is None else [os.path.abspath(folder) for folder in files_in]
    for name in (*(folders or ()), *(() if file is None else (os.path.abspath(file),))):
        check_unicode(name)  # DuckDB accepts only valid Unicode
    limit = None if memory_limit is None else memory_limit_of(memory_limit)
    if file is not None and is_folder(file):
        from hanalyze.store.folder.opening import connection_to_folder, prepare_folder

        if not read_only:
            prepare_folder(file, rebuild=rebuild)
        return connection_to_folder(file, read_only=read_only, files_in=folders, memory_limit=limit), file
    if file is not None:
        _check_file(file, read_only=read_only, rebuild=rebuild)
    connection = _connected(file, read_only=read_only)
    try:
        with duckdb_errors(file):
            hide_progress(connection)
            connection.execute("SET preserve_insertion_order = false")
            if limit is not None:
                connection.execute(f"SET memory_limit = '{limit}'")
            _check(connection, file, read_only)
            if folders is not None:
                connection.execute(f"SET allowed_directories = [{', '.join(map(quoted, folders))}]")
                connection.execute("SET enable_external_access = false")
                if read_only:
                    connection.execute("SET lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection, file


_early: Final[list[Future[Connection]]] = []
"""The connection of `open_early` until `connection_for_few` returns it."""


def open_early() -> None:
    """Let a thread open a database for `connection_for_few`, while this thread imports other modules."""
    _early.append(ThreadPoolExecutor(1).submit(_new_connection))
    atexit.register(_early.clear)  # in case no game is judged


def connection_for_few(tables: Iterable[str]) -> Connection:
    """Return a connection to a new database in memory, with the types of hanalyze and the given `tables`.

    Use it for few rows, for which threads and the optimizer cost more time than they save.
    """
    connection = _early.pop().result() if _early else _new_connection()
    connection.execute(";\n".join(["BEGIN", *map(table_statement, tables), "COMMIT"]))
    return connection


def _new_connection() -> Connection:
    connection = _connected(None, read_only=False)
    steps = [name for (name,) in connection.execute("FROM duckdb_optimizers()").fetchall()]
    without = ",".join(step for step in steps if step != "unused_columns")
    settings = ("threads = 1", "preserve_insertion_order = false", f"disabled_optimizers = '{without}'")
    connection.execute(
        ";\n".join([*(f"SET {one}" for one in settings), "BEGIN", *enum_statements(), "COMMIT"])
    )
    return connection


def _check_file(file: str, *, read_only: bool, rebuild: bool) -> None:
    """Check that a file can be opened or created; remove it if it is empty or to be rebuilt.

    Raises `HanalyzeError` (rules `no_file`, `not_a_database`) if it cannot.
    """
    if not os.path.isfile(file):
        if read_only and not os.path.exists(file):
            is_log = re.search(r"\.(jsonl?|txt|csv|safetensors)(\.gz)?$", file)
            advice = f"first: hanalyze ingest LOGS --db {'games.duckdb' if is_log else shlex.quote(file)}"
            raise HanalyzeError("there is no such file", rule="no_file", file=file, advice=advice)
        if not os.path.isdir(os.path.dirname(os.path.abspath(file))):
            advice = "create it first"
            raise HanalyzeError("there is no such folder", rule="no_file", file=file, advice=advice)
    elif not is_database(file):
        kind = _kind(_start(file))
        is_json = read_only and kind in ("but JSON", "but a file compressed by gzip")
        advice = f"if it is a log, first: hanalyze ingest {shlex.quote(file)} --db games.duckdb"
        if not is_json:
            advice = _MAKE if read_only else _OTHER_FILE
        raise HanalyzeError(f"not a DuckDB database, {kind}", rule="not_a_database", file=file, advice=advice)
    elif not os.path.getsize(file):
        if read_only:
            raise HanalyzeError("this file is empty", rule="not_a_database", file=file, advice=_MAKE)
        with system_errors(file):
            os.remove(file)  # DuckDB does not accept an empty file
    elif rebuild:
        _remove(file)


_OTHER_FILE: Final = "name a new file, as in --db games.duckdb"
_MAKE: Final = "make a database first: hanalyze ingest LOGS --db games.duckdb"


def _connected(file: str | None, *, read_only: bool) -> Connection:
    name = ":memory:" if file is None else os.path.abspath(file)
    config = {**settings(file, read_only), "storage_compatibility_version": STORAGE_VERSION}
    with duckdb_errors(file):
        return duckdb.connect(name, read_only=read_only, config=config)


def _check(connection: Connection, file: str | None, read_only: bool) -> None:
    """Create missing tables. Raises `HanalyzeError` (rules `other_version`, `not_a_database`)."""
    tables = set() if file is None else tables_in(connection, "main")
    if "hanalyze" in tables:
        [(version,)] = connection.execute("SELECT tables_version FROM hanalyze").fetchall()
        check_version(version, file)
        if not read_only:
            _complete(connection, tables)
        return
    if tables or read_only:
        what = _NOT_OURS if tables else "this database is empty"
        advice = _MAKE if read_only else _OTHER_FILE
        raise HanalyzeError(what, rule="not_a_database", file=file, advice=advice)
    with transaction(connection):
        connection.execute(";\n".join([*statements(), VERSIONS_STATEMENT]))


def _complete(connection: Connection, tables: set[str]) -> None:
    if tables.issuperset(TABLES):
        return
    query = "SELECT type_name FROM duckdb_types() WHERE schema_name = 'main' AND NOT internal"
    types = {name for (name,) in connection.execute(query).fetchall()}
    with transaction(connection):
        connection.execute(";\n".join(statements(tables | types)))


def _remove(file: str) -> None:
    """Remove a database of hanalyze. Raises `HanalyzeError` (rule `not_a_database`) for any other."""
    # Opened for writing, which fails if another process has the file open.
    with duckdb_errors(file), closing(_connected(file, read_only=False)) as connection:
        tables = tables_in(connection, "main")
    if tables and "hanalyze" not in tables:
        raise HanalyzeError(_NOT_OURS, rule="not_a_database", file=file)
    with system_errors(file):
        for name in (file, f"{file}.wal"):
            with suppress(FileNotFoundError):
                os.remove(name)


_NOT_OURS: Final = "this is a DuckDB database, but not one of hanalyze"


def file_identity(file: str | None) -> tuple[int, int] | None:
    """Return the device and inode of a file; None for a missing file or a database in memory."""
    try:
        status = None if file is None else os.stat(file)
    except OSError:
        return None
    return None if status is None else (status.st_dev, status.st_ino)


def check_identity(file: str | None, identity: tuple[int, int] | None) -> None:
    """Raise `HanalyzeError` (rule `removed`) if a file is no longer the one that was opened."""
    if file_identity(file) != identity:
        problem = "the database was removed or replaced while it was open, and nothing of this run was kept"
        raise HanalyzeError(problem, rule="removed", file=file, advice="run the same command again")

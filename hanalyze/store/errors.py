"""Convert errors of DuckDB and of the operating system into one-line `HanalyzeError`s."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import duckdb

RULES: Final = {
    "bad_name": "the name cannot be used for a database",
    "bad_sql": "DuckDB does not accept the query",
    "closed": "the database was closed",
    "damaged": "bytes of the database are missing or were changed",
    "database_busy": "another thread is using the same `Database`",
    "database_held": "another process has the file open, or this process has it open with other settings",
    "disk_full": "the disk has no room left for the file",
    "newer_duckdb": "the file was made by a newer DuckDB, in a format that the installed one cannot read",
    "no_duckdb": "DuckDB is not installed",
    "no_file": "there is no such file or folder",
    "no_files": "a query needs a file, but queries may not access files",
    "no_permission": "the file may not be read or written",
    "not_a_database": "the file is not a hanalyze database",
    "out_of_memory": "a query or an ingest ran out of memory",
    "other_version": "the file was made by another version of the tables",
    "removed": "the file was removed or replaced while it was open",
    "unreadable": "the file cannot be read or written",
}


def first_words(error: BaseException) -> str:
    """Return DuckDB's error message as one line, without the query that follows it."""
    return str(error).strip().split("\n\n", 1)[0].replace("\n", " ")


def _translated(error: BaseException, file: str | None) -> HanalyzeError:
    first = first_words(error)
    low = str(error).lower()
    if "different configuration" in low or "already attached" in low:
        problem = "this program already has the database open, with other settings"
        return HanalyzeError(problem, rule="database_held", advice="close it first", file=file)
    if any(words in low for words in _BUSY):
        return database_busy(file)
    if "lock on file" in low or "used by another process" in low:  # the second message is from Windows
        problem = "another process has this database open"
        way = "close it there, or wait; in Python, connect(file, read_only=True) lets others read it, too"
        return HanalyzeError(problem, rule="database_held", advice=way, file=file)
    if isinstance(error, (duckdb.ProgrammingError, duckdb.DataError)):
        advice = "`hanalyze info` lists the tables of a database" if "table with name" in low else None
        return HanalyzeError(first, rule="bad_sql", advice=advice)
    if "no space left" in low or "file too large" in low or "disk quota" in low:
        advice = "free some space, and run the same command again: it continues where it stopped"
        return HanalyzeError("the disk is full", rule="disk_full", advice=advice, file=file)
    if any(words in low for words in _NO_FILES):
        problem = f"queries cannot access files here ({first.split(': ', 1)[-1]})"
        return HanalyzeError(problem, rule="no_files", advice="`hanalyze sql --allow-files` allows it")
    if "newer version of duckdb" in low:
        problem = "the database was made by a newer DuckDB"
        return HanalyzeError(problem, rule="newer_duckdb", advice="run `pip install -U duckdb`", file=file)
    if "not a valid duckdb" in low or "is a directory" in low:
        return HanalyzeError("not a DuckDB database", rule="not_a_database", file=file)
    if any(words in low for words in _DAMAGE):
        advice = "remove it, and run `hanalyze ingest` with the same logs"
        return HanalyzeError("the database is damaged", rule="damaged", advice=advice, file=file)
    if "permission denied" in low or "read-only file system" in low:
        return HanalyzeError("permission denied", rule="no_permission", file=file)
    if "no such file" in low:
        return HanalyzeError("there is no such file or folder", rule="no_file", file=file)
    name = type(error).__name__
    if name == "OutOfMemoryException":
        advice = "query less data, or raise the memory limit"
        return HanalyzeError("not enough memory", rule="out_of_memory", file=file, advice=advice)
    if name in ("IOException", "FatalException", "InternalException", "SerializationException"):
        return HanalyzeError(first, rule="unreadable", file=file)
    return HanalyzeError(first, rule="bad_sql")


_BUSY: Final = (
    *("busy with another call", "closed pending query", "connection already closed"),
    *("write-write conflict", "conflict on update", "conflict on tuple"),
)
"""DuckDB's messages when two threads use one connection or write the same rows."""
_NO_FILES: Final = ("disabled by configuration", "disabled through configuration")
_DAMAGE: Final = (
    *("checksum", "corrupt", "could not read enough bytes"),
    *("deserialize", "serialization error", "replaying wal"),
)


def database_busy(file: str | None) -> HanalyzeError:
    """Return the error for a database that another thread is using."""
    problem = "another thread is using this database"
    advice = "try again when it is done, or open the database once for each thread"
    return HanalyzeError(problem, rule="database_busy", advice=advice, file=file)


def problem_of(error: BaseException, file: str | None) -> HanalyzeError:
    """Return an error of DuckDB as a `HanalyzeError`; for a folder, the error names the faulty file."""
    # The first error is the cause; for example, a full disk also aborts the transaction.
    while isinstance(error.__context__, duckdb.Error):
        error = error.__context__
    problem = _translated(error, file)
    if file is None or not ("://" in file or os.path.isdir(file)):
        return problem
    for explain in FOLDER_DAMAGE:
        problem = explain(file, error, problem)
    return problem


FOLDER_DAMAGE: Final[list[Callable[[str, BaseException, HanalyzeError], HanalyzeError]]] = []
"""Functions that take a path, DuckDB's error, and the `HanalyzeError` made from it.

They return an error that names the faulty file, or the given `HanalyzeError` if they find no such file."""


@contextmanager
def duckdb_errors(file: str | None) -> Iterator[None]:
    """Convert DuckDB's errors into `HanalyzeError`s."""
    try:
        yield
    except (duckdb.Error, UnicodeDecodeError) as error:
        raise problem_of(error, file) from None


@contextmanager
def system_errors(file: str) -> Iterator[None]:
    """Convert the operating system's errors about a file into `HanalyzeError`s."""
    try:
        yield
    except OSError as error:
        problem = _translated(error, file)
        if problem.rule == "bad_sql":
            problem = HanalyzeError(error.strerror or str(error), rule="unreadable", file=file)
        raise problem from None

"""Bounds of DuckDB's memory for a file, and where it writes what does not fit."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import duckdb
from hanalyze.text import shorten

_MEMORY: Final = 256
_MEMORY_A_THREAD: Final = 64
"""MiB of memory that DuckDB may use for a file, in all and for each thread."""
_LESS: Final = 80
_LESS_A_JOB: Final = 80
"""The same while games are read and written, in all and for each worker."""

_PROCESS: Final = secrets.token_hex(16)


def memory_limit_of(text: str) -> str:
    """Return a bound of memory as DuckDB takes it. Raises `HanalyzeError` (rule `bad_number`).

    >>> memory_limit_of("1.5 gb"), memory_limit_of("512MiB")
    ('1.5GB', '512MiB')
    """
    match = re.fullmatch(r"0*([0-9]{1,9}(?:\.[0-9]{1,3})?) ?([kmgt])(i?)b", text.strip(), re.IGNORECASE)
    if match is None or not float(match[1]):
        raise HanalyzeError(
            f'"{shorten(text)}" is no amount of memory', rule="bad_number", advice="give 512MB or 2GB"
        )
    return f"{match[1]}{match[2].upper()}{match[3].lower()}B"


def settings(file: str | None, read_only: bool) -> dict[str, Any]:
    """Return the settings of DuckDB for a database; in memory its memory is not bounded.

    A writer may write beside its file, where DuckDB puts what does not fit in memory. A reader may not, and
    may not be alone: then that is a folder of this process and this file among the system's temporary files.
    Without a place for these either, the memory is not bounded.

    >>> settings("games.duckdb", False)["memory_limit"] == f"{256 + 64 * (os.cpu_count() or 1)}MiB"
    True
    """
    threads = os.cpu_count() or 1
    common: dict[str, Any] = {"threads": threads, "autoinstall_known_extensions": False}
    if file is None:
        return common
    common["memory_limit"] = f"{_MEMORY + _MEMORY_A_THREAD * threads}MiB"
    if not read_only:
        return common
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError:
        del common["memory_limit"]
        return common
    # The same each time: of a file that is open twice in a process the settings have to agree.
    name = hashlib.sha256(f"{_PROCESS} {os.getpid()} {os.path.abspath(file)}".encode()).hexdigest()[:16]
    return {**common, "temp_directory": os.path.join(folder, f"hanalyze-{name}")}


@contextmanager
def less_memory(connection: duckdb.DuckDBPyConnection, jobs: int, **settings: object) -> Iterator[None]:
    """Lower the bound of a file, and change further settings, while workers write."""
    paths = connection.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall()
    if any(path for (path,) in paths):
        settings["memory_limit"] = f"{_LESS + _LESS_A_JOB * jobs}MiB"
    names = ", ".join(f"current_setting('{name}')" for name in settings)
    [before] = connection.execute(f"SELECT {names}").fetchall() if names else [()]
    try:
        for name, value in settings.items():
            connection.execute(f"SET {name} = '{value}'")
        yield
    finally:
        for name, value in zip(settings, before, strict=True):
            with suppress(Exception):
                connection.execute(f"SET {name} = '{value}'")


def hide_progress(connection: duckdb.DuckDBPyConnection) -> None:
    """Let DuckDB draw no progress bars, as it does in interactive sessions; its cursors draw none."""
    with suppress(duckdb.InvalidInputException):  # in a notebook without ipywidgets it is off anyway
        connection.execute("SET enable_progress_bar = false")

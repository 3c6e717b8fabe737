"""Memory limits of DuckDB for a database file, and the folder for its temporary files."""

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
from hanalyze.lazy import Connection, duckdb
from hanalyze.text import shorten

_MEMORY: Final = 256
_MEMORY_A_THREAD: Final = 64
"""Memory limit for a file, in MiB: `_MEMORY`, and `_MEMORY_A_THREAD` more for each thread."""
_MEMORY_WITH_WORKERS: Final = 80
_MEMORY_A_WORKER: Final = 80
"""Memory limit for a file while workers run, in MiB: the first number, and the second for each worker."""

_PROCESS: Final = secrets.token_hex(16)


def memory_limit_of(text: str) -> str:
    """Return a memory limit in DuckDB's form. Raises `HanalyzeError` (rule `bad_number`).

    >>> memory_limit_of("1.5 gb"), memory_limit_of("512MiB")
    ('1.5GB', '512MiB')
    """
    match = re.fullmatch(r"0*([0-9]{1,9}(?:\.[0-9]{1,3})?) ?([kmgt])(i?)b", text.strip(), re.IGNORECASE)
    if match is None or not float(match[1]):
        problem = f'"{shorten(text)}" is not an amount of memory'
        raise HanalyzeError(problem, rule="bad_number", advice="give 512MB or 2GB")
    return f"{match[1]}{match[2].upper()}{match[3].lower()}B"


def settings(file: str | None, read_only: bool) -> dict[str, Any]:
    """Return DuckDB's settings for a database; a database in memory has DuckDB's own memory limit.

    A writer's temporary files are beside the database, which is DuckDB's default. A reader may have no
    permission to write there, so its temporary files are in the system's temporary folder, in a folder for
    this process and this file. If the system has no temporary folder, DuckDB's own memory limit applies.

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
    # The name is the same each time, because two connections of a process to a file need equal settings.
    name = hashlib.sha256(f"{_PROCESS} {os.getpid()} {os.path.abspath(file)}".encode()).hexdigest()[:16]
    return {**common, "temp_directory": os.path.join(folder, f"hanalyze-{name}")}


@contextmanager
def less_memory(connection: Connection, jobs: int, **settings: object) -> Iterator[None]:
    """Set the memory limit of a file for `jobs` workers, and further settings, until the block ends."""
    paths = connection.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall()
    if any(path for (path,) in paths):
        settings["memory_limit"] = f"{_MEMORY_WITH_WORKERS + _MEMORY_A_WORKER * jobs}MiB"
    names = ", ".join(f"current_setting('{name}')" for name in settings)
    [old_settings] = connection.execute(f"SELECT {names}").fetchall() if names else [()]
    try:
        for name, value in settings.items():
            connection.execute(f"SET {name} = '{value}'")
        yield
    finally:
        for name, value in zip(settings, old_settings, strict=True):
            with suppress(Exception):
                connection.execute(f"SET {name} = '{value}'")


def hide_progress(connection: Connection) -> None:
    """Disable the progress bar that a connection draws in interactive sessions; cursors draw none anyway."""
    with suppress(duckdb.InvalidInputException):  # in a notebook without ipywidgets the bars are off anyway
        connection.execute("SET enable_progress_bar = false")

"""How much memory DuckDB takes for a file, and where it puts what has no room there.

In: the path of a database. Out: settings of a connection. A file is never held in memory as a whole: what a
query needs beyond the bound goes to a folder on the disk, which DuckDB makes when it needs it, and removes.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from typing import Final

__all__ = ["memory_settings"]

_MEMORY: Final = 256
_MEMORY_A_THREAD: Final = 64
"""MiB of memory that DuckDB may use for a file, in all and for each thread."""

_PROCESS: Final = secrets.token_hex(16)


def memory_settings(file: str | None, read_only: bool, threads: int) -> dict[str, str]:
    """Return the settings of DuckDB that bound its memory for a file; none in memory.

    Who writes a file may write beside it, where DuckDB puts what has no room. Who reads may not, and may not
    be alone: then that is a folder of this process and this file among the system's temporary files. Where
    there is no place for these either, the memory is not bounded.

    >>> memory_settings(None, False, 2)
    {}
    >>> memory_settings("games.duckdb", False, 2)
    {'memory_limit': '384MiB'}
    """
    if file is None:
        return {}
    limit = {"memory_limit": f"{_MEMORY + _MEMORY_A_THREAD * threads}MiB"}
    if not read_only:
        return limit
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError:
        return {}
    # The same each time: of a file that is open twice in a process the settings have to agree.
    name = hashlib.sha256(f"{_PROCESS} {os.getpid()} {os.path.abspath(file)}".encode()).hexdigest()[:16]
    return {**limit, "temp_directory": os.path.join(folder, f"hanalyze-{name}")}

"""File locks between processes, on POSIX systems and Windows."""

from __future__ import annotations

import os
import struct
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

_FLOCK: Final = "hhqqi"
"""Linux's `struct flock`: kind, whence, start, length, process."""
_BYTE: Final = 2**31 - 2
"""Position of the locked byte on Windows: beyond the end of most files, as locked bytes are unreadable."""
_PAUSE: Final = 0.05
"""Seconds between two attempts on Windows, where the system's waiting call gives up after ten seconds."""


def lock(file: int, *, wait: bool = False) -> bool:
    """Lock an open file, given by its descriptor; return False if another process holds the lock.

    With `wait`, wait for the lock and return True. The lock ends when this process ends or closes any
    descriptor of the file. It does not exclude other threads of this process. Raises `OSError`.
    """
    try:
        import fcntl
    except ImportError:
        return _lock_on_windows(file, wait)
    with suppress(BlockingIOError, PermissionError):
        fcntl.lockf(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _lock_on_windows(file: int, wait: bool) -> bool:
    msvcrt: Any = import_module("msvcrt")
    place = os.lseek(file, 0, os.SEEK_CUR)
    try:
        while True:
            os.lseek(file, _BYTE, os.SEEK_SET)
            with suppress(PermissionError):
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
                return True
            if not wait:
                return False
            time.sleep(_PAUSE)
    finally:
        os.lseek(file, place, os.SEEK_SET)


def holder(file: int) -> int | None:
    """Return the id of the process that holds the lock of an open file; None if it is unknown."""
    if sys.platform != "linux":
        return None
    import fcntl

    query = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    process: int = struct.unpack(_FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, query))[-1]
    # A process on another machine or in another container has no id on this system.
    return process if process > 0 else None

"""Output of bytes to a file or standard output, the cache folder, and file locks between processes."""

from __future__ import annotations

import os
import shutil
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from hanalyze.errors import HanalyzeError


def write_bytes(data: bytes, target: str) -> None:
    """Write bytes to a file, or to standard output if the target is "-".

    Raises `HanalyzeError` (rule `unwritable`) if a file cannot be written, and `OSError` for a closed
    standard output.
    """
    write_pieces([data], target)


def write_text(text: str, target: str) -> int:
    """Write text as UTF-8 to a target of `write_bytes`, lone surrogates escaped; return the size in bytes."""
    data = text.encode("utf-8", "backslashreplace")
    write_bytes(data, target)
    return len(data)


def write_pieces(pieces: Iterable[bytes], target: str) -> None:
    """Write bytes piece by piece to a target of `write_bytes`; raises its errors.

    An error, even one raised by `pieces`, leaves an existing file unchanged if the file can be replaced.
    """
    if target == "-":
        sys.stdout.flush()
        for piece in pieces:
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
        return
    try:
        with temporary_target(target) as part, open(part, "wb") as file:
            file.writelines(pieces)
    except (OSError, ValueError) as error:  # ValueError: an invalid file name
        raise unwritable(error, target) from None


def check_target(target: str) -> None:
    """Raise the error of `write_bytes` early if a path is a folder or its folder does not exist."""
    if target == "-":
        return
    if os.path.isdir(target):
        raise unwritable(IsADirectoryError(), target)
    if not os.path.isdir(os.path.dirname(target) or "."):
        raise unwritable(FileNotFoundError(), target)


def unwritable(error: Exception, file: str) -> HanalyzeError:
    """Return the error (rule `unwritable`) for a file that cannot be written."""
    problem, advice = getattr(error, "strerror", None) or str(error), None
    if isinstance(error, FileNotFoundError) and os.path.isdir(os.path.dirname(file) or "."):
        problem, advice = "no file can be made in this folder", "give another folder"
    elif isinstance(error, FileNotFoundError):
        problem, advice = "there is no such folder", "create it first"
    elif isinstance(error, IsADirectoryError):
        problem, advice = "this is a folder", "give a file in it"
    elif isinstance(error, PermissionError):
        problem = "permission denied"
    return HanalyzeError(problem, rule="unwritable", file=file, advice=advice)


@contextmanager
def replaced(file: Path) -> Iterator[Path]:
    """Yield a temporary path beside a file; it replaces the file on success, and is deleted on failure."""
    part = file.with_name(f".{os.getpid()}.part.{file.name}")
    try:
        yield part
        os.replace(part, file)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def temporary_target(target: str) -> Iterator[str]:
    """Yield a temporary path; its file replaces the target on success and is deleted on failure.

    Yields the target itself for "-", a pipe, a device and a file that cannot be replaced.
    """
    real = os.path.realpath(target)
    folder = os.path.dirname(real)
    replaceable = not os.path.exists(real) or (os.path.isfile(real) and os.access(real, os.W_OK))
    if target == "-" or not replaceable or (os.path.isdir(folder) and not os.access(folder, os.W_OK)):
        yield target
        return
    with replaced(Path(real)) as part:
        try:
            yield str(part)
        except HanalyzeError as error:
            error.file = target if error.file == str(part) else error.file
            raise
        with suppress(FileNotFoundError):
            shutil.copymode(real, part)


def cache_folder(*first: str) -> Path | None:
    """Return the cache folder of hanalyze, which may not exist; None for a user without a home folder.

    Its parent is the first absolute path among `first`, `XDG_CACHE_HOME` and `~/.cache`. Relative paths are
    ignored, as the XDG specification requires.

    >>> cache_folder("/var/cache").as_posix()
    '/var/cache/hanalyze'
    """
    places = (*first, os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~/.cache"))
    chosen = next(filter(os.path.isabs, places), None)
    return None if chosen is None else Path(chosen) / "hanalyze"


_FLOCK: Final = "hhqqi"  # Linux's `struct flock`: kind, whence, start, length, process
_BYTE: Final = 2**31 - 2
"""Position of the locked byte on Windows: beyond the end of most files, as locked bytes are unreadable."""
_PAUSE: Final = 0.05  # seconds between attempts on Windows, whose own waiting call gives up after 10 s


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
    """Return the id of the process that locks an open file; None if there is none or it is unknown."""
    if sys.platform != "linux":
        return None
    import fcntl

    query = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    process: int = struct.unpack(_FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, query))[-1]
    # A process on another machine or in another container has no id on this system.
    return process if process > 0 else None

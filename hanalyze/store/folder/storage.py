"""`Place`: the file system under a folder, and its implementation for disks.

Two operations are atomic: a file is complete or absent, and of several processes that create a file exactly
one succeeds. On a disk these are a rename and a link.
"""

from __future__ import annotations

import io
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Final, NamedTuple, Protocol

from hanalyze.errors import HanalyzeError
from hanalyze.store.errors import system_errors

TEMPORARY: Final = ".tmp"
"""The ending of a file that is not complete yet."""


class Entry(NamedTuple):
    """A file: its name within the folder, its bytes, and how many seconds ago it was written."""

    name: str
    size: int
    age: float


class Place(Protocol):
    """A folder, on a disk or elsewhere."""

    path: str
    """As it was given."""

    def read(self, name: str) -> bytes:
        """Return the contents of a file."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file of a new name, atomically and durably."""

    def copy(self, file: str, name: str) -> None:
        """Write a file of a new name as `write` does, from a file of this machine."""

    def create(self, name: str, data: bytes) -> bool:
        """Write a file atomically; return False, and leave it, if it exists."""

    def entries(self, folder: str = "") -> Iterator[Entry]:
        """Yield all files in a subfolder, recursively."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def address(self, name: str) -> str:
        """Return the path or URL of a file for DuckDB."""


def is_remote(path: str) -> bool:
    """Return whether a path is the URL of another file system.

    >>> is_remote("s3://bucket/games"), is_remote("games/")
    (True, False)
    """
    return "://" in path


class LocalPlace:
    """A folder on a disk, also one that several machines share."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._root = os.path.abspath(path)

    def __reduce__(self) -> tuple[type[LocalPlace], tuple[str]]:
        return LocalPlace, (self._root,)

    def address(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self._root, name)

    def read(self, name: str) -> bytes:
        """Return the contents of a file. Raises `FileNotFoundError`."""
        with open(self.address(name), "rb") as stream:
            return stream.read()

    def _beside(self, name: str, source: BinaryIO) -> str:
        """Write a temporary file beside a name, durably; return its path."""
        target = self.address(name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        path = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}{TEMPORARY}")
        try:
            with open(path, "xb") as stream:
                shutil.copyfileobj(source, stream)
                stream.flush()
                os.fsync(stream.fileno())
        except BaseException:
            with suppress(OSError):
                os.remove(path)
            raise
        return path

    def _settled(self, name: str) -> None:
        """Sync the folder of a new file to the disk."""
        folder = os.open(os.path.dirname(self.address(name)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def write(self, name: str, data: bytes) -> None:
        """Write a file of a new name."""
        with system_errors(self.path):
            self._move(self._beside(name, io.BytesIO(data)), name)

    def copy(self, file: str, name: str) -> None:
        """Write a file of a new name, from a file of this machine."""
        with system_errors(self.path), open(file, "rb") as source:
            self._move(self._beside(name, source), name)

    def _move(self, path: str, name: str) -> None:
        os.rename(path, self.address(name))
        self._settled(name)

    def create(self, name: str, data: bytes) -> bool:
        """Write a file unless it exists: a link fails if its name is taken."""
        with system_errors(self.path):
            path = self._beside(name, io.BytesIO(data))
            try:
                os.link(path, self.address(name))
            except FileExistsError:
                return False
            except PermissionError as error:
                raise HanalyzeError(
                    "this file system has no links, so a folder cannot be written safely",
                    rule="unreadable",
                    file=self.path,
                    advice="put the folder on another disk, or name a file, as in --db games.duckdb",
                ) from error
            finally:
                os.remove(path)
            self._settled(name)
        return True

    def entries(self, folder: str = "") -> Iterator[Entry]:
        """Yield all files in a subfolder, recursively."""
        now = time.time()
        for where, _, names in os.walk(os.path.join(self._root, folder)):
            for name in names:
                path = os.path.join(where, name)
                with suppress(FileNotFoundError):
                    found = os.stat(path)
                    yield Entry(os.path.relpath(path, self._root), found.st_size, now - found.st_mtime)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with system_errors(self.path), suppress(FileNotFoundError):
            os.remove(self.address(name))

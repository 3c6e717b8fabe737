"""A `Place` on another file system, such as S3, through fsspec.

Files appear complete there, so they are written directly. The file system must be able to create a file only
if it does not exist (S3: `If-None-Match`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import needed
from hanalyze.store.folder.storage import Entry, LocalPlace, Place, is_remote


class RemotePlace:
    """A folder that a URL names."""

    def __init__(self, path: str) -> None:
        self.path = path
        core = needed("fsspec.core")
        try:
            self._system, root = core.url_to_fs(path)
        except (ImportError, ValueError) as error:
            raise HanalyzeError(
                f"{str(error).splitlines()[0].rstrip('.')}", rule="unreadable", file=path
            ) from None
        self._root: str = root.rstrip("/")
        self._scheme = path.partition("://")[0]

    def __reduce__(self) -> tuple[type[RemotePlace], tuple[str]]:
        return RemotePlace, (self.path,)

    def _full(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _make_folder(self, name: str) -> None:
        """Create the folder of a file, if the file system has folders."""
        with suppress(FileExistsError, NotImplementedError):
            self._system.makedirs(self._full(name).rpartition("/")[0], exist_ok=True)

    def register(self, connection: Any) -> None:
        """Let DuckDB read these files."""
        connection.register_filesystem(self._system)

    def address(self, name: str) -> str:
        """Return the URL of a file."""
        return f"{self._scheme}://{self._full(name).lstrip('/')}"

    def read(self, name: str) -> bytes:
        """Return the contents of a file. Raises `FileNotFoundError`."""
        found: bytes = self._system.cat_file(self._full(name))
        return found

    def write(self, name: str, data: bytes) -> None:
        """Write a file of a new name."""
        self._make_folder(name)
        self._system.pipe_file(self._full(name), data)

    def copy(self, file: str, name: str) -> None:
        """Write a file of a new name, from a file of this machine."""
        self._make_folder(name)
        self._system.put_file(file, self._full(name))

    def create(self, name: str, data: bytes) -> bool:
        """Write a file unless it exists."""
        self._make_folder(name)
        try:
            self._system.pipe_file(self._full(name), data, mode="create")
        except FileExistsError:
            return False
        except (NotImplementedError, TypeError, ValueError) as error:
            raise HanalyzeError(
                "this file system cannot write only what is not there, so a folder is not safe on it",
                rule="unreadable",
                file=self.path,
                advice="use a disk, or S3",
            ) from error
        return True

    def entries(self, folder: str = "") -> Iterator[Entry]:
        """Yield all files in a subfolder, recursively."""
        self._system.invalidate_cache()
        where = self._full(folder) if folder else self._root
        with suppress(FileNotFoundError):
            for path, found in self._system.find(where, detail=True).items():
                name = str(path).removeprefix(self._root).lstrip("/")
                moment = found.get("LastModified") or found.get("created") or found.get("mtime")
                age = 0.0
                if isinstance(moment, datetime):
                    age = (datetime.now(UTC) - moment.astimezone(UTC)).total_seconds()
                elif isinstance(moment, int | float):
                    age = time.time() - moment
                yield Entry(name, int(found.get("size") or 0), age)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with suppress(FileNotFoundError):
            self._system.rm_file(self._full(name))


def place_of(path: str) -> Place:
    """Return the place that a path or URL names. Raises `HanalyzeError` (rule `no_fsspec`) without the extra.

    >>> place_of("games/").path
    'games/'
    """
    return RemotePlace(path) if is_remote(path) else LocalPlace(path)

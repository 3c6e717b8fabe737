"""File systems for folders: a disk, or a remote file system through fsspec, such as S3.

Two operations are atomic: a written file is complete or absent, and of several processes that create a file
exactly one succeeds. On a disk, the operations are a rename and a link. A remote file system must show only
complete files, and must be able to create a file only if it does not exist (S3: `If-None-Match`).
"""

from __future__ import annotations

import io
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import Connection, duckdb, needed
from hanalyze.store.errors import duckdb_errors, system_errors
from hanalyze.store.memory import hide_progress, settings

TEMPORARY: Final = ".tmp"
"""Extension of a file that is not complete yet."""


class Entry(NamedTuple):
    """A file: its name within the folder, its size in bytes, and its age in seconds."""

    name: str
    size: int
    age: float


def is_remote(path: str) -> bool:
    """Return whether a path is the URL of another file system."""
    return "://" in path


class LocalPlace:
    """A folder on a disk, which several machines may share; failed changes raise `HanalyzeError`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._root = os.path.abspath(path)

    def address(self, name: str) -> str:
        """Return the absolute path of a file, given by its name within the folder."""
        return os.path.join(self._root, name)

    def read(self, name: str) -> bytes:
        """Return the contents of a file. Raises `FileNotFoundError`."""
        with open(self.address(name), "rb") as stream:
            return stream.read()

    def _beside(self, name: str, source: BinaryIO) -> str:
        """Write a temporary file durably into the folder of the file `name`; return its path."""
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

    def _sync_folder(self, name: str) -> None:
        """Sync the folder of a new file to the disk; Windows cannot open folders."""
        if not hasattr(os, "O_DIRECTORY"):
            return
        folder = os.open(os.path.dirname(self.address(name)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def write(self, name: str, data: bytes) -> None:
        """Write a new file, atomically and durably."""
        self._put(io.BytesIO(data), name)

    def copy(self, file: str, name: str) -> None:
        """Copy a local file to a new file, atomically and durably."""
        with system_errors(self.path), open(file, "rb") as source:
            self._put(source, name)

    def _put(self, source: BinaryIO, name: str) -> None:
        with system_errors(self.path):
            os.replace(self._beside(name, source), self.address(name))
            self._sync_folder(name)

    def create(self, name: str, data: bytes) -> bool:
        """Write a file atomically; if it exists, leave it unchanged and return False.

        Raises `HanalyzeError` (rule `unreadable`) for a file system without hard links.
        """
        with system_errors(self.path):
            path = self._beside(name, io.BytesIO(data))
            try:
                os.link(path, self.address(name))
            except FileExistsError:
                return False
            except PermissionError as error:
                problem = "this file system has no hard links, so a database folder cannot be written safely"
                advice = "put the folder on another disk, or name a file, as in --db games.duckdb"
                raise HanalyzeError(problem, rule="unreadable", file=self.path, advice=advice) from error
            finally:
                os.remove(path)
            self._sync_folder(name)
        return True

    def entries(self, folder: str = "") -> Iterator[Entry]:
        """Yield all files in a subfolder (by default in the whole folder), recursively."""
        now = time.time()
        for where, _, names in os.walk(os.path.join(self._root, folder)):
            for name in names:
                path = os.path.join(where, name)
                with suppress(FileNotFoundError):
                    found = os.stat(path)
                    within = os.path.relpath(path, self._root).replace(os.sep, "/")
                    yield Entry(within, found.st_size, now - found.st_mtime)

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with system_errors(self.path), suppress(FileNotFoundError):
            os.remove(self.address(name))


class RemotePlace:
    """A folder on a remote file system, given by a URL; `system` is the file system of fsspec."""

    def __init__(self, path: str) -> None:
        self.path = path
        core = needed("fsspec.core")
        try:
            self.system, root = core.url_to_fs(path)
        except (ImportError, ValueError) as error:
            what = str(error).splitlines()[0].rstrip(".")
            raise HanalyzeError(what, rule="unreadable", file=path) from None
        self._root: str = root.rstrip("/")
        self._scheme = path.partition("://")[0]

    def _full(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _make_folder(self, name: str) -> None:
        """Create the folder of a file, if the file system has folders."""
        with suppress(FileExistsError, NotImplementedError):
            self.system.makedirs(self._full(name).rpartition("/")[0], exist_ok=True)

    def address(self, name: str) -> str:
        """Return the URL of a file, given by its name within the folder."""
        return f"{self._scheme}://{self._full(name).lstrip('/')}"

    def read(self, name: str) -> bytes:
        """Return the contents of a file. Raises `FileNotFoundError`."""
        found: bytes = self.system.cat_file(self._full(name))
        return found

    def write(self, name: str, data: bytes) -> None:
        """Write a new file."""
        self._make_folder(name)
        self.system.pipe_file(self._full(name), data)

    def copy(self, file: str, name: str) -> None:
        """Copy a local file to a new file."""
        self._make_folder(name)
        self.system.put_file(file, self._full(name))

    def create(self, name: str, data: bytes) -> bool:
        """Write a file; if it exists, leave it unchanged and return False.

        Raises `HanalyzeError` (rule `unreadable`) for a file system that cannot do this.
        """
        self._make_folder(name)
        try:
            self.system.pipe_file(self._full(name), data, mode="create")
        except FileExistsError:
            return False
        except (NotImplementedError, TypeError, ValueError) as error:
            problem = (
                "this file system cannot create files exclusively, so a database folder is not safe on it"
            )
            advice = "use a disk, or S3"
            raise HanalyzeError(problem, rule="unreadable", file=self.path, advice=advice) from error
        return True

    def entries(self, folder: str = "") -> Iterator[Entry]:
        """Yield all files in a subfolder (by default in the whole folder), recursively."""
        self.system.invalidate_cache()
        where = self._full(folder) if folder else self._root
        with suppress(FileNotFoundError):
            for path, found in self.system.find(where, detail=True).items():
                name = str(path).removeprefix(self._root).lstrip("/")
                moment = found.get("LastModified") or found.get("created") or found.get("mtime")
                age = 0.0
                if isinstance(moment, datetime):
                    age = (datetime.now(UTC) - moment.astimezone(UTC)).total_seconds()
                elif isinstance(moment, int | float):
                    age = time.time() - moment
                yield Entry(name, int(found.get("size") or 0), age)

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with suppress(FileNotFoundError):
            self.system.rm_file(self._full(name))


Place: TypeAlias = LocalPlace | RemotePlace


def place_of(path: str) -> Place:
    """Return the place for a path, or for a URL. Raises `HanalyzeError` (`no_fsspec`, `unreadable`)."""
    return RemotePlace(path) if is_remote(path) else LocalPlace(path)


def connected(place: Place, memory_limit: str | None = None) -> Connection:
    """Return a connection in memory that can read a place's files; `memory_limit` is text such as "2GB"."""
    config = settings(place.path, True)
    if memory_limit is not None:
        config["memory_limit"] = memory_limit
    if "temp_directory" in config:
        # Each connection is a separate database, but its temporary files always have the same names.
        config["temp_directory"] += f"-{secrets.token_hex(8)}"
    connection: Connection = duckdb.connect(":memory:", config=config)
    hide_progress(connection)
    if isinstance(place, RemotePlace):
        connection.register_filesystem(place.system)
    return connection


@contextmanager
def bounded_connection(place: Place, memory_limit: str | None = None) -> Iterator[Connection]:
    """Yield a connection to the files of a place; errors of DuckDB become `HanalyzeError`s."""
    with duckdb_errors(place.path), closing(connected(place, memory_limit)) as connection:
        yield connection

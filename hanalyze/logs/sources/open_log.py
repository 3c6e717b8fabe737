"""Opens a log, unpacks gzip, and reports why it does not open or ends too early."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import zlib
from contextlib import ExitStack, suppress
from typing import Any, Final, cast

from hanalyze.errors import LogError
from hanalyze.logs.sources.game_references import named, text_of

BLOCK: Final = 2**18
"""Bytes that are read at a time."""
_GZIP: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 31
"""Makes `zlib` expect the head and the checksum of gzip."""


class _DamagedError(Exception):
    """Text before or after what gzip packed."""


class LogBytes(io.RawIOBase):
    """The unpacked bytes of a log, as a stream that never raises.

    `error`: None, or what ended the stream early. `packed`: the bytes read so far, as they lie on the disk.
    `last`: the last byte given out, empty before the first.
    """

    def __init__(self, raw: Any, *, digesting: bool = False) -> None:
        # Of a buffered stream only what is there at once, for a pipe may be slow.
        self._take = getattr(raw, "read1", raw.read)
        self._rest: bytes = b""
        self._is_packed: bool | None = None
        self._member: Any = None
        self._hash = hashlib.blake2b(digest_size=16) if digesting else None
        self.error: Exception | None = None
        self.packed = 0
        self.last = b""

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    @property
    def digest(self) -> str | None:
        """BLAKE2b of all bytes given out, 32 hex digits; None unless it was asked for."""
        return None if self._hash is None else self._hash.hexdigest()

    def readinto(self, buffer: Any) -> int:
        """Read some bytes, at least one before the end."""
        if self.error is not None:
            return 0
        try:
            data = self._next(len(buffer))
        except (OSError, EOFError, zlib.error, _DamagedError) as error:
            self.error = error
            return 0
        buffer[: len(data)] = data
        self.last = data[-1:] or self.last
        if self._hash is not None:
            self._hash.update(data)
        return len(data)

    def _more(self, size: int = BLOCK) -> bool:
        """Read on into `_rest`, and return whether there was anything."""
        data = self._take(size) or b""
        self.packed += len(data)
        self._rest += data
        return bool(data)

    def _next(self, most: int) -> bytes:
        if self._is_packed is None:
            # One byte is enough, for no text begins with it, and all that a slow pipe promises.
            self._more()
            self._is_packed = self._rest.startswith(_GZIP[:1])
        if self._is_packed:
            return self._unpacked(most)
        if not self._rest:
            self._more(most)
        data, self._rest = self._rest[:most], self._rest[most:]
        return data

    def _unpacked(self, most: int) -> bytes:
        """Return some of what gzip packed, empty at its end."""
        while True:
            if self._member is None and not self._begin_member():
                return b""
            if not self._rest and not self._more():
                raise EOFError
            before = self._member.copy()
            try:
                data: bytes = self._member.decompress(self._rest, most)
            except zlib.error as error:
                self.error = error
                return self._salvaged(before, most)
            self._rest = self._member.unconsumed_tail
            if self._member.eof:
                self._rest, self._member = self._member.unused_data, None
            if data:
                return data

    def _begin_member(self) -> bool:
        """Begin the next member of a file that gzip packed, and return whether there is one."""
        first = self.packed == len(self._rest)
        while len(self._rest) < len(_GZIP) and self._more():
            pass
        if not first:
            # Zeros that fill up a block on a tape are no member.
            self._rest = self._rest.lstrip(b"\0")
            while not self._rest and self._more():
                self._rest = self._rest.lstrip(b"\0")
        if not self._rest:
            return False
        if not self._rest.startswith(_GZIP):
            raise _DamagedError("not a gzip file" if first else "something follows the compressed text")
        self._member = zlib.decompressobj(_GZIP_WINDOW)
        return True

    def _salvaged(self, member: Any, most: int) -> bytes:
        """Return what comes before the damage: the unpacker drops it when it meets damage behind it."""
        data = bytearray()
        with suppress(zlib.error):
            for i in range(len(self._rest)):
                data += member.decompress(self._rest[i : i + 1], most - len(data))
                if len(data) == most:
                    break
        return bytes(data)


def open_log(file: str, stack: ExitStack, *, digesting: bool = False) -> LogBytes:
    """Open a log to read what it holds, "-" standard input; `stack` closes it.

    Raises `OSError` for a file, `LogError` for what names a game and cannot be had.
    """
    if file == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise OSError("standard input is closed")
        return LogBytes(sys.stdin.buffer, digesting=digesting)
    game = named(file)
    if game is not None:
        return LogBytes(io.BytesIO(text_of(game)), digesting=digesting)
    if os.path.isdir(file):
        os.scandir(file).close()  # says why a folder could not be searched
    return LogBytes(stack.enter_context(open_file(file, "rb")), digesting=digesting)


def open_file(file: str, mode: str) -> io.FileIO:
    """Open a file for bytes, as `io.FileIO` does. Raises `OSError`."""
    try:
        return io.FileIO(file, mode)
    except ValueError as error:
        # A name that no file can have: with a zero byte, or with half a surrogate pair.
        raise OSError(str(error)) from error


def buffered(stream: object) -> io.BufferedReader:
    """Return a stream of bytes with a buffer before it."""
    return io.BufferedReader(cast(io.RawIOBase, stream), BLOCK)


def file_error(error: Exception, file: str, rule: str) -> LogError:
    """Say in our words why a file cannot be read or written; `rule` is for what has no name of its own."""
    if isinstance(error, FileNotFoundError):
        what = "folder" if rule == "unwritable" else "file"
        return LogError(f"there is no such {what}", rule="no_file", file=file)
    way = "give a file in it" if rule == "unwritable" else "pass its files"
    if isinstance(error, IsADirectoryError):
        return LogError("this is a folder", rule="is_directory", advice=way, file=file)
    if isinstance(error, PermissionError):
        return LogError("permission denied", rule="no_permission", file=file)
    if isinstance(error, EOFError):
        return LogError("the compressed file ends too early", rule="truncated", file=file)
    if isinstance(error, zlib.error | _DamagedError):
        reason = str(error).removeprefix("Error -3 while decompressing data: ")
        return LogError(f"the compressed file is damaged ({reason})", rule="bad_gzip", file=file)
    return LogError(getattr(error, "strerror", None) or str(error), rule=rule, file=file)

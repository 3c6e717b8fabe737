"""Opening of logs, decompression of gzip, and `LogError`s for files that cannot be read or written."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import sys
import zlib
from contextlib import ExitStack, suppress
from typing import Any, Final, cast

from hanalyze.errors import LogError
from hanalyze.logs.sources.site import game_reference, text_of
from hanalyze.text import nearest

BLOCK: Final = 2**18  # number of bytes read at a time
_LOOKED_AT: Final = 1000  # maximum number of files whose names are compared with that of a missing file
_GZIP: Final = b"\x1f\x8b"


class _DamagedError(Exception):
    """Raised if a file begins like gzip but is not gzip, or if other bytes follow the compressed data."""


class LogBytes(io.RawIOBase):
    """The decompressed bytes of a log, as a stream that ends at an error instead of raising it.

    `error` is the error that ended the stream early, or None. `packed` is the number of bytes read so far,
    before decompression. `last` is the last byte returned, empty at the start.
    """

    def __init__(self, raw: Any, *, digesting: bool = False) -> None:
        # `read1` does not wait for more bytes than a slow pipe has available.
        self._take = getattr(raw, "read1", raw.read)
        self._rest: bytes = b""
        self._is_packed: bool | None = None
        self._member: Any = None
        self._hash = hashlib.blake2b(digest_size=16) if digesting else None
        self.error: Exception | None = None
        self.packed = 0
        self.last = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    @property
    def digest(self) -> str | None:
        """BLAKE2b hash of all bytes returned, 32 hex digits; None without `digesting`."""
        return None if self._hash is None else self._hash.hexdigest()

    def readinto(self, buffer: Any) -> int:
        """Read bytes into `buffer` and return their number: 0 only at the end or after an error."""
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
        """Append up to `size` bytes to `_rest`, and return whether any bytes were read."""
        data = self._take(size) or b""
        self.packed += len(data)
        self._rest += data
        return bool(data)

    def _next(self, most: int) -> bytes:
        if self._is_packed is None:
            # A slow pipe may return a single byte, which is enough: no text begins with gzip's first byte.
            self._more()
            self._is_packed = self._rest.startswith(_GZIP[:1])
        if self._is_packed:
            return self._unpacked(most)
        if not self._rest:
            self._more(most)
        data, self._rest = self._rest[:most], self._rest[most:]
        return data

    def _unpacked(self, most: int) -> bytes:
        """Return up to `most` decompressed bytes, empty at the end. Raises `EOFError` in a cut-off member."""
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
        """Begin the next member of a gzip file; return whether there is one. Raises `_DamagedError`."""
        first = self.packed == len(self._rest)
        while len(self._rest) < len(_GZIP) and self._more():
            pass
        if not first:
            # Zero bytes that pad a block (on tapes) are not a member.
            self._rest = self._rest.lstrip(b"\0")
            while not self._rest and self._more():
                self._rest = self._rest.lstrip(b"\0")
        if not self._rest:
            return False
        if not self._rest.startswith(_GZIP):
            raise _DamagedError("not a gzip file" if first else "something follows the compressed text")
        self._member = zlib.decompressobj(wbits=31)  # with the header and checksum of gzip
        return True

    def _salvaged(self, member: Any, most: int) -> bytes:
        """Return the decompressed bytes before the damage, which `zlib` discards when it raises."""
        data = bytearray()
        with suppress(zlib.error):
            for i in range(len(self._rest)):
                data += member.decompress(self._rest[i : i + 1], most - len(data))
                if len(data) == most:
                    break
        return bytes(data)


def open_log(file: str, stack: ExitStack, *, digesting: bool = False) -> LogBytes:
    """Open a log for reading ("-": standard input); `stack` closes it.

    Raises `OSError` for a file that cannot be opened, `LogError` for a referenced game that cannot be read or
    fetched.
    """
    if file == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise OSError("standard input is closed")
        return LogBytes(sys.stdin.buffer, digesting=digesting)
    if (game := game_reference(file)) is not None:
        return LogBytes(io.BytesIO(text_of(game)), digesting=digesting)
    if os.path.isdir(file):
        os.scandir(file).close()  # raises the error that prevented the search of the folder
    return LogBytes(stack.enter_context(open_file(file, "rb")), digesting=digesting)


def open_file(file: str, mode: str) -> io.FileIO:
    """Open a file as `io.FileIO` does, but raise `OSError` also for a file name that is not valid."""
    try:
        return io.FileIO(file, mode)
    except ValueError as error:
        # The name contains a zero byte or half a surrogate pair, which are invalid in file names.
        raise OSError(str(error)) from error


def buffered(stream: object) -> io.BufferedReader:
    """Return a buffered reader of a stream of bytes."""
    return io.BufferedReader(cast(io.RawIOBase, stream), BLOCK)


def _missing_advice(file: str) -> str:
    """Return the advice for a missing file: similar names in its folder, or how to get sample logs."""
    folder, name = os.path.split(file)
    near: tuple[str, ...] = ()
    with suppress(OSError, ValueError), os.scandir(folder or ".") as entries:
        near = nearest(name, (entry.name for entry in itertools.islice(entries, _LOOKED_AT)))
    if near:
        return "did you mean " + " or ".join(f'"{os.path.join(folder, other)}"' for other in near) + "?"
    return "`hanalyze demo` makes logs to try"


def file_error(error: Exception, file: str, rule: str) -> LogError:
    """Return the `LogError` for a file error; `rule` is used for causes without a rule of their own."""
    if isinstance(error, FileNotFoundError):
        if rule == "unwritable":
            return LogError("there is no such folder", rule="no_file", file=file, advice="create it first")
        return LogError("there is no such file", rule="no_file", file=file, advice=_missing_advice(file))
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

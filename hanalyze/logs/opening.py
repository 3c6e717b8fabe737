"""Opening a log, and saying why it does not open.

In: a path, or "-". Out: a buffered stream of bytes, unpacked if the file is compressed by gzip, which is told
by its first byte and not by its name.
"""

from __future__ import annotations

import io
import sys
import zlib
from contextlib import ExitStack
from typing import Final, cast

from hanalyze.errors import LogError

__all__ = ["BLOCK", "buffered", "file_error", "open_file", "open_log", "unpacked"]

BLOCK: Final = 2**18
"""Bytes that are read at a time."""
_GZIP: Final = b"\x1f"


def open_log(file: str, stack: ExitStack) -> io.BufferedReader:
    """Open a log to read what it holds, "-" standard input; `stack` closes it. Raises `OSError`."""
    if file != "-":
        stream = stack.enter_context(buffered(open_file(file, "rb")))
    elif isinstance(sys.stdin.buffer, io.BufferedReader):
        stream = sys.stdin.buffer
    else:
        stream = buffered(sys.stdin.buffer)
        stack.callback(stream.detach)
    return unpacked(stream, stack)


def unpacked(stream: io.BufferedReader, stack: ExitStack) -> io.BufferedReader:
    """Return a stream, or what it holds if it is compressed by gzip; `stack` closes what is opened."""
    # One byte is enough, for no text begins with it, and all that a slow pipe promises.
    if stream.peek(1)[:1] != _GZIP:
        return stream
    import gzip  # most files are not compressed

    return stack.enter_context(buffered(gzip.GzipFile(fileobj=stream)))


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
        what = "directory" if rule == "unwritable" else "file"
        return LogError(f"there is no such {what}", rule="no_file", file=file)
    way = "give a file in it" if rule == "unwritable" else "give the files in it"
    if isinstance(error, IsADirectoryError):
        return LogError("this is a directory", rule="is_directory", advice=way, file=file)
    if isinstance(error, PermissionError):
        return LogError("no permission", rule="no_permission", file=file)
    if isinstance(error, EOFError):
        return LogError("the compressed file ends too early", rule="truncated", file=file)
    if isinstance(error, zlib.error) or type(error).__name__ == "BadGzipFile":
        return LogError(f"the compressed file is damaged ({error})", rule="bad_gzip", file=file)
    return LogError(getattr(error, "strerror", None) or str(error), rule=rule, file=file)

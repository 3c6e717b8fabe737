"""Writes bytes to a file or standard output, and explains why a target cannot be written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from hanalyze.errors import HanalyzeError


def write_bytes(data: bytes, target: str) -> None:
    """Write bytes into a file, or to standard output where the target is "-".

    Raises `HanalyzeError` (rule `unwritable`) for a file, and `OSError` for a closed output.
    """
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with open(target, "wb") as file:
            file.write(data)
    except (OSError, ValueError) as error:  # a ValueError: a name that no file can have
        raise unwritable(error, target) from None


def write_pieces(pieces: Iterable[bytes], target: str) -> None:
    """Write bytes piece by piece, as `write_bytes` does; nothing is opened before the first piece."""
    pieces = iter(pieces)
    first = next(pieces, b"")
    write_bytes(first, target)
    if target == "-":
        for piece in pieces:
            write_bytes(piece, target)
        return
    try:
        with open(target, "ab") as file:
            for piece in pieces:
                file.write(piece)
    except OSError as error:
        raise unwritable(error, target) from None


def check_target(target: str) -> None:
    """Raise as `write_bytes` would where a path is clearly none to write to, before work goes into it."""
    if target == "-":
        return
    if os.path.isdir(target):
        raise unwritable(IsADirectoryError(), target)
    if not os.path.isdir(os.path.dirname(target) or "."):
        raise unwritable(FileNotFoundError(), target)


def unwritable(error: Exception, file: str) -> HanalyzeError:
    """Say in our words why a file cannot be written."""
    what, advice = getattr(error, "strerror", None) or str(error), None
    if isinstance(error, FileNotFoundError):
        what = "there is no such folder"
    elif isinstance(error, IsADirectoryError):
        what, advice = "this is a folder", "give a file in it"
    elif isinstance(error, PermissionError):
        what = "permission denied"
    return HanalyzeError(what, rule="unwritable", file=file, advice=advice)


def cache_folder(*first: str) -> Path | None:
    """Return the folder for what hanalyze may keep; None for a user without a home.

    Paths in `first` go before the usual ones, if they are absolute. A relative `XDG_CACHE_HOME` does not
    count: so its specification has it.

    >>> cache_folder("/var/cache").as_posix()
    '/var/cache/hanalyze'
    """
    places = (*first, os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~/.cache"))
    chosen = next(filter(os.path.isabs, places), None)
    return None if chosen is None else Path(chosen) / "hanalyze"

"""From paths to pieces of text: which files hold logs, and their bytes in pieces that end where games end.

In: files, folders (searched through, by the endings in `ENDINGS`) and patterns like `logs/*.jsonl`. Out:
`Segment`s. A file with a game per line is handed on as text, cut before a line that begins with `{`: there
the reader in `hanalyze.logs` forgets what was before, so each part may be read by itself. Any other file (an
array of games, blank lines first) is read by that reader, and comes as records.
"""

from __future__ import annotations

import glob
import hashlib
import io
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import Any, Final, NamedTuple

from hanalyze.errors import LogError
from hanalyze.logs.opening import buffered, file_error, open_file, open_log, unpacked
from hanalyze.logs.record import GameRecord
from hanalyze.logs.streams import MAX_GAME_BYTES, read_games, read_lines

__all__ = ["ENDINGS", "FileReader", "Segment", "find_files", "shown_path"]

ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
"""Endings of the files that are taken from a folder; a file that is named itself may have any."""

_PIECE_BYTES: Final = 3 * 2**20
_RECORDS: Final = 500


class Segment(NamedTuple):
    """Part of a file: whole lines of text from line `line` on, or what the reader made of them."""

    file: int
    """Number of the file."""
    path: str
    text: bytes
    line: int
    outcomes: list[GameRecord | LogError]


def find_files(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files that paths mean, each once, those of a folder or pattern by name.

    A file that does not exist stays in the list: reading it says so. Raises `LogError` (rule `no_file`) for a
    folder without a log, and for a pattern that nothing fits.
    """
    found: dict[str, None] = {}
    for path in [os.fspath(one) for one in paths]:
        if os.path.isdir(path):
            inside = sorted(
                os.path.join(folder, name)
                for folder, _, names in os.walk(path)
                for name in names
                if name.lower().endswith(ENDINGS)
            )
            if not inside:
                advice = "logs end in " + ", ".join(ENDINGS)
                raise LogError("there is no log in this folder", rule="no_file", file=path, advice=advice)
            found.update(dict.fromkeys(inside))
        elif glob.has_magic(path) and not os.path.lexists(path):
            fitting = sorted(one for one in glob.glob(path, recursive=True) if os.path.isfile(one))
            if not fitting:
                raise LogError("nothing fits this pattern", rule="no_file", file=path)
            found.update(dict.fromkeys(fitting))
        else:
            found[path] = None
    return list(found)


def shown_path(path: str) -> str:
    """Return a path as text that can be stored: bytes that are no UTF-8 as their escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class _Digesting(io.RawIOBase):
    """A stream whose bytes are digested as they are read."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self.hash = hashlib.blake2b(digest_size=16)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._stream.readinto(buffer)
        self.hash.update(buffer[:count])
        return count


class FileReader:
    """Reads files in turn; knows how far it is.

    `digests` are the digests of the files that were read to their end, by number; `done` the bytes read so
    far, and `total` those of all files (as packed on the disk).
    """

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files
        self.digests: dict[int, str] = {}
        self.total = sum(os.path.getsize(file) for file in files if os.path.isfile(file))
        self._before = 0
        self._raw: io.FileIO | None = None

    @property
    def done(self) -> int:
        """Bytes that were read so far."""
        if self._raw is None or self._raw.closed or not self._raw.seekable():
            return self._before
        return self._before + self._raw.tell()

    def pieces(self) -> Iterator[list[Segment]]:
        """Yield the segments of all files, in lists that are worth a worker's while."""
        piece: list[Segment] = []
        size = 0
        for number in range(len(self.files)):
            for segment in self._segments(number):
                piece.append(segment)
                size += len(segment.text) + len(segment.outcomes) * (_PIECE_BYTES // _RECORDS)
                if size >= _PIECE_BYTES // 2:
                    yield piece
                    piece, size = [], 0
        if piece:
            yield piece

    def _segments(self, number: int) -> Iterator[Segment]:
        path = self.files[number]
        # Nothing but reading happens inside this `try`.
        try:
            with ExitStack() as stack:
                if path == "-":
                    stream = open_log(path, stack)
                else:
                    self._raw = stack.enter_context(open_file(path, "rb"))
                    stream = unpacked(stack.enter_context(buffered(self._raw)), stack)
                digesting = _Digesting(stream)
                whole = buffered(digesting)
                if whole.peek(1)[:1] == b"{":
                    yield from self._texts(whole, number, path)
                else:
                    games = read_games(whole, path)
                    while outcomes := list(islice(games, _RECORDS)):
                        yield Segment(number, path, b"", 0, outcomes)
                self.digests[number] = digesting.hash.hexdigest()
                if self._raw is not None:
                    self._before += self._raw.tell()
        except (OSError, EOFError, zlib.error) as error:
            problem = file_error(error, path, "unreadable")
        else:
            return
        yield Segment(number, path, b"", 0, [problem])

    def _texts(self, stream: io.BufferedReader, number: int, path: str) -> Iterator[Segment]:
        """Yield a file with a game per line in parts that end before a line that begins with a brace."""
        line = 1
        rest = b""
        while block := stream.read(_PIECE_BYTES):
            text = rest + block
            cut = text.rfind(b"\n{") + 1
            if cut:
                part, rest = text[:cut], text[cut:]
                yield Segment(number, path, part, line, [])
                line += part.count(b"\n")
            elif len(text) > 2 * MAX_GAME_BYTES:
                # No game is as long: the reader passes over it without holding it.
                joined = buffered(_Joined(text, stream))
                first = joined.readline(MAX_GAME_BYTES + 1)
                outcomes = read_lines(first, joined, line, path)
                while some := list(islice(outcomes, _RECORDS)):
                    yield Segment(number, path, b"", 0, some)
                return
            else:
                rest = text
        if rest:
            yield Segment(number, path, rest, line, [])


class _Joined(io.RawIOBase):
    """Bytes, and then a stream."""

    def __init__(self, first: bytes, stream: io.BufferedReader) -> None:
        self._first = io.BytesIO(first)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._first.readinto(buffer) or self._stream.readinto(buffer)

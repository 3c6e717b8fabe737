"""Split log files, or records in memory, into pieces of whole games for workers.

A file with a game per line is passed on as text, split before lines that begin with `{`; any other file is
passed on as records.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from hanalyze.errors import LogError, check_kind
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.formats.registry import HANAB_LIVE, HEAD, format_of
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.open_log import LogBytes, buffered, file_error, open_file, open_log
from hanalyze.logs.sources.site import display_name
from hanalyze.logs.sources.streams import Outcome, read_lines, with_damage
from hanalyze.replaying import Replay

_PIECE_BYTES: Final = 3 * 2**20
_RECORDS: Final = 500
GAME_BYTES: Final = 3_400
"""Approximate size of a game's log in bytes."""


class Segment(NamedTuple):
    """Part of a file: whole lines of text, the first with number `line` (from 1), or records and errors."""

    file: int
    """Position of the file among the inputs, from 0."""
    path: str
    text: bytes
    line: int
    outcomes: list[Outcome]


def shown_path(path: str) -> str:
    """Return a path as text that can be stored; bytes that are not UTF-8 become escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class FileReader:
    """Reader of several files, one after the other.

    `done` and `total` count bytes on the disk; `total` is None if a file is a pipe. `digests` has the digests
    of completely read files, by file number (`Segment.file`).
    """

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files
        self.digests: dict[int, str | None] = {}
        is_pipe = any(file == "-" or (os.path.exists(file) and not os.path.isfile(file)) for file in files)
        sizes = (os.path.getsize(file) for file in files if os.path.isfile(file))
        self.total = None if is_pipe else sum(sizes)
        self._before = 0
        self._source: LogBytes | None = None
        self._given_up: set[int] = set()

    @property
    def done(self) -> int:
        """Bytes read so far."""
        return self._before + (0 if self._source is None else self._source.packed)

    def give_up(self, number: int) -> None:
        """Stop reading the file with this number."""
        self._given_up.add(number)

    def pieces(self) -> Iterator[list[Segment]]:
        """Yield the segments of all files, in lists large enough for a worker."""
        piece: list[Segment] = []
        size = 0
        for number, path in enumerate(self.files):
            for segment in self._segments(number, path):
                piece.append(segment)
                size += len(segment.text) + len(segment.outcomes) * (_PIECE_BYTES // _RECORDS)
                if size >= _PIECE_BYTES // 2:
                    yield piece
                    piece, size = [], 0
                if number in self._given_up:
                    break
            self._before, self._source = self.done, None
        if piece:
            yield piece

    def _segments(self, number: int, path: str) -> Iterator[Segment]:
        # This `try` contains only reading, so it catches no other errors.
        try:
            with ExitStack() as stack:
                source = self._source = open_log(path, stack, digesting=True)
                whole = buffered(source)
                name = display_name(path)
                head = whole.peek(HEAD)[:HEAD]
                chosen = format_of(head)
                if head[:1] == b"{" and chosen.name == HANAB_LIVE.name:
                    yield from self._texts(whole, source, number, name)
                else:
                    outcomes = chosen.read(whole, name)
                    yield from _outcome_segments(with_damage(outcomes, source, name), number, name)
                if source.error is None:
                    self.digests[number] = source.digest
        except OSError as error:
            yield Segment(number, path, b"", 0, [file_error(error, path, "unreadable")])
        except LogError as error:
            yield Segment(number, path, b"", 0, [error.at(file=display_name(path))])

    def range_of(self, start: int, end: int) -> Iterator[Segment]:
        """Yield the segments of a byte range of the first file, which has one game per line.

        Line numbers count from the start of the range.
        """
        path = self.files[0]
        try:
            with open_file(path, "rb") as file:
                file.seek(start)
                source = self._source = LogBytes(_Part(file, end - start))
                yield from self._texts(buffered(source), source, 0, display_name(path))
        except OSError as error:
            yield Segment(0, path, b"", 0, [file_error(error, path, "unreadable")])

    def _texts(
        self, stream: io.BufferedReader, source: LogBytes, number: int, path: str
    ) -> Iterator[Segment]:
        """Yield the segments of a file with a game per line, split before lines that begin with a brace."""
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
                # No game is this long, so the reader skips the line without loading it into memory.
                whole = buffered(_Joined(text, stream))
                outcomes = read_lines(whole, line, path)
                yield from _outcome_segments(with_damage(outcomes, source, path), number, path)
                return
            else:
                rest = text
        if source.error is not None:
            outcomes = read_lines(io.BytesIO(rest), line, path)
            yield from _outcome_segments(with_damage(outcomes, source, path), number, path)
        elif rest:
            yield Segment(number, path, rest, line, [])


def _outcome_segments(outcomes: Iterator[Outcome], number: int, path: str) -> Iterator[Segment]:
    while some := list(islice(outcomes, _RECORDS)):
        yield Segment(number, path, b"", 0, some)


class RecordReader:
    """Reader of records in memory, as if they were one file; each game counts as `GAME_BYTES` bytes."""

    def __init__(self, records: Iterable[GameRecord | Replay]) -> None:
        check_kind(records, Iterable, "give games, as in add([load(path)])")
        self.files: Sequence[str] = ("records",)
        self.digests: dict[int, str | None] = {}
        self.total: int | None = None
        self._records = iter(records)
        self._games = 0

    @property
    def done(self) -> int:
        """Approximate size in bytes of the games read so far, as logs."""
        return self._games * GAME_BYTES

    def give_up(self, number: int) -> None:
        """Stop reading."""
        self._records = iter(())

    def pieces(self) -> Iterator[list[Segment]]:
        """Yield the records in lists large enough for a worker.

        Raises `HanalyzeError` for a replay under other rules (`other_rules`) and for other objects (`usage`).
        """
        while given := list(islice(self._records, _RECORDS // 2)):
            some = [one.own_record() if isinstance(one, Replay) else one for one in given]
            for one in some:
                check_kind(one, GameRecord, "give games, as in add([load(path)]); ingest takes paths")
            self._games += len(some)
            yield [Segment(0, self.files[0], b"", 0, [*some])]


Source: TypeAlias = FileReader | RecordReader


class _Part:
    """Stream of the next `size` bytes of a file."""

    def __init__(self, file: io.FileIO, size: int) -> None:
        self._file = file
        self._left = size

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self._left)) or b""
        self._left -= len(data)
        return data


class _Joined(io.RawIOBase):
    """Stream of the bytes `first`, followed by the rest of another stream."""

    def __init__(self, first: bytes, stream: io.BufferedReader) -> None:
        self._first = io.BytesIO(first)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._first.readinto(buffer) or self._stream.readinto(buffer)

"""Split the bytes of a log into games, in bounded memory, and limit the number of listed errors."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, TypeAlias, cast

from hanalyze.errors import LogError
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.open_log import BLOCK, LogBytes, file_error

LISTED: Final = 10_000  # maximum number of errors of a file that are listed one by one
GIVEN_UP: Final = "given_up"  # rule of the error which reports that the rest of a file was not read
PATIENCE: Final = 1_000_000  # errors in a row after which the rest of a file is not read

Outcome: TypeAlias = GameRecord | LogError


class UnlistedErrors(LogError):
    """Further errors of a file that are not listed; `count` is their number."""

    def __init__(self, count: int, *, file: str, ends_early: bool = False) -> None:
        games = "1 more game" if count == 1 else f"{count:,} more games"
        super().__init__(f"{games} could not be read; {LISTED:,} are listed", rule="unlisted", file=file)
        self.count = count
        self.ends_early = ends_early  # whether the last unreadable text ends in the middle of a game


_MAX_DEPTH: Final = 32
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_REST_LOST: Final = "the rest of the array was not read"


def given_up(count: int, file: str) -> LogError:
    """Return the error for a file whose rest is not read after `count` errors in a row."""
    what = f"the rest of the file was not read after {count:,} errors in a row"
    return LogError(what, rule=GIVEN_UP, file=file)


def with_damage(outcomes: Iterator[Outcome], source: LogBytes, file: str) -> Iterator[Outcome]:
    """Yield outcomes, then the error that ended `source` early, if any.

    The error of a game that is incomplete because of this end is left out.
    """
    last: LogError | None = None
    for outcome in outcomes:
        if last is not None:
            yield last
        last = outcome if isinstance(outcome, LogError) else None
        if last is None:
            yield outcome
    if source.error is not None and last is not None:
        beyond = last if isinstance(last, UnlistedErrors) else None
        ends_early = beyond.ends_early if beyond is not None else last.rule == "truncated"
        if ends_early or source.last != b"\n":
            last = UnlistedErrors(beyond.count - 1, file=file) if beyond and beyond.count > 1 else None
    if last is not None:
        yield last
    if source.error is not None:
        yield file_error(source.error, file, "unreadable")


class ErrorLimit:
    """Counts the errors of a file, and decides which to list and when to stop reading."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._listed = 0
        self._unlisted = 0
        self.in_a_row = 0  # number of errors since the last game

    @property
    def is_reached(self) -> bool:
        """Whether reading ends because of too many errors in a row."""
        return self.in_a_row >= PATIENCE

    def lists_next(self) -> bool:
        """Count an error, and return whether it is listed."""
        self.in_a_row += 1
        is_listed = self._listed < LISTED
        self._listed += is_listed
        self._unlisted += not is_listed
        return is_listed

    def summary(self, *, ends_early: bool = False) -> Iterator[LogError]:
        """Yield errors about the whole file; `ends_early` tells whether its last text ends inside a game."""
        if self.is_reached:
            yield given_up(self.in_a_row, self._file)
        if self._unlisted:
            yield UnlistedErrors(self._unlisted, file=self._file, ends_early=ends_early)


def limited(outcomes: Iterable[Outcome], file: str) -> Iterator[Outcome]:
    """Yield games and listed errors until too many errors occur in a row, then errors about the file."""
    limit = ErrorLimit(file)
    for outcome in outcomes:
        if not isinstance(outcome, LogError):
            limit.in_a_row = 0
            yield outcome
        elif limit.lists_next():
            yield outcome
        if limit.is_reached:
            break
    yield from limit.summary()


class _Reader:
    """Reads the games of one file, and limits the number of listed errors."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.limit = ErrorLimit(file)
        self.ends_early = False  # whether the last unreadable text ends in the middle of a game

    def read(self, text: bytes, line: int) -> GameRecord | None:
        """Return the game in a text, None if it cannot be read; in that case, also update `ends_early`."""
        try:
            game = hanab_live.decode(text, self.file, line)
        except hanab_live.UNREADABLE as error:
            self.ends_early = hanab_live.ends_early(error, text)
            return None
        self.limit.in_a_row = 0
        return game

    def refuse(self, text: bytes, line: int, problem: LogError | None = None) -> Iterator[LogError]:
        """Count an unreadable text, and yield `problem` or the error of reading it, if it is to be listed."""
        if not self.limit.lists_next():
            return
        if problem is None:
            try:
                hanab_live.parse(text, file=self.file, line=line)
            except LogError as error:
                problem = error
        assert problem is not None
        yield problem


def read_stream(stream: io.BufferedReader, file: str) -> Iterator[Outcome]:
    """Yield the games and errors of a file: an array of games, or games that each begin on a new line."""
    reader = _Reader(file)
    first = stream.readline(MAX_GAME_BYTES + 1).removeprefix(codecs.BOM_UTF8)
    number = 1
    while first.isspace():
        number += 1
        first = stream.readline(MAX_GAME_BYTES + 1)
    if not first:
        yield LogError("the file is empty", rule="empty", file=file)
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield LogError("this is UTF-16", rule="bad_encoding", advice="save it as UTF-8", file=file)
    elif first.lstrip().startswith(b"["):
        yield from _array(first.lstrip()[1:], stream, number, reader)
    else:
        yield from _lines(first, stream, number, reader)


def read_lines(stream: io.BufferedIOBase, number: int, file: str) -> Iterator[Outcome]:
    """Yield the games and errors of the part of a file that begins at line `number` (from 1)."""
    return _lines(stream.readline(MAX_GAME_BYTES + 1), stream, number, _Reader(file))


def _too_large(file: str, line: int) -> LogError:
    return LogError(f"a game of more than {MAX_GAME_BYTES} bytes", rule="too_large", file=file, line=line)


# --- a game on one or more lines --------------------------------------------------------------------------


def _lines(line: bytes, stream: io.BufferedIOBase, number: int, reader: _Reader) -> Iterator[Outcome]:
    """Yield the games from `line`, whose number is `number`, to the end of the stream."""
    # Lines of a game of more than one line. `size` is their total length, even if `parts` omits some of them.
    parts: list[bytes] = []
    begin, size = 0, 0
    while True:
        if parts and (not line or line.startswith(b"{")):
            # A game of a single line was tried before and could not be read.
            text = parts[0] if len(parts) == 1 else b"".join(parts)
            is_large = size > MAX_GAME_BYTES
            game = reader.read(text, begin) if len(parts) > 1 and not is_large else None
            if game is not None:
                yield game
            else:
                yield from reader.refuse(text, begin, _too_large(reader.file, begin) if is_large else None)
            parts = []
        if not line or reader.limit.is_reached:
            break
        if parts:
            size += len(line)
            if size <= MAX_GAME_BYTES:
                parts.append(line)
        elif len(line) > MAX_GAME_BYTES:
            yield from reader.refuse(b"", number, _too_large(reader.file, number))
        elif not line.isspace():
            game = reader.read(line, number)
            if game is not None:
                yield game
            elif reader.ends_early:
                parts, begin, size = [line], number, len(line)
            else:
                yield from reader.refuse(line, number)
        if len(line) > MAX_GAME_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(BLOCK)
        line = stream.readline(MAX_GAME_BYTES + 1)
        number += 1
    yield from reader.limit.summary(ends_early=reader.ends_early)


# --- an array of games ------------------------------------------------------------------------------------


def _array(rest: bytes, stream: io.BufferedReader, line: int, reader: _Reader) -> Iterator[Outcome]:
    """Yield the games of an array; `rest` is the text after its opening bracket, as far as it was read."""
    at, index, ended = 0, 0, False
    file = reader.file
    match = _token().match
    at_end: LogError | None = None
    while not reader.limit.is_reached:
        token = cast(re.Match[bytes], match(rest, at))
        begin, end = token.span(1)
        is_value = begin >= 0
        if not is_value:
            begin, end = token.end(), len(rest)
        line += rest.count(b"\n", at, begin)
        if rest.startswith(b"]", begin):
            if not _only_space(rest[begin + 1 :], stream):
                yield LogError("there is text after the array", rule="not_json", file=file, line=line)
            break
        if not ended and end == len(rest):
            # Double `rest` with each read, so that a long game is searched only a few times.
            rest = rest[begin:]
            if len(rest) > MAX_GAME_BYTES:
                error = _too_deep(rest, file, line) or _too_large(file, line)
                error.advice = _REST_LOST
                yield error.at(game=f"[{index}]")
                break
            at = 0
            more = stream.read(max(BLOCK, len(rest)))
            ended = not more
            rest += more
        elif begin == len(rest):
            at_end = LogError("the file ends inside an array", rule="truncated", file=file, line=line)
            break
        else:
            text = rest[begin:end]
            problem = None if is_value else _too_deep(text, file, line)
            if len(text) > MAX_GAME_BYTES:
                problem = _too_large(file, line)
            game = reader.read(text, line) if problem is None else None
            if game is not None:
                yield game
            else:
                for error in reader.refuse(text, line, problem):
                    error.advice = error.advice if is_value else _REST_LOST
                    yield error.at(game=f"[{index}]")
            if not is_value:
                break
            line += text.count(b"\n")
            at = end
            index += 1
    yield from reader.limit.summary()
    if at_end is not None:
        yield at_end


@cache
def _token() -> re.Pattern[bytes]:
    """Return a pattern of spaces and commas, followed by an optional JSON value (group 1).

    A value is an object, an array, a string or a word such as `null`. Within a value, braces and square
    brackets are treated alike; the decoder checks them. But an object must end with a brace: otherwise a game
    without its last brace would swallow the rest of the array.

    The repetitions are possessive (`*+`), so matching takes time proportional to the length of any text.
    """
    plain = rb'[^"{}\[\]]*+'
    inside = plain
    for _ in range(_MAX_DEPTH):
        inside = rb"%b(?:(?:%b|[{\[]%b[}\]])%b)*+" % (plain, _STRING, inside, plain)
    values = (rb"\{%b\}" % inside, rb"\[%b\]" % inside, _STRING, rb'[^\s,"{}\[\]]+')
    return re.compile(rb"[\s,]*+(%b)?" % b"|".join(values), re.DOTALL)


def _too_deep(text: bytes, file: str, line: int) -> LogError | None:
    """Return an error if brackets nested too deeply keep `text` from matching `_token`, otherwise None."""
    depth = 0
    # An unclosed string extends to the end of the text; otherwise each quote in it would be tried again.
    for token in re.finditer(rb"%b?|[{}\[\]]" % _STRING, text, re.DOTALL):
        if token[0] in b"{[":
            depth += 1
        elif token[0] in b"}]":
            depth -= 1
        if depth > _MAX_DEPTH:
            return LogError("brackets are nested too deeply", rule="too_deep", file=file, line=line)
    return None


def _only_space(rest: bytes, stream: io.BufferedReader) -> bool:
    while not rest.strip():
        rest = stream.read(BLOCK)
        if not rest:
            return True
    return False

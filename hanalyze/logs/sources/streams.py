"""Splits the bytes of a log into games; bad input takes bounded room and time.

Of a file `LISTED` errors are listed and the others counted; after `PATIENCE` of them in a row, or
`PATIENCE_BYTES`, the rest of the file is not read. Both are reported.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, Generic, Protocol, TypeAlias, TypeVar, cast

from hanalyze.errors import LogError
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.open_log import BLOCK, LogBytes, file_error

LISTED: Final = 10_000
"""Errors of a file that are listed one by one."""
GIVEN_UP: Final = "given_up"
"""The rule of the error that says that a file was given up."""
PATIENCE: Final = 1_000_000
"""Errors without a game between them after which a file is given up."""
PATIENCE_BYTES: Final = 2**30
"""Bytes without a game among them after which a file is given up."""

Outcome: TypeAlias = GameRecord | LogError
Game = TypeVar("Game")
Decode: TypeAlias = Callable[[bytes, str, int], Game]
"""Reads one game, given its file and line, as `hanab_live.decode` does."""


class UnlistedErrors(LogError):
    """Errors of a file beyond those that are listed; `count` says how many."""

    def __init__(self, count: int, *, file: str, ends_early: bool = False) -> None:
        games = "1 more game" if count == 1 else f"{count:,} more games"
        super().__init__(f"{games} could not be read; {LISTED:,} are listed", rule="unlisted", file=file)
        self.count = count
        self.ends_early = ends_early
        """Whether the last of them is a text that ends within a game."""


class Lines(Protocol):
    """A stream of bytes, read by lines."""

    def readline(self, size: int = -1, /) -> bytes:
        """Return the next line with its end, at most `size` bytes of it."""
        ...


_UTF_8_MARK: Final = b"\xef\xbb\xbf"
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_MAX_DEPTH: Final = 32
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_REST_LOST: Final = "the rest of the array was not read"


def given_up(count: int, file: str) -> LogError:
    """Return the error for a file that is given up after so many errors in a row, or a long text, 0."""
    found = f"{count:,} errors in a row" if count else f"{PATIENCE_BYTES / 2**30:g} GiB without a game"
    return LogError(f"the rest of the file was not read after {found}", rule=GIVEN_UP, file=file)


def with_damage(outcomes: Iterator[Outcome], source: LogBytes, file: str) -> Iterator[Outcome]:
    """Yield outcomes, and at their end what ended the stream early, in place of the game that it cut."""
    last: LogError | None = None
    for outcome in outcomes:
        if last is not None:
            yield last
            last = None
        if isinstance(outcome, LogError):
            last = outcome
        else:
            yield outcome
    if source.error is not None and last is not None:
        # What was cut is no game any more, though it may have been counted as one.
        beyond = last if isinstance(last, UnlistedErrors) else None
        ends_early = beyond.ends_early if beyond is not None else last.rule == "truncated"
        if ends_early or source.last != b"\n":
            last = UnlistedErrors(beyond.count - 1, file=file) if beyond and beyond.count > 1 else None
    if last is not None:
        yield last
    if source.error is not None:
        yield file_error(source.error, file, "unreadable")


class _Reader(Generic[Game]):
    """Reads the games of one file, and bounds the listed errors."""

    def __init__(self, file: str, decode: Decode[Game]) -> None:
        self._file = file
        self._decode = decode
        self._listed = 0
        self._unlisted = 0
        self._cut = False
        self._in_a_row = 0
        self._bytes = 0
        self.ends_early = False
        """Whether the last text that was no game ends within one."""
        self.is_out_of_patience = False
        """Whether the rest of the file is not read, after too many errors or bytes without a game."""
        self.at_end: LogError | None = None
        """What is wrong with the end of the file; yielded last."""

    def read(self, text: bytes, line: int) -> Game | None:
        """Return the game in a text; for None, `ends_early` says whether the text ends within a game."""
        try:
            game = self._decode(text, self._file, line)
        except hanab_live.UNREADABLE as error:
            self.ends_early = hanab_live.ends_early(error, text)
            return None
        self._in_a_row = self._bytes = 0
        return game

    def refuse(self, text: bytes, line: int, problem: LogError | None = None) -> LogError | None:
        """Return the error for an unreadable text, or None if it is only counted."""
        self._in_a_row += 1
        self.skip(len(text))
        if self._listed == LISTED:
            self._unlisted += 1
            self._cut = self.ends_early
            return None
        self._listed += 1
        if problem is not None:
            return problem
        try:
            hanab_live.parse(text, file=self._file, line=line)
        except LogError as error:
            return error
        raise AssertionError("what is no game cannot be read")

    def skip(self, size: int) -> None:
        """Count bytes outside games."""
        self._bytes += size
        if self._in_a_row >= PATIENCE or self._bytes >= PATIENCE_BYTES:
            self.is_out_of_patience = True

    def last_words(self) -> Iterator[LogError]:
        """Yield errors that concern the file as a whole."""
        if self.is_out_of_patience:
            yield given_up(self._in_a_row if self._in_a_row >= PATIENCE else 0, self._file)
        if self._unlisted:
            yield UnlistedErrors(self._unlisted, file=self._file, ends_early=self._cut)
        if self.at_end is not None:
            yield self.at_end


def read_stream(stream: io.BufferedReader, file: str) -> Iterator[Outcome]:
    """Yield the games of a file: an array of games, or games on lines of their own."""
    reader = _Reader(file, hanab_live.decode)
    first = stream.readline(MAX_GAME_BYTES + 1).removeprefix(_UTF_8_MARK)
    number = 1
    while first.isspace() and not reader.is_out_of_patience:
        number += first.count(b"\n")
        # Millions of blank lines are read at once.
        ahead = stream.peek(1)
        lines = ahead.rfind(b"\n", 0, len(ahead) - len(ahead.lstrip())) + 1
        first = stream.read(lines) if lines else stream.readline(MAX_GAME_BYTES + 1)
        reader.skip(len(first))
    if not first:
        yield LogError("the file is empty", rule="empty", file=file)
    if first.startswith(_UTF_16_MARKS):
        yield LogError("this is UTF-16", rule="bad_encoding", advice="save it as UTF-8", file=file)
    elif first.lstrip().startswith(b"["):
        yield from _array(first.lstrip()[1:], stream, number, reader, file)
    else:
        yield from _lines(first, stream, number, reader, file)
    yield from reader.last_words()


def read_lines(stream: Lines, number: int, file: str, decode: Decode[Game]) -> Iterator[Game | LogError]:
    """Read games, each on a line or on several, from a part of a file that begins with line `number`."""
    reader = _Reader(file, decode)
    yield from _lines(stream.readline(MAX_GAME_BYTES + 1), stream, number, reader, file)
    yield from reader.last_words()


def _too_large(file: str, line: int) -> LogError:
    return LogError(f"a game of more than {MAX_GAME_BYTES} bytes", rule="too_large", file=file, line=line)


# --- a game per line, or per several lines ----------------------------------------------------------------


def _lines(
    line: bytes, stream: Lines, number: int, reader: _Reader[Game], file: str
) -> Iterator[Game | LogError]:
    """Read from `line`, which has this number, to the end of the stream."""
    # Lines of a game that did not end on its first one; with `size`, which goes on counting when they are
    # too many to be kept.
    parts: list[bytes] = []
    begin, size = 0, 0
    while True:
        if parts and (not line or line.startswith(b"{")):
            # One line alone was read before.
            text = parts[0] if len(parts) == 1 else b"".join(parts)
            game = reader.read(text, begin) if len(parts) > 1 and size <= MAX_GAME_BYTES else None
            if game is not None:
                yield game
            else:
                large = _too_large(file, begin) if size > MAX_GAME_BYTES else None
                problem = reader.refuse(text, begin, large)
                if problem is not None:
                    yield problem
            parts = []
        if not line or reader.is_out_of_patience:
            return
        too_long = len(line) > MAX_GAME_BYTES
        if parts:
            size += len(line)
            if size <= MAX_GAME_BYTES:
                parts.append(line)
        elif too_long:
            problem = reader.refuse(b"", number, _too_large(file, number))
            if problem is not None:
                yield problem
        elif line.isspace():
            reader.skip(len(line))
        else:
            game = reader.read(line, number)
            if game is not None:
                yield game
            elif reader.ends_early:
                parts, begin, size = [line], number, len(line)
            else:
                problem = reader.refuse(line, number)
                if problem is not None:
                    yield problem
        if too_long:
            while line and not line.endswith(b"\n") and not reader.is_out_of_patience:
                line = stream.readline(BLOCK)
                reader.skip(len(line))
        line = stream.readline(MAX_GAME_BYTES + 1)
        number += 1


# --- an array of games ------------------------------------------------------------------------------------


def _array(
    rest: bytes, stream: io.BufferedReader, line: int, reader: _Reader[GameRecord], file: str
) -> Iterator[Outcome]:
    """Read what follows the array's first bracket; `rest` is what was read of it already."""
    at, index, ended = 0, 0, False
    match = _token().match
    while not reader.is_out_of_patience:
        token = cast(re.Match[bytes], match(rest, at))
        begin, end = token.span(1)
        if begin < 0:
            begin, end = token.end(), len(rest)
        if rest.startswith(b"]", begin):
            if not _only_space(rest[begin + 1 :], stream):
                line += rest.count(b"\n", at, begin)
                yield LogError("there is text after the array", rule="not_json", file=file, line=line)
            return
        if not ended and end == len(rest):
            # Ask for as much as is there, so that a long game is not looked through again and again.
            line += rest.count(b"\n", at, begin)
            reader.skip(begin - at)
            rest = rest[begin:]
            if len(rest) > MAX_GAME_BYTES:
                error = _too_deep(rest, file, line) or _too_large(file, line)
                error.advice = _REST_LOST
                error.at(game=f"[{index}]")
                yield error
                return
            at = 0
            more = stream.read(max(BLOCK, len(rest)))
            ended = not more
            rest += more
        elif begin == len(rest):
            line += rest.count(b"\n", at, begin)
            message = "the file ends inside an array"
            reader.at_end = LogError(message, rule="truncated", file=file, line=line)
            return
        else:
            line += rest.count(b"\n", at, begin)
            text = rest[begin:end]
            problem: LogError | None = None
            if len(text) > MAX_GAME_BYTES:
                problem = _too_large(file, line)
            elif token[1] is None:
                problem = _too_deep(text, file, line)
            game = reader.read(text, line) if problem is None else None
            if game is not None:
                yield game
            elif (problem := reader.refuse(text, line, problem)) is not None:
                problem.at(game=f"[{index}]")
                if token[1] is None:
                    problem.advice = _REST_LOST
                yield problem
            if token[1] is None:
                return
            line += text.count(b"\n")
            at = end
            index += 1


@cache
def _token() -> re.Pattern[bytes]:
    """Return a pattern of space and commas and, if it follows, one JSON value: group 1.

    A value is followed as far as strings and balanced brackets go. Within it one bracket is like another: the
    reader of the game will tell. But an object must end like one, or a game that lacks its last brace
    would end with the array, and take the next games with it.

    Whatever is matched is never looked at twice (the `+` after a repetition), so that it takes time in
    proportion to the text, also when the text is made to be slow.
    """
    plain = rb'[^"{}\[\]]*+'
    inside = plain
    for _ in range(_MAX_DEPTH):
        inside = rb"%b(?:(?:%b|[{\[]%b[}\]])%b)*+" % (plain, _STRING, inside, plain)
    values = (rb"\{%b\}" % inside, rb"\[%b\]" % inside, _STRING, rb'[^\s,"{}\[\]]+')
    return re.compile(rb"[\s,]*+(%b)?" % b"|".join(values), re.DOTALL)


def _too_deep(text: bytes, file: str, line: int) -> LogError | None:
    """Return an error if it is for its depth that `_value` finds no value in `text`."""
    depth = 0
    # A string that does not end is taken to the end of the text, or each quote in it would be tried anew.
    for token in re.finditer(rb"%b?|[{}\[\]]" % _STRING, text, re.DOTALL):
        if token[0] in b"{[":
            depth += 1
        elif token[0] in b"}]":
            depth -= 1
        if depth > _MAX_DEPTH:
            message = "brackets are nested too deeply"
            return LogError(message, rule="too_deep", file=file, line=line)
    return None


def _only_space(rest: bytes, stream: io.BufferedReader) -> bool:
    while not rest.strip():
        rest = stream.read(BLOCK)
        if not rest:
            return True
    return False

r"""Files of games: from a path or standard input to records, one after the other, and back.

In: paths. A file holds one game, an array of games, or a game per line, each also compressed by gzip, which
is told by its first byte and not by its name. Out: a `GameRecord` per game, in memory that does not grow with
the file; what cannot be read becomes a `LogError` with its file and line, and reading goes on after it.

Accepted beyond that:

- a byte order mark before UTF-8, blank lines, line ends of any kind;
- games spread over several lines, if each begins with a `{` in the first column;
- commas too many or too few between the games of an array.

A game of more than `MAX_GAME_BYTES` is passed over without being held; in an array reading ends there.
"""

from __future__ import annotations

import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import IO, Final, TypeAlias, cast

from hanalyze.errors import LogError
from hanalyze.logs import hanab_live
from hanalyze.logs.record import GameRecord

__all__ = ["MAX_GAME_BYTES", "RULES", "load", "read", "write"]

RULES: Final = {
    "bad_encoding": "the file is not in UTF-8",
    "bad_gzip": "the file is compressed, but damaged",
    "empty": "the file holds nothing",
    "is_directory": "a directory was given in place of a file",
    "no_file": "there is no such file, or no directory to write it in",
    "no_permission": "the file may not be read or written",
    "not_json": "something that is not JSON follows an array of games",
    "not_one_game": "a file that is to hold one game holds none or several",
    "too_large": "a game is longer than any game can be",
    "too_deep": "brackets are nested too deeply to be read",
    "truncated": "the file ends too early",
    "unreadable": "the system cannot read the file",
    "unwritable": "the system cannot write the file",
}
"""What can be wrong with a file: every `rule` of a `LogError` from here, and its meaning."""

MAX_GAME_BYTES: Final = 16 * 2**20
"""The longest game that is read: a thousand times what a game with many notes takes."""

_FEW: Final = 1000
"""Problems of a file without a game yet that are held back, to be one if it has none."""

Path: TypeAlias = str | os.PathLike[str]

_BLOCK: Final = 2**18
_GZIP: Final = b"\x1f"
_UTF_8_MARK: Final = b"\xef\xbb\xbf"
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_MAX_DEPTH: Final = 32
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_REST_LOST: Final = "the rest of the array was not read"


def read(
    paths: Path | Iterable[Path], *, on_error: Callable[[LogError], object] | None = None
) -> Iterator[GameRecord]:
    """Yield the games of a file, or of several, in their order; "-" is standard input.

    What cannot be read is raised, or given to `on_error`; then reading goes on with the next game or file. A
    file without a single game is one problem: its first, with the number of the others.

    >>> problems = []
    >>> list(read("no-such-file.json", on_error=problems.append))
    []
    >>> print(problems[0])
    no-such-file.json: there is no such file
    """
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        for outcome in _summed_up(_outcomes(os.fspath(path))):
            if isinstance(outcome, GameRecord):
                yield outcome
            elif on_error is None:
                raise outcome
            else:
                on_error(outcome)


def load(path: Path) -> GameRecord:
    """Return the one game of a file; a file with none or several raises a `LogError`.

    >>> load("no-such-file.json")
    Traceback (most recent call last):
    hanalyze.errors.LogError: no-such-file.json: there is no such file
    """
    games = read(path)
    game = next(games, None)
    if game is None:
        raise LogError("0 games where one was expected", rule="not_one_game", file=os.fspath(path))
    if next(games, None) is not None:
        raise LogError("at least 2 games where one was expected", rule="not_one_game", file=os.fspath(path))
    return game


def write(records: Iterable[GameRecord], target: Path | IO[bytes]) -> int:
    r"""Write a game per line, and return how many there were.

    `target` is a path, "-" for standard output, or a binary stream. A path that ends in `.gz` is compressed:
    the same games make the same bytes, whenever they are written.

    >>> stream = io.BytesIO()
    >>> write([GameRecord(players=("Alice", "Bob"))], stream)
    1
    >>> stream.getvalue()
    b'{"players":["Alice","Bob"],"actions":[]}\n'
    """
    if not isinstance(target, str | os.PathLike):
        return _put(records, target)
    file = os.fspath(target)
    if file == "-":
        count = _put(records, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return count
    try:
        with ExitStack() as stack:
            stream: IO[bytes] = stack.enter_context(io.BufferedWriter(_opened(file, "wb"), _BLOCK))
            if file.endswith(".gz"):
                import gzip  # most files are not compressed

                packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0)
                stream = cast(IO[bytes], stack.enter_context(packed))
            return _put(records, stream)
    except OSError as error:
        problem = _file_error(error, file, "unwritable")
    raise problem


def _put(records: Iterable[GameRecord], stream: IO[bytes]) -> int:
    count = 0
    for record in records:
        stream.write(hanab_live.to_json(record) + b"\n")
        count += 1
    return count


# --- from a path to outcomes: a record, or what was wrong in its place ------------------------------------

_Outcome: TypeAlias = GameRecord | LogError


def _summed_up(outcomes: Iterator[_Outcome]) -> Iterator[_Outcome]:
    """Yield the outcomes of a file, or one problem instead of many if it is no log at all."""
    problems: list[LogError] = []
    for outcome in outcomes:
        if isinstance(outcome, LogError) and len(problems) < _FEW:
            problems.append(outcome)
            continue
        yield from problems
        yield outcome
        yield from outcomes
        return
    if len(problems) > 1:
        more = len(problems) - 1
        problems[0].message += f", and {more} more like it: there is no game in this file"
    yield from problems[:1]


def _outcomes(file: str) -> Iterator[_Outcome]:
    # Nothing but reading happens inside this `try`: what the caller does with an outcome stays out of it.
    try:
        with ExitStack() as stack:
            yield from _games(_open(file, stack), file)
    except (OSError, EOFError, zlib.error) as error:
        problem = _file_error(error, file, "unreadable")
    else:
        return
    yield problem


def _open(file: str, stack: ExitStack) -> io.BufferedReader:
    if file != "-":
        stream = stack.enter_context(_buffered(_opened(file, "rb")))
    elif isinstance(sys.stdin.buffer, io.BufferedReader):
        stream = sys.stdin.buffer
    else:
        stream = _buffered(sys.stdin.buffer)
        stack.callback(stream.detach)
    # One byte is enough, for no text begins with it, and all that a slow pipe promises.
    if stream.peek(1)[:1] != _GZIP:
        return stream
    import gzip  # most files are not compressed

    return stack.enter_context(_buffered(gzip.GzipFile(fileobj=stream)))


def _opened(file: str, mode: str) -> io.FileIO:
    try:
        return io.FileIO(file, mode)
    except ValueError as error:
        # A name that no file can have: with a zero byte, or with half a surrogate pair.
        raise OSError(str(error)) from error


def _buffered(stream: object) -> io.BufferedReader:
    return io.BufferedReader(cast(io.RawIOBase, stream), _BLOCK)


def _file_error(error: Exception, file: str, rule: str) -> LogError:
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


def _games(stream: io.BufferedReader, file: str) -> Iterator[_Outcome]:
    """Tell the format by how the file begins. A format that is not JSON would be told here, too."""
    number, first = 0, b""
    while not first.strip():
        first = stream.readline(MAX_GAME_BYTES + 1)
        if not first:
            yield LogError("the file is empty", rule="empty", file=file)
            return
        number += 1
        if number == 1:
            first = first.removeprefix(_UTF_8_MARK)
    if first.startswith(_UTF_16_MARKS):
        yield LogError("this is UTF-16", rule="bad_encoding", advice="save it as UTF-8", file=file)
    elif first.lstrip().startswith(b"["):
        yield from _array(first.lstrip()[1:], stream, number, file)
    else:
        yield from _lines(first, stream, number, file)


def _outcome(text: bytes, file: str, line: int) -> _Outcome:
    try:
        return hanab_live.parse(text, file=file, line=line)
    except LogError as error:
        return error


def _too_large(file: str, line: int) -> LogError:
    return LogError(f"a game of more than {MAX_GAME_BYTES} bytes", rule="too_large", file=file, line=line)


# --- a game per line, or per several lines ----------------------------------------------------------------


def _lines(line: bytes, stream: io.BufferedReader, number: int, file: str) -> Iterator[_Outcome]:
    """Read from `line`, which has this number, to the end of the stream."""
    # Lines of a game that did not end on its first one; with `size`, which goes on counting when they are
    # too many to be kept.
    parts: list[bytes] = []
    begin, size = 0, 0
    while True:
        if parts and (not line or line.startswith(b"{")):
            if size > MAX_GAME_BYTES:
                yield _too_large(file, begin)
            else:
                yield _outcome(b"".join(parts), file, begin)
            parts = []
        if not line:
            return
        too_long = len(line) > MAX_GAME_BYTES
        if parts:
            size += len(line)
            if size <= MAX_GAME_BYTES:
                parts.append(line)
        elif too_long:
            yield _too_large(file, number)
        elif not line.isspace():
            outcome = _outcome(line, file, number)
            if isinstance(outcome, LogError) and outcome.rule == "truncated":
                parts, begin, size = [line], number, len(line)
            else:
                yield outcome
        if too_long:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_BLOCK)
        line = stream.readline(MAX_GAME_BYTES + 1)
        number += 1


# --- an array of games ------------------------------------------------------------------------------------


def _array(rest: bytes, stream: io.BufferedReader, line: int, file: str) -> Iterator[_Outcome]:
    """Read what follows the array's first bracket; `rest` is what was read of it already."""
    at, index, ended = 0, 0, False
    while True:
        gap = cast(re.Match[bytes], _gap().match(rest, at))
        line += rest.count(b"\n", at, gap.end())
        at = gap.end()
        if rest.startswith(b"]", at):
            if not _only_space(rest[at + 1 :], stream):
                yield LogError("something follows the array", rule="not_json", file=file, line=line)
            return
        value = _value().match(rest, at)
        if not ended and (value is None or value.end() == len(rest)):
            # Ask for as much as is there, so that a long game is not looked through again and again.
            rest = rest[at:]
            if len(rest) > MAX_GAME_BYTES:
                error = _too_deep(rest, file, line) or _too_large(file, line)
                error.advice = _REST_LOST
                error.at(game=f"[{index}]")
                yield error
                return
            at = 0
            more = stream.read(max(_BLOCK, len(rest)))
            ended = not more
            rest += more
        elif at == len(rest):
            yield LogError("the file ends inside of an array", rule="truncated", file=file, line=line)
            return
        else:
            end = value.end() if value else len(rest)
            if end - at > MAX_GAME_BYTES:
                outcome: _Outcome = _too_large(file, line)
            elif value is None and (too_deep := _too_deep(rest[at:], file, line)):
                outcome = too_deep
            else:
                outcome = _outcome(rest[at:end], file, line)
            if isinstance(outcome, LogError):
                outcome.at(game=f"[{index}]")
                if value is None:
                    outcome.advice = _REST_LOST
            yield outcome
            if value is None:
                return
            line += rest.count(b"\n", at, end)
            at = end
            index += 1


@cache
def _gap() -> re.Pattern[bytes]:
    return re.compile(rb"[\s,]*")


@cache
def _value() -> re.Pattern[bytes]:
    """Return a pattern of one JSON value, as far as strings and balanced brackets go.

    Within a value one bracket is like another: the reader of the game will tell. But an object must end like
    one, or a game that lacks its last brace would end with the array, and take the next games with it.

    Whatever is matched is never looked at twice (the `+` after a repetition), so that it takes time in
    proportion to the text, also when the text is made to be slow.
    """
    plain = rb'[^"{}\[\]]*+'
    inside = plain
    for _ in range(_MAX_DEPTH):
        inside = rb"%b(?:(?:%b|[{\[]%b[}\]])%b)*+" % (plain, _STRING, inside, plain)
    values = (rb"\{%b\}" % inside, rb"\[%b\]" % inside, _STRING, rb'[^\s,"{}\[\]]+')
    return re.compile(b"|".join(values), re.DOTALL)


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
        rest = stream.read(_BLOCK)
        if not rest:
            return True
    return False

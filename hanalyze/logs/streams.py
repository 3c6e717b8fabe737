"""From the bytes of a log to its games, one after the other.

In: a stream. Out: outcomes, each a `GameRecord`, or the `LogError` that stands in its place. The form (a
game per line, or an array of games) is told by how the stream begins.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, TypeAlias, cast

from hanalyze.errors import LogError
from hanalyze.logs import hanab_live
from hanalyze.logs.opening import BLOCK
from hanalyze.logs.record import GameRecord

__all__ = ["MAX_GAME_BYTES", "Outcome", "read_games", "read_lines"]

MAX_GAME_BYTES: Final = 16 * 2**20
"""The longest game that is read: a thousand times what a game with many notes takes."""

Outcome: TypeAlias = GameRecord | LogError

_UTF_8_MARK: Final = b"\xef\xbb\xbf"
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_MAX_DEPTH: Final = 32
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_REST_LOST: Final = "the rest of the array was not read"


def read_games(stream: io.BufferedReader, file: str) -> Iterator[Outcome]:
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
        yield from read_lines(first, stream, number, file)


def _outcome(text: bytes, file: str, line: int) -> Outcome:
    try:
        return hanab_live.parse(text, file=file, line=line)
    except LogError as error:
        return error


def _too_large(file: str, line: int) -> LogError:
    return LogError(f"a game of more than {MAX_GAME_BYTES} bytes", rule="too_large", file=file, line=line)


# --- a game per line, or per several lines ----------------------------------------------------------------


def read_lines(line: bytes, stream: io.BufferedReader, number: int, file: str) -> Iterator[Outcome]:
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
                line = stream.readline(BLOCK)
        line = stream.readline(MAX_GAME_BYTES + 1)
        number += 1


# --- an array of games ------------------------------------------------------------------------------------


def _array(rest: bytes, stream: io.BufferedReader, line: int, file: str) -> Iterator[Outcome]:
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
            more = stream.read(max(BLOCK, len(rest)))
            ended = not more
            rest += more
        elif at == len(rest):
            yield LogError("the file ends inside of an array", rule="truncated", file=file, line=line)
            return
        else:
            end = value.end() if value else len(rest)
            if end - at > MAX_GAME_BYTES:
                outcome: Outcome = _too_large(file, line)
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
        rest = stream.read(BLOCK)
        if not rest:
            return True
    return False

"""Shared reader of formats with one game per line, or one per text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from hanalyze.errors import LogError
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.streams import LISTED, PATIENCE, UnlistedErrors, given_up

_BLOCK = 2**16
_SPREAD = re.compile(rb"\s*\{\s*\n")
"""One that is spread, as for people, has nothing but its bracket on its first line."""


class _Parse(Protocol):
    """Reads one game, or the games of one text, or raises `LogError`."""

    def __call__(
        self, data: bytes, /, *, file: str | None, line: int | None
    ) -> GameRecord | list[GameRecord]: ...


def games_by_line(stream: io.BufferedReader, file: str, parse: _Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of a stream, and the errors of lines that are none."""
    return games_of(lines_of(stream), file, parse)


def games_of_json(stream: io.BufferedReader, file: str, parse: _Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of a stream of JSON: one per line, or one alone that is spread over several lines."""
    if not _SPREAD.match(stream.peek(1)):
        return games_by_line(stream, file, parse)
    return games_of([(1, stream.read(MAX_GAME_BYTES + 1))], file, parse)


def first_of(head: bytes) -> bytes:
    r"""Return what the beginning of a file has of its first game.

    >>> first_of(b'{"id":1}\n{"id":2}'), first_of(b'{\n "id": 1\n')
    (b'{"id":1}', b'{\n "id": 1\n')
    """
    return head if _SPREAD.match(head) else head.lstrip().partition(b"\n")[0]


def games_of(texts: Iterable[tuple[int, bytes]], file: str, parse: _Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of texts, each with its line, and the errors of those that are none.

    Of a text of more than `MAX_GAME_BYTES` not all need be there.
    """
    return limited(_parsed(texts, file, parse), file)


def _parsed(texts: Iterable[tuple[int, bytes]], file: str, parse: _Parse) -> Iterator[GameRecord | LogError]:
    for number, text in texts:
        if len(text) > MAX_GAME_BYTES:
            problem = LogError(f"a game of more than {MAX_GAME_BYTES} bytes", rule="too_large")
        else:
            try:
                games = parse(text, file=file, line=number)
            except LogError as error:
                problem = error
            else:
                yield from games if isinstance(games, list) else [games]
                continue
        yield problem.at(file=file, line=number)


def limited(outcomes: Iterable[GameRecord | LogError], file: str) -> Iterator[GameRecord | LogError]:
    """Yield outcomes, of the errors as many as are listed, and give up after too many in a row."""
    listed = unlisted = in_a_row = 0
    for outcome in outcomes:
        if not isinstance(outcome, LogError):
            in_a_row = 0
            yield outcome
            continue
        in_a_row += 1
        if listed == LISTED:
            unlisted += 1
        else:
            listed += 1
            yield outcome
        if in_a_row >= PATIENCE:
            yield given_up(in_a_row, file)
            break
    if unlisted:
        yield UnlistedErrors(unlisted, file=file)


def lines_of(stream: io.BufferedReader) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, of one that is longer than any game a part."""
    number = 0
    while line := stream.readline(MAX_GAME_BYTES + 1):
        number += 1
        if not line.isspace():
            yield number, line
        if len(line) > MAX_GAME_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_BLOCK)

"""Games that stand on a line each, for formats that are simpler than hanab.live's JSON.

In: a stream of bytes. Out: a record or an error per line that is not blank. As many errors are listed as
everywhere (`LISTED`), the others counted; a line longer than any game is not held.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Protocol

from hanalyze.errors import LogError
from hanalyze.logs.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.record import GameRecord
from hanalyze.logs.streams import LISTED, PATIENCE, UnlistedErrors, given_up

__all__ = ["games_by_line"]

_BLOCK = 2**16


class _Parse(Protocol):
    """Reads one game, or raises `LogError`."""

    def __call__(self, data: bytes, /, *, file: str | None, line: int | None) -> GameRecord: ...


def games_by_line(stream: io.BufferedReader, file: str, parse: _Parse) -> Iterator[GameRecord | LogError]:
    """Yield the games of a stream, and the errors of lines that are none."""
    number = listed = unlisted = in_a_row = 0
    while in_a_row < PATIENCE and (line := stream.readline(MAX_GAME_BYTES + 1)):
        number += 1
        if line.isspace():
            continue
        if len(line) > MAX_GAME_BYTES:
            problem = LogError(f"a game of more than {MAX_GAME_BYTES} bytes", rule="too_large")
            while line and not line.endswith(b"\n"):
                line = stream.readline(_BLOCK)
        else:
            try:
                yield parse(line, file=file, line=number)
            except LogError as error:
                problem = error
            else:
                in_a_row = 0
                continue
        in_a_row += 1
        if listed == LISTED:
            unlisted += 1
        else:
            listed += 1
            yield problem.at(file=file, line=number)
    if in_a_row >= PATIENCE:
        yield given_up(in_a_row, file)
    if unlisted:
        yield UnlistedErrors(unlisted, file=file)

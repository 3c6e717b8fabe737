"""Fetches many games into one file, over as many runs as it takes.

Games that the file or the cache has are not requested. Whole lines are appended, by one process at a time; an
incomplete last line of a killed run is removed by the next.
"""

from __future__ import annotations

import fcntl
import io
import os
import struct
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from hanalyze.errors import LogError
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.sources.http import RefusedError, RequestLimits
from hanalyze.logs.sources.open_log import buffered, file_error, open_file
from hanalyze.logs.sources.site import GameCache, game_from, refusal
from hanalyze.logs.sources.site_lists import ListedGame
from hanalyze.text import plural

TRIES: Final = 5
"""Requests for one game."""
PATIENCE: Final = 600.0
"""Seconds that we wait where the site asks for a pause; for a longer one the run ends."""
_FAILED_IN_A_ROW: Final = 5
"""After so many games in a row that the site did not give it is left alone."""
_BEGIN: Final = b'{"id":'
"""How every line of ours begins."""
_LOCK: Final = "hhqqi"
"""Linux's `struct flock`: kind, whence, start, length, process."""


@dataclass
class FetchCounts:
    """What came of a run: games by what became of them.

    `there`: in the file before. `cached`: from the user's cache. `fetched`: from the site. `missing`: the
    site has no game of the number. `failed`: not given for another reason.
    """

    there: int = 0
    cached: int = 0
    fetched: int = 0
    missing: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        """Games that are dealt with."""
        return self.there + self.added + self.missing + self.failed

    @property
    def added(self) -> int:
        """Games that were not in the file before."""
        return self.cached + self.fetched


def limits_of(rate: float) -> RequestLimits:
    """Return how the site is asked for many things: `rate` is requests per second, at most."""
    return RequestLimits(tries=TRIES, patience=PATIENCE, spacing=1 / rate, reconnects=True)


def collect(
    wanted: Iterable[ListedGame],
    target: str,
    here: str,
    limits: RequestLimits,
    *,
    on_error: Callable[[LogError], object],
    on_progress: Callable[[FetchCounts], object] = lambda _: None,
) -> FetchCounts:
    """Append the games wanted to the file `target`, or write them to standard output where it is "-".

    `here`: the address of the site. A game that the site does not give goes to `on_error`, and it goes on
    with the next. Raises `LogError` where the site cannot be reached, asks for a longer pause or fails
    several times in a row (`no_connection`, `site_refused`, `not_a_game`), for a file that another process is
    appending to (`file_held`), and for one that others wrote (`not_json`, `unwritable` and the like).
    """
    try:
        with _GameFile(target) as file:
            return _collect(wanted, file, here, limits, on_error, on_progress)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise file_error(error, target, "unwritable") from None


def _collect(
    wanted: Iterable[ListedGame],
    file: _GameFile,
    here: str,
    limits: RequestLimits,
    on_error: Callable[[LogError], object],
    on_progress: Callable[[FetchCounts], object],
) -> FetchCounts:
    counts, cache, in_a_row = FetchCounts(), GameCache(here), 0
    for game in wanted:
        text = None
        if game.number in file.numbers:
            counts.there += 1
        elif (text := cache.game(game.number)) is not None:
            counts.cached += 1
        elif cache.is_missing(game.number):
            counts.missing += 1
        else:
            try:
                text = game_from(here, game.number, limits)
            except (RefusedError, OSError) as error:
                if isinstance(error, RefusedError) and error.rule == "no_such_game":
                    cache.keep_missing(game.number)
                    counts.missing, in_a_row = counts.missing + 1, 0
                else:
                    counts.failed, in_a_row = counts.failed + 1, in_a_row + 1
                    problem = refusal(error, f"{here}/export/{game.number}")
                    is_hopeless = not isinstance(error, RefusedError) or error.is_told_to_wait
                    if in_a_row == _FAILED_IN_A_ROW or is_hopeless:
                        problem.advice = way_on(counts.added)
                        raise problem from None
                    on_error(problem)
            else:
                cache.keep(game.number, text)
                counts.fetched, in_a_row = counts.fetched + 1, 0
        if text is not None:
            file.append(game.number, _line(text, game))
        on_progress(counts)
    return counts


def way_on(added: int) -> str:
    """Say what a run that ended early leaves, and how to continue.

    >>> way_on(2)
    '2 games that were fetched are kept; run the same command again later to continue'
    """
    if not added:
        return "nothing was fetched; run the same command again later"
    games = plural(added, "game that was fetched is", "games that were fetched are")
    return f"{games} kept; run the same command again later to continue"


def _line(text: bytes, listed: ListedGame) -> bytes:
    """Return an exported game with what a list says of it."""
    record = hanab_live.parse(text)
    fields = {name: value for name, value in listed._asdict().items() if name != "number" and value}
    if listed.score is not None:
        fields["score"] = listed.score  # 0 is a score
    return hanab_live.to_json(replace(record, **fields)) + b"\n"


class _GameFile:
    """A file with a game per line; `numbers` are those of its games. Appends whole lines only."""

    def __init__(self, target: str) -> None:
        self.numbers: set[int] = set()
        self._target = target
        self._stream: io.FileIO | None = None

    def __enter__(self) -> _GameFile:
        if self._target == "-":
            return self
        if self._target.endswith(".gz"):
            advice = "name it without .gz; what is compressed cannot be continued"
            raise LogError("games are appended here", rule="unwritable", file=self._target, advice=advice)
        self._stream = open_file(self._target, "a+b")
        try:
            self._lock(self._stream)
            self._read_on(self._stream)
        except BaseException:
            self._stream.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def append(self, number: int, line: bytes) -> None:
        """Write a line, with a number that is not there yet."""
        if self._stream is None:
            sys.stdout.flush()
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        else:
            rest = memoryview(line)
            while rest:  # what the system did not take at once
                rest = rest[self._stream.write(rest) :]
        self.numbers.add(number)

    def _lock(self, stream: io.FileIO) -> None:
        """Keep other processes from appending, until the file is closed or this process ends.

        The system drops such a lock as soon as the process closes any descriptor of the file.
        """
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            query = struct.pack(_LOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            process = struct.unpack(_LOCK, fcntl.fcntl(stream, fcntl.F_GETLK, query))[-1]
            # On another machine, or behind the wall of a container, it has no number here.
            holder = f"process {process}" if process > 0 else "another process"
            raise LogError(
                f"{holder} is fetching games into this file",
                rule="file_held",
                file=self._target,
                advice="wait until it is done, or give -o another file",
            ) from None

    def _read_on(self, stream: io.FileIO) -> None:
        """Read the numbers of the games that are there, and cut off a line that was not finished."""
        stream.seek(0)
        lines = buffered(stream)
        try:
            whole = 0
            number = 0
            while line := lines.readline(MAX_GAME_BYTES + 1):
                number += 1
                is_whole = line.endswith(b"\n")
                if line.isspace():
                    whole += len(line)
                    continue
                try:
                    record = hanab_live.parse(line)
                except LogError:
                    if is_whole or not (line.startswith(_BEGIN) or _BEGIN.startswith(line)):
                        raise LogError(
                            "this is no file with a game per line, and nothing is appended to it",
                            rule="not_json",
                            file=self._target,
                            line=number,
                            advice="give -o another file",
                        ) from None
                    break
                whole += len(line)
                if record.id is not None:
                    self.numbers.add(record.id)
                if not is_whole:
                    stream.write(b"\n")
                    return
        finally:
            lines.detach()
        stream.truncate(whole)

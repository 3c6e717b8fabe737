"""The site's lists of games, and fetching many games into one file, over as many runs as it takes.

Games that the file or the cache has are not requested. Whole lines are appended, by one process at a time; an
incomplete last line of a killed run is removed by the next.

Sources: hanab.live, `server/src/api_games.go` (lists as JSON), `views/history.tmpl` (the page of a tag).
"""

from __future__ import annotations

import fcntl
import io
import os
import re
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from hanalyze.errors import LogError, check_unicode
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES, tags_of
from hanalyze.logs.sources import http
from hanalyze.logs.sources.http import RefusedError, RequestLimits
from hanalyze.logs.sources.open_log import buffered, file_error, open_file
from hanalyze.logs.sources.site import GameCache, game_from, refusal
from hanalyze.text import plural

_MOST_BYTES: Final = 2**26
"""The longest list: 90,000 games or more."""
_MOST_BRACES: Final = 500_000
"""More braces than such a list has: a row has two."""
_REPLAY: Final = re.compile(rb'href="/(?:shared-)?replay/([0-9]{1,12})"')


class ListedGame(NamedTuple):
    """A game as a list has it: its number, and what is known besides, None or empty where it is not."""

    number: int
    score: int | None = None
    started: str | None = None
    finished: str | None = None
    tags: tuple[str, ...] = ()


_Date = Annotated[str, msgspec.Meta(max_length=64)]


class _Row(msgspec.Struct, rename="camel", gc=False):
    id: Annotated[int, msgspec.Meta(ge=1, lt=10**12)]
    score: Annotated[int, msgspec.Meta(ge=-(10**6), le=10**6)] | None = None
    datetime_started: _Date | None = None
    datetime_finished: _Date | None = None
    tags: Annotated[str, msgspec.Meta(max_length=10**5)] | None = None


class _Answer(msgspec.Struct):
    games: list[_Row] | None = None
    rows: list[_Row] | None = None


_DECODER: Final = msgspec.json.Decoder(list[_Row] | _Answer)


def games_of_players(
    here: str,
    names: Sequence[str],
    limits: RequestLimits,
    *,
    first: int | None = None,
    last: int | None = None,
) -> list[ListedGame]:
    """Return the games that all of these players were in, by number; `first` and `last` bound the numbers.

    Raises `RefusedError`, `OSError` where there is no connection, and `HanalyzeError` (rule `bad_name`) for a
    name that is not valid Unicode, as the others do.
    """
    bounds = {"start": first, "end": last}
    query = "&".join(f"{name}={number}" for name, number in bounds.items() if number is not None)
    place = "/".join(map(_escaped, names))
    return _rows(_list(f"{here}/api/v1/history-full/{place}" + (f"?{query}" if query else ""), limits))


def games_on_seed(here: str, seed: str, limits: RequestLimits) -> list[ListedGame]:
    """Return the games on a seed, by number."""
    return _rows(_list(f"{here}/api/v1/seed-full/{_escaped(seed)}", limits))


def games_with_tag(here: str, tag: str, limits: RequestLimits) -> list[ListedGame]:
    """Return the games under a tag, by number; of its page, which is for people, only numbers are read."""
    page = _list(f"{here}/tag/{_escaped(tag)}", limits)
    return [ListedGame(number, tags=(tag,)) for number in sorted({int(one) for one in _REPLAY.findall(page)})]


def _escaped(name: str) -> str:
    """Return a name as a part of an address. Raises `HanalyzeError` (rule `bad_name`)."""
    check_unicode(name)
    return quote(name, safe="")


def _list(address: str, limits: RequestLimits) -> bytes:
    try:
        return http.get(address, limits, most_bytes=_MOST_BYTES)
    except RefusedError as error:
        if error.rule == "no_such_game":
            raise RefusedError("the site has no list of such games", error.rule) from None
        raise


def _rows(text: bytes) -> list[ListedGame]:
    """Return the games of a list as the site sends it: an array, or an object that holds one."""
    try:
        if text.count(b"{") > _MOST_BRACES:
            raise msgspec.DecodeError
        answer = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RefusedError("the answer is no list of games", "not_a_game") from None
    rows = (answer.games or answer.rows or []) if isinstance(answer, _Answer) else answer
    by_number = {
        row.id: ListedGame(row.id, row.score, row.datetime_started, row.datetime_finished, tags_of(row.tags))
        for row in rows
    }
    return [by_number[number] for number in sorted(by_number)]


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
    """Counts of the games of a run by their outcome.

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

"""List the games of the site, and fetch many games into one file, in one or more runs.

Games in the file or in the cache are not requested from the site. Only one process at a time may append to
the file.

Sources: hanab.live, `server/src/api_games.go` (lists as JSON), `views/history.tmpl` (the page of a tag).
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
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
from hanalyze.output import holder, lock
from hanalyze.text import plural

_MOST_BYTES: Final = 2**26  # maximum length of a list in bytes
_MOST_BRACES: Final = 500_000  # maximum number of opening braces in a list; a list with more is not decoded
_REPLAY: Final = re.compile(rb'href="/(?:shared-)?replay/([0-9]{1,12})"')


class ListedGame(NamedTuple):
    """A game in a list of the site; values other than `number` are None or empty if the list lacks them."""

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
    address: str,
    names: Sequence[str],
    limits: RequestLimits,
    *,
    first: int | None = None,
    last: int | None = None,
) -> list[ListedGame]:
    """Return the games in which all these players took part, sorted by number.

    `first` and `last` are bounds of the numbers. Raises `RefusedError`, `OSError` if there is no connection,
    and `HanalyzeError` (rule `bad_name`) for a name that is not valid Unicode.
    """
    bounds = {"start": first, "end": last}
    query = "&".join(f"{name}={number}" for name, number in bounds.items() if number is not None)
    place = "/".join(map(_escaped, names))
    return _rows(_list(f"{address}/api/v1/history-full/{place}" + (f"?{query}" if query else ""), limits))


def games_on_seed(address: str, seed: str, limits: RequestLimits) -> list[ListedGame]:
    """Return the games with this seed, sorted by number. Raises the errors of `games_of_players`."""
    return _rows(_list(f"{address}/api/v1/seed-full/{_escaped(seed)}", limits))


def games_with_tag(address: str, tag: str, limits: RequestLimits) -> list[ListedGame]:
    """Return the games with this tag, sorted by number. Raises the errors of `games_of_players`.

    Only the numbers are read from the HTML page of the tag.
    """
    page = _list(f"{address}/tag/{_escaped(tag)}", limits)
    return [ListedGame(number, tags=(tag,)) for number in sorted({int(one) for one in _REPLAY.findall(page)})]


def _escaped(name: str) -> str:
    """Return a name escaped for an address. Raises `HanalyzeError` (rule `bad_name`)."""
    check_unicode(name)
    return quote(name, safe="")


def _list(address: str, limits: RequestLimits) -> bytes:
    try:
        return http.get(address, limits, most_bytes=_MOST_BYTES)
    except RefusedError as error:
        if error.rule == "no_such_game":
            raise RefusedError("the site has no games for this player, seed or tag", error.rule) from None
        raise


def _rows(text: bytes) -> list[ListedGame]:
    """Return the games in a JSON array, or in an object that contains one. Raises `RefusedError`."""
    try:
        if text.count(b"{") > _MOST_BRACES:
            raise msgspec.DecodeError
        answer = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RefusedError("the answer is not a list of games", "not_a_game") from None
    rows = (answer.games or answer.rows or []) if isinstance(answer, _Answer) else answer
    by_number = {
        row.id: ListedGame(row.id, row.score, row.datetime_started, row.datetime_finished, tags_of(row.tags))
        for row in rows
    }
    return [by_number[number] for number in sorted(by_number)]


TRIES: Final = 5  # maximum number of requests for one game or list
PATIENCE: Final = 600.0
"""Longest pause in seconds that a run makes if the site asks for a pause; a longer one ends the run."""
_FAILED_IN_A_ROW: Final = 5  # number of successive failed games after which a run ends
_BEGIN: Final = b'{"id":'  # beginning of every line written by this module


@dataclass
class FetchCounts:
    """Numbers of games in a run, by outcome.

    `there`: already in the file. `cached`: read from the user's cache. `fetched`: fetched from the site.
    `missing`: not on the site. `failed`: not fetched for other reasons.
    """

    there: int = 0
    cached: int = 0
    fetched: int = 0
    missing: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        """Number of games processed so far."""
        return self.there + self.added + self.missing + self.failed

    @property
    def added(self) -> int:
        """Number of games added to the file."""
        return self.cached + self.fetched


def collect(
    wanted: Iterable[ListedGame],
    target: str,
    address: str,
    limits: RequestLimits,
    *,
    on_error: Callable[[LogError], object],
    on_progress: Callable[[FetchCounts], object] = lambda _: None,
) -> FetchCounts:
    """Append the games `wanted` to the file `target`, or write them to standard output if `target` is "-".

    `address` is that of the site. If a game cannot be fetched, the error is passed to `on_error` and the next
    game is fetched. Raises `LogError` if the site cannot be reached, asks for a pause longer than
    `limits.patience` or fails several times in a row (`no_connection`, `site_refused`, `not_a_game`); if
    another process is appending to the file (`file_held`); and if the file does not contain one game per line
    or cannot be written (`not_json`, `unwritable` and others).
    """
    try:
        with ExitStack() as stack:
            return _collect(wanted, _GameFile(target, stack), address, limits, on_error, on_progress)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise file_error(error, target, "unwritable") from None


def _collect(
    wanted: Iterable[ListedGame],
    file: _GameFile,
    address: str,
    limits: RequestLimits,
    on_error: Callable[[LogError], object],
    on_progress: Callable[[FetchCounts], object],
) -> FetchCounts:
    counts, cache, in_a_row = FetchCounts(), GameCache(address), 0
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
                text = game_from(address, game.number, limits)
            except (RefusedError, OSError) as error:
                if isinstance(error, RefusedError) and error.rule == "no_such_game":
                    cache.keep(game.number, None)
                    counts.missing, in_a_row = counts.missing + 1, 0
                else:
                    counts.failed, in_a_row = counts.failed + 1, in_a_row + 1
                    problem = refusal(error, f"{address}/export/{game.number}")
                    is_hopeless = not isinstance(error, RefusedError) or error.is_told_to_wait
                    if in_a_row == _FAILED_IN_A_ROW or is_hopeless:
                        problem.advice = how_to_continue(counts.added)
                        raise problem from None
                    on_error(problem)
            else:
                cache.keep(game.number, text)
                counts.fetched, in_a_row = counts.fetched + 1, 0
        if text is not None:
            file.append(game.number, _line(text, game))
        on_progress(counts)
    return counts


def how_to_continue(added: int) -> str:
    """Return the advice for a run that ended early: the number of games kept, and how to continue.

    >>> how_to_continue(2)
    '2 games that were added are kept; run the same command again later to continue'
    """
    if not added:
        return "nothing was fetched; run the same command again later"
    games = plural(added, "game that was added is", "games that were added are")
    return f"{games} kept; run the same command again later to continue"


def _line(text: bytes, listed: ListedGame) -> bytes:
    """Return an exported game as a line of JSON, with the values of the game in the site's list."""
    record = hanab_live.parse(text)
    fields = {name: value for name, value in listed._asdict().items() if name != "number" and value}
    if listed.score is not None:
        fields["score"] = listed.score  # the line above drops a score of 0
    return hanab_live.to_json(replace(record, **fields)) + b"\n"


class _GameFile:
    """A file with one game per line, to which lines are appended; `numbers` are the ids of its games."""

    def __init__(self, target: str, stack: ExitStack) -> None:
        """Open and lock the file ("-": standard output), and read its numbers; `stack` closes it."""
        self.numbers: set[int] = set()
        self._target = target
        self._stream: io.FileIO | None = None
        if target == "-":
            return
        if target.endswith(".gz"):
            what = "games cannot be appended to a compressed file"
            raise LogError(what, rule="unwritable", file=target, advice="use a name without .gz")
        self._stream = stack.enter_context(open_file(target, "a+b"))
        self._lock(self._stream.fileno())
        self._read_numbers(self._stream)

    def append(self, number: int, line: bytes) -> None:
        """Append the line of a game whose number is not in `numbers` yet."""
        if self._stream is None:
            sys.stdout.flush()
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        else:
            rest = memoryview(line)
            while rest:  # a single call can write fewer bytes than given
                rest = rest[self._stream.write(rest) :]
        self.numbers.add(number)

    def _lock(self, file: int) -> None:
        """Lock the file against other processes until it is closed. Raises `LogError` (rule `file_held`)."""
        if not lock(file):
            process = holder(file)
            who = "another process" if process is None else f"process {process}"
            advice = "wait until it is done, or give -o another file"
            what = f"{who} is fetching games into this file"
            raise LogError(what, rule="file_held", file=self._target, advice=advice)

    def _read_numbers(self, stream: io.FileIO) -> None:
        """Read the numbers of the games; terminate the last line, or remove it if its game is incomplete.

        Raises `LogError` (rule `not_json`) if the file does not contain one game per line.
        """
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
                        what = "this is not a file with one game per line, so nothing is appended to it"
                        problem = LogError(what, rule="not_json", advice="give -o another file")
                        raise problem.at(file=self._target, line=number) from None
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

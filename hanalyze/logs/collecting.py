"""Many games from the site into one file, over as many runs as it takes.

In: numbers of games, what lists say of them, a file. Out: JSON lines that every command reads, and a
`Fetched`. A game that the file or the user's cache has is not asked for. Games are appended a whole line at a
time; where a run was killed within one, the next run removes what is left of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import IO, Final

from msgspec.structs import replace

from hanalyze.errors import LogError
from hanalyze.logs import hanab_live
from hanalyze.logs.asking import Manners, RefusedError
from hanalyze.logs.fetching import Kept, game_from, refusal
from hanalyze.logs.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.histories import Listed
from hanalyze.logs.opening import file_error, open_file

TRIES: Final = 5
"""Requests for one game."""
PATIENCE: Final = 600.0
"""Seconds that we wait where the site asks for a pause; for a longer one the run ends."""
_FAILED_IN_A_ROW: Final = 5
"""After so many games in a row that the site did not give it is left alone."""
_BEGIN: Final = b'{"id":'
"""How every line of ours begins."""
_GO_ON: Final = "what was fetched is kept; run the same command again later to continue"


@dataclass
class Fetched:
    """What came of a run: games by what became of them.

    `there`: in the file before. `cached`: from the user's cache. `asked`: from the site. `missing`: the site
    has no game of the number. `failed`: not given for another reason.
    """

    there: int = 0
    cached: int = 0
    asked: int = 0
    missing: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        """Games that are dealt with."""
        return self.there + self.cached + self.asked + self.missing + self.failed


def polite(rate: float) -> Manners:
    """Return how the site is asked for many things: `rate` is requests per second, at most."""
    return Manners(tries=TRIES, patience=PATIENCE, spacing=1 / rate, insists=True)


def collect(
    wanted: Iterable[Listed],
    target: str,
    here: str,
    manners: Manners,
    *,
    on_error: Callable[[LogError], object],
    on_progress: Callable[[Fetched], object] = lambda _: None,
) -> Fetched:
    """Append the games wanted to the file `target`, or write them to standard output where it is "-".

    `here`: the address of the site. A game that the site does not give goes to `on_error`, and it goes on
    with the next. Raises `LogError` where the site cannot be reached, asks for a longer pause or fails
    several times in a row (`no_connection`, `site_refused`, `not_a_game`), and for a file that others wrote
    (`not_json`, `unwritable` and the like).
    """
    try:
        with _Lines(target) as lines:
            return _collected(wanted, lines, here, manners, on_error, on_progress)
    except BrokenPipeError:
        raise
    except OSError as error:
        problem = file_error(error, target, "unwritable")
    raise problem


def _collected(
    wanted: Iterable[Listed],
    lines: _Lines,
    here: str,
    manners: Manners,
    on_error: Callable[[LogError], object],
    on_progress: Callable[[Fetched], object],
) -> Fetched:
    counts, kept, in_a_row = Fetched(), Kept(here), 0
    for one in wanted:
        text = None
        if one.number in lines.numbers:
            counts.there += 1
        elif (text := kept.game(one.number)) is not None:
            counts.cached += 1
        elif kept.is_missing(one.number):
            counts.missing += 1
        else:
            try:
                text = game_from(here, one.number, manners)
            except (RefusedError, OSError) as error:
                address = f"{here}/export/{one.number}"
                if isinstance(error, RefusedError) and error.rule == "no_such_game":
                    kept.keep_missing(one.number)
                    counts.missing, in_a_row = counts.missing + 1, 0
                else:
                    counts.failed, in_a_row = counts.failed + 1, in_a_row + 1
                    is_last = in_a_row == _FAILED_IN_A_ROW or _ends_all(error)
                    problem = refusal(error, address)
                    problem.advice = _GO_ON if is_last else None
                    if is_last:
                        raise problem from None
                    on_error(problem)
            else:
                kept.keep(one.number, text)
                counts.asked, in_a_row = counts.asked + 1, 0
        if text is not None:
            lines.append(one.number, _line(text, one))
        on_progress(counts)
    return counts


def _ends_all(error: RefusedError | OSError) -> bool:
    """Return whether there is no point in asking for the next game."""
    return not isinstance(error, RefusedError) or error.is_told_to_wait


def _line(text: bytes, listed: Listed) -> bytes:
    """Return an exported game with what a list says of it."""
    record = hanab_live.parse(text)
    known = {name: value for name, value in listed._asdict().items() if name != "number" and value}
    if listed.score is not None:
        known["score"] = listed.score  # 0 is a score
    return hanab_live.to_json(replace(record, **known)) + b"\n"


class _Lines:
    """The file of the games, a game per line; `numbers` are those in it. Appends whole lines only."""

    def __init__(self, target: str) -> None:
        self.numbers: set[int] = set()
        self._target = target
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> _Lines:
        if self._target == "-":
            return self
        if self._target.endswith(".gz"):
            advice = "name it without .gz; what is compressed cannot be continued"
            raise LogError("games are appended here", rule="unwritable", file=self._target, advice=advice)
        self._stream = open_file(self._target, "a+b")
        try:
            self._read_on()
        except BaseException:
            self._stream.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def append(self, number: int, line: bytes) -> None:
        """Write a line, with a number that is not there yet."""
        if self._target == "-":
            _write_out(line)
        else:
            assert self._stream is not None
            rest = memoryview(line)
            while rest:  # what the system did not take at once
                rest = rest[self._stream.write(rest) :]
        self.numbers.add(number)

    def _read_on(self) -> None:
        """Read the numbers of the games that are there, and cut off a line that was not finished."""
        assert self._stream is not None
        self._stream.seek(0)
        whole = 0
        with open(self._target, "rb") as there:
            number = 0
            while line := there.readline(MAX_GAME_BYTES + 1):
                number += 1
                is_whole = line.endswith(b"\n")
                if line.isspace():
                    whole += len(line)
                    continue
                try:
                    record = hanab_live.parse(line)
                except LogError:
                    if is_whole or not (line.startswith(_BEGIN) or _BEGIN.startswith(line)):
                        raise self._foreign(number) from None
                    break
                whole += len(line)
                if record.id is not None:
                    self.numbers.add(record.id)
                if not is_whole:
                    self._stream.write(b"\n")
                    return
        self._stream.truncate(whole)

    def _foreign(self, number: int) -> LogError:
        advice = "give -o another file"
        what = "this is no file with a game per line, and nothing is appended to it"
        return LogError(what, rule="not_json", file=self._target, line=number, advice=advice)


def _write_out(line: bytes) -> None:
    import sys

    sys.stdout.flush()
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()

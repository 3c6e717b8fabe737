"""Read logs (paths, folders, patterns, standard input, links or pasted JSON), and write them.

A file of hanab.live's JSON contains one game, an array of games or one game per line, optionally compressed
with gzip. Memory does not grow with the size of such a file. A game that cannot be read becomes a `LogError`
with file and line; `read` raises it or continues. docs/formats.md lists the deviations that are accepted.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from typing import IO, Final, TypeAlias, cast

from hanalyze.errors import HanalyzeError, LogError
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.registry import HEAD, format_of
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.file_search import files_of
from hanalyze.logs.sources.open_log import BLOCK, buffered, file_error, open_file, open_log
from hanalyze.logs.sources.site import display_name
from hanalyze.logs.sources.streams import GIVEN_UP, LISTED, Outcome, UnlistedErrors, with_damage

_MOST_PROBLEMS: Final = LISTED + 3  # maximum number of errors of a file; if it has no game, they are merged

Path: TypeAlias = str | os.PathLike[str]


def read(
    paths: Path | Iterable[Path], *, on_error: Callable[[LogError], object] | None = None
) -> Iterator[GameRecord]:
    """Yield the games of one or more files in order; "-" is standard input.

    Instead of a path, a number on hanab.live, a link, a share string or the JSON of a game can be given. A
    folder is replaced by the logs in it, and a pattern such as `logs/*.jsonl` by the files that match it.
    Errors are raised, or passed to `on_error` if it is given; reading then continues with the next game or
    file. For a file without any game, only its first error is reported, with the number of further errors.

    >>> problems = []
    >>> list(read("no-such-file.json", on_error=problems.append))
    []
    >>> print(problems[0])
    no-such-file.json: there is no such file; `hanalyze demo` makes logs to try
    """
    if isinstance(paths, Mapping):
        # The keys of a mapping are not paths; it is probably a game decoded from JSON.
        advice = "give a path, or the JSON of a game as text, as in read(json.dumps(game))"
        raise HanalyzeError(f"not a path, but {type(paths).__name__}", rule="usage", advice=advice)
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        for outcome in _outcomes(os.fspath(path)):
            if isinstance(outcome, GameRecord):
                yield outcome
            elif on_error is None:
                raise outcome
            else:
                on_error(outcome)


def load(path: Path) -> GameRecord:
    """Return the only game of a file. Raises `LogError` if the file does not contain exactly one game.

    >>> load("no-such-file.json")
    Traceback (most recent call last):
    hanalyze.errors.LogError: no-such-file.json: there is no such file; `hanalyze demo` makes logs to try
    """
    games = read(path)
    game = next(games, None)
    if game is None:
        raise LogError("no game, but one was expected", rule="not_one_game", file=os.fspath(path))
    if next(games, None) is not None:
        advice = "`hz.read` reads all games of a file"
        what = "several games, but one was expected"
        raise LogError(what, rule="not_one_game", advice=advice, file=os.fspath(path))
    return game


def write(records: Iterable[GameRecord], target: Path | IO[bytes]) -> int:
    r"""Write games, one per line, and return their number.

    The format is hanab.live's JSON. `target` is a path, "-" for standard output, or a binary stream. If a
    path ends in `.gz`, the file is compressed. The same games always give the same bytes.

    >>> stream = io.BytesIO()
    >>> write([GameRecord(players=("Alice", "Bob"))], stream)
    1
    >>> stream.getvalue()
    b'{"players":["Alice","Bob"],"actions":[]}\n'
    """
    count = 0
    with written(target) if isinstance(target, str | os.PathLike) else nullcontext(target) as stream:
        for record in records:
            stream.write(hanab_live.to_json(record) + b"\n")
            count += 1
    return count


@contextmanager
def written(target: Path) -> Iterator[IO[bytes]]:
    """Open a target for writing: standard output for "-", or a file, compressed if its name ends in `.gz`.

    Raises `LogError` (rules `no_file`, `is_directory`, `no_permission`, `unwritable`).
    """
    file = os.fspath(target)
    if file == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with ExitStack() as stack:
            stream: IO[bytes] = stack.enter_context(io.BufferedWriter(open_file(file, "wb"), BLOCK))
            if file.endswith(".gz"):
                import gzip  # imported here, as most files are not compressed

                packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0)
                stream = cast(IO[bytes], stack.enter_context(packed))
            yield stream
    except OSError as error:
        raise file_error(error, file, "unwritable") from None


# --- outcomes of a path: records and errors ---------------------------------------------------------------


def _outcomes(path: str) -> Iterator[Outcome]:
    """Yield the outcomes of all files that a path, folder, pattern or reference stands for."""
    try:
        files = files_of(path)
    except LogError as error:
        yield error
        return
    for file in files:
        yield from _summed_up(_outcomes_of_file(file))


def _outcomes_of_file(file: str) -> Iterator[Outcome]:
    name = display_name(file)
    try:
        with ExitStack() as stack:
            source = open_log(file, stack)
            stream = buffered(source)
            outcomes = format_of(stream.peek(HEAD)[:HEAD]).read(stream, name)
            yield from with_damage(outcomes, source, name)
    except OSError as error:
        yield file_error(error, file, "unreadable")
    except LogError as error:
        yield error.at(file=name)


def _summed_up(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """Yield the outcomes of a file; if no game can be read, merge its errors into one."""
    problems: list[LogError] = []
    for outcome in outcomes:
        if isinstance(outcome, LogError) and len(problems) < _MOST_PROBLEMS:
            problems.append(outcome)
            continue
        yield from problems
        yield outcome
        yield from outcomes
        return
    if len(problems) > 1:
        more = sum(problem.count if isinstance(problem, UnlistedErrors) else 1 for problem in problems[1:])
        end = "there is no game in this file"
        if any(problem.rule == GIVEN_UP for problem in problems):
            more, end = more - 1, "the rest of the file was not read"
        problems[0].message += f", and {more:,} more like it: {end}"
    for problem in problems[:1]:
        if problem.rule == "not_json" and problem.advice is None:
            problem.advice = "`hanalyze formats` lists what can be read"
        yield problem

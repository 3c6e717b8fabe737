"""The list of units of work: which bytes of which files each of them reads.

In: paths of logs. Out: `Unit`s, the same ones each time for the same files, and so for every shard of a run.
A file with a game per line is cut into ranges of bytes; any other (packed by gzip, an array of games, another
format) is one unit, so many such files of 30 to 300 MB are better than one. A range owns the games that begin
in it: it ends where the next one begins, before a line that begins with a brace.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hanalyze.errors import HanalyzeError
from hanalyze.game.rules import RULES_VERSION
from hanalyze.logs.formats import HEAD, HanabLiveFormat, format_of
from hanalyze.logs.naming import named
from hanalyze.logs.opening import open_file
from hanalyze.store.files import FileReader, Segment
from hanalyze.tables import TABLES_VERSION

UNIT_BYTES: Final = 32 * 2**20
"""Bytes of logs in a unit: about 10,000 games, so that the turns of a team size make a row group or so."""
_LEAST: Final = 4 * 2**20
"""The same where a file is so small that it would not give the workers enough to do."""
_BLOCK: Final = 3 * 2**20
_WHOLE: Final = -1
_MARK: Final = b"\n{"


class Unit(NamedTuple):
    """Bytes `start` to `end` of a file in a certain version; `end` is -1 where it is read as a whole.

    `number` is the place of the file among the inputs: of equal games, the one in the first file counts.
    A plain tuple of texts and numbers, it goes from process to process and into JSON.
    """

    path: str
    version: str
    start: int
    end: int
    number: int

    @property
    def known_as(self) -> str:
        """The path of the file, from wherever it is looked at."""
        return os.path.abspath(self.path) if os.path.exists(self.path) else self.path

    @property
    def key(self) -> str:
        """What tells it from all other units; the same in every run with these rules and tables."""
        said = f"{self.known_as}|{self.version}|{self.start}|{self.end}|{RULES_VERSION}|{TABLES_VERSION}"
        return hashlib.blake2b(os.fsencode(said), digest_size=16).hexdigest()

    @property
    def size(self) -> int:
        """Bytes that it reads, as they lie on the disk."""
        if self.end != _WHOLE:
            return self.end - self.start
        return os.path.getsize(self.path) if os.path.isfile(self.path) else 0


def plan(files: Iterable[str], unit_bytes: int = UNIT_BYTES) -> list[Unit]:
    """Return the units of files, in their order.

    Raises `HanalyzeError` (rule `pipe`) for what can be read only once.
    """
    units: list[Unit] = []
    for number, path in enumerate(files):
        if path == "-" or (os.path.exists(path) and _is_pipe(path)):
            raise HanalyzeError(
                "a pipe can be read only once", rule="pipe", file=path, advice="write it to a file first"
            )
        version = _version(path)
        size = _divisible(path)
        if not size:
            units.append(Unit(path, version, 0, _WHOLE, number))
            continue
        most = max(min(unit_bytes, max(_LEAST, size // 16)), 1) if unit_bytes == UNIT_BYTES else unit_bytes
        count = -(-size // most)
        if count == 1:
            units.append(Unit(path, version, 0, _WHOLE, number))
            continue
        ends = [size * i // count for i in range(count + 1)]
        units += [Unit(path, version, *pair, number) for pair in itertools.pairwise(ends)]
    return units


def shard_of(units: list[Unit], shard: tuple[int, int]) -> list[Unit]:
    """Return the units of shard i of n: every n-th one, whether shards are counted from 0 or from 1.

    >>> units = [Unit(name, "", 0, -1, 0) for name in "abcde"]
    >>> [[unit.path for unit in shard_of(units, (i, 2))] for i in (0, 1, 2)]
    [['a', 'c', 'e'], ['b', 'd'], ['a', 'c', 'e']]
    """
    number, count = shard
    return [unit for place, unit in enumerate(units) if place % count == number % count]


def _is_pipe(path: str) -> bool:
    return not (os.path.isfile(path) or os.path.isdir(path))


def _version(path: str) -> str:
    """Return what changes when a file does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return "none"
    return f"{found.st_size}-{found.st_mtime_ns}" if stat.S_ISREG(found.st_mode) else "none"


def _divisible(path: str) -> int:
    """Return the bytes of a file that may be cut, 0 of any other."""
    if named(path) is not None or not os.path.isfile(path):
        return 0
    try:
        with open_file(path, "rb") as stream:
            head = stream.read(HEAD)
    except OSError:
        return 0
    if head[:1] != b"{" or format_of(head).name != HanabLiveFormat.name:
        return 0
    return os.path.getsize(path)


def read_unit(unit: Unit, reader: FileReader) -> Iterator[Segment]:
    """Yield what a unit reads, of a reader of its file; line numbers count from where its range begins.

    Raises `HanalyzeError` (rule `changed`) where the file is not the one of the plan any more.
    """
    if _version(unit.path) != unit.version:
        raise HanalyzeError(
            "the file has changed since it was looked at",
            rule="changed",
            file=unit.path,
            advice="run the same command again",
        )
    if unit.end == _WHOLE:
        for piece in reader.pieces():
            yield from piece
        return
    yield from reader.range_of(_boundary(unit.path, unit.start), _boundary(unit.path, unit.end))


def _boundary(path: str, place: int) -> int:
    """Return where the first game begins that does at a byte of a file or after it."""
    if not place:
        return 0
    with open_file(path, "rb") as stream:
        at = place - 1
        stream.seek(at)
        rest = b""
        while block := stream.read(_BLOCK):
            text = rest + block
            found = text.find(_MARK)
            if found >= 0:
                return at + found + 1
            at += len(text) - 1
            rest = text[-1:]
    return os.path.getsize(path)

"""Plan the units of work: the files, or the range of a file, that each unit reads.

The same files always give the same units. A unit is a range of a large file with a game per line (the games
that begin in the range), any other large file, or several small files.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import stat
from collections.abc import Container, Iterable, Iterator
from typing import Final, NamedTuple

from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import RULES_VERSION
from hanalyze.logs.formats.registry import HANAB_LIVE, HEAD, format_of
from hanalyze.logs.sources.open_log import open_file
from hanalyze.logs.sources.site import game_reference
from hanalyze.store.files import FileReader, Segment, shown_path
from hanalyze.tables import TABLES_VERSION

UNIT_BYTES: Final = 32 * 2**20
"""Usual maximum size of a unit in bytes: about 10,000 games."""
_LEAST: Final = 4 * 2**20
"""Lower bound of the maximum size of a unit; a file above 16 times this size becomes at least 16 units."""
_BLOCK: Final = 3 * 2**20
WHOLE: Final = -1
"""Value of `end` in a unit that reads complete files."""
UNKNOWN: Final = "none"
"""Value of `version` in a unit whose input is not a file."""
_MARK: Final = b"\n{"


class Unit(NamedTuple):
    """Bytes `start` to `end` of one version of a file; `end` is -1 if the file is read completely.

    `number` is the position of the file among the inputs; of equal games, the game in the first file counts.
    `more` contains the paths and versions of further files, which are read completely.
    """

    path: str
    version: str
    start: int
    end: int
    number: int
    more: tuple[tuple[str, str], ...] = ()

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """The paths and versions of all files that the unit reads."""
        return ((self.path, self.version), *self.more)

    @property
    def names(self) -> list[tuple[str, str]]:
        """Name (the absolute path of a file) and version of each input of the unit, as in commit markers."""
        return [(shown_path(_known_as(path)), version) for path, version in self.files]

    @property
    def key(self) -> str:
        """Digest that identifies the unit, the same in every run with these versions of rules and tables."""
        text = (
            f"{_known_as(self.path)}|{self.version}|{self.start}|{self.end}|{RULES_VERSION}|{TABLES_VERSION}"
        )
        text += "".join(f"|{_known_as(path)}|{version}" for path, version in self.more)
        return hashlib.blake2b(os.fsencode(text), digest_size=16).hexdigest()

    @property
    def size(self) -> int:
        """Number of bytes on the disk that the unit reads."""
        if self.end != WHOLE:
            return self.end - self.start
        return sum(os.path.getsize(path) for path, _ in self.files if os.path.isfile(path))

    def without(self, done: Container[tuple[str, str]]) -> Unit | None:
        """Return the unit without the complete files whose names are in `done`; None if no file is left."""
        if self.end != WHOLE:
            return self
        left = [file for file, name in zip(self.files, self.names, strict=True) if name not in done]
        return Unit(*left[0], 0, WHOLE, self.number, tuple(left[1:])) if left else None


def _known_as(path: str) -> str:
    """Return the absolute path of a file; return any other input unchanged."""
    return os.path.abspath(path) if os.path.exists(path) else path


def plan(files: Iterable[str], unit_bytes: int = UNIT_BYTES) -> list[Unit]:
    """Return the units of files, in order; a range has at most `unit_bytes` bytes.

    Raises `HanalyzeError` (rule `pipe`).
    """
    units: list[Unit] = []
    small: list[tuple[Unit, int]] = []
    for number, path in enumerate(files):
        if is_pipe(path):
            problem, advice = "a pipe can be read only once", "write it to a file first"
            raise HanalyzeError(problem, rule="pipe", file=path, advice=advice)
        whole = Unit(path, _version(path), 0, WHOLE, number)
        size = unit_bytes + 1 if whole.version == UNKNOWN else int(whole.version.partition("-")[0])
        if size <= min(unit_bytes, _LEAST):
            small.append((whole, size))
            continue
        units += _joined_units(small, unit_bytes)
        small = []
        count = -(-_divisible(path) // _max_unit_size(size, unit_bytes))
        if count <= 1:
            units.append(whole)
            continue
        ends = [size * i // count for i in range(count + 1)]
        units += [Unit(path, whole.version, *pair, number) for pair in itertools.pairwise(ends)]
    return units + _joined_units(small, unit_bytes)


def _max_unit_size(size: int, unit_bytes: int) -> int:
    """Return the maximum bytes of a unit, for a large file or a run of small files of `size` bytes."""
    return max(min(unit_bytes, max(_LEAST, size // 16)), 1) if unit_bytes == UNIT_BYTES else unit_bytes


def _joined_units(small: list[tuple[Unit, int]], unit_bytes: int) -> list[Unit]:
    """Return units of consecutive small files, each unit with as many files as fit."""
    most = _max_unit_size(sum(size for _, size in small), unit_bytes)
    units: list[list[Unit]] = []
    room = -1
    for one, size in small:
        if size > room:
            units.append([])
            room = most
        units[-1].append(one)
        room -= size
    return [first._replace(more=tuple((one.path, one.version) for one in rest)) for first, *rest in units]


def shard_of(units: list[Unit], shard: tuple[int, int]) -> list[Unit]:
    """Return the units of shard i of n, which is every n-th unit; i may count from 0 or from 1.

    >>> units = [Unit(name, "", 0, -1, 0) for name in "abcde"]
    >>> [[unit.path for unit in shard_of(units, (i, 2))] for i in (0, 1, 2)]
    [['a', 'c', 'e'], ['b', 'd'], ['a', 'c', 'e']]
    """
    number, count = shard
    return [unit for place, unit in enumerate(units) if place % count == number % count]


def is_pipe(path: str) -> bool:
    """Return whether an input can be read only once."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


def _version(path: str) -> str:
    """Return the size and modification time of a file, which identify its version; else `UNKNOWN`."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return UNKNOWN
    return f"{status.st_size}-{status.st_mtime_ns}" if stat.S_ISREG(status.st_mode) else UNKNOWN


def _divisible(path: str) -> int:
    """Return the size of a file that may be split into ranges; 0 for any other input."""
    if game_reference(path) is not None or not os.path.isfile(path):
        return 0
    try:
        with open_file(path, "rb") as stream:
            head = stream.read(HEAD)
    except OSError:
        return 0
    if head[:1] != b"{" or format_of(head).name != HANAB_LIVE.name:
        return 0
    return os.path.getsize(path)


def read_unit(unit: Unit, reader: FileReader) -> Iterator[Segment]:
    """Yield the segments of a unit; line numbers count from the start of its range.

    Raises `HanalyzeError` (rule `changed`) if a file has changed since the plan.
    """
    for path, version in unit.files:
        if _version(path) != version:
            problem = "the file has changed since it was listed"
            raise HanalyzeError(problem, rule="changed", file=path, advice="run the same command again")
    if unit.end == WHOLE:
        for piece in reader.pieces():
            yield from piece
        return
    yield from reader.range_of(_boundary(unit.path, unit.start), _boundary(unit.path, unit.end))


def _boundary(path: str, place: int) -> int:
    """Return the position of the first game that begins at or after byte `place` of a file."""
    if not place:
        return 0
    with open_file(path, "rb") as stream:
        at = place - 1
        stream.seek(at)
        overlap = b""
        while block := stream.read(_BLOCK):
            text = overlap + block
            position = text.find(_MARK)
            if position >= 0:
                return at + position + 1
            at += len(text) - 1
            overlap = text[-1:]
    return os.path.getsize(path)

"""Commit markers: one small JSON file per finished unit of work. Readers ignore units without a marker.

If a unit is tried several times, the first attempt that creates the marker counts.
"""

from __future__ import annotations

from typing import Final

import msgspec

from hanalyze.store.folder.storage import Place
from hanalyze.store.rows import Reject

META: Final = "_hanalyze"
"""Folder of commit markers, manifests, and lists of dropped games and rejects; none is named like a log."""
UNITS: Final = f"{META}/units"
SUMS: Final = "sums"


class Part(msgspec.Struct, frozen=True, array_like=True):
    """A file of rows: table, team size (None: all sizes), name, number of rows, and size in bytes."""

    table: str
    players: int | None
    name: str
    rows: int
    size: int


class WholeFile(msgspec.Struct, frozen=True, array_like=True):
    """A log file that a unit read completely; fields as in `Marker`, and the keys of its stored games."""

    path: str
    file: str
    version: str
    digest: str | None
    read: int
    games: int
    with_defects: int
    rejected: int
    keys: list[int] = []


class Marker(msgspec.Struct, frozen=True, omit_defaults=True):
    """Commit marker of a unit; `path`, `file`, `version` and `digest` are those of its first file.

    `digest` is None for a range. `level`, `conventions_version` and `model` are None if the games were not
    read for conventions.
    """

    key: str
    path: str
    file: str
    """The path as text that can be shown."""
    version: str
    start: int
    end: int
    number: int
    rules_version: int
    tables_version: int
    package_version: str
    parts: list[Part]
    read: int
    games: int
    with_defects: int
    rejected: int
    lines: int
    """Number of line ends in the range; line numbers of the next range continue from this number."""
    seconds: float
    at: float
    """Time of the commit, in seconds since 1970."""
    digest: str | None = None
    level: int | None = None
    conventions_version: int | None = None
    model: str | None = None
    rejects: list[Reject] = []
    """Rejected logs; their line numbers count from the start of the range."""
    unlisted: int = 0
    """Number of rejected games that are not in `rejects`."""
    sums: list[Part] = []
    """Files of the unit's sums; `makers` has the versions of their makers by name."""
    makers: dict[str, str] = {}
    run: str = ""
    files: list[WholeFile] = []

    def whole_files(self) -> list[WholeFile]:
        """Return the files that the unit read completely; none if the unit is a range of a file."""
        if self.files or self.end >= 0:
            return self.files
        counts = (self.read, self.games, self.with_defects, self.rejected)
        return [WholeFile(self.path, self.file, self.version, self.digest, *counts)]


def commit(place: Place, marker: Marker) -> bool:
    """Commit a unit; return False if another attempt has already committed the unit."""
    return place.create(f"{UNITS}/{marker.key}", msgspec.json.encode(marker))


def marked(place: Place) -> set[str]:
    """Return the keys of all committed units, which are the names of their markers."""
    names = (entry.name.rsplit("/", 1)[-1] for entry in place.entries(UNITS))
    return {name for name in names if not name.startswith(".")}


def read_marker(place: Place, key: str) -> Marker:
    """Return the marker of a unit. Raises `FileNotFoundError` if it was not committed."""
    return msgspec.json.decode(place.read(f"{UNITS}/{key}"), type=Marker)

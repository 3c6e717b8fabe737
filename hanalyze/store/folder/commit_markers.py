"""Commit markers: a small JSON file per finished unit of work, which makes its files count.

The first attempt that creates the marker wins; no marker names the files of any other.
"""

from __future__ import annotations

from typing import Final

import msgspec

from hanalyze.store.folder.storage import Place
from hanalyze.store.rows import Reject

META: Final = "_hanalyze"
"""Folder of what is not rows. No file in it has an ending that logs have."""
UNITS: Final = f"{META}/units"


class Part(msgspec.Struct, frozen=True, array_like=True):
    """A file of rows: which table's, of which team size (None: of all), its name, rows and bytes."""

    table: str
    players: int | None
    name: str
    rows: int
    size: int


class WholeFile(msgspec.Struct, frozen=True, array_like=True):
    """A file that a unit read as a whole; fields as in `Marker`, `keys` those of the games that it stored."""

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
    """A unit that was done; games are counted as in `ingests`.

    Of several files, `path`, `file` and `version` are those of the first.
    """

    key: str
    path: str
    file: str
    """The path as it is shown."""
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
    """Line ends in what was read: lines of the next range count on from here."""
    seconds: float
    at: float
    """Seconds since 1970, when it was done."""
    digest: str | None = None
    level: int | None = None
    conventions_version: int | None = None
    model: str | None = None
    rejects: list[Reject] = []
    """What was refused, lines counted from the start of the range."""
    unlisted: int = 0
    """Games refused beyond these."""
    sums: list[Part] = []
    """Files of its sums, and whose these are: `makers`, their versions by name."""
    makers: dict[str, str] = {}
    run: str = ""
    """The name of the run that did it."""
    files: list[WholeFile] = []
    """The files of a unit of several."""

    def whole_files(self) -> list[WholeFile]:
        """Return the files that it read as a whole: none where it read a range of one."""
        if self.files or self.end >= 0:
            return self.files
        counts = (self.read, self.games, self.with_defects, self.rejected)
        return [WholeFile(self.path, self.file, self.version, self.digest, *counts)]


def commit(place: Place, marker: Marker) -> bool:
    """Make a unit count, and return True; False where another attempt has done so before."""
    return place.create(f"{UNITS}/{marker.key}", msgspec.json.encode(marker))


def marked(place: Place) -> set[str]:
    """Return the keys of the units that were done."""
    return {
        entry.name.rsplit("/", 1)[-1]
        for entry in place.entries(UNITS)
        if not entry.name.rsplit("/", 1)[-1].startswith(".")
    }


def read_marker(place: Place, key: str) -> Marker:
    """Return the marker of a unit. Raises `FileNotFoundError` where it was not done."""
    return msgspec.json.decode(place.read(f"{UNITS}/{key}"), type=Marker)

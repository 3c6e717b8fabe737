"""Manifests: numbered lists (generations) of a folder's valid files; readers use the newest generation.

`fold` adds the units that were finished since the last generation; several processes may call it at the same
time. If several units contain the same game, only one copy is used. A compacted copy takes precedence, then
the copy with the newest version of the rules, then the copy from the file given first, then the first by path
and position. The other copies are `dropped`; a file lists them.
"""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import Connection, polars as pl
from hanalyze.logs.sources.streams import LISTED, UnlistedErrors
from hanalyze.store.dealing import collision
from hanalyze.store.folder.commit_markers import (
    META,
    SUMS,
    UNITS,
    Marker,
    Part,
    WholeFile,
    marked,
    read_marker,
)
from hanalyze.store.folder.parts import frame_of, parquet
from hanalyze.store.folder.storage import TEMPORARY, Place, bounded_connection
from hanalyze.store.rows import Arrays, Reject, arrays_of, reject_of, reject_rows
from hanalyze.store.schema import check_version
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.store import TABLES
from hanalyze.version import __version__

MANIFESTS: Final = f"{META}/manifests"
SIDE: Final = f"{META}/tables"
REBUILD: Final = "run `hanalyze ingest --rebuild` with the same logs"


class Pack(msgspec.Struct, frozen=True):
    """Compacted files of the units with the keys `covers`; `sums` and `makers` as in `Marker`."""

    key: str
    parts: list[Part]
    covers: list[str]
    sums: list[Part] = []
    makers: dict[str, str] = {}


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """Number of a unit's games that were not dropped, and number of these games with defects.

    If the unit has several files and games were dropped, `files` has both numbers for each file.
    """

    games: int
    with_defects: int
    files: list[tuple[int, int]] = []


class Manifest(msgspec.Struct, frozen=True):
    """List of the valid files of a folder.

    `units` contains the commit markers, without their lists of rejects and of game keys. `kept` is indexed by
    unit key. `dropped` and `rejects` name the files that list dropped games and rejects. `dirty` contains the
    keys of units and packs with dropped games.
    """

    generation: int = 0
    tables_version: int = TABLES_VERSION
    package_version: str = __version__
    units: list[Marker] = []
    packs: list[Pack] = []
    kept: dict[str, Kept] = {}
    dropped: str | None = None
    dirty: list[str] = []
    rejects: str | None = None

    def owners(self) -> list[Pack | Marker]:
        """Return the owners of files: all packs, and all units that were not compacted."""
        packed = self.packed()
        return [*self.packs, *(unit for unit in self.units if unit.key not in packed)]

    def packed(self) -> set[str]:
        """Return the keys of the units whose files were compacted."""
        return {key for pack in self.packs for key in pack.covers}

    def parts(self) -> list[tuple[str, Part]]:
        """Return the valid files of table rows, without sums, each with the key of its unit or pack."""
        packs = {pack.key for pack in self.packs}
        return [
            (one.key, part)
            for one in self.owners()
            if one.key in packs or self.kept[one.key].games
            for part in one.parts
        ]

    def sums(self, makers: dict[str, str]) -> list[tuple[str, Part]]:
        """Return all files of sums with the versions `makers`, except those of owners with dropped games."""
        dirty = set(self.dirty)
        owners = [one for one in self.owners() if one.makers == makers and one.key not in dirty]
        return [(one.key, part) for one in owners for part in one.sums]

    def makers(self) -> dict[str, str]:
        """Return the versions of the makers of the newest unit with sums, by name; empty without sums."""
        last = max((unit for unit in self.units if unit.makers), key=lambda unit: unit.at, default=None)
        return {} if last is None else last.makers

    def files(self) -> list[Part]:
        """Return all valid files, including sums."""
        sums = [part for one in self.owners() for part in one.sums]
        return [*(part for _, part in self.parts()), *sums]


def generations(place: Place) -> list[int]:
    """Return the numbers of all generations, the newest last."""
    names = (entry.name.rsplit("/", 1)[-1] for entry in place.entries(MANIFESTS))
    return sorted(int(name) for name in names if name.isdigit())


def newest(place: Place) -> Manifest:
    """Return the newest manifest, or an empty one if none exists. Raises `HanalyzeError` (rule `damaged`)."""
    for _ in range(3):
        numbers = generations(place)
        if not numbers:
            return Manifest()
        try:
            data = place.read(f"{MANIFESTS}/{numbers[-1]:08}")
        except FileNotFoundError:
            continue  # removed by `sweep`, because a newer manifest exists
        try:
            return msgspec.json.decode(data, type=Manifest)
        except msgspec.DecodeError:
            break
    problem = "the manifest of this folder is damaged"
    raise HanalyzeError(problem, rule="damaged", file=place.path, advice=REBUILD)


def publish(place: Place, manifest: Manifest) -> bool:
    """Publish a manifest; return False if its generation exists already."""
    return place.create(f"{MANIFESTS}/{manifest.generation:08}", msgspec.json.encode(manifest))


def fold(place: Place) -> Manifest:
    """Make all finished units visible; return the newest manifest.

    Raises `HanalyzeError` (rules `damaged`, `other_version`, `digest_collision`).
    """
    while True:
        old = newest(place)
        check_version(old.tables_version, place.path)
        known = {unit.key for unit in old.units}
        new = [read_marker(place, key) for key in sorted(marked(place) - known)]
        new = [unit for unit in new if unit.tables_version == TABLES_VERSION]
        if not new and old.generation:
            return old
        folded = folded_with(place, old, new)
        if publish(place, folded):
            return folded


def folded_with(place: Place, old: Manifest, new: list[Marker]) -> Manifest:
    """Return the next manifest, with the units `new` added."""
    units = sorted((*old.units, *new), key=_rank)
    packed = old.packed()
    loose = [unit for unit in units if unit.key not in packed]
    dropped = _dropped_games(place, [*old.packs, *loose])
    kept = {unit.key: _kept_counts(place, unit, dropped.get(unit.key, {})) for unit in loose}
    rejects = _reject_rows(place, units)
    token = secrets.token_hex(8)
    of_dropped = of_rejects = None
    if dropped:
        of_dropped = f"{SIDE}/dropped-{token}.parquet"
        pairs = sorted((owner, game) for owner, games in dropped.items() for game in games)
        place.write(of_dropped, parquet([pl.DataFrame(pairs, ["unit", "game_id"], orient="row")]))
    if len(rejects["reject_id"]):
        of_rejects = f"{SIDE}/rejects-{token}.parquet"
        place.write(of_rejects, parquet([frame_of("rejects", rejects)]))
    return Manifest(
        generation=old.generation + 1,
        units=[
            replace(unit, rejects=[], files=[replace(file, keys=[]) for file in unit.files]) for unit in units
        ],
        packs=old.packs,
        kept={**{key: old.kept[key] for key in packed}, **kept},
        dirty=sorted(dropped),
        dropped=of_dropped,
        rejects=of_rejects,
    )


def _rank(unit: Marker) -> tuple[Any, ...]:
    """Return the sort key of a unit; of equal games, the game in the first unit counts."""
    return -unit.rules_version, unit.number, unit.path, unit.version, unit.start, unit.key


_TWICE: Final = """
WITH stored AS (
    SELECT game_id, digest, defects, parse_filename(filename, true) AS name
    FROM read_parquet($files, filename = true, hive_partitioning = false)
), twice AS (
    SELECT game_id, count(DISTINCT digest) AS contents FROM stored GROUP BY game_id HAVING count(*) > 1
)
SELECT stored.game_id, split_part(stored.name, '-', 1) AS owner, stored.defects > 0, twice.contents
FROM stored JOIN twice USING (game_id)
"""


def _dropped_games(place: Place, owners: Sequence[Pack | Marker]) -> dict[str, dict[int, bool]]:
    """Return for each owner the games that an earlier owner also has, each with whether it has defects."""
    ranks = {one.key: rank for rank, one in enumerate(owners)}
    names = {part.name for one in owners for part in one.parts if part.table == "games"}
    if len(names) < 2:
        return {}
    with bounded_connection(place) as connection:
        files = [place.address(name) for name in sorted(names)]
        rows = connection.execute(_TWICE, {"files": files}).fetchall()
    best: dict[int, int] = {}
    for game, owner, _, contents in rows:
        best[game] = min(best.get(game, len(ranks)), ranks[owner])
        if contents > 1:
            raise collision(game).at(file=place.path)
    dropped: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for game, owner, has_defects, _ in rows:
        if ranks[owner] != best[game]:
            dropped[owner][game] = has_defects
    return dict(dropped)


def _kept_counts(place: Place, unit: Marker, dropped: dict[int, bool]) -> Kept:
    """Return the counts of a unit without its dropped games; if games were dropped, also by file."""
    files = []
    for file in read_marker(place, unit.key).files if dropped and unit.files else []:
        of_file = [dropped[key] for key in file.keys if key in dropped]
        files.append((file.games - len(of_file), file.with_defects - sum(of_file)))
    return Kept(unit.games - len(dropped), unit.with_defects - sum(dropped.values()), files)


def _by_file(units: Iterable[Marker]) -> list[list[Marker]]:
    """Group units by file, file version and rules, in order; a unit of several files is its own group."""
    files: dict[tuple[str, str, int], list[Marker]] = defaultdict(list)
    for unit in units:
        files[unit.key if unit.files else unit.path, unit.version, unit.rules_version].append(unit)
    return [sorted(several, key=lambda unit: unit.start) for several in files.values()]


def _reject_rows(place: Place, units: Iterable[Marker]) -> Arrays:
    rows: list[Reject] = []
    for several in _by_file(units):
        if not any(unit.rejected or unit.rejects for unit in several):
            continue
        line = listed = beyond = 0
        for unit in several:
            whole = unit
            if (unit.rejected or unit.unlisted) and not unit.rejects:
                whole = read_marker(place, unit.key)
            for reject in whole.rejects:
                if reject.line >= 0 and listed >= LISTED and not unit.files:
                    beyond += 1
                    continue
                listed += 1
                rows.append(reject._replace(line=reject.line + line) if reject.line >= 0 else reject)
            beyond += whole.unlisted
            line += unit.lines
        if beyond:
            rows.append(reject_of(UnlistedErrors(beyond, file=several[0].file)))
    return reject_rows(dict.fromkeys(rows))


def ingest_rows(manifest: Manifest) -> Arrays:
    """Return the rows of `ingests`: one for each file whose units are all done."""
    rows: list[tuple[Any, ...]] = []
    for units in _by_file(manifest.units):
        last = units[-1]
        seconds, at = sum(unit.seconds for unit in units), max(unit.at for unit in units)
        moment = datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
        end = (last.rules_version, last.tables_version, last.package_version, seconds, moment)
        kept = [manifest.kept[unit.key] for unit in units]
        files = []
        if last.files:
            counts = kept[0].files or [(file.games, file.with_defects) for file in last.files]
            files = [(file, *count) for file, count in zip(last.files, counts, strict=True)]
        elif _is_whole(units):
            read, rejected = sum(unit.read for unit in units), sum(unit.rejected for unit in units)
            whole = WholeFile(last.path, units[0].file, last.version, units[0].digest, read, 0, 0, rejected)
            files = [(whole, sum(one.games for one in kept), sum(one.with_defects for one in kept))]
        for file, stored, defects in files:
            present = file.read - file.rejected - stored
            rows.append((file.file, file.digest, file.read, stored, present, defects, file.rejected, *end))
    return arrays_of("ingests", rows)


def _is_whole(units: list[Marker]) -> bool:
    """Return whether the ranges of sorted units cover their file, whose version begins with its size."""
    if units[0].end < 0:
        return True
    ends = [0, *(unit.end for unit in units)]
    return all(unit.start == end for unit, end in zip(units, ends, strict=False)) and (
        str(ends[-1]) == units[0].version.partition("-")[0]
    )


_ROWS: Final = rf"(?:(?:{'|'.join(TABLES)})(?:/players=\d+)?|{SUMS}/\w+)"
_NAMES: Final = re.compile(
    rf"{_ROWS}/[0-9a-f]{{32}}(?:-[0-9a-f]{{8}})?-\d+\.parquet"
    rf"|{MANIFESTS}/\d{{8,}}|{UNITS}/[0-9a-f]{{32}}"
    rf"|{SIDE}/(?:dropped|rejects)-[0-9a-f]{{16}}\.parquet"
    rf"|(?:{_ROWS}|{MANIFESTS}|{UNITS}|{SIDE})/\.[0-9a-f]{{16}}{re.escape(TEMPORARY)}"
)


def is_ours(name: str) -> bool:
    """Return whether a file's name is one that hanalyze gives to the files of a folder."""
    return _NAMES.fullmatch(name) is not None


OWNER: Final = "split_part(parse_filename(part.filename, true), '-', 1)"
"""SQL expression for the unit or pack that a row of `read_parquet(..., filename = true) part` belongs to."""
NOT_DROPPED: Final = f"""NOT EXISTS (
    FROM dropped_games dropped WHERE dropped.game_id = part.game_id AND dropped.unit = {OWNER}
)"""
"""SQL condition that a row of `part` (see `OWNER`) belongs to a game that was not dropped."""


def load_dropped_games(connection: Connection, place: Place, manifest: Manifest) -> None:
    """Create the table `dropped_games` of a connection."""
    connection.execute("CREATE OR REPLACE TABLE dropped_games (unit VARCHAR, game_id BIGINT)")
    if manifest.dropped is not None:
        query = "INSERT INTO dropped_games SELECT unit, game_id FROM read_parquet($file)"
        connection.execute(query, {"file": place.address(manifest.dropped)})

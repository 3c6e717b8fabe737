"""Join the small files of a folder into a few large files, without the rows of dropped games.

Files that no manifest names are removed after a grace period, because other processes may still use them.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from typing import Final, NamedTuple

import msgspec

from hanalyze.lazy import Connection
from hanalyze.store.folder.commit_markers import UNITS, Part
from hanalyze.store.folder.manifest import (
    MANIFESTS,
    NOT_DROPPED,
    Manifest,
    Pack,
    fold,
    folded_with,
    generations,
    is_ours,
    load_dropped_games,
    newest,
    publish,
)
from hanalyze.store.folder.parts import folder_of, write_query
from hanalyze.store.folder.storage import TEMPORARY, Place, bounded_connection, place_of
from hanalyze.store.schema import quoted
from hanalyze.tables.store import TABLES

GRACE: Final = 24 * 3600.0
"""Seconds for which a file that no manifest names is kept."""
_SMALL: Final = 64 * 10**6
_AIM: Final = 128 * 10**6
"""Size in bytes below which files are joined, and target size of a joined file."""
_KEYS: Final = 2**63
_ORDER: Final = ("game_id", "turn", "number", "order", "seat")


class CompactSummary(NamedTuple):
    """Summary of compacting: numbers of files and bytes before and after, and number of removed files.

    >>> print(CompactSummary(40, 5, 9_000_000, 8_000_000, 12))
    40 files (9.0 MB) are now 5 (8.0 MB); 12 old files removed
    """

    files_before: int
    files_after: int
    bytes_before: int
    bytes_after: int
    removed: int

    def __str__(self) -> str:
        if self.files_before == self.files_after:
            text = f"{self.files_before:,} files ({self.bytes_before / 1e6:,.1f} MB), nothing to join"
        else:
            text = (
                f"{self.files_before:,} files ({self.bytes_before / 1e6:,.1f} MB) are now"
                f" {self.files_after:,} ({self.bytes_after / 1e6:,.1f} MB)"
            )
        return text + (f"; {self.removed:,} old files removed" if self.removed else "")


def compact(path: str, *, grace: float = GRACE, aim: int = _AIM) -> CompactSummary:
    """Join the small files of a folder into files of about `aim` bytes, and return a summary.

    Files that no manifest names are removed if they are more than `grace` seconds old; other processes may
    still use newer ones. If two processes compact at the same time, the second to finish discards its result.
    """
    place = place_of(path)
    old = fold(place)
    joined = _joined(place, old, aim)
    new = old if joined is None else _published(place, old, *joined)
    removed = sweep(place, new, grace)
    then, now = (one.files() for one in (old, new))
    return CompactSummary(len(then), len(now), _bytes(then), _bytes(now), removed)


def _bytes(parts: list[Part]) -> int:
    return sum(part.size for part in parts)


def _joined(place: Place, manifest: Manifest, aim: int) -> tuple[Pack, set[str]] | None:
    """Join the files of units and small files of packs; return the new pack and the old names, if any."""
    packed = manifest.packed()
    covers = [unit.key for unit in manifest.units if unit.key not in packed]
    packs = {pack.key for pack in manifest.packs}
    groups: dict[tuple[str, int | None], list[tuple[str, Part]]] = defaultdict(list)
    for owner, part in manifest.parts():
        if owner not in packs or part.size < min(_SMALL, aim // 2):
            groups[part.table, part.players].append((owner, part))
    # A single small file of a pack is left out, because rewriting would not change it.
    to_join = {
        group: owned
        for group, owned in groups.items()
        if len(owned) > 1 or any(owner not in packs for owner, _ in owned)
    }
    if not to_join:
        return None
    pack = Pack(secrets.token_hex(16), [], covers, makers=manifest.makers())
    with bounded_connection(place) as connection:
        load_dropped_games(connection, place, manifest)
        for (table, players), owned in sorted(to_join.items(), key=lambda one: (one[0][0], one[0][1] or 0)):
            parts = [part for _, part in owned]
            pieces = max(round(_bytes(parts) / aim), 1)
            for piece in range(pieces):
                bounds = (_KEYS * piece // pieces, _KEYS * (piece + 1) // pieces - 1)
                name = f"{folder_of(table, players)}/{pack.key}-{len(pack.parts)}.parquet"
                part = _write(connection, place, Part(table, players, name, 0, 0), parts, bounds)
                if part.rows:
                    pack.parts.append(part)
        joined = {part.name for owned in to_join.values() for _, part in owned}
        return pack, joined | _join_sums(connection, place, manifest, pack, aim)


def _join_sums(connection: Connection, place: Place, manifest: Manifest, pack: Pack, aim: int) -> set[str]:
    """Join the sums of units, and the packs' small files of sums, in `pack`; return the old files' names."""
    packs = {one.key for one in manifest.packs}
    groups: dict[str, list[list[Part]]] = {}
    for owner, part in manifest.sums(pack.makers):
        if owner not in packs or part.size < min(_SMALL, aim // 2):
            several = groups.setdefault(part.table, [[]])
            if sum(one.size for one in several[-1]) > aim:
                several.append([])
            several[-1].append(part)
    for table, several in sorted(groups.items()):
        for parts in several:
            files = ", ".join(quoted(place.address(part.name)) for part in parts)
            query = f"SELECT * FROM read_parquet([{files}], hive_partitioning = false)"
            name = f"{table}/{pack.key}-{len(pack.sums)}.parquet"
            pack.sums.append(write_query(connection, place, query, Part(table, None, name, 0, 0)))
    return {part.name for several in groups.values() for parts in several for part in parts}


def _write(
    connection: Connection, place: Place, target: Part, parts: list[Part], bounds: tuple[int, int]
) -> Part:
    """Write the games in a range of keys into one file; equal ranges contain about equally many games."""
    names = [column.name for column in TABLES[target.table]]
    columns = ", ".join(f'part."{name}"' for name in names)
    order = ", ".join(f'part."{name}"' for name in _ORDER if name in names)
    files = ", ".join(quoted(place.address(part.name)) for part in parts)
    query = (
        f"SELECT {columns} FROM read_parquet([{files}], hive_partitioning = false, filename = true) part"
        f" WHERE game_id BETWEEN {bounds[0]} AND {bounds[1]} AND {NOT_DROPPED} ORDER BY {order}"
    )
    return write_query(connection, place, query, target)


def _published(place: Place, base: Manifest, pack: Pack, names: set[str]) -> Manifest:
    """Publish a pack, unless another process has compacted the folder meanwhile; return the manifest."""
    while True:
        now = newest(place)
        if now.packs != base.packs:
            # Another process has compacted the folder first.
            for part in (*pack.parts, *pack.sums):
                place.remove(part.name)
            return now
        packs = [
            msgspec.structs.replace(one, parts=_without(one.parts, names), sums=_without(one.sums, names))
            for one in base.packs
        ]
        frozen = {key: base.kept[key] for key in pack.covers}
        joined = Manifest(
            generation=now.generation, units=now.units, packs=[*packs, pack], kept={**now.kept, **frozen}
        )
        folded = folded_with(place, joined, [])
        if publish(place, folded):
            return folded


def _without(parts: list[Part], names: set[str]) -> list[Part]:
    return [part for part in parts if part.name not in names]


def sweep(place: Place, manifest: Manifest, grace: float = GRACE) -> int:
    """Remove old files that no manifest names; return their number. `manifest` must be a result of `fold`."""
    last = newest(place)
    named = {part.name for one in (manifest, last) for part in one.files()}
    named |= {name for one in (manifest, last) for name in (one.dropped, one.rejects) if name is not None}
    newer = {f"{MANIFESTS}/{number:08}" for number in generations(place)[-1:]}
    removed = 0
    for entry in list(place.entries()):
        is_marker = entry.name.startswith(f"{UNITS}/") and not entry.name.endswith(TEMPORARY)
        is_old = is_ours(entry.name) and not is_marker and entry.age > grace
        if is_old and entry.name not in named | newer:
            place.remove(entry.name)
            removed += 1
    return removed

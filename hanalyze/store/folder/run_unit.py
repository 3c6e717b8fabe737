"""`run_unit`: one unit of work, from bytes of logs to committed files of a folder.

It may be called by threads, a shard on another machine or a task of a cluster, and again after a failure: a
unit that was done returns at once, and of two calls at the same time the first to commit counts.
`hanalyze.store.folder.manifest.fold` makes finished units visible.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hanalyze.errors import HanalyzeError
from hanalyze.game.rules import RULES_VERSION
from hanalyze.lazy import polars as pl
from hanalyze.store.dealing import KnownKeys
from hanalyze.store.files import FileReader, Segment, shown_path
from hanalyze.store.folder.commit_markers import Marker, Part, WholeFile, commit, read_marker
from hanalyze.store.folder.parts import BY_PLAYERS, folder_of, frame_of, parquet
from hanalyze.store.folder.storage import Place, place_of
from hanalyze.store.folder.unit_sums import is_worth_it, write_sums
from hanalyze.store.folder.units import Unit, read_unit
from hanalyze.store.ingest import WHATS
from hanalyze.store.part_sums import Maker, versions_of
from hanalyze.store.rows import Arrays, reject_of
from hanalyze.store.unit_of_work import (
    DEFECTS,
    READ,
    REJECTED,
    STORED,
    ConventionSettings,
    RejectLog,
    UnitRows,
    keyed_games,
    make_rows,
)
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.conventions import CONVENTIONS_VERSION
from hanalyze.version import __version__

_GROUP: Final = 34 * 2**20
"""Bytes of logs whose rows are in memory at once; a unit may have more."""
_RECORD: Final = 3_400
"""Approximate bytes of the log of a game."""


@dataclass(frozen=True)
class Target:
    """Where the rows of units are written, and how they are made.

    `path`: a folder or a URL. `fast`: by compiled code. `strict`: raise the first error of a log, or the
    first defect. `meaning`: also read games for conventions. `makers`: also count their sums, unless the
    games are too few. `run`: the name of the run, which may try a unit more than once; without a name each
    call is a run.
    """

    path: str
    fast: bool = True
    strict: bool = False
    meaning: ConventionSettings | None = None
    makers: tuple[Maker, ...] = ()
    run: str = ""


def run_unit(unit: Unit, target: Target) -> dict[str, Any]:
    """Do a unit of work, unless it was done; return its result.

    The dict has `key`, `done` (by this call, or before by its run), `read`, `games` (distinct ones),
    `with_defects`, `rejected`, `bytes` (of its files) and `seconds`. Raises `HanalyzeError` for a full disk,
    a file that has changed since it was listed (rule `changed`), and under `strict` for the first error.
    """
    place = place_of(target.path)
    try:
        there = read_marker(place, unit.key)
    except FileNotFoundError:
        pass
    else:
        return summary_of(there, done=_is_of(there, target))
    reader = FileReader([path for path, _ in unit.files])
    segments = read_unit(unit, reader)
    return run_segments(place, unit, segments, target, reader=reader)


def summary_of(marker: Marker, *, done: bool) -> dict[str, Any]:
    """Return the result of a unit: see `run_unit`."""
    return {
        "key": marker.key,
        "done": done,
        "read": marker.read,
        "games": marker.games,
        "with_defects": marker.with_defects,
        "rejected": marker.rejected,
        "bytes": sum(part.size for part in marker.parts),
        "seconds": marker.seconds,
    }


def run_segments(
    place: Place, unit: Unit, segments: Iterable[Segment], target: Target, *, reader: FileReader | None = None
) -> dict[str, Any]:
    """Do a unit of work whose segments are given; return its result."""
    start = time.perf_counter()
    attempt = secrets.token_hex(4)
    known = KnownKeys(np.zeros(0, np.int64), np.zeros(0, np.uint64))
    stopped: set[int] = set()

    def give_up(number: int) -> None:
        stopped.add(number)
        if reader is not None:
            reader.give_up(number)

    refused = RejectLog([path for path, _ in unit.files], give_up)
    counts: Counter[tuple[int, str]] = Counter()
    keys: list[list[int]] = [[] for _ in unit.files]
    parts: list[Part] = []
    sums: list[Part] = []
    errors: list[HanalyzeError] = []
    lines = 0
    wanted = (segment for segment in segments if segment.file not in stopped)
    for number, group in enumerate(_groups(wanted)):
        keyed = keyed_games(group, strict=target.strict)
        is_new = known.claim(keyed.keys, keyed.checks)
        made = make_rows(
            keyed, is_new, fast=target.fast, strict=target.strict, grouped=True, meaning=target.meaning
        )
        del keyed
        refused.add(made.counts, made.rejects)
        errors += refused.take()
        counts.update(made.counts)
        for file, key in made.keys:
            keys[file].append(key)
        lines += sum(segment.text.count(b"\n") for segment in group)
        stem = f"{unit.key}-{attempt}-{number}"
        wrote = list(_write(place, made, stem))
        parts += wrote
        del made
        if target.makers and is_worth_it(place, wrote):
            sums += write_sums(place, stem, wrote, target.makers)
    listed = len(errors)
    errors += refused.take(at_end=True)
    if unit.more:
        listed = len(errors)  # files that were read completely have no others
    total = {what: sum(counts[file, what] for file in range(len(keys))) for what in WHATS}
    meaning = target.meaning
    marker = Marker(
        key=unit.key,
        path=unit.names[0][0],
        file=shown_path(unit.path),
        version=unit.version,
        start=unit.start,
        end=unit.end,
        number=unit.number,
        rules_version=RULES_VERSION,
        tables_version=TABLES_VERSION,
        package_version=__version__,
        parts=parts,
        read=total[READ],
        games=total[STORED],
        with_defects=total[DEFECTS],
        rejected=total[REJECTED],
        lines=lines,
        seconds=time.perf_counter() - start,
        at=time.time(),
        digest=None if reader is None else reader.digests.get(0),
        level=None if meaning is None else meaning.level,
        conventions_version=None if meaning is None else CONVENTIONS_VERSION,
        model=None if meaning is None else meaning.model,
        rejects=[reject_of(error) for error in errors[:listed]],
        unlisted=sum(getattr(error, "count", 0) for error in errors[listed:]),
        sums=sums,
        makers=versions_of(target.makers) if sums else {},
        run=target.run,
        files=_files(unit, reader, counts, keys) if unit.more else [],
    )
    if commit(place, marker):
        return summary_of(marker, done=True)
    for part in (*parts, *sums):
        place.remove(part.name)
    there = read_marker(place, unit.key)
    return summary_of(there, done=_is_of(there, target))


def _files(
    unit: Unit, reader: FileReader | None, counts: Counter[tuple[int, str]], keys: list[list[int]]
) -> list[WholeFile]:
    """Return the counts of each file of a unit of several."""
    files = []
    for number, ((path, _), (known, version)) in enumerate(zip(unit.files, unit.names, strict=True)):
        digest = None if reader is None else reader.digests.get(number)
        read, stored, defects, rejected = (counts[number, what] for what in (READ, STORED, DEFECTS, REJECTED))
        mine = keys[number]
        files.append(
            WholeFile(known, shown_path(path), version, digest, read, stored, defects, rejected, mine)
        )
    return files


def _is_of(marker: Marker, target: Target) -> bool:
    """Return whether a unit was done in the same run: by a worker that died before it could report."""
    return target.run != "" and marker.run == target.run


def _groups(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """Yield segments in lists whose rows fit in memory."""
    group: list[Segment] = []
    size = 0
    for segment in segments:
        group.append(segment)
        size += len(segment.text) + _RECORD * len(segment.outcomes)
        if size >= _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _write(place: Place, made: UnitRows, stem: str) -> Iterator[Part]:
    """Write the rows of games; yield the files."""
    whole: dict[tuple[str, int | None], list[Arrays]] = {}
    for players, several in made.rows.items():
        for rows in several:
            for table, arrays in rows.items():
                folder = (table, players if table in BY_PLAYERS else None)
                whole.setdefault(folder, []).append(arrays)
    for (table, players), listed in sorted(whole.items(), key=lambda one: (one[0][0], one[0][1] or 0)):
        frames = [frame_of(table, arrays) for arrays in listed if len(arrays["game_id"])]
        listed.clear()
        if not frames:
            continue
        if players is None:
            frames = _in_order(frames)
        data = parquet(frames)
        name = f"{folder_of(table, players)}/{stem}.parquet"
        place.write(name, data)
        yield Part(table, players, name, sum(frame.height for frame in frames), len(data))


def _in_order(frames: list[Any]) -> list[Any]:
    """Return rows of several team sizes in order of their games, with the order within a game."""
    return [pl.concat(frames).sort("game_id", maintain_order=True)]

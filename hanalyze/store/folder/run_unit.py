"""Process one unit of work, from bytes of logs to committed files of a folder.

Threads, shards and tasks of a cluster call `run_unit`, and may repeat a call after a failure. A call for a
finished unit returns immediately; of two calls at the same time, the first to commit counts.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import RULES_VERSION
from hanalyze.lazy import polars as pl
from hanalyze.store.dealing import KnownKeys, deal_segments
from hanalyze.store.files import GAME_BYTES, FileReader, Segment, Source, shown_path
from hanalyze.store.folder.commit_markers import Marker, Part, WholeFile, commit, read_marker
from hanalyze.store.folder.parts import BY_PLAYERS, folder_of, frame_of, parquet
from hanalyze.store.folder.storage import Place, place_of
from hanalyze.store.folder.unit_sums import is_worth_it, write_sums
from hanalyze.store.folder.units import Unit, read_unit
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
    make_rows,
)
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.conventions import CONVENTIONS_VERSION
from hanalyze.version import __version__

_GROUP: Final = 34 * 2**20
"""Bytes of logs after which their rows are written, which limits memory; a unit may be larger."""


@dataclass(frozen=True)
class Target:
    """Settings for the units of a run.

    `path` is the folder or URL to write to. `fast` uses compiled code. `strict` raises the first error or
    defect. `meaning` contains the settings for reading conventions, None to skip that reading. `makers`
    compute partial sums, except for few games in a local folder. `run` is the name of the run,
    which may try a unit more than once; without a name, each call counts as a separate run.
    """

    path: str
    fast: bool = True
    strict: bool = False
    meaning: ConventionSettings | None = None
    makers: tuple[Maker, ...] = ()
    run: str = ""


class UnitResult(NamedTuple):
    """Result of a unit: whether this run processed the unit, and the numbers of games read and rejected."""

    key: str
    done: bool
    read: int
    rejected: int


def run_unit(unit: Unit, target: Target) -> UnitResult:
    """Process a unit of work, unless it is already committed; return its result.

    Raises `HanalyzeError` for a full disk, for a file that has changed since it was listed (rule `changed`),
    and with `strict` for the first error.
    """
    try:
        return _result(read_marker(place_of(target.path), unit.key), target)
    except FileNotFoundError:
        pass
    reader = FileReader([path for path, _ in unit.files])
    return run_segments(unit, read_unit(unit, reader), reader, target)


def run_segments(unit: Unit, segments: Iterable[Segment], reader: Source, target: Target) -> UnitResult:
    """Process a unit of work whose segments are given; return its result."""
    start = time.perf_counter()
    place = place_of(target.path)
    attempt = secrets.token_hex(4)
    stored_keys = KnownKeys(np.zeros(0, np.int64), np.zeros(0, np.uint64))
    rejects = RejectLog([path for path, _ in unit.files], reader.give_up)
    counts: Counter[tuple[int, str]] = Counter()
    keys: list[list[int]] = [[] for _ in unit.files]
    parts: list[Part] = []
    sums: list[Part] = []
    errors: list[HanalyzeError] = []
    lines = 0
    read = (segment for segment in segments if segment.file not in rejects.given_up)
    for number, group in enumerate(_groups(read)):
        deals = deal_segments(group, strict=target.strict)
        is_new = stored_keys.claim(deals.keys, deals.checks)
        unit_rows = make_rows(
            deals, is_new, fast=target.fast, strict=target.strict, grouped=True, meaning=target.meaning
        )
        del deals
        rejects.add(unit_rows.counts, unit_rows.rejects)
        errors += rejects.take()
        counts.update(unit_rows.counts)
        for file, key in unit_rows.keys:
            keys[file].append(key)
        lines += sum(segment.text.count(b"\n") for segment in group)
        stem = f"{unit.key}-{attempt}-{number}"
        written = list(_write(place, unit_rows, stem))
        parts += written
        del unit_rows
        if target.makers and is_worth_it(place, written):
            sums += write_sums(place, stem, written, target.makers)
    listed = len(errors)
    errors += rejects.take(at_end=True)
    if unit.more:
        # No other unit reads parts of these files, so their numbers of unlisted games are final.
        listed = len(errors)
    files = [
        WholeFile(
            path=name,
            file=shown_path(path),
            version=version,
            digest=reader.digests.get(number),
            read=counts[number, READ],
            games=counts[number, STORED],
            with_defects=counts[number, DEFECTS],
            rejected=counts[number, REJECTED],
            keys=keys[number],
        )
        for number, ((path, _), (name, version)) in enumerate(zip(unit.files, unit.names, strict=True))
    ]
    meaning = target.meaning
    marker = Marker(
        key=unit.key,
        path=files[0].path,
        file=files[0].file,
        version=unit.version,
        start=unit.start,
        end=unit.end,
        number=unit.number,
        rules_version=RULES_VERSION,
        tables_version=TABLES_VERSION,
        package_version=__version__,
        parts=parts,
        read=sum(file.read for file in files),
        games=sum(file.games for file in files),
        with_defects=sum(file.with_defects for file in files),
        rejected=sum(file.rejected for file in files),
        lines=lines,
        seconds=time.perf_counter() - start,
        at=time.time(),
        digest=files[0].digest,
        level=None if meaning is None else meaning.level,
        conventions_version=None if meaning is None else CONVENTIONS_VERSION,
        model=None if meaning is None else meaning.model,
        rejects=[reject_of(error) for error in errors[:listed]],
        unlisted=sum(getattr(error, "count", 0) for error in errors[listed:]),
        sums=sums,
        makers=versions_of(target.makers) if sums else {},
        run=target.run,
        files=files if unit.more else [],
    )
    if commit(place, marker):
        return _result(marker, target, done=True)
    for part in (*parts, *sums):
        place.remove(part.name)
    return _result(read_marker(place, unit.key), target)


def _result(marker: Marker, target: Target, *, done: bool = False) -> UnitResult:
    """Return the result of a committed unit.

    `done` is also True if an earlier attempt of the same run committed the unit, because the worker may have
    died before it reported the result.
    """
    is_of_run = target.run != "" and marker.run == target.run
    return UnitResult(marker.key, done or is_of_run, marker.read, marker.rejected)


def _groups(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """Yield segments in lists whose rows fit in memory."""
    group: list[Segment] = []
    size = 0
    for segment in segments:
        group.append(segment)
        size += len(segment.text) + GAME_BYTES * len(segment.outcomes)
        if size >= _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _write(place: Place, unit_rows: UnitRows, stem: str) -> Iterator[Part]:
    listed: defaultdict[tuple[str, int | None], list[Arrays]] = defaultdict(list)
    for players, several in unit_rows.rows.items():
        for rows in several:
            for table, arrays in rows.items():
                listed[table, players if table in BY_PLAYERS else None].append(arrays)
    for table, players in sorted(listed, key=lambda one: (one[0], one[1] or 0)):
        frames = [frame_of(table, rows) for rows in listed.pop((table, players)) if len(rows["game_id"])]
        if not frames:
            continue
        if players is None:  # rows of several team sizes
            frames = [pl.concat(frames).sort("game_id", maintain_order=True)]
        data = parquet(frames)
        name = f"{folder_of(table, players)}/{stem}.parquet"
        place.write(name, data)
        yield Part(table, players, name, sum(frame.height for frame in frames), len(data))

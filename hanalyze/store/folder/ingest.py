"""Ingest logs into a folder; threads or a cluster process the units of a run, or only those of one shard.

The same command continues an interrupted run. Several runs may write to a folder at the same time.
"""

from __future__ import annotations

import itertools
import os
import secrets
import time
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from typing import Final

from hanalyze.engine.run import play_batch
from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import RULES_VERSION
from hanalyze.kernels.compiling import pays_off
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay
from hanalyze.store.dealing import batch_of, deal_segments
from hanalyze.store.files import FileReader, RecordReader, Segment, Source
from hanalyze.store.folder.cluster import LOCAL, done_by_cluster
from hanalyze.store.folder.commit_markers import Marker, marked
from hanalyze.store.folder.compact import sweep
from hanalyze.store.folder.damage import check_parts
from hanalyze.store.folder.manifest import Manifest, fold, newest
from hanalyze.store.folder.run_unit import Target, UnitResult, run_segments, run_unit
from hanalyze.store.folder.storage import place_of
from hanalyze.store.folder.units import UNIT_BYTES, UNKNOWN, WHOLE, Unit, is_pipe, plan, read_unit, shard_of
from hanalyze.store.ingest import FIRST_PIECES, SAVED, Summary, frozen
from hanalyze.store.part_sums import Maker
from hanalyze.store.rows import OnProgress, Progress, in_turn, threads_of
from hanalyze.store.schema import check_version
from hanalyze.store.unit_of_work import ConventionSettings
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.conventions import CONVENTIONS_VERSION

_SAVED_WITH_CONVENTIONS: Final = 7e-6
"""Seconds that compiled code saves per byte of logs if conventions are read, too."""


def ingest_files(
    path: str,
    files: Sequence[str],
    *,
    jobs: int | None = None,
    strict: bool = False,
    level: int | None = None,
    conventions: bool = False,
    shard: tuple[int, int] | None = None,
    cluster: str | None = None,
    workers: int | None = None,
    makers: Sequence[Maker] = (),
    unit_bytes: int = UNIT_BYTES,
    on_progress: OnProgress = None,
) -> Summary:
    """Store the games of files in a folder; see `Database.ingest` and, for clusters, `done_by_cluster`.

    `unit_bytes` must be the same in all runs over a file. Raises `HanalyzeError` with the rule `other_ranges`
    if other ranges of a file are stored, or `pipe` for a shard of an input that can be read only once.
    """
    start = time.perf_counter()
    jobs = threads_of(jobs)
    if cluster not in (None, LOCAL):
        # A worker on another machine has another working directory.
        path = path if "://" in path else os.path.abspath(path)
        files = [os.path.abspath(file) if os.path.isfile(file) else file for file in files]
    place = place_of(path)
    # `fold` adds the finished units of an interrupted run to the manifest.
    manifest = fold(place) if marked(place) else newest(place)
    check_version(manifest.tables_version, path)
    check_parts(place)
    pipes = [] if shard else [file for file in files if is_pipe(file)]
    units = plan([file for file in files if file not in pipes], unit_bytes)
    check_ranges(manifest, units)
    total = sum(unit.size for unit in units)
    fast = _pays_off(total, conventions)
    meaning = convention_settings(manifest, units, level, fast) if conventions else None
    if shard is not None:
        units = shard_of(units, shard)
        total = sum(unit.size for unit in units)
    target = Target(path, fast, strict, meaning, tuple(makers), run=secrets.token_hex(8))
    units, before = _unread_units(manifest, units)
    results = [before]
    games = before.read
    done = total - sum(unit.size for unit in units)
    try:
        with frozen(fast), closing(_processed_units(units, target, jobs, cluster, workers)) as done_units:
            for unit, result in done_units:
                results.append(result)
                games += result.read
                done += unit.size
                if on_progress is not None:
                    on_progress(Progress(games, done, total, time.perf_counter() - start))
            for number, file in enumerate(pipes, len(files)):
                results.append(_run_once(file, number, FileReader([file]), target))
    except BaseException:
        # Make finished units visible.
        with suppress(HanalyzeError, OSError):
            fold(place)
        raise
    folded = fold(place)
    if shard is None:
        sweep(place, folded)
    return summed_up(folded, results, time.perf_counter() - start)


def _pays_off(size: float, conventions: bool = False) -> bool:
    if not conventions:
        return pays_off(size * SAVED, play_batch)
    from hanalyze.conventions.run import read_batch  # the import is slow

    return pays_off(size * _SAVED_WITH_CONVENTIONS, play_batch, read_batch)


def _unread_units(manifest: Manifest, units: list[Unit]) -> tuple[list[Unit], UnitResult]:
    """Return the units without the files that earlier runs read, and the counts of games in these files."""
    stored = {
        (file.path, file.version): file
        for marker in manifest.units
        if _has_current_versions(marker)
        for file in marker.whole_files()
        if file.version != UNKNOWN
    }
    left = [unit.without(stored) for unit in units]
    known = [stored[name] for unit in units if unit.end == WHOLE for name in unit.names if name in stored]
    before = UnitResult("", False, sum(file.read for file in known), sum(file.rejected for file in known))
    return [unit for unit in left if unit is not None], before


def _processed_units(
    units: Sequence[Unit], target: Target, jobs: int, cluster: str | None, workers: int | None
) -> Generator[tuple[Unit, UnitResult]]:
    """Yield units with their results, processed by threads or by the workers of a cluster."""
    if cluster is not None:
        # Games without a file are downloaded by this process, so that the site gets one request at a time.
        for unit in units:
            if unit.version == UNKNOWN:
                yield unit, run_unit(unit, target)
        files = [unit for unit in units if unit.version != UNKNOWN]
        yield from done_by_cluster(cluster, files, target, workers=workers)
        return

    def work(unit: Unit) -> tuple[Unit, UnitResult]:
        return unit, run_unit(unit, target)

    with ThreadPoolExecutor(jobs, "ingest") as pool:
        yield from in_turn(pool, units, jobs, work)


def add_records(path: str, records: Iterable[GameRecord | Replay], *, strict: bool = False) -> Summary:
    """Store games that are in memory in a folder, as one unit."""
    start = time.perf_counter()
    place = place_of(path)
    check_version(newest(place).tables_version, path)
    result = _run_once("records", 0, RecordReader(records), Target(path, fast=False, strict=strict))
    return summed_up(fold(place), [result], time.perf_counter() - start)


def _run_once(name: str, number: int, reader: Source, target: Target) -> UnitResult:
    """Process an input that can be read only once as one unit; `fold` drops games that were stored before."""
    pieces = reader.pieces()
    begin = list(itertools.islice(pieces, FIRST_PIECES))
    fast = target.fast or _pays_off(reader.done, target.meaning is not None)
    # A version that sorts by time: of equal games, the first stored game counts.
    unit = Unit(name, f"{time.time_ns():020}-{secrets.token_hex(8)}", 0, WHOLE, number)
    with frozen(fast):
        segments = itertools.chain.from_iterable(itertools.chain(begin, pieces))
        return run_segments(unit, segments, reader, replace(target, fast=fast))


def check_ranges(manifest: Manifest, units: Iterable[Unit]) -> None:
    """Raise `HanalyzeError` (rule `other_ranges`) if other ranges of a file are stored already."""
    planned: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for unit in units:
        for name in unit.names:
            planned.setdefault(name, set()).add((unit.start, unit.end))
    for marker in manifest.units:
        mine = (marker.start, marker.end)
        names = [(file.path, file.version) for file in marker.files] or [(marker.path, marker.version)]
        cut = [path for path, version in names if mine not in planned.get((path, version), {mine})]
        if cut and _has_current_versions(marker) and marker.version != UNKNOWN:
            stored = f"bytes {marker.start:,} to {marker.end:,} of this file are stored as a unit"
            problem = f"{stored}, but this run would split the file differently"
            advice = "use the `unit_bytes` of the first run"
            raise HanalyzeError(problem, rule="other_ranges", file=cut[0], advice=advice)


def _has_current_versions(marker: Marker) -> bool:
    return (marker.rules_version, marker.tables_version) == (RULES_VERSION, TABLES_VERSION)


def convention_settings(
    manifest: Manifest, units: Sequence[Unit], level: int | None, fast: bool
) -> ConventionSettings:
    """Return the settings for reading conventions, the same in all shards; `fast` uses compiled code.

    If games of the folder were read before, their settings are used. Otherwise, the settings are `level` and
    the model of chances that best fits the first games. Raises `HanalyzeError` (rules `other_level`,
    `bad_number`).
    """
    # Imported here, because the import is slow.
    from hanalyze.chances.model import load_model
    from hanalyze.conventions.run import HIGHEST_LEVEL, check_level
    from hanalyze.store.conventions import SAMPLE, choose_model

    for unit in manifest.units:
        if unit.level is None or unit.model is None:
            continue
        if level not in (None, unit.level) or unit.conventions_version != CONVENTIONS_VERSION:
            problem = f"earlier games of this folder were read up to level {unit.level}"
            problem += f" (version {unit.conventions_version})"
            advice = "ingest into a new folder, or with --rebuild"
            raise HanalyzeError(problem, rule="other_level", advice=advice)
        return ConventionSettings(unit.level, unit.model)
    level = HIGHEST_LEVEL if level is None else level
    check_level(level)
    # Whole segments are dealt until the sample is large enough, so the sample does not depend on the units.
    sample: list[Segment] = []
    games = deal_segments(sample)
    files = (unit for unit in units if os.path.isfile(unit.path))
    readers = (read_unit(unit, FileReader([path for path, _ in unit.files])) for unit in files)
    for segment in itertools.chain.from_iterable(readers):
        sample.append(segment)
        games = deal_segments(sample)
        if len(games.keys) >= SAMPLE:
            break
    first = sorted(range(len(games.keys)), key=games.keys.__getitem__)[:SAMPLE]
    if not first:
        return ConventionSettings(level, load_model().name)
    batch = batch_of([games.games[index] for index in first])
    return ConventionSettings(level, choose_model(batch, level, fast))


def summed_up(manifest: Manifest, results: Sequence[UnitResult], seconds: float) -> Summary:
    """Return the summary of a run from its units; games that are in several units count once."""
    read, rejected = sum(one.read for one in results), sum(one.rejected for one in results)
    kept = [manifest.kept[one.key] for one in results if one.done]
    stored, defects = sum(one.games for one in kept), sum(one.with_defects for one in kept)
    return Summary(read, stored, read - rejected - stored, defects, rejected, seconds)

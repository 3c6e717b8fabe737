"""Logs into a folder: the units of a run done by threads or by a cluster, or one shard of them.

The same command continues an interrupted run. Several runs may write to one folder at once, on any machines
that see it.
"""

from __future__ import annotations

import itertools
import os
import secrets
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any, Final

from hanalyze.errors import HanalyzeError
from hanalyze.game.rules import RULES_VERSION
from hanalyze.kernels.compiling import pays_off
from hanalyze.logs.record import GameRecord
from hanalyze.store.dealing import batch_of
from hanalyze.store.files import FileReader, RecordReader, Segment
from hanalyze.store.folder.cluster import LOCAL, done_by_cluster
from hanalyze.store.folder.commit_markers import Marker, marked
from hanalyze.store.folder.compact import sweep
from hanalyze.store.folder.damage import check_parts
from hanalyze.store.folder.manifest import Manifest, check_version, fold, newest
from hanalyze.store.folder.run_unit import Target, run_segments, run_unit
from hanalyze.store.folder.storage import Place, place_of
from hanalyze.store.folder.units import UNIT_BYTES, UNKNOWN, WHOLE, Unit, plan, read_unit, shard_of
from hanalyze.store.ingest import SAVED, Progress, Summary, frozen
from hanalyze.store.part_sums import Maker
from hanalyze.store.rows import in_turn
from hanalyze.store.unit_of_work import ConventionSettings, keyed_games
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.conventions import CONVENTIONS_VERSION

_SAMPLE: Final = 50
"""Games by which a model of chances is chosen."""


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
    on_progress: Callable[[Progress], object] | None = None,
) -> Summary:
    """Store the games of files in a folder; see `Database.ingest`.

    `unit_bytes` must be the same in all runs over a file. Raises `HanalyzeError` (rule `other_ranges`) if
    other ranges of a file were stored before; (rule `pipe`) for a shard of an input that can be read only
    once; see `done_by_cluster` for clusters.
    """
    start = time.perf_counter()
    jobs = jobs or os.cpu_count() or 1
    if jobs < 1:
        raise HanalyzeError(f"{jobs} jobs", rule="bad_number", advice="give 1 or more")
    if cluster not in (None, LOCAL):
        # A worker elsewhere has another working directory.
        path = path if "://" in path else os.path.abspath(path)
        files = [os.path.abspath(file) if os.path.isfile(file) else file for file in files]
    place = place_of(path)
    # Units of an interrupted run count from here on.
    manifest = fold(place) if marked(place) else newest(place)
    check_version(place, manifest)
    check_parts(place)
    pipes = [] if shard else [file for file in files if _is_pipe(file)]
    units = plan([file for file in files if file not in pipes], unit_bytes)
    check_ranges(manifest, units)
    total = sum(unit.size for unit in units)
    fast = pays_off(float("inf") if pipes else total * SAVED)
    meaning = convention_settings(manifest, units, level, fast) if conventions else None
    if shard is not None:
        units = shard_of(units, shard)
        total = sum(unit.size for unit in units)
    target = Target(path, fast, strict, meaning, tuple(makers), run=secrets.token_hex(8))
    units, before = _left(manifest, units)
    results = [before]
    games = before["read"]
    done = total - sum(unit.size for unit in units)
    try:
        with frozen(fast), closing(_done(units, target, jobs, cluster, workers)) as done_units:
            for unit, result in done_units:
                results.append(result)
                games += result["read"]
                done += unit.size
                if on_progress is not None:
                    on_progress(Progress(games, done, total, time.perf_counter() - start))
            for number, file in enumerate(pipes, len(files)):
                results.append(_run_pipe(place, file, number, target))
    except BaseException:
        # Make finished units visible.
        with suppress(HanalyzeError, OSError):
            fold(place)
        raise
    folded = fold(place)
    if shard is None:
        sweep(place, folded)
    return summed_up(folded, results, time.perf_counter() - start)


def _left(manifest: Manifest, units: Iterable[Unit]) -> tuple[list[Unit], dict[str, Any]]:
    """Return the units without files that were read completely before, and the counts of these files."""
    there = {
        (file.path, file.version): file
        for marker in manifest.units
        if _is_of_now(marker)
        for file in marker.whole_files()
        if file.version != UNKNOWN
    }
    units = list(units)
    left = [unit.without(there) for unit in units]
    known = [there[name] for unit in units if unit.end == WHOLE for name in unit.names if name in there]
    counts = {"read": sum(file.read for file in known), "rejected": sum(file.rejected for file in known)}
    return [unit for unit in left if unit is not None], {"done": False, **counts}


def _done(
    units: Sequence[Unit], target: Target, jobs: int, cluster: str | None, workers: int | None
) -> Generator[tuple[Unit, dict[str, Any]]]:
    """Yield units with their results, done by threads or by the workers of a cluster."""
    if cluster is not None:
        # Games without a file are fetched from a site: from here only, at one rate.
        for unit in units:
            if unit.version == "none":
                yield unit, run_unit(unit, target)
        yield from done_by_cluster(
            cluster, [unit for unit in units if unit.version != "none"], target, workers=workers
        )
        return

    def work(unit: Unit) -> tuple[Unit, dict[str, Any]]:
        return unit, run_unit(unit, target)

    with ThreadPoolExecutor(jobs, "ingest") as pool:
        try:
            yield from in_turn(pool, units, jobs, work)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def add_records(path: str, records: Iterable[GameRecord], *, strict: bool = False) -> Summary:
    """Store games in memory in a folder, as one unit."""
    start = time.perf_counter()
    place = place_of(path)
    check_version(place, newest(place))
    reader = RecordReader(records)
    pieces = reader.pieces()
    begin = list(itertools.islice(pieces, 8))
    fast = pays_off(reader.done * SAVED)
    target = Target(path, fast=fast, strict=strict)
    unit = Unit("records", _moment(), 0, -1, 0)
    with frozen(fast):
        segments = itertools.chain.from_iterable(itertools.chain(begin, pieces))
        result = run_segments(place, unit, segments, target)
    return summed_up(fold(place), [result], time.perf_counter() - start)


def _moment() -> str:
    """Return a unique version that sorts by time: of equal games the first counts."""
    return f"{time.time_ns():020}-{secrets.token_hex(8)}"


def _is_pipe(file: str) -> bool:
    return file == "-" or (os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file))


def _run_pipe(place: Place, file: str, number: int, target: Target) -> dict[str, Any]:
    """Read an input that can be read only once; games stored before are recognised by their content."""
    reader = FileReader([file])
    unit = Unit(file, _moment(), 0, -1, number)
    segments = itertools.chain.from_iterable(reader.pieces())
    return run_segments(place, unit, segments, target, reader=reader)


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
        if cut and _is_of_now(marker) and marker.version != UNKNOWN:
            raise HanalyzeError(
                f"bytes {marker.start:,} to {marker.end:,} of this file are stored as a unit, but this run"
                " would cut it otherwise",
                rule="other_ranges",
                file=cut[0],
                advice="give the size of units that the first run had",
            )


def _is_of_now(marker: Marker) -> bool:
    return (marker.rules_version, marker.tables_version) == (RULES_VERSION, TABLES_VERSION)


def convention_settings(
    manifest: Manifest, units: Sequence[Unit], level: int | None, fast: bool
) -> ConventionSettings:
    """Return how games are read for conventions, the same in all shards of a run; `fast`: compiled.

    The settings of the folder, if games in it were read before; else up to `level`, with the model of chances
    that suits the first games best. Raises `HanalyzeError` (rule `other_level`).
    """
    # Importing the reader takes long.
    from hanalyze.chances.model import load_model
    from hanalyze.conventions.run import HIGHEST_LEVEL
    from hanalyze.store.conventions import choose_model

    read = [unit for unit in manifest.units if unit.level is not None]
    for before in read[:1]:
        if level not in (None, before.level) or before.conventions_version != CONVENTIONS_VERSION:
            raise HanalyzeError(
                f"games were read up to level {before.level}, version {before.conventions_version}, before",
                rule="other_level",
                advice="ingest into a new folder, or with --rebuild",
            )
        assert before.level is not None
        assert before.model is not None
        return ConventionSettings(before.level, before.model)
    level = HIGHEST_LEVEL if level is None else level
    if not 1 <= level <= HIGHEST_LEVEL:
        raise HanalyzeError(f"level {level}, but levels are 1 to {HIGHEST_LEVEL}", rule="bad_number")
    # The games of whole segments until there are enough: the same however the files are cut.
    first: list[Segment] = []
    found = keyed_games(first)
    for segment in itertools.chain.from_iterable(
        read_unit(unit, FileReader([path for path, _ in unit.files]))
        for unit in units
        if os.path.isfile(unit.path)
    ):
        first.append(segment)
        found = keyed_games(first)
        if len(found.keys) >= _SAMPLE:
            break
    some = sorted(range(len(found.keys)), key=found.keys.__getitem__)[:_SAMPLE]
    if not some:
        return ConventionSettings(level, load_model().name)
    return ConventionSettings(
        level, choose_model(batch_of([found.games[index] for index in some]), level, fast)
    )


def summed_up(manifest: Manifest, results: Iterable[dict[str, Any]], seconds: float) -> Summary:
    """Return the summary of units; games that other units have, too, count once."""
    read = stored = defects = rejected = 0
    for result in results:
        read += result["read"]
        rejected += result["rejected"]
        if result["done"]:
            kept = manifest.kept[result["key"]]
            stored += kept.games
            defects += kept.with_defects
    return Summary(read, stored, read - rejected - stored, defects, rejected, seconds)

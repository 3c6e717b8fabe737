"""Work on databases, files and folders, that is killed, runs out of disk, or loses its file.

In: a folder to work in, how many, and a seed. Out: nothing; an `AssertionError` where a row is lost, doubled
or half there, or a failure was not said. `python -m tests.kills --count 200 --seed 8` runs as many as wanted.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl

from hanalyze import sum_up
from hanalyze.analysis import rates
from hanalyze.conventions.run import read_batch
from hanalyze.engine.run import play_batch
from hanalyze.kernels.compiling import can_compile, start_up
from hanalyze.solver.question import ask
from hanalyze.store import Database, connect
from hanalyze.store.folder.ingest import ingest_files
from hanalyze.store.folder.manifest import newest
from hanalyze.store.folder.storage import LocalPlace
from tests.store.logs import COMPARED, content, mixed

VICTIM: Final = """
import resource, signal, sys, time
import hanalyze.store.conventions, hanalyze.store.files, hanalyze.store.ingest, hanalyze.store.solutions
import hanalyze.store.folder.unit_sums
from hanalyze import sum_up
from hanalyze.errors import HanalyzeError
from hanalyze.store import connect
# Small steps, so that there is much to interrupt.
hanalyze.store.files._PIECE_BYTES = 150_000
hanalyze.store.ingest._GAMES_A_CHECKPOINT = 100
hanalyze.store.conventions._PIECE = 25
hanalyze.store.folder.unit_sums._MOST = 200
job, path, log, most = sys.argv[1:]
if int(most):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), resource.RLIM_INFINITY))
try:
    with connect(path) as db:
        print("begin", flush=True)
        {
            "ingest": lambda: db.ingest(log),
            "conventions": db.read_conventions,
            "solve": lambda: db.solve(nodes=10, game_nodes=10),
            "sums": lambda: sum_up(db),
            "compact": lambda: db.compact(grace=0),
        }[job.removeprefix("folder ")]()
        print("done", time.monotonic(), flush=True)
except HanalyzeError as error:
    print(error.rule, error)
    sys.exit(2)
"""

JOBS: Final = ("ingest", "conventions")
FOLDER_JOBS: Final = ("folder sums", "folder conventions", "folder solve", "folder compact")
ENDS: Final = ("killed", "killed", "full", "killed", "killed", "removed")
GAMES: Final = 600
UNIT_BYTES: Final = 300_000
"""Bytes of a unit of a folder, so that there is something to compact."""


def _start(job: str, path: Path, log: Path, most: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", VICTIM, job, str(path), str(log), str(most)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _check_whole(db: Database) -> None:
    """Assert that every game has all of its rows, or none."""
    games = db.games()
    assert games["game_id"].is_unique().all()
    for table, expected in (("turns", games["turns"].sum()), ("seats", games["players"].sum())):
        assert db.table(table).height == (expected or 0), table
    read = db.table("convention_games")
    assert read["game_id"].is_unique().all()
    opportunities = db.table("convention_opportunities")
    expected = games.filter(pl.col("game_id").is_in(read["game_id"].implode()))["turns"].sum()
    assert opportunities.height == (expected or 0)
    findings = db.table("conventions").select("game_id", "turn", "number")
    outcomes = db.table("convention_outcomes").select("game_id", "turn", "number")
    assert findings.sort(pl.all()).equals(outcomes.sort(pl.all()))
    solved = db.table("solved_games")
    assert solved["game_id"].is_unique().all()
    scores = db.best_scores().select("game_id").collect()
    expected = games.filter(pl.col("game_id").is_in(scores["game_id"].implode()))["turns"].sum()
    assert scores.height == (expected or 0)
    assert scores["game_id"].is_in(solved["game_id"].implode()).all()


def _numbers(db: Database) -> list[dict[str, Any]]:
    """Return the numbers that are computed from sums."""
    return rates(db, by="player", minimum=1).to_dicts() + rates(db, by="variant", minimum=1).to_dicts()


def _copy(begin: Path, path: Path) -> None:
    shutil.copytree(begin, path) if begin.is_dir() else shutil.copy(begin, path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _size(path: Path) -> int:
    """Return the bytes of the largest file of a database."""
    return max(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")))


class Kills:
    """An undisturbed run of a job, and runs that are disturbed and then completed."""

    def __init__(self, folder: Path, seed: int, jobs: Sequence[str]) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.log = mixed(folder / "mixed.jsonl", GAMES, 60)
        self.seen: Counter[tuple[str, str, str]] = Counter()
        self.number = 0
        self.last: dict[str, float] = {}
        self.sizes: dict[str, tuple[int, int]] = {}
        self.expected: dict[str, dict[str, pl.DataFrame]] = {}
        with connect(folder / "ingested.duckdb") as db:
            db.ingest(self.log)
            self.numbers = _numbers(db) if "folder sums" in jobs else []
        if set(jobs) & {*FOLDER_JOBS}:
            ingest_files(str(folder / "ingested"), [str(self.log)], unit_bytes=UNIT_BYTES)
        for job in jobs:
            is_slow = can_compile() and start_up(play_batch, read_batch, ask) > start_up()
            self._undisturbed(job)
            if is_slow:  # the compiler had to fill its cache
                self._undisturbed(job)

    def _begin(self, job: str, path: Path) -> None:
        """Create the files with which a job begins."""
        if job != "ingest":
            _copy(self.folder / ("ingested" if job in FOLDER_JOBS else "ingested.duckdb"), path)

    def _undisturbed(self, job: str) -> None:
        path = self.folder / f"whole {job}"
        _remove(path)
        self._begin(job, path)
        # Findings of conventions use space of the file that was free before.
        before = 12_288 if job == "ingest" else 4_096 if job in FOLDER_JOBS else _size(path) // 3
        with _start(job, path, self.log) as undisturbed:
            assert undisturbed.stdout is not None
            undisturbed.stdout.readline()
            start = time.perf_counter()
            assert undisturbed.wait() == 0
        self.last[job] = time.perf_counter() - start
        self.sizes[job] = before, _size(path)
        with connect(path) as db:
            self.expected[job] = content(db)

    def one(self, job: str, end: str) -> None:
        """Disturb a run, check the stored data, and complete the run."""
        self.number += 1
        path = self.folder / f"{self.number}{'' if job in FOLDER_JOBS else '.duckdb'}"
        self._begin(job, path)
        least, most = self.sizes[job]
        removed = 0.0
        limit = self.chance.randint(least, most) if end == "full" else 0
        with _start(job, path, self.log, limit) as victim:
            assert victim.stdout is not None
            assert victim.stderr is not None
            begun = victim.stdout.readline() == "begin\n"
            if end != "full":
                time.sleep(self.chance.uniform(0, self.last[job]))
            if end == "killed":
                victim.kill()
            elif end == "removed":
                removed = time.monotonic()
                path.unlink()
            said = victim.stdout.read()
            errors = victim.stderr.read()
        assert not errors, errors
        rule = {"full": "disk_full ", "removed": "removed "}.get(end, "")
        if end != "killed":
            # The run prints that it is done, or the rule of the error that stopped it.
            assert said.startswith(("done ", rule)) or not begun, (job, end, said)
        done = said.startswith("done ")
        if done and end == "removed":
            assert removed > float(said.split()[1]) - 0.25
        self.seen[job, end, "whole" if done else "broken off"] += 1
        if job == "conventions" and not path.exists():
            self._begin(job, path)
        if job in FOLDER_JOBS:
            with connect(path, read_only=True, files_in=()) as db:
                _check_whole(db)
        with connect(path) as db:
            _check_whole(db)
            there = db.games().height
        with connect(path) as db:
            if job == "ingest":
                assert db.ingest(self.log).already_there == there
            else:
                assert there == GAMES
                COMPLETE[job.removeprefix("folder ")](db)
        with connect(path) as db:
            _check_whole(db)
            found = content(db)
            for table in COMPARED:
                assert found[table].equals(self.expected[job][table]), (job, end, table)
            if job == "folder sums":
                assert _numbers(db) == self.numbers
        _remove(path)


def _read(db: Database) -> None:
    db.read_conventions()
    assert not db.read_conventions().games


def _solve(db: Database) -> None:
    db.solve(nodes=10, game_nodes=10)
    assert not db.solve(nodes=10, game_nodes=10).games


def _sum_up(db: Database) -> None:
    sum_up(db)
    assert sum_up(db).already == GAMES


def _compact(db: Database) -> None:
    """Compact completely; assert that only files of the manifest remain."""
    db.compact(grace=-1)
    assert db.file is not None
    place = LocalPlace(db.file)
    manifest = newest(place)
    rows = {entry.name for entry in place.entries() if entry.name.endswith((".parquet", ".tmp"))}
    assert rows == {part.name for part in manifest.files()} | {manifest.rejects}


COMPLETE: Final = {"conventions": _read, "solve": _solve, "sums": _sum_up, "compact": _compact}


def kills(folder: Path, count: int, seed: int, jobs: tuple[str, ...] = JOBS) -> Counter[tuple[str, str, str]]:
    """Disturb `count` runs of each job in turn; return counts by job, kind of disturbance and result."""
    runs = Kills(folder, seed, jobs)
    for number in range(count):
        for job in jobs:
            end = ENDS[number % len(ENDS)]
            runs.one(job, "killed" if end == "removed" and job in FOLDER_JOBS else end)
    return runs.seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="runs of each job")
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--job", choices=(*JOBS, *FOLDER_JOBS), action="append", help="only this; repeatable")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = kills(Path(folder), given.count, given.seed, tuple(given.job or (*JOBS, *FOLDER_JOBS)))
    for (job, end, how), times in sorted(seen.items()):
        print(f"{job:18} {end:8} {how:10} {times:4}")


if __name__ == "__main__":
    main()

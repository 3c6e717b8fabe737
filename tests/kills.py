"""Ingests and readings of conventions that are killed, run out of disk, or lose their file.

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
from pathlib import Path
from typing import Final

import polars as pl

from hanalyze.store import Database, connect
from tests.store.logs import COMPARED, content, mixed

VICTIM: Final = """
import resource, signal, sys, time
import hanalyze.store.conventions, hanalyze.store.files, hanalyze.store.ingest
from hanalyze.errors import HanalyzeError
from hanalyze.store import connect
# Small steps, so that there is much to interrupt.
hanalyze.store.files._PIECE_BYTES = 150_000
hanalyze.store.ingest._GAMES_A_CHECKPOINT = 100
hanalyze.store.conventions._PIECE = 25
job, path, log, most = sys.argv[1:]
if int(most):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), resource.RLIM_INFINITY))
try:
    with connect(path) as db:
        print("begin", flush=True)
        db.ingest(log) if job == "ingest" else db.read_conventions()
        print("done", time.monotonic(), flush=True)
except HanalyzeError as error:
    print(error.rule, error)
    sys.exit(2)
"""

JOBS: Final = ("ingest", "conventions")
ENDS: Final = ("killed", "killed", "full", "killed", "killed", "removed")
GAMES: Final = 600


def _start(job: str, path: Path, log: Path, most: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", VICTIM, job, str(path), str(log), str(most)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _check_whole(db: Database) -> None:
    """Every game has all of its rows, or none."""
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


class Kills:
    """The undisturbed run, and others that are disturbed and then completed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.log = mixed(folder / "mixed.jsonl", GAMES, 60)
        self.seen: Counter[tuple[str, str, str]] = Counter()
        self.number = 0
        self.last: dict[str, float] = {}
        whole = folder / "whole.duckdb"
        self.sizes: dict[str, tuple[int, int]] = {}
        # Twice: the first time the compiler has to fill its cache.
        for _ in range(2):
            whole.unlink(missing_ok=True)
            before = 12_288
            for job in JOBS:
                with _start(job, whole, self.log) as undisturbed:
                    assert undisturbed.stdout is not None
                    undisturbed.stdout.readline()
                    start = time.perf_counter()
                    assert undisturbed.wait() == 0
                self.last[job] = time.perf_counter() - start
                size = whole.stat().st_size
                # What is read of conventions takes the place of what was free before.
                self.sizes[job] = (before if job == "ingest" else before // 3), size
                before = size
                if job == "ingest":
                    shutil.copy(whole, folder / "ingested.duckdb")
        self.expected = {}
        for job, name in zip(JOBS, ("ingested", "whole"), strict=True):
            with connect(folder / f"{name}.duckdb") as db:
                self.expected[job] = content(db)

    def one(self, job: str, end: str) -> None:
        """Disturb a run, see what is there, and complete it."""
        self.number += 1
        path = self.folder / f"{self.number}.duckdb"
        if job == "conventions":
            shutil.copy(self.folder / "ingested.duckdb", path)
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
            # A success is said only where there is one, and a failure by its name.
            assert said.startswith(("done ", rule)) or not begun, (job, end, said)
        done = said.startswith("done ")
        if done and end == "removed":
            assert removed > float(said.split()[1]) - 0.25
        self.seen[job, end, "whole" if done else "broken off"] += 1
        if job == "conventions" and not path.exists():
            shutil.copy(self.folder / "ingested.duckdb", path)
        with connect(path) as db:
            _check_whole(db)
            there = db.games().height
        with connect(path) as db:
            if job == "ingest":
                assert db.ingest(self.log).already_there == there
            else:
                assert there == GAMES
                db.read_conventions()
                assert not db.read_conventions().games
        with connect(path) as db:
            _check_whole(db)
            found = content(db)
            for table in COMPARED:
                assert found[table].equals(self.expected[job][table]), (job, end, table)
        path.unlink()


def kills(folder: Path, count: int, seed: int, jobs: tuple[str, ...] = JOBS) -> Counter[tuple[str, str, str]]:
    """Disturb `count` runs of each of some jobs, two of three by a kill; return how often what happened."""
    runs = Kills(folder, seed)
    for number in range(count):
        for job in jobs:
            runs.one(job, ENDS[number % len(ENDS)])
    return runs.seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="runs of each job")
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--job", choices=JOBS, action="append", help="only this one; repeatable")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = kills(Path(folder), given.count, given.seed, tuple(given.job or JOBS))
    for (job, end, how), times in sorted(seen.items()):
        print(f"{job:12} {end:8} {how:10} {times:4}")


if __name__ == "__main__":
    main()

"""An ingest that is killed leaves a database that opens, and the same run again completes it."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hanalyze.store import open as open_database
from tests.store.logs import COMPARED, content, mixed

INGEST = """
import sys
import hanalyze.store.files, hanalyze.store.ingest
from hanalyze.store import open as open_database
# Small steps, so that there is much to interrupt.
hanalyze.store.files._PIECE_BYTES = 150_000
hanalyze.store.ingest._GAMES_A_CHECKPOINT = 100
with open_database(sys.argv[1]) as db:
    print("begin", flush=True)
    db.ingest(sys.argv[2])
"""


def crash(folder: Path, times: int) -> None:
    log = mixed(folder / "mixed.jsonl", 600, 60)
    command = [sys.executable, "-c", INGEST]
    subprocess.run([*command, str(folder / "first.duckdb"), str(log)], check=True, capture_output=True)
    with subprocess.Popen(
        [*command, str(folder / "whole.duckdb"), str(log)], stdout=subprocess.PIPE
    ) as undisturbed:
        assert undisturbed.stdout is not None
        undisturbed.stdout.readline()
        start = time.perf_counter()
        assert undisturbed.wait() == 0
    lasts = time.perf_counter() - start
    with open_database(folder / "whole.duckdb") as db:
        expected = content(db)
    chance = random.Random(8)
    halfway = 0
    for number in range(times):
        path = folder / f"{number}.duckdb"
        with subprocess.Popen([*command, str(path), str(log)], stdout=subprocess.PIPE) as victim:
            assert victim.stdout is not None
            victim.stdout.readline()
            time.sleep(chance.uniform(0, lasts))
            victim.kill()
        with open_database(path) as db:
            there = db.games().height
            # Whole games or nothing.
            turns = db.sql("SELECT count(*) FROM turns").item()
            assert turns == (db.games()["turns"].sum() or 0)
        halfway += 0 < there < 600
        with open_database(path) as db:
            summary = db.ingest(log)
            assert summary.already_there == there
            found = content(db)
        for table in COMPARED:
            assert found[table].equals(expected[table]), (number, table)
        path.unlink()
    # Not all were killed too early or too late.
    assert halfway or times < 10


@pytest.mark.heavy
@pytest.mark.compiled
def test_killed_ingests_are_completed_by_running_again(tmp_path: Path) -> None:
    crash(tmp_path, 5)


@pytest.mark.compiled
@pytest.mark.heavy
def test_fifty_killed_ingests_are_completed(tmp_path: Path) -> None:
    crash(tmp_path, 50)

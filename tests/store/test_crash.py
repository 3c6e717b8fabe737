"""Whatever ends an ingest or a reading of conventions: what is there is whole, and again completes it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hanalyze.store import connect
from tests.kills import FOLDER_JOBS, kills
from tests.store.logs import log
from tests.store.small_disk import small_disk

COMMAND = [sys.executable, "-m", "hanalyze"]


@pytest.mark.parametrize(
    ("ingests", "others"),
    [pytest.param(12, 2, marks=pytest.mark.heavy), pytest.param(75, 8, marks=pytest.mark.exhaustive)],
)
@pytest.mark.compiled
def test_broken_off_runs_are_completed_by_running_again(tmp_path: Path, ingests: int, others: int) -> None:
    for jobs, count in ((("ingest",), ingests), (("conventions", *FOLDER_JOBS), others)):
        folder = tmp_path / jobs[0]
        folder.mkdir()
        assert sum(kills(folder, count, seed=8, jobs=jobs).values()) == count * len(jobs)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300
    )


def full(ran: subprocess.CompletedProcess[str]) -> None:
    assert ran.returncode == 2
    [line] = ran.stderr.splitlines()
    assert "the disk is full; free some space, and " in line
    assert not ran.stdout


@pytest.mark.heavy
@pytest.mark.compiled
def test_a_disk_without_room_says_so_and_the_same_again_goes_on(tmp_path: Path) -> None:
    games = log(tmp_path / "games.jsonl", 400)
    with small_disk(tmp_path / "disk", 3) as disk:
        path = disk.folder / "games.duckdb"
        full(run("ingest", games, "--db", path))
        disk.grow(16)
        ran = run("ingest", games, "--db", path)
        assert ran.returncode == 0, ran.stderr
        with connect(path) as db:
            assert db.games().height == 400
        filler = disk.fill(left=100_000)
        full(run("conventions", path))
        out = disk.folder / "parquet"
        full(run("export", path, out))
        filler.unlink()
        disk.grow(40)
        assert run("conventions", path).returncode == 0
        ran = run("export", path, out)
        assert ran.returncode == 0, ran.stderr
        assert not (out / ".unfinished").exists()
        with connect(path, read_only=True) as db:
            assert db.table("convention_games").height == 400


@pytest.mark.heavy
def test_an_export_that_was_killed_is_done_by_running_again(tmp_path: Path) -> None:
    path, out = tmp_path / "games.duckdb", tmp_path / "out"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 5))
        db.export(out)
    shutil.rmtree(out / "turns")
    (out / ".unfinished").touch()
    assert run("export", path, out).returncode == 0
    assert list((out / "turns").rglob("*.parquet"))
    assert run("export", path, out).returncode == 2

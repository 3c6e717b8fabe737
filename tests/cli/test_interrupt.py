"""Ctrl-C: one line that says what was kept and how to go on, exit code 130, and the same again goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hanalyze.store import connect
from tests.store.logs import log

pytest.importorskip("duckdb")

# Sends Ctrl-C, as often as wanted, a moment after a function is called for the second time.
VICTIM = """
import importlib, os, signal, sys, threading, time
import hanalyze.store.conventions, hanalyze.store.files, hanalyze.store.ingest
from hanalyze.cli import main
hanalyze.store.files._PIECE_BYTES = 20_000
hanalyze.store.ingest._GAMES_A_CHECKPOINT = 10
hanalyze.store.conventions._PIECE = 5
place, name, times, *arguments = sys.argv[1:]
*module, owner = place.split(":")
owner = getattr(importlib.import_module(module[0]), owner) if module else importlib.import_module(owner)
whole, calls = getattr(owner, name), [0]

def interrupt():
    for _ in range(int(times)):
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

def called(*given, **how):
    calls[0] += 1
    if calls[0] == 2 or place.endswith("Database"):
        threading.Thread(target=interrupt, daemon=True).start()
        if place.endswith("_Writer"):
            time.sleep(3_600 if int(times) > 1 else 1)
    return whole(*given, **how)

setattr(owner, name, called)
main(arguments)
"""

LONG = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range % 7 = b.range % 11"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupted")
    logs = log(folder / "games.jsonl", 60)
    with connect(folder / "games.duckdb") as db:
        db.ingest(logs)
    return folder


def interrupted(place: str, name: str, *arguments: str | Path, times: int = 1) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", VICTIM, place, name, str(times), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
    )
    assert ran.returncode == 130, ran.stderr
    assert "Traceback" not in ran.stderr
    assert "Error" not in ran.stderr
    return ran.stderr


def one_line(said: str, *words: str) -> None:
    [line] = said.splitlines()
    assert line.startswith("hanalyze: interrupted; ")
    for word in words:
        assert word in line


@pytest.mark.heavy
def test_an_ingest(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    command = ("ingest", games / "games.jsonl", "--db", path, "--jobs", "2")
    said = interrupted("hanalyze.store.ingest:_Writer", "insert", *command)
    one_line(said, "games stored so far are kept; run the same command again to continue")
    with connect(path) as db:
        assert db.ingest(games / "games.jsonl").read == 60
        assert db.games().height == 60


@pytest.mark.heavy
def test_twice_ends_at_once(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    command = ("ingest", games / "games.jsonl", "--db", path, "--jobs", "2")
    said = interrupted("hanalyze.store.ingest:_Writer", "insert", *command, times=2)
    assert said in ("", "hanalyze: interrupted; " + said.partition("; ")[2])
    with connect(path) as db:
        assert db.ingest(games / "games.jsonl").read == 60
        assert db.games().height == 60


@pytest.mark.heavy
def test_a_reading_of_conventions(games: Path, tmp_path: Path) -> None:
    path = shutil.copy(games / "games.duckdb", tmp_path / "games.duckdb")
    said = interrupted("hanalyze.store.conventions", "rows_read", "conventions", path)
    one_line(said, "games stored so far are kept; run the same command again to continue")
    with connect(path) as db:
        there = db.table("convention_games").height
        reading = db.read_conventions()
        assert (reading.games, reading.already_read) == (60 - there, there)


@pytest.mark.heavy
@pytest.mark.parametrize("format_", ["table", "csv", "parquet"])
def test_a_long_query(games: Path, tmp_path: Path, format_: str) -> None:
    command = ("sql", games / "games.duckdb", LONG, "--format", format_, "-o", tmp_path / "x")
    said = interrupted("hanalyze.store.database:Database", "result", *command)
    one_line(said, "the database is unchanged")
    assert not (tmp_path / "x").exists()


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("place", "name", "command", "word"),
    [
        (
            "hanalyze.store.results",
            "_export",
            ("export", "{db}", "{out}"),
            "the same command again",
        ),
        ("hanalyze.analysis.rates", "_counts_query", ("stats", "{db}"), "the database is unchanged"),
        (
            "hanalyze.report.dashboard.cube:Cube",
            "frame",
            ("dashboard", "{db}", "-o", "{out}"),
            "no page was written",
        ),
    ],
)
def test_others(
    games: Path, tmp_path: Path, place: str, name: str, command: tuple[str, ...], word: str
) -> None:
    # Too quick to be met in the midst of it: they wait for it.
    slow = VICTIM.replace("    return whole(", "        time.sleep(5)\n    return whole(")
    ran = subprocess.run(
        [
            sys.executable,
            "-c",
            slow.replace('calls[0] == 2 or place.endswith("Database")', "calls[0] == 1"),
            place,
            name,
            "1",
            *(part.format(db=games / "games.duckdb", out=tmp_path / "out") for part in command),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ran.returncode == 130, ran.stderr
    one_line(ran.stderr, word)

"""Folders in which a file is empty, damaged, missing, not ours or a link: what needs it says so in a line."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from hanalyze.errors import HanalyzeError
from hanalyze.store import Database, connect
from hanalyze.store.folder.compact import compact
from hanalyze.store.folder.ingest import ingest_files
from tests.cli.running import hanalyze
from tests.store.logs import log

GAMES = 4


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return log(tmp_path_factory.mktemp("logs") / "games.jsonl", GAMES, players=2)


@pytest.fixture(scope="module")
def solved(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose games were solved."""
    path = tmp_path_factory.mktemp("folder") / "games"
    ingest_files(str(path), [str(logs)])
    with connect(path) as db:
        assert solve(db) == GAMES
    return path


@pytest.fixture
def folder(solved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(solved, tmp_path / "games"))


def solve(db: Database) -> int:
    return db.solve(nodes=10, game_nodes=10).games


def half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def headers_only(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:12_288])


def garbled(file: Path) -> None:
    """Change the first page, not the size."""
    data = file.read_bytes()
    file.write_bytes(data[:4] + b"\xff" * 100 + data[104:])


def test_an_empty_file_of_findings_is_none(folder: Path) -> None:
    found = folder / "found.duckdb"
    before = found.read_bytes()
    found.write_bytes(b"")
    # What another file left behind is not for the new one.
    (folder / "found.duckdb.wal").write_bytes(before[:500])
    with connect(folder, read_only=True, files_in=()) as db:
        assert (db.count("games"), db.count("solved_games")) == (GAMES, 0)
    with connect(folder) as db:
        assert solve(db) == GAMES
    with connect(folder, read_only=True) as db:
        assert db.count("solved_games") == GAMES


@pytest.mark.parametrize("damage", [headers_only, lambda file: file.write_bytes(b"\x00" * 20_000)])
def test_a_damaged_file_of_findings_is_named_and_the_rest_goes_on(
    folder: Path, logs: Path, damage: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    found = folder / "found.duckdb"
    damage(found)
    with caplog.at_level(logging.WARNING, "hanalyze"), connect(folder, read_only=True, files_in=()) as db:
        assert db.count("games") == GAMES
    assert f"{found}: this file is damaged" in caplog.text
    assert "remove it, and run" in caplog.text
    assert ingest_files(str(folder), [str(logs)]).already_there == GAMES
    compact(str(folder), grace=-1)
    with connect(folder) as db, pytest.raises(HanalyzeError) as caught:
        solve(db)
    assert (caught.value.rule, caught.value.file) == ("damaged", str(found))
    ran = hanalyze("solve", str(folder))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    found.unlink()
    with connect(folder) as db:
        assert solve(db) == GAMES
    damage(found)
    connect(folder, rebuild=True).close()
    assert not found.exists()


VICTIM = """
import os, resource, signal, sys
from hanalyze import sum_up
from hanalyze.errors import HanalyzeError
from hanalyze.store import connect
path, job, most = sys.argv[1:]
if int(most):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), resource.RLIM_INFINITY))
else:
    os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
try:
    with connect(path) as db:
        work = {"sums": lambda: sum_up(db), "conventions": db.read_conventions}
        work.get(job, lambda: db.solve(nodes=10, game_nodes=10))()
except HanalyzeError as error:
    print(error.rule)
"""


@pytest.mark.parametrize(
    ("job", "most"),
    [
        ("solve", 0),
        pytest.param("sums", 6_000, marks=pytest.mark.heavy),
        pytest.param("conventions", 13_000, marks=pytest.mark.heavy),
        ("solve", 6_000),
    ],
)
def test_findings_are_whole_or_none_however_their_creation_ends(folder: Path, job: str, most: int) -> None:
    """A process killed just before its file is in place; a disk that is full before it, and soon after."""
    (folder / "found.duckdb").unlink()
    command = [sys.executable, "-c", VICTIM, str(folder), job, str(most)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == ((0, "disk_full\n") if most else (-9, "")), ran.stderr
    with connect(folder, read_only=True, files_in=()) as db:
        assert db.count("games") == GAMES
    with connect(folder) as db:
        assert solve(db) == GAMES
    compact(str(folder), grace=-1)
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize(
    ("damage", "said"), [(Path.unlink, "missing"), (half, "damaged"), (garbled, "damaged")]
)
def test_a_file_of_rows_is_named(
    folder: Path, logs: Path, damage: Callable[[Path], object], said: str
) -> None:
    [part] = (folder / "turns").rglob("*.parquet")
    damage(part)
    line = f"{part}: this file of the database is {said}; run `hanalyze ingest --rebuild`"
    # Also what asks DuckDB itself, as the dashboard does.
    for ask in (lambda db: db.turns().collect(), lambda db: db.connection.execute("FROM turns").fetchall()):
        # The oldest Polars that is allowed raises its own error about ours.
        errors = (HanalyzeError, pl.exceptions.ComputeError)
        with pytest.raises(errors) as caught, connect(folder, read_only=True) as db:
            ask(db)
        assert line in str(caught.value)
    again = hanalyze("ingest", str(logs), "--db", str(folder))
    if damage is not garbled:
        assert (again.code, again.err.startswith(f"hanalyze: {line}")) == (2, True)
    assert hanalyze("ingest", str(logs), "--db", str(folder), "--rebuild").code == 0
    with connect(folder, read_only=True) as db:
        assert db.count("turns") > GAMES


def test_files_of_others_stay(folder: Path, logs: Path) -> None:
    others = ["turns/notes.txt", "games/thesis.md", "games/mine.parquet", "_hanalyze/tables/mine.parquet"]
    for name in others:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
    assert compact(str(folder), grace=-1).removed
    connect(folder, rebuild=True).close()
    left = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert left == set(others)
    assert ingest_files(str(folder), [str(logs)]).stored == GAMES


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_link_in_a_folder_is_refused(folder: Path, tmp_path: Path, rebuild: bool) -> None:
    elsewhere = tmp_path / "elsewhere"
    (folder / "turns").rename(elsewhere)
    os.symlink(elsewhere, folder / "turns")
    for how in ({"rebuild": True},) if rebuild else ({}, {"read_only": True}):
        with pytest.raises(HanalyzeError, match="turns: this is a symbolic link"):
            connect(folder, **how)
    assert list(elsewhere.rglob("*.parquet"))
    # The whole folder may be one.
    (folder / "turns").unlink()
    elsewhere.rename(folder / "turns")
    os.symlink(folder, tmp_path / "link")
    with connect(tmp_path / "link", read_only=True, files_in=()) as db:
        assert db.turns().collect().height


@pytest.mark.parametrize(
    ("scheme", "said"), [("file", "is named by its path; give {path}"), ("memory", "would be lost when")]
)
def test_folders_of_no_use_are_refused(logs: Path, tmp_path: Path, scheme: str, said: str) -> None:
    path = tmp_path / "games"
    ran = hanalyze("ingest", str(logs), "--db", f"{scheme}://{path}")
    assert ran.code == 2
    assert said.format(path=path) in ran.err
    assert ran.err.count("\n") == 1
    assert not path.exists()

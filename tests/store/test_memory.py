"""Memory: bounded for a file and a folder, whatever the number of games; the rest goes to the disk."""

from __future__ import annotations

import os
import tempfile
from itertools import product
from pathlib import Path

import pytest

from hanalyze.store import connect
from tests.benchmarks.memory import DATABASES, MOST, OF_FOLDERS, make_games, run

GAMES = 20_000
"""Enough for more rows than the memory of the database has room for; `tests.benchmarks.memory` takes more."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a file and a folder of many games of sixty people."""
    few = tmp_path_factory.mktemp("few")
    make_games(few / "games.jsonl", 2_000)
    for command in ("ingest", "conventions (read)"):
        run(command, few, "file")  # compiling takes memory of its own, once
    made = tmp_path_factory.mktemp("games")
    make_games(made / "games.jsonl", GAMES)
    for database in DATABASES:
        assert run("ingest", made, database).peak < MOST
    return made


UNREAD = (
    ("stats --by player", "folder"),
    ("mistakes --by partner", "file"),
    ("compare --a score>=15", "file"),
    ("compare --match none", "folder"),
    pytest.param("dashboard", "folder", marks=pytest.mark.exhaustive),  # once more with conventions
)
"""Before games are read for conventions, each command has one of the databases; afterwards they take more."""
READ = (
    "conventions (read)",
    "conventions",
    "mistakes with conventions",
    "mistakes --by partner with conventions",
    "sql with conventions",
    "dashboard with conventions",
    "sums with conventions",
)
LESS = ("mistakes with conventions", "sql with conventions", "sums with conventions")
"""What the dashboard and `mistakes --by` do, too, and more beside it."""
OF_FOLDER = [(one, "folder") for one in OF_FOLDERS]


def some(command: str, database: str) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a command: CI reads both databases, and asks a folder, which takes more memory."""
    is_rare = command in LESS or (database == "file" and command != "conventions (read)")
    return (pytest.mark.exhaustive,) if is_rare else ()


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("command", "database"),
    [*UNREAD, *(pytest.param(*one, marks=some(*one)) for one in product(READ, DATABASES)), *OF_FOLDER],
)
def test_commands_on_many_games_stay_within_bounds(folder: Path, command: str, database: str) -> None:
    assert run(command, folder, database).peak < MOST


@pytest.mark.parametrize("name", ["games.duckdb", "games/"])
def test_neither_file_nor_folder_is_held_in_memory(tmp_path: Path, name: str) -> None:
    path = f"{tmp_path}/{name}"
    most = 256 + 64 * (os.cpu_count() or 1)
    for read_only in (False, True):
        with connect(path, read_only=read_only) as db:
            [(limit,)] = db.sql("SELECT current_setting('memory_limit')").rows()
            assert limit.endswith("MiB")
            assert float(limit.removesuffix("MiB").strip()) == pytest.approx(most, abs=1)


SPILLED = "SELECT count(*) FROM (SELECT DISTINCT range, hash(range) FROM range(6_000_000))"


def test_a_reader_spills_among_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads may not write beside the file, and may not be alone."""
    path = tmp_path / "games.duckdb"
    connect(path).close()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with connect(path, read_only=True) as db, connect(path, read_only=True) as other:
        [(folder,)] = db.sql("SELECT current_setting('temp_directory')").rows()
        assert Path(folder).parent == tmp_path / "temporary"
        db.connection.execute("SET memory_limit = '96MiB'")
        assert db.sql(SPILLED).item() == 6_000_000
        assert other.sql("SELECT count(*) FROM games").item() == 0
    assert not list((tmp_path / "temporary").iterdir())
    assert [file.name for file in tmp_path.iterdir()] == ["games.duckdb", "temporary"]


def test_without_a_place_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.duckdb"
    connect(path).close()

    def nowhere() -> str:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    with connect(path, read_only=True) as db:
        assert db.sql("SELECT count(*) FROM games").item() == 0
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "full"))  # not there, as good as full
    with connect(path, read_only=True) as db:
        assert db.sql("SELECT count(*) FROM games").item() == 0

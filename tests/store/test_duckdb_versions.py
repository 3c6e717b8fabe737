"""The oldest allowed DuckDB and the newest read and write each other's files, and agree on mistakes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.logs import log

ROOT = Path(__file__).parents[2]
OLDEST = "1.4.0"

ASK = """
import sys
import duckdb, polars
from hanalyze.cli import main
from hanalyze.store import connect
path, logs, out = sys.argv[1:]
with connect(path) as db:
    summary = db.ingest(logs)
    db.read_conventions()
    print(duckdb.__version__, summary.stored, summary.already_there)
with connect(path, read_only=True, files_in=[out]) as db:
    assert db.export(out + "/parquet")["turns"] == db.games()["turns"].sum()
    print(db.games().height, db.mistakes().height, db.findings().height)
"""

COMMANDS = (
    ("stats", "{}", "--by", "player"),
    ("mistakes", "{}", "--list", "3"),
    ("conventions", "{}", "--list", "3"),
    ("info", "{}"),
    ("compare", "{}", "--a", "players=3", "--b", "players=4", "--match", "none"),
    ("dashboard", "{}", "-o", "page.html"),
    ("sql", "{}", "FROM mistakes", "--format", "csv"),
    ("sql", "{}", "FROM findings", "--format", "json"),
    ("sql", "{}", "FROM turns", "--format", "parquet", "-o", "turns.parquet"),
    ("sql", "{}", "EXPLAIN FROM turns"),
)


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the oldest DuckDB into a folder of its own."""
    folder = tmp_path_factory.mktemp("oldest")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder)]
    ran = subprocess.run([*command, f"duckdb=={OLDEST}"], capture_output=True, text=True, check=False)
    if ran.returncode:
        reason = f"duckdb {OLDEST} cannot be installed: {ran.stderr[-300:]}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


def run(duckdb: Path | None, *command: str, folder: Path) -> str:
    places = [str(duckdb)] if duckdb else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*places, str(ROOT)])}
    ran = subprocess.run(
        [sys.executable, *command],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ran.returncode == 0, (command, ran.stderr)
    return ran.stdout


def test_the_lower_bound_is_the_one_that_is_tried() -> None:
    assert f'"duckdb>={OLDEST.removesuffix(".0")}"' in (ROOT / "pyproject.toml").read_text("utf-8")


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.parametrize("first_is_oldest", [True, False])
def test_databases_travel(oldest: Path, tmp_path: Path, first_is_oldest: bool) -> None:
    (tmp_path / "logs").mkdir()
    log(tmp_path / "logs" / "a.jsonl", 30)
    log(tmp_path / "logs" / "b.jsonl", 30, players=4)
    one, other = (oldest, None) if first_is_oldest else (None, oldest)
    path = str(tmp_path / "games.duckdb")
    told = []
    for number, duckdb in enumerate((one, other, one)):
        if number:
            log(tmp_path / "logs" / f"{number}.jsonl", 5, seed=1000 * number)
        out = tmp_path / f"out{number}"
        out.mkdir()
        told.append(run(duckdb, "-c", ASK, path, str(tmp_path / "logs"), str(out), folder=tmp_path).split())
    versions = [line[0] for line in told]
    assert (versions[0] == OLDEST) == first_is_oldest
    assert (versions[1] == OLDEST) != first_is_oldest
    assert [line[1:4] for line in told] == [["60", "0", "60"], ["5", "60", "65"], ["5", "65", "70"]]
    # The one that did not begin the database is asked.
    for command in COMMANDS:
        parts = [part.format(path) for part in command]
        assert run(other, "-m", "hanalyze", *parts, folder=tmp_path) or "-o" in command


BY_LOGIC = """
import sys
from hanalyze.store import connect
with connect() as db:
    db.ingest(sys.argv[1])
    db.read_conventions()
    db.judge(by_logic=True)
    print(*sorted(map(str, db.mistakes().rows())), sep="\\n")
"""


@pytest.mark.heavy
def test_mistakes_by_logic(oldest: Path, tmp_path: Path) -> None:
    """Conventions that are hidden are views that DuckDB knows to be empty."""
    log(tmp_path / "games.jsonl", 20)
    new, old = (run(one, "-c", BY_LOGIC, "games.jsonl", folder=tmp_path) for one in (None, oldest))
    assert "discard_last_copy" in new
    assert old == new

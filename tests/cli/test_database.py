"""The commands of the database: ingest, sql, export, info."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hanalyze.tables.store import TABLES
from tests.cli.running import hanalyze

SAMPLES = Path(__file__).parents[2] / "sample_logs"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "games.duckdb"
    ran = hanalyze("ingest", SAMPLES, "--db", path, "--jobs", "1")
    assert ran.code == 0
    # 66 lines, one game and an array of three; five of the endings are one game cut short, each its own.
    assert "70 games read: 70 stored (14 with defects), 0 already there, 0 rejected" in ran.out + ran.err
    return path


def test_the_same_again_stores_nothing(database: Path) -> None:
    ran = hanalyze("ingest", SAMPLES, "--db", database, "--jobs", "1")
    assert "70 games read: 0 stored (0 with defects), 70 already there, 0 rejected" in ran.out + ran.err


def test_sql_as_json_and_csv(database: Path) -> None:
    query = "SELECT end_condition, count(*)::INT AS games FROM games GROUP BY ALL ORDER BY 1"
    ran = hanalyze("sql", database, query, "--format", "json")
    assert ran.code == 0
    rows = {row["end_condition"]: row["games"] for row in map(json.loads, _objects(ran.out))}
    assert rows["strikeout"] == 2
    assert rows["terminated_by_vote"] == 1
    assert sum(rows.values()) == 70
    ran = hanalyze("sql", database, "SELECT 1 AS one", "--format", "csv")
    assert ran.out.split() == ["one", "1"]


def _objects(text: str) -> list[str]:
    """Return the JSON objects of an array or of lines."""
    loaded = json.loads(text) if text.lstrip().startswith("[") else [json.loads(x) for x in text.splitlines()]
    return [json.dumps(one) for one in loaded]


def test_export_is_partitioned_by_players(database: Path, tmp_path: Path) -> None:
    ran = hanalyze("export", database, tmp_path / "parquet")
    assert ran.code == 0
    assert {path.name for path in (tmp_path / "parquet").rglob("players=*")} == {
        f"players={players}" for players in (2, 3, 4, 5, 6)
    }


def test_info_counts_the_games(database: Path) -> None:
    ran = hanalyze("info", database)
    assert ran.code == 0
    assert "70" in ran.out


def test_columns_are_apart(database: Path, tmp_path: Path) -> None:
    """However long the name of a table is."""
    info = hanalyze("info", database).lines
    counts = dict(re.split(" {2,}", line, maxsplit=1) for line in info)
    assert set(TABLES) < set(counts)
    assert counts["games"] == "70"
    assert counts["convention_opportunities"] == counts["convention_outcomes"] == "0"
    assert len({len(line) - len(re.split(" {2,}", line, maxsplit=1)[1]) for line in info}) == 1
    ran = hanalyze("export", database, tmp_path / "parquet")
    assert re.fullmatch(rf"hanalyze: \d+ tables written to {tmp_path}/parquet\n", ran.err)
    exported = ran.lines
    assert dict(re.split(" {2,}", line) for line in exported)["games"] == "70 rows"
    assert len({len(line) for line in exported}) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("sql", "no-such.duckdb", "SELECT 1"), "no-such.duckdb"),
        (("info", SAMPLES / "game.json"), "game.json"),
        (("ingest", "no-such.jsonl", "--db", "{folder}/x.duckdb"), "no-such.jsonl"),
    ],
)
def test_one_line_says_what_is_wrong(arguments: tuple[str | Path, ...], says: str, tmp_path: Path) -> None:
    ran = hanalyze(*(str(argument).format(folder=tmp_path) for argument in arguments))
    assert ran.code == 2
    [line] = [line for line in ran.err.splitlines() if line.startswith("hanalyze:")]
    assert says in line


@pytest.mark.parametrize(
    "arguments",
    [
        ("ingest", SAMPLES / "game.json", "--db", "bad\udcff/"),
        ("ingest", SAMPLES / "game.json", "--db", "bad\udcff.duckdb"),
        ("export", "{database}", "bad\udcff"),
        ("sql", "{database}", "SELECT 'bad\udcff'"),
        ("info", "bad\udcff/"),
    ],
)
def test_names_in_databases_are_unicode(
    arguments: tuple[str | Path, ...], database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = hanalyze(*(str(argument).format(database=database) for argument in arguments))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "bad\\udcff" in ran.err
    assert "is not valid Unicode; use names in UTF-8" in ran.err
    assert not list(tmp_path.iterdir())


def test_no_file_but_a_database_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text("mine", "utf-8")
    log = SAMPLES / "game.json"
    ran = hanalyze("ingest", log, "--db", "README.md")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("hanalyze: README.md: ")
    assert ran.err.count("\n") == 1
    way_out = "this is the name of a log, not of a database; name the database, as in --db games.duckdb"
    for name in ("games.jsonl", "games.JSON.gz"):
        ran = hanalyze("ingest", log, "--db", name)
        assert ran == (2, "", f"hanalyze: {name}: {way_out}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert Path("README.md").read_text("utf-8") == "mine"

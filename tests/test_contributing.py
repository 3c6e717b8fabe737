"""CONTRIBUTING: its drawing of the tree is the tree, and its examples work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hanalyze.analysis.measures import Measure

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SOURCES = [path for path in (ROOT / "hanalyze").rglob("*") if path.suffix in (".py", ".sql", ".js")]


def section(title: str) -> str:
    return TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def example(title: str, language: str) -> str:
    [code] = re.findall(rf"```{language}\n(.*?)```", section(title), re.DOTALL)
    return code


def test_the_tree_names_every_package_and_module_at_the_top() -> None:
    named = set(re.findall(r"`(hanalyze/[\w/.]+)`", section("The tree")))
    assert all((ROOT / path).exists() for path in named)
    for path in (ROOT / "hanalyze").iterdir():
        if (path.is_dir() or path.suffix == ".py") and not re.match(r"__|version", path.name):
            assert any(name.startswith(f"hanalyze/{path.name}") for name in named), path


def test_every_file_that_is_named_exists() -> None:
    names = {name.rpartition("/")[2] for name in re.findall(r"`([\w/.]+\.(?:py|sql|js))`", TEXT)}
    tests = {path.name for folder in ("tests", "tools", "docs") for path in (ROOT / folder).rglob("*.py")}
    own = {"strikes.sql", "NAME.sql", "my_agent.py", "early_save.py"}
    assert names - own <= {path.name for path in SOURCES} | tests


def test_the_mistake_is_found(tmp_path: Path) -> None:
    hz = pytest.importorskip("hanalyze")
    pytest.importorskip("duckdb")
    (tmp_path / "clue_useless.sql").write_text(example("Add a mistake", "sql"), encoding="utf-8")
    with hz.connect() as db:
        db.ingest(ROOT / "sample_logs" / "games.jsonl", jobs=1)
        found = db.mistakes("clue_useless", folder=tmp_path)
        assert len(found) == db.sql("SELECT count(*) FROM clues WHERE trash > 0").item() > 0


def test_the_metric_is_counted() -> None:
    hz = pytest.importorskip("hanalyze")
    pytest.importorskip("duckdb")
    measure = eval(example("Add a metric", "python"), {"Measure": Measure})
    with hz.connect() as db:
        db.ingest(ROOT / "sample_logs" / "games.jsonl", jobs=1)
        rows = db.sql(measure.sql(db))
        late = "SELECT count(*) FROM clues JOIN turns USING (game_id, turn) WHERE deck_before = 0"
        assert rows["found"].sum() == db.sql(late).item() > 0
        assert len(rows) == db.sql("SELECT count(*) FROM games").item()

"""The page of research metrics: what its cells say, and whose names are in it."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.analysis import action_matrix
from hanalyze.errors import HanalyzeError
from hanalyze.report.dashboard.research import action_map, cross_play_map, research_page
from hanalyze.store import Database, connect
from tests.analysis.played import STRANGE
from tests.cli.running import hanalyze


def filled() -> Database:
    db = connect()
    for pair in (["cautious", "cautious"], ["cautious", "random"]):
        games = simulate(pair, games=6, seed=1)
        # Names that would do something in a page.
        db.add((replace(one, players=(STRANGE[2], one.players[1])) for one in games), jobs=1)
    return db


def test_cells_say_the_numbers_of_the_matrix() -> None:
    with filled() as db:
        matrix = action_matrix(db)
    found = action_map(matrix)
    names = [name for group, count in found.groups for name in [group] * count]
    said = {cell.text for _, _, cells in found.rows for cell in cells if cell.shade}
    assert len(said) == matrix.height
    for row in matrix.iter_rows(named=True):
        of = matrix.filter(pl.col("action") == row["action"])["pairs"].sum()
        share = f"{row['probability']:.0%}, {row['pairs']:,} of {of:,}"
        assert f"{row['next_action']} after {row['action']}: {share}" in said
    assert len(found.rows) == len(found.columns) == len(names)
    assert found.groups[:2] == [("P", 5), ("D", 5)]
    assert max(cell.shade or 0 for _, _, cells in found.rows for cell in cells) >= 8
    assert found.top >= matrix["probability"].max()


def test_cross_play_by_hand() -> None:
    frame = pl.DataFrame(
        {"first": ["a", "b"], "second": ["a", "a"], "games": [2, 1], "mean": [25.0, 10.0], "sem": [1.0, None]}
    )
    found = cross_play_map(frame, 25.0)
    assert [(number, name) for number, name, _ in found.rows] == [("1", "a"), ("2", "b")]
    assert [[cell.shade for cell in cells] for _, _, cells in found.rows] == [[10, None], [4, None]]
    assert found.rows[0][2][0].text == "a before a: 25.00 points, standard error 1.00, 2 games"
    assert found.rows[1][2][1].text == "b before b: no games"


def test_the_page() -> None:
    with filled() as db:
        page = research_page(db)
    assert "<script" not in page
    assert STRANGE[2] not in page
    assert "&lt;b&gt;Zoe&lt;/b&gt;" in page
    assert "style=" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    with connect() as db, pytest.raises(HanalyzeError, match="there is no game"):
        research_page(db)


def test_the_command(tmp_path: Path) -> None:
    file, page = tmp_path / "games.duckdb", tmp_path / "page.html"
    with connect(str(file)) as db:
        db.add(simulate("cautious", players=3, games=3), jobs=1)
    ran = hanalyze("research", file, "--html", page)
    assert ran == (0, f"{page}\n3 games\n", "")
    assert "The next move after each move, 3 players" in page.read_text()
    assert hanalyze("research", file, "--html", page, "--json").code == 2
    only = hanalyze("research", file, "--what", "dominated")
    assert only.lines[0].startswith("Dominated moves")
    assert hanalyze("research", file, "--what", "readings").lines[0].startswith("no game was read")

"""What the pages are made of: scripts and styles that people can read, and definitions of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import hanalyze
from hanalyze.report.dashboard import build as dashboards
from hanalyze.report.dashboard.counts import counts
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.figures import figure
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.report.game import review as reviews
from hanalyze.store.definitions import definitions
from tests.cli.running import hanalyze as run
from tests.report.board import make_database
from tests.report.figure_scripts import rows_of

PARTS = sorted(
    file
    for file in Path(hanalyze.__file__).parent.joinpath("report").rglob("*")
    if file.suffix in (".js", ".css") and file.name != "ts-fsrs.js"  # the library as it is published
)
OWN = """-- Discarded at once <b>x</b>
--
-- definition: A discard in the first three turns.
-- opportunity: discards in the first three turns
-- where: result = 'discarded' AND turn < 3
SELECT game_id, turn, seat, 'knew' AS severity, 0 AS points, 0.0 AS tokens, 0 AS pace, 'early' AS evidence
FROM decisions WHERE result = 'discarded' AND turn < 3 AND slot = 1
"""


@pytest.mark.parametrize("file", PARTS, ids=lambda file: file.name)
def test_lines_are_short(file: Path) -> None:
    long = [n for n, line in enumerate(file.read_text("utf-8").splitlines(), 1) if len(line) > 120]
    assert long == []


def test_scripts_are_small() -> None:
    """The page of a game also asks, hides and keeps comments."""
    assert len(dashboards.script().encode()) < 60_000
    assert len(reviews.script().encode()) < 72_000


def test_every_kind_of_ours_is_shown() -> None:
    known = definitions()
    assert all(0 < len(one.label) <= 32 for one in known.values()), "short enough for an axis"
    shown = {kind for question in QUESTIONS.values() for kind in question.kinds} | {
        kind
        for question in QUESTIONS.values()
        for kind, one in known.items()
        if not question.kinds and one.family == question.family
    }
    elsewhere = {"misplay"}  # a figure of its own
    assert shown | elsewhere == set(known)
    assert set(counts(known)["kinds"].words) >= set(known)


@pytest.mark.heavy
def test_mistakes_of_ones_own_are_on_the_dashboard(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "discard_early.sql").write_text(OWN)
    with make_database(tmp_path, samples=False) as db:
        [(found, of)] = db.sql("""
            SELECT count(*) FILTER (slot = 1), count(*) FROM decisions
            WHERE result = 'discarded' AND turn < 3 AND one_choice IS NULL""").rows()
        with Cube(db, mistakes=folder) as cube:
            rows = [
                row
                for row in rows_of(cube, QUESTIONS["discards"])
                if row.label.startswith("Discarded at once")
            ]
        assert sum(row.y for row in rows) == of > 0
        assert sum(row.x for row in rows) == found
        drawn = figure("discards", db, mistakes=folder).to_json()
        assert ("Discarded at once" in drawn) == (found > 0)
        assert "<b>x</b>" not in drawn.replace("\\u003c", "<").replace("\\u003e", ">")
    page = tmp_path / "page.html"
    ran = run("dashboard", tmp_path / "games.duckdb", "-o", page, "--mistakes", folder)
    assert (ran.code, ran.err) == (0, "")
    assert "discard_early" in page.read_text("utf-8")
    plot = run("plot", tmp_path / "games.duckdb", "discards", "-o", tmp_path / "x.html", "--mistakes", folder)
    assert (plot.code, plot.err) == (0, "")
    (folder / "broken.sql").write_text(OWN.replace("FROM decisions", "FROM nowhere"))
    ran = run("dashboard", tmp_path / "games.duckdb", "-o", page, "--mistakes", folder)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "broken.sql" in ran.err

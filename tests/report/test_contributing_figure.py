"""The figure that CONTRIBUTING adds, drawn over the example games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hanalyze.analysis import example
from hanalyze.report import page
from hanalyze.report.dashboard import counts
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.figures import draw
from hanalyze.report.dashboard.questions import QUESTIONS, TALLIES

ROOT = Path(__file__).parents[2]


def test_the_figure_that_contributing_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a figure")[2]
    [code, sql] = re.findall(r"```(?:python|sql)\n(.*?)```", text.partition("\n## ")[0], re.DOTALL)
    added: dict[str, Any] = {}
    exec(code, added)
    source = page.source
    texts = {"dashboard/sql/strikes.sql": sql}
    monkeypatch.setattr(page, "source", lambda name: texts.get(name) or source(name))
    monkeypatch.setattr(counts, "TALLIES", (*TALLIES, *added["TALLIES"]))
    [question] = added["QUESTIONS"]
    assert question.name not in QUESTIONS
    with example() as db, Cube(db) as cube:
        figure = draw(cube, question)
        [(mean,)] = db.sql("SELECT avg(strikes) FROM games").rows()
    assert mean > 0
    assert figure.data[0].x[0] == pytest.approx(mean)
    assert f"{mean:.2f}</b> strikes a game" in figure.layout.title.text

"""The page of research metrics in a browser, wide and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanalyze.agents import simulate
from hanalyze.report.dashboard.research import research_page
from hanalyze.store import connect

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_loaded_and_nothing_scrolls_sideways(
    width: int, tmp_path: Path, open_page: Callable[..., Any]
) -> None:
    file = tmp_path / "research.html"
    with connect() as db:
        for players in (2, 3, 5):
            db.add(simulate("cautious", players=players, games=4), jobs=1)
        for pair in (["cautious", "random"], ["random", "cautious"]):
            db.add(simulate(pair, games=6), jobs=1)
        file.write_text(research_page(db))
    page = open_page(file, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("table.actions").count() == 3
    smallest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('.heat td')].map(e => e.getBoundingClientRect().width))"
    )
    assert smallest >= 4
    assert page.problems == []

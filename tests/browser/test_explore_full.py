"""SQL in the page of `hanalyze explore --full`, answered by DuckDB-WASM without any request.

The npm package is at the path in `DUCKDB_WASM`. Without it the tests are skipped, and fail in CI.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanalyze.analysis import explore
from hanalyze.report.explore.build import explore_page
from hanalyze.report.explore.full import full_of
from tests.browser.settled import becomes
from tests.hostile import IMAGE
from tests.report.board import make_database

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not {"CI", "DUCKDB_WASM"} & os.environ.keys(), reason="needs DUCKDB_WASM"),
]


def run(page: Any, query: str | None = None) -> str:
    """Run a query, or the one in the box; return what the page says."""
    if query is not None:
        page.fill("#sql-text", query)
    page.click("#sql-run")
    becomes(page, lambda: page.get_attribute("#sql", "aria-busy"), "false")
    return str(page.inner_text("#sql-said"))


@pytest.mark.parametrize("width", [400, 1400])
def test_sql_in_the_page(tmp_path: Path, open_page: Callable[..., Any], width: int) -> None:
    file = tmp_path / "explore.html"
    with make_database(tmp_path, ["Ann", IMAGE, "Cem", "Dee"]) as db:
        file.write_text(explore_page(db, full=full_of(db, os.environ["DUCKDB_WASM"])).text, "utf-8")
        frame = explore(db, "discard", "player")
    expected = frame.filter(player=IMAGE).row(0, named=True)
    page = open_page(file, width=width)
    page.click("#sql summary")
    page.click("#sql-take")
    assert run(page) == f"{frame.height} rows"
    texts = "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    rows = page.eval_on_selector_all("#sql-result tbody tr", texts)
    [row] = [row for row in rows if row[0] == IMAGE]
    assert row[2:5] == [str(int(expected[name])) for name in ("found", "opportunities", "games")]
    assert "not found" in run(page, "SELECT nothing")
    run(page, "FROM 'https://example.org/games.csv'")
    assert run(page, "SELECT NULL AS a, '' AS b, 'x\"y' AS c;") == "1 row"
    assert page.eval_on_selector_all("#sql-result tbody tr", texts) == [["\N{EN DASH}", "", 'x"y']]
    # The worker's own source is no request to the network.
    page.problems[:] = [one for one in page.problems if not one.startswith("request of blob:")]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_in_firefox(tmp_path: Path, firefox: Any) -> None:
    file = tmp_path / "explore.html"
    with make_database(tmp_path, ["Ann", "Bea", "Cem", "Dee"]) as db:
        file.write_text(explore_page(db, full=full_of(db, os.environ["DUCKDB_WASM"])).text, "utf-8")
        [games] = db.sql("SELECT count(*) FROM games").row(0)
    page = firefox.new_page()
    page.goto(file.resolve().as_uri())
    page.click("#sql summary")
    assert run(page, "SELECT count(*) AS n FROM games") == "1 row"
    assert page.inner_text("#sql-result tbody td") == str(games)

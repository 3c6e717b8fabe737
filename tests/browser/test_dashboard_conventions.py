"""Conventions on the dashboard in a browser: the numbers and sentences are Python's, whatever the filters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hanalyze.report.dashboard.build import made_dashboard
from hanalyze.store import Database
from tests.browser.settled import becomes
from tests.browser.test_demo import OVERLAPS
from tests.report.board import make_read_database

pytestmark = pytest.mark.browser

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with make_read_database(tmp_path_factory.mktemp("board")) as made:
        yield made


@pytest.fixture(scope="module")
def file(db: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "dashboard.html"
    path.write_text(made_dashboard(db).text, "utf-8")
    return path


def test_the_queries_are_there(file: Path, open_page: Open) -> None:
    page = open_page(file)
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")
    assert "FROM findings" in page.inner_text("#conventions pre")
    assert "convention_opportunities" in page.inner_text("#convention_worth pre")
    assert page.inner_text("#convention_worth .query-name") == "Query convention_worth"


def test_a_convention_opens_the_list_of_its_clues(file: Path, open_page: Open) -> None:
    page = open_page(file, tail="#players=3")
    rows = page.evaluate("""() => {
      const [question, rows] = askedOf(state).find(([one]) => one.name === "convention_worth");
      return rows.map((row) => {
        const found = behindOf(question, row, state);
        return [row.y, found.total, found.shown, DATA.behind.most, row.value > 0, extentOf(found)];
      });
    }""")
    assert len(rows) >= 5
    for used, whole, shown, most, gains, text in rows:
        assert (whole, shown) == (used, min(used, most))
        order = f", the {'most' if gains else 'fewest'} points in that turn and the next 6 first."
        assert text == (f"All {used}" if used <= most else f"{most} of {used}") + order
    page.click("#convention_worth .numbers summary")
    page.locator("#numbers-convention_worth .open").first.click()
    assert page.inner_text("#behind-about").endswith(rows[0][5])
    assert page.locator("#behind-list li").count() == rows[0][2]
    page.keyboard.press("Escape")
    page.evaluate("""() => { DATA.behind.sample[0] = 40; DATA.behind.sample[2][0] = 99_000; }""")
    page.locator("#numbers-convention_worth .open").first.click()
    sample = f" They are a fixed sample: {rows[0][0]} of 99,000 clues in 40 of 60 games."
    assert page.inner_text("#behind-about").endswith(rows[0][5] + sample)
    page.keyboard.press("Escape")
    page.locator("#figure-convention_worth path.point").first.click(force=True)
    becomes(page, lambda: page.locator("#behind").is_visible(), True)


@pytest.mark.parametrize("width", [400, *(pytest.param(n, marks=pytest.mark.heavy) for n in (760, 1400))])
def test_no_words_lie_on_others(file: Path, open_page: Open, width: int) -> None:
    page = open_page(file, width=width, dark=width == 400)
    assert [one for one in page.evaluate(OVERLAPS) if one.startswith("figure-convention")] == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    texts = page.eval_on_selector_all(
        "#figure-convention_worth text", "all => all.map((one) => one.textContent)"
    )
    assert {"← lower", "higher →"} <= set(texts)
    assert not [text for text in texts if "…" in text]

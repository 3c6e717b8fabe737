"""The pages in Firefox: spoilers, comments, puzzles by keyboard, filters and lists of numbers, the console.

Most tests of pages pass in Firefox with `HANALYZE_BROWSER=firefox`. Not those with downloads, of which
Playwright does not hear there, with a dark system, or with Chromium's layout to the pixel.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.logs import load
from hanalyze.puzzles.search import FoundPuzzle, StoredGames, find_puzzles
from hanalyze.report.dashboard.build import made_dashboard
from hanalyze.report.game.review import write_review
from hanalyze.report.quiz import write_quiz
from tests.browser.conftest import launched
from tests.browser.settled import becomes, settled, turns_true
from tests.browser.test_quiz import answer_by_keys
from tests.browser.test_spoilers import (
    SAMPLE,
    STRICT,
    Open,
    address_with_comment,
    check_comment,
    check_strict,
)
from tests.hostile import IMAGE, QUOTES, SCRIPT

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(playwright: Any) -> Iterator[Any]:
    yield from launched(playwright, "firefox")


@pytest.fixture(scope="module")
def db() -> Iterator[hz.Database]:
    """Return games of players with hostile names; those of three players were read for conventions."""
    with hz.connect() as made:
        for agent, names, games in (
            ("conventional", (SCRIPT, IMAGE, QUOTES), 12),
            ("random", (IMAGE, SCRIPT), 24),
        ):
            records = simulate(agent, players=len(names), games=games, seed=5)
            made.add(msgspec.structs.replace(one, players=names) for one in records)
            made.read_conventions(jobs=1)
        yield made


def test_the_page_of_a_player_spoils_nothing(open_page: Open, tmp_path: Path) -> None:
    check_strict(open_page, tmp_path, *STRICT[1])


def test_a_comment_comes_back_from_its_link(open_page: Open, tmp_path: Path) -> None:
    names = (SCRIPT, IMAGE, QUOTES)
    record = msgspec.structs.replace(load(SAMPLE), players=names, notes=tuple((name,) * 50 for name in names))
    file = tmp_path / "game.html"
    write_review(record, file)
    tail = address_with_comment(open_page(file, tail="#turn=12"))
    check_comment(open_page(file, tail=tail))
    open_page(file, tail=f"{tail[:-9]}&view=2")


def test_puzzles_are_solved_by_keyboard(open_page: Open, db: hz.Database, tmp_path: Path) -> None:
    found: list[FoundPuzzle] = find_puzzles(StoredGames(db), count=6).puzzles
    assert len(found) == 6
    write_quiz(found, tmp_path / "quiz.html", level=HIGHEST_LEVEL)
    page = open_page(tmp_path / "quiz.html")
    starts = "(start) => document.querySelector('#progress').textContent.startsWith(start)"
    for number, one in enumerate(found, 1):
        turns_true(page, starts, f"Puzzle {number} of")
        answer_by_keys(page, one)
        becomes(page, lambda: page.locator("#ask .said").text_content(), "Right")
        page.keyboard.press("n")
    page.reload()
    turns_true(page, "() => document.querySelector('#progress').textContent.endsWith('; 0 to answer now.')")


def test_filters_and_lists_of_the_dashboard(open_page: Open, db: hz.Database, tmp_path: Path) -> None:
    file = tmp_path / "dashboard.html"
    file.write_text(made_dashboard(db).text, "utf-8")
    page = open_page(file)
    for size, games in (("", 36), ("2", 24)):
        page.locator(f"#sizes [data-size='{size}']").click()
        settled(page)
        assert page.inner_text("#count b") == str(games)
        page.locator("#figure-endings .point path").first.click(force=True)
        becomes(page, lambda: page.locator("#behind").is_visible(), True)
        about = page.inner_text("#behind-about")
        wanted = "about => shownRows.get('endings').find((one) => about.startsWith(one.label))"
        number = page.evaluate(wanted, about)
        assert about == f"{number['label']}: All {number['x']}, the worst first."
        assert page.locator("#behind-list li").count() == number["x"] > 0
        page.keyboard.press("Escape")
    page.select_option("#player", value="2")
    settled(page)
    assert page.inner_text("#count b") == "0"

"""Hindsight on the page of a game, in a browser: the curve, its losses, the line, and who may see them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanalyze.logs import load
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import replay
from hanalyze.report.game.review import write_review
from hanalyze.solver.solving import solve

pytestmark = pytest.mark.browser

SAMPLE = Path(__file__).parents[2] / "sample_logs/game.json"

LABELS = """() => [...document.querySelectorAll("#timeline .line-name")].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [one.textContent, left, right, top + 3, bottom - 3];
})"""


@pytest.fixture
def shown(open_page: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that opens the page of a game on a turn, counted from 1."""

    def opened(record: GameRecord, turn: int | str, **options: Any) -> Any:
        write_review(record, tmp_path / "game.html")
        return open_page(tmp_path / "game.html", tail=f"#turn={turn}", **options)

    return opened


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1400, 400])
def test_the_curve_and_its_losses(shown: Callable[..., Any], width: int, dark: bool) -> None:
    page = shown(load(SAMPLE), 18, width=width, dark=dark)
    assert page.locator("#timeline .line.best").count() == 1
    assert [one.get_attribute("data-turn") for one in page.locator("#timeline .lost").all()] == [
        "17",
        "23",
        "56",
        "58",
    ]
    assert "25; it was lost on turn 18 by Cathy" in page.locator("#timeline .hindsight").inner_text()
    names = page.evaluate(LABELS)
    assert "best with open cards" in [one[0] for one in names]
    for i, (_, left, right, top, bottom) in enumerate(names):
        assert right <= width
        for _, other_left, other_right, other_top, other_bottom in names[i + 1 :]:
            beside = right <= other_left or other_right <= left
            assert beside or bottom <= other_top or other_bottom <= top
    page.locator("#timeline .lost").nth(2).click()
    assert page.url.endswith("#turn=57")
    assert not page.problems


def test_a_line_is_shown_move_by_move(shown: Callable[..., Any]) -> None:
    page = shown(load(SAMPLE), 18)
    assert not page.locator("#why .moves").is_visible()
    page.keyboard.press("h")
    moves = page.locator("#why .moves li")
    assert moves.first.inner_text().split() == ["18", "Cathy", "plays", "B3", "from", "slot", "4", "6"]
    assert moves.last.inner_text().split()[-1] == "25"
    assert "After this move, 24 was the best score" in page.locator("#why .hindsight").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#why .moves").count() == 0


BOARD = """() => [...document.querySelectorAll("#board .hand")].map((hand) =>
  [...hand.querySelectorAll(".card")].map((card) => card.dataset.face))"""


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (390, True)])
def test_a_line_is_stepped_through_on_the_board(shown: Callable[..., Any], width: int, dark: bool) -> None:
    """Hands, stacks and numbers are the engine's at every move; then the game is there again."""
    played = replay(load(SAMPLE))
    loss = solve(played, fast=False).first_loss
    assert loss is not None
    assert loss.line is not None
    page = shown(load(SAMPLE), 18, width=width, dark=dark)
    before = page.evaluate(BOARD)
    page.keyboard.press("h")
    page.locator("#why .play-line").click()
    for number, state in enumerate(loss.line.replay().positions(loss.turn)):
        assert page.evaluate(BOARD) == [
            [f"{'RYGBP'[held.card.suit]}{held.card.rank}" for held in reversed(hand)] for hand in state.hands
        ]
        sizes = page.eval_on_selector_all("#board .stack", "all => all.map((one) => one.dataset.size)")
        assert [int(one) for one in sizes] == [len(stack) for stack in state.stacks]
        values = {name: page.inner_text(f"#board [data-is={name}] b") for name in ("score", "tokens", "deck")}
        assert values == {
            "score": str(state.score),
            "tokens": str(state.clue_tokens),
            "deck": str(state.deck),
        }
        assert page.url.endswith(f"#turn=18&line={number + 1}")
        assert "Line with open cards, not played" in page.inner_text("#board .turn")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("ArrowRight")
    assert page.inner_text("#board .move").startswith("The line reached 25 points")
    page.locator("#why [data-step]").nth(3).click()
    assert page.url.endswith("&line=4")
    assert page.locator("#why [aria-current=step]").inner_text().split()[0] == "21"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#why [aria-current=step]").inner_text().split()[0] == "20"
    page.keyboard.press("Escape")
    assert page.url.endswith("#turn=18")
    assert page.evaluate(BOARD) == before
    assert page.locator("#why details.hindsight[open] .moves").count() == 1


def test_an_address_leads_to_a_move_of_a_line(shown: Callable[..., Any]) -> None:
    """A player's view, or another turn, leads back to the game."""
    page = shown(load(SAMPLE), "24&line=3")
    assert page.locator("#why [aria-current=step]").inner_text().split()[0] == "26"
    page.keyboard.press("2")
    assert page.url.endswith("#turn=24&view=2")
    page.keyboard.press("0")
    page.keyboard.press("l")
    assert page.url.endswith("#turn=24&line=1")
    page.locator("#timeline .lost").first.click()
    assert page.url.endswith("#turn=18")
    assert page.locator("#board.in-line").count() == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("l")
    assert page.url.endswith("#turn=19")


def test_players_see_no_hindsight(shown: Callable[..., Any]) -> None:
    page = shown(load(SAMPLE), 18)
    page.keyboard.press("3")
    assert page.locator("#timeline .line.best, #timeline .lost, #why .hindsight").count() == 0
    assert not page.locator("#timeline .hindsight").is_visible()
    page.keyboard.press("0")
    assert page.locator("#timeline .line.best").count() == 1


def test_a_game_that_is_not_covered(shown: Callable[..., Any]) -> None:
    record = GameRecord(players=("Alice", "Bob"), seed="a", variant="Sudoku (5 Suits)")
    page = shown(record, 1)
    assert "the solver does not cover Sudoku." in page.locator("#timeline .hindsight").inner_text()
    assert page.locator("#timeline .line.best").count() == 0
    assert not page.problems

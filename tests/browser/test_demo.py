"""The demo in a browser: few games, many variants; what has no answer says so, and no words lie on others."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import hanalyze

pytestmark = pytest.mark.browser

OVERLAPS = """() => {
  const found = [];
  for (const figure of document.querySelectorAll(".figure")) {
    const texts = [...figure.querySelectorAll("text")].filter((one) => one.textContent.trim())
      .map((one) => [one.textContent, one.getBoundingClientRect()]);
    texts.forEach(([a, first], i) => texts.slice(i + 1).forEach(([b, second]) => {
      const wide = Math.min(first.right, second.right) - Math.max(first.left, second.left);
      const high = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
      if (wide > 1.5 && high > 5) found.push(`${figure.id}: ${a} / ${b}`);
    }));
  }
  return found;
}"""
"""Texts of a figure that lie on each other: more than a line's own room."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo") / "it"
    assert hanalyze("demo", made).code == 0
    return made


def test_a_link_leads_to_its_turn(open_page: Callable[..., Any], folder: Path) -> None:
    """The number in the link is that of the page: turns count from 1, everywhere."""
    page = open_page(folder / "dashboard.html")
    links = page.eval_on_selector_all(
        "#figure-costliest a", "all => all.map((one) => [one.textContent, one.getAttribute('href')])"
    )
    pages = [link for link in links if link[0] != "hanab.live"]
    assert len(pages) == 8
    for text, address in pages[:2]:
        file, tail = address.split("#")
        [turn] = re.findall(r", turn (\d+)$", text)
        game = open_page(folder / file, tail=f"#{tail}")
        assert game.inner_text("#board .turn").startswith(f"Turn {turn} of ")


def test_what_has_no_answer_says_why(open_page: Callable[..., Any], folder: Path) -> None:
    page = open_page(folder / "dashboard.html")
    # In the sample games of a team size, the players have the same names.
    for name in ("players", "partners"):
        assert page.inner_text(f"#lead-{name}") == (
            "These players always play together, so their scores cannot be compared."
            " Their own decisions are compared below."
        )
    for name in ("players", "partners"):
        assert page.locator(f"#figure-{name} svg").count() == 0


@pytest.mark.parametrize("width", [400, pytest.param(760, marks=pytest.mark.heavy), 1400])
def test_no_words_lie_on_others(open_page: Callable[..., Any], folder: Path, width: int) -> None:
    page = open_page(folder / "dashboard.html", width=width)
    assert page.evaluate(OVERLAPS) == []


def test_an_interval_that_is_cut_says_where_it_ends(open_page: Callable[..., Any], folder: Path) -> None:
    """Where nothing was found, of few opportunities, the interval does not set the scale of the others."""
    page = open_page(folder / "dashboard.html")
    rows = page.evaluate("ROWS.rates(DATA.questions.find((one) => one.name === 'discards'), state)")
    most = max(row["high"] for row in rows if row["x"])
    cut = [row for row in rows if row["high"] > 1.5 * most]
    assert cut
    said = page.eval_on_selector_all("#figure-discards text", "all => all.map((one) => one.textContent)")
    for row in cut:
        assert f"0.0, up to {row['high']:.0f}" in said

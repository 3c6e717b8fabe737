"""The page of a player in a browser: wide and on a phone, light and dark, by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.report.player import player_page
from hanalyze.store.definitions import FAMILIES
from tests.hostile import IMAGE, QUOTES, SCRIPT

pytestmark = [pytest.mark.browser, pytest.mark.heavy]


def test_the_page_of_a_player(tmp_path: Path, open_page: Callable[..., Any]) -> None:
    names = (SCRIPT, IMAGE, QUOTES)
    records = [
        msgspec.structs.replace(one, players=names, started=f"2025-01-{1 + number:02}")
        for number, one in enumerate(simulate(["random", "cautious", "cautious"], games=30, seed=2))
    ]
    with hz.connect() as db:
        db.add(records, jobs=1)
        profile = hz.me(db, SCRIPT)
        (tmp_path / "me.html").write_text(player_page(db, profile), "utf-8")
    kinds = profile.rates.filter(~pl.col("kind").is_in(FAMILIES))
    worse = kinds.filter(pl.col("verdict").cast(pl.String).str.ends_with("worse"))
    assert worse.height >= 3
    for width in (1400, 400):
        page = open_page(tmp_path / "me.html", width=width, dark=width == 400)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        # Colour where the sentence says that the rates differ, and nowhere else.
        dots = page.locator(".rates tbody .dots")
        assert dots.count() == kinds.height
        assert page.locator(".rates .dots.bad").count() == worse.height
        for row in page.locator(".rates tbody tr:not(.role)").all():
            coloured = row.locator(".dots.good, .dots.bad").count() == 1
            assert coloured == row.locator("td.verdict").text_content().endswith(("better", "worse"))
        assert page.locator("#work ~ ul > li").count() == 3
        assert page.locator("#work ~ ul .positions li").count() == 9
        curve = page.locator(".form .curve").bounding_box()
        assert curve["width"] > 0.85 * page.locator(".form").bounding_box()["width"]
        ground = "getComputedStyle(document.body).backgroundColor"
        before = page.evaluate(ground)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate(ground) != before
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.tagName"))
        assert {"A", "CODE", "SUMMARY"} <= reached
        assert page.problems == []

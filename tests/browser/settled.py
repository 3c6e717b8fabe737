"""Waiting for a page, without a limit that a busy machine could reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def settled(page: Any) -> None:
    """Wait until all figures are drawn; other pages are ready as they are."""
    if page.locator("main[aria-busy]").count():
        page.wait_for_selector("main[aria-busy='false']", state="attached")


def becomes(page: Any, look: Callable[[], object], expected: object) -> None:
    """Wait until what can be seen is what is expected; after ten minutes it is not."""
    for _ in range(12_000):
        if look() == expected:
            return
        page.wait_for_timeout(50)
    assert look() == expected


def turns_true(page: Any, expression: str, argument: object = None) -> None:
    """Wait until an expression holds in a page or a frame.

    Playwright's `wait_for_function` cannot be used: the second time it evaluates a string in the page, which
    the pages' policy forbids.
    """
    becomes(page, lambda: page.evaluate(expression, argument), True)


def go_to_turn(page: Any, turn: int, tail: str = "") -> None:
    """Take the board of a review page to a turn (from 0), by the address; `tail` follows there."""
    page.evaluate("hash => { window.location.hash = hash }", f"turn={turn + 1}{tail}")
    turns_true(page, "turn => document.querySelector('#board .transport input').value === String(turn)", turn)

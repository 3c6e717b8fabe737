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

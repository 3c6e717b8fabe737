"""When a dashboard has drawn all its figures."""

from __future__ import annotations

from typing import Any


def settled(page: Any) -> None:
    """Wait until all figures are drawn; other pages are ready as they are."""
    if page.locator("main[aria-busy]").count():
        page.wait_for_selector("main[aria-busy='false']", state="attached")

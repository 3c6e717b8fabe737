"""A headless browser for the pages: one for the whole run, a fresh page for each test.

In: Playwright for Python and Debian's Chromium (or the path in `CHROMIUM`). Out: the fixtures `browser` and
`open_page`. Without them the tests are skipped, but under CI they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


def _missing(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"CI needs {what}")
    pytest.skip(f"needs {what}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright (pip install playwright)")
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        _missing("chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a file, and at the end see that it did nothing that it should not.

    `page.problems` collects console errors, exceptions, dialogs and requests besides the file itself.
    """
    contexts = []

    def opened(
        file: Path, *, width: int = 1400, height: int = 1000, dark: bool = False, tail: str = ""
    ) -> Any:
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        problems: list[str] = []
        page.problems = problems
        address = file.resolve().as_uri()

        def requested(request: Any) -> None:
            if request.url.split("#")[0] != address:
                problems.append(f"request of {request.url[:200]}")

        def said(message: Any) -> None:
            if message.type in ("error", "warning"):
                problems.append(f"console: {message.text}")

        def asked(dialog: Any) -> None:
            problems.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        page.on("request", requested)
        page.on("console", said)
        page.on("pageerror", lambda error: problems.append(f"exception: {error}"))
        page.on("dialog", asked)
        page.goto(address + tail)
        return page

    yield opened
    found = [problem for context in contexts for page in context.pages for problem in page.problems]
    for context in contexts:
        context.close()
    assert found == []

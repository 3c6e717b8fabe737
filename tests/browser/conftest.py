"""A headless browser for the pages: one for the whole run, a fresh page for each test.

They need Playwright for Python, and Debian's Chromium and Firefox (or the paths in `CHROMIUM` and `FIREFOX`).
The fixture `browser` is the one named in `HANALYZE_BROWSER`, else Chromium. Without browsers the tests are
skipped, but under CI they fail.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.settled import settled


def missing(what: str) -> None:
    """Skip a test for want of something, or fail it where everything has to be there."""
    if os.environ.get("CI"):
        pytest.fail(f"CI needs {what}")
    pytest.skip(f"needs {what}")


def program(name: str) -> str:
    """Return the path of `chromium` or `firefox`."""
    found = os.environ.get(name.upper()) or shutil.which(name) or shutil.which(f"{name}-esr")
    if found is None:
        missing(name)
    return str(found)


@pytest.fixture
def kaleido(monkeypatch: pytest.MonkeyPatch) -> None:
    """Need Kaleido and a browser that it finds by itself, or the one in `CHROMIUM`."""
    if importlib.util.find_spec("kaleido") is None:
        missing("kaleido (pip install kaleido)")
    chromium = program("chromium")
    if "CHROMIUM" in os.environ:
        monkeypatch.setenv("BROWSER_PATH", chromium)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright (pip install playwright)")
    with sync_playwright() as started:
        yield started


def launched(playwright: Any, name: str) -> Iterator[Any]:
    """Yield a browser: `chromium`, or `firefox` by WebDriver BiDi, as it is no build of Playwright's."""
    path = program(name)
    if name == "firefox":
        started = playwright.firefox.launch(executable_path=path, channel="moz-firefox")
    else:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    yield started
    started.close()


@pytest.fixture(scope="session")
def browser(playwright: Any) -> Iterator[Any]:
    yield from launched(playwright, os.environ.get("HANALYZE_BROWSER", "chromium"))


@pytest.fixture(scope="module")
def firefox(playwright: Any) -> Iterator[Any]:
    yield from launched(playwright, "firefox")


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a file, and at the end see that it did nothing that it should not.

    `page.problems` collects console errors, exceptions, dialogs and requests besides the file itself.
    """
    contexts = []

    def opened(
        file: Path,
        *,
        width: int = 1400,
        height: int = 1000,
        dark: bool = False,
        tail: str = "",
        scale: float = 1,
    ) -> Any:
        scheme = "dark" if dark else "light"
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=scale
        )
        contexts.append(context)
        context.set_default_timeout(600_000)  # milliseconds; a busy machine takes as long as it takes
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
        settled(page)
        return page

    yield opened
    found = [problem for context in contexts for page in context.pages for problem in page.problems]
    for context in contexts:
        context.close()
    assert found == []

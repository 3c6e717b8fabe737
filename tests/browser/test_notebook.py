"""What a notebook shows of strangers' names, in a browser: text, shortened, and nothing runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.report import jupyter
from tests.hostile import IMAGE, NAMES, QUOTES, SCRIPT, TURNED, hostile_games, hostile_log

pytestmark = pytest.mark.browser

Open = Callable[..., Any]

NOTEBOOK = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Notebook</title>
<link rel="icon" href="data:,"></head><body><div class="output">{}</div></body></html>"""


class Formatter:
    """IPython's formatter for HTML: functions by the name of the type."""

    def __init__(self) -> None:
        self.functions: dict[str, Any] = {}

    def for_type_by_name(self, module: str, name: str, function: Any) -> None:
        self.functions[f"{module}.{name}"] = function

    def __call__(self, value: Any) -> str:
        shown = self.functions[f"{type(value).__module__}.{type(value).__name__}"](value)
        assert isinstance(shown, str)
        return shown


class Shell:
    def __init__(self) -> None:
        self.display_formatter = self
        self.formatters = {"text/html": Formatter()}


@pytest.fixture(scope="module")
def formatter() -> Formatter:
    shell = Shell()
    jupyter.register(shell)
    return shell.formatters["text/html"]


@pytest.fixture
def show(formatter: Formatter, tmp_path: Path, open_page: Open) -> Callable[[Any], Any]:
    """Return a function that opens a notebook with a value as the output of its cell."""

    def shown(value: Any) -> Any:
        file = tmp_path / "notebook.html"
        file.write_text(NOTEBOOK.format(formatter(value)), "utf-8")
        return open_page(file)

    return shown


def test_a_game(show: Callable[[Any], Any]) -> None:
    page = show(hz.replay(hostile_games()[0]))
    assert page.title() == "Notebook"
    assert page.locator("script, img").count() == 0
    frame = page.frames[1]
    frame.wait_for_selector("#board .hand")
    heading = frame.inner_text("h1")
    assert SCRIPT in heading
    assert IMAGE in heading
    assert QUOTES in heading
    assert "W" * 100 not in frame.inner_text("body")
    assert frame.locator("img").count() == 0
    assert frame.locator("script").count() == 2
    for key in ("n", "ArrowRight", "End"):
        frame.press("body", key)
    frame.locator("#board .card").first.hover()
    assert "alert(1)" in frame.inner_text("#pop")


def test_a_position(show: Callable[[Any], Any]) -> None:
    page = show(hz.replay(hostile_games()[0])[12])
    names = page.eval_on_selector_all("tr th", "all => all.map((one) => one.textContent)")
    plain = [name.removesuffix(" ▸") for name in names]
    shown = TURNED.replace("\u202e", "\\u202e").replace("\u2066", "\\u2066")
    assert plain == [SCRIPT, IMAGE, QUOTES, shown, "W" * 59 + "…"]
    assert names != plain
    assert page.locator("script, img").count() == 0


def test_a_database(show: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with hz.open(f"{IMAGE}'\".duckdb") as db:
        db.ingest(hostile_log(tmp_path), jobs=1)
        page = show(db)
    assert page.inner_text("p") == f"<Database {IMAGE}'\".duckdb>: 3 games"
    assert page.locator("script, img").count() == 0
    assert page.inner_text("tr:nth-child(2)").split("\t") == [str(len(NAMES)), "No Variant", "3", "0.00", "0"]

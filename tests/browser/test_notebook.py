"""What a notebook shows of strangers' names, in a browser: text, shortened, and nothing runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.report import jupyter
from tests.browser.settled import becomes, turns_true
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
        self.formatters = {"text/html": Formatter(), "text/plain": Formatter()}


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


FITS = """() => {
  const { clientHeight, scrollHeight } = document.documentElement;
  const page = Math.ceil(document.querySelector(".page").getBoundingClientRect().height);
  return page === clientHeight && scrollHeight === clientHeight;
}"""


@pytest.mark.parametrize("width", [1400, 700])
def test_a_frame_is_as_high_as_its_page(show: Callable[[Any], Any], width: int) -> None:
    """Nothing of it is cut, and nothing is left over; also once the room or the page changes."""
    page = show(hz.replay(hostile_games()[0]))
    page.set_viewport_size({"width": width, "height": 600})
    frame = page.frames[1]
    inside = page.evaluate("document.querySelector('iframe').clientWidth")
    becomes(page, lambda: frame.evaluate("window.innerWidth"), inside)
    turns_true(frame, FITS)
    height = page.locator("iframe").bounding_box()["height"]
    assert height > 820
    frame.evaluate("() => document.querySelector('.page').append('x '.repeat(9000))")
    turns_true(frame, FITS)
    assert page.locator("iframe").bounding_box()["height"] > height
    frame.evaluate("() => document.querySelector('.page').lastChild.remove()")
    turns_true(frame, FITS)
    assert page.locator("iframe").bounding_box()["height"] == height
    # The buttons stand below the board, not at the edge of a screen that the frame does not have.
    below = "document.querySelector('#timeline').getBoundingClientRect().top"
    assert frame.evaluate(
        "document.querySelector('.transport').getBoundingClientRect().bottom"
    ) <= frame.evaluate(below)


def test_the_frame_of_a_saved_notebook_fits(tmp_path: Path, open_page: Open) -> None:
    saved = json.loads((Path(__file__).parents[2] / "notebooks" / "01_one_game.ipynb").read_text("utf-8"))
    outputs = [output for cell in saved["cells"] for output in cell.get("outputs", [])]
    [frame] = [
        text for one in outputs if "<iframe" in (text := "".join(one.get("data", {}).get("text/html", "")))
    ]
    file = tmp_path / "notebook.html"
    file.write_text(NOTEBOOK.format(frame), "utf-8")
    turns_true(open_page(file).frames[1], FITS)


def test_a_frame_reaches_nothing_of_the_notebook(show: Callable[[Any], Any]) -> None:
    page = show(hz.replay(hostile_games()[0]))
    frame = page.frames[1]
    assert page.locator("iframe").get_attribute("sandbox") == "allow-scripts"
    assert frame.evaluate("window.origin") == "null"
    turns_true(frame, FITS)
    # A port is handed over once, when the page is loaded; who only calls is not heard.
    height = page.locator("iframe").bounding_box()["height"]
    page.evaluate(
        """() => {
          window.heard = [];
          window.addEventListener("message", ({ data }) => window.heard.push(data));
        }"""
    )
    frame.evaluate(
        "() => { window.parent.postMessage(5000, '*'); window.parent.postMessage('height', '*'); }"
    )
    becomes(page, lambda: page.evaluate("window.heard"), [5000, "height"])
    assert page.locator("iframe").bounding_box()["height"] == height


def test_a_position(show: Callable[[Any], Any]) -> None:
    page = show(hz.replay(hostile_games()[0])[12])
    names = page.eval_on_selector_all("tr th", "all => all.map((one) => one.textContent)")
    plain = [name.removesuffix(" ▸") for name in names]
    shown = TURNED.replace("\u202e", "\\u{202e}").replace("\u2066", "\\u{2066}")
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

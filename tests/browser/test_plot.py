"""`hanalyze plot` to PNG and SVG: drawn in Chromium, in the page's colours and letters, names as text."""

from __future__ import annotations

import base64
import shutil
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.theme import FONT, PALETTE
from hanalyze.store import connect
from hanalyze.text import shorten
from tests.browser.settled import becomes
from tests.cli.running import hanalyze
from tests.hostile import IMAGE, LONG, NAMES, SCRIPT
from tests.report.board import make_database

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("kaleido")]

TEXT = "{http://www.w3.org/2000/svg}text"
GOOD, BAD = (PALETTE[name][0] for name in ("good", "bad"))

PIXELS = """async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const count = {};
  for (let i = 0; i < data.length; i += 4) {
    const colour = [0, 1, 2].map((j) => data[i + j].toString(16).padStart(2, "0")).join("").toUpperCase();
    count[`#${colour}`] = (count[`#${colour}`] || 0) + 1;
  }
  return count;
}"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board")
    make_database(path, [*NAMES[:3], "$x^2$", "Bela", NAMES[4]], samples=False).close()
    return path / "games.duckdb"


def test_png(database: Path, tmp_path: Path, browser: Any) -> None:
    target = tmp_path / "scores.png"
    ran = hanalyze("plot", database, "scores", "-o", target)
    assert (ran.code, ran.err) == (0, "")
    data = target.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (1800, 896)
    page = browser.new_page()
    pixels = page.evaluate(PIXELS, "data:image/png;base64," + base64.b64encode(data).decode())
    page.close()
    assert sum(pixels.values()) == width * height
    assert max(pixels, key=pixels.__getitem__) == "#FFFFFF"
    # The bars of perfect games and of those struck out, and the letters.
    for colour in (GOOD, BAD, PALETTE["ink1"][0], PALETTE["ink2"][0]):
        assert pixels[colour] > 100


def test_svg(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "players.svg"
    ran = hanalyze("plot", database, "players", "-o", target)
    assert (ran.code, ran.err) == (0, "")
    data = target.read_bytes()
    assert data.startswith(b"<svg")
    root = ElementTree.fromstring(data)
    assert root.attrib["width"] == "900"
    texts = ["".join(node.itertext()) for node in root.iter(TEXT)]
    assert any(text.startswith("Players") for text in texts)
    for name in (SCRIPT, IMAGE, "$x^2$", LONG):
        assert any(text.startswith(shorten(name, 24)) for text in texts), name
    assert not [
        node for node in root.iter() if node.tag.rpartition("}")[2] in ("script", "image", "foreignObject")
    ]
    styles = [node.attrib.get("style", "").replace("'", '"') for node in root.iter(TEXT)]
    assert all(FONT in style for style in styles if "font-family" in style)
    assert any(FONT in style for style in styles)


def test_a_list_is_not_cut_off(database: Path, tmp_path: Path) -> None:
    """Its rows are as high as their words make them; what is beyond the edge is not drawn."""
    target = tmp_path / "turns.svg"
    assert hanalyze("plot", database, "costliest", "-o", target).code == 0
    root = ElementTree.fromstring(target.read_bytes())
    with connect(database, read_only=True) as db, Cube(db) as cube:
        rows = cube.listed("costliest")
    texts = ["".join(node.itertext()) for node in root.iter(TEXT)]
    shown = [text.partition(", turn ")[0] for text in texts if ", turn " in text]
    assert shown == [f"Game {number}" for number in rows["source_id"].head(8)]


def test_no_browser_is_one_line(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for path, words in (
        ("/no/such/browser", "to draw a picture, Chrome or Chromium is needed"),
        (shutil.which("true"), "Chrome or Chromium does not start"),
    ):
        monkeypatch.setenv("BROWSER_PATH", str(path))
        ran = hanalyze("plot", database, "scores", "-o", tmp_path / "x.png")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"hanalyze: {words}")
        assert ran.err.endswith("; install one, or name it in BROWSER_PATH, or write .html\n")
        assert ran.err.count("\n") == 1
        assert capfd.readouterr() == ("", "")
        assert not (tmp_path / "x.png").exists()


def test_a_phone_shows_the_whole_figure(database: Path, tmp_path: Path, browser: Any) -> None:
    target = tmp_path / "scores.html"
    assert hanalyze("plot", database, "scores", "-o", target).code == 0
    context = browser.new_context(viewport={"width": 400, "height": 800}, is_mobile=True)
    page = context.new_page()
    page.goto(target.resolve().as_uri())
    page.wait_for_selector("#figure .main-svg text")
    right = page.evaluate("document.querySelector('#figure .main-svg').getBoundingClientRect().right")
    # The figure is as wide as ever; what a phone shows of the page is as wide.
    assert 900 < right <= page.evaluate("visualViewport.width") < 950
    context.close()


def test_a_page_runs_nothing_but_itself(database: Path, tmp_path: Path, open_page: Any) -> None:
    target = tmp_path / "players.html"
    ran = hanalyze("plot", database, "players", "-o", target)
    assert (ran.code, ran.err) == (0, "")
    page = open_page(target)
    page.wait_for_selector("#figure .main-svg text")
    texts = page.eval_on_selector_all("text", "all => all.map((one) => one.textContent)")
    for name in (SCRIPT, IMAGE, "$x^2$", LONG):
        assert any(text.startswith(shorten(name, 24)) for text in texts), name
    assert page.locator("#figure img, #figure script").count() == 0
    assert page.problems == []
    # The page's own policy stops a script of anybody else's, and whatever would be loaded.
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = 1";
      document.body.append(script);
      const image = "<img src='http://localhost:9/x' onerror='window.ran = 2'>";
      document.body.insertAdjacentHTML("beforeend", image);
    }""")
    directives = {"script-src", "img-src"}

    def stopped() -> set[str]:
        said = [problem for problem in page.problems if "Content Security Policy" in problem]
        return {directive for directive in directives if any(directive in one for one in said)}

    becomes(page, stopped, directives)
    assert page.evaluate("window.ran") is None
    page.problems.clear()

"""The pictures in README and docs: the demo's pages and outputs of notebooks as a browser shows them.

`HANALYZE_PICTURES=1 pytest -m heavy tests/browser/test_pictures.py` takes them anew, for when the pages have
changed.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import hanalyze

pytestmark = [pytest.mark.browser, pytest.mark.heavy]

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
WIDTH, HEIGHT = 1280, 920
MOST_BYTES = 300_000

PAGES = {
    "review": ("games/p3v0s7.html", "#turn=22", 1.5),
    "dashboard": ("dashboard.html", "", 1.5),
    "quiz": ("quiz.html", "", 1.0),
    "me": ("me.html", "", 1.0),
}
"""The pages by the names of their pictures: the file in the demo, its place, and pixels per CSS pixel."""

NOTEBOOKS = {
    "01_one_game": 1,
    "02_a_folder_of_games": 13,
    "03_discard_mistakes": 4,
    "04_clue_efficiency": 6,
    "05_do_finesses_pay": 20,
    "06_agents_and_humans": 7,
    "07_when_was_it_lost": 10,
}
"""The cell of each notebook whose output is its picture."""

LOOK = """async ([data, kind]) => {
  const image = new Image();
  image.src = `data:image/${kind};base64,${data}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return {
    size: [canvas.width, canvas.height],
    colours: counts.size,
    plain: Math.max(...counts.values()) / pixels.length,
    webp: canvas.toDataURL("image/webp", 0.92).split(",")[1],
  };
}"""
"""How large a picture is, how many colours it has, how much of it is of one colour; and it as WebP."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "it"
    assert hanalyze("demo", folder).code == 0
    games = ROOT / "sample_logs" / "games.jsonl"
    assert hanalyze("me", games, "--player", "Alice", "-o", folder / "me.html").code == 0
    return folder


def looked_at(page: Any, picture: bytes, kind: str) -> dict[str, Any]:
    """Return what a picture shows, found out in a page that has no policy against it."""
    blank = page.context.new_page()
    found: dict[str, Any] = blank.evaluate(LOOK, [base64.b64encode(picture).decode(), kind])
    blank.close()
    return found


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_show_something(open_page: Callable[..., Any], demo: Path, name: str) -> None:
    file, tail, scale = PAGES[name]
    page = open_page(demo / file, width=WIDTH, height=HEIGHT, scale=scale, tail=tail)
    found = looked_at(page, page.screenshot(), "png")
    assert found["size"] == [WIDTH * scale, HEIGHT * scale]
    assert found["colours"] > 500
    assert 0.2 < found["plain"] < 0.8
    if os.environ.get("HANALYZE_PICTURES"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(found["webp"]))


@pytest.mark.parametrize("name", PAGES)
def test_readme_has_the_pictures(open_page: Callable[..., Any], demo: Path, name: str) -> None:
    picture = FOLDER / f"{name}.webp"
    text = (ROOT / "README.md").read_text("utf-8")
    [words] = re.findall(rf"!\[([^\]]+)\]\({picture.relative_to(ROOT).as_posix()}\)", text)
    assert len(words) > 40
    content = picture.read_bytes()
    assert len(content) < MOST_BYTES
    file, _, scale = PAGES[name]
    found = looked_at(open_page(demo / file), content, "webp")
    assert found["size"] == [WIDTH * scale, HEIGHT * scale]
    assert found["colours"] > 500


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_shows_its_picture(open_page: Callable[..., Any], tmp_path: Path, name: str) -> None:
    notebook = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    output = notebook["cells"][NOTEBOOKS[name]]["outputs"][-1]["data"]
    shown = "".join(output.get("text/html", ""))
    if "image/png" in output:
        shown = f"<img src='data:image/png;base64,{''.join(output['image/png'])}'>"
    style = (
        "body { margin: 0; padding: 12px; max-height: 500px; overflow: hidden; font: 15px sans-serif }"
        "td, th { padding: 3px 14px; text-align: right } img { max-width: 100%; max-height: 500px }"
    )
    file = tmp_path / "output.html"
    file.write_text(f"<!DOCTYPE html><meta charset='utf-8'><style>{style}</style>{shown}", "utf-8")
    page = open_page(file, width=840, height=524)
    found = looked_at(page, page.locator("body").screenshot(), "png")
    assert found["colours"] > 50
    assert found["plain"] < 0.98
    if os.environ.get("HANALYZE_PICTURES"):
        (FOLDER / "notebooks").mkdir(exist_ok=True)
        (FOLDER / "notebooks" / f"{name}.webp").write_bytes(base64.b64decode(found["webp"]))

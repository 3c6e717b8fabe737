"""The notebooks: each runs in a fresh kernel and gives the outputs that its file has."""

from __future__ import annotations

import os
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
BOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES = 4_000_000


@pytest.fixture(scope="module")
def make() -> dict[str, Any]:
    """Return the functions of `notebooks/make.py`."""
    for module in ("nbclient", "nbformat", "ipykernel"):
        try:
            __import__(module)
        except ImportError:
            if os.environ.get("CI"):
                pytest.fail(f"CI needs {module}")
            pytest.skip(f"needs {module}")
    return runpy.run_path(str(FOLDER / "make.py"))


def close(one: Any, other: Any) -> bool:
    """Return whether two values of a figure differ in their last digits at most."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return bool(one == pytest.approx(other, rel=1e-6, abs=1e-9))
    return bool(one == other)


@pytest.mark.notebook
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(make: dict[str, Any], path: Path) -> None:
    wanted, shown = make["shown"](make["saved"](path)), make["shown"](make["executed"](path))
    assert [one[:2] for one in shown] == [one[:2] for one in wanted]
    for (cell, kind, text), (_, _, before) in zip(shown, wanted, strict=True):
        if isinstance(text, str):
            assert text == before, f"cell {cell}, {kind}: run notebooks/make.py, and read what changed"
        else:
            assert close(text, before), (
                f"cell {cell}, {kind}: run notebooks/make.py, and look at what changed"
            )


def test_the_docs_have_a_small_picture_of_each() -> None:
    docs = FOLDER.parent / "docs"
    text = (docs / "notebooks.md").read_text("utf-8")
    listed = re.findall(r"\]\(\.\./notebooks/(\w+)\.ipynb\): \w.*\n\n!\[([^\]]+)\]\((.+)\)", text)
    assert [stem for stem, _, _ in listed] == [path.stem for path in BOOKS]
    for stem, words, picture in listed:
        assert len(words) > 40
        assert picture == f"pictures/notebooks/{stem}.webp"
        assert 5_000 < (docs / picture).stat().st_size < 100_000


def test_there_are_seven() -> None:
    assert [path.stem[:2] for path in BOOKS] == ["01", "02", "03", "04", "05", "06", "07"]
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < MOST_BYTES


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_can_be_read_on_its_own(make: dict[str, Any], path: Path) -> None:
    notebook = make["saved"](path)
    assert notebook.cells[0].source.startswith("# ")
    assert "## What this does not show" in "\n".join(cell.source for cell in notebook.cells)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(notebook.cells) - len(code) >= len(notebook.cells) / 3
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    figures = [
        output.data for _, output in make["outputs"](notebook) if make["PLOTLY"] in output.get("data", {})
    ]
    assert all(make["PICTURE"] in figure for figure in figures)
    assert all("error" not in output.output_type for _, output in make["outputs"](notebook))
    # Nothing about the machine that it was made on.
    text = path.read_text("utf-8")
    assert not re.search(r"/home/|/Users/|[A-Z]:\\\\\\\\Users|site-packages", text)
    assert str(FOLDER.parent) not in text
    assert sys.prefix not in text
    assert set(notebook.metadata) == {"kernelspec", "language_info"}


def test_every_figure_of_a_notebook_is_drawn(make: dict[str, Any]) -> None:
    count = sum(
        make["PLOTLY"] in output.get("data", {})
        for path in BOOKS
        for _, output in make["outputs"](make["saved"](path))
    )
    assert count >= 5

"""A library that is not installed: one line that says how to get it, before any work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hanalyze.report import jupyter, page
from tests.cli.running import hanalyze, saved
from tests.store.logs import games

pytest.importorskip("duckdb")

Without = Callable[..., None]


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Without]:
    """Return a function that makes libraries as if they were not installed."""

    def forget(*names: str) -> None:
        names = (*names, *(f"_{name}" for name in names))  # and the extensions of their own, as `_duckdb`
        for name in {*names, *(loaded for loaded in sys.modules if loaded.partition(".")[0] in names)}:
            monkeypatch.setitem(sys.modules, name, None)

    page._template.cache_clear()
    yield forget
    page._template.cache_clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games")
    log = saved(path, *games(2))
    saved(path, *games(1), name="game.json")
    assert hanalyze("ingest", log, "--db", path / "games.duckdb", "--jobs", "1").code == 0
    return path


REPORT = "pip install 'hanalyze[report]'"
BASE = ("jinja2", "markupsafe", "plotly", "quickjs", "scipy", "kaleido", "duckdb")
REVIEW = ("review", "{}/game.json", "-o", "{}/x.html")
DASHBOARD = ("dashboard", "{}/games.duckdb", "-o", "{}/x.html")
PAGES = (*DASHBOARD, "--pages", "2", "--logs", "{}/games.jsonl")
PLOT = ("plot", "{}/games.duckdb", "scores", "-o", "{}/x.html")
PICTURE = ("plot", "{}/games.duckdb", "scores", "-o", "{}/x.png")
ARRAYS = ("convert", "{}/games.jsonl", "--to", "ah2ac2")
STATS = ("stats", "{}/games.duckdb", "--by", "players")
SCORES = (*STATS, "--what", "scores")


@pytest.mark.parametrize(
    ("arguments", "missing", "line"),
    [
        # with nothing but the base install
        (REVIEW, BASE, "DuckDB is not installed; pip install 'hanalyze[database]'"),
        (DASHBOARD, BASE, f"Plotly is not installed; {REPORT}"),
        (PLOT, BASE, f"Plotly is not installed; {REPORT}"),
        (PICTURE, BASE, "Kaleido is not installed; pip install 'hanalyze[image]', or write .html"),
        (STATS, BASE, "DuckDB is not installed; pip install 'hanalyze[database]'"),
        # one at a time
        (REVIEW, ("duckdb",), "DuckDB is not installed; pip install 'hanalyze[database]'"),
        (DASHBOARD, ("duckdb",), "DuckDB is not installed; pip install 'hanalyze[database]'"),
        (DASHBOARD, ("plotly",), f"Plotly is not installed; {REPORT}"),
        (DASHBOARD, ("scipy",), "SciPy is not installed; pip install 'hanalyze[analysis]'"),
        (DASHBOARD, ("markupsafe", "jinja2"), f"Jinja2 is not installed; {REPORT}"),
        (PAGES, ("markupsafe", "jinja2"), f"Jinja2 is not installed; {REPORT}"),
        (PLOT, ("markupsafe", "jinja2"), f"Jinja2 is not installed; {REPORT}"),
        (PLOT, ("duckdb",), "DuckDB is not installed; pip install 'hanalyze[database]'"),
        (PLOT, ("plotly",), f"Plotly is not installed; {REPORT}"),
        (PLOT, ("quickjs",), f"QuickJS is not installed; {REPORT}"),
        (PICTURE, ("kaleido",), "Kaleido is not installed; pip install 'hanalyze[image]', or write .html"),
        (ARRAYS, ("safetensors",), "safetensors is not installed; pip install 'hanalyze[formats]'"),
        (SCORES, ("scipy",), "SciPy is not installed; pip install 'hanalyze[analysis]'"),
    ],
)
def test_one_line_with_the_way_out(
    arguments: tuple[str, ...], missing: tuple[str, ...], line: str, folder: Path, without: Without
) -> None:
    without(*missing)
    ran = hanalyze(*(argument.format(folder) for argument in arguments))
    assert (ran.code, ran.out, ran.err) == (2, "", f"hanalyze: {line}\n")
    assert not (folder / "x.html").exists()


@pytest.mark.heavy
@pytest.mark.parametrize("arguments", [REVIEW, DASHBOARD, PLOT])
def test_a_page_needs_no_more_than_its_own(
    arguments: tuple[str, ...], folder: Path, without: Without
) -> None:
    without("kaleido", *["scipy"] * (arguments != DASHBOARD))
    without(*["plotly", "jinja2", "markupsafe"] * (arguments == REVIEW))
    without(*["quickjs"] * (arguments != PLOT))
    ran = hanalyze(*(argument.format(folder) for argument in arguments))
    assert (ran.code, ran.err) == (0, "")
    (folder / "x.html").unlink()


def test_a_notebook_shows_the_last_board_instead(without: Without) -> None:
    import hanalyze as hz

    without("duckdb")
    shown = jupyter.replay_html(hz.replay(games(1)[0]))
    assert "<iframe" not in shown
    assert "score" in shown
    assert shown.endswith("pip install &#x27;hanalyze[database]&#x27;</p>")


def test_what_moves_meant_needs_no_database(folder: Path, without: Without, tmp_path: Path) -> None:
    """Of one game, from a file or from standard input; and what is wrong is said."""
    given = ("conventions", folder / "game.json")
    with_it = hanalyze(*given), hanalyze(*given, "--json")
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes((folder / "game.json").read_bytes() + b"{}\n")
    half = hanalyze("conventions", broken)
    without(*BASE)
    assert (hanalyze(*given), hanalyze(*given, "--json")) == with_it
    assert with_it[0].code == 0
    assert hanalyze("conventions", "-", stdin=(folder / "game.json").read_bytes()).out == with_it[0].out
    assert hanalyze("conventions", broken) == half
    assert (half.code, half.out, half.err.count("\n")) == (2, with_it[0].out, 1)
    many = hanalyze("conventions", folder / "games.jsonl")
    assert (many.code, many.out) == (2, "")
    assert many.err == "hanalyze: DuckDB is not installed; pip install 'hanalyze[database]'\n"

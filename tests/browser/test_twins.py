"""What stands in Python and in JavaScript: each figure and sentence is the same, whatever the filters."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hanalyze.report.charts import CHARTS
from hanalyze.report.cube import Cube
from hanalyze.report.dashboard import made_dashboard
from hanalyze.report.figures import COLOURS
from hanalyze.report.lists import listed
from hanalyze.report.questions import QUESTIONS
from hanalyze.report.twins.filling import filled, sentence
from hanalyze.report.twins.rows import rows_of
from hanalyze.store import Database
from tests.browser.settled import settled
from tests.report.board import make_read_database

pytestmark = pytest.mark.browser

NO_FILTER: dict[str, Any] = {"players": None, "variant": None, "player": None}
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 2},
    {"players": 3},
    {"variant": "No Variant"},
    {"variant": "Rainbow (5 Suits)"},
    {"player": "Ada"},
    {"player": "Goro"},
    {"players": 4, "player": "Bela"},
    {"player": "Ada", "variant": "No Variant"},
    {"players": 3, "variant": "No Variant", "player": "Bela"},
)

FROM_PAGE = """([filters, colours, width]) => DATA.questions.map((question) => {
  Object.assign(state, filters);
  if (question.rows === "list") return [question.name, listRows(question).map((row) => row.cells), "", null];
  const rows = ROWS[question.rows](question, state);
  const figure = filled(DATA.charts[question.chart], question, rows, colours, width);
  return [question.name, rows, sentenceOf(question, rows), figure];
})"""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with make_read_database(tmp_path_factory.mktemp("board")) as made:
        yield made


@pytest.fixture(scope="module")
def cube(db: Database) -> Iterator[Cube]:
    with Cube(db) as made:
        yield made


@pytest.fixture(scope="module")
def file(db: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "dashboard.html"
    path.write_text(made_dashboard(db).text, "utf-8")
    return path


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Return where two JSON values differ; numbers by more than what the page's digits leave out."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [found for key in one for found in differences(one[key], other[key], f"{where}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [found for i, (a, b) in pairs for found in differences(a, b, f"{where}[{i}]")]
    if isinstance(one, int | float) and isinstance(other, int | float):
        return [] if math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-3) else [f"{where}: {one} != {other}"]
    return [] if one == other else [f"{where}: {str(one)[:100]} != {str(other)[:100]}"]


@pytest.mark.parametrize(
    ("filters", "width"),
    [
        pytest.param(filters, width, marks=[pytest.mark.heavy] * (number % 3 != 0 or width == 360))
        for number, filters in enumerate(FILTERS)
        for width in (360, 1160)
    ],
)
def test_figures_and_sentences_are_those_of_python(
    cube: Cube, file: Path, open_page: Callable[..., Any], filters: dict[str, Any], width: int
) -> None:
    page = open_page(file)
    settled(page)
    places = {"variant": cube.variants, "player": cube.players}
    chosen = {name: places[name].index(value) if name in places else value for name, value in filters.items()}
    shown = page.evaluate(FROM_PAGE, [NO_FILTER | chosen, COLOURS, width])
    assert [name for name, *_ in shown] == list(QUESTIONS)
    for name, rows, said, figure in shown:
        question = QUESTIONS[name]
        if question.rows == "list":
            assert rows == listed(cube, question, filters)[1], name
            continue
        mine = rows_of(cube, question, filters)
        drawn = filled(CHARTS[question.chart], question, mine, COLOURS, width)
        ours = json.loads(json.dumps([[_plain(row) for row in mine], sentence(question, mine), drawn]))
        assert differences(ours, [rows, said, figure], name) == []


def _plain(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__}


@pytest.mark.parametrize("filters", FILTERS[::4])
def test_what_is_shown_is_what_the_scripts_say(
    cube: Cube, file: Path, open_page: Callable[..., Any], filters: dict[str, Any]
) -> None:
    """A figure is drawn of the rows that the filters leave, and its sentence is on the page."""
    tail = "#" + "&".join(f"{name}={value}" for name, value in filters.items())
    page = open_page(file, tail=tail)
    settled(page)
    games = sum(cube.cells.row(cell)[3] for cell in cube.chosen(filters))
    for name, question in QUESTIONS.items():
        if question.rows == "list":
            continue
        rows = rows_of(cube, question, filters)
        few = f"Only {games} games: too few for a figure."
        said = "".join(sentence(question, rows)) if games >= 20 else few
        assert page.inner_text(f"#lead-{name}") == said
        traces = page.evaluate(f"document.querySelector('#figure-{name}').data?.length ?? 0")
        drawn = filled(CHARTS[question.chart], question, rows, COLOURS, 900) if games >= 20 else None
        assert traces == (len(drawn["data"]) if drawn else 0)

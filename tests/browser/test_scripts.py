"""The scripts give the same in Chromium and in the embedded engine; the page shows what they say."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hanalyze.report.dashboard.build import made_dashboard
from hanalyze.report.dashboard.charts import CHARTS
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.figure_data import places
from hanalyze.report.dashboard.figures import COLOURS
from hanalyze.report.dashboard.lists import listed
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.report.dashboard.scripts import Scripts
from hanalyze.store import Database
from tests.browser.settled import settled
from tests.report.board import data_of, judged_page, make_read_database
from tests.report.figure_scripts import NO_FILTER, filled, rows_of, run, sentence

pytestmark = pytest.mark.browser

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

FIGURES = """(filters, colours, width) => {
  const asked = askedOf(filters);
  const claims = claimsOf(asked);
  return [claims, asked.map(([question, unjudged]) => {
    const rows = judged(unjudged, claims);
    const figure = filled(DATA.charts[question.chart], question, rows, colours, width, claims.level);
    return [question.name, rows, sentenceOf(question, rows, claims.level), figure];
  })];
}"""


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
    """Return where two JSON values differ; numbers by more than the page's normal quantile is inexact."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [found for key in one for found in differences(one[key], other[key], f"{where}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [found for i, (a, b) in pairs for found in differences(a, b, f"{where}[{i}]")]
    if isinstance(one, int | float) and isinstance(other, int | float):
        return [] if math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-9) else [f"{where}: {one} != {other}"]
    return [] if one == other else [f"{where}: {str(one)[:100]} != {str(other)[:100]}"]


def test_the_engine_gives_what_chromium_gives(file: Path, open_page: Callable[..., Any]) -> None:
    page = open_page(file)
    settled(page)
    scripts = Scripts(data_of(file))
    for player, width in ((None, 1160), (0, 360)):
        given = [{**NO_FILTER, "player": player}, COLOURS, width]
        ours, theirs = scripts.run(FIGURES, *given), page.evaluate(f"(given) => ({FIGURES})(...given)", given)
        drawn = [one.name for one in QUESTIONS.values() if one.rows != "list"]
        assert [name for name, *_ in ours[1]] == drawn
        assert differences(ours, theirs) == []
    counts = [0, 7, 999, 1000, 12345.6, 1234567]
    assert run("(list) => list.map(count)", counts) == page.evaluate("(list) => list.map(count)", counts)


@pytest.mark.parametrize(
    "filters", [FILTERS[0], *(pytest.param(one, marks=pytest.mark.heavy) for one in FILTERS[4::4])]
)
def test_lists_are_those_of_python(
    cube: Cube, file: Path, open_page: Callable[..., Any], filters: dict[str, Any]
) -> None:
    page = open_page(file)
    settled(page)
    shown = page.evaluate(
        """(filters) => {
          Object.assign(state, filters);
          const lists = DATA.questions.filter((question) => question.rows === "list");
          return lists.map((question) => [question.name, listRows(question).map((row) => row.cells)]);
        }""",
        places(cube, filters),
    )
    asked = [one for one in QUESTIONS.values() if one.rows == "list"]
    assert shown == [[one.name, listed(cube, one, filters)[1]] for one in asked]


@pytest.mark.parametrize("name", ["players", "player_rates"])
def test_with_a_player_chosen_the_others_are_dimmed(
    cube: Cube, file: Path, open_page: Callable[..., Any], name: str
) -> None:
    page = open_page(file, tail="#player=Ada")
    settled(page)
    data, names, colours = page.evaluate(
        """(name) => {
          const { data, layout } = document.getElementById(`figure-${name}`);
          return [data, layout.yaxis.ticktext, palette()];
        }""",
        name,
    )
    labels = list(dict.fromkeys(row.label for row in rows_of(cube, QUESTIONS[name])))
    assert "Ada" in labels
    assert len(labels) > 1
    people = [next(label for label in labels if label in text) for text in names]
    assert sorted(people) == sorted(labels)
    for person, text in zip(people, names, strict=True):
        assert (f"color:{colours['ink3']}" in text) == (person != "Ada")
    panels = max(1, len(QUESTIONS[name].panels))
    marks = [trace for trace in data if trace["marker"].get("size", 0) > 1 and "hovertext" in trace]
    dashes = [trace for trace in data if trace["marker"].get("symbol") == "line-ns"]
    assert len(dashes) == panels
    assert len(marks) == panels
    for trace in marks:
        for place, colour in zip(trace["y"], trace["marker"]["line"]["color"], strict=True):
            assert (colour == colours["dim"]) == (people[place] != "Ada")
    # So are their intervals.
    spreads = [trace for trace in data if trace not in marks and trace not in dashes]
    for trace in spreads:
        assert (trace["error_x"]["color"] == colours["dim"]) == (len(trace["y"]) > 1)
        assert ("Ada" in {people[place] for place in trace["y"]}) == (
            trace["error_x"]["color"] == colours["ink3"]
        )
    page = open_page(file)
    settled(page)
    whole = page.evaluate("(name) => document.getElementById(`figure-${name}`).data", name)
    assert colours["dim"] not in json.dumps(whole)


@pytest.mark.parametrize(
    "filters", [FILTERS[0], *(pytest.param(one, marks=pytest.mark.heavy) for one in FILTERS[4::4])]
)
def test_what_is_shown_is_what_the_scripts_say(
    cube: Cube, file: Path, open_page: Callable[..., Any], filters: dict[str, Any]
) -> None:
    """A figure is drawn of the rows that the filters leave, and its sentence is on the page."""
    tail = "#" + "&".join(f"{name}={value}" for name, value in filters.items())
    page = open_page(file, tail=tail)
    settled(page)
    games = sum(cube.cells.row(cell)[3] for cell in cube.chosen(filters))
    claims, rows_by_name = judged_page(cube, filters)
    if games >= 20:
        assert (
            f"tests {claims.weighed} possible claims together and finds {claims.made} significant:"
            in page.inner_text("#claims")
        )
    player = filters.get("player")
    for name, question in QUESTIONS.items():
        scope = cube.scope(question)
        counted = run("ofPlayer", scope, player, False) if player and scope else ""
        assert page.text_content(f"#scope-{name}") == counted
        if question.rows == "list":
            continue
        rows = rows_by_name[name]
        few = f"Only {games} games: too few for a figure."
        said = "".join(sentence(question, rows, claims.level)) if games >= 20 else few
        assert page.inner_text(f"#lead-{name}") == said
        traces = page.evaluate(f"document.querySelector('#figure-{name}').data?.length ?? 0")
        chart = CHARTS[question.chart]
        drawn = filled(chart, question, rows, COLOURS, 900, claims.level) if games >= 20 else None
        assert traces == (len(drawn["data"]) if drawn else 0)

"""What stands in Python and in JavaScript: each figure and sentence is the same, whatever the filters."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from hanalyze.report.dashboard.build import made_dashboard
from hanalyze.report.dashboard.charts import CHARTS
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.figures import COLOURS
from hanalyze.report.dashboard.lists import listed
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.report.dashboard.twins.rates import Sum, estimate
from hanalyze.report.dashboard.twins.rows import Row, rows_of
from hanalyze.report.dashboard.twins.sentences import of_player, sentence
from hanalyze.report.dashboard.twins.slots import filled
from hanalyze.store import Database
from tests.browser.settled import settled
from tests.report.board import judged_page, make_read_database

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

FROM_PAGE = """([filters, colours, width]) => {
  Object.assign(state, filters);
  const asked = askedOf(state);
  const claims = claimsOf(asked);
  return [claims, DATA.questions.map((question) => {
    const { name } = question;
    if (question.rows === "list") return [name, listRows(question).map((row) => row.cells), "", null];
    const rows = judged(asked.find(([one]) => one === question)[1], claims);
    const figure = filled(DATA.charts[question.chart], question, rows, colours, width, claims.level);
    return [name, rows, sentenceOf(question, rows, claims.level), figure];
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
    "filters", [pytest.param(one, marks=[pytest.mark.heavy] * (n % 5 != 0)) for n, one in enumerate(FILTERS)]
)
def test_figures_and_sentences_are_those_of_python(
    cube: Cube, file: Path, open_page: Callable[..., Any], filters: dict[str, Any]
) -> None:
    page = open_page(file)
    settled(page)
    places = {"variant": cube.variants, "player": cube.players}
    chosen = {name: places[name].index(value) if name in places else value for name, value in filters.items()}
    claims, rows_by_name = judged_page(cube, filters)
    for width in (360, 1160):
        said_claims, shown = page.evaluate(FROM_PAGE, [NO_FILTER | chosen, COLOURS, width])
        assert differences(json.loads(json.dumps(asdict(claims))), said_claims) == []
        assert [name for name, *_ in shown] == list(QUESTIONS)
        for name, rows, said, figure in shown:
            question = QUESTIONS[name]
            if question.rows == "list":
                assert rows == listed(cube, question, filters)[1], name
                continue
            mine = rows_by_name[name]
            drawn = filled(CHARTS[question.chart], question, mine, COLOURS, width, claims.level)
            words = sentence(question, mine, claims.level)
            ours = json.loads(json.dumps([[_plain(row) for row in mine], words, drawn]))
            assert differences(ours, [rows, said, figure], name) == []


def _plain(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__}


def _curves(panel: str, slope: float) -> list[Row]:
    """Return a need that rises from 1 by `slope` a turn, and 1.3 achieved; both with intervals of 0.05."""
    return [
        Row(panel, str(turn), value, value - 0.05, value + 0.05, turn, 90, 90, "", False, False, series, 1, 2)
        for series in (0, 1)
        for turn in range(40)
        for value in [1.3 if series == 0 else 1 + slope * turn]
    ]


def test_where_curves_cross_an_arrow_says_so(file: Path, open_page: Callable[..., Any]) -> None:
    # 0.95 + 0.03 * turn is above 1.35 from turn 14; with 0.011 from turn 37, and with 0.001 never.
    question = QUESTIONS["efficiency"]
    slopes = zip(question.panels, (0.03, 0.011, 0.001), strict=True)
    rows = [row for panel, slope in slopes for row in _curves(panel, slope)]
    drawn = json.loads(json.dumps(filled(CHARTS["bands"], question, rows, COLOURS, 1160, 1.96)))
    arrows = [one for one in drawn["layout"]["annotations"] if one["showarrow"]]
    assert [one["visible"] for one in arrows] == [True, True, False]
    assert [one["text"].split(":")[0] for one in arrows] == ["turn 14", "turn 37", ""]
    assert [one["x"] for one in arrows[:2]] == [14, 37]
    assert [one["y"] for one in arrows[:2]] == pytest.approx([1.42, 1.407])
    # The words stand where the figure goes on.
    assert [one["ax"] > 0 for one in arrows[:2]] == [True, False]
    assert [one["xref"] for one in arrows] == ["x", "x2", "x3"]
    page = open_page(file)
    settled(page)
    shown = page.evaluate(
        """([rows, colours]) => {
          const question = DATA.questions.find((one) => one.name === "efficiency");
          return filled(DATA.charts.bands, question, rows, colours, 1160, 1.96);
        }""",
        [[_plain(row) for row in rows], COLOURS],
    )
    assert differences(drawn, shown) == []


def test_means_are_those_of_python(file: Path, open_page: Callable[..., Any]) -> None:
    usual = [float(number % 4) for number in range(40)]
    cases = [
        usual,
        usual[:20],
        usual[:19],  # too few games
        usual * 4,  # more degrees of freedom than the page has in its list
        [*usual, 17.0],
        [0.0] * 40 + [3.0] * 5,
        [0.0] * 40 + [3.0],  # rare losses
        [2.0] * 30,  # nothing varies
    ]
    sent, ours = [], []
    for values in cases:
        x, xx, n = sum(values), sum(one * one for one in values), len(values)
        every = Sum(n=n, x=x, y=n, xx=xx, xy=x, yy=n)
        sent.append(_plain(every))
        ours.append(list(estimate(every, share=False)))
    assert [low is None for _, low, _ in ours] == [number in (2, 7) for number in range(len(cases))]
    page = open_page(file)
    settled(page)
    theirs = page.evaluate("(cases) => cases.map((sums) => estimate(sums, false))", sent)
    for mine, other in zip(ours, theirs, strict=True):
        assert other == [None if value is None else pytest.approx(value, rel=1e-9) for value in mine]


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
        assert f"tests {claims.weighed} possible claims together and makes {claims.made}:" in page.inner_text(
            "#claims"
        )
    player = filters.get("player")
    for name, question in QUESTIONS.items():
        scope = cube.scope(question)
        counted = of_player(scope, player, shared=False) if player and scope else ""
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

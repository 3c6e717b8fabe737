"""The explorer's numbers: each answer of the page is the frame that Python gives for the same question."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanalyze.analysis import explore, explore_sql
from hanalyze.analysis.statistics.intervals import Sums, mean_below
from hanalyze.report.explore import sums
from hanalyze.report.explore.build import explore_page
from hanalyze.report.explore.sums import Size
from hanalyze.store import Database
from tests.browser.settled import settled
from tests.report.board import make_read_database

pytestmark = pytest.mark.browser

QUESTIONS = 40
SEED = 20261128
OTHERS = "~others"
"""The key of rare names that share a value of the page; Python keeps them apart."""

FIELDS = """(question) => answer(question).map((row) => ({
  keys: row.values.map((value, place) => {
    const name = question.by[place];
    const { kinds } = DATA.metrics.find((one) => one.name === question.metric);
    return (isLabel(name, { kinds }) ? kinds.keys : DATA.dimensions[name].keys)[value];
  }),
  x: row.x, y: row.y, games: row.games, value: row.value, low: row.low, high: row.high,
  other: row.other && { x: row.other.x, y: row.other.y, value: row.other.value, low: row.other.low },
  difference: row.difference,
}))"""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with make_read_database(tmp_path_factory.mktemp("board")) as made:
        yield made


@pytest.fixture(scope="module")
def file(db: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "explore.html"
    path.write_text(explore_page(db).text, "utf-8")
    return path


def drawn(header: dict[str, Any], choice: random.Random) -> dict[str, Any]:
    """Return a random question of a page, with values as numbers."""
    metric = choice.choice(header["metrics"])
    names = [
        name for name in header["tables"][metric["table"]]["dimensions"] if name not in ("partner", "level")
    ]
    if "kinds" in metric:
        names.append(metric["kinds"]["dimension"])
    by = choice.sample(names, choice.choice((0, 1, 1, 2, 2)))
    where: dict[str, list[int]] = {}
    for name in choice.sample(names, choice.choice((0, 0, 1, 1, 2))):
        labelled = name in ("kind", "convention")
        known = metric["kinds"] if labelled else header["dimensions"][name]
        number = len(known["keys"]) - (known["keys"][-1] == OTHERS)
        where[name] = sorted(
            choice.sample(range(number), 1 if labelled else min(number, choice.choice((1, 2))))
        )
    versus = "others" if where and choice.random() < 0.5 else None
    if versus and set(where) <= {"kind", "convention"}:
        versus = None
    return {"metric": metric["name"], "by": by, "where": where, "versus": versus}


def python_values(header: dict[str, Any], question: dict[str, Any]) -> dict[str, list[str]]:
    """Return the filters of a question as Python takes them."""
    metric = next(one for one in header["metrics"] if one["name"] == question["metric"])
    found = {}
    for name, values in question["where"].items():
        known = metric["kinds"] if name in ("kind", "convention") else header["dimensions"][name]
        found[name] = [known["keys"][value] for value in values]
    return found


def key_of(row: dict[str, Any], name: str) -> str:
    """Return the key of a dimension, as it stands in the page, from a row of a frame."""
    return str(row["part"] if name in ("kind", "convention") else row[name])


def close(one: float | None, other: float | None, scale: float) -> bool:
    if one is None or other is None:
        return one is None and other is None
    return bool(np.isclose(one, other * scale, rtol=1e-6, atol=1e-7))


def test_answers_are_those_of_python(db: Database, file: Path, open_page: Callable[..., Any]) -> None:
    page = open_page(file)
    settled(page)
    header = page.evaluate("DATA")
    choice = random.Random(SEED)
    with_intervals = with_differences = 0
    for _ in range(QUESTIONS):
        question = drawn(header, choice)
        metric = next(one for one in header["metrics"] if one["name"] == question["metric"])
        scale = metric["scale"]
        shown = {
            tuple(row["keys"]): row
            for row in page.evaluate(FIELDS, question)
            if row["y"] > 0 and OTHERS not in row["keys"]
        }
        where = python_values(header, question)
        asked = (db, question["metric"], question["by"], where)
        frame = explore(*asked, versus=question["versus"])
        assert page.evaluate("(question) => sqlOf(question)", question) == explore_sql(
            *asked, versus=question["versus"]
        )
        known = {name: one["keys"] for name, one in header["dimensions"].items()}
        if "kinds" in metric:
            known[metric["kinds"]["dimension"]] = metric["kinds"]["keys"]
        mine = {}
        for row in frame.iter_rows(named=True):
            keys = tuple(key_of(row, name) for name in question["by"])
            # Python has the conventions and teams that are too rare for the page.
            if all(key in known[name] for key, name in zip(keys, question["by"], strict=True)):
                mine[keys] = row
        assert shown.keys() == mine.keys(), question
        differences = [row for row in shown.values() if row["difference"]]
        # The page's intervals of differences hold for all rows together, Python's for one row.
        for keys, row in shown.items():
            theirs = mine[keys]
            place = (question, keys)
            assert (row["x"], row["y"], row["games"]) == pytest.approx(
                (theirs["found"], theirs["opportunities"], theirs["games"])
            ), place
            for name in ("value", "low", "high"):
                assert close(row[name], theirs[name], scale), (name, row, theirs, place)
            with_intervals += row["low"] is not None
            if question["versus"]:
                other = row["other"]
                assert (other["x"], other["y"]) == pytest.approx(
                    (theirs["other_found"] or 0, theirs["other_opportunities"] or 0)
                ), place
                assert close(other["low"], theirs["other_low"], scale), place
            if row["difference"]:
                assert close(row["difference"]["value"], theirs["difference"], scale), place
                if len(differences) == 1:
                    assert close(row["difference"]["low"], theirs["difference_low"], scale), place
                    with_differences += 1
    assert with_intervals > QUESTIONS
    assert with_differences


@pytest.mark.parametrize("full", [(25,), (15, 25, 30)], ids=str)
def test_mean_scores_have_the_interval_of_python(
    file: Path, open_page: Callable[..., Any], full: tuple[int, ...]
) -> None:
    random = np.random.default_rng(SEED)
    most = random.choice(full, 80).astype(float)
    short = np.minimum(np.round(random.gamma(1, 2, 80)), most)
    sums = [Sums.of(values, np.ones(80)) for values in (most - short, short, most)]
    passed = [{"n": 80, "x": one.f, "y": one.o, "xx": one.ff, "xy": one.fo, "yy": one.oo} for one in sums]
    page = open_page(file)
    settled(page)
    assert page.evaluate("(sums) => meanBelow(...sums)", passed) == pytest.approx(mean_below(*sums, 80))


def test_random_groups_add_up_to_the_same(
    db: Database,
    file: Path,
    open_page: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counted in random groups of games, a page has the same rates; its intervals are much the same."""
    monkeypatch.setattr("hanalyze.report.explore.build.SIZES", (Size(20, 40, 12),))
    grouped = tmp_path / "grouped.html"
    grouped.write_text(explore_page(db).text, "utf-8")
    assert sums.SIZES[0].clusters == 0
    answers = []
    for path in (file, grouped):
        page = open_page(path)
        settled(page)
        answers.append(
            {
                name: page.evaluate(FIELDS, {"metric": name, "by": ["phase"], "where": {}, "versus": None})
                for name in ("discard", "misplays", "clue_share")
            }
        )
    for name, rows in answers[0].items():
        for row, other in zip(rows, answers[1][name], strict=True):
            assert [row[key] for key in ("keys", "x", "y", "games")] == [
                other[key] for key in ("keys", "x", "y", "games")
            ]
            assert row["value"] == pytest.approx(other["value"])
            width, other_width = (one["high"] - one["low"] for one in (row, other))
            assert 0.5 < other_width / width < 2

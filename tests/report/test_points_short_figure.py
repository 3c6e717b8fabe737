"""The figure has the numbers of `hanalyze.analysis.points_short`: from turns, from sums, with filters."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from hanalyze import sum_up
from hanalyze.agents import simulate
from hanalyze.analysis import points_short
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.store import Database, connect
from tests.report.figure_scripts import rows_of

SHOWN = {"Left unplayed at the end": "unplayed", "Forfeited by the ending": "forfeited"}
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"variant": "No Variant"},
    {"variant": "6 Suits"},
    {"player": "Ada"},
    {"player": "Bela"},
)


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    """Games of which some were lost by strikes: none of three players, nearly all of four."""
    choice = random.Random(4)
    with connect() as made:
        for number, (agent, variant, players, count) in enumerate(
            (
                ("cautious", "No Variant", 2, 45),
                ("random", "No Variant", 2, 3),
                ("cautious", "6 Suits", 3, 30),
                ("random", "No Variant", 4, 24),
                ("cautious", "No Variant", 4, 3),
            )
        ):
            records = simulate(agent, players=players, games=count, seed=70 + number, variant=variant)
            people = ("Ada", "Bela", "Chiara", "Daan", "Emre")
            made.add([replace(one, players=tuple(choice.sample(people, players))) for one in records], jobs=1)
        yield made


@pytest.fixture(scope="module", params=["turns", pytest.param("sums", marks=pytest.mark.heavy)])
def cube(request: pytest.FixtureRequest, db: Database) -> Iterator[Cube]:
    if request.param == "sums":
        sum_up(db)
    with Cube(db, from_sums=request.param == "sums") as made:
        assert made._source.stored is (request.param == "sums")
        yield made


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_the_page_says_what_losses_says(db: Database, cube: Cube, filters: dict[str, Any]) -> None:
    by = next(iter(filters), None)
    expected = {
        row["kind"]: row
        for row in points_short(db, by).iter_rows(named=True)
        if by is None or row[by] == filters[by]
    }
    shown = {row.label: row for row in rows_of(cube, QUESTIONS["points_short"], filters)}
    for label, kind in SHOWN.items():
        row, mine = expected[kind], shown[label]
        assert (mine.n, mine.x) == (row["games"], row["points"])
        assert mine.value == pytest.approx(row["per_game"])
        assert [mine.low, mine.high] == [pytest.approx(row["low"]), pytest.approx(row["high"])], kind
    if filters != {"players": 4}:  # three games were finished, 24 struck out
        unplayed = shown["Left unplayed at the end"]
        assert unplayed.low is not None
        assert unplayed.high is not None
        assert unplayed.low < (unplayed.value or 0) < unplayed.high

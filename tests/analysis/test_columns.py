"""Every frame of `hz.analysis` has exactly the columns that are declared for it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from hanalyze import analysis
from hanalyze.analysis.calibration import CALIBRATION_BY
from hanalyze.analysis.columns import FRAMES, GROUPS, schema
from hanalyze.analysis.effectiveness import CONVENTIONS_BY
from hanalyze.analysis.efficiency import CARDS_BY, CLUES_BY, CURVE_BY
from hanalyze.analysis.hindsight import HINDSIGHT_BY
from hanalyze.analysis.luck import LUCK_BY
from hanalyze.analysis.overview import OVERVIEW_BY
from hanalyze.analysis.rates import BY
from hanalyze.analysis.scores import SCORES_BY
from hanalyze.analysis.systems import SYSTEMS_BY
from hanalyze.store import Database
from tests.analysis.played import played

BY_OF: dict[str, tuple[str, ...]] = {
    "rates": BY,
    "family_rates": OVERVIEW_BY,
    "scores": SCORES_BY,
    "points_short": SCORES_BY,
    "wasted_tokens": SCORES_BY,
    "clue_values": CLUES_BY,
    "card_origins": CARDS_BY,
    "efficiency_curve": CURVE_BY,
    "system_guess": SYSTEMS_BY,
    "calibration": CALIBRATION_BY,
    "luck": LUCK_BY,
    "hindsight_losses": HINDSIGHT_BY,
}
COLUMNS_OF = {None: [], "partner": ["player", "partner"], "game": ["game_id", "game"]}


@functools.cache
def few() -> Database:
    """A few games for what works out chances of every card of every turn."""
    return analysis.example()


def declared(name: str, by: str | None) -> dict[str, pl.DataType]:
    return schema(name if name in FRAMES else "rates", COLUMNS_OF.get(by, [by or ""]))


@pytest.mark.parametrize(
    ("name", "by"),
    [
        pytest.param(name, by, marks=() if by in COLUMNS_OF else pytest.mark.heavy)
        for name in BY_OF
        for by in (None, *BY_OF[name])
        if by or name != "luck"
    ],
)
def test_of_each_grouping(name: str, by: str | None) -> None:
    function: Callable[..., pl.DataFrame] = getattr(analysis, name)
    db = few() if name == "calibration" else played()
    assert list(function(db, by=by).schema.items()) == list(declared(name, by).items())


@pytest.mark.parametrize(
    "by",
    [pytest.param(by, marks=() if by in COLUMNS_OF else pytest.mark.heavy) for by in (None, *OVERVIEW_BY)],
)
def test_of_an_overview(by: str | None) -> None:
    frame = analysis.overview(played(), by)
    expected = declared("overview", by)
    if by is not None and by not in SCORES_BY:
        of_games = ("games", "mean", "finished", "ended", "perfect")
        expected = {name: kind for name, kind in expected.items() if not name.startswith(of_games)}
    assert list(frame.schema.items()) == list(expected.items())


def test_of_a_comparison() -> None:
    frame = analysis.compare(played(), a="players=3", match=(), measure=["score"]).frame
    assert list(frame.schema.items()) == list(schema("compare").items())


@pytest.mark.heavy
def test_of_conventions() -> None:
    with analysis.example() as db:
        db.read_conventions()
        for by in (None, *CONVENTIONS_BY):
            groups = ["level"] if by == "level" else [*COLUMNS_OF.get(by, [by or ""]), "convention"]
            frame = analysis.convention_stats(db, by=by)
            assert list(frame.schema.items()) == list(schema("convention_stats", groups).items())
        for name in ("convention_coverage", "convention_effects", "experiment_effects", "detector_stats"):
            assert list(getattr(analysis, name)(db).schema.items()) == list(schema(name).items())


def test_every_frame_is_declared() -> None:
    returned: dict[str, Any] = {
        name: value.__annotations__.get("return")
        for name, value in vars(analysis).items()
        if inspect.isfunction(value) and value.__name__ == name  # no former name
    }
    frames = {name for name, kind in returned.items() if kind == "pl.DataFrame"}
    conventions = {"convention_coverage", "convention_effects", "convention_stats", "experiment_effects"}
    research = {"action_information", "action_matrix", "cross_play", "research_players", "research_scores"}
    research |= {"action_diversity", "dominated_moves", "hint_response", "misreadings", "note_accuracy"}
    deals = {"deal_results", "partings", "same_deal"}
    player = {"player_form", "player_positions", "player_rates"}
    assert frames - {"explore"} == {
        *BY_OF,
        "overview",
        "detector_stats",
        *conventions,
        *deals,
        *research,
        *player,
    }
    assert FRAMES.keys() - frames == {"compare"}
    for columns in (*FRAMES.values(), tuple(GROUPS.values())):
        assert len({column.name for column in columns}) == len(columns)
        assert all(column.meaning for column in columns)

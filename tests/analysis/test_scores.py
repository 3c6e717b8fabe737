"""Scores and where points went: tables worked by hand, slow twins, and an account that adds up."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import mean, median
from typing import Any

import polars as pl
import pytest

from hanalyze.analysis import family_rates, overview, points_short, rates, scores, share_interval
from hanalyze.analysis.scores import SCORES_BY
from hanalyze.errors import UnknownName
from tests.analysis import tables
from tests.analysis.played import games, played, rows, table_groups


def test_scores_by_hand() -> None:
    with tables.database(
        games=[
            tables.game(1, "Alice", "Bob", score=25),
            tables.game(2, "Alice", "Bob", score=10),
            tables.game(3, "Alice", "Bob", score=0, end_condition="strikeout"),
            tables.game(4, "Alice", "Bob", "Cathy", score=30, full_score=30),
        ],
        seats=[
            *(seat for number in (1, 2, 3) for seat in tables.seats(number, "Alice", "Bob")),
            *tables.seats(4, "Alice", "Bob", "Cathy"),
        ],
    ) as db:
        two, three = scores(db).to_dicts()
        assert (two["players"], two["games"], two["median"], two["perfect_games"]) == (2, 3, 10, 1)
        assert two["mean"] == pytest.approx(35 / 3)
        assert (two["mean_low"], two["mean_high"]) == (None, None)  # of three games
        assert two["perfect"] == pytest.approx(1 / 3)
        assert (two["perfect_low"], two["perfect_high"]) == pytest.approx(share_interval([1, 0, 0], [1] * 3))
        assert two["ended_normal"] == pytest.approx(2 / 3)
        assert two["ended_strikeout"] == pytest.approx(1 / 3)
        third = pytest.approx(share_interval([1, 0, 0], [1, 1, 1]))
        assert (two["strikeout_low"], two["strikeout_high"]) == third
        # Of the games that were not lost there is a mean of their own.
        assert (two["finished_games"], two["finished"]) == (2, 17.5)
        # One game has a mean, and no interval for it.
        assert (three["mean"], three["mean_low"], three["mean_high"]) == (30, None, None)
        assert (three["perfect"], three["perfect_high"]) == (1, 1)
        by_player = scores(db, "player").select("player", "games", "perfect_games").rows()
        assert by_player == [("Alice", 4, 2), ("Bob", 4, 2), ("Cathy", 1, 1)]
        pairs = scores(db, "partner").select("player", "partner", "games").rows()
        assert len(pairs) == 6
        assert ("Bob", "Alice", 4) in pairs


@pytest.mark.parametrize("by", [None, *SCORES_BY])
def test_the_slow_twin_of_scores(by: str | None) -> None:
    found: dict[Any, list[Any]] = defaultdict(list)
    for game in games().values():
        for group in table_groups(game, by):
            found[group].append(game)
    frame = scores(played(), by)
    width = {None: 0, "partner": 2}.get(by, 1)
    assert {row[:width] for row in frame.iter_rows()} == set(found)
    for row in frame.iter_rows(named=True):
        those = found[tuple(row.values())[:width]]
        points = [game["score"] for game in those]
        assert (row["games"], row["median"]) == (len(those), median(points))
        assert row["mean"] == pytest.approx(mean(points))
        assert row["perfect_games"] == sum(game["band"] == "perfect" for game in those)
        ended = {name: share for name, share in row.items() if name.startswith("ended_")}
        assert sum(ended.values()) == pytest.approx(1)
        for name, share in ended.items():
            ends = [game["end_condition"] == name.removeprefix("ended_") for game in those]
            assert share == pytest.approx(mean(ends))
        if row["mean_low"] is not None:
            assert row["mean_low"] <= row["mean"] <= row["mean_high"]


def test_losses_by_hand(tmp_path: Path) -> None:
    # Game 1: a point by a slip, two by one that could not be known, 22 possible of which 20 were played and
    # then lost with the game. Game 2: nothing was lost, five were not played.
    with tables.database(
        games=[
            tables.game(1, "Alice", "Bob", score=0, raw_score=20, max_score=22),
            tables.game(2, "Alice", "Cathy", score=20, raw_score=20, max_score=25),
        ],
        seats=[*tables.seats(1, "Alice", "Bob"), *tables.seats(2, "Alice", "Cathy")],
        turns=[*tables.turns(1, "mnf"), *tables.turns(2, "ppp")],
    ) as db:
        folder = tables.definitions(tmp_path)
        # Ours would count the same points once more.
        (folder / "misplay.sql").write_text(tables.SLIP.replace("result = 'misplayed'", "false"))
        columns = ["kind", "games", "points", "per_game"]
        assert points_short(db, None, folder=folder).select(columns).rows() == [
            ("slip", 2, 3, 1.5),
            ("forfeited", 2, 20, 10.0),
            ("unplayed", 2, 7, 3.5),
        ]
        by_player = points_short(db, "player", folder=folder).select("player", *columns).rows()
        assert [row for row in by_player if row[0] == "Cathy"] == [
            ("Cathy", "slip", 1, 0, 0),
            ("Cathy", "forfeited", 1, 0, 0),
            ("Cathy", "unplayed", 1, 5, 5.0),
        ]


@pytest.mark.parametrize("by", [None, *SCORES_BY])
def test_losses_add_up(by: str | None) -> None:
    lost: dict[Any, int] = defaultdict(int)
    count: dict[Any, int] = defaultdict(int)
    for game in games().values():
        for group in table_groups(game, by):
            lost[group] += game["full_score"] - game["score"]
            count[group] += 1
    frame = points_short(played(), by)
    width = {None: 0, "partner": 2}.get(by, 1)
    points: dict[Any, int] = defaultdict(int)
    for row in frame.iter_rows(named=True):
        group = tuple(row.values())[:width]
        points[group] += row["points"]
        assert row["games"] == count[group]
        assert row["per_game"] == pytest.approx(row["points"] / row["games"])
    assert points == lost


def test_losses_are_the_points_of_the_mistakes() -> None:
    points: dict[str, int] = defaultdict(int)
    for row in rows("SELECT * FROM mistakes"):
        points[row["kind"]] += row["points"]
    frame = points_short(played(), None)
    got = dict(frame.select("kind", "points").rows())
    assert {kind: number for kind, number in points.items() if number} == {
        kind: number for kind, number in got.items() if kind not in ("forfeited", "unplayed")
    }
    assert list(got)[-2:] == ["forfeited", "unplayed"]


@pytest.mark.parametrize("by", [None, "player", "partner", "turn", "score"])
def test_the_overview_is_its_parts(by: str | None) -> None:
    frame = overview(played(), by, minimum=5)
    groups = {None: [], "partner": ["player", "partner"]}.get(by, [by])
    assert frame.select(groups).is_duplicated().sum() == 0 if groups else frame.height == 1
    families = family_rates(played(), by=by, minimum=5)
    for family in ("discard", "play", "clue"):
        mine = families.filter(pl.col("kind") == family).select(*groups, "rate", "low", "high")
        theirs = frame.select(*groups, family, f"{family}_low", f"{family}_high")
        expected = {row[:-3]: row[-3:] for row in mine.iter_rows()}
        for row in theirs.iter_rows():
            assert row[-3:] == expected.get(row[:-3], (None, None, None))
    if by is None or by in SCORES_BY:
        columns = ["games", "mean", "mean_low", "mean_high", "perfect", "perfect_low", "perfect_high"]
        assert frame.select(*groups, *columns).equals(scores(played(), by).select(*groups, *columns))
    else:
        assert "games" not in frame.columns


def test_unknown_groupings() -> None:
    with pytest.raises(UnknownName):
        scores(played(), "turn")
    with pytest.raises(UnknownName):
        points_short(played(), "phase")
    with pytest.raises(UnknownName):
        overview(played(), "severity")


def test_an_empty_database() -> None:
    with tables.database() as db:
        assert scores(db).height == scores(db, None).height == points_short(db).height == 0
        assert overview(db).height == overview(db, "player").height == overview(db, "turn").height == 0
        assert rates(db, by=None).height == 0


@pytest.mark.parametrize(
    "by",
    [
        pytest.param(by, marks=() if by in ("player", "partner", "variant") else pytest.mark.heavy)
        for by in SCORES_BY
    ],
)
def test_a_single_game_has_a_mean_and_nothing_to_differ_from(by: str) -> None:
    with tables.database(
        games=[tables.game(1, "Alice", "Bob", score=20)], seats=tables.seats(1, "Alice", "Bob")
    ) as db:
        for row in scores(db, by).to_dicts():
            assert (row["games"], row["mean"], row["median"]) == (1, 20, 20)
            assert [row[name] for name in ("mean_low", "mean_high", "p_value", "q_value")] == [None] * 4
        for row in overview(db, by).to_dicts():
            assert (row["games"], row["mean"], row["discard"]) == (1, 20, None)


def test_the_overview_of_games_without_a_decision() -> None:
    """A game of which nothing was played has a score, and no rate of anything."""
    with tables.database(
        games=[tables.game(1, "Alice", "Bob", score=0)], seats=tables.seats(1, "Alice", "Bob")
    ) as db:
        [row] = overview(db).to_dicts()
        assert (row["games"], row["mean"]) == (1, 0)
        assert [row[family] for family in ("discard", "play", "clue")] == [None] * 3

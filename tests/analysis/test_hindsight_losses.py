"""Points lost with all cards open: counted by hand, and by rows of the tables, group by group."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl
import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.analysis import share_interval
from hanalyze.analysis.columns import FRAMES, schema
from hanalyze.analysis.hindsight import HINDSIGHT_BY, hindsight_losses
from hanalyze.errors import UnknownName
from tests.building import game

# Alice discards the only r5, and nothing else is lost; in the other game nothing is.
LOST = game("clue 1 1, clue 0 1, discard 4", "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4", seed="lost")
FINE = game("play 0", "b1", seed="fine")


@pytest.fixture(scope="module")
def solved() -> Iterator[hz.Database]:
    with hz.connect() as db:
        for players in (2, 3):
            db.add(simulate("cautious", players=players, games=12, seed=5))
        db.solve(nodes=300)
        yield db


def test_two_games_worked_by_hand() -> None:
    with hz.connect() as db:
        db.add([LOST, FINE])
        db.solve(nodes=300)
        rows = {row["split"]: row for row in hindsight_losses(db).rows(named=True)}
        by_player = {row["player"]: row for row in hindsight_losses(db, "player").rows(named=True)}
    assert {split: row["part"] for split, row in rows.items()} == {
        "all": "all",
        "cause": "cards",
        "kind": "discard",
        "phase": "early",
    }
    for row in rows.values():
        assert (row["games"], row["moves"], row["points"]) == (2, 1, 1)
        assert (row["per_game"], row["share"]) == (0.5, 1.0)
    interval = share_interval([0, 0], [1, 1])
    assert rows["all"]["impossible"] == 0
    assert rows["all"]["impossible_high"] == pytest.approx(interval.high)
    assert rows["all"]["open"] == 0
    assert rows["cause"]["impossible"] is None
    assert (by_player["Alice"]["points"], by_player["Bob"]["points"]) == (1, 0)
    assert by_player["Bob"]["games"] == 2
    assert by_player["Bob"]["share"] is None


@pytest.mark.heavy
def test_parts_add_up_to_all(solved: hz.Database) -> None:
    losses = solved.losses()
    assert losses.height > 20
    for by in (None, *HINDSIGHT_BY):
        frame = hindsight_losses(solved, by)
        groups = frame.columns[: -len(FRAMES["hindsight_losses"])]
        for of_group in frame.partition_by(groups) if groups else [frame]:
            points = dict(of_group.group_by("split").agg(pl.col("points").sum()).rows())
            assert points["all"] == points.get("cause", 0) == points.get("kind", 0) == points.get("phase", 0)
        if by != "partner":
            assert frame.filter(pl.col("split") == "all")["points"].sum() == losses["points"].sum()
    rows = dict(hindsight_losses(solved).filter(pl.col("split") == "cause").select("part", "moves").rows())
    counted = losses.group_by(pl.col("cause").cast(pl.String)).len()
    assert rows == dict(counted.rows())


def test_who_lost_them(solved: hz.Database) -> None:
    query = """SELECT s.player, sum(l.points)::BIGINT FROM losses l
        JOIN seats s ON s.game_id = l.game_id AND s.seat = l.seat GROUP BY ALL"""
    frame = hindsight_losses(solved, "player").filter(pl.col("split") == "all")
    assert dict(frame.select("player", "points").rows()) == dict(solved.sql(query).rows())
    games = dict(solved.sql("SELECT player, count(*) FROM seats GROUP BY player").rows())
    assert dict(frame.select("player", "games").rows()) == games


def test_before_anything_was_solved() -> None:
    with hz.connect() as db:
        db.add([LOST])
        assert hindsight_losses(db, "player").schema == pl.Schema(schema("hindsight_losses", ["player"]))
        assert hindsight_losses(db).is_empty()
        with pytest.raises(UnknownName):
            hindsight_losses(db, "turn")

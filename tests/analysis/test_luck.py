"""Luck against a direct computation over the chances of each game, and held against chance itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.analysis import luck
from hanalyze.chances import game_chances
from hanalyze.errors import UnknownName
from hanalyze.store import Database

CHARGED = "charged_turn < turn"
"""Condition of the mistakes whose points are charged to an earlier move."""


@pytest.fixture(scope="module")
def few() -> Iterator[Database]:
    """Yield a database of five games, too few to set chances right by."""
    with hz.connect() as db:
        db.add(simulate("conventional", players=3, games=5, seed=2, fast=False))
        db.read_conventions()
        yield db


@pytest.mark.heavy
def test_against_the_chances_of_each_game(few: Database) -> None:
    counted = {"last_copy": 0, "misplay": 0, "points": 0}
    expected = {"last_copy": 0.0, "misplay": 0.0}
    charged = set(few.sql(f"SELECT game, turn FROM mistakes WHERE {CHARGED}").rows())
    for record in simulate("conventional", players=3, games=5, seed=2, fast=False):
        replayed = hz.replay(record)
        rows = list(replayed.facts())
        for turn in game_chances(record):
            [odds] = [card.by_act for card in turn.cards if card.by_act] or [None]
            if odds is None:
                continue
            row = rows[turn.turn]
            fell = row["max_score_before"] - row["max_score_after"]
            if (record.name, turn.turn) in charged:
                fell = 0
            if odds.playable is not None:
                expected["misplay"] += 1 - odds.playable
                counted["misplay"] += row["result"] == "misplayed"
                counted["points"] += fell if row["result"] == "misplayed" else 0
            else:
                assert odds.critical is not None
                expected["last_copy"] += odds.critical
                counted["last_copy"] += fell > 0
                counted["points"] += fell
    found = {row["risk"]: row for row in luck(few, "players").to_dicts()}
    assert {name: row["counted"] for name, row in found.items()} == counted
    for name, value in expected.items():
        row = found[name]
        assert row["expected"] == pytest.approx(value, abs=1e-4)
        assert row["luck"] == pytest.approx((value - counted[name]) / 5, abs=1e-4)
        # Of so few games there is no interval.
        assert row["luck_low"] is row["luck_high"] is None
        assert (row["method"], row["games"]) == ("shipped", 5)
    assert found["points"]["corpus"].startswith("111 ")


@pytest.mark.heavy
def test_the_games_add_up(few: Database) -> None:
    whole = {row["risk"]: row for row in luck(few, "players").to_dicts()}
    for by in ("game", "player", "turn", "seat"):
        for loss, row in whole.items():
            parts = [part for part in luck(few, by).to_dicts() if part["risk"] == loss]
            for name in ("decisions", "counted", "expected"):
                assert sum(part[name] for part in parts) == pytest.approx(row[name]), (by, loss, name)
    by_game = [row for row in luck(few, "game").to_dicts() if row["risk"] == "points"]
    elsewhere = f"(game_id, turn) IN (SELECT (game_id, turn) FROM mistakes WHERE {CHARGED})"
    lost = f"CASE WHEN result = 'played' OR {elsewhere} THEN 0 ELSE max_score_before - max_score_after END"
    judged = "FROM decisions WHERE act_points IS NOT NULL GROUP BY game_id"
    games = few.sql(f"SELECT game_id, sum(act_points - {lost}) AS luck {judged}").to_dicts()
    assert {row["game_id"]: pytest.approx(row["luck"], abs=1e-4) for row in games} == {
        row["game_id"]: row["luck"] for row in by_game
    }


def test_points_are_what_the_score_cannot_reach_any_more(few: Database) -> None:
    """Points that are charged to an earlier move, such as a missed save, are no bad luck."""
    charged = f"(SELECT DISTINCT game_id, turn FROM mistakes WHERE {CHARGED})"
    elsewhere = (
        f"SELECT sum(max_score_before - max_score_after) FROM turns JOIN {charged} USING (game_id, turn)"
    )
    query = f"SELECT sum(full_score - max_score) - coalesce(({elsewhere}), 0) FROM games"
    [row] = [row for row in luck(few, "players").to_dicts() if row["risk"] == "points"]
    assert row["counted"] == few.sql(query).item()


@pytest.mark.heavy
def test_chances_are_set_right_by_other_games() -> None:
    """What players of another kind risk is expected within three standard errors, and not without."""
    with hz.connect() as db:
        db.add(simulate("cautious", players=3, games=40, seed=11, fast=False))
        db.read_conventions()
        db.connection.execute(
            "UPDATE chances SET act_critical = act_critical * 0.2 WHERE act_critical > 0 AND act_critical < 1"
        )
        [row] = [row for row in luck(db, "players").to_dicts() if row["risk"] == "last_copy"]
        shipped = db.sql("SELECT sum(act_critical) FROM chances").item()
    assert row["method"] == "adjusted"
    error = 3 * math.sqrt(row["expected"])
    assert abs(row["expected"] - row["counted"]) < error
    assert abs(shipped - row["counted"]) > error


def test_games_that_were_not_read_have_no_luck() -> None:
    with hz.connect() as db:
        db.add(simulate("cautious", players=2, games=1, seed=1, fast=False))
        assert luck(db, "player").is_empty()
        with pytest.raises(UnknownName):
            luck(db, "rank")
        nothing: Any = None
        with pytest.raises(UnknownName, match="one of: game, player"):
            luck(db, nothing)

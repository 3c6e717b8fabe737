"""Blame and better moves by chances: those of the state model, on both sides of a comparison.

In: logs judged by hand, whose chances are put into the database, and simulated games. Out: that moves are
judged by these chances where there are any, by card counting where not, and never by the act layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.chances.model import load_model
from hanalyze.store import Database
from hanalyze.store.wording import worded
from tests.cases.positions import Log, record

pytest.importorskip("duckdb", reason="mistakes are found by DuckDB")

Row = dict[str, Any]

BLACK = Log(2, "R+B+Bk", "", "", "r2 b4 k3 r4 b3 k2 r1 b3 r4 b4", "c1:2 d5")
"""A clued 2 is discarded, k2; one r2 and both b2 are unseen besides: critical with 1 of 4."""


def _of(db: Database, kind: str) -> list[Row]:
    return db.sql(f"SELECT * FROM mistakes WHERE kind = '{kind}' ORDER BY game_id, turn").to_dicts()


def _with(chances: str, log: Log = BLACK, turn: int = 1) -> Database:
    """Return a database with one game, read for conventions, the chances of a turn put in by hand."""
    db = hz.connect()
    db.add([record(log, 0)])
    db.read_conventions()
    db.connection.execute(f"UPDATE chances SET {chances} WHERE turn = {turn}")
    return db


def test_a_game_that_was_not_read_is_judged_by_the_cards_alone() -> None:
    with hz.connect() as db:
        db.add([record(BLACK, 0)])
        [row] = _of(db, "discard_last_copy")
        assert row["severity"] == "gamble"
        assert (
            worded(row)[0]
            == "discarded k2 from slot 5, the last copy; 25% likely to be critical; 3 possibilities"
        )
        names = "p_critical_in_games, p_playable_in_games, p_trash_in_games, model, act_points"
        assert set(db.sql(f"SELECT {names} FROM decisions").row(1)) == {None}
        assert db.sql("SELECT count(better_model) FROM better_moves").item() == 0


@pytest.mark.parametrize(
    ("chance", "severity", "said"),
    [(0.08, "could_not_know", "8%"), (0.3, "gamble", "30%"), (0.74, "could_tell", "about 70%")],
)
def test_last_copies_are_judged_by_the_state_model(chance: float, severity: str, said: str) -> None:
    """Of clued cards 88 had 70 to 80 %: too few for two digits; of the others more than 100."""
    with _with(f"critical = [0, 0, 0, 0, {chance}, NULL]") as db:
        [row] = _of(db, "discard_last_copy")
        assert row["severity"] == severity
        assert worded(row)[0] == (
            f"discarded k2 from slot 5, the last copy; {said} likely to be critical"
            " (25% by card counting); 3 possibilities"
        )


def test_what_is_certain_stays_certain() -> None:
    known = BLACK.__class__(2, "R+B+Bk", "", "", "r2 r2 b2 b2 b3 k2 r1 b3 r4 b4", "c1:2 d5")
    with hz.connect() as db:
        db.add([record(known, 0)])
        db.read_conventions()
        [row] = _of(db, "discard_last_copy")
        assert row["severity"] == "knew"
        assert "100% likely to be critical; 1 possibility" in worded(row)[0]
        assert "in games" not in worded(row)[0]


RED = Log(2, "No Variant", "", "", "g2 y4 g3 b4 r3 r1 y1 g1 b2 p3", "c1:r d5")
ONES = Log(2, "No Variant", "", "", "r1 y4 g3 b4 r3 y1 r2 g2 b2 p3", "p5 c0:3 c1:1 d5")


@pytest.mark.parametrize(
    ("log", "odds", "chance", "kinds", "comment"),
    [
        (RED, 3 / 9, 0.95, [], "3 r1, 2 of r2 to r4 but r3, r5: not likely by the cards"),
        (ONES, 12 / 13, 0.59, [], "1 of r1 does not fit, 12 others do; but not in games like this"),
        (ONES, 12 / 13, 0.61, ["could_tell"], "likely by the cards and in games like this"),
    ],
)
def test_a_playable_card_is_one_from_60_per_cent_on(
    log: Log, odds: float, chance: float, kinds: list[str], comment: str
) -> None:
    turn = log.actions.split().index("d5")
    with _with(f"playable = [0, 0, 0, 0, {chance}, NULL]", log, turn) as db:
        found = db.sql("SELECT p_playable FROM decisions WHERE result = 'discarded'").item()
        assert found == pytest.approx(odds), comment
        said = f"SELECT severity FROM mistakes WHERE turn = {turn} AND evidence LIKE '%p_playable%'"
        assert db.sql(said)["severity"].to_list() == kinds, comment


@pytest.fixture(scope="module")
def games() -> Iterator[Database]:
    """Yield a database of games with many kinds of mistakes, read for conventions."""
    with hz.connect() as db:
        db.add(simulate("random", players=3, games=6, seed=3, fast=False))
        db.add(simulate("cautious", players=3, games=14, seed=3, fast=False))
        db.read_conventions()
        yield db


@pytest.mark.heavy
def test_both_sides_of_a_comparison_are_by_the_same_model(games: Database) -> None:
    rows = games.sql(
        """SELECT b.better_chance, b.better_model, b.better_slot, d.critical_in_games AS hand, d.slot,
            d.result, d.clued, d.p_critical_in_games AS own, d.model,
            d.p_critical_in_games - d.p_playable_in_games AS own_of_play
        FROM better_moves b JOIN decisions d USING (game_id, turn)
        WHERE b.better_kind = 'discard' AND b.better_value IS NULL"""
    ).to_dicts()
    assert len(rows) > 20
    assert any(row["result"] == "discarded" for row in rows)
    for row in rows:
        assert row["better_chance"] == row["hand"][row["better_slot"] - 1]
        risk = row["own"] if row["result"] == "discarded" else row["own_of_play"]
        passed = row["result"] == "discarded" and not row["clued"] and row["slot"] > row["better_slot"]
        assert passed or row["better_chance"] <= max(0.1, (risk or 0) / 2) + 1e-7
        assert row["better_model"] == (row["model"] if row["better_chance"] > 0 else None)
        if row["result"] == "discarded":
            assert row["own"] == row["hand"][row["slot"] - 1] > row["better_chance"]


def test_the_act_layer_judges_nothing(games: Database) -> None:
    before = games.sql("SELECT * FROM mistakes ORDER BY ALL")
    games.connection.execute("BEGIN")
    games.connection.execute(
        "UPDATE chances SET act_playable = 0.5, act_critical = 0.5, act_trash = 0.5, act_points = 1"
    )
    games.prepare()
    after = games.sql("SELECT * FROM mistakes ORDER BY ALL", temporary=True)
    games.connection.execute("ROLLBACK")
    assert before.height > 100
    names = [name for name in after.columns if name in before.columns]
    assert before.select(names).sort(names).equals(after.select(names).sort(names))


def test_plays_of_unclued_cards_are_no_gambles(games: Database) -> None:
    query = """SELECT m.severity, d.clued, m.evidence FROM mistakes m JOIN decisions d USING (game_id, turn)
        WHERE m.kind = 'misplay'"""
    rows = games.sql(query).to_dicts()
    blind = [row for row in rows if not row["clued"]]
    assert len(blind) >= 8
    assert "gamble" not in {row["severity"] for row in blind}
    for row in blind:
        if "likely to be playable" in row["evidence"]:
            assert "by card counting" in row["evidence"]
            assert "in_games" not in row["evidence"]
    assert "gamble" in {row["severity"] for row in rows if row["clued"]}


def test_advice_of_a_discard_never_needs_to_be_rough() -> None:
    """It is at most 10 %, and every shipped model saw many such cards."""
    for name in ("real", "conventional", "cautious"):
        for fit in load_model(name).fits.values():
            assert fit.state_rows[:, 0, 0].sum() >= 100


def test_no_card_of_a_locked_hand_is_the_chop() -> None:
    locked = Log(2, "No Variant", "", "", "g2 y4 g3 b4 y3 r1 r2 r3 r4 r5", "c1:r p1")
    with hz.connect() as db:
        db.add([record(locked, 0)])
        assert db.sql("SELECT locked, place FROM decisions WHERE turn = 1").row(0) == (True, "clued")

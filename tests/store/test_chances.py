"""The table `chances`: the same numbers as for one game, and the model that suits the games."""

from __future__ import annotations

import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.chances import game_chances
from hanalyze.chances.model import read_hand_cards
from hanalyze.chances.model_choice import closest_model
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.store.conventions import choose_model
from hanalyze.tables.chances import SLOTS, TARGETS
from tests.building import game

DECK = "g4 b3 p2 p2 p4 r1 y1 g2 b4 b5"


def test_chances_are_those_of_the_game() -> None:
    record = next(iter(simulate("conventional", players=4, seed=8, fast=False)))
    with hz.connect() as db:
        db.add([record])
        db.read_conventions()
        stored = db.sql("SELECT * FROM chances ORDER BY turn").to_dicts()
        assert db.sql("SELECT chances FROM convention_games").item() == "real"
    turns = game_chances(record)
    assert [row["turn"] for row in stored] == [turn.turn for turn in turns]
    acted = 0
    for row, turn in zip(stored, turns, strict=True):
        for number, target in enumerate(TARGETS):
            slots = [card.by_model[number] for card in turn.cards]
            # They are stored to a thousandth, and what is not certain is neither 0 nor 1.
            assert row[target] == pytest.approx([*slots, *[None] * (SLOTS - len(slots))], abs=0.0010001)
            assert [one in (0, 1) for one in row[target]] == [
                *(one in (0, 1) for one in slots),
                *[False] * (SLOTS - len(slots)),
            ]
            [said] = [card.by_act[number] for card in turn.cards if card.by_act] or [None]
            assert row[f"act_{target}"] == pytest.approx(said, abs=1e-6)
            acted += said is not None
    assert acted > 10


def test_a_query_asks_for_a_slot() -> None:
    with hz.connect() as db:
        db.add([game("clue 1 1, play 5, discard 0", DECK)])
        db.read_conventions()
        query = """SELECT t.slot, c.critical[t.slot] AS critical, c.playable[t.slot] AS playable,
                c.act_critical
            FROM turns t JOIN chances c USING (game_id, turn) WHERE t.turn > 0 ORDER BY t.turn"""
        play, discard = db.sql(query).to_dicts()
        assert (play["slot"], play["playable"], play["act_critical"]) == (5, 1.0, None)
        assert discard["slot"] == 5
        assert 0 < discard["act_critical"] < discard["critical"] < 0.2
        assert db.table("chances")["critical"].dtype.shape == (SLOTS,)  # type: ignore[attr-defined]


def test_the_games_choose_the_model_and_later_ones_keep_it() -> None:
    with hz.connect() as db:
        db.add(simulate("cautious", players=3, games=12, seed=1, fast=False))
        db.read_conventions()
        db.add(simulate("conventional", players=3, games=2, seed=1, fast=False))
        assert db.read_conventions().games == 2
        names = db.sql("SELECT chances, count(*) AS games FROM convention_games GROUP BY chances").rows()
        assert names == [("cautious", 14)]


@pytest.mark.heavy
def test_too_few_games_choose_no_model_for_those_to_come() -> None:
    with hz.connect() as db:
        db.add(simulate("cautious", players=3, games=3, seed=1, fast=False))
        db.read_conventions()
        db.add(simulate("cautious", players=3, games=12, seed=20, fast=False))
        db.read_conventions()
        names = db.sql("SELECT chances, count(*) FROM convention_games GROUP BY chances ORDER BY 1").rows()
        assert names == [("cautious", 12), ("real", 3)]


def test_another_level_reads_chances_anew() -> None:
    with hz.connect() as db:
        db.add(simulate("cautious", players=3, games=2, seed=1, fast=False))
        db.read_conventions(3)
        turns = db.count("turns")
        assert db.count("chances") == turns
        db.read_conventions(11)
        assert db.count("chances") == turns


def test_without_conventions_the_context_chooses() -> None:
    records = simulate("cautious", players=2, games=10, seed=5, variant="Duck (5 Suits)", fast=False)
    batch = make_batch(deal_records(records))
    # Clues say nothing there; so messages are left out of the losses, too.
    losses = closest_model(read_hand_cards(batch, fast=False), "context")[1]
    assert choose_model(batch, 25, False) == min(losses, key=losses.__getitem__)

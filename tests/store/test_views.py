"""Views beside the tables: masks as lists of words, names beside numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hanalyze.game.cards import card_name, cards_in
from hanalyze.game.meanings import Convention, Reason
from hanalyze.store import Database, connect
from hanalyze.store.schema import VIEWS
from tests.store.logs import games

SAMPLES = Path(__file__).parents[2] / "sample_logs"


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    with connect() as opened:
        opened.add(games(3, agent="random"))
        opened.ingest(SAMPLES / "game.json")
        opened.read_conventions()
        yield opened


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_found(db: Database, view: str) -> None:
    columns = db.sql(f"SELECT * FROM {view.upper()} LIMIT 1").columns
    assert view == "findings" or "game" in columns
    assert columns[0] == "game_id" or {"game", "player"} <= set(columns)


def test_slots_are_listed(db: Database) -> None:
    masks = db.sql("SELECT touched_slots FROM turns ORDER BY game_id, turn")["touched_slots"]
    lists = db.sql("SELECT touched_slots FROM turns_in_words ORDER BY game_id, turn")["touched_slots"]
    assert None in masks.to_list()
    for mask, slots in zip(masks, lists.to_list(), strict=True):
        assert slots == (None if mask is None else [slot for slot in range(1, 9) if mask >> slot - 1 & 1])


def test_findings_are_listed(db: Database) -> None:
    columns = "seats, readings, reasons"
    masks = db.sql(f"SELECT {columns} FROM findings ORDER BY game_id, turn, number").rows()
    lists = db.sql(f"SELECT {columns}, game_id FROM findings_in_words ORDER BY game_id, turn, number").rows()
    names = dict(db.sql("SELECT game_id, names FROM game_names").rows())
    for (seats, readings, reasons), (players, cards, words, game) in zip(masks, lists, strict=True):
        assert players == [name for seat, name in enumerate(names[game]) if seats >> seat & 1]
        assert cards == [card_name(card, "rygbp") for card in cards_in(readings)]
        assert words == [reason.label for reason in Reason.among(reasons)]
    assert any(len(words) > 1 for _, _, words, _ in lists)


def test_opportunities_are_listed(db: Database) -> None:
    order = "ORDER BY game_id, turn"
    masks = db.sql(f"SELECT available, available_more FROM convention_opportunities {order}").rows()
    lists = db.sql(f"SELECT available, available_more FROM opportunities_in_words {order}").rows()
    assert [low + more for low, more in lists] == [
        [one.label for one in Convention if (low | more << 63) >> one & 1] for low, more in masks
    ]


def test_names_stand_beside_numbers(db: Database) -> None:
    named = "SELECT DISTINCT game, seat, player FROM {} WHERE game = 'p3v0s7' ORDER BY seat"
    told = [("p3v0s7", seat, name) for seat, name in enumerate(("Alice", "Bob", "Cathy"))]
    for view in ("mistakes", "decisions", "turns_in_words", "opportunities_in_words"):
        found = db.sql(named.format(view)).rows()
        assert found == told

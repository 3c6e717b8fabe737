"""The record itself: equality, names, `repr`, copies."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.logs import Character, GameRecord, Options
from tests.logs.records import records


def test_the_place_is_no_part_of_a_game():
    here = GameRecord(players=("a",), file="a.json", line=1)
    there = GameRecord(players=("a",), file="b.json", line=2)
    assert here == there
    assert here != GameRecord(players=("b",), file="a.json", line=1)
    assert here != ("a",)


def test_the_kind_of_an_action_may_be_a_number():
    kind = GameRecord(players=(), actions=[Action(ActionKind.PLAY, 3, 0)])
    assert kind == GameRecord(players=(), actions=[Action(0, 3, 0)])


def test_records_hold_lists_and_have_no_hash():
    with pytest.raises(TypeError):
        hash(GameRecord(players=()))


def test_records_do_not_share_their_lists():
    first, second = GameRecord(players=()), GameRecord(players=())
    first.actions.append(Action(0, 0, 0))
    assert second.actions == []


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ({"id": 0, "seed": "x", "line": 2}, "0"),
        ({"seed": "x", "line": 2}, "x"),
        ({"seed": "", "line": 2}, "line 2"),
        ({"line": 2}, "line 2"),
        ({"file": "x"}, "-"),
    ],
)
def test_name(known, name):
    assert GameRecord(players=(), **known).name == name


@given(records)
def test_repr_rebuilds_a_record(record):
    names = {
        "GameRecord": GameRecord,
        "Card": Card,
        "Action": Action,
        "Options": Options,
        "Character": Character,
    }
    assert eval(repr(record), names) == record


@given(records)
def test_records_can_be_sent_to_another_process(record):
    assert pickle.loads(pickle.dumps(record)) == record

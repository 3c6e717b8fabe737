"""Mistakes in words: values in their places, the better move, and what users' definitions may get wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hanalyze.store.wording import better_parts, evidence_parts, sentence, worded

PLAYERS = ["Alice", "Bob", "Cathy"]


def evidence(template: str | None, values: object = None) -> str:
    row = {"evidence": template, "evidence_values": None if values is None else json.dumps(values)}
    return sentence(evidence_parts(row), PLAYERS)


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        ("played {card} from slot {slot}", {"card": "b5", "slot": 2}, "played b5 from slot 2"),
        (
            "{p_trash} by {seat_giver}, turn {turn}",
            {"p_trash": 0.125, "seat_giver": 1, "turn": 0},
            "13% by Bob, turn 1",
        ),
        (
            "{n:card} and {m:card}, {k:possibility/possibilities}",
            {"n": 1, "m": 2, "k": 3},
            "1 card and 2 cards, 3 possibilities",
        ),
        ("{tokens:clue token}", {"tokens": 0.5}, "0.5 clue tokens"),
        ("a plain sentence", None, "a plain sentence"),
        (None, None, ""),
        # What a definition may get wrong is shown as it is.
        ("held {card}", {}, "held {card}"),
        ("held {card}", {"card": None}, "held {card}"),
        ("held {card}", [1], "held {card}"),
        ("100% {sure", {"sure": 1}, "100% {sure"),
        ("by {seat}", {"seat": 7}, "by seat 8"),
        ("by {seat}", {"seat": "Eve\x1b"}, "by Eve\\x1b"),
        ("{n} of {{all}}", {"n": [1]}, "[1] of {all}"),
    ],
)
def test_evidence(template: str | None, values: object, said: str) -> None:
    assert evidence(template, values) == said


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ({}, ""),
        ({"kind": "play", "slot": 2}, "play slot 2"),
        ({"kind": "play", "slot": 2, "value": "r5"}, "play slot 2 (r5)"),
        ({"kind": "discard", "slot": 1, "value": "trash"}, "discard slot 1, known trash"),
        ({"kind": "discard", "slot": 1, "chance": 0.12}, "discard slot 1, 12% likely to be critical"),
        ({"kind": "clue"}, "give any clue"),
        ({"kind": "clue", "seat": 1}, "clue Bob"),
        ({"kind": "clue", "seat": 1, "slot": 3}, "clue Bob's slot 3"),
        ({"kind": "clue", "seat": 2, "value": "b5"}, "clue Cathy's b5"),
        ({"kind": "clue", "seat": 9, "value": "b5"}, "clue seat 10's b5"),
        ({"kind": "clue", "seat": 1, "clue": "red", "value": "r3"}, "clue Bob red: r3"),
        (
            {"kind": "clue", "seat": 1, "clue": "3", "value": "r3", "convention": "two save"},
            "clue Bob 3: r3, two save",
        ),
        ({"kind": "think_again"}, "think again"),
    ],
)
def test_better_moves(move: dict[str, Any], said: str) -> None:
    row = {f"better_{name}": value for name, value in {"kind": None, **move}.items()}
    assert sentence(better_parts(row), PLAYERS) == said


def test_worded() -> None:
    """Both sentences at once; equal names still differ, and no name reaches the terminal as it is."""
    row: dict[str, Any] = {
        "evidence": "touched {n:card} in {seat}'s hand",
        "evidence_values": '{"n": 2, "seat": 1}',
        "names": ["Ann", "Eve\x1b", "Ann"],
        **dict.fromkeys(("better_slot", "better_value", "better_chance")),
        "better_kind": "clue",
        "better_seat": 2,
    }
    evidence, better = worded(row)
    assert evidence == "touched 2 cards in Eve\\x1b's hand"
    assert better == "clue Ann (2)"
    assert worded({**row, "better_kind": None}) == (evidence, "")

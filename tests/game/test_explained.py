"""Definitions at hand: every word of meanings has a sentence and an example, every convention a page."""

from __future__ import annotations

import re
from enum import IntEnum

import pytest

from hanalyze.game.explained import EVIDENCE, MARKS, explained
from hanalyze.game.meanings import Convention, FaultRule, OutcomeKind, Reason

MEMBERS: list[Convention | Reason | OutcomeKind | FaultRule] = [
    *Convention,
    *Reason,
    *OutcomeKind,
    *(one for one in FaultRule if one is not FaultRule.NO_RULE),
]


def name(member: IntEnum) -> str:
    return f"{type(member).__name__}.{member.name}"


@pytest.mark.parametrize("member", MEMBERS, ids=name)
def test_every_word_is_explained(member: Convention | Reason | OutcomeKind | FaultRule) -> None:
    found = explained(member)
    assert re.fullmatch(r"[A-Z0-9].*\.", found.sentence)
    assert re.fullmatch(r"[A-Z0-9].*\.", found.example)
    assert found.title[0].isupper()
    assert found.example != found.sentence
    if isinstance(member, Convention):
        assert found.kind == f"Level {member.level}"


def test_a_convention_leads_to_the_page_of_its_level() -> None:
    without = set()
    for one in Convention:
        address = explained(one).address
        if not address:
            without.add(one)
            continue
        assert re.fullmatch(rf"https://hanabi\.github\.io/level-{one.level}(#[a-z0-9-]+)?", address)
    assert without == {Convention.UNEXPLAINED, Convention.PLAIN_PLAY, Convention.PLAIN_DISCARD}


def test_evidence_and_marks_are_explained() -> None:
    assert set(EVIDENCE) == {"logic", "convention", "chance"}
    assert all(one.sentence.endswith(".") for one in EVIDENCE.values())
    assert all(sentence.endswith(".") for sentence in MARKS.values())

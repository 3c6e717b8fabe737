"""Findings in words."""

from __future__ import annotations

from typing import Any

import pytest

from hanalyze.game.meanings import Convention, OutcomeKind, Reason
from hanalyze.words import meaning_words, outcome_words, reason_words

CARDS = {4: "Bob's r1", 7: "Bob's r3", 9: "Cathy's r2", 11: "Alice's g4"}


def row(**changes: Any) -> dict[str, Any]:
    plain = {
        "convention": "play_clue",
        "focus": 9,
        "cards": [-1] * 6,
        "steps": 0,
        "legal": True,
        "reasons": 0,
        "outcome": "success",
        "closed_turn": 5,
        "deferrals": 0,
        "strikes": 0,
    }
    return {**plain, **changes}


@pytest.mark.parametrize(
    ("finding", "said", "comment"),
    [
        (row(), "play clue: Cathy's r2", "only a focus"),
        (row(convention="finesse", cards=[4, -1], steps=1), "finesse: Bob's r1, then Cathy's r2", "a step"),
        (
            row(convention="double_finesse", cards=[4, 7, -1], steps=2),
            "double finesse: Bob's r1, then Bob's r3, then Cathy's r2",
            "steps in their order",
        ),
        (row(convention="two_save"), "two save: Cathy's r2", "a save names its focus"),
        (
            row(convention="trash_chop_move", cards=[4, 7, -1]),
            "trash chop move: Cathy's r2, keeps Bob's r1 and Bob's r3",
            "cards that are kept",
        ),
        (
            row(convention="gentlemans_discard", cards=[4, -1], steps=1),
            "gentleman's discard: Bob's r1",
            "a discard's own card is no step",
        ),
        (row(convention="sarcastic_discard", cards=[4, -1]), "sarcastic discard: names Bob's r1", "a copy"),
        (row(convention="unexplained", focus=None), "unexplained", "nothing to name"),
    ],
)
def test_meanings(finding: dict[str, Any], said: str, comment: str) -> None:
    assert meaning_words(finding, CARDS.__getitem__) == said, comment


@pytest.mark.parametrize("convention", list(Convention))
def test_every_convention_has_words(convention: Convention) -> None:
    words = meaning_words(row(convention=convention.label, cards=[4, -1], steps=1), CARDS.__getitem__)
    assert "Bob's r1" in words
    assert "_" not in words


@pytest.mark.parametrize("convention", ["unexplained", "finesse"])
def test_a_clue_names_its_focus_after_its_steps(convention: str) -> None:
    words = meaning_words(row(convention=convention, focus=9, cards=[4, -1], steps=1), CARDS.__getitem__)
    assert words.partition(": ")[2] == f"{CARDS[4]}, then {CARDS[9]}"


@pytest.mark.parametrize("convention", ["trash_bluff", "trash_push", "five_pull", "chop_move_ignition"])
def test_a_focus_that_is_not_played_is_not_named_after_the_steps(convention: str) -> None:
    words = meaning_words(row(convention=convention, focus=9, cards=[4, -1], steps=1), CARDS.__getitem__)
    assert words.partition(": ")[2] == CARDS[4]


@pytest.mark.parametrize("outcome", list(OutcomeKind))
def test_every_outcome_has_words(outcome: OutcomeKind) -> None:
    said = outcome_words(row(outcome=outcome.label))
    assert bool(said) == (outcome != OutcomeKind.NOTHING_EXPECTED)
    assert ("turn 6" in said) == (
        outcome not in (OutcomeKind.NOTHING_EXPECTED, OutcomeKind.OPEN, OutcomeKind.CENSORED)
    )


def test_waiting_and_strikes_are_counted() -> None:
    assert outcome_words(row(outcome="broken", deferrals=1, strikes=1)) == (
        "broken: a called card was not playable on turn 6, after waiting 1 turn, with 1 strike"
    )


def test_reasons() -> None:
    assert reason_words(row()) == ""
    assert reason_words(row(reasons=1 << Reason.GUESS)) == "guess"
    both = 1 << Reason.BAD_TOUCH | 1 << Reason.NO_VALUE
    assert reason_words(row(reasons=both, legal=False)) == "against convention: bad touch, gets no card"
    assert reason_words(row(legal=False)) == ""
    assert reason_words(row(reasons=1 << Reason.BETTER_CLUE, legal=False)) == "missed a better clue"

"""The summary of a game: its points add up, and each player has a row."""

from __future__ import annotations

import re
from typing import Any

from hanalyze.game.meanings import Convention, OutcomeKind
from hanalyze.report.game.summary import PlayerSummary, headline, player_rows
from hanalyze.store.definitions import definitions


def mark(turn: int, kind: str, points: int, severity: str = "knew", seat: int = 0) -> dict[str, Any]:
    return {"turn": turn, "seat": seat, "kind": kind, "severity": severity, "points": points}


def points(score: int, raw_score: int, max_score: int, end: str = "normal") -> dict[str, Any]:
    names = {"score": score, "raw_score": raw_score, "max_score": max_score}
    return {"full_score": 25, "end_condition": end, **names}


def test_a_headline_names_the_worst_and_adds_up() -> None:
    marks = [
        mark(15, "discard_unsaved", 1),
        mark(17, "discard_last_copy", 0, "could_not_know"),
        mark(21, "discard_unsaved", 2),
        mark(30, "misplay", 1),
        mark(40, "play_narrows", 2),
        mark(50, "discard_last_copy", 1),
        mark(56, "discard_last_copy", 2, "forced"),
    ]
    text = headline(points(13, 13, 16), marks, definitions())
    assert text == (
        "13 of 25: save missed on turns 16 and 22 (3 points), stack shortened on turn 41 (2 points),"
        " misplay on turn 31 (1 point), 1 point lost by other mistakes, 2 points lost without a mistake,"
        " 3 points left unplayed."
    )
    assert 13 + sum(map(int, re.findall(r"(\d+) points?", text))) == 25
    assert headline(points(25, 25, 25), [], definitions()) == "25 of 25."
    # Three strikes forfeit what was scored and what was still possible.
    lost = headline(points(0, 9, 23, "strikeout"), [mark(3, "discard_last_copy", 2, "forced")], definitions())
    assert lost == "0 of 25: 2 points lost without a mistake, 23 points forfeited."


def test_rows_of_players() -> None:
    decisions = [
        {"turn": turn, "seat": seat, "result": result}
        for turn, (seat, result) in enumerate(
            [(0, "clued"), (1, "played"), (0, "misplayed"), (1, "discarded"), (1, "played")]
        )
    ]
    marks = [mark(2, "misplay", 1), mark(2, "call_missed", 0), mark(3, "discard_five", 1, "forced", seat=1)]
    success, failure, own = OutcomeKind.SUCCESS, OutcomeKind.FAILED, OutcomeKind.NOTHING_EXPECTED
    meanings = [
        (0, 0, int(Convention.FINESSE), True, success),
        (0, 0, int(Convention.BLUFF), True, failure),
        (0, 0, int(Convention.FINESSE), False, success),
        (0, 0, int(Convention.REVERSE_FINESSE), True, success),
        (0, 0, int(Convention.LAYERED_FINESSE), True, success),
        (0, 0, int(Convention.SELF_PROMPT), True, success),
        (1, 1, int(Convention.BLIND_PLAY), True, own),
        (2, 0, int(Convention.BLIND_PLAY), True, own),
        (4, 1, int(Convention.PLAY_CLUE), True, success),
    ]
    assert player_rows(["Alice", "Bob"], decisions, marks, meanings) == [
        PlayerSummary("Alice", plays=0, strikes=1, points=1, mistakes=1, finesses=3, blind_plays=0),
        PlayerSummary("Bob", plays=2, strikes=0, points=0, mistakes=0, finesses=0, blind_plays=1),
    ]

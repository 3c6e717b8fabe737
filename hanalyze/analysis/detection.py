"""Precision and recall of a detector by label, on actions whose labels are known."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hanalyze.analysis.statistics.intervals import Interval, wilson
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.detectors.plugin import Detector, Plan, plan_of
from hanalyze.detectors.run import detect
from hanalyze.errors import HanalyzeError
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay


class Case(NamedTuple):
    """An action with its known labels: the game, the turn (from 0), and the labels, which may be empty."""

    game: GameRecord | Replay
    turn: int
    labels: frozenset[str]


class LabelScore(NamedTuple):
    """The score of one label.

    `there` counts the cases with the label, `claimed` those in which the detector found it, and `right` those
    with both. `precision` is right / claimed and `recall` right / there. The intervals are Wilson's 95%
    intervals (Wilson 1927). If the divisor is 0, the value is NaN and its interval is 0 to 1.
    """

    label: str
    there: int
    claimed: int
    right: int
    precision: float
    precision_interval: Interval
    recall: float
    recall_interval: Interval


def score_detector(
    detector: Detector | Plan,
    cases: Iterable[Case | tuple[GameRecord | Replay, int, Iterable[str]]],
    *,
    level: int = HIGHEST_LEVEL,
    needs: Sequence[Detector | Plan] = (),
) -> dict[str, LabelScore]:
    """Run a detector over actions with known labels, and return its score by label.

    `needs` are the detectors that must run before it. A game shared by several cases is read only once.
    Raises `HanalyzeError`: rule `detector_failed` for the first problem of the detector at one of the turns,
    rule `bad_case` for labels given as one text, rule `no_such_turn`, and the rules of
    `hanalyze.detectors.run.detect`.

    >>> from hanalyze.detectors import Finding, detector
    >>> from hanalyze.game.actions import Action
    >>> fives = detector("fives", "1")(lambda turn: [Finding("five")] if turn.action.value == 5 else [])
    >>> game = GameRecord(players=("A", "B"), seed="p2v0s1", actions=[Action(3, 1, 5), Action(3, 0, 1)])
    >>> score = score_detector(fives, [(game, 0, {"five"}), (game, 1, {"five"})])["five"]
    >>> score.precision, score.recall, [round(end, 2) for end in score.recall_interval]
    (1.0, 0.5, [0.09, 0.91])
    """
    plan = detector if isinstance(detector, Plan) else plan_of(detector)
    games: dict[int, tuple[GameRecord | Replay, list[tuple[int, frozenset[str]]]]] = {}
    for game, turn, labels in cases:
        if isinstance(labels, str):
            what = f'the labels of a case are the text "{labels}"'
            raise HanalyzeError(what, rule="bad_case", advice=f'give a set: {{"{labels}"}}')
        games.setdefault(id(game), (game, []))[1].append((turn, frozenset(labels)))
    there, claimed, right = Counter[str](), Counter[str](), Counter[str]()
    for game, labelled in games.values():
        record = game if isinstance(game, GameRecord) else game.record
        rows = detect(game, [*needs, plan], level=level)
        turns = {turn for turn, _ in labelled}
        for problem in rows.problems:
            if problem.detector == plan.name and problem.turn in turns:
                what = f'detector "{plan.name}" {problem.message}'
                where: dict[str, Any] = {"file": plan.source, "game": problem.game, "turn": problem.turn}
                raise HanalyzeError(what, rule="detector_failed", **where)
        findings: dict[int, set[str]] = {}
        for row in rows:
            if row.detector == plan.name and not row.opportunity:
                findings.setdefault(row.turn, set()).add(row.label)
        for turn, expected in labelled:
            if not 0 <= turn < len(record.actions):
                raise HanalyzeError(f"there is no turn {turn}", rule="no_such_turn", game=record.name)
            labels_found = findings.get(turn, set())
            there.update(expected)
            claimed.update(labels_found)
            right.update(labels_found & expected)
    scores = {}
    for label in sorted(there | claimed):
        precision, recall = (
            (right[label] / of[label] if of[label] else math.nan, wilson(right[label], of[label]))
            for of in (claimed, there)
        )
        counts = there[label], claimed[label], right[label]
        scores[label] = LabelScore(label, *counts, *precision, *recall)
    return scores

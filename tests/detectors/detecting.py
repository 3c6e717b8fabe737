"""Detectors for tests: one that notes what it is shown, others that find the same thing everywhere.

In: turns. Out: all that they show as values to compare, and detectors of a few words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import hanalyze as hz
from hanalyze.detectors import (
    Finding,
    Turn,
    View,
    detector,
)
from hanalyze.engine.batch import Deal, deal_records
from hanalyze.logs import GameRecord


def shown_view(view: View) -> tuple[Any, ...]:
    """Return all that a view shows."""
    table = (view.turn, view.seat, view.hands, view.stacks, view.discards, view.clue_tokens, view.strikes)
    numbers = (view.deck, view.score, view.max_score, view.pace, view.end_condition, view.phase)
    messages = (view.stall_severity, view.chops, view.finesse_positions, view.gotten, view.calls)
    return (*table, *numbers, *messages, view.playable, view.needed, view.critical)


def shown(turn: Turn, clues: bool = True) -> tuple[Any, ...]:
    """Return all that a turn shows but for its history."""
    action = (turn.action, turn.kind, turn.result, turn.order, turn.card, turn.drawn, turn.receiver)
    touched = (turn.touched, turn.newly_touched, turn.retouched, turn.meanings)
    legal = turn.legal_clues() if clues else ()
    return (shown_view(turn.before), shown_view(turn.after), *action, *touched, legal, dict(turn.findings))


class Spy:
    """Notes what it is shown of each action; finds nothing."""

    name = "spy"
    version = "1"

    def __init__(self, reads_truth: bool = False, clues: bool = False) -> None:
        self.reads_truth = reads_truth
        self.clues = clues
        self.turns: list[Turn] = []
        self.notes: list[tuple[Any, ...]] = []

    def detect(self, turn: Turn) -> None:
        self.turns.append(turn)
        self.notes.append((shown(turn, self.clues), [shown(one, False) for one in turn.history]))


def named(name: str, after: Sequence[str] = (), **traits: Any) -> Any:
    return detector(name, "1", after=after, **traits)(lambda turn: ())


def finds(name: str = "some", version: str = "1", label: str = "thing", **fields: Any) -> Any:
    """Return a detector that finds the same thing in every clue."""
    return detector(name, version, actions={"clue"})(lambda turn: [Finding(label, **fields)])


def short_game() -> GameRecord:
    return next(iter(hz.simulate("cautious", players=3, games=1, seed=3, fast=False)))


def deal_of(record: GameRecord) -> Deal:
    [deal] = deal_records([record])
    return deal

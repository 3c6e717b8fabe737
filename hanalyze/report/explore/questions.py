"""Ready questions of the explorer, from which a reader starts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

_QUESTIONS: Final = (
    ("Who makes the most discard mistakes?", "discard", ("player",)),
    ("Which discard mistakes are made, and in which phase?", "discard", ("kind", "phase")),
    ("Do misplays become rarer with time?", "misplays", ("month",)),
    ("How many cards does a clue get, turn by turn?", "clue_value", ("turn",)),
    ("Which team scores best?", "score", ("team",)),
    ("Does the team size matter for perfect games?", "perfect", ("players",)),
    ("Which variants are lost by strikes?", "strikeout", ("family",)),
    ("What do players do in each phase: how often do they give a clue?", "clue_share", ("phase", "player")),
    ("Where do the points go: mistakes by turn and phase", "mistake_points", ("turn", "phase")),
    ("Which conventions are used?", "convention_uses", ("convention",)),
    ("Which conventions work?", "convention_success", ("convention",)),
    ("Do groups that read more signals score better?", "score", ("level",)),
)
"""Sentence, metric and dimensions."""


def questions(
    metrics: Collection[str], dimensions: Collection[str], players: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the questions that a page can answer; two more are about the most frequent players."""
    found: list[dict[str, Any]] = [
        {"title": title, "metric": metric, "by": list(by), "where": {}, "versus": None}
        for title, metric, by in _QUESTIONS
        if metric in metrics and all(name in dimensions for name in by)
    ]
    if len(players) > 1:
        first, second = players[:2]
        found += [
            {
                "title": f"When {second} sits before {first}: are discard mistakes rarer?",
                "metric": "discard", "by": ["before"], "where": {"player": [0]}, "versus": None,
            },
            {
                "title": f"Discard mistakes of {first} beside those of everyone else, phase by phase",
                "metric": "discard", "by": ["phase"], "where": {"player": [0]}, "versus": "others",
            },
        ]  # fmt: skip
    return found

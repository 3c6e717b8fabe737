"""The figures of the dashboard, a file for each section: what each counts, how it is drawn, its sentences.

A new figure is a `Question` in one of these files and, where nothing counts it yet, a `Tally` beside it
with its query in `sql/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hanalyze.report.dashboard.questions import clues, conventions, discards, games, hindsight, people, plays
from hanalyze.report.dashboard.questions.question import (
    CLAIMED as CLAIMED,
    OF_PLAYER as OF_PLAYER,
    SAID as SAID,
    Question as Question,
    Tally as Tally,
)

_SECTIONS: Final = (games, clues, discards, plays, conventions, people, hindsight)

TALLIES: Final[tuple[Tally, ...]] = tuple(one for section in _SECTIONS for one in section.TALLIES)

QUESTIONS: Final[Mapping[str, Question]] = {
    one.name: one for section in _SECTIONS for one in section.QUESTIONS
}
"""The figures in the order of the page, by name."""

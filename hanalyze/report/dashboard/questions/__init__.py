"""Figures of the dashboard, with one file per section: their counts, charts and sentences."""

from __future__ import annotations

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

QUESTIONS: Final = {one.name: one for section in _SECTIONS for one in section.QUESTIONS}
"""Figures by name, in the order of the page."""

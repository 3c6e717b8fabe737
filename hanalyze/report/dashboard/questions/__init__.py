"""The figures of the dashboard: what each asks, and how its answer is drawn and said.

In: nothing. Out: `QUESTIONS`. A question names what is counted (`hanalyze.report.dashboard.counts`) and a
kind of chart
(`hanalyze.report.dashboard.charts`); the same data drive `hanalyze.report.dashboard.figures` and the page.
There is a file for each section.
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
)

_SECTIONS: Final = (games, clues, discards, plays, conventions, people, hindsight)

QUESTIONS: Final[Mapping[str, Question]] = {
    one.name: one for section in _SECTIONS for one in section.QUESTIONS
}
"""The figures in the order of the page, by name."""

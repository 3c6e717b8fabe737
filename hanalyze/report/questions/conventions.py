"""The questions about conventions, of games that were read for them: which are used, which work, which pay.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.counts import UNEXPLAINED, USES, WORKED
from hanalyze.report.questions.question import INTERVAL, Question

__all__ = ["QUESTIONS"]

_READ: Final = (
    " Only games read for conventions are counted; conventions used fewer than 30 times are left out."
)

QUESTIONS: Final = (
    Question(
        name="conventions",
        section="Conventions",
        title="Which conventions are used, and do they work?",
        chart="apart_dots",
        rows="usage",
        definition="Uses: what actions meant under the H-Group's conventions, judged only by the turns before"
        " them, per 100 actions. Success: share of settled uses in which everything called for"
        " happened. A use is not settled if it called for nothing, if the game ended first, or if"
        " another copy of the card made it unnecessary. No share is shown for"
        " fewer than 30 settled uses." + _READ + INTERVAL,
        counts=("conventions",),
        say={
            "kind": "top",
            "panel": USES,
            "clear": "Used most: **{label}**, {value} per 100 actions ({low} to {high}).",
            "tie": "No clear difference between the most used: {label} {value}, {label2} {value2} per 100"
            " actions.",
            "alone": "Used most: **{label}**, {value} per 100 actions ({low} to {high}).",
            "none": "No convention was used 30 times.",
            "also": UNEXPLAINED,
            "rest": " No convention explains **{value}%** of the actions ({low} to {high}).",
        },
        span=12,
        panels=(USES, WORKED),
        scale=100,
        decimals=1,
        share=True,
        read=True,
        least=30,
    ),
    Question(
        name="convention_worth",
        section="Conventions",
        title="Which clues bring in more than others?",
        chart="field",
        rows="worth",
        definition="Cards per clue token that a convention's clues newly got (touched and useful, called, or"
        " saved from the chop), minus the same for clues of all other conventions at a similar need"
        " (bands of a quarter card per clue), weighted by the convention's uses. This is not the"
        " effect of the convention: a clue that prevents a misplay or gains tempo gets no card"
        " here."
        + _READ
        + " Intervals come from the variation between whole games, also in what the others brought in, and are as"
        " wide as so many comparisons ask for.",
        say={
            "kind": "count",
            "clear": "**{above}** of {count} clearly bring in more than other clues at the same need,"
            " **{below}** clearly less. Open circles: not clearly different from 0. Numbers: uses.",
            "none": "No convention for clues was used 30 times.",
        },
        span=12,
        unit="cards per token",
        axis="cards per token, against other clues at the same need",
        read=True,
        least=30,
        sides=("fewer", "more"),
        low_tone="warn",
        beside="y",
    ),
)

"""The questions about conventions, of games that were read for them: which are used, which work, which pay.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.counts import UNEXPLAINED, USES, WORKED
from hanalyze.report.questions.question import INTERVAL, Question

__all__ = ["QUESTIONS"]

_READ: Final = (
    " Only games that were read for conventions; conventions used fewer than 30 times are left out."
)

QUESTIONS: Final = (
    Question(
        name="conventions",
        section="Conventions",
        title="Which conventions are used, and do they work?",
        chart="apart_dots",
        rows="usage",
        definition="Uses: what actions meant under the H-Group's conventions, judged by the turns before them"
        " alone, per 100 actions. Success: of the settled uses those in which everything that was called for"
        " happened. Not settled is what expects nothing, what the end of the game cut off, and what another"
        " copy of the card made unnecessary; no share is shown of fewer than 30 settled uses."
        + _READ
        + INTERVAL,
        counts=("conventions",),
        say={
            "kind": "top",
            "panel": USES,
            "clear": "Used most: **{label}**, {value} in 100 actions ({low} to {high}).",
            "tie": "No clear difference between the most used: {label} {value}, {label2} {value2} in 100"
            " actions.",
            "alone": "Used most: **{label}**, {value} in 100 actions ({low} to {high}).",
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
        definition="Cards that a convention's clues newly got (touched and useful, called, or kept from the"
        " chop) per token, less what clues of all other conventions got where as many cards per clue were"
        " needed, in bands of a quarter of a card: the difference, weighted by the convention's uses. This is"
        " not what the convention causes: a clue that averts a misplay, or gains time, gets no card"
        " here."
        + _READ
        + " Intervals are 95% each, from what each game got and expected (games are resampled as whole units;"
        " the others' mean is taken as it is): of twenty that differ in nothing, one stands out by luck.",
        say={
            "kind": "count",
            "clear": "**{above}** of {count} clearly bring in more than other clues at the same need,"
            " **{below}** clearly less; open circles are not clearly different from 0. Number: uses.",
            "none": "No convention that clues give was used 30 times.",
        },
        span=12,
        unit="cards a token",
        axis="cards per token, against other clues at the same need",
        read=True,
        least=30,
        sides=("fewer", "more"),
        low_tone="warn",
        beside="y",
    ),
)

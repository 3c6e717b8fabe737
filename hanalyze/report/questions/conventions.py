"""The questions about conventions, of games that were read for them: which are used, which work, which pay.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.convention_counts import USES, WORKED
from hanalyze.report.questions.question import INTERVAL, Question

__all__ = ["QUESTIONS"]

_READ: Final = " Only games that were read for conventions; what is used less than 30 times is left out."

QUESTIONS: Final = (
    Question(
        name="conventions",
        section="Conventions",
        title="Which conventions are used, and do they work?",
        chart="usage",
        definition="Uses: what actions meant under the H-Group's conventions, judged by the turns before them"
        " alone, per 100 actions. Success: of the settled uses those in which all that was called came about."
        " Not settled is what expects nothing, what the end of the game cut off, and what another copy of the"
        " card made needless; of less than 30 settled uses no share is shown." + _READ + INTERVAL,
        tables=("conventions",),
        say={
            "kind": "usage",
            "text": "Used most: **{label}**, {value} in 100 actions ({low} to {high}).",
            "tie": "Which is used most cannot be told apart: {label} {value}, {label2} {value2} in 100"
            " actions.",
            "none": "No convention was used {least} times.",
            "rest": "No convention explains **{value}%** of the actions ({low} to {high}).",
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
        chart="worth",
        definition="Cards that a convention's clues newly got (touched and useful, called, or kept from the"
        " chop) per token, less what clues of all other conventions got where as many cards per clue were"
        " needed, in bands of a quarter of a card: the difference, weighed by the convention's uses. Not what"
        " it causes: a clue that averts a misplay, or gains time, gets no card here."
        + _READ
        + " Intervals are"
        " 95% each, from what each game got and expected (games are what is drawn; the others' mean is taken"
        " as it is): of twenty that differ in nothing, one stands out by luck.",
        tables=(),
        say={
            "kind": "worth",
            "text": "**{above}** of {n} clearly bring in more than other clues at the same need, **{below}**"
            " clearly less; open circles cannot be told from 0. Number: uses.",
            "none": "No convention that clues give was used {least} times.",
        },
        span=12,
        unit="cards a token",
        axis="cards per token, against other clues at the same need",
        better=1,
        read=True,
        least=30,
    ),
)

"""Figures about conventions in games read for them: uses, successes, and effects on points."""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.report.dashboard.questions.question import INTERVAL, Question, Tally, top_words

USES: Final = "Uses per 100 actions"
WORKED: Final = "Success, % of settled"
UNEXPLAINED: Final = "Unexplained"
"""Panels of the figure `conventions`; the panel `UNEXPLAINED` is not drawn."""

EFFECT_GAMES: Final = 4000
"""Maximum number of games for the estimated effects of conventions; larger databases use a fixed sample."""

MESSAGE_CONVENTIONS: Final = conventions_in(MESSAGES)

TALLIES: Final = (
    Tally(
        "conventions",
        (
            *(("uses", one.label, "actions") for one in MESSAGE_CONVENTIONS),
            *(("worked", one.label, f"{one.label}|settled") for one in MESSAGE_CONVENTIONS),
            ("unexplained", "unexplained", "main meanings"),
        ),
        {
            **{one.label: one.words for one in MESSAGE_CONVENTIONS},
            "uses": USES,
            "worked": WORKED,
            "unexplained": UNEXPLAINED,
        },
        by_seat=True,
    ),
)

_READ: Final = (
    " Only games read for conventions are counted; conventions used fewer than 30 times are left out."
)

# fmt: off
QUESTIONS: Final = (
    Question(
        name="conventions", section="Conventions",
        title="Which conventions are used, and do they work?",
        chart="apart_dots", rows="usage",
        definition="Uses: what actions meant under the H-Group's conventions, judged only by the turns before"
        " them, per 100 actions. Success: share of settled uses in which everything called for"
        " happened. A use is not settled if it called for nothing, if the game ended first, or if"
        " another copy of the card made it unnecessary. No share is shown for"
        " fewer than 30 settled uses." + _READ + INTERVAL, counts=("conventions",),
        say={
            **top_words("Used most: **{label}**,", "the most used", "per 100 actions", panel=USES),
            "alone": "Used most: **{label}**, {value} per 100 actions ({low} to {high}).",
            "none": "No convention was used 30 times.", "also": UNEXPLAINED,
            "rest": " No convention explains **{value}%** of the actions ({low} to {high}).",
        },
        span=12, panels=(USES, WORKED), scale=100, decimals=1, share=True, read=True, least=30,
    ),
    Question(
        name="convention_worth", section="Conventions",
        title="Do conventions pay?",
        chart="field", rows="worth",
        definition="Points won on the turn itself and the next 6, if a clue used the convention, less those"
        " expected had the turn been used otherwise. Turns are compared only if a legal clue could have used"
        " it, and in like positions: score, turn, tokens, strikes, deck, pace, known cards, what the others"
        " hold, and more (doubly robust; each player with themselves where there are enough turns). A"
        " strikeout that forfeits the score takes it from the points. Filled: different from 0, from"
        " what is found in games of agents that know no conventions, and from what a word shows"
        " that is put on"
        " such turns at random, with an adjusted p-value (Benjamini-Hochberg) below 0.05. What is not among"
        " the variables may still matter. Saves cost points at first and keep them for later:"
        " hanalyze stats --what effects"
        " has the final score. Intervals are 95%, with each game as a whole, and not adjusted. Of more than"
        f" {EFFECT_GAMES:,} games, a fixed sample of as many is counted. Only games read for conventions are"
        " counted; conventions that fewer than 30 turns took or declined are left out.",
        say={
            "kind": "count",
            "clear": "Of {count} conventions, **{above}** are clearly associated with more points,"
            " **{below}** with fewer (ignores the filters). Open circles: undecided."
            " Numbers: turns that took it.",
            "tie": "None of {count} conventions is clearly associated with more or fewer points (ignores the"
            " filters). Numbers: turns that took it.",
            "none": "No convention was both taken and declined often enough.",
        },
        span=12, unit="points",
        axis="points over 7 turns, against other actions", read=True,
        sides=("fewer", "more"), low_tone="warn", beside="y",
    ),
)
# fmt: on

"""Figures about conventions: uses, successes, and associations with final scores."""

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
            ("unexplained", "unexplained", "actions"),
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
            **top_words("Used most: **{label}** ({value} per 100 actions)", panel=USES),
            "alone": "Used most: **{label}** ({value} per 100 actions). 95% interval: {low} to {high}.",
            "none": "No convention was used 30 times.", "also": UNEXPLAINED,
            "rest": " No convention explains **{value}%** of the actions ({low} to {high}).",
        },
        span=12, panels=(USES, WORKED), scale=100, decimals=1, share=True, read=True, least=30,
    ),
    Question(
        name="convention_worth", section="Conventions",
        title="Which conventions go with higher scores?",
        chart="field", rows="worth",
        definition="Final score of games after a clue that used the convention, minus that after other clues."
        " Clues are compared only where a legal clue could have used it, and in similar positions: score,"
        " turn, tokens, strikes, deck, pace, known cards, the other hands, and more (doubly robust; players"
        " with enough turns are compared with themselves). Filled: clearly more than 0.2 points, which"
        " unmeasured differences between positions can cause (adjusted p-value below 0.005,"
        " Benjamini-Hochberg), and the positions differ by at most 0.1 standard deviations after weighting."
        " Saves are not tested, because they often replace a discard. The difference is an association, not"
        " an effect. Intervals are 95%, treat each game as a unit, and are not adjusted. From larger"
        f" databases, a fixed sample of {EFFECT_GAMES:,} games is counted. Only games read for conventions"
        " are counted; conventions that fewer than 30 clues used, or could have used but did not, are left"
        " out. hanalyze stats --what effects also has the points of the next turns.",
        say={
            "kind": "count",
            "clear": "Of {count} conventions, **{above}** are clearly associated with higher scores,"
            " **{below}** with lower ones (ignores the filters). Open circles: undecided, or not tested."
            " Numbers: clues that used it.",
            "tie": "No convention is clearly associated with higher or lower scores (ignores the filters)."
            " Open circles: undecided, or not tested. Numbers: clues that used it.",
            "none": "For every convention, too few clues used it, or could have used it but did not.",
        },
        span=12, unit="points",
        axis="final score, against other clues", read=True,
        sides=("lower", "higher"), low_tone="warn", beside="y",
    ),
)
# fmt: on

"""Figures about plays: misplays, chances of plays, and missed plays."""

from typing import Final

from hanalyze.report.dashboard.questions.question import (
    INTERVAL,
    KINDS_SAID,
    PHASES,
    Question,
    Tally,
    top_words,
)
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import SEVERITY_WORDS

TALLIES: Final = (
    Tally(
        "misplays",
        tuple((panel, answer, "plays") for panel in ("misplays", "points") for answer in SEVERITY_WORDS),
        {**SEVERITY_WORDS, "misplays": "Misplays", "points": "Points"},
        by_seat=True,
    ),
    Tally("odds", by_seat=True),
)

_MISSED: Final = (
    *(kind for kind, one in definitions().items() if one.family == "play" and kind != "misplay"),
    "discard_over_play",
)
_ODDS: Final = "Plays that looked {label1}% likely worked **{value1}%** of the time, those at"

# fmt: off
QUESTIONS: Final = (
    Question(
        name="misplays", section="Plays",
        title="Which plays failed",
        chart="bars",
        definition="All misplays, and the points of the maximum score that they are charged with, per 100"
        " plays, by what the player could know. Knew: the card could not be playable; misled: the clues"
        " seemed to say play. In games read for conventions, could not know means that the strike was the"
        " fault of another player, or of nobody." + INTERVAL + " Intervals of points are from the"
        " variance over games.", counts=("misplays",),
        say=top_words(
            "The most frequent verdict on misplays is “**{label}**” ({value} per 100 plays)", panel="Misplays"
        ),
        span=5, panels=("Misplays", "Points"), share=True, means=("Points",), scale=100, decimals=2,
        unit="per 100 plays", drop=("*",), tones={"": "bad"},
    ),
    Question(
        name="odds", section="Plays",
        title="How sure were the plays?",
        chart="odds",
        definition="Share of plays that succeeded, by the chance that the card was playable, in steps of 10%."
        " The chance is that for the player, from clues and visible cards only. If the share is above the"
        " chance, players knew more than clues and visible cards show." + INTERVAL, counts=("odds",),
        say={
            "kind": "ends", "up": _ODDS + " {label2}%: **{value2}%**.",
            "down": _ODDS + " {label2}%: **{value2}%**.",
            "tie": _ODDS + " {label2}%: **{value2}%**. The difference is not clear.",
        },
        span=7, scale=100, decimals=0, unit="%",
        axis="chance of being playable, as the player saw it, %", share=True,
    ),
    Question(
        name="missed", section="Plays",
        title="Plays that were missed or lost",
        chart="dots",
        definition="Discards, and clues that got and saved nothing, instead of a sure play, per 100 decisions"
        " with a card known to be playable; plays that shortened their stack, per 100 plays; discards and"
        " misplays that left too few turns for all plays, per 100 decisions at zero pace or near the end;"
        " and, in games read for conventions, called cards that were not played, per 100 turns on which a"
        " called card was due. Decisions with one sensible choice are not counted." + INTERVAL,
        counts=("kinds",),
        say=KINDS_SAID,
        span=12, family="play",
        kinds=_MISSED,
        panels=tuple(PHASES.values()), scale=100, decimals=1, unit="per 100", axis="per 100 opportunities",
        share=True, sort="rate", tones={"": "bad"},
    ),
)
# fmt: on

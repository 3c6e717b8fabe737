"""The questions about plays: which failed, how sure they were, which were not made.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.questions.question import INTERVAL, MOST_FREQUENT, Question, kinds_of
from hanalyze.report.tables import PHASES

__all__ = ["QUESTIONS"]

QUESTIONS: Final = (
    Question(
        name="misplays",
        section="Plays",
        title="Which plays failed",
        chart="bars",
        definition="Misplays, and the points of the maximum score that they lost, per 100 plays, by what the"
        " player could know: knew, it could not fit; misled, a clued card for which all that was not trash"
        " fitted." + INTERVAL,
        tables=("misplays",),
        say={
            "kind": "top",
            "panel": "Misplays",
            "text": "Most: **{label}**, {value} per 100 plays ({low} to {high}).",
            "tie": "The most frequent cannot be told apart: {label} {value}, {label2} {value2} per 100"
            " plays.",
        },
        span=5,
        panels=("Misplays", "Points"),
        scale=100,
        decimals=2,
        unit="per 100 plays",
        tones={"": "bad"},
    ),
    Question(
        name="odds",
        section="Plays",
        title="How sure were the plays?",
        chart="trend",
        definition="Plays by the chance that the card fitted, as the player saw it without reading anything"
        " into clues, in steps of 10%: the share that did fit. Where it lies above the chance, the players"
        " knew more than the cards said." + INTERVAL,
        tables=("odds",),
        say={
            "kind": "trend",
            "up": "From **{value1}%** of the plays with a chance of {label1}% to {value2}% at {label2}%.",
            "down": "From **{value1}%** of the plays with a chance of {label1}% to {value2}% at {label2}%.",
            "tie": "Sure and unsure plays cannot be told apart: {value1}% at {label1}%, {value2}% at"
            " {label2}%.",
        },
        span=7,
        scale=100,
        decimals=0,
        unit="%",
        axis="chance that the card fits, as the player saw it, in %",
        share=True,
    ),
    Question(
        name="missed",
        section="Plays",
        title="Sure plays that were not made",
        chart="dots",
        definition="A discard, or a clue that got and saved nothing, in place of a card known to fit, per"
        " 100 decisions with such a card; and plays that closed a stack, per 100 plays." + INTERVAL,
        tables=("kinds",),
        say=MOST_FREQUENT,
        span=12,
        labels=kinds_of("play_missed discard_over_play play_narrows"),
        panels=tuple(PHASES.values()),
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100 opportunities",
        share=True,
    ),
)

"""The questions about plays: which failed, how sure they were, which were not made.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.counts import PHASES
from hanalyze.report.questions.question import INTERVAL, KINDS_SAID, Question

__all__ = ["QUESTIONS"]

_ODDS: Final = "Plays that looked {label1}% likely to succeed did so **{value1}%** of the time, those at"

QUESTIONS: Final = (
    Question(
        name="misplays",
        section="Plays",
        title="Which plays failed",
        chart="bars",
        definition="Misplays, and the points of the maximum score that they lost, per 100 plays, by what the"
        " player could know: knew, the card could not be playable; misled, a clued card that was playable"
        " whatever it was unless it was trash." + INTERVAL,
        counts=("misplays",),
        say={
            "kind": "top",
            "panel": "Misplays",
            "clear": "Most: **{label}**, {value} per 100 plays ({low} to {high}).",
            "tie": "No clear difference between the most frequent: {label} {value}, {label2} {value2} per 100"
            " plays.",
        },
        span=5,
        panels=("Misplays", "Points"),
        scale=100,
        decimals=2,
        unit="per 100 plays",
        drop=("*",),
        tones={"": "bad"},
    ),
    Question(
        name="odds",
        section="Plays",
        title="How sure were the plays?",
        chart="trend",
        definition="Plays by the chance that the card was playable, as the player saw it without reading"
        " anything into clues, in steps of 10%: the share that succeeded. Where it lies above the chance, the"
        " players knew more than the cards said." + INTERVAL,
        counts=("odds",),
        say={
            "kind": "ends",
            "up": _ODDS + " {label2}% **{value2}%**.",
            "down": _ODDS + " {label2}% **{value2}%**.",
            "tie": "No clear difference between sure and unsure plays: {value1}% succeeded at {label1}%,"
            " {value2}% at {label2}%.",
        },
        span=7,
        scale=100,
        decimals=0,
        unit="%",
        axis="chance that the card is playable, as the player saw it, in %",
        share=True,
    ),
    Question(
        name="missed",
        section="Plays",
        title="Sure plays that were not made",
        chart="dots",
        definition="A discard, or a clue that got and saved nothing, instead of a card known to be playable,"
        " per 100 decisions with such a card; and plays that closed a stack, per 100 plays." + INTERVAL,
        counts=("kinds",),
        say=KINDS_SAID,
        span=12,
        kinds=("play_missed", "discard_over_play", "play_narrows"),
        family="play",
        panels=tuple(PHASES.values()),
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100 opportunities",
        share=True,
        sort="rate",
        tones={"": "bad"},
    ),
)

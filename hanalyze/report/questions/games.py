"""The questions about games as a whole: scores, where points went, how they ended.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.questions.question import INTERVAL, WILSON, Question

__all__ = ["QUESTIONS"]

QUESTIONS: Final = (
    Question(
        name="scores",
        section="",
        title="How close the games came",
        chart="columns",
        definition="Games by what they fell short of the full score of their variant. Games that were struck"
        " out, and games broken off for another reason, stand apart, whatever they would have"
        " scored." + WILSON,
        tables=("scores",),
        say={"kind": "scores"},
        span=7,
        scale=100,
        decimals=0,
        axis="points short of the full score",
        share=True,
        wilson=True,
        tones={"0": "good", "struck out": "bad"},
    ),
    Question(
        name="losses",
        section="",
        title="Where points were lost",
        chart="bars",
        definition="Points short of the full score, per game, each point counted once: when the last copy of"
        " a needed card was discarded or misplayed, the points that this made impossible; points on the"
        " stacks that do not count because the game was lost; and what was still possible at the end. Nobody"
        " to blame: could not know, had no choice, nothing to lose." + INTERVAL,
        tables=("losses",),
        say={
            "kind": "top",
            "text": "**{label}** costs most: {value} points a game ({low} to {high}).",
            "tie": "What costs most cannot be told apart: {label} {value}, {label2} {value2} points a game.",
        },
        span=5,
        unit="points a game",
        sort=True,
        tones={"": "bad"},
    ),
    Question(
        name="need",
        section="",
        title="Did harder deals cost points?",
        chart="trend",
        definition="Points short of the full score, by the cards per clue that a full score takes from the"
        " deal on (Hanab Live's minimum efficiency), in steps of 0.1. Struck-out games count as"
        " scored." + INTERVAL,
        tables=("need",),
        say={
            "kind": "trend",
            "up": "Deals that ask for more cards per clue end **further** from the full score: {value1}"
            " points short at {label1}, {value2} at {label2}.",
            "down": "Deals that ask for more cards per clue end **closer** to the full score: {value1}"
            " points short at {label1}, {value2} at {label2}.",
            "tie": "Easy and hard deals cannot be told apart: {value1} points short at {label1}, {value2} at"
            " {label2}.",
        },
        span=7,
        decimals=1,
        unit="points short",
        axis="cards per clue needed at the deal",
    ),
    Question(
        name="endings",
        section="",
        title="How the games ended",
        chart="bars",
        definition="Games by the way they ended." + WILSON,
        tables=("endings",),
        say={
            "kind": "row",
            "label": "Struck out",
            "text": "**{value}%** were struck out ({low} to {high}), {x} of {y} games.",
            "none": "No game of {y} was struck out (at most {high}% are).",
        },
        span=5,
        scale=100,
        decimals=1,
        unit="% of games",
        share=True,
        wilson=True,
        sort=True,
        tones={"Struck out": "bad", "Played to the end": "good"},
    ),
    Question(
        name="perfect",
        section="",
        title="Perfect games, by team size and variant",
        chart="dots",
        definition="Share of games with the full score of their variant." + WILSON,
        tables=("perfect",),
        say={
            "kind": "top",
            "text": "Most often with **{label}**: {value}% of {n} games ({low} to {high}).",
            "panel": "Team size",
            "tie": "Where perfect games are most frequent cannot be told: {label} {value}%, {label2}"
            " {value2}%.",
        },
        span=12,
        panels=("Team size", "Variant"),
        scale=100,
        decimals=0,
        unit="% perfect",
        axis="% of games",
        share=True,
        wilson=True,
    ),
)

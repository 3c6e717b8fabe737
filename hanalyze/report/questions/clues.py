"""The questions about clues: what they brought in, what they cost, where played cards came from.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.questions.question import INTERVAL, MOST_FREQUENT, Question, kinds_of
from hanalyze.report.tables import PHASES

__all__ = ["QUESTIONS"]

QUESTIONS: Final = (
    Question(
        name="efficiency",
        section="Clues",
        title="Did the clues keep up with the need?",
        chart="bands",
        definition="Cards gotten per clue given or lost so far (achieved), and cards yet to get per clue"
        " left (needed), both as Hanab Live counts them, over the games that had this turn. Line: the median"
        " game; dark band: its 95% interval, by order statistics; light band: the middle half of the games."
        " Turns that less than 20 games, or a tenth of their kind, had are left out. Counted in steps of"
        " 0.05, and interpolated within a step.",
        tables=(),
        say={"kind": "curve"},
        span=12,
        axis="turn",
    ),
    Question(
        name="clue_value",
        section="Clues",
        title="What a clue brought in",
        chart="trend",
        definition="Cards per clue that the clue was the first to touch and that count as gotten at the end"
        " of the game, by the clue's kind and by its turn." + INTERVAL,
        tables=("clues",),
        say={
            "kind": "trend",
            "panel": "Turn",
            "peak": "Clues bring in **most** in turns {label}: {value} cards a clue; {value1} in {label1},"
            " {value2} in {label2}.",
            "dip": "Clues bring in **least** in turns {label}: {value} cards a clue; {value1} in {label1},"
            " {value2} in {label2}.",
            "up": "Later clues bring in **more**: {value1} cards a clue in turns {label1}, {value2} in"
            " {label2}.",
            "down": "Later clues bring in **less**: {value1} cards a clue in turns {label1}, {value2} in"
            " {label2}.",
            "tie": "Early and late clues cannot be told apart: {value1} cards a clue in turns {label1},"
            " {value2} in {label2}.",
        },
        span=7,
        panels=("Kind", "Turn"),
        unit="cards a clue",
        axis="cards per clue",
    ),
    Question(
        name="tokens",
        section="Clues",
        title="Clue tokens that came to nothing",
        chart="bars",
        definition="Clue tokens that a mistake of this kind cost, per game. A decision may be of several"
        " kinds." + INTERVAL,
        tables=("tokens",),
        say={
            "kind": "top",
            "text": "Most: **{label}**, {value} tokens a game ({low} to {high}).",
            "tie": "What wastes most cannot be told apart: {label} {value}, {label2} {value2} tokens a game.",
        },
        span=5,
        unit="tokens a game",
        sort=True,
        tones={"": "warn"},
    ),
    Question(
        name="clue_mistakes",
        section="Clues",
        title="Which clues went wrong, and when",
        chart="dots",
        definition="Clues that were a mistake of each kind, per 100 opportunities: clues for which the"
        " kind's condition holds. Opening: until the first discard; endgame: once the pace is no longer"
        " low-risk." + INTERVAL,
        tables=("kinds",),
        say=MOST_FREQUENT,
        span=12,
        labels=kinds_of("clue_bad_touch clue_needless clue_unsaved clue_no_news tokens_wasted"),
        panels=tuple(PHASES.values()),
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100 opportunities",
        share=True,
    ),
    Question(
        name="origins",
        section="Clues",
        title="How many cards were played without a clue",
        chart="stack",
        definition="Cards played onto a stack by the clues that ever touched them. Known all the same: no"
        " clue touched the card, but clues to other cards and the cards seen left its holder a single"
        " identity." + INTERVAL,
        tables=("origins",),
        say={
            "kind": "row",
            "label": "no clue, not known",
            "text": "**{value}%** of the cards played ({low} to {high}) had no clue, and their holder could"
            " not name them: {x} of {y}.",
            "none": "Each of the {y} cards played had a clue, or its holder knew it (up to {high}% may not).",
        },
        span=7,
        scale=100,
        decimals=1,
        unit="% of the cards played",
        share=True,
        tones={
            "no clue, not known": "good",
            "no clue, known all the same": "good2",
            "one clue": "plain",
            "several clues": "faint",
        },
    ),
    Question(
        name="efficient",
        section="Clues",
        title="Games by efficiency",
        chart="ranking",
        definition="Games with at least 8 clues, by cards gotten per clue at the end over what the deal"
        " asked for: the first and the last.",
        tables=(),
        say={"kind": "ranking"},
        span=5,
    ),
)

"""Figures about discards: mistakes, their turns, and the holder's knowledge."""

from __future__ import annotations

from itertools import product
from typing import Final

from hanalyze.report.dashboard.questions.question import (
    ALL_KINDS,
    INTERVAL,
    KINDS_SAID,
    MEAN,
    PHASES,
    Question,
    Tally,
    by_game,
    kinds_about,
    top_words,
    trend_words,
)
from hanalyze.store.definitions import definition
from hanalyze.store.mistakes import SEVERITY_WORDS

JUDGED: Final = ("discard_last_copy", "discard_five", "discard_playable", "discard_clued")
"""Kinds of discard mistakes that are split by severity (what the holder could know)."""

_ANSWERS: Final = ("knew", "could_tell", "gamble", "could_not_know", "forced")


TALLIES: Final = (
    Tally(
        "kinds",
        lambda kinds: tuple((phase, kind, f"{phase}|{kind}") for kind, phase in product(kinds, PHASES)),
        PHASES,
        of_kinds=True,
        by_seat=True,
    ),
    Tally(
        "known",
        tuple((kind, answer, kind) for kind, answer in product((*JUDGED, "all"), _ANSWERS)),
        {**SEVERITY_WORDS, "all": ALL_KINDS},
        of_kinds=True,
        by_seat=True,
    ),
    Tally("discards_by", by_seat=True),
    Tally("discards_trend", (("", "", "turns"),), fractions=True),
    Tally(
        "costs",
        lambda kinds: (
            by_game(SEVERITY_WORDS, "points")
            + by_game((*kinds_about("discard", kinds), "discard_unsaved"), "pace")
        ),
        {**SEVERITY_WORDS, "points": "Points lost with last copies", "pace": "Pace"},
        of_kinds=True,
        by_seat=True,
    ),
)

# fmt: off
QUESTIONS: Final = (
    Question(
        name="discards", section="Discards",
        title="Which discards hurt, and when",
        chart="dots",
        definition="Mistakes of each kind per 100 opportunities: decisions with more than one sensible choice"
        " that meet the condition of the kind. Discards whose harm the holder could not know do not count."
        " Opening: until the first discard; endgame: once the pace is no longer low-risk or the deck is"
        " empty." + INTERVAL,
        counts=("kinds",),
        say=KINDS_SAID,
        span=7,
        family="discard", panels=tuple(PHASES.values()), scale=100, decimals=1, unit="per 100",
        axis="per 100 opportunities", share=True, sort="rate", tones={"": "bad"},
    ),
    Question(
        name="known", section="Discards",
        title="Could the holder have known?",
        chart="stack",
        definition="Discards of these kinds by what the holder could know about the card from clues and"
        " visible cards. Knew: certain; could tell: a chance of at least 50%; gamble: at least 25%;"
        " could not know: less; forced: there was only one sensible choice. In games read for conventions,"
        " messages count first, unless the holder knew. The sentence counts a discard of several kinds once,"
        " with its worst verdict." + INTERVAL,
        counts=("known",), panels=tuple(definition(kind).label for kind in JUDGED),
        say={
            "kind": "row", "panel": ALL_KINDS, "label": "could not know",
            "clear": "In **{value}%** of these discards, the holder could not know."
            " 95% interval: {low} to {high}%.",
            "none": "None of these {y} discards has the verdict “could not know” (95% interval: up to"
            " {high}%).",
            "absent": "There were no such discards.",
        },
        span=5, scale=100, decimals=0, unit="%", share=True, beside="y",
        tones={
            "knew": "bad", "could tell": "warn", "gamble": "warn2", "could not know": "plain",
            "forced": "faint",
        },
    ),
    Question(
        name="discards_by", section="Discards",
        title="Discard mistakes by turn, card and seat",
        chart="trend",
        definition="Discards that were a mistake of any kind, per 100 discards with more than one sensible"
        " choice. Rank and suit are those of the discarded card. Longer games differ from shorter"
        " games, so trends compare the turns within each game." + INTERVAL,
        counts=("discards_by", "discards_trend"),
        say=trend_words("they become **more** frequent", "they become **less** frequent", "per 100"),
        span=12, panels=("Turn", "Rank", "Suit", "Seat"), scale=100, decimals=1, unit="per 100 discards",
        axis="per 100 discards", share=True, tones={"clear": "bad"},
    ),
    Question(
        name="costs", section="Discards",
        title="What the discards cost",
        chart="bars",
        definition="Per 100 games. Points: points of the maximum score lost by discarding last copies, and by"
        " leaving them unsaved, by what the player at fault could know. Pace: pace lost by mistaken"
        " discards (also instead of a save), and by misplays at zero pace, by kind." + MEAN,
        counts=("costs",),
        say=top_words(
            "Most points were lost with the verdict “**{label}**” ({value} per 100 games)",
            panel="Points lost with last copies",
        ),
        span=12, panels=("Points lost with last copies", "Pace"), scale=100, decimals=0,
        unit="per 100 games", drop=("*",), tones={"": "bad"},
    ),
)
# fmt: on

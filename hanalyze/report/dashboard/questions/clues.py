"""Figures about clues: cards per clue, clue tokens, and origins of played cards."""

from itertools import product
from typing import Final

from hanalyze.report.dashboard.questions.question import (
    INTERVAL,
    KINDS_SAID,
    MEAN,
    PHASES,
    Question,
    Tally,
    by_game,
    top_words,
    trend_words,
)

_RANKS: Final = {**{str(rank): f"Rank {rank}" for rank in range(1, 6)}, "7": "Rank S"}
_ORIGINS: Final = {
    "unknown": "no clue, not known",
    "deduced": "no clue, deduced",
    "one clue": "one clue",
    "several clues": "several clues",
}

TALLIES: Final = (
    Tally("clues", by_seat=True),
    Tally("clue_trend", (("", "", "turns"),), fractions=True),
    Tally("wasted_tokens", by_game, of_kinds=True, by_seat=True),
    Tally(
        "origins",
        tuple((of, label, of) for of, label in product(("All cards", *_RANKS), _ORIGINS)),
        {**_RANKS, **_ORIGINS},
        by_seat=True,
    ),
)

# fmt: off
QUESTIONS: Final = (
    Question(
        name="efficiency", section="Clues",
        title="Did the clues keep up with the need?",
        chart="bands", rows="curve", query="curve",
        definition="Cards gotten per clue given or lost so far (achieved), and cards still to get per clue"
        " left (needed), both as Hanab Live counts them, over the games that reached this turn."
        " Line: median; dark band: its 95% interval, from order statistics; light band: the middle half"
        " of the games. Turns reached by fewer than 20 games, or by fewer than a tenth of the"
        " games of the panel, are left out. Values are counted in steps of 0.05 and interpolated within"
        " a step.",
        say={
            "kind": "curve", "none": "Too few games.", "lead": "Cards per clue. ",
            "all": "Cards per clue. No clear shortfall at any turn.",
            "crossed": "in {panel}, needed rose above achieved around **turn {from}**",
            "stretch": "in {panel}, needed was above achieved from **turn {from}** to **turn {to}**",
            "never": "in {panel}, never clearly", "mark": "turn {from}: needed rises<br>above achieved",
        },
        span=12, axis="turn",
        panels=("Perfect games", "Games 1 or 2 points short", "Games 3 or more points short"),
        unit="cards per clue",
    ),
    Question(
        name="clue_value", section="Clues",
        title="Cards gained per clue",
        chart="trend",
        definition="Cards first touched by a clue that count as gotten at the end of the game, per clue, by"
        " the kind of clue and by turn. Longer games differ from shorter games, so trends compare the turns"
        " within each game." + MEAN, counts=("clues", "clue_trend"),
        say=trend_words("later clues gain **more**", "later clues gain **less**", "cards per clue"),
        span=7, panels=("Kind", "Turn"), unit="cards per clue", axis="cards per clue",
        tones={"clear": "good"},
    ),
    Question(
        name="wasted_tokens", section="Clues",
        title="Wasted clue tokens",
        chart="bars",
        definition="Clue tokens lost by mistakes of each kind, per game. One decision may be a mistake of"
        " several kinds." + MEAN, counts=("wasted_tokens",),
        say=top_words("Most tokens were lost by mistakes of the kind “**{label}**” ({value} a game)"),
        span=5, unit="tokens a game", sort="value", drop=("*",), tones={"": "warn"},
    ),
    Question(
        name="clue_mistakes", section="Clues",
        title="Which clues went wrong, and when",
        chart="dots",
        definition="Mistakes of each kind per 100 opportunities: clues on which that mistake was possible;"
        " for missed fixes, turns with a clue token; for wasted tokens, plays and discards that gained a"
        " token, or would have. Opening: until the first discard; endgame: once the pace is no longer"
        " low-risk or the deck is empty." + INTERVAL,
        counts=("kinds",),
        say=KINDS_SAID,
        span=12,
        family="clue", panels=tuple(PHASES.values()), scale=100, decimals=1, unit="per 100",
        axis="per 100 opportunities", share=True, sort="rate", tones={"": "bad"},
    ),
    Question(
        name="origins", section="Clues",
        title="How many cards were played without a clue",
        chart="stack",
        definition="Cards played, by the number of clues that touched them. Deduced: no clue touched the"
        " card, but clues to other cards and visible cards left its holder only one possible"
        " identity." + INTERVAL, counts=("origins",),
        say={
            "kind": "row", "label": "no clue, not known",
            "clear": "**{value}%** of the cards played had no clue and were unknown to their holder: {x} of"
            " {y}. 95% interval: {low} to {high}%.",
            "none": "Each of the {y} cards played had a clue, or its holder knew it (95% interval of the"
            " others: up to {high}%).",
        },
        span=7, scale=100, decimals=1, unit="% of the cards played", share=True, beside="y",
        tones={
            "no clue, not known": "good", "no clue, deduced": "good2", "one clue": "plain",
            "several clues": "faint",
        },
    ),
    Question(
        name="efficient", section="Clues",
        title="Games by efficiency",
        chart="ranking", rows="list", query="best",
        definition="Games with at least 8 clues, ranked by cards gotten per clue divided by the cards per"
        " clue that the deal needed: the top and the bottom of the list.",
        say={
            "none": "No game has 8 clues.",
            "clear": "The most efficient game got **{value} cards per clue** where {need} were needed.",
        },
        span=5,
    ),
)
# fmt: on

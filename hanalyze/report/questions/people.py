"""The questions about people: players, partners; and the costliest turns.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.questions.question import Question

__all__ = ["QUESTIONS"]

_FEW: Final = "No player has 20 games that can be compared."

QUESTIONS: Final = (
    Question(
        name="players",
        section="People",
        title="Players",
        chart="field",
        rows="field",
        definition="Mean score of a player's games less that of all other games of the same team size and"
        " variant, weighted by the player's games. Intervals are 95% each, by the normal distribution: of"
        " twenty that differ in nothing, one stands out by luck.",
        counts=("points",),
        say={
            "kind": "count",
            "clear": "**{above}** of {count} clearly above, **{below}** clearly below; open circles are not"
            " clearly different from 0. Number: games.",
            "none": _FEW,
        },
        span=6,
        unit="points a game",
        axis="points a game, against the same kind of games",
        beside="n",
    ),
    Question(
        name="partners",
        section="People",
        title="Partners",
        chart="matrix",
        rows="pairs",
        definition="Mean score of the games of two players together less that of the games of either without"
        " the other, of the same team size and variant, weighted by the games together. At most the 14"
        " players with the most games. A dot: fewer than 25 games. Bold: more than luck gives among so many"
        " pairs (5%, Bonferroni).",
        counts=("points",),
        say={
            "kind": "pairs",
            "above": "**{label} and {other}** do {size} points better together than apart ({n} games).",
            "below": "**{label} and {other}** do {size} points worse together than apart ({n} games).",
            "tie": "None of {count} pairs is clearly different from 0: none does clearly better or worse"
            " together than apart.",
            "none": "No pair has 25 games that can be compared.",
        },
        span=6,
        unit="points a game",
        decimals=1,
    ),
    Question(
        name="player_rates",
        section="People",
        title="Mistakes of each player, and what their clues brought in",
        chart="field",
        rows="field",
        definition="A player's own decisions, against those of all players in games of the same team size"
        " and variant: mistakes of any kind per 100 discards, misplays per 100 plays, mistakes per 100 clues"
        " (with more than one sensible choice, each decision once), and cards per 100 clues. The difference,"
        " weighted by the player's decisions; intervals are 95% each, and a little wide, because the player"
        " is among all players.",
        counts=("own_mistakes", "own_value"),
        say={
            "kind": "count",
            "clear": "**{clear}** of {count} differences are clear (filled); the rest, open circles, are not"
            " clearly different from 0.",
            "tie": "None of {count} differences is clearly different from 0.",
            "none": _FEW,
        },
        span=12,
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100, against all players",
        panels=("Discard mistakes", "Misplays", "Clue mistakes", "Cards per clue"),
        better={"": -1, "Cards per clue": 1},
    ),
    Question(
        name="costliest",
        section="",
        title="The costliest turns",
        chart="turns",
        rows="list",
        definition="Decisions after which the maximum score was lower, the most points first; among equals,"
        " first those that somebody is to blame for.",
        say={
            "none": "No turn lost a point.",
            "clear": "Turns after which the best possible score fell most.",
        },
        span=12,
    ),
)

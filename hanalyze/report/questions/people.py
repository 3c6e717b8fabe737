"""The questions about people: players, partners; and the costliest turns.

In: nothing. Out: `QUESTIONS`, in the order of the page.
"""

from __future__ import annotations

from typing import Final

from hanalyze.report.questions.question import Question

__all__ = ["QUESTIONS"]

QUESTIONS: Final = (
    Question(
        name="players",
        section="People",
        title="Players",
        chart="field",
        definition="Mean score of a player's games less that of all other games of the same team size and"
        " variant, weighed by the player's games. Intervals are 95% each, by the normal distribution: of"
        " twenty that differ in nothing, one stands out by luck.",
        tables=("points",),
        say={"kind": "field"},
        span=6,
        unit="points a game",
        axis="points a game, against the same kind of games",
        better=1,
    ),
    Question(
        name="partners",
        section="People",
        title="Partners",
        chart="matrix",
        definition="Mean score of the games of two players together less that of the games of either without"
        " the other, of the same team size and variant, weighed by the games together. At most the 14"
        " players with the most games. A dot: under 25 games. Bold: more than luck gives among so many pairs"
        " (5%, Bonferroni).",
        tables=("points",),
        say={"kind": "matrix"},
        span=6,
        unit="points a game",
        better=1,
    ),
    Question(
        name="player_rates",
        section="People",
        title="Mistakes of each player, and what their clues brought in",
        chart="field",
        definition="A player's own decisions, against those of all players in games of the same team size"
        " and variant: mistakes of any kind per 100 discards, misplays per 100 plays, mistakes per 100 clues"
        " (with more than one sensible choice, each decision once), and cards per 100 clues. The difference,"
        " weighed by the player's decisions; intervals are 95% each, and a little wide, for the player is"
        " among all.",
        tables=("own_mistakes", "own_value"),
        say={"kind": "field"},
        span=12,
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100, against all players",
        panels=("Discard mistakes", "Misplays", "Clue mistakes", "Cards per clue"),
        better=-1,
    ),
    Question(
        name="costliest",
        section="The costliest turns",
        title="The costliest turns",
        chart="turns",
        definition="Decisions after which the maximum score was lower, the most points first; of equals"
        " those that somebody is to blame for.",
        tables=(),
        say={"kind": "turns"},
        span=12,
    ),
)

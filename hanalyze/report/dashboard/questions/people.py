"""Figures about players and partners, and the list of the costliest turns."""

from typing import Final

from hanalyze.report.dashboard.questions.question import Question, Tally

TALLIES: Final = (
    Tally(
        "own_mistakes",
        tuple(("", family, family) for family in ("discard", "play", "clue")),
        {"discard": "Discard mistakes", "play": "Blamed misplays", "clue": "Clue mistakes"},
        by_seat=True,
    ),
    Tally("own_value", (("", "Cards per clue", "clues"),), by_seat=True),
)

_FEW: Final = "No player has 20 comparable games."
_TOGETHER: Final = (
    "These players always play together, so their scores cannot be compared. Their own decisions are compared"
    " below."
)
DIFFERENCES_SAID: Final = {
    "kind": "count",
    "clear": "**{clear}** of {count} differences are clear (filled circles). Open circles: not clearly"
    " different from 0.",
    "tie": "None of {count} differences is clearly different from 0.",
    "none": _FEW,
}
_MATCHED: Final = (
    " Intervals are adjusted for all comparisons of the page: they exclude 0 where there is a claim (see the"
    " foot of the page). A player's games are assumed to vary at least as much as all games together."
)
SHRUNK: Final = (
    " Upright dash: the value shrunk towards the group (empirical Bayes), more strongly with fewer games; it"
    " is the better forecast." + _MATCHED
)
OWN_DECISIONS: Final = (
    " The intervals are too wide, because they count the variation of the player's decisions on both sides."
    + SHRUNK
)

# fmt: off
QUESTIONS: Final = (
    Question(
        name="players", section="People",
        title="Players",
        chart="field", rows="field",
        definition="Mean score of a player's games minus the mean score of all other games with the same team"
        " size and variant, weighted by the player's games." + SHRUNK, counts=("points",),
        say={
            "kind": "count",
            "clear": "Players clearly above 0: **{above}** of {count}; clearly below: **{below}**. Open"
            " circles: not clearly different from 0. Numbers: games.", "none": _FEW, "together": _TOGETHER,
        },
        span=6, unit="points a game", axis="points a game, against games without the player", beside="n",
    ),
    Question(
        name="partners", section="People",
        title="Partners",
        chart="matrix", rows="pairs",
        definition="Mean score of two players' games together minus the mean score of their games without"
        " each other, with the same team size and variant, weighted by the games together. Shown for at most"
        " 14 players, those with the most games. Dot: fewer than 25 games." + _MATCHED, counts=("points",),
        say={
            "kind": "pairs",
            "above": "**{label} and {other}** do {size} points better together than apart ({n} games).",
            "below": "**{label} and {other}** do {size} points worse together than apart ({n} games).",
            "tie": "None of {count} pairs does clearly better or worse together than apart.",
            "none": "No pair has 25 comparable games. The players' own decisions are compared below.",
            "together": _TOGETHER,
        },
        span=6, unit="points a game", decimals=1,
    ),
    Question(
        name="player_rates", section="People",
        title="Mistakes of each player, and cards gained by their clues",
        chart="field", rows="field",
        definition="A player's decisions compared with those of the other players in games of the same team"
        " size and variant: discard mistakes per 100 discards, misplays that the player is to blame for per"
        " 100 plays, clues that were a mistake (including missed saves and fixes) per 100 clues, and cards"
        " per 100 clues. Rates of mistakes use only decisions with more than one sensible choice, each once."
        " Differences are weighted by the player's decisions."
        + OWN_DECISIONS,
        counts=("own_mistakes", "own_value"),
        say=DIFFERENCES_SAID,
        span=12, scale=100, decimals=1, unit="per 100", axis="per 100, against the other players",
        panels=("Discard mistakes", "Blamed misplays", "Clue mistakes", "Cards per clue"),
        better={"": -1, "Cards per clue": 1},
    ),
    Question(
        name="costliest", section="",
        title="The costliest turns",
        chart="turns", rows="list", query="costliest",
        definition="Mistakes and blameless losses by the points charged to them, costliest first; among equal"
        " losses, those with a player to blame come first.",
        say={"none": "No turn lost a point.", "clear": "The turns that lost the most points."},
        span=12,
    ),
)
# fmt: on

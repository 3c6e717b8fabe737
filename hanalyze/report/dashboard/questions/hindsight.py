"""Figures about points lost compared with best play with all cards open, for solved games."""

from itertools import product
from typing import Final

from hanalyze.report.dashboard.questions.people import DIFFERENCES_SAID, OWN_DECISIONS
from hanalyze.report.dashboard.questions.question import (
    ALL_KINDS,
    INTERVAL,
    MEAN,
    PHASES,
    WILSON,
    Question,
    Tally,
    top_words,
)
from hanalyze.tables.solved import LOSS_CAUSES

ALL_PHASES: Final = "Whole game"
"""Panel of `lost_causes` for all phases together."""
KNOWABLE: Final = "Could be known"
ONLY_OPEN: Final = "only with open cards"
"""Label of points lost by moves that are not mistakes given the players' knowledge."""
LOST: Final = {
    "discard": "Discards",
    "misplay": "Misplays",
    "clue": "Clues",
    "play": "Plays",
    "end": "Ending the game",
}
_DEALS: Final = {
    "won": "Won",
    "missed": "Could be won, was not",
    "lost": "Nobody could win",
    "open": "Not decided",
}
_CAUSES: Final = {
    "cards": "Last copy gone",
    "time": "Too few turns left",
    "hands": "Hands full of needed cards",
    "order": "Order of the cards",
    "strikes": "Last strike",
    "end": "Game ended by a player",
}

TALLIES: Final = (
    Tally("winnable", tuple(("", label, "solved") for label in _DEALS), _DEALS),
    Tally(
        "lost_causes",
        tuple((phase, cause, "solved") for phase, cause in product(("all", *PHASES), LOSS_CAUSES)),
        {**PHASES, **_CAUSES, "all": ALL_PHASES},
        by_seat=True,
    ),
    Tally(
        "lost_known",
        tuple(
            (kind, basis, kind)
            for kind, basis in product(("all", *LOST), ("logic", "convention", "chance", ONLY_OPEN))
        ),
        {**LOST, "all": ALL_KINDS},
        by_seat=True,
    ),
    Tally(
        "lost_by_player",
        tuple(("", part, part) for part in ("all", "known", "open")),
        {"all": "All points lost", "known": KNOWABLE, "open": ONLY_OPEN.capitalize()},
        by_seat=True,
    ),
)

SECTION: Final = "In hindsight, with all cards open"

_SOLVED: Final = " Only games that were solved are counted."
_CHARGED: Final = (
    " If an earlier move is at fault, such as a missed save, its player is charged; the end of a game is"
    " charged to nobody."
)
_LOST: Final = (
    " A point is lost by the move that lowers the best score still possible with all cards open and perfect"
    " play. If the solver did not find out which move it was, the point is not counted."
)

# fmt: off
QUESTIONS: Final = (
    Question(
        name="winnable", section=SECTION,
        title="Could the deals be won?",
        chart="bars",
        definition="Games by whether the full score of their variant could be reached from the deal, with all"
        " cards open. A line of moves proves that it could; a bound or a complete search proves that it could"
        " not."
        + _SOLVED + WILSON,
        counts=("winnable",),
        say={
            "kind": "row", "label": "Nobody could win",
            "clear": "**{value}%** of the deals could not be won by anybody: {x} of {y} games."
            " 95% interval: {low} to {high}%.",
            "none": "None of {y} deals is known to be lost from the start (95% interval: up to {high}%).",
        },
        span=5, scale=100, decimals=1, unit="% of games", share=True, sort="value", drop=("*",),
        tones={"Won": "good", "Nobody could win": "bad"}, solved=True,
    ),
    Question(
        name="lost_known", section=SECTION,
        title="Could the player have known?",
        chart="stack",
        definition="Points lost by these moves. Logic, convention, chance: the player is to blame for a"
        " mistake with this evidence; if there are several mistakes, the costliest counts."
        " Only with open cards: the move is not a mistake by what the player knew."
        + _LOST + _CHARGED + _SOLVED + INTERVAL,
        counts=("lost_known",), panels=(ALL_KINDS, *LOST.values()),
        say={
            "kind": "row", "panel": ALL_KINDS, "label": ONLY_OPEN,
            "clear": "**{value}%** of the points lost come from moves that are mistakes only with all cards"
            " open. 95% interval: {low} to {high}%.",
            "none": "None of the {y} points lost came from a move that is a mistake only with all cards open"
            " (95% interval: up to {high}%).", "absent": "No point was lost.",
        },
        span=7, scale=100, decimals=0, unit="%", share=True, beside="y",
        tones={"logic": "bad", "convention": "warn", "chance": "warn2", ONLY_OPEN: "plain"}, solved=True,
    ),
    Question(
        name="lost_causes", section=SECTION,
        title="What put points out of reach, and when",
        chart="game_dots",
        definition="Points lost per game, by what puts them out of reach: the last copy of a"
        " needed card is gone; too few turns are left for the deck; the hands cannot hold every"
        " needed card; the order of the cards leaves no way; or the game ends, by a strike or by a"
        " player. Opening: until the first discard; endgame: once the pace is no longer low-risk or the deck"
        " is empty. The phases exclude points lost by the end of a game." + _LOST + _SOLVED + MEAN,
        counts=("lost_causes",),
        say=top_words(
            "Main cause of lost points: **{label}** ({value} a game)", panel=ALL_PHASES,
            alone="Only cause of lost points: **{label}** ({value} a game). 95% interval: {low} to {high}.",
        ),
        span=12, panels=(ALL_PHASES, *PHASES.values()), unit="points a game", axis="points a game",
        sort="rate", tones={"": "bad"}, solved=True,
    ),
    Question(
        name="lost_by", section=SECTION,
        title="Points lost by each player, with open cards",
        chart="field", rows="field",
        definition="Points lost by a player's moves, per game, minus those of the other players in games of"
        " the same team size and variant, weighted by the player's games: all points, points lost by a"
        " mistake that the player is to blame for, and points lost by other moves."
        + OWN_DECISIONS + _LOST + _CHARGED + _SOLVED,
        counts=("lost_by_player",),
        say=DIFFERENCES_SAID,
        span=12, unit="points a game", axis="points a game, against the other players",
        panels=("All points lost", KNOWABLE, ONLY_OPEN.capitalize()), better={"": -1},
        sides=("more", "fewer"), solved=True,
    ),
)
# fmt: on

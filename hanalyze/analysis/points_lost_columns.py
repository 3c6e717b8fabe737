"""The columns of points lost with all cards open; `hanalyze.analysis.columns` lists those of every frame."""

from __future__ import annotations

from typing import Final

from hanalyze.analysis.frame_column import SHARE, count, estimate, text, value

SPLITS: Final = ("all", "cause", "kind", "phase")
"""What `lost_points` splits losses by."""

LOST_POINTS: Final = (
    text("split", "what losses are split by; `all` for all together", SPLITS),
    text(
        "part",
        "`losses.cause` of the database (what kept the points out of reach), `losses.kind` (of move), or"
        " the phase of the game",
    ),
    count("games", "games in the group that were solved", "games"),
    count("moves", "moves that lost points", "moves"),
    count("points", "points lost, as far as it is known", "points"),
    *estimate("per_game", "points/game", "points lost per game", ends=""),
    value("share", SHARE, "share of all points that the group lost"),
    *estimate("finished", "points/game", "the same of the games in which the last strike cost no points"),
    *estimate(
        "struck_out",
        SHARE,
        "share of the games in which the last strike cost points, by player those of the player; null but for"
        " all together",
        "struck out",
    ),
    *estimate(
        "impossible",
        SHARE,
        "share of the deals that nobody could have won: the best score with all cards open is below the"
        " full one; null but for all together",
        "impossible deals",
    ),
    value(
        "open",
        SHARE,
        "share of the games in which it is not known for every turn what was lost; null but for all together",
        "games still open",
    ),
)
"""A row per group and part of the losses."""

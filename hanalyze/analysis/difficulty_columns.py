"""The columns of the difficulty of deals; `hanalyze.analysis.columns` lists those of every frame."""

from __future__ import annotations

from typing import Final

from hanalyze.analysis.frame_column import count, estimate, text

FEATURES: Final = ("deck", "search", "both")
"""What scores are predicted from."""

DEAL_DIFFICULTY: Final = (
    text(
        "features",
        "what scores are predicted from: how early the copies of each rank come in the deck; what the solver"
        " says of the deal with all cards open; both",
        FEATURES,
    ),
    count("games", "games counted", "games"),
    count("deals", "different deals among them", "deals"),
    *estimate(
        "explained",
        "of the variance",
        "what deals explain of the variance of scores within a team size and variant, in games of deals that"
        " were not fitted; below 0 where they tell nothing",
    ),
)
"""A row per set of features."""

"""What columns of the frames of `hanalyze.analysis` can say: the values of those that name something.

In: nothing. Out: names, in the order in which frames have them.
"""

from __future__ import annotations

from typing import Final

QUANTILES: Final = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}

SYSTEMS: Final = ("h_group", "sieve", "hat_guessing", "none", "unknown")
"""What a guess can be. Beginners who save their chop and play what is clued count as h_group."""

TURNS_AFTER: Final = 6
"""Turns after an act whose points and plays are put down to it, with those of the act's own turn."""

OUTCOME_NAMES: Final = ("points", "plays", "final_score")
"""What an act may have an effect on: the points and the plays of its turn and the next 6, the final score."""

CALIBRATED: Final = (
    "chop_critical",
    "chop_playable",
    "chop_trash",
    "unclued_critical",
    "unclued_playable",
    "unclued_trash",
    "clued_critical",
    "clued_playable",
    "clued_trash",
    "discarded_chop_critical",
    "discarded_chop_trash",
    "discarded_unclued_critical",
    "discarded_unclued_trash",
    "discarded_clued_critical",
    "discarded_clued_trash",
    "played_unclued_playable",
    "played_clued_playable",
)
"""What chances are held against: which cards of the hand to move, and what they were. Unclued cards are those
that are not the chop; of the cards played all unclued ones."""

LOSSES: Final = ("last_copy", "misplay", "points")
"""What `luck` counts: critical cards discarded, plays that did not fit, points that both lost."""

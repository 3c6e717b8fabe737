"""Numbers about many games: how often mistakes are made, what clues bring in, how games end.

In: a database (`hanalyze.connect`). Out: Polars frames whose rows are groups of games or of decisions,
with intervals from the variation between whole games: events within one game are not independent.
"""

from hanalyze.analysis.behaviour import action_diversity, dominated_moves, hint_response
from hanalyze.analysis.calibration import calibration
from hanalyze.analysis.columns import FRAMES, GROUPS, FrameColumn
from hanalyze.analysis.compare import Comparison, Note, compare
from hanalyze.analysis.convention_effects import convention_effects
from hanalyze.analysis.detection import Case, LabelScore, score_detector
from hanalyze.analysis.difficulty import deal_difficulty
from hanalyze.analysis.effectiveness import convention_coverage, convention_stats, detector_stats
from hanalyze.analysis.efficiency import card_origins, clue_values, efficiency_curve, wasted_tokens
from hanalyze.analysis.example import example
from hanalyze.analysis.intervals import Interval, adjusted, share_interval, wilson
from hanalyze.analysis.lost import lost_points
from hanalyze.analysis.luck import luck
from hanalyze.analysis.measures import MEASURES, Measure, measures
from hanalyze.analysis.misreadings import misreadings
from hanalyze.analysis.notes import note_accuracy
from hanalyze.analysis.overview import overview
from hanalyze.analysis.rates import family_rates, rates
from hanalyze.analysis.resampling import mean_interval
from hanalyze.analysis.research import (
    action_information,
    action_matrix,
    cross_play,
    research_players,
    research_scores,
)
from hanalyze.analysis.same_deal import deal_results, partings, same_deal
from hanalyze.analysis.scores import losses, scores
from hanalyze.analysis.systems import system_guess

__all__ = [
    "FRAMES",
    "GROUPS",
    "MEASURES",
    "Case",
    "Comparison",
    "FrameColumn",
    "Interval",
    "LabelScore",
    "Measure",
    "Note",
    "action_diversity",
    "action_information",
    "action_matrix",
    "adjusted",
    "calibration",
    "card_origins",
    "clue_values",
    "compare",
    "convention_coverage",
    "convention_effects",
    "convention_stats",
    "cross_play",
    "deal_difficulty",
    "deal_results",
    "detector_stats",
    "dominated_moves",
    "efficiency_curve",
    "example",
    "family_rates",
    "hint_response",
    "losses",
    "lost_points",
    "luck",
    "mean_interval",
    "measures",
    "misreadings",
    "note_accuracy",
    "overview",
    "partings",
    "rates",
    "research_players",
    "research_scores",
    "same_deal",
    "score_detector",
    "scores",
    "share_interval",
    "system_guess",
    "wasted_tokens",
    "wilson",
]

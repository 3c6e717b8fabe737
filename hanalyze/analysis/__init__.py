"""Numbers about many games: how often mistakes are made, what clues bring in, what games come to.

In: a database (`hanalyze.open`). Out: Polars frames whose rows are groups of games or of decisions, with
intervals that take the games as what was drawn: what happens within one game depends on itself.
"""

from hanalyze.analysis.efficiency import card_origins, clue_values, efficiency_curve, wasted_tokens
from hanalyze.analysis.example import example
from hanalyze.analysis.intervals import Interval, adjusted, cluster_bootstrap, wilson
from hanalyze.analysis.overview import overview
from hanalyze.analysis.rates import clue_rates, discard_rates, family_rates, play_rates, rates
from hanalyze.analysis.scores import losses, scores

__all__ = [
    "Interval",
    "adjusted",
    "card_origins",
    "clue_rates",
    "clue_values",
    "cluster_bootstrap",
    "discard_rates",
    "efficiency_curve",
    "example",
    "family_rates",
    "losses",
    "overview",
    "play_rates",
    "rates",
    "scores",
    "wasted_tokens",
    "wilson",
]

"""Statistics of many games: rates of mistakes, values of clues, scores, conventions, comparisons.

Most functions take a database (`hanalyze.connect`) and return a Polars frame with the columns of `FRAMES`.
"""

from hanalyze.analysis.calibration import calibration as calibration
from hanalyze.analysis.columns import FRAMES as FRAMES, GROUPS as GROUPS
from hanalyze.analysis.compare import Comparison as Comparison, Note as Note, compare as compare
from hanalyze.analysis.convention_effects import (
    convention_effects as convention_effects,
    experiment_effects as experiment_effects,
)
from hanalyze.analysis.detection import (
    Case as Case,
    LabelScore as LabelScore,
    score_detector as score_detector,
)
from hanalyze.analysis.effectiveness import (
    convention_coverage as convention_coverage,
    convention_stats as convention_stats,
    detector_stats as detector_stats,
)
from hanalyze.analysis.efficiency import (
    card_origins as card_origins,
    clue_values as clue_values,
    efficiency_curve as efficiency_curve,
    wasted_tokens as wasted_tokens,
)
from hanalyze.analysis.explore import explore as explore, explore_sql as explore_sql
from hanalyze.analysis.frame_column import FrameColumn as FrameColumn
from hanalyze.analysis.hindsight import hindsight_losses as hindsight_losses
from hanalyze.analysis.luck import luck as luck
from hanalyze.analysis.measures import MEASURES as MEASURES, Measure as Measure, measures as measures
from hanalyze.analysis.notes import note_accuracy as note_accuracy
from hanalyze.analysis.overview import example as example, overview as overview
from hanalyze.analysis.player import (
    player_form as player_form,
    player_positions as player_positions,
    player_rates as player_rates,
)
from hanalyze.analysis.rates import family_rates as family_rates, rates as rates
from hanalyze.analysis.research import (
    action_diversity as action_diversity,
    action_information as action_information,
    action_matrix as action_matrix,
    cross_play as cross_play,
    dominated_moves as dominated_moves,
    hint_response as hint_response,
    misreadings as misreadings,
    research_players as research_players,
    research_scores as research_scores,
)
from hanalyze.analysis.same_deal import (
    deal_results as deal_results,
    partings as partings,
    same_deal as same_deal,
)
from hanalyze.analysis.scores import points_short as points_short, scores as scores
from hanalyze.analysis.statistics.intervals import (
    Interval as Interval,
    benjamini_hochberg as benjamini_hochberg,
    mean_interval as mean_interval,
    share_interval as share_interval,
    wilson as wilson,
)
from hanalyze.analysis.systems import system_guess as system_guess

losses, lost_points = points_short, hindsight_losses
"""Former names of `points_short` and `hindsight_losses`."""

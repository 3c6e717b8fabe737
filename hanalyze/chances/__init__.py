"""Calibrated probabilities: how often a card that looked like this one was critical, playable or trash.

Card-counting odds ignore what players tell each other. Two models correct them. The state model judges each
card of the hand to move before the action by its odds, messages and context (`features`): a logistic
regression per target and place in the hand, with a piecewise linear calibration curve. The act layer corrects
the chance of the card that was played or discarded, by one curve each.

Compare moves by the state model only: the act layer takes the decision as evidence, so it favours the move
that was made; it judges outcomes. Odds of 0 and 1 are facts that no model changes. The three chances come
from three models, so their sum may exceed 1. `models/` has the shipped models, one file per kind of players,
fitted by `python -m tools.fit_chances`; `inference_chances` judges the readings of a clue.
"""

from hanalyze.chances.fitting import fit as fit
from hanalyze.chances.model import (
    MODELS as MODELS,
    Fit as Fit,
    HandCards as HandCards,
    Model as Model,
    chances_of as chances_of,
    load_model as load_model,
    rows_like as rows_like,
)
from hanalyze.chances.model_choice import Choice as Choice, choose as choose, closest_model as closest_model
from hanalyze.chances.one_game import (
    CardChances as CardChances,
    Odds as Odds,
    TurnChances as TurnChances,
    game_chances as game_chances,
)

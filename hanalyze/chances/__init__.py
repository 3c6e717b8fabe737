"""Calibrated probabilities that a card is critical, playable or trash.

Card-counting odds ignore messages between players; two models correct them. The state model predicts each
card of the hand to move, before the action, from its odds, messages and context (`features`). It is a
logistic regression per target and place in the hand, with a piecewise linear calibration curve. The act layer
corrects the chances of the card that was played or discarded, with another curve per target and place.

Compare moves by the state model only. The act layer takes the decision itself as evidence and so favours the
move that was made; use it only to judge outcomes. Neither model changes odds of 0 and 1. The chances of the
three targets come from separate models, so their sum may exceed 1. `python -m tools.fit_chances` writes the
shipped models to `models/`, one file per type of players. `inference_chances` predicts the chance of each
reading of an ambiguous clue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanalyze.lazy import names_of

if TYPE_CHECKING:
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
    from hanalyze.chances.model_choice import (
        Choice as Choice,
        choose as choose,
        closest_model as closest_model,
    )
    from hanalyze.chances.one_game import (
        CardChances as CardChances,
        Odds as Odds,
        TurnChances as TurnChances,
        game_chances as game_chances,
    )

if not TYPE_CHECKING:
    __getattr__ = names_of(
        __name__,
        {
            "fitting": ("fit",),
            "model": ("MODELS", "Fit", "HandCards", "Model", "chances_of", "load_model", "rows_like"),
            "model_choice": ("Choice", "choose", "closest_model"),
            "one_game": ("CardChances", "Odds", "TurnChances", "game_chances"),
        },
    )

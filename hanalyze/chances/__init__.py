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
    from hanalyze.chances.one_game import game_chances as game_chances

if not TYPE_CHECKING:
    __getattr__ = names_of(__name__, {"one_game": ("game_chances",)})

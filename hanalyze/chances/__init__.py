"""Calibrated probabilities that a card is critical, playable or trash (docs/chances.md).

The state model adjusts card-counting odds for messages and context; use it to compare moves. The act layer
also takes the decision as evidence, which favours the chosen move; use it only to judge outcomes.
"""

from hanalyze.chances.one_game import game_chances as game_chances

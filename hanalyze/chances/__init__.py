"""Calibrated probabilities that a card is critical, playable or trash (docs/chances.md).

The state model corrects card-counting odds by messages and context; compare moves by it. The act layer also
takes the decision as evidence, which favours the move that was made; use it only to judge outcomes.
"""

from hanalyze.chances.one_game import game_chances as game_chances

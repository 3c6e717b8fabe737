"""An agent for tests of effects: it knows no convention, and nothing was ever fitted to its games."""

from __future__ import annotations

import random

from hanalyze import Action, ActionKind
from hanalyze.agents import Sight

CLUES = (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE)


class Muddler:
    """Plays what is surely or probably playable, else gives any clue or discards any card.

    The less likely its best card is playable, and the more tokens there are, the more often it gives a clue,
    so that whether it gives one depends on what only it knows.
    """

    def __init__(self) -> None:
        self._random = random.Random(5)

    def act(self, sight: Sight) -> Action:
        """Return an action."""
        chances = [
            (sum(one in sight.playable for one in card.possible) / len(card.possible), card.order)
            for card in sight.hand
        ]
        best, order = max(chances)
        if best >= (0.7 if sight.strikes < 2 else 1.0):
            return Action(ActionKind.PLAY, order, 0)
        clues = [action for action in sight.legal if action.kind in CLUES]
        if clues and self._random.random() < (1 - best) * sight.clue_tokens / 8 + 0.1:
            return self._random.choice(clues)
        discards = [action for action in sight.legal if action.kind == ActionKind.DISCARD]
        return self._random.choice(discards or clues)

"""An agent for tests of effects: it ignores clues, and no model was fitted on its games."""

from __future__ import annotations

import random

from hanalyze import Action, ActionKind
from hanalyze.agents import Sight

CLUES = (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE)


class Muddler:
    """Plays its newest card at random, more often if many unseen cards are playable.

    Otherwise it gives a clue, more often if others hold playable cards, or discards its oldest card. Its
    clues depend on the position, but have no effect on later actions.
    """

    def __init__(self) -> None:
        self._random = random.Random(5)

    def act(self, sight: Sight) -> Action:
        """Return an action."""
        unseen = sight.unseen[sight.me]
        copies = sum(map(len, unseen))
        chance = sum(card in sight.playable for cards in unseen for card in cards) / max(copies, 1)
        if sight.strikes < 2 and self._random.random() < 2 * chance - 0.2:
            return Action(ActionKind.PLAY, sight.hand[-1].order, 0)
        clues = [action for action in sight.legal if action.kind in CLUES]
        playable = [
            action for action in clues if any(card.card in sight.playable for card in sight.touched(action))
        ]
        if clues and self._random.random() < (0.8 if playable else 0.4):
            return self._random.choice(playable or clues)
        discards = [action for action in sight.legal if action.kind == ActionKind.DISCARD]
        return discards[0] if discards else self._random.choice(clues)

"""Rules that a log can break while its game can still be followed, with their descriptions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Defect(IntEnum):
    """The rule that a log breaks.

    An action that can still be carried out is carried out (a clue without a token leaves zero tokens), and
    the game goes on. One that cannot (`STOPPING`) ends the replay before it, because what the players saw
    then is unknown.
    """

    UNKNOWN_ACTION = 1
    """An action of a kind that does not exist."""
    ORDER_OUT_OF_RANGE = 2
    """A play or discard of a card that the deck does not have."""
    CARD_NOT_IN_HAND = 3
    """A play or discard of a card that the player does not hold."""
    SEAT_OUT_OF_RANGE = 4
    """A clue to a seat at which nobody sits."""
    CLUE_NOT_IN_VARIANT = 5
    """A clue of a colour or rank that cannot be named in the variant."""
    UNKNOWN_END = 6
    """An end of the game by a number that stands for no end condition."""
    ACTION_AFTER_END = 7
    """An action when the game was over.

    Logs of hanab.live from before April 2020 go on when nothing can be played any more, as the site's rule
    was younger than they are: there, the game is taken up again without that rule. After any other end the
    replay stops.
    """
    CLUE_TO_SELF = 8
    CLUE_WITHOUT_TOKEN = 9
    CLUE_TOUCHES_NOTHING = 10
    CLUE_KIND_REPEATED = 11
    """In Alternating Clues, a clue of the same kind as the one before."""
    DISCARD_AT_FULL_TOKENS = 12
    DECK_DIFFERS_FROM_SEED = 13
    """The log has a deck and a seed, and the seed deals another deck. The deck counts."""
    SCORE_DIFFERS = 14
    """The log names a score, and its actions come to another. The replay's counts."""

    @property
    def label(self) -> str:
        """The name in columns, messages and on the command line.

        >>> Defect.CLUE_WITHOUT_TOKEN.label
        'clue_without_token'
        """
        return self.name.lower()

    @property
    def sentence(self) -> str:
        """What is wrong, to be followed by what was found."""
        return _SENTENCES[self]


STOPPING: Final = frozenset(
    {
        Defect.UNKNOWN_ACTION,
        Defect.ORDER_OUT_OF_RANGE,
        Defect.CARD_NOT_IN_HAND,
        Defect.SEAT_OUT_OF_RANGE,
        Defect.CLUE_NOT_IN_VARIANT,
        Defect.UNKNOWN_END,
    }
)
"""The defects after which the rest of a log cannot be followed."""

_SENTENCES: Final = {
    Defect.UNKNOWN_ACTION: "an action of unknown kind",
    Defect.ORDER_OUT_OF_RANGE: "a card that the deck does not have",
    Defect.CARD_NOT_IN_HAND: "a card that is not in the player's hand",
    Defect.SEAT_OUT_OF_RANGE: "a clue to nobody",
    Defect.CLUE_NOT_IN_VARIANT: "a clue that the variant does not have",
    Defect.UNKNOWN_END: "an unknown way to end the game",
    Defect.ACTION_AFTER_END: "an action after the end of the game",
    Defect.CLUE_TO_SELF: "a clue to oneself",
    Defect.CLUE_WITHOUT_TOKEN: "a clue with no token left",
    Defect.CLUE_TOUCHES_NOTHING: "a clue that touches no card",
    Defect.CLUE_KIND_REPEATED: "a clue of the same kind as the clue before",
    Defect.DISCARD_AT_FULL_TOKENS: "a discard with all clue tokens available",
    Defect.DECK_DIFFERS_FROM_SEED: "a deck other than the one that its seed deals",
    Defect.SCORE_DIFFERS: "a score other than the one that its actions reach",
}

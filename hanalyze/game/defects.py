"""Rules that a log can break, with descriptions."""

from __future__ import annotations

from typing import Final

from hanalyze.game import Defined


class Defect(Defined):
    """The rule that a log breaks.

    The replay carries out every action that it can; a clue without a token leaves zero tokens. It stops
    before an action that it cannot carry out (`STOPPING`), because the next position is unknown.

    >>> Defect.CLUE_TO_SELF.label, Defect.CLUE_TO_SELF.sentence
    ('clue_to_self', 'a clue to oneself')
    """

    sentence: str
    """Description of the defect; messages add the details after it."""

    def __init__(self, _: int, sentence: str = "") -> None:
        self.definition = self.sentence = sentence

    UNKNOWN_ACTION = 1, "an action of unknown kind"
    ORDER_OUT_OF_RANGE = 2, "a card that the deck does not have"
    CARD_NOT_IN_HAND = 3, "a card that is not in the player's hand"
    SEAT_OUT_OF_RANGE = 4, "a clue to a seat that does not exist"
    CLUE_NOT_IN_VARIANT = 5, "a clue that the variant does not have"
    UNKNOWN_END = 6, "an unknown way to end the game"
    ACTION_AFTER_END = 7, "an action after the end of the game"
    """Before April 2020, hanab.live did not end a game when no card could be played any more. A log that
    continues such a game is replayed without that rule. After any other end the replay stops."""
    CLUE_TO_SELF = 8, "a clue to oneself"
    CLUE_WITHOUT_TOKEN = 9, "a clue with no token left"
    CLUE_TOUCHES_NOTHING = 10, "a clue that touches no card"
    CLUE_KIND_REPEATED = 11, "a clue of the same kind as the clue before"
    DISCARD_AT_FULL_TOKENS = 12, "a discard with all clue tokens available"
    DECK_DIFFERS_FROM_SEED = 13, "a deck other than the one that its seed deals"
    """The replay uses the deck of the log."""
    SCORE_DIFFERS = 14, "a score other than the one that its actions reach"
    """The score of the replay is used."""


STOPPING: Final = frozenset(defect for defect in Defect if defect <= Defect.UNKNOWN_END)
"""Defects after which the rest of a log cannot be replayed."""

"""The names of conventions, of reasons and of outcomes, for people.

In: nothing. Out: enumerations whose numbers are those of `hanalyze.conventions.codes`, with the H-Group's
level and a definition of each convention in one line.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

from hanalyze.conventions import codes
from hanalyze.tables.conventions import CONVENTION_WORDS, FAULT_RULE_WORDS, FAULT_WORDS, STATUS_WORDS

__all__ = ["LEVELS", "Convention", "Fault", "FaultRule", "Reason", "Status"]


class Convention(IntEnum):
    """What an action can mean.

    >>> Convention.BLUFF.label, Convention.BLUFF.level
    ('bluff', 11)
    """

    UNEXPLAINED = codes.UNEXPLAINED
    PLAY_CLUE = codes.PLAY_CLUE
    DELAYED_PLAY_CLUE = codes.DELAYED_PLAY_CLUE
    FIVE_SAVE = codes.FIVE_SAVE
    TWO_SAVE = codes.TWO_SAVE
    CRITICAL_SAVE = codes.CRITICAL_SAVE
    PROMPT = codes.PROMPT
    FINESSE = codes.FINESSE
    REVERSE_FINESSE = codes.REVERSE_FINESSE
    SELF_PROMPT = codes.SELF_PROMPT
    SELF_FINESSE = codes.SELF_FINESSE
    DOUBLE_FINESSE = codes.DOUBLE_FINESSE
    PROMPT_FINESSE = codes.PROMPT_FINESSE
    HIDDEN_FINESSE = codes.HIDDEN_FINESSE
    LAYERED_FINESSE = codes.LAYERED_FINESSE
    BLUFF = codes.BLUFF
    SELF_BLUFF = codes.SELF_BLUFF
    FIX_CLUE = codes.FIX_CLUE
    TEMPO_CLUE = codes.TEMPO_CLUE
    TEMPO_CLUE_STALL = codes.TEMPO_CLUE_STALL
    TEMPO_CHOP_MOVE = codes.TEMPO_CHOP_MOVE
    FILL_IN = codes.FILL_IN
    BURN = codes.BURN
    FIVE_STALL = codes.FIVE_STALL
    LOCKED_HAND_SAVE = codes.LOCKED_HAND_SAVE
    EIGHT_CLUE_SAVE = codes.EIGHT_CLUE_SAVE
    HARD_BURN = codes.HARD_BURN
    TRASH_CHOP_MOVE = codes.TRASH_CHOP_MOVE
    FIVE_CHOP_MOVE = codes.FIVE_CHOP_MOVE
    TRASH_PUSH = codes.TRASH_PUSH
    DISTRIBUTION_CLUE = codes.DISTRIBUTION_CLUE
    ORDER_OF_ONES = codes.ORDER_OF_ONES
    ORDER_CHOP_MOVE = codes.ORDER_CHOP_MOVE
    SARCASTIC_DISCARD = codes.SARCASTIC_DISCARD
    GENTLEMANS_DISCARD = codes.GENTLEMANS_DISCARD
    BATON_DISCARD = codes.BATON_DISCARD
    SCREAM_DISCARD = codes.SCREAM_DISCARD
    SHOUT_DISCARD = codes.SHOUT_DISCARD
    GENERATION_DISCARD = codes.GENERATION_DISCARD
    POSITIONAL_DISCARD = codes.POSITIONAL_DISCARD
    POSITIONAL_MISPLAY = codes.POSITIONAL_MISPLAY
    BLIND_PLAY = codes.BLIND_PLAY
    PROMPTED_PLAY = codes.PROMPTED_PLAY
    DEFERRAL = codes.DEFERRAL
    PLAIN_PLAY = codes.PLAIN_PLAY
    PLAIN_DISCARD = codes.PLAIN_DISCARD

    @property
    def label(self) -> str:
        """The word that stands for it in tables."""
        return CONVENTION_WORDS[self]

    @property
    def words(self) -> str:
        """What it is called in a text.

        >>> Convention.GENTLEMANS_DISCARD.words
        "gentleman's discard"
        """
        return self.label.replace("_", " ").replace("gentlemans", "gentleman's")

    @property
    def level(self) -> int:
        """The level at which the H-Group learns it."""
        return LEVELS[self]

    @property
    def definition(self) -> str:
        """What it is, in one line."""
        return _DEFINITIONS[self][1]


_DEFINITIONS: Final = {
    Convention.UNEXPLAINED: (1, "an action that none of the conventions here explains"),
    Convention.PLAY_CLUE: (1, "the focus fits a stack now"),
    Convention.DELAYED_PLAY_CLUE: (1, "the focus fits a stack once gotten cards have been played"),
    Convention.FIVE_SAVE: (1, "a rank clue to a 5 on chop"),
    Convention.TWO_SAVE: (1, "rank 2 to a 2 on chop of which no other copy is in sight off chop"),
    Convention.CRITICAL_SAVE: (1, "a clue to the last copy of a card on chop"),
    Convention.PROMPT: (1, "what is missing under the focus is a clued card of another player"),
    Convention.FINESSE: (1, "what is missing is on the finesse position of a player before the receiver"),
    Convention.REVERSE_FINESSE: (2, "a finesse on a player who acts after the receiver"),
    Convention.SELF_PROMPT: (2, "what is missing is a clued card of the receiver"),
    Convention.SELF_FINESSE: (2, "what is missing is on the receiver's own finesse position"),
    Convention.DOUBLE_FINESSE: (2, "two or more cards are played blind before the focus"),
    Convention.PROMPT_FINESSE: (2, "a clued card and a card played blind are missing"),
    Convention.HIDDEN_FINESSE: (5, "a clued card plays as something else, then the finesse position"),
    Convention.LAYERED_FINESSE: (5, "other playable cards lie in front of the card that is missing"),
    Convention.BLUFF: (11, "the next player plays a card blind that is not what is missing"),
    Convention.SELF_BLUFF: (11, "a bluff on the receiver by a rank clue"),
    Convention.FIX_CLUE: (3, "keeps a card from being misplayed, or shows a bad one"),
    Convention.TEMPO_CLUE: (6, "makes clued cards playable at once, which is worth a clue"),
    Convention.TEMPO_CLUE_STALL: (6, "makes a clued card playable where no discard is due"),
    Convention.TEMPO_CHOP_MOVE: (6, "makes a clued card playable, not worth a clue: moves the chop, too"),
    Convention.FILL_IN: (9, "tells more of clued cards and makes none playable"),
    Convention.BURN: (6, "tells nothing new"),
    Convention.FIVE_STALL: (2, "rank 5 to a 5 off chop where nothing better is to be done"),
    Convention.LOCKED_HAND_SAVE: (9, "any card on chop, by a player without a chop"),
    Convention.EIGHT_CLUE_SAVE: (9, "any card not on slot 1, with all clue tokens there"),
    Convention.HARD_BURN: (9, "tells nothing new where no discard is due"),
    Convention.TRASH_CHOP_MOVE: (4, "new cards known to be trash: the free cards older than they are kept"),
    Convention.FIVE_CHOP_MOVE: (4, "rank 5 to a 5 next to the chop: the chop is kept"),
    Convention.TRASH_PUSH: (14, "trash on the chop: the new chop is playable"),
    Convention.DISTRIBUTION_CLUE: (8, "a copy of a gotten card, to share the last plays"),
    Convention.ORDER_OF_ONES: (3, "one of several unknown 1s, in the order agreed"),
    Convention.ORDER_CHOP_MOVE: (4, "1s played out of order: as many seats on as were skipped, chop moved"),
    Convention.SARCASTIC_DISCARD: (3, "a known useful card discarded for a clued copy in another hand"),
    Convention.GENTLEMANS_DISCARD: (10, "a known playable card discarded for a copy on a finesse position"),
    Convention.BATON_DISCARD: (10, "a known card not playable yet, for a copy on a finesse position"),
    Convention.SCREAM_DISCARD: (7, "the chop in place of a known play: the next player's chop is kept"),
    Convention.SHOUT_DISCARD: (7, "known trash in place of a known play: the next player's chop is kept"),
    Convention.GENERATION_DISCARD: (7, "likewise, to give the next player a token for the one after"),
    Convention.POSITIONAL_DISCARD: (8, "an unusual slot, late in the game: the same slot plays elsewhere"),
    Convention.POSITIONAL_MISPLAY: (8, "the same by a misplay"),
    Convention.BLIND_PLAY: (1, "plays a card that a finesse or a bluff called"),
    Convention.PROMPTED_PLAY: (1, "plays a card that a prompt called"),
    Convention.DEFERRAL: (5, "lets a called card wait"),
    Convention.PLAIN_PLAY: (1, "plays a card that answers no call"),
    Convention.PLAIN_DISCARD: (1, "a discard without a message"),
}

LEVELS: Final = tuple(_DEFINITIONS[convention][0] for convention in Convention)
"""The level of each convention, by its number."""


class Status(IntEnum):
    """What became of what a finding expects."""

    NOTHING_EXPECTED = codes.NOTHING_EXPECTED
    OPEN = codes.OPEN
    SUCCESS = codes.SUCCESS
    FAILED = codes.FAILED
    MISSED = codes.MISSED
    STOMPED = codes.STOMPED
    BROKEN = codes.BROKEN
    SUPERSEDED = codes.SUPERSEDED
    PASSED_BACK = codes.PASSED_BACK
    CENSORED = codes.CENSORED

    @property
    def label(self) -> str:
        """The word that stands for it in tables."""
        return STATUS_WORDS[self]


class Fault(IntEnum):
    """Who is at fault for a misplay."""

    NONE = codes.NO_MISPLAY
    GIVER = codes.GIVER
    PLAYER = codes.PLAYER
    THIRD = codes.THIRD
    NOBODY = codes.NOBODY
    SHARED = codes.SHARED

    @property
    def label(self) -> str:
        """The word that stands for it in tables."""
        return FAULT_WORDS[self]


class FaultRule(IntEnum):
    """By which rule that was decided.

    >>> FaultRule.FALSE_CALL.label, FaultRule.FALSE_CALL.number
    ('false_call', 3)
    """

    NO_RULE = codes.NO_RULE
    INTENDED = codes.INTENDED
    NO_MESSAGE = codes.NO_MESSAGE
    FALSE_CALL = codes.FALSE_CALL
    BROKEN_CALL = codes.BROKEN_CALL
    WRONG_CARD = codes.WRONG_CARD
    FALSE_CLUE = codes.FALSE_CLUE
    BAD_CARD = codes.BAD_CARD
    LATER_COPY = codes.LATER_COPY
    UNLUCKY = codes.UNLUCKY
    BROKEN_CHAIN = codes.BROKEN_CHAIN
    SAVE_MISREAD = codes.SAVE_MISREAD
    NOT_AWAITED = codes.NOT_AWAITED
    GAMBLE = codes.GAMBLE
    CONTRADICTION = codes.CONTRADICTION

    @property
    def label(self) -> str:
        """The word that stands for it in tables."""
        return FAULT_RULE_WORDS[self]

    @property
    def number(self) -> int:
        """What the misplay was about: 1 intended, 2 nothing told, 3 a called card, 4 a clued card; 0 none."""
        return _FAULT_RULES[self][0]

    @property
    def definition(self) -> str:
        """When it applies, and who is at fault, in one line."""
        return _FAULT_RULES[self][1]


_FAULT_RULES: Final = {
    FaultRule.NO_RULE: (0, "no card was misplayed"),
    FaultRule.INTENDED: (1, "a message by a misplay, or a try in the last round: nobody"),
    FaultRule.NO_MESSAGE: (2, "nobody had called or clued the card: the player"),
    FaultRule.FALSE_CALL: (3, "the called card was never what the call takes it for: the giver"),
    FaultRule.BROKEN_CALL: (3, "the call was right until somebody played the card's copy: that seat"),
    FaultRule.WRONG_CARD: (3, "not the card that was called, or before its turn: the player"),
    FaultRule.FALSE_CLUE: (4, "told to be playable, which it was not: the giver"),
    FaultRule.BAD_CARD: (4, "told to be playable, a copy or trash as the giver could see: the giver"),
    FaultRule.LATER_COPY: (4, "a copy was got by a later message and played first: who gave that one"),
    FaultRule.UNLUCKY: (4, "a copy lay in the giver's hand, unknown to the giver: nobody"),
    FaultRule.BROKEN_CHAIN: (4, "what was to be played first was not, against the call: who let it pass"),
    FaultRule.SAVE_MISREAD: (4, "clued on the chop, perhaps only to be kept: the player"),
    FaultRule.NOT_AWAITED: (4, "other cards were to be played first, and had no turn yet: the player"),
    FaultRule.GAMBLE: (4, "the player knew that the card may not fit: the player"),
    FaultRule.CONTRADICTION: (4, "told to be what it is not, and not played as told: giver and player"),
}


class Reason(IntFlag):
    """What speaks against an action, or explains it.

    >>> Reason(codes.BAD_TOUCH | codes.NO_VALUE).words
    ('bad touch', 'no value')
    """

    BAD_TOUCH = codes.BAD_TOUCH
    DUPLICATE = codes.DUPLICATE
    NO_CHAIN = codes.NO_CHAIN
    WRONG_PROMPT = codes.WRONG_PROMPT
    UNREADABLE = codes.UNREADABLE
    SIMPLER_READING = codes.SIMPLER_READING
    STALL_NOT_ALLOWED = codes.STALL_NOT_ALLOWED
    BETTER_CLUE = codes.BETTER_CLUE
    NO_VALUE = codes.NO_VALUE
    STOMP = codes.STOMP
    UNSEEN_COPY_RULE = codes.UNSEEN_COPY_RULE
    GUESS = codes.GUESS
    PLAYABLE_HELD = codes.PLAYABLE_HELD
    TRASH_HELD = codes.TRASH_HELD
    DOUBLE_DISCARD = codes.DOUBLE_DISCARD
    OUT_OF_ORDER = codes.OUT_OF_ORDER
    MISPLAY = codes.MISPLAY
    LEGAL_DEFERRAL = codes.LEGAL_DEFERRAL
    LATE = codes.LATE
    FINESSE_OR_BLUFF = codes.FINESSE_OR_BLUFF
    HIDDEN_CARD = codes.HIDDEN_CARD
    UNDEFINED_HERE = codes.UNDEFINED_HERE
    GIVERS_CARD = codes.GIVERS_CARD
    SAVE_MISSED = codes.SAVE_MISSED
    SAVE_LEFT = codes.SAVE_LEFT

    @property
    def words(self) -> tuple[str, ...]:
        """The reasons as words, in order."""
        return tuple((one.name or "").lower().replace("_", " ") for one in self)

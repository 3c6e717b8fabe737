"""What actions can mean: conventions, what became of them, what speaks against an action, who is to blame.

In: nothing. Out: enumerations, each thing once, with its number, its word and its definition. Numbers, words
and bits of published columns are these; compiled code uses the members as the integers that they are.
Source of conventions and levels: the H-Group, https://hanabi.github.io.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Self

__all__ = ["Convention", "Fault", "FaultRule", "Reason", "Status", "StepKind"]


class _Word(IntEnum):
    """A number with a word."""

    @property
    def label(self) -> str:
        """The word that stands for it in tables."""
        return self.name.lower()


class _Defined(_Word):
    """A number with a word and a definition; what else a member has follows its number."""

    definition: str
    """What it is, or when it holds, in one line."""

    def __new__(cls, number: int, *_: object) -> Self:
        """Return the member of a number."""
        member = int.__new__(cls, number)
        member._value_ = number
        return member


class Convention(_Defined):
    """What an action can mean: its number, the H-Group's level, what it is.

    >>> Convention.BLUFF.label, Convention.BLUFF.level
    ('bluff', 11)
    """

    level: int
    """The level at which the H-Group learns it, 1 to 25."""

    def __init__(self, number: int, level: int = 1, definition: str = "") -> None:
        self.level = level
        self.definition = definition

    UNEXPLAINED = 0, 1, "an action that none of the conventions here explains"
    PLAY_CLUE = 1, 1, "the focus fits a stack now"
    DELAYED_PLAY_CLUE = 2, 1, "the focus fits a stack once gotten cards have been played"
    FIVE_SAVE = 3, 1, "a rank clue to a 5 on chop"
    TWO_SAVE = 4, 1, "rank 2 to a 2 on chop of which no other copy is in sight off chop"
    CRITICAL_SAVE = 5, 1, "a clue to the last copy of a card on chop"
    PROMPT = 6, 1, "what is missing under the focus is a clued card of another player"
    FINESSE = 7, 1, "what is missing is on the finesse position of a player before the receiver"
    REVERSE_FINESSE = 8, 2, "a finesse on a player who acts after the receiver"
    SELF_PROMPT = 9, 2, "what is missing is a clued card of the receiver"
    SELF_FINESSE = 10, 2, "what is missing is on the receiver's own finesse position"
    DOUBLE_FINESSE = 11, 2, "two or more cards are played blind before the focus"
    PROMPT_FINESSE = 12, 2, "a clued card and a card played blind are missing"
    HIDDEN_FINESSE = 13, 5, "a clued card plays as something else, then the finesse position"
    LAYERED_FINESSE = 14, 5, "other playable cards lie in front of the card that is missing"
    BLUFF = 15, 11, "the next player plays a card blind that is not what is missing"
    SELF_BLUFF = 16, 11, "a bluff on the receiver by a rank clue"
    FIX_CLUE = 17, 3, "keeps a card from being misplayed, or shows a bad one"
    TEMPO_CLUE = 18, 6, "makes clued cards playable at once, which is worth a clue"
    TEMPO_CLUE_STALL = 19, 6, "makes a clued card playable where no discard is due"
    TEMPO_CHOP_MOVE = 20, 6, "makes a clued card playable, not worth a clue: moves the chop, too"
    FILL_IN = 21, 9, "tells more of clued cards and makes none playable"
    BURN = 22, 6, "tells nothing new"
    FIVE_STALL = 23, 2, "rank 5 to a 5 off chop where nothing better is to be done"
    LOCKED_HAND_SAVE = 24, 9, "any card on chop, by a player without a chop"
    EIGHT_CLUE_SAVE = 25, 9, "any card not on slot 1, with all clue tokens there"
    HARD_BURN = 26, 9, "tells nothing new where no discard is due"
    TRASH_CHOP_MOVE = 27, 4, "new cards known to be trash: the free cards older than they are kept"
    FIVE_CHOP_MOVE = 28, 4, "rank 5 to a 5 next to the chop: the chop is kept"
    TRASH_PUSH = 29, 14, "trash on the chop: the new chop is playable"
    DISTRIBUTION_CLUE = 30, 8, "a copy of a gotten card, to share the last plays"
    ORDER_OF_ONES = 31, 3, "one of several unknown 1s, in the order agreed"
    ORDER_CHOP_MOVE = 32, 4, "1s played out of order: as many seats on as were skipped, chop moved"
    SARCASTIC_DISCARD = 33, 3, "a known useful card discarded for a clued copy in another hand"
    GENTLEMANS_DISCARD = 34, 10, "a known playable card discarded for a copy on a finesse position"
    BATON_DISCARD = 35, 10, "a known card not playable yet, for a copy on a finesse position"
    SCREAM_DISCARD = 36, 7, "the chop in place of a known play: the next player's chop is kept"
    SHOUT_DISCARD = 37, 7, "known trash in place of a known play: the next player's chop is kept"
    GENERATION_DISCARD = 38, 7, "likewise, to give the next player a token for the one after"
    POSITIONAL_DISCARD = 39, 8, "an unusual slot, late in the game: the same slot plays elsewhere"
    POSITIONAL_MISPLAY = 40, 8, "the same by a misplay"
    BLIND_PLAY = 41, 1, "plays a card that a finesse or a bluff called"
    PROMPTED_PLAY = 42, 1, "plays a card that a prompt called"
    DEFERRAL = 43, 5, "lets a called card wait"
    PLAIN_PLAY = 44, 1, "plays a card that answers no call"
    PLAIN_DISCARD = 45, 1, "a discard without a message"

    @property
    def words(self) -> str:
        """What it is called in a text.

        >>> Convention.GENTLEMANS_DISCARD.words
        "gentleman's discard"
        """
        return self.label.replace("_", " ").replace("gentlemans", "gentleman's")


class StepKind(_Word):
    """What a message asks of a card before its focus can be played."""

    PROMPT = 1
    """A clued card, to be played as the identity that is missing."""
    FINESSE = 2
    """The card on a finesse position, to be played blind as the identity that is missing."""
    HIDDEN_PROMPT = 3
    """A clued card that is taken for the missing one, though it is another playable card."""
    LAYER = 4
    """A playable card in front of the missing one, to be played blind."""
    BLUFF = 5
    """A card to be played blind, whatever it is."""


class Status(_Word):
    """What became of what a message expects."""

    NOTHING_EXPECTED = 0
    OPEN = 1
    SUCCESS = 2
    FAILED = 3
    MISSED = 4
    STOMPED = 5
    BROKEN = 6
    SUPERSEDED = 7
    PASSED_BACK = 8
    CENSORED = 9


class Reason(_Defined):
    """What speaks against an action, or explains it; n is bit n of the column `reasons`.

    >>> Reason.BAD_TOUCH.definition
    'a newly touched card is trash'
    """

    words: str
    """The reason in a text."""

    def __init__(self, number: int, words: str = "", definition: str = "") -> None:
        self.words = words
        self.definition = definition

    BAD_TOUCH = 0, "bad touch", "a newly touched card is trash"
    DUPLICATE = (
        1,
        "duplicates a card",
        "a newly touched card is a copy of a gotten one, or two players would play the same card",
    )
    NO_CHAIN = 2, "nobody has the connecting card", "nobody has the card that is missing under the focus"
    WRONG_PROMPT = 3, "wrong prompt", "a clued card would be played as the missing one, which it is not"
    UNREADABLE = 4, "cannot be read", "the receiver cannot take the focus for what it is"
    SIMPLER_READING = (
        5,
        "has a simpler reading",
        "the receiver may take the focus for something that needs no card of their own",
    )
    STALL_NOT_ALLOWED = 6, "no stall was due", "it tells nothing that is needed, although a discard was due"
    BETTER_CLUE = 7, "missed a better clue", "a clue that gets cards could have been given instead"
    NO_VALUE = 8, "gets no card", "it gets no card"
    STOMP = 9, "stomp", "it touches a card that was called to be played blind"
    UNSEEN_COPY_RULE = 10, "the other 2 was visible", "another copy of the 2 is in sight: no need to save it"
    GUESS = 11, "guess", "the card was not known to fit"
    PLAYABLE_HELD = 12, "had a playable card", "the player held a card known to be playable"
    TRASH_HELD = 13, "had known trash", "the player held a card known to be trash"
    DOUBLE_DISCARD = 14, "double discard", "the chop may be the other copy of the card just discarded"
    OUT_OF_ORDER = 15, "out of order", "not the card that is due: not the chop, or not the next of several 1s"
    MISPLAY = 16, "misplay", "the card does not fit"
    LEGAL_DEFERRAL = (
        17,
        "waits for something else first",
        "a called card waits for something that may go first",
    )
    LATE = 18, "waits without a reason", "a called card waits, and nothing excuses that"
    FINESSE_OR_BLUFF = (
        19,
        "finesse or bluff",
        "a finesse or a bluff, depending on a card that is not known",
    )
    HIDDEN_CARD = 20, "depends on an unknown card", "it depends on a card that is not known"
    UNDEFINED_HERE = (
        21,
        "not covered by the conventions",
        "conventions do not cover it: a clue to oneself, a variant that tells too little",
    )
    GIVERS_CARD = (
        22,
        "relies on the giver's own hand",
        "it relies on a card in the giver's own hand, which the giver does not know",
    )
    SAVE_MISSED = 23, "left a card unsaved", "it was the last chance to save a card about to be discarded"
    SAVE_LEFT = (
        24,
        "left a save to others",
        "a card about to be discarded was left for another player to save",
    )

    @classmethod
    def among(cls, reasons: int) -> tuple[Reason, ...]:
        """Return the reasons of a value of the column `reasons`, in order.

        >>> [reason.words for reason in Reason.among(0b1_0000_0001)]
        ['bad touch', 'gets no card']
        """
        return tuple(one for one in cls if reasons >> one & 1)


class Fault(_Word):
    """Who is at fault for a misplay."""

    NONE = 0
    GIVER = 1
    PLAYER = 2
    THIRD = 3
    NOBODY = 4
    SHARED = 5


class FaultRule(_Defined):
    """The rule that says who is at fault for a misplay.

    >>> FaultRule.FALSE_CALL.label, FaultRule.FALSE_CALL.number
    ('false_call', 3)
    """

    number: int
    """What the misplay was about: 1 intended, 2 nothing told, 3 a called card, 4 a clued card; 0 none."""

    def __init__(self, value: int, number: int = 0, definition: str = "") -> None:
        self.number = number
        self.definition = definition

    NO_RULE = 0, 0, "no card was misplayed"
    INTENDED = 1, 1, "a message by a misplay, or a try in the last round: nobody"
    NO_MESSAGE = 2, 2, "nobody had called or clued the card: the player"
    FALSE_CALL = 3, 3, "the called card was never what the call takes it for: the giver"
    BROKEN_CALL = 4, 3, "the call was right until somebody played the card's copy: that seat"
    WRONG_CARD = 5, 3, "not the card that was called, or before its turn: the player"
    FALSE_CLUE = 6, 4, "told to be playable, which it was not: the giver"
    BAD_CARD = 7, 4, "told to be playable, a copy or trash as the giver could see: the giver"
    LATER_COPY = 8, 4, "a copy was got by a later message and played first: who gave that one"
    UNLUCKY = 9, 4, "a copy lay in the giver's hand, unknown to the giver: nobody"
    BROKEN_CHAIN = 10, 4, "what was to be played first was not, against the call: who let it pass"
    SAVE_MISREAD = 11, 4, "clued on the chop, perhaps only to be kept: the player"
    NOT_AWAITED = 12, 4, "other cards were to be played first, and had no turn yet: the player"
    GAMBLE = 13, 4, "the player knew that the card may not fit: the player"
    CONTRADICTION = 14, 4, "told to be what it is not, and not played as told: giver and player"

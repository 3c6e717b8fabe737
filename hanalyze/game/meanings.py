"""Meanings of actions: conventions, outcomes, reasons for and against actions, rules of fault.

Published columns contain these numbers and labels. Conventions and levels follow https://hanabi.github.io.
"""

from __future__ import annotations

from typing import Final

from hanalyze.game import Defined, Labelled, Worded


class Convention(Defined):
    """A meaning of an action; each member has a number, the H-Group's level and a definition.

    >>> Convention.BLUFF.label, Convention.BLUFF.level
    ('bluff', 11)
    """

    level: int
    """Level at which the H-Group teaches the convention, 1 to 25."""

    def __init__(self, number: int, level: int = 1, definition: str = "") -> None:
        self.level = level
        self.definition = definition

    # fmt: off
    UNEXPLAINED = 0, 1, "an action that no supported convention explains"
    PLAY_CLUE = 1, 1, "the focus is playable now"
    DELAYED_PLAY_CLUE = 2, 1, "the focus becomes playable once gotten cards have been played"
    FIVE_SAVE = 3, 1, "a rank clue that saves a 5 on chop"
    TWO_SAVE = 4, 1, "a rank clue to a 2 on chop with no other copy visible off chop"
    CRITICAL_SAVE = 5, 1, "a clue that saves the last copy of a card on chop"
    PROMPT = 6, 1, "the connecting card is a clued card in another hand"
    FINESSE = 7, 1, "the connecting card is on the finesse position of a player before the receiver"
    REVERSE_FINESSE = 8, 2, "a finesse on a player who acts after the receiver"
    SELF_PROMPT = 9, 1, "the connecting card is a clued card in the receiver's hand"
    SELF_FINESSE = 10, 2, "the connecting card is on the receiver's own finesse position"
    DOUBLE_FINESSE = 11, 2, "two or more cards are blind-played before the focus"
    PROMPT_FINESSE = 12, 2, "one connecting card is clued, another is blind-played"
    HIDDEN_FINESSE = 13, 5, "a prompted card turns out to be another playable card, then the finesse position plays"
    LAYERED_FINESSE = 14, 5, "other playable cards lie in front of the connecting card"
    BLUFF = 15, 11, "the next player blind-plays a card that is not the connecting card"
    SELF_BLUFF = 16, 11, "a rank clue that bluffs its receiver"
    FIX_CLUE = 17, 3, "prevents a misplay, or shows that a card is bad"
    TEMPO_CLUE = 18, 6, "shows that clued cards can be played now, and they are enough to be worth a clue"
    TEMPO_CLUE_STALL = 19, 6, "shows that a clued card can be played, when no discard is due"
    TEMPO_CHOP_MOVE = 20, 6, "only shows that a clued card can be played, which is not worth a clue: the receiver's chop is chop moved, too"
    FILL_IN = 21, 9, "tells more about clued cards, but not that one can be played"
    BURN = 22, 6, "tells nothing new"
    FIVE_STALL = 23, 2, "a rank clue to a 5 off chop when there is nothing better to do"
    LOCKED_HAND_SAVE = 24, 9, "a clue to any card on chop, given by a player with a locked hand"
    EIGHT_CLUE_SAVE = 25, 9, "a clue to any card outside slot 1, given at full clue tokens"
    HARD_BURN = 26, 9, "tells nothing new when no discard is due"
    TRASH_CHOP_MOVE = 27, 4, "touches new cards known to be trash: all older unclued cards are chop moved"
    FIVE_CHOP_MOVE = 28, 4, "a rank clue to a 5 next to the chop: the chop is chop moved"
    TRASH_PUSH = 29, 14, "touches trash on chop: the new chop is playable"
    DISTRIBUTION_CLUE = 30, 8, "a clue to a copy of a gotten card, to share the last plays"
    ORDER_OF_ONES = 31, 3, "plays one of several unknown 1s in the agreed order"
    ORDER_CHOP_MOVE = 32, 4, "plays a 1 out of order: skipping n of the 1s moves the chop of the player n seats ahead"
    SARCASTIC_DISCARD = 33, 3, "discards a known useful card for a clued copy in another hand"
    GENTLEMANS_DISCARD = 34, 10, "discards a known playable card for a copy on a finesse position"
    BATON_DISCARD = 35, 10, "discards a known card that is not playable yet for a copy on a finesse position"
    SCREAM_DISCARD = 36, 7, "discards the chop instead of a known play: the next player's chop is chop moved"
    SHOUT_DISCARD = 37, 7, "discards known trash instead of a known play: the next player's chop is chop moved"
    GENERATION_DISCARD = 38, 7, "discards instead of a known play: the next player gets a token to save the chop after theirs"
    POSITIONAL_DISCARD = 39, 8, "discards an unusual slot late in the game: another player plays the same slot"
    POSITIONAL_MISPLAY = 40, 8, "misplays an unusual slot late in the game: another player plays the same slot"
    BLIND_PLAY = 41, 1, "plays a card that a finesse or bluff called"
    PROMPTED_PLAY = 42, 1, "plays a card that a prompt called"
    DEFERRAL = 43, 5, "another action instead of playing a called card"
    PLAIN_PLAY = 44, 1, "plays a card that was not called"
    PLAIN_DISCARD = 45, 1, "a discard without a message"
    THREE_BLUFF = 46, 13, "a bluff whose focus is a 3 for which two cards are missing"
    CRITICAL_COLOUR_BLUFF = 47, 13, "a bluff by colour whose focus is a last copy for which more than one card is missing"
    HARD_BLUFF = 48, 13, "a bluff that might also begin a finesse that continues with a clued card of the receiver"
    GOOD_TOUCH_BLUFF = 49, 13, "a bluff by a card that would lead to the focus, but a third player holds the next card"
    CLANDESTINE_FINESSE = 50, 5, "a layered finesse whose first card seems to be the one that the clue is for"
    NO_INFORMATION_FINESSE = 51, 20, "a finesse by a clue that tells nothing new about the cards it touches"
    FIVE_COLOUR_EJECTION = 52, 16, "a new 5 clued by colour, far from playable: the next player plays the second finesse position"
    FOUR_CHARM = 53, 23, "a new 4, three or more cards away: the next player plays the fourth finesse position"
    TRASH_FINESSE = 54, 14, "touches trash that seems to be a playable card: the player who has this card on the finesse position plays it"
    TRASH_BLUFF = 55, 14, "touches trash that seems playable: the next player blind-plays another card"
    UNKNOWN_TRASH_DISCHARGE = 56, 16, "touches trash that seems useful: the next player plays the third finesse position"
    FIVE_PULL = 57, 19, "while the score is low, a rank clue to a 5 off chop: the card next to the 5 is playable"
    OUT_OF_ORDER_CLUE = 58, 20, "a colour clue about a card that is too high: once that is shown, the other new cards play from the left"
    BLAZE_DISCARD = 59, 23, "discards a known card for a copy behind a finesse position: the next player plays the same place"
    CHOP_MOVE_IGNITION = 60, 21, "chop moves a card that a clue could have got: the next player's newest unclued card plays, then that card"
    REVERSE_TRASH_FINESSE = 61, 14, "touches trash that seems to be another player's card: the trash is discarded, and the other player's card plays"
    ELIMINATION = 62, 18, "a clue that leaves only one card that can be the copy of a discarded card: that card is playable"
    UNNECESSARY_PUSH = 63, 24, "a trash push of a card that a clue could have got: first the next player's newest card plays"
    SUBOPTIMAL_CLUE = 64, 20, "a clue to a last copy on chop though another clue would touch more: a finesse or bluff, not a save"
    ASSISTED_CHOP_MOVE = 65, 17, "shows trash by a copy of a gotten card: once the copy is played, the chop moves behind the trash"
    TIME_TRAVEL_CHOP_MOVE = 66, 17, "a play clue that only gets a copy of a gotten card: once the copy is played, the chop moves behind it"
    TRASH_TOUCH = 67, 18, "touches a bad card that another clue would avoid: if a player sees no copy of the card that it seems to be, that player holds one"
    # fmt: on

    @property
    def words(self) -> str:
        """Name of the convention in sentences.

        >>> Convention.GENTLEMANS_DISCARD.words
        "gentleman's discard"
        """
        return self.label.replace("_", " ").replace("gentlemans", "gentleman's")


class StepKind(Labelled):
    """Kind of a connecting card that has to be played before the focus of a message."""

    PROMPT = 1
    """A clued card, to be played as the missing card."""
    FINESSE = 2
    """The card on a finesse position, to be played blind as the missing card."""
    HIDDEN_PROMPT = 3
    """A clued card that seems to be the missing card, but is another playable card."""
    LAYER = 4
    """A playable card in front of the missing card, to be played blind."""
    BLUFF = 5
    """A card to be played blind, whatever it is."""


class OutcomeKind(Worded):
    """Outcome of the plays or saves that a message expects."""

    # fmt: off
    NOTHING_EXPECTED = 0, "nothing expected", "the message did not call for a play or a save"
    OPEN = 1, "still open", "the play or save that the message calls for has not happened yet"
    SUCCESS = 2, "worked", "the called card was played, or the saved card was kept and later played"
    FAILED = 3, "failed", "the card that the message was about was lost"
    MISSED = 4, "missed", "a called card was not played although it was due"
    STOMPED = 5, "overridden by another clue", "a called card was clued before it was played"
    BROKEN = 6, "broke", "a called card was misplayed"
    SUPERSEDED = 7, "no longer needed", "another copy was played first, or the card became trash"
    PASSED_BACK = 8, "moved to another copy", "the card was discarded because another hand has a copy"
    CENSORED = 9, "game ended first", "the game ended before the outcome was known"
    # fmt: on


SETTLED: Final = ("success", "failed", "missed", "stomped", "broken", "passed_back")
"""Outcomes that show whether the convention worked. Not included: nothing expected, still open, cut off by
the end of the game (censored), and cards that another copy made unnecessary (superseded)."""

FOLLOWED: Final = ("success", "broken", "passed_back")
"""Settled outcomes in which the called players followed the message. They also followed it if the focus was
misplayed (failed, with a strike)."""


class Reason(Worded):
    """A reason against an action, or an explanation of it; member n is bit n of the column `reasons`.

    >>> Reason.BAD_TOUCH.definition
    'a newly touched card is trash'
    """

    # fmt: off
    BAD_TOUCH = 0, "bad touch", "a newly touched card is trash"
    DUPLICATE = 1, "duplicates a card", "a newly touched card duplicates a gotten one, or two players would play the same card"
    NO_CHAIN = 2, "calls no connecting card", "nobody holds the card to be played before the focus in a place where a clue calls it"
    WRONG_PROMPT = 3, "wrong prompt", "a clued card would be played as the connecting card, but is a different card"
    UNREADABLE = 4, "cannot be read", "no reading open to the receiver matches the focus"
    SIMPLER_READING = 5, "has a simpler reading", "the receiver may read the focus as a card that needs no play from their own hand"
    STALL_NOT_ALLOWED = 6, "no stall was due", "the clue makes no card playable although a discard was due"
    BETTER_CLUE = 7, "missed a better clue", "a clue that gets cards, or a better stall, was available"
    NO_VALUE = 8, "gets no card", "the clue gets no card"
    STOMP = 9, "stomp", "the clue touches a card called for a blind play"
    UNSEEN_COPY_RULE = 10, "the other 2 was visible", "another copy of the 2 is visible, so it needs no save"
    GUESS = 11, "guess", "the card was not known to be playable"
    PLAYABLE_HELD = 12, "had a card that seemed playable", "clues and messages seemed to show that a card in hand was playable"
    TRASH_HELD = 13, "had a card that seemed trash", "clues and messages seemed to show that a card in hand was trash"
    DOUBLE_DISCARD = 14, "double discard", "the chop may be the other copy of the card that was just discarded or misplayed"
    OUT_OF_ORDER = 15, "out of order", "the card was not the expected one, which is the chop or the next of several 1s"
    MISPLAY = 16, "misplay", "the card is not playable"
    LEGAL_DEFERRAL = 17, "waits for something else first", "the player puts off a called card for something that may come first"
    LATE = 18, "waits without a reason", "the player puts off a called card without an excuse"
    FINESSE_OR_BLUFF = 19, "finesse or bluff", "a finesse or a bluff, depending on an unknown card"
    HIDDEN_CARD = 20, "depends on an unknown card", "the meaning of the action depends on a card in a hidden hand"
    UNDEFINED_HERE = 21, "not covered by the conventions", "the conventions do not cover the action: a clue to oneself, or a variant such as Duck or Up or Down"
    GIVERS_CARD = 22, "relies on the giver's own hand", "the clue relies on a card in the giver's own hand that the giver does not know"
    SAVE_MISSED = 23, "left a card unsaved", "the action passed the last chance to save a card about to be discarded"
    SAVE_LEFT = 24, "left a save to others", "saving a card about to be discarded was left to another player"
    SUPPOSED_CALL = 25, "perhaps answers a clue", "no message calls the card, but a recent clue against convention may seem to call it"
    # fmt: on

    @classmethod
    def among(cls, reasons: int) -> tuple[Reason, ...]:
        """Return the reasons in a value of the column `reasons`, in order of their bits.

        >>> [reason.words for reason in Reason.among(0b1_0000_0001)]
        ['bad touch', 'gets no card']
        """
        return tuple(reason for reason in cls if reasons >> reason & 1)


class Fault(Labelled):
    """Role of the player at fault for a misplay: giver of the clue, player of the card, or a third player.

    `SHARED` means two players; `NONE` is the value of all other actions.
    """

    NONE = 0
    GIVER = 1
    PLAYER = 2
    THIRD = 3
    NOBODY = 4
    SHARED = 5


class FaultRule(Defined):
    """The rule that determines who is at fault for a misplay.

    >>> FaultRule.FALSE_CALL.label, FaultRule.FALSE_CALL.number
    ('false_call', 3)
    """

    number: int
    """Group of the rule: 0 no misplay, 1 intended, 2 no message, 3 a called card, 4 a clued card."""

    cause: str
    """Cause of the misplay; `definition` also contains who is at fault."""

    def __init__(self, value: int, number: int = 0, cause: str = "", who: str = "") -> None:
        self.number = number
        self.cause = cause
        self.definition = f"{cause}: {who}" if who else cause

    # fmt: off
    NO_RULE = 0, 0, "no card was misplayed"
    INTENDED = 1, 1, "a misplay meant as a message, or a try in the last round", "nobody"
    NO_MESSAGE = 2, 2, "nobody had called or clued the card", "the player"
    FALSE_CALL = 3, 3, "the message called for a card that was not there", "the giver"
    BROKEN_CALL = 4, 3, "the call was right until somebody played the other copy", "that player"
    WRONG_CARD = 5, 3, "a card other than the called card was played, or the called card was played before its turn", "the player"
    FALSE_CLUE = 6, 4, "clued as playable, but it was not", "the giver"
    BAD_CARD = 7, 4, "clued as playable, although the giver could see that it was trash or a duplicate", "the giver"
    LATER_COPY = 8, 4, "a later message got another copy, which was played first", "the giver of that message, shared with a player who played a known copy of the giver's card"
    UNLUCKY = 9, 4, "the card was useless by the time it was played, which the giver could not know", "nobody"
    BROKEN_CHAIN = 10, 4, "a card that had to be played first was not played", "the player who should have played it"
    SAVE_MISREAD = 11, 4, "a clue to the chop, which may have been only a save, was read as a play clue", "the player"
    NOT_AWAITED = 12, 4, "played too early, before other cards that had to be played first", "the player, shared with another player who had broken a call"
    GAMBLE = 13, 4, "the player knew that the card might not be playable", "the player"
    CONTRADICTION = 14, 4, "the clue was wrong, and the player did not follow it either", "giver and player"
    UNCLEAR_CALL = 15, 3, "the clue was against convention and may have seemed to call the card", "its giver, shared with a player who could tell that it called no such card"
    KNOWN_UNFIT = 16, 4, "the player could tell that the card was not playable", "the player"
    TOLD_TRASH = 17, 4, "messages had marked the card as trash", "the player"
    NOT_FIXED = 18, 4, "a wrong clue stood for more than two rounds, although a fix was possible", "the last player who could fix it"
    # fmt: on

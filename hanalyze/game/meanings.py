"""Meanings of actions: conventions, outcomes, reasons for and against actions, rules of fault.

Published columns contain these numbers and labels. Conventions and levels follow https://hanabi.github.io. In
the examples, R5 is the red 5, and slot 1 is the newest card.
"""

from __future__ import annotations

from typing import Final

from hanalyze.game import Defined, Labelled, Worded


class Convention(Defined):
    """A meaning of an action: its number, H-Group level, definition, example, and place on the level's page.

    >>> Convention.BLUFF.label, Convention.BLUFF.level
    ('bluff', 11)
    """

    level: int
    """Level at which the H-Group teaches the convention, 1 to 25."""

    def __init__(
        self, number: int, level: int = 1, definition: str = "", example: str = "", place: str | None = ""
    ) -> None:
        self.level = level
        self.definition = definition
        self.example = example
        self.page = "" if place is None else f"level-{level}{place}"

    # fmt: off
    UNEXPLAINED = 0, 1, "an action that no supported convention explains", "A clue touches G4, which is not on chop, and nobody has G3.", None
    PLAY_CLUE = 1, 1, "the focus is playable now", "Red is at 2; R3 is clued."
    DELAYED_PLAY_CLUE = 2, 1, "the focus becomes playable once gotten cards have been played", "G2 is clued while Alice holds a clued G1."
    FIVE_SAVE = 3, 1, "a rank clue that saves a 5 on chop", "R5 is on Alice's chop; clue 5."
    TWO_SAVE = 4, 1, "a rank clue to a 2 on chop with no other copy visible off chop", "B2 is on Bob's chop, and no other B2 can be seen; clue 2."
    CRITICAL_SAVE = 5, 1, "a clue that saves the last copy of a card on chop", "One G4 is in the discards, the other on Bob's chop; clue green."
    PROMPT = 6, 1, "the connecting card is a clued card in another hand", "Red is at 1; R3 is clued, and Bob holds a red card that can be R2.", "#the-prompt"
    FINESSE = 7, 1, "the connecting card is on the finesse position of a player before the receiver", "Red is at 3; R5 is clued; Cathy's newest unclued card is R4.", "#the-finesse"
    REVERSE_FINESSE = 8, 2, "a finesse on a player who acts after the receiver", "Alice clues Bob R2; R1 is Cathy's newest unclued card, and Cathy plays after Bob: Bob waits.", "#the-reverse-finesse"
    SELF_PROMPT = 9, 1, "the connecting card is a clued card in the receiver's hand", "R3 is clued to Bob, and Bob's own clued red card is R2."
    SELF_FINESSE = 10, 2, "the connecting card is on the receiver's own finesse position", "R2 is clued to Bob; no R1 is visible in other hands, so Bob's own newest unclued card is R1.", "#the-self-finesse"
    DOUBLE_FINESSE = 11, 2, "two or more cards are blind-played before the focus", "Blue is at 1; B4 is clued; B2 and B3 are on finesse positions.", "#the-double-finesse--triple-finesse--quadruple-finesse"
    PROMPT_FINESSE = 12, 2, "one connecting card is clued, another is blind-played", "Blue is at 1; B4 is clued; Bob holds a clued B2, Cathy's newest unclued card is B3."
    HIDDEN_FINESSE = 13, 5, "a prompted card turns out to be another playable card, then the finesse position plays", "R3 is clued; Bob's clued red card seems to be R2, but is R1 and plays; then the newest card is R2.", "#the-hidden-finesse"
    LAYERED_FINESSE = 14, 5, "other playable cards lie in front of the connecting card", "R2 is clued; Bob's newest card is G1, the next one R1: both play.", "#the-layered-finesse"
    BLUFF = 15, 11, "the next player blind-plays a card that is not the connecting card", "R2 is clued as if Bob held R1; Bob's newest card is G1: it plays, which shows that R1 was not meant.", "#the-bluff"
    SELF_BLUFF = 16, 11, "a rank clue that bluffs its receiver", "Bob is clued 3; Bob's own newest card plays, whatever it is."
    FIX_CLUE = 17, 3, "prevents a misplay, or shows that a card is bad", "Bob is about to play a second G1; a green clue shows what it is.", "#the-fix-clue"
    TEMPO_CLUE = 18, 6, "shows that clued cards can be played now, enough of them to be worth a clue", "Two clued 2s wait; a red clue shows that both are playable."
    TEMPO_CLUE_STALL = 19, 6, "shows that a clued card can be played, when no discard is due", "At eight tokens Bob's clued 3 is clued again, so that it plays now."
    TEMPO_CHOP_MOVE = 20, 6, "only shows that a clued card can be played, which is not worth a clue: the receiver's chop is chop moved, too", "Bob's clued 3 is clued again though Bob would have played it anyway: Bob's chop is kept, too.", "#the-tempo-clue-chop-move-tccm"
    FILL_IN = 21, 9, "tells more about clued cards, but not that one can be played", "A card known as red is clued 4: now Bob knows R4."
    BURN = 22, 6, "tells nothing new", "A card known as R4 is clued red once more."
    FIVE_STALL = 23, 2, "a rank clue to a 5 off chop when there is nothing better to do", "In the early game Y5 in slot 2 is clued 5, because nobody wants to discard yet.", "#the-5-stall-cluing-off-chop-5s"
    LOCKED_HAND_SAVE = 24, 9, "a clue to any card on chop, given by a player with a locked hand", "All of Alice's cards are clued, so she clues Bob's chop, whatever it is.", "#the-locked-hand-save-lhs"
    EIGHT_CLUE_SAVE = 25, 9, "a clue to any card outside slot 1, given at full clue tokens", "With eight tokens nobody may discard; any card but the newest may be clued.", "#the-8-clue-save-8cs"
    HARD_BURN = 26, 9, "tells nothing new when no discard is due", "With eight tokens a known R4 is clued red once more."
    TRASH_CHOP_MOVE = 27, 4, "touches new cards known to be trash: all older unclued cards are chop moved", "All 1s are played; Bob's slot 3 is clued 1: slots 4 and 5 are kept.", "#the-trash-chop-move"
    FIVE_CHOP_MOVE = 28, 4, "a rank clue to a 5 next to the chop: the chop is chop moved", "B5 is in slot 4, the chop in slot 5; clue 5: slot 5 is kept.", "#the-5s-chop-move-5cm"
    TRASH_PUSH = 29, 14, "touches trash on chop: the new chop is playable", "The chop is known trash once clued: the next unclued card plays.", "#the-trash-push"
    DISTRIBUTION_CLUE = 30, 8, "a clue to a copy of a gotten card, to share the last plays", "Bob holds all of R4, R5 and G5 with two turns left; a copy of R4 is clued to Cathy."
    ORDER_OF_ONES = 31, 3, "plays one of several unknown 1s in the agreed order", "Three 1s were clued at once, one of them on chop: that one plays first.", "#playing-multiple-1s"
    ORDER_CHOP_MOVE = 32, 4, "plays a 1 out of order: skipping n of the 1s moves the chop of the player n seats ahead", "Two 1s are clued, and the wrong one is played: the next player's chop is kept.", "#the-order-chop-move-ocm"
    SARCASTIC_DISCARD = 33, 3, "discards a known useful card for a clued copy in another hand", "Alice discards a clued R3, because Bob's clued card is R3, too.", "#the-sarcastic-discard"
    GENTLEMANS_DISCARD = 34, 10, "discards a known playable card for a copy on a finesse position", "Alice discards B4, which is playable; Bob's newest card is B4, and Bob plays it.", "#the-gentlemans-discard"
    BATON_DISCARD = 35, 10, "discards a known card that is not playable yet for a copy on a finesse position", "Alice discards a known B4 while blue is at 2; Bob's newest card is B4, and Bob keeps it.", "#the-baton-discard"
    SCREAM_DISCARD = 36, 7, "discards the chop instead of a known play: the next player's chop is chop moved", "Without a token, Alice discards the chop though R1 is playable: Bob's chop is kept.", "#the-scream-discard-chop-move-sdcm"
    SHOUT_DISCARD = 37, 7, "discards known trash instead of a known play: the next player's chop is chop moved", "Alice discards known trash though R1 is playable: Bob's chop is kept."
    GENERATION_DISCARD = 38, 7, "discards instead of a known play: the next player gets a token to save the chop after theirs", "Alice discards instead of playing, so that Bob has a token to save Cathy's chop.", "#the-generation-discard"
    POSITIONAL_DISCARD = 39, 8, "discards an unusual slot late in the game: another player plays the same slot", "With one card in the deck Alice discards slot 3: Bob's slot 3 plays.", "#the-positional-discard-indicating-a-play-with-a-discard"
    POSITIONAL_MISPLAY = 40, 8, "misplays an unusual slot late in the game: another player plays the same slot", "Alice misplays slot 3 on purpose: Bob's slot 3 plays.", "#the-positional-misplay-indicating-a-play-with-a-misplay"
    BLIND_PLAY = 41, 1, "plays a card that a finesse or bluff called", "R5 was clued at red 3; Cathy plays her newest card blind: R4."
    PROMPTED_PLAY = 42, 1, "plays a card that a prompt called", "R3 was clued at red 1; Bob plays the clued red card: R2."
    DEFERRAL = 43, 5, "another action instead of playing a called card", "Cathy was called to play R4, but first saves a 5."
    PLAIN_PLAY = 44, 1, "plays a card that was not called", "G2 is played, known from two clues.", None
    PLAIN_DISCARD = 45, 1, "a discard without a message", "The chop is discarded.", None
    THREE_BLUFF = 46, 13, "a bluff whose focus is a 3 for which two cards are missing", "The stacks are empty; R3 is clued, and Bob's newest card, Y1, plays."
    CRITICAL_COLOUR_BLUFF = 47, 13, "a bluff by colour whose focus is a last copy for which more than one card is missing", "Nothing red is played; the last R4 is clued red, and Bob's newest card, Y1, plays."
    HARD_BLUFF = 48, 13, "a bluff that might also be the beginning of a finesse continued by a clued card of the receiver", "Red is at 1; R3 is clued to Cathy, who has a clued 2; Bob plays Y1: Cathy's card is R3, or Y3 after Y2."
    GOOD_TOUCH_BLUFF = 49, 13, "a bluff whose blind-played card seems to lead to the focus, but a third player holds the card that follows it", "R3 is clued 3, and Bob plays B2; Cathy sees that Donald holds a clued B3, so hers is another 3."
    CLANDESTINE_FINESSE = 50, 5, "a layered finesse whose first card seems to be the one that the clue is for", "Y2 is clued 2; Bob's newest card is R1, the next one Y1: after R1 the clued card might still be R2."
    NO_INFORMATION_FINESSE = 51, 20, "a finesse by a clue that tells nothing new about the cards it touches", "R3 is known, red is at 1, and it is clued 3 again: Bob's newest card is R2, and plays."
    FIVE_COLOUR_EJECTION = 52, 16, "a new 5 clued by colour, far from playable: the next player plays the second finesse position", "Nothing yellow is played; Y5 is clued yellow to Cathy: Bob plays slot 2, and Cathy's card is Y5."
    FOUR_CHARM = 53, 23, "a new 4, three or more cards away from playable: the next player plays the fourth finesse position", "Nothing purple is played; P4 is clued to Cathy, and no P1 is visible: Bob plays slot 4."
    TRASH_FINESSE = 54, 14, "touches trash that seems to be a playable card: the player who has this card on the finesse position plays it", "All 1s but G1 are played; P1 is clued 1, and Bob plays the newest card, G1: so P1 is trash."
    TRASH_BLUFF = 55, 14, "touches trash that seems playable: the next player blind-plays another card", "All 1s but G1 are played; P1 is clued 1, and Bob plays the newest card, R3: so P1 is trash."
    UNKNOWN_TRASH_DISCHARGE = 56, 16, "touches trash that seems useful: the next player plays the third finesse position", "Red is at 2; R1 is clued red and looks like R4 to its holder; Bob plays slot 3, which shows that the clued card is trash."
    FIVE_PULL = 57, 19, "while the score is low, a rank clue to a 5 off chop: the card next to the 5 is playable", "With five points P5 is in slot 2, G1 in slot 3; clue 5: slot 3 plays."
    OUT_OF_ORDER_CLUE = 58, 20, "a colour clue about a card that is too high to play: once the card is shown to be so, the other new cards play from the left", "Red touches R1, and R2 on chop; Bob clues 2, so that R2 is not played first: R1 plays, then R2."
    BLAZE_DISCARD = 59, 23, "discards a known card for a copy behind a finesse position: the next player plays the same place", "Alice discards B4, which is playable; Cathy's B4 is in slot 2: Bob plays slot 2, then Cathy plays hers."
    CHOP_MOVE_IGNITION = 60, 21, "chop moves a card that a clue could have got: the next player's newest unclued card plays, then that card", "Cathy's R2 on chop is playable, and Alice clues the 5 next to it: Bob plays the newest card, then Cathy plays R2."
    REVERSE_TRASH_FINESSE = 61, 14, "touches trash that seems to be another player's card: the trash is discarded, and the other player's card plays", "Bob's P1 is clued 1, only G1 is left of the 1s, and Cathy's newest card is G1: Bob discards P1."
    ELIMINATION = 62, 18, "a clue that leaves only one card that can be the copy of a discarded card: that card is playable", "The teammates let Bob discard a playable R2, so Bob holds the other R2; red touches the only card that can be it."
    UNNECESSARY_PUSH = 63, 24, "a trash push of a card that a clue could have got: first the next player's newest card plays", "A clue shows that Cathy's chop is trash; R2 next to it is playable, and red alone would get it."
    SUBOPTIMAL_CLUE = 64, 20, "a clue to a last copy on chop though another clue would touch more: a finesse or bluff, not a save", "Cathy's chop is the last R4; red would touch R5 as well, but the clue is number 4: Bob plays R3."
    ASSISTED_CHOP_MOVE = 65, 17, "calls a copy of a gotten card, to show that the touched card is trash: once the copy is played, the cards behind the trash are chop moved", "A clue touches Cathy's R1, which is trash; Bob plays Y2 from slot 3, though Alice has a Y2 that she knows: the cards behind R1 are kept."
    TIME_TRAVEL_CHOP_MOVE = 66, 17, "a play clue that only gets a copy of a gotten card: once the copy is played, the cards behind it are chop moved", "All 2s are playable; number 2 touches Cathy's Y2, and Bob's Y2 is clued: she plays Y2, and keeps her chop."
    TRASH_TOUCH = 67, 18, "touches a bad card that another clue would avoid: if a player sees no copy of the card that it seems to be, that player holds one", "Red touches R2 and R1, though number 2 would get R2 alone: the R4 that Bob sees nowhere is in his own hand."
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
    NOTHING_EXPECTED = 0, "nothing expected", "the message did not call for a play or a save", "A card that was already known was clued once more."
    OPEN = 1, "still open", "the play or save that the message calls for has not happened yet", "R3 was clued, and is still in hand."
    SUCCESS = 2, "worked", "the called card was played, or the saved card was kept and later played", "R3 was clued on turn 4, and played on turn 5."
    FAILED = 3, "failed", "the card that the message was about was lost", "R3 was clued to be played, and was discarded."
    MISSED = 4, "missed", "a called card was not played although it was due", "Cathy was called to play R4, but twice took another action."
    STOMPED = 5, "overridden by another clue", "a called card was clued before it was played", "Cathy's called card was clued before it was played."
    BROKEN = 6, "broke", "a called card was misplayed", "Cathy played the called card, and it was not playable."
    SUPERSEDED = 7, "no longer needed", "another copy was played first, or the card became trash", "R3 was clued to Bob, but Cathy played the other R3 first."
    PASSED_BACK = 8, "moved to another copy", "the card was discarded because another hand has a copy", "Bob discarded the called R3, because Cathy holds the other one."
    CENSORED = 9, "game ended first", "the game ended before the outcome was known", "R5 was saved, and the last turn came before red was at 4."
    # fmt: on


SETTLED: Final = ("success", "failed", "missed", "stomped", "broken", "passed_back")
"""Outcomes that show whether the convention worked. The others are: nothing expected, still open, cut off by
the end of the game (censored), no longer needed (superseded)."""

FOLLOWED: Final = ("success", "broken", "passed_back")
"""Settled outcomes in which the called players followed the message. They also followed it if the focus was
misplayed (failed, with a strike)."""


class Reason(Worded):
    """A reason against an action, or an explanation of it; member n is bit n of the column `reasons`.

    >>> Reason.BAD_TOUCH.definition
    'a newly touched card is trash'
    """

    # fmt: off
    BAD_TOUCH = 0, "bad touch", "a newly touched card is trash", "Red is at 3, and the clue touches R2.", "level-1"
    DUPLICATE = 1, "duplicates a card", "a newly touched card duplicates a gotten one, or two players would play the same card", "Bob holds a clued G3, and the clue touches Cathy's G3.", "level-1"
    NO_CHAIN = 2, "calls no connecting card", "the card to be played before the focus is not in a place where the clue would call it", "Red is at 1, R4 is clued, and no R2 is clued or on a finesse position.", "level-1"
    WRONG_PROMPT = 3, "wrong prompt", "a clued card would be played as the connecting card, but is a different card", "R3 is clued for R2, but Bob's clued red card is R5.", "level-1"
    UNREADABLE = 4, "cannot be read", "no reading open to the receiver matches the focus", "A 4 is clued as playable; only Y4 and P4 would be playable, but it is G4.", "level-1"
    SIMPLER_READING = 5, "has a simpler reading", "the receiver may read the focus as a card that needs no play from their own hand", "R2 is clued 2 for a self-finesse, but its holder may take it for G2, which is already playable.", "level-2"
    STALL_NOT_ALLOWED = 6, "no stall was due", "the clue makes no card playable although a discard was due", "A known card is clued again though the chop could have been discarded.", "level-9"
    BETTER_CLUE = 7, "missed a better clue", "a clue that gets cards, or a better stall, was available", "Bob's R1 would have played if clued.", "level-9"
    NO_VALUE = 8, "gets no card", "the clue neither touches a new useful card nor calls a card", "Only cards are touched that were clued before.", "level-1"
    STOMP = 9, "stomp", "the clue touches a card called for a blind play", "Cathy's newest card was called for a blind play, and is now clued.", "level-2"
    UNSEEN_COPY_RULE = 10, "the other 2 was visible", "another copy of the 2 is visible, so it needs no save", "B2 is saved on chop, but the other B2 is in Cathy's hand.", "level-1"
    GUESS = 11, "guess", "the card was not known to be playable", "An unclued card is played, and nobody had called it."
    PLAYABLE_HELD = 12, "had a card that seemed playable", "clues and messages seemed to show that a card in hand was playable", "All other 2s are clued elsewhere, so a clued 2 should be R2; the chop was discarded.", "level-1"
    TRASH_HELD = 13, "had a card that seemed trash", "clues and messages seemed to show that a card in hand was trash", "A clued 4 can only be Y4, which is clued elsewhere; the chop was discarded.", "level-1"
    DOUBLE_DISCARD = 14, "double discard", "the chop may be the other copy of the card that was just discarded or misplayed", "Alice loses one G4; Bob's chop may be the other one.", "level-9"
    OUT_OF_ORDER = 15, "out of order", "the card was not the expected one, which is the chop or the next of several 1s", "Slot 3 is discarded though slot 5 was the chop.", "level-1"
    MISPLAY = 16, "misplay", "the card is not playable", "R3 is played while red is at 1."
    LEGAL_DEFERRAL = 17, "waits for something else first", "the player puts off a called card for something that may come first", "A 5 on the next chop is saved first.", "level-5"
    LATE = 18, "waits without a reason", "the player puts off a called card without an excuse", "Cathy was called to play R4, and discards.", "level-5"
    FINESSE_OR_BLUFF = 19, "finesse or bluff", "a finesse or a bluff, depending on an unknown card", "R2 is clued, and the card that Bob plays blind is unknown.", "level-11"
    HIDDEN_CARD = 20, "depends on an unknown card", "the meaning of the action depends on a card in a hidden hand", "As Bob sees it: Cathy's R3 is clued, and only a card in Bob's own hand can be R2."
    UNDEFINED_HERE = 21, "not covered by the conventions", "the conventions do not cover the action: a clue to oneself, or a variant such as Duck or Up or Down", "In Duck players do not learn the colour or rank of a clue."
    GIVERS_CARD = 22, "relies on the giver's own hand", "the clue relies on a card in the giver's own hand that the giver does not know", "Alice clues R3 in the hope of holding R2."
    SAVE_MISSED = 23, "left a card unsaved", "the action passed the last chance to save a card about to be discarded", "The last G4 was on Bob's chop, and nobody else could clue it.", "level-1"
    SAVE_LEFT = 24, "left a save to others", "saving a card about to be discarded was left to another player", "The last G4 was on Cathy's chop; Bob could still clue it.", "level-1"
    SUPPOSED_CALL = 25, "perhaps answers a clue", "no message calls the card, but a recent clue against convention may seem to call it", "A red clue to a known R5 calls nothing; Cathy played slot 1 as R1.", "level-1"
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

    `NOBODY` means that no player is at fault, `SHARED` that two are; `NONE` is the value of other actions.
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

    def __init__(
        self, value: int, number: int = 0, cause: str = "", who: str = "", example: str = ""
    ) -> None:
        self.example = example
        self.number = number
        self.cause = cause
        self.definition = f"{cause}: {who}" if who else cause

    # fmt: off
    NO_RULE = 0, 0, "no card was misplayed"
    INTENDED = 1, 1, "a misplay meant as a message, or a try in the last round", "nobody", "In the last round a player tries a card that may be playable."
    NO_MESSAGE = 2, 2, "nobody had called or clued the card", "the player", "An unclued card is played, and nobody had called it."
    FALSE_CALL = 3, 3, "the message called for a card that was not there", "the giver", "R3 was clued as if Cathy's newest card were R2; it is B4."
    BROKEN_CALL = 4, 3, "the call was right until somebody played the other copy", "that player", "Cathy was called to play R2, but Bob played the other R2 first."
    WRONG_CARD = 5, 3, "a card other than the called card was played, or the called card was played before its turn", "the player", "Slot 1 was called, and slot 2 was played."
    FALSE_CLUE = 6, 4, "clued as playable, but it was not", "the giver", "A 4 was clued as playable, but it was G4 while green was at 1."
    BAD_CARD = 7, 4, "clued as playable, although the giver could see that it was trash or a duplicate", "the giver", "R1 was clued although another R1 was already clued."
    LATER_COPY = 8, 4, "a later message got another copy, which was played first", "the giver of that message; if the giver misplays, shared with the player of the other copy, who could have discarded it as a message", "R1 was clued to Bob, then the other R1 to Cathy, who played first."
    UNLUCKY = 9, 4, "the card was useless by the time it was played, which the giver could not know", "nobody", "Alice clued Bob's R1, but had the other R1, unclued, in her own hand."
    BROKEN_CHAIN = 10, 4, "a card that had to be played first was not played", "the player who should have played it", "Cathy should have played P2 first, but did not; Alice's P3 was not playable."
    SAVE_MISREAD = 11, 4, "a clue to the chop, which may have been only a save, was read as a play clue", "the player", "A 2 on chop was clued, perhaps only as a save, and it was played."
    NOT_AWAITED = 12, 4, "played too early, before other cards that had to be played first", "the player, shared with another player who had broken a call", "G2 was clued while Alice held G1, and was played before it."
    GAMBLE = 13, 4, "the player knew that the card might not be playable", "the player", "A clued 2 is playable in two of four suits, and is played."
    CONTRADICTION = 14, 4, "the clue was wrong, and the player did not follow it either", "giver and player", "A card was clued as playable, but was G5; its holder did not follow the clue either."
    UNCLEAR_CALL = 15, 3, "the clue was against convention and may have seemed to call the card", "its giver, shared with a player who could tell that it called no such card", "R4 is clued to Cathy while red is at 1; Bob reads the clue as a bluff, and plays."
    KNOWN_UNFIT = 16, 4, "the player could tell that the card was not playable", "the player", "A clue calls slot 2, which can only be R5; red is at 2."
    TOLD_TRASH = 17, 4, "messages had marked the card as trash", "the player", "A trash push shows that a clued 3 is trash; its holder plays it all the same, and it is a second R3."
    NOT_FIXED = 18, 4, "a wrong clue stood for more than two rounds, although a fix was possible", "the last player who could fix it", "Both R1 of Bob are clued; he plays one, Alice and Cathy discard, he plays the other."
    # fmt: on

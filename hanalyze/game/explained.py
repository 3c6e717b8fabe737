"""Explanations of the terms in `hanalyze.game.meanings`, with examples and links to https://hanabi.github.io.

R5 is the red 5; slot 1 is the newest card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from hanalyze.game.meanings import Convention, FaultRule, OutcomeKind, Reason

_SITE: Final = "https://hanabi.github.io/"


def _quoted(words: str) -> str:
    return f"\N{LEFT DOUBLE QUOTATION MARK}{words}\N{RIGHT DOUBLE QUOTATION MARK}"


class Explained(NamedTuple):
    """Explanation of a term.

    `kind` is a kind of term such as "Reason", or a convention's level; `example` and `address` can be empty.
    """

    title: str
    kind: str
    sentence: str
    example: str
    address: str


_LEVEL: Final = "level"  # placeholder for the page of a convention's level

# fmt: off
_CONVENTIONS: Final[Mapping[Convention, tuple[str, str]]] = {
    Convention.UNEXPLAINED: ("A clue touches G4, which is not on chop, and nobody has G3.", ""),
    Convention.PLAY_CLUE: ("Red is at 2; R3 is clued.", _LEVEL),
    Convention.DELAYED_PLAY_CLUE: ("G2 is clued while Alice holds a clued G1.", _LEVEL),
    Convention.FIVE_SAVE: ("R5 is on Alice's chop; clue 5.", _LEVEL),
    Convention.TWO_SAVE: ("B2 is on Bob's chop, and no other B2 can be seen; clue 2.", _LEVEL),
    Convention.CRITICAL_SAVE: ("One G4 is in the discards, the other on Bob's chop; clue green.", _LEVEL),
    Convention.PROMPT: ("Red is at 1; R3 is clued, and Bob holds a red card that can be R2.", "level-1#the-prompt"),
    Convention.FINESSE: ("Red is at 3; R5 is clued; Cathy's newest unclued card is R4.", "level-1#the-finesse"),
    Convention.REVERSE_FINESSE: ("Alice clues Bob R2; R1 is Cathy's newest unclued card, and Cathy plays after Bob: Bob waits.", "level-2#the-reverse-finesse"),
    Convention.SELF_PROMPT: ("R3 is clued to Bob, and Bob's own clued red card is R2.", _LEVEL),
    Convention.SELF_FINESSE: ("R2 is clued to Bob; no R1 is visible in other hands, so Bob's own newest unclued card is R1.", "level-2#the-self-finesse"),
    Convention.DOUBLE_FINESSE: ("Blue is at 1; B4 is clued; B2 and B3 are on finesse positions.", "level-2#the-double-finesse--triple-finesse--quadruple-finesse"),
    Convention.PROMPT_FINESSE: ("Blue is at 1; B4 is clued; Bob holds a clued B2, Cathy's newest unclued card is B3.", _LEVEL),
    Convention.HIDDEN_FINESSE: ("R3 is clued; Bob's clued red card seems to be R2, but is R1 and plays; then the newest card is R2.", "level-5#the-hidden-finesse"),
    Convention.LAYERED_FINESSE: ("R2 is clued; Bob's newest card is G1, the next one R1: both play.", "level-5#the-layered-finesse"),
    Convention.BLUFF: ("R2 is clued as if Bob held R1; Bob's newest card is G1: it plays, which shows that R1 was not meant.", "level-11#the-bluff"),
    Convention.SELF_BLUFF: ("Bob is clued 3; Bob's own newest card plays, whatever it is.", _LEVEL),
    Convention.FIX_CLUE: ("Bob is about to play a second G1; a green clue shows what it is.", "level-3#the-fix-clue"),
    Convention.TEMPO_CLUE: ("Two clued 2s wait; a red clue shows that both are playable.", _LEVEL),
    Convention.TEMPO_CLUE_STALL: ("At eight tokens Bob's clued 3 is clued again, so that it plays now.", _LEVEL),
    Convention.TEMPO_CHOP_MOVE: ("Bob's clued 3 is clued again though Bob would have played it anyway: Bob's chop is kept, too.", "level-6#the-tempo-clue-chop-move-tccm"),
    Convention.FILL_IN: ("A card known as red is clued 4: now Bob knows R4.", _LEVEL),
    Convention.BURN: ("A card known as R4 is clued red once more.", _LEVEL),
    Convention.FIVE_STALL: ("In the early game Y5 in slot 2 is clued 5, because nobody wants to discard yet.", "level-2#the-5-stall-cluing-off-chop-5s"),
    Convention.LOCKED_HAND_SAVE: ("All of Alice's cards are clued, so she clues Bob's chop, whatever it is.", "level-9#the-locked-hand-save-lhs"),
    Convention.EIGHT_CLUE_SAVE: ("With eight tokens nobody may discard; any card but the newest may be clued.", "level-9#the-8-clue-save-8cs"),
    Convention.HARD_BURN: ("With eight tokens a known R4 is clued red once more.", _LEVEL),
    Convention.TRASH_CHOP_MOVE: ("All 1s are played; Bob's slot 3 is clued 1: slots 4 and 5 are kept.", "level-4#the-trash-chop-move"),
    Convention.FIVE_CHOP_MOVE: ("B5 is in slot 4, the chop in slot 5; clue 5: slot 5 is kept.", "level-4#the-5s-chop-move-5cm"),
    Convention.TRASH_PUSH: ("The chop is known trash once clued: the next unclued card plays.", "level-14#the-trash-push"),
    Convention.DISTRIBUTION_CLUE: ("Bob holds all of R4, R5 and G5 with two turns left; a copy of R4 is clued to Cathy.", _LEVEL),
    Convention.ORDER_OF_ONES: ("Three 1s were clued at once, one of them on chop: that one plays first.", "level-3#playing-multiple-1s"),
    Convention.ORDER_CHOP_MOVE: ("Two 1s are clued, and the wrong one is played: the next player's chop is kept.", "level-4#the-order-chop-move-ocm"),
    Convention.SARCASTIC_DISCARD: ("Alice discards a clued R3, because Bob's clued card is R3, too.", "level-3#the-sarcastic-discard"),
    Convention.GENTLEMANS_DISCARD: ("Alice discards B4, which is playable; Bob's newest card is B4, and Bob plays it.", "level-10#the-gentlemans-discard"),
    Convention.BATON_DISCARD: ("Alice discards a known B4 while blue is at 2; Bob's newest card is B4, and Bob keeps it.", "level-10#the-baton-discard"),
    Convention.SCREAM_DISCARD: ("Without a token, Alice discards the chop though R1 is playable: Bob's chop is kept.", "level-7#the-scream-discard-chop-move-sdcm"),
    Convention.SHOUT_DISCARD: ("Alice discards known trash though R1 is playable: Bob's chop is kept.", _LEVEL),
    Convention.GENERATION_DISCARD: ("Alice discards instead of playing, so that Bob has a token to save Cathy's chop.", "level-7#the-generation-discard"),
    Convention.POSITIONAL_DISCARD: ("With one card in the deck Alice discards slot 3: Bob's slot 3 plays.", "level-8#the-positional-discard-indicating-a-play-with-a-discard"),
    Convention.POSITIONAL_MISPLAY: ("Alice misplays slot 3 on purpose: Bob's slot 3 plays.", "level-8#the-positional-misplay-indicating-a-play-with-a-misplay"),
    Convention.BLIND_PLAY: ("R5 was clued at red 3; Cathy plays her newest card blind: R4.", _LEVEL),
    Convention.PROMPTED_PLAY: ("R3 was clued at red 1; Bob plays the clued red card: R2.", _LEVEL),
    Convention.DEFERRAL: ("Cathy was called to play R4, but first saves a 5.", _LEVEL),
    Convention.PLAIN_PLAY: ("G2 is played, known from two clues.", ""),
    Convention.PLAIN_DISCARD: ("The chop is discarded.", ""),
    Convention.THREE_BLUFF: ("The stacks are empty; R3 is clued, and Bob's newest card, Y1, plays.", _LEVEL),
    Convention.CRITICAL_COLOUR_BLUFF: ("Nothing red is played; the last R4 is clued red, and Bob's newest card, Y1, plays.", _LEVEL),
    Convention.HARD_BLUFF: ("Red is at 1; R3 is clued to Cathy, who has a clued 2; Bob plays Y1: Cathy's card is R3, or Y3 after Y2.", _LEVEL),
    Convention.GOOD_TOUCH_BLUFF: ("R3 is clued 3, and Bob plays B2; Cathy sees that Donald holds a clued B3, so hers is another 3.", _LEVEL),
    Convention.CLANDESTINE_FINESSE: ("Y2 is clued 2; Bob's newest card is R1, the next one Y1: after R1 it might still be R2.", _LEVEL),
    Convention.NO_INFORMATION_FINESSE: ("R3 is known, red is at 1, and it is clued 3 again: Bob's newest card is R2, and plays.", _LEVEL),
    Convention.FIVE_COLOUR_EJECTION: ("Nothing yellow is played; Y5 is clued yellow to Cathy: Bob plays slot 2, and Cathy's card is Y5.", _LEVEL),
    Convention.FOUR_CHARM: ("Nothing purple is played; P4 is clued to Cathy, and no P1 is visible: Bob plays slot 4.", _LEVEL),
    Convention.TRASH_FINESSE: ("All 1s but G1 are played; P1 is clued 1, and Bob plays the newest card, G1: so P1 is trash.", _LEVEL),
    Convention.TRASH_BLUFF: ("All 1s but G1 are played; P1 is clued 1, and Bob plays the newest card, R3: so P1 is trash.", _LEVEL),
    Convention.UNKNOWN_TRASH_DISCHARGE: ("Red is at 2; R1 is clued red and looks like R4 to its holder; Bob plays slot 3, which shows that the clued card is trash.", _LEVEL),
    Convention.FIVE_PULL: ("With five points P5 is in slot 2, G1 in slot 3; clue 5: slot 3 plays.", _LEVEL),
    Convention.OUT_OF_ORDER_CLUE: ("Red touches R1, and R2 on chop; Bob clues 2, so that R2 is not played first: R1 plays, then R2.", _LEVEL),
    Convention.BLAZE_DISCARD: ("Alice discards B4, which is playable; Cathy's B4 is in slot 2: Bob plays slot 2, then Cathy plays hers.", _LEVEL),
    Convention.CHOP_MOVE_IGNITION: ("Cathy's R2 on chop is playable, and Alice clues the 5 next to it: Bob plays the newest card, then Cathy plays R2.", _LEVEL),
    Convention.REVERSE_TRASH_FINESSE: ("Bob's P1 is clued 1, only G1 is left of the 1s, and Cathy's newest card is G1: Bob discards P1.", _LEVEL),
    Convention.ELIMINATION: ("The teammates let Bob discard a playable R2, so Bob holds the other R2; red touches the only card that can be it.", _LEVEL),
    Convention.UNNECESSARY_PUSH: ("A clue shows that Cathy's chop is trash; R2 next to it is playable, and red alone would get it.", _LEVEL),
    Convention.SUBOPTIMAL_CLUE: ("Cathy's chop is the last R4; red would touch R5 as well, but the clue is number 4: Bob plays R3.", _LEVEL),
    Convention.ASSISTED_CHOP_MOVE: ("A clue touches Cathy's R1, which is trash; Bob plays Y2 from slot 3, though Alice has a Y2 that she knows: the cards behind R1 are kept.", _LEVEL),
    Convention.TIME_TRAVEL_CHOP_MOVE: ("All 2s are playable; number 2 touches Cathy's Y2, and Bob's Y2 is clued: she plays Y2, and keeps her chop.", _LEVEL),
    Convention.TRASH_TOUCH: ("Red touches R2 and R1, though number 2 would get R2 alone: the R4 that Bob sees nowhere is in his own hand.", _LEVEL),
}
"""Example of each convention, and its H-Group page relative to `_SITE`; both can be empty."""

_REASONS: Final[Mapping[Reason, tuple[str, str]]] = {
    Reason.BAD_TOUCH: ("Red is at 3, and the clue touches R2.", "level-1"),
    Reason.DUPLICATE: ("Bob holds a clued G3, and the clue touches Cathy's G3.", "level-1"),
    Reason.NO_CHAIN: ("Red is at 1, R4 is clued, and no R2 is clued or on a finesse position.", "level-1"),
    Reason.WRONG_PROMPT: ("R3 is clued for R2, but Bob's clued red card is R5.", "level-1"),
    Reason.UNREADABLE: ("A 4 is clued as playable; only Y4 and P4 would be playable, but it is G4.", "level-1"),
    Reason.SIMPLER_READING: ("R2 is clued 2 for a self-finesse, but its holder may take it for G2, which is already playable.", "level-2"),
    Reason.STALL_NOT_ALLOWED: ("A known card is clued again though the chop could have been discarded.", "level-9"),
    Reason.BETTER_CLUE: ("Bob's R1 would have played if clued.", "level-9"),
    Reason.NO_VALUE: ("Only cards are touched that were clued before.", "level-1"),
    Reason.STOMP: ("Cathy's newest card was called for a blind play, and is now clued.", "level-2"),
    Reason.UNSEEN_COPY_RULE: ("B2 is saved on chop, but the other B2 is in Cathy's hand.", "level-1"),
    Reason.GUESS: ("An unclued card is played, and nobody had called it.", ""),
    Reason.PLAYABLE_HELD: ("All other 2s are clued elsewhere, so a clued 2 should be R2; the chop was discarded.", "level-1"),
    Reason.TRASH_HELD: ("A clued 4 can only be Y4, which is clued elsewhere; the chop was discarded.", "level-1"),
    Reason.DOUBLE_DISCARD: ("Alice loses one G4; Bob's chop may be the other one.", "level-9"),
    Reason.OUT_OF_ORDER: ("Slot 3 is discarded though slot 5 was the chop.", "level-1"),
    Reason.MISPLAY: ("R3 is played while red is at 1.", ""),
    Reason.LEGAL_DEFERRAL: ("A 5 on the next chop is saved first.", "level-5"),
    Reason.LATE: ("Cathy was called to play R4, and discards.", "level-5"),
    Reason.FINESSE_OR_BLUFF: ("R2 is clued, and the card that Bob plays blind is unknown.", "level-11"),
    Reason.HIDDEN_CARD: ("As Bob sees it: Cathy's R3 is clued, and only a card in Bob's own hand can be R2.", ""),
    Reason.UNDEFINED_HERE: ("In Duck players do not learn the colour or rank of a clue.", ""),
    Reason.GIVERS_CARD: ("Alice clues R3 in the hope of holding R2.", ""),
    Reason.SAVE_MISSED: ("The last G4 was on Bob's chop, and nobody else could clue it.", "level-1"),
    Reason.SUPPOSED_CALL: ("A red clue to a known R5 calls nothing; Cathy played slot 1 as R1.", "level-1"),
    Reason.SAVE_LEFT: ("The last G4 was on Cathy's chop; Bob could still clue it.", "level-1"),
}

_FAULTS: Final[Mapping[FaultRule, str]] = {
    FaultRule.NO_RULE: "",
    FaultRule.INTENDED: "In the last round a player tries a card that may be playable.",
    FaultRule.NO_MESSAGE: "An unclued card is played, and nobody had called it.",
    FaultRule.FALSE_CALL: "R3 was clued as if Cathy's newest card were R2; it is B4.",
    FaultRule.BROKEN_CALL: "Cathy was called to play R2, but Bob played the other R2 first.",
    FaultRule.WRONG_CARD: "Slot 1 was called, and slot 2 was played.",
    FaultRule.FALSE_CLUE: "A 4 was clued as playable, but it was G4 while green was at 1.",
    FaultRule.BAD_CARD: "R1 was clued although another R1 was already clued.",
    FaultRule.LATER_COPY: "R1 was clued to Bob, then the other R1 to Cathy, who played first.",
    FaultRule.UNLUCKY: "Alice clued Bob's R1, but had the other R1, unclued, in her own hand.",
    FaultRule.BROKEN_CHAIN: "Cathy should have played P2 first, but did not; Alice's P3 was not playable.",
    FaultRule.SAVE_MISREAD: "A 2 on chop was clued, perhaps only as a save, and it was played.",
    FaultRule.NOT_AWAITED: "G2 was clued while Alice held G1, and was played before it.",
    FaultRule.GAMBLE: "A clued 2 is playable in two of four suits, and is played.",
    FaultRule.CONTRADICTION: "A card was clued as playable, but was G5; its holder did not follow the clue either.",
    FaultRule.UNCLEAR_CALL: "R4 is clued to Cathy while red is at 1; Bob reads the clue as a bluff, and plays.",
    FaultRule.KNOWN_UNFIT: "A clue calls slot 2, which can only be R5; red is at 2.",
    FaultRule.TOLD_TRASH: "A trash push shows that a clued 3 is trash; its holder plays it all the same, and it is a second R3.",
    FaultRule.NOT_FIXED: "Both R1 of Bob are clued; he plays one, Alice and Cathy discard, he plays the other.",
}

_OUTCOMES: Final[Mapping[OutcomeKind, str]] = {
    OutcomeKind.NOTHING_EXPECTED: "A card that was already known was clued once more.",
    OutcomeKind.OPEN: "R3 was clued, and is still in hand.",
    OutcomeKind.SUCCESS: "R3 was clued on turn 4, and played on turn 5.",
    OutcomeKind.FAILED: "R3 was clued to be played, and was discarded.",
    OutcomeKind.MISSED: "Cathy was called to play R4, but twice took another action.",
    OutcomeKind.STOMPED: "Cathy's called card was clued before it was played.",
    OutcomeKind.BROKEN: "Cathy played the called card, and it was not playable.",
    OutcomeKind.SUPERSEDED: "R3 was clued to Bob, but Cathy played the other R3 first.",
    OutcomeKind.PASSED_BACK: "Bob discarded the called R3, because Cathy holds the other one.",
    OutcomeKind.CENSORED: "R5 was saved, and the last turn came before red was at 4.",
}

EVIDENCE: Final = {
    "logic": Explained("Logic", "Evidence", "Deduced from clues, visible cards and the hand as a whole. Always true.", "", ""),
    "convention": Explained("Convention", "Evidence", "Inferred from the moves so far. True if everybody follows the conventions.", "", _SITE),
    "chance": Explained("Chance", "Evidence", f"{_quoted('By card counting')} weighs each possible identity by the copies that the holder does not see. {_quoted('As called')} weighs only identities that fit the messages. {_quoted('Calibrated')} is the share of similar cards in recorded games for which it was true.", "", ""),
}
"""Explanations of the kinds of evidence for a verdict."""

MARKS: Final = {
    "called": "A message called it to be played, on the turn shown.",
    "moved": "A chop move protects it: it is kept like a clued card, and is not the chop.",
    "saved": "It was clued to be kept, and not to be played yet.",
    "trash": "Its holder knows that it is useless.",
    "chop": "The oldest card that is neither clued, called nor chop moved: the next discard.",
    "finesse": "The newest card that is neither clued nor called: the card that a finesse or bluff asks for.",
}
"""Explanations of the labels under a card."""

# fmt: on


def explained(what: Convention | Reason | OutcomeKind | FaultRule) -> Explained:
    """Return the explanation of a term.

    >>> explained(Convention.BLUFF).kind, explained(Convention.BLUFF).address
    ('Level 11', 'https://hanabi.github.io/level-11#the-bluff')
    >>> explained(Reason.LATE).sentence
    'The player puts off a called card without an excuse.'
    """
    sentence = f"{_capital(what.definition)}."
    if isinstance(what, OutcomeKind):
        return Explained(_capital(what.words), "Outcome", sentence, _OUTCOMES[what], "")
    if isinstance(what, FaultRule):
        return Explained(_capital(what.label.replace("_", " ")), "Fault", sentence, _FAULTS[what], "")
    if isinstance(what, Reason):
        kind = "Reason"
        example, page = _REASONS[what]
    else:
        example, page = _CONVENTIONS[what]
        kind = f"Level {what.level}"
        page = f"level-{what.level}" if page == _LEVEL else page
    return Explained(_capital(what.words), kind, sentence, example, _SITE + page if page else "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

"""Columns of findings of the built-in conventions and of users' detectors.

A finding is a meaning of an action and depends only on earlier turns. Outcomes (`convention_outcomes`;
`outcome` and `closed_turn` of `detector_findings`) depend on later turns.
"""

from typing import Final

from hanalyze.game.meanings import Convention, Fault, FaultRule, OutcomeKind
from hanalyze.tables.column import Column

CONVENTIONS_VERSION: Final = 3
"""Changes exactly when the findings for an action may change."""

CONVENTION_WORDS: Final = tuple(one.label for one in Convention)
"""Labels of the conventions in the order of their numbers."""
OUTCOME_WORDS: Final = tuple(one.label for one in OutcomeKind)
FAULT_WORDS: Final = tuple(one.label for one in Fault)
FAULT_RULE_WORDS: Final = tuple(one.label for one in FaultRule)
"""Labels of the rules of fault in the order of their numbers."""

# fmt: off
CONVENTIONS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("number", "int8", "", "0..3", "0 for the main meaning of the action, 1.. for further meanings"),
    Column("seat", "int8", "seat", "0..5", "seat that acted"),
    Column("convention", "uint8", "", "", "meaning of the action", CONVENTION_WORDS),
    Column("level", "int8", "", "1..25", "H-Group level of the convention"),
    Column("certainty", "int8", "percent", "0..100", "100 if earlier turns determine the meaning; less if several readings are possible or a card is unknown"),
    Column("receiver", "int8", "seat", "0..5", "seat that the message is for; null without a message", null=-1),
    Column("focus", "int8", "order", "0..59", "card that the meaning is about; null if it is about none", null=-1),
    Column("focus_suit", "int8", "suit", "0..5", "suit of the focus", null=-1),
    Column("focus_rank", "int8", "rank", "1..5, 7", "rank of the focus", null=-1),
    Column("cards", "int8", "order", "-1..59", "cards that the message calls before the focus, in the order in which they are to be played, then cards that it chop moves or names; -1 for none", width=6),
    Column("seats", "int8", "bits", "0..63", "seats that hold the focus or one of `cards`: bit 0 is seat 0"),
    Column("readings", "int64", "bits", "0..", "possible identities of the focus from the receiver's view: bit suit * 8 + rank; 0 for further meanings"),
    Column("legal", "bool", "", "", "whether the conventions allow the action"),
    Column("reasons", "int32", "bits", "0..", "reasons against or for the action: bit n for `Reason` n"),
    Column("stall_severity", "int8", "", "0..4", "severity of the stalling situation: 0 none, 1 early game, 2 a discard should be avoided, 3 locked hand, 4 all clue tokens"),
    Column("worth", "int8", "cards", "0..", "cards that the message newly gets"),
    Column("bad_touch", "int8", "cards", "0..6", "newly touched cards that are trash or duplicates"),
    Column("steps", "int8", "steps", "0..7", "plays of other cards that the message calls for before the focus; 0 for further meanings"),
)
"""One row per finding, with its meaning."""

CONVENTION_OUTCOMES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("number", "int8", "", "0..3", "number of the finding, as in `conventions`"),
    Column("outcome", "uint8", "", "", "whether the actions that the finding expects happened (outcome)", OUTCOME_WORDS),
    Column("closed_turn", "int16", "turn", "0..", "turn on which the outcome was settled (outcome)", null=-1),
    Column("followed", "int8", "steps", "0..7", "steps that were carried out (outcome)"),
    Column("deferrals", "int8", "turns", "0..", "turns on which the card called next was playable, but its player took another action (outcome)"),
    Column("strikes", "int8", "strikes", "0..", "misplays of called cards (outcome)"),
    Column("fault", "uint8", "", "", "role of the player at fault for a misplay; none for other actions and further meanings", FAULT_WORDS),
    Column("fault_seat", "int8", "seat", "0..5", "seat at fault; if the misplaying player shares the fault with another player, that player's seat", null=-1),
    Column("fault_rule", "uint8", "", "", "rule that determined the fault: a label of `FaultRule`", FAULT_RULE_WORDS),
    Column("fault_turn", "int16", "turn", "0..", "turn of the action at fault; null if the fault is not a single action", null=-1),
    Column("unfixed_seat", "int8", "seat", "0..5", "seat of the last other player who could have fixed the wrong clue before the misplay and had nothing urgent to do; null without such a player, or if a player is at fault for not fixing it", null=-1),
    Column("unfixed_turn", "int16", "turn", "0..", "turn on which the player in unfixed_seat could have fixed the clue", null=-1),
    Column("late_points", "int8", "points", "0..", "with one or two cards in the deck: points still possible after the best move, minus those after this discard or misplay; the minimum over the hands that the player may hold, or for the true hand if another player is at fault or shares the fault; null otherwise", null=-1),
)
"""One row per finding, in the order of `conventions`, with its outcome."""

CONVENTION_OPPORTUNITIES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat to move"),
    Column("stall_severity", "int8", "", "0..4", "severity of the stalling situation, as in `conventions`"),
    Column("clues", "int8", "clues", "0..", "legal clues that touch at least one card; 0 if conventions are not defined for the variant"),
    Column("available", "int64", "bits", "0..", "conventions that a legal clue could have used on its own: bit n for convention n, up to 62"),
    Column("available_more", "int64", "bits", "0..", "conventions from 63 on that a legal clue could have used on its own: bit n for convention 63 + n"),
    Column("best_worth", "int8", "cards", "0..", "most cards that a play, save, fix or tempo clue without bad touch would newly get; a tempo clue counts as one card"),
    Column("known_playable", "int8", "cards", "0..6", "cards in the player's hand that are known to be playable or called to be played blind; of two cards known to be copies, only one counts (`turns.known_playable` counts both)"),
    Column("known_trash", "int8", "cards", "0..6", "cards in the player's hand known to be trash, including the second of two copies; none of them counts in `known_playable`"),
    Column("playable_slots", "int8", "bits", "0..63", "slots of the cards in `known_playable`: bit 0 is slot 1"),
    Column("trash_slots", "int8", "bits", "0..63", "slots of the cards in `known_trash`: bit 0 is slot 1"),
    Column("last_plays", "int8", "bits", "0..63", "with one or two cards in the deck: slots from which a play is certain to succeed and, for at least one of the hands that the player may hold, keeps as many points possible as the best move; bit 0 is slot 1; null otherwise", null=-1),
    Column("last_discard", "bool", "", "", "with one or two cards in the deck: whether a discard of trash keeps as many points possible as the best move, for at least one of the hands that the player may hold; null otherwise", null=-1),
    Column("last_clue", "bool", "", "", "with one or two cards in the deck: whether a clue keeps as many points possible as the best move, for at least one of the hands that the player may hold; null otherwise", null=-1),
    Column("chop_slot", "int8", "slot", "1..6", "slot of the player's chop: the oldest card that is neither clued nor called nor chop-moved", null=-1),
    Column("due_slot", "int8", "slot", "1..6", "slot of the called card that may be playable now; of several, the one called first", null=-1),
    Column("due_turn", "int16", "turn", "0..", "turn of the message that called the card in due_slot", null=-1),
    Column("due_seat", "int8", "seat", "0..5", "seat that sent the message of due_turn", null=-1),
    Column("clue_convention", "uint8", "", "", "convention of the best clue; null if there is none. In order of preference: a clue that saves a chop at risk; a clue that stops the next player's misplay; a play or save clue without a bad card; a 5 stall or a tempo clue if stalling is allowed; a play or save clue with one bad card besides good cards; a tempo clue after which the holder of a playable card, who did not play it on the last turn, knows that it is playable; another stall, with a burn last; a save of a card that the giver may hold; with one or two cards in the deck, any allowed clue. Among play or save clues, the clue that gets the most new cards is best (a tempo clue gets none), then the clue that calls for the fewest plays of other cards; at pace 0 or less, one bad card only decides between clues that are otherwise equal", CONVENTION_WORDS, null=255),
    Column("clue_receiver", "int8", "seat", "0..5", "seat that would receive the best clue", null=-1),
    Column("clue_kind", "uint8", "", "", "kind of the best clue", ("colour_clue", "rank_clue"), null=255),
    Column("clue_value", "int8", "", "0..7", "colour or rank of the best clue, as in `turns.clue_value`", null=-1),
    Column("clue_focus", "int8", "order", "0..59", "focus of the best clue", null=-1),
    Column("clue_suit", "int8", "suit", "0..5", "suit of the best clue's focus", null=-1),
    Column("clue_rank", "int8", "rank", "1..5, 7", "rank of the best clue's focus", null=-1),
    Column("clue_saves", "bool", "", "", "whether the best clue would save a chop at risk; false if its holder is expected to clue before discarding", null=-1),
    Column("clue_fixes", "bool", "", "", "whether the best clue would stop a misplay of the next player, because it shows what the card is or gets the other copy", null=-1),
    Column("clue_stalls", "bool", "", "", "whether the best clue gets no new card, and so ranks below a safe discard", null=-1),
    Column("clue_gets", "int8", "", "-1..47", "identities, as suit * 8 + rank, of the first three cards that the best clue would call before the focus; -1 for none, for a stall and for a card in the hand of the player to move", width=3),
)
"""One row per action that was carried out, with the alternatives that its player had."""

_DETECTOR: Final = (
    Column("detector", "str", "", "", "name of the detector"),
    Column("version", "str", "", "", "version of the detector"),
)

DETECTOR_GAMES: Final = (
    *_DETECTOR,
    Column("level", "int8", "", "1..25", "H-Group level up to which the game was read for the built-in conventions"),
    Column("conventions_version", "int16", "", "1..", "version of the built-in definitions of conventions"),
    Column("needs", "str", "", "", "detectors whose findings this detector uses, with versions: a list in JSON"),
)
"""One row per game and detector that was run on it."""

DETECTOR_FINDINGS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("number", "int8", "", "0..", "number of the row among the rows of this detector and action"),
    Column("seat", "int8", "seat", "0..5", "seat that acted"),
    *_DETECTOR,
    Column("label", "str", "", "1 to 100 characters", "meaning of the action, as named by the detector"),
    Column("level", "int8", "", "1..25", "H-Group level that the detector belongs to"),
    Column("certainty", "int8", "percent", "0..100", "certainty of the finding, as given by the detector"),
    Column("cards", "int8", "order", "-1..59", "cards concerned; -1 for none", width=6),
    Column("seats", "int8", "bits", "0..63", "seats concerned: bit 0 is seat 0"),
    Column("legal", "bool", "", "", "whether the action is allowed; null if not judged", null=-1),
    Column("reasons", "str", "", "", "reasons against or for the action: a list of texts in JSON"),
    Column("opportunity", "bool", "", "", "true for an opportunity: the label was possible on this turn; false for a finding: the action had the label"),
    Column("outcome", "uint8", "", "", "whether the actions that the finding expects happened (outcome)", OUTCOME_WORDS),
    Column("closed_turn", "int16", "turn", "0..", "turn on which the outcome was settled (outcome)", null=-1),
)
"""One row per finding or opportunity of a detector."""

DETECTOR_PROBLEMS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat that acted"),
    *_DETECTOR,
    Column("rule", "str", "", "raised, bad_finding, bad_outcome, too_long", "short name of the problem"),
    Column("message", "str", "", "", "description of the problem"),
)
"""One row per failure of a detector on an action; an action can have several."""

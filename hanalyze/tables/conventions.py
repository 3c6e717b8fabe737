"""Columns of `conventions` and `convention_outcomes`, and of `convention_opportunities`.

A finding is what an action meant under the H-Group's conventions: it reads the past only. Its outcome reads
later turns and stands apart.
"""

from __future__ import annotations

from typing import Final

from hanalyze.game.meanings import Convention, Fault, FaultRule, Status
from hanalyze.tables.column import Column

__all__ = ["CONVENTIONS", "CONVENTIONS_VERSION", "CONVENTION_OPPORTUNITIES", "CONVENTION_OUTCOMES"]

CONVENTIONS_VERSION: Final = 1
"""Changes exactly when what is found for an action may change."""

CONVENTION_WORDS: Final = tuple(one.label for one in Convention)
"""The conventions in the order of their numbers."""
STATUS_WORDS: Final = tuple(one.label for one in Status)
FAULT_WORDS: Final = tuple(one.label for one in Fault)
FAULT_RULE_WORDS: Final = tuple(one.label for one in FaultRule)
"""The rules by which a fault is found, in the order of their numbers."""

CONVENTIONS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("number", "int8", "", "0..3", "0 for what the action mainly meant, 1.. for what else it meant"),
    Column("seat", "int8", "seat", "0..5", "seat that acted"),
    Column("convention", "uint8", "", "", "what the action meant", CONVENTION_WORDS),
    Column("level", "int8", "", "1..25", "the H-Group's level of that convention"),
    Column(
        "certainty",
        "int8",
        "percent",
        "0..100",
        "100 where the past decides, less where more than one reading is open or a card is unknown",
    ),
    Column("receiver", "int8", "seat", "0..5", "seat that the message is for", null=-1),
    Column("focus", "int8", "order", "0..59", "the card that the message is about", null=-1),
    Column("focus_suit", "int8", "suit", "0..5", "suit of that card", null=-1),
    Column("focus_rank", "int8", "rank", "1..5, 7", "rank of that card", null=-1),
    Column(
        "cards",
        "int8",
        "order",
        "-1..59",
        "the cards that the message calls, moves or names, in the order in which they act; -1 for none",
        width=6,
    ),
    Column("seats", "int8", "bits", "0..63", "seats that hold the focus and these cards: bit 0 is seat 0"),
    Column(
        "readings",
        "int64",
        "bits",
        "0..",
        "identities that the receiver had to allow for of the focus: bit suit * 8 + rank",
    ),
    Column("legal", "bool", "", "", "whether the conventions allow the action"),
    Column("reasons", "int32", "bits", "0..", "what speaks against it or explains it: bit n for `Reason` n"),
    Column("severity", "int8", "", "0..4", "how badly the player to move had to stall"),
    Column("worth", "int8", "cards", "0..", "cards that the message newly gets"),
    Column("bad_touch", "int8", "cards", "0..6", "newly touched cards that are trash or copies"),
    Column("steps", "int8", "steps", "0..7", "plays of other cards that it calls for before the focus"),
)
"""One row a finding: meaning."""

CONVENTION_OUTCOMES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("number", "int8", "", "0..3", "which of its findings"),
    Column("status", "uint8", "", "", "what became of what the finding expects (outcome)", STATUS_WORDS),
    Column("closed_turn", "int16", "turn", "0..", "turn when that was settled (outcome)", null=-1),
    Column("followed", "int8", "steps", "0..7", "steps that were carried out (outcome)"),
    Column("deferrals", "int8", "turns", "0..", "turns that a called player let pass (outcome)"),
    Column("strikes", "int8", "strikes", "0..3", "misplays of called cards (outcome)"),
    Column("fault", "uint8", "", "", "of a misplay: who is at fault, none for other actions", FAULT_WORDS),
    Column(
        "fault_seat", "int8", "seat", "0..5", "that seat; the giver's where giver and player share", null=-1
    ),
    Column("fault_rule", "uint8", "", "", "the rule that decided: a label of `FaultRule`", FAULT_RULE_WORDS),
)
"""One row a finding, in the order of `conventions`: outcome."""

CONVENTION_OPPORTUNITIES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat to move"),
    Column("severity", "int8", "", "0..4", "how badly it had to stall"),
    Column("clues", "int8", "clues", "0..", "legal clues that touch a card"),
    Column(
        "available",
        "int64",
        "bits",
        "0..",
        "conventions that some legal clue would have been by itself: bit n for convention n",
    ),
    Column("best_worth", "int8", "cards", "0..", "the most cards that a clean play or save clue would get"),
    Column("known_playable", "int8", "cards", "0..6", "own cards known, or called, to be playable"),
    Column("known_trash", "int8", "cards", "0..6", "own cards known to be trash"),
)
"""One row an action that was carried out: what its player could have done."""

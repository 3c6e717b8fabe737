"""Columns of the tables `clues`, one row per clue, and `cards`, one row per card of the deck."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from hanalyze.tables.column import Column


class Fate(IntEnum):
    """Fate of a card. The fate of a card that left its hand is the `Result` of the action plus `PLAYED`."""

    IN_DECK = 0
    IN_HAND = 1
    PLAYED = 2
    MISPLAYED = 3
    DISCARDED = 4


# fmt: off
# One line per column: name, type, unit, range, meaning.
CLUES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the clue"),
    Column("giver", "int8", "seat", "0..5", "seat that gave the clue"),
    Column("receiver", "int8", "seat", "0..5", "seat that received the clue"),
    Column("kind", "uint8", "", "", "kind of clue", ("colour", "rank")),
    Column("value", "int8", "", "0..5", "rank, or index among the variant's clue colours"),
    Column("touched", "int8", "cards", "0..6", "cards that the clue touched"),
    Column("newly_touched", "int8", "cards", "0..6", "touched cards that no clue had touched before"),
    Column("retouched", "int8", "cards", "0..6", "touched cards that were clued already"),
    Column("trash", "int8", "cards", "0..6", "touched cards that were trash"),
    Column("duplicates", "int8", "cards", "0..6", "newly touched needed cards with another copy that was already clued in any hand, or that is older and also touched by this clue"),
    Column("duplicates_hidden", "int8", "cards", "0..6", "duplicates whose clued copies were all in the giver's hand and unknown to the giver"),
    Column("playable", "int8", "cards", "0..6", "touched cards that were playable"),
    Column("critical", "int8", "cards", "0..6", "touched cards that were critical"),
    Column("focus", "int8", "order", "0..59", "focus of the clue: the chop if newly touched, otherwise the newest newly touched card, otherwise the newest touched card", null=-1),
    Column("chop_touched", "bool", "", "", "whether the clue newly touched the receiver's chop"),
    Column("saved", "bool", "", "", "whether the clue newly touched the receiver's chop and the chop was critical"),
    Column("bits", "float64", "bits", "0..", "information of the clue: sum over the receiver's cards of log2(possibilities before / possibilities after)"),
    Column("plays_followed", "int8", "plays", "0..", "cards that the receiver played onto a stack on their next turn (outcome)"),
    Column("cards_gotten", "int8", "cards", "0..6", "cards first touched by this clue that count as gotten at the end of the game; their sum plus the blind plays is the game's cards gotten before the cap (outcome)"),
)
"""One row per clue."""

CARDS: Final = (
    Column("order", "int8", "order", "0..59", "index of the card in the deck"),
    Column("suit", "int8", "suit", "0..5", "suit of the card"),
    Column("rank", "int8", "rank", "1..5, 7 START", "rank of the card"),
    Column("holder", "int8", "seat", "0..5", "seat that held the card; null if it stayed in the deck", null=-1),
    Column("drawn_turn", "int16", "turn", "0..", "turn from which the card was in a hand; 0 for the first deal, null if it stayed in the deck", null=-1),
    Column("first_clue_turn", "int16", "turn", "0..", "turn of the first clue that touched the card", null=-1),
    Column("first_clue_giver", "int8", "seat", "0..5", "seat that gave that clue", null=-1),
    Column("last_clue_turn", "int16", "turn", "0..", "turn of the last clue that touched the card", null=-1),
    Column("last_clue_giver", "int8", "seat", "0..5", "seat that gave that clue", null=-1),
    Column("colour_clues", "int16", "clues", "0..", "colour clues that touched the card"),
    Column("rank_clues", "int16", "clues", "0..", "rank clues that touched the card"),
    Column("touchable", "uint8", "", "", "kinds of clues that touch this card in the variant", ("nothing", "colour", "rank", "both")),
    Column("chop_turn", "int16", "turn", "0..", "turn from which the card was most recently its holder's chop", null=-1),
    Column("known_turn", "int16", "turn", "0..", "turn from which the holder knew the card's identity", null=-1),
    Column("playable_turn", "int16", "turn", "0..", "first turn on which the card was in a hand and playable", null=-1),
    Column("fate", "uint8", "", "", "fate of the card", tuple(fate.name.lower() for fate in Fate)),
    Column("fate_turn", "int16", "turn", "0..", "turn on which the card was played, misplayed or discarded; null for other cards", null=-1),
)
"""One row per card of the deck, in order."""

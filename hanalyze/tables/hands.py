"""Columns of the tables `clues`, one row a clue, and `cards`, one row a card of the deck."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from hanalyze.tables.column import Column

__all__ = ["CARDS", "CLUES", "Fate"]


class Fate(IntEnum):
    """What became of a card; the last three in the order of the results of actions."""

    IN_DECK = 0
    IN_HAND = 1
    PLAYED = 2
    MISPLAYED = 3
    DISCARDED = 4


CLUES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the clue"),
    Column("giver", "int8", "seat", "0..5", "seat that gave it"),
    Column("receiver", "int8", "seat", "0..5", "seat that got it"),
    Column("kind", "uint8", "", "", "what it named", ("colour", "rank")),
    Column("value", "int8", "", "0..5", "the rank, or the index among the variant's clue colours"),
    Column("touched", "int8", "cards", "0..6", "cards that it touched"),
    Column("newly_touched", "int8", "cards", "0..6", "of them, those that no clue had touched before"),
    Column("retouched", "int8", "cards", "0..6", "of them, the others"),
    Column("trash", "int8", "cards", "0..6", "touched cards that were trash"),
    Column(
        "duplicates",
        "int8",
        "cards",
        "0..6",
        "newly touched needed cards of which another copy was clued, in any hand, or touched as well by this"
        " clue and is older",
    ),
    Column(
        "duplicates_hidden",
        "int8",
        "cards",
        "0..6",
        "of them, those whose clued copies were all in the giver's own hand, and not known there",
    ),
    Column("playable", "int8", "cards", "0..6", "touched cards that were playable"),
    Column("critical", "int8", "cards", "0..6", "touched cards that were critical"),
    Column(
        "focus",
        "int8",
        "order",
        "0..59",
        "the card that the clue is about: the chop if newly touched, else the newest newly touched card, else"
        " the newest touched card",
        null=-1,
    ),
    Column("chop_touched", "bool", "", "", "whether it newly touched the receiver's chop"),
    Column("saved", "bool", "", "", "whether it newly touched the receiver's chop, a critical card"),
    Column(
        "bits",
        "float64",
        "bits",
        "0..",
        "information: the sum over the receiver's cards of log2 of the possibilities before over those after",
    ),
    Column(
        "plays_followed",
        "int8",
        "plays",
        "0..",
        "cards that the receiver played onto a stack within one round, that is on their next turn (outcome)",
    ),
    Column(
        "cards_gotten",
        "int8",
        "cards",
        "0..6",
        "cards that this clue was the first to touch and that count as gotten at the end of the game; with"
        " the cards played blind they add up to the game's cards gotten before its bound (outcome)",
    ),
)
"""One row a clue."""

CARDS: Final = (
    Column("order", "int8", "order", "0..59", "index of the card in the deck"),
    Column("suit", "int8", "suit", "0..5", "its suit"),
    Column("rank", "int8", "rank", "1..5, 7 START", "its rank"),
    Column("holder", "int8", "seat", "0..5", "seat that held it, null if it stayed in the deck", null=-1),
    Column(
        "drawn_turn",
        "int16",
        "turn",
        "0..",
        "turn before which it was in hand; 0 for the first deal",
        null=-1,
    ),
    Column("first_clue_turn", "int16", "turn", "0..", "turn of the first clue that touched it", null=-1),
    Column("first_clue_giver", "int8", "seat", "0..5", "seat that gave that clue", null=-1),
    Column("last_clue_turn", "int16", "turn", "0..", "turn of the last clue that touched it", null=-1),
    Column("last_clue_giver", "int8", "seat", "0..5", "seat that gave that clue", null=-1),
    Column("colour_clues", "int16", "clues", "0..", "colour clues that touched it"),
    Column("rank_clues", "int16", "clues", "0..", "rank clues that touched it"),
    Column(
        "touchable",
        "uint8",
        "",
        "",
        "kinds of clues of the variant that touch it",
        ("nothing", "colour", "rank", "both"),
    ),
    Column(
        "chop_turn", "int16", "turn", "0..", "turn before which it last became its holder's chop", null=-1
    ),
    Column(
        "known_turn", "int16", "turn", "0..", "turn before which its holder first knew its identity", null=-1
    ),
    Column(
        "playable_turn",
        "int16",
        "turn",
        "0..",
        "turn before which it was first in hand and playable",
        null=-1,
    ),
    Column(
        "fate",
        "uint8",
        "",
        "",
        "what became of it",
        tuple(fate.name.lower() for fate in Fate),
    ),
    Column("fate_turn", "int16", "turn", "0..", "turn of that, null for cards that stayed", null=-1),
)
"""One row a card of the deck, in order."""

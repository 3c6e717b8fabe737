"""Columns of the tables `games`, `clues` and `cards`, and of the engine's output `defects`."""

from enum import IntEnum
from typing import Final

from hanalyze.game.defects import Defect
from hanalyze.game.editions import EndCondition
from hanalyze.tables.column import Column
from hanalyze.tables.turns import PACE_NULL

# fmt: off
GAMES: Final = (
    Column("players", "int8", "players", "2..6", "number of players"),
    Column("turns", "int16", "turns", "0..", "actions carried out"),
    Column("score", "int8", "points", "0..30", "final score"),
    Column("raw_score", "int8", "points", "0..30", "cards on the play stacks at the end, even if the game was lost"),
    Column("max_score", "int8", "points", "0..30", "points still possible at the end with the cards that were not lost"),
    Column("full_score", "int8", "points", "0..30", "points when all stacks are complete"),
    Column("full_tokens", "int8", "tokens", "0..", "maximum number of clue tokens"),
    Column("end_condition", "uint8", "", "", "how the game ended; unfinished if the log stops before the end", tuple(end.label for end in EndCondition)),
    Column("defects", "int32", "defects", "0..", "breaches of rules in the log; outside a database, only those by actions"),
    Column("plays", "int16", "cards", "0..", "cards played onto a stack"),
    Column("misplays", "int16", "cards", "0..", "cards misplayed"),
    Column("discards", "int16", "cards", "0..", "cards discarded"),
    Column("clues", "int16", "clues", "0..", "clues given"),
    Column("strikes", "int8", "strikes", "0..", "strikes at the end"),
    Column("blind_plays", "int16", "cards", "0..", "unclued cards played onto a stack"),
    Column("cards_gotten", "int8", "cards", "0..30", "cards gotten at the end, as defined in `turns`"),
    Column("first_discard", "int16", "turn", "0..", "turn of the first discard; null without discards", null=-1),
    Column("min_pace", "int16", "cards", "-30..", "smallest pace before an action; null if the pace was always null", null=PACE_NULL),
    Column("min_efficiency", "float64", "cards/clue", "0..", "cards per clue that a full score requires at the start of the game"),
    Column("efficiency", "float64", "cards/clue", "0..", "cards gotten per clue given or lost, at the end; null if no clue was given or lost"),
)
"""One row per game."""

DEFECTS: Final = (
    Column("game", "int32", "", "0..", "index of the game in its batch"),
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move"),
    Column("rule", "uint8", "", "", "the rule that was broken", ("", *(defect.label for defect in Defect))),
)
"""One row per broken rule, in the engine's output."""


class Fate(IntEnum):
    """Fate of a card: its place at the end, or how it left the hand (`PLAYED` plus the action's `Result`)."""

    IN_DECK = 0
    IN_HAND = 1
    PLAYED = 2
    MISPLAYED = 3
    DISCARDED = 4


# fmt: off
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
    Column("duplicates", "int8", "cards", "0..6", "newly touched needed cards with another copy that was already clued in any hand, or that is older and also touched by the clue"),
    Column("duplicates_hidden", "int8", "cards", "0..6", "duplicates whose clued copies were all in the giver's hand and unknown to the giver"),
    Column("playable", "int8", "cards", "0..6", "touched cards that were playable"),
    Column("critical", "int8", "cards", "0..6", "touched cards that were critical"),
    Column("focus", "int8", "order", "0..59", "focus of the clue: the chop if newly touched, otherwise the newest newly touched card, otherwise the newest touched card", null=-1),
    Column("chop_touched", "bool", "", "", "whether the clue newly touched the receiver's chop"),
    Column("saved", "bool", "", "", "whether the clue newly touched the receiver's chop and the chop was critical"),
    Column("bits", "float64", "bits", "0..", "information of the clue: sum over the receiver's cards of log2(possibilities before / possibilities after)"),
    Column("plays_followed", "int8", "plays", "0..", "cards that the receiver played onto a stack on their next turn (outcome)"),
    Column("cards_gotten", "int8", "cards", "0..6", "cards first touched by the clue that count as gotten at the end of the game (outcome); the sum over all clues, plus the blind plays, is the game's `cards_gotten` before it is capped at the maximum score"),
)
"""One row per clue."""

CARDS: Final = (
    Column("order", "int8", "order", "0..59", "index of the card in the deck"),
    Column("suit", "int8", "suit", "0..5", "suit of the card"),
    Column("rank", "int8", "rank", "1..5, 7 START", "rank of the card"),
    Column("holder", "int8", "seat", "0..5", "seat that held the card; null if it stayed in the deck", null=-1),
    Column("drawn_turn", "int16", "turn", "0..", "turn from which the card was in a hand; 0 for the first deal, null if it stayed in the deck", null=-1),
    Column("first_clue_turn", "int16", "turn", "0..", "turn of the first clue that touched the card", null=-1),
    Column("first_clue_giver", "int8", "seat", "0..5", "seat that gave the first clue to the card", null=-1),
    Column("last_clue_turn", "int16", "turn", "0..", "turn of the last clue that touched the card", null=-1),
    Column("last_clue_giver", "int8", "seat", "0..5", "seat that gave the last clue to the card", null=-1),
    Column("colour_clues", "int16", "clues", "0..", "colour clues that touched the card"),
    Column("rank_clues", "int16", "clues", "0..", "rank clues that touched the card"),
    Column("touchable", "uint8", "", "", "kinds of clues that touch the card in the variant", ("nothing", "colour", "rank", "both")),
    Column("chop_turn", "int16", "turn", "0..", "turn from which the card was most recently its holder's chop", null=-1),
    Column("known_turn", "int16", "turn", "0..", "turn from which the holder knew the card's identity", null=-1),
    Column("playable_turn", "int16", "turn", "0..", "first turn on which the card was in a hand and playable", null=-1),
    Column("fate", "uint8", "", "", "where the card was at the end of the game, or how it left the hand", tuple(fate.name.lower() for fate in Fate)),
    Column("fate_turn", "int16", "turn", "0..", "turn on which the card was played, misplayed or discarded; null for other cards", null=-1),
)
"""One row per card of the deck, in order."""

"""Columns of the table `turns`: one row an action that was carried out, in order of play."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from hanalyze.game.actions import Result
from hanalyze.tables.column import Column, before_and_after

__all__ = ["FACTS", "PACE_NULL", "TURNS", "PaceRisk"]

PACE_NULL: Final = -128
"""What stands in the engine for a pace that does not apply."""


class PaceRisk(IntEnum):
    """What a pace means for a number of players, by hanab.live."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2
    ZERO = 3


ACTIONS: Final = ("play", "discard", "colour_clue", "rank_clue", "end_game")

FACTS: Final = (
    Column("turn", "int16", "turn", "0..", "number of the turn, the first is 0"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move"),
    Column("action", "uint8", "", "", "what the player did; a misplay is a play, see result", ACTIONS),
    Column("result", "uint8", "", "", "what came of it", tuple(result.name.lower() for result in Result)),
    Column("order", "int8", "order", "0..59", "the card played or discarded: its index in the deck", null=-1),
    Column(
        "slot", "int8", "slot", "1..6, 0 the deck", "where that card was in the hand, 1 the newest", null=-1
    ),
    Column("suit", "int8", "suit", "0..5", "suit of that card", null=-1),
    Column("rank", "int8", "rank", "1..5, 7 START", "rank of that card", null=-1),
    Column("receiver", "int8", "seat", "0..5", "seat that got the clue", null=-1),
    Column(
        "clue_value",
        "int8",
        "",
        "0..5",
        "rank of a rank clue, index among the variant's clue colours of a colour clue",
        null=-1,
    ),
    Column(
        "touched_slots",
        "int8",
        "bits",
        "0..63",
        "slots of the receiver that the clue touched: bit 0 is slot 1",
        null=-1,
    ),
    Column("drawn", "int8", "order", "0..59", "the card that the player drew afterwards", null=-1),
    *before_and_after(
        Column(
            "score", "int8", "points", "0..30", "points, zero once a game is lost where the edition says so"
        ),
        Column("max_score", "int8", "points", "0..30", "points that the cards not yet lost still allow"),
        Column("clue_tokens", "float32", "tokens", "0..8", "clue tokens, by halves in Clue Starved"),
        Column("strikes", "int8", "strikes", "0..3", "strikes"),
        Column("deck", "int8", "cards", "0..50", "cards left in the deck"),
        Column(
            "pace",
            "int16",
            "cards",
            "-30..30",
            "discards that can be afforded without giving up a point of the maximum score: score + deck -"
            " maximum score + players; null with an empty deck and once the game is over",
            null=PACE_NULL,
        ),
        Column(
            "pace_risk",
            "uint8",
            "",
            "",
            "hanab.live's reading of the pace for the number of players",
            tuple(risk.name.capitalize() for risk in PaceRisk),
        ),
        Column(
            "stacks",
            "uint8",
            "cards",
            "0..5",
            "cards on each play stack, 0 for suits that the variant does not have",
            width=6,
        ),
    ),
)
"""What happened, a row an action that was carried out: the engine's cheap part."""

TURNS: Final = (
    *FACTS,
    *before_and_after(
        Column(
            "cards_gotten",
            "int8",
            "cards",
            "0..30",
            "cards on the stacks and needed cards in hands that a clue touched, at most the maximum score",
        ),
        Column(
            "clues_lost",
            "float32",
            "clues",
            "0..",
            "clues given, and tokens lost by strikes and by stacks completed with all tokens there",
        ),
        Column(
            "clues_left",
            "int8",
            "clues",
            "0..",
            "clues that can still be given without giving up a point; null with an empty deck",
            null=-1,
        ),
        Column("final_round", "bool", "", "", "whether no clue is left to give, or the deck is empty"),
        Column(
            "future_efficiency",
            "float64",
            "cards/clue",
            "0..",
            "cards yet to get per clue left; null with an empty deck and with no clue left",
        ),
    ),
    # What the player to move could see and work out (knowledge), but for the identity of the chop (a fact).
    Column("known_playable", "int8", "cards", "0..6", "cards in the own hand known to be playable"),
    Column("known_trash", "int8", "cards", "0..6", "cards in the own hand known to be trash"),
    Column("known_critical", "int8", "cards", "0..6", "cards in the own hand known to be critical"),
    Column("locked", "bool", "", "", "whether clues touched every card of the own hand"),
    Column(
        "chop",
        "int8",
        "order",
        "0..59",
        "the own chop: the oldest card that no clue touched, of a locked hand the newest",
        null=-1,
    ),
    Column("chop_suit", "int8", "suit", "0..5", "suit of the own chop, hidden from the player", null=-1),
    Column("chop_rank", "int8", "rank", "1..5, 7", "rank of the own chop, hidden from the player", null=-1),
    Column(
        "possibilities",
        "int8",
        "identities",
        "1..36",
        "identities that the player had to allow for of the card played or discarded",
        null=-1,
    ),
    Column(
        "p_playable",
        "float64",
        "probability",
        "0..1",
        "that the card played or discarded was playable, by the player's view: each identity that is still"
        " possible weighs as many copies as the player does not see",
    ),
    Column("p_trash", "float64", "probability", "0..1", "likewise, that it was trash"),
    Column("p_critical", "float64", "probability", "0..1", "likewise, that it was critical"),
    Column("best_p_playable", "float64", "probability", "0..1", "the most p_playable in the own hand"),
    Column("best_p_trash", "float64", "probability", "0..1", "the most p_trash in the own hand"),
    Column("least_p_critical", "float64", "probability", "0..1", "the least p_critical in the own hand"),
    Column("best_playable_slot", "int8", "slot", "1..6", "slot of the oldest card with that", null=-1),
    Column("best_trash_slot", "int8", "slot", "1..6", "likewise of best_p_trash", null=-1),
    Column("safest_slot", "int8", "slot", "1..6", "likewise of least_p_critical", null=-1),
    Column(
        "p_double_discard",
        "float64",
        "probability",
        "0..1",
        "that the own chop is the last copy of the needed card that the action before lost, by the player's"
        " view; null where none is the last, and for a locked hand",
    ),
    Column("could_clue", "bool", "", "", "whether a clue was legal"),
    Column("could_discard", "bool", "", "", "whether a discard was legal"),
    Column("forced", "bool", "", "", "whether neither was, so that a card had to be played"),
    Column("playable_seen", "int8", "cards", "0..30", "playable cards in the other hands"),
    Column("playable_seen_clued", "int8", "cards", "0..30", "of them, those that a clue touched"),
    Column(
        "next_chop_critical",
        "bool",
        "",
        "",
        "whether the next player's chop was critical; a locked hand has none here",
    ),
    Column("other_chop_critical", "bool", "", "", "likewise of any other player"),
    # What the card was that the action took from the hand (facts).
    Column("clued", "bool", "", "", "whether a clue had touched the card played or discarded", null=-1),
    Column(
        "status",
        "uint8",
        "",
        "",
        "what that card was before: trash, needed by a stack, or critical (mostly: the last copy needed)",
        ("trash", "needed", "critical"),
        null=255,
    ),
    Column("playable", "bool", "", "", "whether that card fitted a stack", null=-1),
    Column(
        "blind_plays_after",
        "int8",
        "plays",
        "0..",
        "plays in a row, up to this action, of cards that no clue touched; any other action ends the row",
    ),
    Column("misplays_after", "int8", "plays", "0..", "misplays in a row, up to this action"),
    Column(
        "double_discard_after",
        "int8",
        "order",
        "0..59",
        "the card just lost, where its only other copy is in nobody's hand as known by clues, and the next"
        " player may have it and is not locked: hanab.live's double discard situation",
        null=-1,
    ),
)
"""One row an action that was carried out, in order of play."""

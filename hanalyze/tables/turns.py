"""Columns of the table `turns`: one row per action that was carried out, in order of play."""

from enum import IntEnum
from typing import Final

from hanalyze.game.actions import Result
from hanalyze.tables.column import Column, before_and_after

PACE_NULL: Final = -128
"""The engine's number for a pace that does not apply."""


class PaceRisk(IntEnum):
    """hanab.live's rating of a pace for a number of players."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2
    ZERO = 3


ACTIONS: Final = ("play", "discard", "colour_clue", "rank_clue", "end_game")

# fmt: off
FACTS: Final = (
    Column("turn", "int16", "turn", "0..", "number of the turn, from 0"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move"),
    Column("action", "uint8", "", "", "kind of action; a misplay is a play (see result)", ACTIONS),
    Column("result", "uint8", "", "", "result of the action", tuple(result.name.lower() for result in Result)),
    Column("order", "int8", "order", "0..59", "index in the deck of the card played or discarded", null=-1),
    Column("slot", "int8", "slot", "0..6", "slot of the card played or discarded; 1 is the newest card, 0 the deck", null=-1),
    Column("suit", "int8", "suit", "0..5", "suit of the card played or discarded", null=-1),
    Column("rank", "int8", "rank", "1..5, 7 START", "rank of the card played or discarded", null=-1),
    Column("receiver", "int8", "seat", "0..5", "seat that received the clue", null=-1),
    Column("clue_value", "int8", "", "0..5", "rank of a rank clue; for a colour clue, index among the variant's clue colours", null=-1),
    Column("touched_slots", "int8", "bits", "0..63", "slots of the receiver's hand that the clue touched: bit 0 is slot 1", null=-1),
    Column("drawn", "int8", "order", "0..59", "card that the player drew afterwards; null if none", null=-1),
    *before_and_after(
        Column("score", "int8", "points", "0..30", "score; zero after a loss in editions where a lost game scores zero"),
        Column("max_score", "int8", "points", "0..30", "points still possible with the cards not yet lost"),
        Column("clue_tokens", "float32", "tokens", "0..", "clue tokens; also half tokens in Clue Starved"),
        Column("strikes", "int8", "strikes", "0..", "strikes"),
        Column("deck", "int8", "cards", "0..56", "cards left in the deck"),
        Column("pace", "int16", "cards", "-30..", "number of discards that are still possible without losing a point of the maximum score: score + deck - maximum score + players; null once the deck is empty or the game is over", null=PACE_NULL),
        Column("pace_risk", "uint8", "", "", "hanab.live's rating of the pace for the number of players", tuple(risk.name.capitalize() for risk in PaceRisk)),
        Column("stacks", "uint8", "cards", "0..5", "cards on each play stack; 0 for suits that the variant does not have", width=6),
    ),
)
"""Facts of turns, one row per action that was carried out; the engine always computes them."""

TURNS: Final = (
    *FACTS,
    *before_and_after(
        Column("cards_gotten", "int8", "cards", "0..30", "cards on the stacks, plus needed clued cards in hands; at most the maximum score"),
        Column("clues_lost", "float32", "clues", "0..", "clues given, and tokens lost to strikes and to stacks completed at full clue tokens"),
        Column("clues_left", "int8", "clues", "0..", "clues that can still be given without losing a point; null once the deck is empty", null=-1),
        Column("final_round", "bool", "", "", "whether no clues are left or the deck is empty"),
        Column("future_efficiency", "float64", "cards/clue", "0..", "cards still to get per clue left; null once the deck is empty or no clue is left"),
    ),
    # Knowledge: what the player to move could see or deduce, except for the identity of the chop (a fact).
    Column("known_playable", "int8", "cards", "0..6", "cards in the player's hand known to be playable"),
    Column("known_trash", "int8", "cards", "0..6", "cards in the player's hand known to be trash"),
    Column("known_critical", "int8", "cards", "0..6", "cards in the player's hand known to be critical"),
    Column("locked", "bool", "", "", "whether every card in the player's hand is clued"),
    Column("chop", "int8", "order", "0..59", "the player's chop: the oldest unclued card; in a locked hand, the newest card", null=-1),
    Column("chop_suit", "int8", "suit", "0..5", "suit of the player's chop, which the player cannot see", null=-1),
    Column("chop_rank", "int8", "rank", "1..5, 7", "rank of the player's chop, which the player cannot see", null=-1),
    Column("chop_p_critical", "float64", "probability", "0..1", "chance that the player's chop was critical, from the player's point of view"),
    Column("possibilities", "int8", "identities", "1..36", "possible identities of the card played or discarded, from the player's point of view", null=-1),
    Column("p_playable", "float64", "probability", "0..1", "chance that the card played or discarded was playable, from the player's point of view: share of the possible assignments of unseen cards to the whole hand that make it playable"),
    Column("p_trash", "float64", "probability", "0..1", "chance that the card played or discarded was trash, from the player's point of view"),
    Column("p_critical", "float64", "probability", "0..1", "chance that the card played or discarded was critical, from the player's point of view"),
    Column("best_p_playable", "float64", "probability", "0..1", "highest chance of any card in the player's hand to be playable"),
    Column("best_p_trash", "float64", "probability", "0..1", "highest chance of any card in the player's hand to be trash"),
    Column("least_p_critical", "float64", "probability", "0..1", "lowest chance of any card in the player's hand to be critical"),
    Column("best_playable_slot", "int8", "slot", "1..6", "slot of the oldest card with best_p_playable", null=-1),
    Column("best_trash_slot", "int8", "slot", "1..6", "slot of the oldest card with best_p_trash", null=-1),
    Column("safest_slot", "int8", "slot", "1..6", "slot of the oldest card with least_p_critical", null=-1),
    Column("p_double_discard", "float64", "probability", "0..1", "chance, from the player's point of view, that their chop is the last copy of the card that the previous action lost; null for a locked hand, and unless that card is needed and has one copy left"),
    Column("could_clue", "bool", "", "", "whether a clue was legal"),
    Column("could_discard", "bool", "", "", "whether a discard was legal"),
    Column("forced", "bool", "", "", "whether neither a clue nor a discard was legal, so that a card had to be played"),
    Column("playable_seen", "int8", "cards", "0..30", "playable cards in the other players' hands"),
    Column("playable_seen_clued", "int8", "cards", "0..30", "playable clued cards in the other players' hands"),
    Column("next_chop_critical", "bool", "", "", "whether the next player's chop was critical; false for a locked hand"),
    Column("other_chop_critical", "bool", "", "", "whether the chop of any other player was critical"),
    # Facts about the card played or discarded; then successive plays, and the double discard situation.
    Column("clued", "bool", "", "", "whether a clue had touched the card played or discarded", null=-1),
    Column("status", "uint8", "", "", "status of the card played or discarded, before the action: trash, needed by a stack, or critical (needed, with one copy left); in Up or Down, a card that can begin an empty stack is critical only after another such card is lost", ("trash", "needed", "critical"), null=255),
    Column("playable", "bool", "", "", "whether the card played or discarded was playable", null=-1),
    Column("blind_plays_after", "int8", "plays", "0..", "consecutive successful plays of unclued cards up to this action; any other action resets the count"),
    Column("misplays_after", "int8", "plays", "0..", "consecutive misplays up to this action"),
    Column("double_discard_after", "int8", "order", "0..59", "hanab.live's double discard situation: the card just lost, if it is needed and has one copy left, no card in a hand is known by its clues to be that copy, and the next player (the one after, if the deck was empty) has an unclued card", null=-1),
)
"""One row per action that was carried out, in order of play."""

"""Columns of `hand_cards`, the features of chances, and of `chances`, their values.

`hand_cards` has a row for each card in the hand of the player to move, before the action: the odds by the
cards alone (knowledge), what its holder could go by, and what the card was (facts). It is not stored; models
of chances are fitted on it (`hanalyze.chances`).
"""

from __future__ import annotations

from typing import Final

from hanalyze.tables.column import Column

PLACES: Final = ("chop", "unclued", "clued")
"""Where a card stands in its hand: on the chop, another that no clue touched, or clued."""
ACTS: Final = ("none", "play", "discard")
"""What the action did with a card."""
TARGETS: Final = ("critical", "playable", "trash")
"""What a card may be; chances are of these."""

# fmt: off
# One line per column: name, type, unit, range, meaning.
HAND_CARDS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move, who holds the card"),
    Column("slot", "int8", "slot", "1..6", "slot of the card; 1 is the newest card"),
    Column("order", "int8", "order", "0..59", "index of the card in the deck"),
    Column("place", "uint8", "", "", "the oldest unclued card (chop), another unclued card, or clued", PLACES),
    Column("act", "uint8", "", "", "what the action did with the card", ACTS),
    Column("critical", "bool", "", "", "whether the card was critical (fact)"),
    Column("playable", "bool", "", "", "whether the card fitted a stack (fact)"),
    Column("trash", "bool", "", "", "whether the card was trash (fact)"),
    Column("p_critical", "float64", "probability", "0..1", "odds by the cards alone that it was critical"),
    Column("p_playable", "float64", "probability", "0..1", "odds by the cards alone that it was playable"),
    Column("p_trash", "float64", "probability", "0..1", "odds by the cards alone that it was trash"),
    Column("players", "int8", "players", "2..6", "number of players"),
    Column("half_tokens", "int8", "half tokens", "0..16", "clue tokens, in halves"),
    Column("deck", "int8", "cards", "0..50", "cards left in the deck"),
    Column("pace", "int16", "cards", "-30..30", "score + deck - maximum score + players, with an empty deck, too"),
    Column("held", "int16", "turns", "0..", "turns since the card was drawn"),
    Column("on_chop", "int16", "turns", "0..", "turns since it was first on the chop; 0 if it never was"),
    Column("spared", "int16", "turns", "0..", "turns of other players that began with a clue token while it was on the chop"),
    Column("spared_discards", "int16", "turns", "0..", "of these, turns on which they discarded"),
    Column("touches", "int16", "clues", "0..", "clues that touched the card"),
    Column("misses", "int16", "clues", "0..", "clues to this hand that did not touch it"),
    Column("explained", "bool", "", "", "whether the conventions are defined for the game's variant"),
    Column("read_critical", "float64", "probability", "0..1", "odds that it was critical, over the identities that messages leave; where they leave none, and for a card called to be played blind, p_critical"),
    Column("read_playable", "float64", "probability", "0..1", "the same, that it was playable"),
    Column("read_trash", "float64", "probability", "0..1", "the same, that it was trash"),
    Column("plays", "bool", "", "", "whether by the messages it could be played now; false for a card called to be played blind"),
    Column("known_trash", "bool", "", "", "whether by the messages it was trash"),
    Column("chop_moved", "bool", "", "", "whether a message keeps it from being discarded"),
    Column("focused", "bool", "", "", "whether it was the focus of a clue"),
    Column("other_trash", "bool", "", "", "whether by the messages another card of the hand was trash"),
    Column("stake", "float64", "points", "0..", "of a card discarded: the points of the maximum score that it stood for if it was critical; of a card played: those lost if it did not fit, 0 for what was not critical; means by the cards alone; 0 for cards that stayed in the hand"),
)
"""One row per card in the hand of the player to move, before the action."""

SLOTS: Final = 6
"""Cards that a hand can have."""

CHANCES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    *(
        Column(target, "float32", "probability", "0..1", f"by slot, the newest card first: chance that the card of the player to move was {target}, judged before the action by cards, messages and context, to a thousandth; null for slots without one", width=SLOTS)
        for target in TARGETS
    ),
    Column("act_playable", "float32", "probability", "0..1", "chance that the card played fitted, judged also by the fact that it was played; null for other actions"),
    Column("act_critical", "float32", "probability", "0..1", "chance that the card discarded was critical, judged also by the fact that it was discarded; null for other actions"),
    Column("act_trash", "float32", "probability", "0..1", "the same, that it was trash"),
    Column("act_points", "float32", "points", "0..", "points of the maximum score that such a play or discard loses on average, by act_playable or act_critical and what the card may have been; null for other actions"),
)
"""One row per action that was carried out, of games read for conventions."""

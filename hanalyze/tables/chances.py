"""Columns of `hand_cards`, the inputs of chance models, and of `chances`, their predictions.

Chance models (`hanalyze.chances`) are fitted on `hand_cards`, which the database does not store. Columns marked
"(fact)" are true properties of the card; the others are known to its holder.
"""

from typing import Final

from hanalyze.tables.column import Column

PLACES: Final = ("chop", "unclued", "clued")
"""Place of a card in its hand: the chop, another unclued card, or a clued card."""
ACTS: Final = ("none", "play", "discard")
"""Whether the action played or discarded a card."""
TARGETS: Final = ("critical", "playable", "trash")
"""Properties of a card whose chances are predicted."""

# fmt: off
HAND_CARDS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move, who holds the card"),
    Column("slot", "int8", "slot", "1..6", "slot of the card; 1 is the newest card"),
    Column("order", "int8", "order", "0..59", "index of the card in the deck"),
    Column("place", "uint8", "", "", "place of the card in its hand: the oldest unclued card (chop), another unclued card, or a clued card", PLACES),
    Column("act", "uint8", "", "", "whether the action played or discarded the card", ACTS),
    Column("critical", "bool", "", "", "whether the card was critical (fact)"),
    Column("playable", "bool", "", "", "whether the card was playable (fact)"),
    Column("trash", "bool", "", "", "whether the card was trash (fact)"),
    Column("p_critical", "float64", "probability", "0..1", "card-counting odds that the card was critical"),
    Column("p_playable", "float64", "probability", "0..1", "card-counting odds that the card was playable"),
    Column("p_trash", "float64", "probability", "0..1", "card-counting odds that the card was trash"),
    Column("players", "int8", "players", "2..6", "number of players"),
    Column("half_tokens", "int8", "half tokens", "0..", "clue tokens, in halves"),
    Column("deck", "int8", "cards", "0..56", "cards left in the deck"),
    Column("pace", "int16", "cards", "-30..", "pace: score + deck - maximum score + players, also with an empty deck"),
    Column("held", "int16", "turns", "0..", "turns since the card was drawn"),
    Column("on_chop", "int16", "turns", "0..", "turns since the card was first on the chop; 0 if it never was"),
    Column("spared", "int16", "turns", "0..", "turns of other players that began with a clue token while the card was on the chop"),
    Column("spared_discards", "int16", "turns", "0..", "turns of `spared` on which the other player discarded"),
    Column("touches", "int16", "clues", "0..", "clues that touched the card"),
    Column("misses", "int16", "clues", "0..", "clues to the hand that did not touch the card"),
    Column("explained", "bool", "", "", "whether the conventions are defined for the game's variant"),
    Column("read_critical", "float64", "probability", "0..1", "odds that the card was critical, over the identities that messages allow; equals p_critical if messages allow no identity, and for a card called to be played blind"),
    Column("read_playable", "float64", "probability", "0..1", "odds that the card was playable, as for read_critical"),
    Column("read_trash", "float64", "probability", "0..1", "odds that the card was trash, as for read_critical, but without the identities that became trash because a lower card of the suit was lost after the card was clued"),
    Column("plays", "bool", "", "", "whether the messages imply that the card is playable now; false for a card called to be played blind"),
    Column("known_trash", "bool", "", "", "whether the messages imply that the card is trash"),
    Column("chop_moved", "bool", "", "", "whether a message protects the card from being discarded"),
    Column("focused", "bool", "", "", "whether the card was the focus of a clue"),
    Column("other_trash", "bool", "", "", "whether the messages imply that another card of the hand is trash"),
    Column("stake", "float64", "points", "0..", "conditional mean loss of maximum score, by card-counting odds: for a discarded card, given that it was critical; for a played card, given that the play failed (identities that were not critical count 0); 0 for cards that stayed in the hand"),
)
"""One row per card in the hand of the player to move, before the action."""

SLOTS: Final = 6
"""Maximum number of cards in a hand."""

CHANCES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    *(
        Column(target, "float32", "probability", "0..1", f"for each slot of the player to move, newest card first: chance before the action that the card was {target}, from cards, messages and context, rounded to a thousandth; null for slots without a card", width=SLOTS)
        for target in TARGETS
    ),
    Column("act_playable", "float32", "probability", "0..1", "chance that the played card was playable, with the play itself as evidence; null for other actions"),
    Column("act_critical", "float32", "probability", "0..1", "chance that the discarded card was critical, with the discard itself as evidence; null for other actions"),
    Column("act_trash", "float32", "probability", "0..1", "chance that the discarded card was trash, with the discard itself as evidence; null for other actions"),
    Column("act_points", "float32", "points", "0..", "mean points of the maximum score that this play or discard loses, computed from act_playable or act_critical and the possible identities of the card; null for other actions"),
)
"""One row per action that was carried out in a game read for conventions."""

"""Every column that is published: its name, type, unit, range and meaning. The source of the schema.

A column is defined here and nowhere else: the engine's output arrays, the frames of `Replay`, the keys of
JSON rows, the tables of the database and their documentation are made from these lists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hanalyze.game.defects import Defect
from hanalyze.game.rules import EndCondition

__all__ = [
    "DEFECTS",
    "FACTS",
    "GAMES",
    "PACE_NULL",
    "TABLES_VERSION",
    "TURNS",
    "Column",
    "column_names",
]

TABLES_VERSION: Final = 1
"""Changes exactly when a column appears, goes or changes its meaning."""

PACE_NULL: Final = -128
"""What stands in the engine for a pace that does not apply."""


@dataclass(frozen=True, slots=True)
class Column:
    """One published column.

    `type` is a NumPy type name; `words` a closed set for which numbers 0, 1, ... stand in the engine; `null`
    the number that stands in the engine for "does not apply", published as null (of a float, NaN does);
    `width` above 1 for a fixed number of values per row.
    """

    name: str
    type: str
    unit: str
    range: str
    meaning: str
    words: tuple[str, ...] = ()
    null: int | None = None
    width: int = 1


def column_names(columns: tuple[Column, ...]) -> tuple[str, ...]:
    """Return the names of `columns` in order."""
    return tuple(column.name for column in columns)


def _before_and_after(*columns: Column) -> tuple[Column, ...]:
    """Return each column twice: as it was before the row's action, and after it."""
    return tuple(
        replace(column, name=f"{column.name}_{when}", meaning=f"{column.meaning}, {when} the action")
        for column in columns
        for when in ("before", "after")
    )


ACTIONS: Final = ("play", "discard", "colour_clue", "rank_clue", "end_game")

FACTS: Final = (
    Column("turn", "int16", "turn", "0..", "number of the turn, the first is 0"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move"),
    Column("action", "uint8", "", "", "what the player did; a misplay is a play, see result", ACTIONS),
    Column(
        "result", "uint8", "", "", "what came of it", ("played", "misplayed", "discarded", "clued", "ended")
    ),
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
    *_before_and_after(
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
            ("Low", "Medium", "High", "Zero"),
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
    *_before_and_after(
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
        Column(
            "future_efficiency",
            "float64",
            "cards/clue",
            "0..",
            "cards yet to get per clue left; null with an empty deck and with no clue left",
        ),
    ),
)
"""One row an action that was carried out, in order of play."""

GAMES: Final = (
    Column("players", "int8", "players", "2..6", "number of players"),
    Column("turns", "int16", "turns", "0..", "actions that were carried out"),
    Column("score", "int8", "points", "0..30", "final score"),
    Column(
        "raw_score",
        "int8",
        "points",
        "0..30",
        "cards on the play stacks at the end, whether or not the game was lost",
    ),
    Column(
        "max_score", "int8", "points", "0..30", "points that the cards not lost at the end would have allowed"
    ),
    Column("end_condition", "uint8", "", "", "how the game ended", tuple(end.label for end in EndCondition)),
    Column("defects", "int16", "defects", "0..", "broken rules that were found in its actions"),
    Column(
        "min_efficiency",
        "float64",
        "cards/clue",
        "0..",
        "cards per clue that a full score takes from the deal on",
    ),
)
"""One row a game."""

DEFECTS: Final = (
    Column("game", "int32", "", "0..", "index of the game in its batch"),
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move"),
    Column("rule", "uint8", "", "", "the rule that was broken", ("", *(defect.label for defect in Defect))),
)
"""One row a broken rule, as the engine finds them."""

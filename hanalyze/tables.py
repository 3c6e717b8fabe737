"""Every column that is published: its name, type, unit, range and meaning. The source of the schema.

A column is defined here and nowhere else: the engine's output arrays, the frames of `Replay`, the keys of
JSON rows and the documentation are made from these lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hanalyze.game.defects import Defect
from hanalyze.game.rules import EndCondition

__all__ = ["DEFECTS", "GAMES", "TABLES_VERSION", "TURNS", "Column", "column_names"]

TABLES_VERSION: Final = 1
"""Changes exactly when a column appears, goes or changes its meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One published column.

    `type` is a NumPy type name; `words` a closed set for which numbers 0, 1, ... stand in the engine; `null`
    the number that stands in the engine for "does not apply", published as null; `width` above 1 for a fixed
    number of values per row.
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
        Column(
            name=f"{column.name}_{when}",
            type=column.type,
            unit=column.unit,
            range=column.range,
            meaning=f"{column.meaning}, {when} the action",
            words=column.words,
            null=column.null,
            width=column.width,
        )
        for column in columns
        for when in ("before", "after")
    )


PACE_NULL: Final = -128

TURNS: Final = (
    Column(name="turn", type="int16", unit="turn", range="0..", meaning="number of the turn, the first is 0"),
    Column(name="seat", type="int8", unit="seat", range="0..5", meaning="seat of the player to move"),
    Column(
        name="action",
        type="uint8",
        unit="",
        range="",
        meaning="what the player did; a misplay is a play, see result",
        words=("play", "discard", "colour_clue", "rank_clue", "end_game"),
    ),
    Column(
        name="result",
        type="uint8",
        unit="",
        range="",
        meaning="what came of it",
        words=("played", "misplayed", "discarded", "clued", "ended"),
    ),
    Column(
        name="order",
        type="int8",
        unit="order",
        range="0..59",
        meaning="the card played or discarded: its index in the deck",
        null=-1,
    ),
    Column(
        name="slot",
        type="int8",
        unit="slot",
        range="1..6, 0 the deck",
        meaning="where that card was in the hand, 1 the newest",
        null=-1,
    ),
    Column(name="suit", type="int8", unit="suit", range="0..5", meaning="suit of that card", null=-1),
    Column(
        name="rank",
        type="int8",
        unit="rank",
        range="1..5, 7 START",
        meaning="rank of that card",
        null=-1,
    ),
    Column(
        name="receiver", type="int8", unit="seat", range="0..5", meaning="seat that got the clue", null=-1
    ),
    Column(
        name="clue_value",
        type="int8",
        unit="",
        range="0..5",
        meaning="rank of a rank clue, index among the variant's clue colours of a colour clue",
        null=-1,
    ),
    Column(
        name="touched_slots",
        type="int8",
        unit="bits",
        range="0..63",
        meaning="slots of the receiver that the clue touched: bit 0 is slot 1",
        null=-1,
    ),
    Column(
        name="drawn",
        type="int8",
        unit="order",
        range="0..59",
        meaning="the card that the player drew afterwards",
        null=-1,
    ),
    *_before_and_after(
        Column(
            name="score",
            type="int8",
            unit="points",
            range="0..30",
            meaning="points, zero once a game is lost where the edition says so",
        ),
        Column(
            name="max_score",
            type="int8",
            unit="points",
            range="0..30",
            meaning="points that the cards not yet lost still allow",
        ),
        Column(
            name="clue_tokens",
            type="float32",
            unit="tokens",
            range="0..8",
            meaning="clue tokens, by halves in Clue Starved",
        ),
        Column(name="strikes", type="int8", unit="strikes", range="0..3", meaning="strikes"),
        Column(name="deck", type="int8", unit="cards", range="0..50", meaning="cards left in the deck"),
        Column(
            name="pace",
            type="int16",
            unit="cards",
            range="-30..30",
            meaning="discards that can be afforded without giving up a point of the maximum score: score +"
            " deck - maximum score + players; null with an empty deck and once the game is over",
            null=PACE_NULL,
        ),
        Column(
            name="pace_risk",
            type="uint8",
            unit="",
            range="",
            meaning="hanab.live's reading of the pace for the number of players",
            words=("Low", "Medium", "High", "Zero"),
        ),
        Column(
            name="stacks",
            type="uint8",
            unit="cards",
            range="0..5",
            meaning="cards on each play stack, 0 for suits that the variant does not have",
            width=6,
        ),
    ),
)
"""One row an action that was carried out, in order of play."""

GAMES: Final = (
    Column(name="players", type="int8", unit="players", range="2..6", meaning="number of players"),
    Column(name="turns", type="int16", unit="turns", range="0..", meaning="actions that were carried out"),
    Column(name="score", type="int8", unit="points", range="0..30", meaning="final score"),
    Column(
        name="raw_score",
        type="int8",
        unit="points",
        range="0..30",
        meaning="cards on the play stacks at the end, whether or not the game was lost",
    ),
    Column(
        name="max_score",
        type="int8",
        unit="points",
        range="0..30",
        meaning="points that the cards not lost at the end would have allowed",
    ),
    Column(
        name="end_condition",
        type="uint8",
        unit="",
        range="",
        meaning="how the game ended",
        words=tuple(end.label for end in EndCondition),
    ),
    Column(name="defects", type="int16", unit="defects", range="0..", meaning="broken rules that were found"),
)
"""One row a game."""

DEFECTS: Final = (
    Column(name="game", type="int32", unit="", range="0..", meaning="index of the game in its batch"),
    Column(name="turn", type="int16", unit="turn", range="0..", meaning="turn of the action"),
    Column(name="seat", type="int8", unit="seat", range="0..5", meaning="seat of the player to move"),
    Column(
        name="rule",
        type="uint8",
        unit="",
        range="",
        meaning="the rule that was broken",
        words=("", *(defect.label for defect in Defect)),
    ),
)
"""One row a broken rule, as the engine finds them."""

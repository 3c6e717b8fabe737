"""What the engine writes: where each published column stands, and the facts of a turn.

In: a running game. Out: entries of one array per table and kind of number, a line per column; `T.pace_after`
is the line of the column `pace_after` in the array of the turns' integers, `T.p_trash` one in that of their
reals. A column `x_after` stands on the line after `x_before`. The arrays become published columns at the end.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.game import Game, Ints
from hanalyze.engine.measure import pace, pace_risk, score
from hanalyze.engine.step import COLOUR_CLUE, DISCARD, END_GAME, PLAY, RANK_CLUE
from hanalyze.game.cards import MAX_SUITS, RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.tables import CARDS, CLUES, DEFECTS, GAMES, TURNS, Column, column_names

__all__ = [
    "C",
    "D",
    "G",
    "K",
    "T",
    "empty",
    "lines",
    "published",
    "write_action",
    "write_defect",
    "write_position",
]


def _is_real(column: Column) -> bool:
    return column.type.startswith("float")


def lines(name: str, columns: tuple[Column, ...]) -> Any:
    """Return the line on which each column begins in the array of its kind, as a tuple with their names."""
    ends = {True: 0, False: 0}
    begins = []
    for column in columns:
        begins.append(ends[_is_real(column)])
        ends[_is_real(column)] += column.width
    names_to_lines: Any = namedtuple  # its checker wants the names to be literals
    return names_to_lines(name, column_names(columns), module=__name__)(*begins)


T: Final = lines("T", TURNS)
G: Final = lines("G", GAMES)
D: Final = lines("D", DEFECTS)
K: Final = lines("K", CLUES)
C: Final = lines("C", CARDS)


def empty(columns: tuple[Column, ...], rows: int, real: bool) -> NDArray[Any]:
    """Return the array for one kind of number of a table: (lines, rows), int16 or float64."""
    count = sum(column.width for column in columns if _is_real(column) == real)
    return np.empty((count, rows), np.float64 if real else np.int16)


def published(
    columns: tuple[Column, ...], begins: Any, ints: NDArray[Any], reals: NDArray[Any] | None, rows: int
) -> dict[str, NDArray[Any]]:
    """Return the first `rows` rows as columns in their published types, by name."""
    arrays = {}
    for column, line in zip(columns, begins, strict=True):
        source = reals if reals is not None and _is_real(column) else ints
        if column.width > 1:
            arrays[column.name] = source[line : line + column.width, :rows].T.astype(column.type, order="C")
        else:
            # A truth value that can be null has a third value.
            kind = "int8" if column.type == "bool" and column.null is not None else column.type
            arrays[column.name] = source[line, :rows].astype(kind)
    return arrays


@kernel
def write_action(ints: Any, row: int, game: Game, kind: int, target: int, value: int) -> None:
    """Write what was done in a row, after it was carried out."""
    ints[T.action, row] = min(kind, END_GAME)
    ints[T.result, row] = game.last.result
    ints[T.drawn, row] = game.last.drawn
    if kind in (PLAY, DISCARD):
        ints[T.order, row] = target
        ints[T.slot, row] = game.last.slot
        ints[T.suit, row] = game.identity[target] // RANK_SLOTS
        ints[T.rank, row] = game.identity[target] % RANK_SLOTS
    else:
        ints[T.order, row] = -1
        ints[T.slot, row] = -1
        ints[T.suit, row] = -1
        ints[T.rank, row] = -1
    if kind in (COLOUR_CLUE, RANK_CLUE):
        ints[T.receiver, row] = target
        ints[T.clue_value, row] = value
        ints[T.touched_slots, row] = game.last.touched
    else:
        ints[T.receiver, row] = -1
        ints[T.clue_value, row] = -1
        ints[T.touched_slots, row] = -1


@kernel
def write_position(ints: Any, reals: Any, row: int, game: Game, after: int) -> None:
    """Write the position before the row's action, or with `after` 1 after it."""
    now = pace(game)
    if after == 0:
        ints[T.turn, row] = game.turn
        ints[T.seat, row] = game.seat
    ints[T.score_before + after, row] = score(game)
    ints[T.max_score_before + after, row] = game.max_score
    reals[T.clue_tokens_before + after, row] = game.tokens / game.variant.token_unit
    ints[T.strikes_before + after, row] = game.strikes
    ints[T.deck_before + after, row] = game.cards - game.drawn
    ints[T.pace_before + after, row] = now
    ints[T.pace_risk_before + after, row] = pace_risk(now, game.seats)
    stacks = T.stacks_after if after else T.stacks_before
    for suit in range(MAX_SUITS):
        ints[stacks + suit, row] = game.stack[suit]


@kernel
def write_defect(defects: Ints, found: int, place: int, game: Game, rule: int) -> None:
    """Write a broken rule, if there is room for it."""
    if found < defects.shape[1]:
        defects[D.game, found] = place
        defects[D.turn, found] = game.turn
        defects[D.seat, found] = game.seat
        defects[D.rule, found] = rule

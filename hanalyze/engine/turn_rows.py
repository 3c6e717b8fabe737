"""Lines of the published columns in the engine's arrays, and kernels that write rows of turns and defects.

A line is an index into the first dimension: `TURN.pace_after` into the array of integers, `TURN.p_trash` into
the array of floats. The lines of `x_after` follow those of `x_before`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.game import Game, Ints
from hanalyze.engine.measure import pace, pace_risk, score
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, END_GAME, PLAY, RANK_CLUE
from hanalyze.game.cards import MAX_SUITS, RANK_SLOTS
from hanalyze.game.defects import Defect
from hanalyze.kernels.compiling import inlined_kernel
from hanalyze.kernels.record import Record
from hanalyze.tables import CARDS, CLUES, DEFECTS, GAMES, TURNS, Column


class Columns(NamedTuple):
    """The rows of a table as two arrays of `zero_rows`: `ints` (int16) and `reals` (float64)."""

    ints: Any
    reals: Any


class NextRows(Record):
    """Indices of the next rows and of the first rows of the running game. Written by `turn_rows`, `run`."""

    game: int
    turn: int
    first_turn: int
    clue: int
    first_clue: int
    card: int  # the row of the running game's card with order 0
    defect: int
    first_defect: int


def _is_real(column: Column) -> bool:
    return column.type.startswith("float")


def lines(name: str, columns: tuple[Column, ...]) -> Any:
    """Return the first line of each column in the array of integers or floats, as a namedtuple."""
    ends = {True: 0, False: 0}
    begins = []
    for column in columns:
        begins.append(ends[_is_real(column)])
        ends[_is_real(column)] += column.width
    names_to_lines: Any = namedtuple  # type checkers accept only literal names in a call of namedtuple
    return names_to_lines(name, [column.name for column in columns], module=__name__)(*begins)


TURN: Final = lines("TURN", TURNS)
GAME: Final = lines("GAME", GAMES)
DEFECT: Final = lines("DEFECT", DEFECTS)
CLUE: Final = lines("CLUE", CLUES)
CARD: Final = lines("CARD", CARDS)

_ACTION_AFTER_END: Final = int(Defect.ACTION_AFTER_END)


def empty(columns: tuple[Column, ...], rows: int) -> Columns:
    """Return arrays of zeros for the rows of a table."""
    reals = sum(column.width for column in columns if _is_real(column))
    ints = sum(column.width for column in columns) - reals
    return Columns(zero_rows(ints, rows, np.int16), zero_rows(reals, rows, np.float64))


_SPARE: Final = 2


def zero_rows(width: int, rows: int, number: type[np.number[Any]]) -> NDArray[Any]:
    """Return an array of zeros for `rows` rows, of shape (lines, rows + 2).

    The values of a row are adjacent in memory, because they are written together. The array has at least two
    rows and two lines, because the compiler would give a smaller array another type, and compile the kernels
    again.

    >>> [zero_rows(width, rows, np.int16).flags.c_contiguous for width in (0, 3) for rows in (0, 1, 9)]
    [False, False, False, False, False, False]
    """
    return np.zeros((rows + _SPARE, max(width, 2)), number).T


@inlined_kernel
def room_in(rows: Any) -> int:
    """Return the number of rows that an array of `zero_rows` has room for."""
    return int(rows.shape[1]) - _SPARE


_BLOCK: Final = 4096  # number of rows converted at a time: few enough for the processor's cache


def published(
    columns: tuple[Column, ...], begins: Any, ints: NDArray[Any], reals: NDArray[Any] | None, rows: int
) -> dict[str, NDArray[Any]]:
    """Return the first `rows` rows of a table: an array for each column, by its name.

    `begins` are the lines of the columns. Without `reals`, all columns are in `ints`. The arrays have the
    shape (rows,), or (rows, width) for columns of several values, and the dtype of the column; a nullable
    bool becomes int8.
    """
    arrays, pairs = {}, []
    for column, line in zip(columns, begins, strict=True):
        source = reals if reals is not None and _is_real(column) else ints
        kind = "int8" if column.type == "bool" and column.null is not None else column.type
        own: Any = slice(line, line + column.width) if column.width > 1 else line
        arrays[column.name] = np.empty((rows, column.width) if column.width > 1 else rows, kind)
        pairs.append((arrays[column.name], source[own].T))
    for first in range(0, rows, _BLOCK):
        block = slice(first, min(first + _BLOCK, rows))
        for target, numbers in pairs:
            target[block] = numbers[block]
    return arrays


@inlined_kernel
def write_action(turns: Columns, row: int, game: Game) -> None:
    """Write the action of a row after it was carried out."""
    ints = turns.ints
    kind, target = game.action.kind, game.action.target
    ints[TURN.action, row] = min(kind, END_GAME)
    ints[TURN.result, row] = game.last.result
    ints[TURN.drawn, row] = game.last.drawn
    for line in (TURN.order, TURN.slot, TURN.suit, TURN.rank):
        ints[line, row] = -1
    for line in (TURN.receiver, TURN.clue_value, TURN.touched_slots):
        ints[line, row] = -1
    if kind in (PLAY, DISCARD):
        ints[TURN.order, row] = target
        ints[TURN.slot, row] = game.last.slot
        ints[TURN.suit, row] = game.identity[target] // RANK_SLOTS
        ints[TURN.rank, row] = game.identity[target] % RANK_SLOTS
    elif kind in (COLOUR_CLUE, RANK_CLUE):
        ints[TURN.receiver, row] = target
        ints[TURN.clue_value, row] = game.action.value
        ints[TURN.touched_slots, row] = game.last.touched


@inlined_kernel
def write_position(turns: Columns, row: int, game: Game, after: int) -> None:
    """Write the columns `..._before` (`after` 0) or `..._after` (`after` 1) of the row's position."""
    ints = turns.ints
    now = pace(game)
    if after == 0:
        ints[TURN.turn, row] = game.turn
        ints[TURN.seat, row] = game.seat
    ints[TURN.score_before + after, row] = score(game)
    ints[TURN.max_score_before + after, row] = game.max_score
    turns.reals[TURN.clue_tokens_before + after, row] = game.tokens / game.variant.token_unit
    ints[TURN.strikes_before + after, row] = game.strikes
    ints[TURN.deck_before + after, row] = game.cards - game.drawn
    ints[TURN.pace_before + after, row] = now
    ints[TURN.pace_risk_before + after, row] = pace_risk(now, game.seats)
    stacks = TURN.stacks_after if after else TURN.stacks_before
    for suit in range(MAX_SUITS):
        ints[stacks + suit, row] = game.stack[suit]


@inlined_kernel
def _write_defect(defects: Ints, rows: NextRows, game: Game, rule: int) -> None:
    """Count a broken rule, and write its row if the array has room for it."""
    row = rows.defect
    if row < defects.shape[1]:
        defects[DEFECT.game, row] = rows.game
        defects[DEFECT.turn, row] = game.turn
        defects[DEFECT.seat, row] = game.seat
        defects[DEFECT.rule, row] = rule
    rows.defect = row + 1


@inlined_kernel
def write_defects(defects: Ints, rows: NextRows, game: Game) -> None:
    """Write a defect if the current action comes after the end of the game, and one if it breaks a rule."""
    if game.action.after_end:
        _write_defect(defects, rows, game, _ACTION_AFTER_END)
    if game.action.defect:
        _write_defect(defects, rows, game, game.action.defect)

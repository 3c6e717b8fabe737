"""The loop: games in, rows out.

In: a `GameBatch`. Out: rows per action, per game and per broken rule, with the columns of `hanalyze.tables`.
Compiled or interpreted, `play_batch` is the same function. It writes into one array per table and kind of
number, a line per column; `T.pace_after` and its like are the lines.
"""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine import state as at
from hanalyze.engine.batch import GameBatch
from hanalyze.engine.compile import can_compile, compiled, kernel
from hanalyze.engine.efficiency import cards_gotten, clues_left, future_efficiency, minimum_efficiency
from hanalyze.engine.measure import needed_cards, pace, pace_risk, score
from hanalyze.engine.state import Ints, new_state
from hanalyze.engine.step import (
    COLOUR_CLUE,
    DISCARD,
    END_GAME,
    NORMAL,
    PLAY,
    RANK_CLUE,
    UNFINISHED,
    apply_action,
    deal,
    find_defect,
    take_up_again,
)
from hanalyze.game.cards import MAX_SUITS, RANK_SLOTS
from hanalyze.game.defects import STOPPING, Defect
from hanalyze.tables import DEFECTS, FACTS, GAMES, TURNS, Column, column_names

__all__ = ["Output", "play", "play_batch", "start_game"]

_WORTH_COMPILING: Final = 200
"""Games from which on starting the compiler (seconds, even from its cache) takes less time than it saves."""

_ACTION_AFTER_END: Final = int(Defect.ACTION_AFTER_END)
_LAST_STOPPING: Final = int(max(STOPPING))


class Output(NamedTuple):
    """What a batch comes to: for turns, games and defects the columns of the table by name."""

    turns: dict[str, NDArray[Any]]
    games: dict[str, NDArray[Any]]
    defects: dict[str, NDArray[Any]]


def _lines(name: str, columns: tuple[Column, ...]) -> Any:
    """Return the line on which each column begins in the array of its kind, as a tuple with their names."""
    ends = {True: 0, False: 0}
    lines = []
    for column in columns:
        real = column.type.startswith("float")
        lines.append(ends[real])
        ends[real] += column.width
    names_to_lines: Any = namedtuple  # its checker wants the names to be literals
    return names_to_lines(name, column_names(columns), module=__name__)(*lines)


T: Final = _lines("T", TURNS)
G: Final = _lines("G", GAMES)
D: Final = _lines("D", DEFECTS)


def _height(columns: tuple[Column, ...], real: bool) -> int:
    """Return how many lines the columns of one kind take."""
    return sum(column.width for column in columns if column.type.startswith("float") == real)


def _columns(
    columns: tuple[Column, ...], lines: Any, ints: NDArray[Any], reals: NDArray[Any] | None, rows: int
) -> dict[str, NDArray[Any]]:
    """Return the columns in their published types, by name."""
    arrays = {}
    for column, line in zip(columns, lines, strict=True):
        source = reals if reals is not None and column.type.startswith("float") else ints
        if column.width > 1:
            arrays[column.name] = source[line : line + column.width, :rows].T.astype(column.type, order="C")
        else:
            arrays[column.name] = source[line, :rows].astype(column.type)
    return arrays


@kernel
def start_game(s: Ints, batch: GameBatch, game: int) -> None:
    """Deal game number `game` of the batch."""
    deal(
        s,
        batch.variants[batch.variant[game]],
        batch.rules[batch.rules_row[game]],
        batch.seats[game],
        batch.first_seat[game],
        batch.hand_size[game],
        batch.cards[game],
        batch.deck[game],
    )


@kernel
def _can_be_taken_up(s: Ints) -> bool:
    """Return whether a game is over only by the rule that logs from before April 2020 do not know."""
    return bool(
        s[at.END_CONDITION] == NORMAL
        and s[at.STUCK_RULE] == 1
        and s[at.TURN] != s[at.END_TURN]
        and s[at.RAW_SCORE] < s[at.FULL_SCORE]
    )


@kernel
def _write_action(ints: Any, row: int, s: Ints, kind: int, target: int, value: int) -> None:
    """Write what was done in a row, after it was carried out."""
    ints[T.action, row] = min(kind, END_GAME)
    ints[T.result, row] = s[at.RESULT]
    ints[T.drawn, row] = s[at.TAKEN]
    if kind in (PLAY, DISCARD):
        ints[T.order, row] = target
        ints[T.slot, row] = s[at.SLOT]
        ints[T.suit, row] = s[at.IDENTITY + target] // RANK_SLOTS
        ints[T.rank, row] = s[at.IDENTITY + target] % RANK_SLOTS
    else:
        ints[T.order, row] = -1
        ints[T.slot, row] = -1
        ints[T.suit, row] = -1
        ints[T.rank, row] = -1
    if kind in (COLOUR_CLUE, RANK_CLUE):
        ints[T.receiver, row] = target
        ints[T.clue_value, row] = value
        ints[T.touched_slots, row] = s[at.TOUCHED]
    else:
        ints[T.receiver, row] = -1
        ints[T.clue_value, row] = -1
        ints[T.touched_slots, row] = -1


@kernel
def _write_before(ints: Any, reals: Any, row: int, s: Ints) -> None:
    """Write the position before the row's action."""
    now = pace(s)
    ints[T.turn, row] = s[at.TURN]
    ints[T.seat, row] = s[at.SEAT]
    ints[T.score_before, row] = score(s)
    ints[T.max_score_before, row] = s[at.MAX_SCORE]
    reals[T.clue_tokens_before, row] = s[at.TOKENS] / s[at.TOKEN_UNIT]
    ints[T.strikes_before, row] = s[at.STRIKES]
    ints[T.deck_before, row] = s[at.CARDS] - s[at.DRAWN]
    ints[T.pace_before, row] = now
    ints[T.pace_risk_before, row] = pace_risk(now, s[at.SEATS])
    for suit in range(MAX_SUITS):
        ints[T.stacks_before + suit, row] = s[at.STACK + suit]


@kernel
def _write_after(ints: Any, reals: Any, row: int, s: Ints) -> None:
    """Write the position after the row's action."""
    now = pace(s)
    ints[T.score_after, row] = score(s)
    ints[T.max_score_after, row] = s[at.MAX_SCORE]
    reals[T.clue_tokens_after, row] = s[at.TOKENS] / s[at.TOKEN_UNIT]
    ints[T.strikes_after, row] = s[at.STRIKES]
    ints[T.deck_after, row] = s[at.CARDS] - s[at.DRAWN]
    ints[T.pace_after, row] = now
    ints[T.pace_risk_after, row] = pace_risk(now, s[at.SEATS])
    for suit in range(MAX_SUITS):
        ints[T.stacks_after + suit, row] = s[at.STACK + suit]


@kernel
def _write_efficiency(ints: Any, reals: Any, row: int, s: Ints, after: int) -> None:
    """Write the efficiency before the row's action, or with `after` 1 after it."""
    gotten = cards_gotten(s, needed_cards(s))
    left = clues_left(s)
    ints[T.cards_gotten_before + after, row] = gotten
    reals[T.clues_lost_before + after, row] = s[at.CLUES_LOST] / 2
    ints[T.clues_left_before + after, row] = -1 if math.isnan(left) else int(left)
    reals[T.future_efficiency_before + after, row] = future_efficiency(s, gotten, left)


@kernel
def _carry_efficiency(ints: Any, reals: Any, row: int) -> None:
    """Write the efficiency before the row's action as it was after the row before."""
    ints[T.cards_gotten_before, row] = ints[T.cards_gotten_after, row - 1]
    reals[T.clues_lost_before, row] = reals[T.clues_lost_after, row - 1]
    ints[T.clues_left_before, row] = ints[T.clues_left_after, row - 1]
    reals[T.future_efficiency_before, row] = reals[T.future_efficiency_after, row - 1]


@kernel
def _write_defect(defects: Ints, found: int, game: int, s: Ints, rule: int) -> None:
    """Write a broken rule, if there is room for it."""
    if found < defects.shape[1]:
        defects[D.game, found] = game
        defects[D.turn, found] = s[at.TURN]
        defects[D.seat, found] = s[at.SEAT]
        defects[D.rule, found] = rule


def play_batch(
    batch: GameBatch,
    s: Ints,
    turns: Any,
    reals: Any,
    games: Any,
    game_reals: Any,
    defects: Ints,
    first: int,
    last: int,
    measured: bool,
) -> tuple[int, int]:
    """Play the games `first` to `last - 1` of a batch and write their rows.

    `turns` (lines, rows) int16 and `reals` (lines, rows) float64 have room for all their actions, `games`
    (lines, games) int16 and `game_reals` (lines, games) float64 for all games. Without `measured` only the
    columns of `FACTS` are written, and of the games those that are integers. Returns how many turns were
    written, and how many defects there are: if more than `defects` (lines, rows) int64 has room for, the rest
    is not written.
    """
    row = 0
    found = 0
    for game in range(first, last):
        start_game(s, batch, game)
        if measured:
            game_reals[G.min_efficiency, game - first] = minimum_efficiency(s)
        start_row = row
        start_found = found
        begin = batch.first_action[game]
        for index in range(begin, begin + batch.actions[game]):
            kind = batch.kind[index]
            target = batch.target[index]
            value = batch.value[index]
            if s[at.END_CONDITION] != UNFINISHED:
                _write_defect(defects, found, game - first, s, _ACTION_AFTER_END)
                found += 1
                if not _can_be_taken_up(s):
                    break
                take_up_again(s)
            defect = find_defect(s, kind, target, value)
            if defect != 0:
                _write_defect(defects, found, game - first, s, defect)
                found += 1
                if defect <= _LAST_STOPPING:
                    break
            _write_before(turns, reals, row, s)
            if measured and row > start_row:
                _carry_efficiency(turns, reals, row)
            elif measured:
                _write_efficiency(turns, reals, row, s, 0)
            apply_action(s, kind, target, value)
            _write_action(turns, row, s, kind, target, value)
            _write_after(turns, reals, row, s)
            if measured:
                _write_efficiency(turns, reals, row, s, 1)
            row += 1
        games[G.players, game - first] = s[at.SEATS]
        games[G.turns, game - first] = row - start_row
        games[G.score, game - first] = score(s)
        games[G.raw_score, game - first] = s[at.RAW_SCORE]
        games[G.max_score, game - first] = s[at.MAX_SCORE]
        games[G.end_condition, game - first] = s[at.END_CONDITION]
        games[G.defects, game - first] = found - start_found
    return row, found


def play(
    batch: GameBatch,
    *,
    fast: bool | None = None,
    measured: bool = True,
    first: int = 0,
    last: int | None = None,
) -> Output:
    """Play the games `first` to `last - 1` of a batch.

    Without `measured` only the facts of the turns come out, which takes a fraction of the time. `fast` says
    whether by compiled code; by default where the compiler is installed and there are enough games to be
    worth starting it. Both give the same rows.
    """
    last = len(batch.seats) if last is None else last
    if fast is None:
        fast = can_compile() and last - first >= _WORTH_COMPILING
    run = compiled(play_batch) if fast else play_batch
    rows = int(batch.actions[first:last].sum())
    columns = TURNS if measured else FACTS
    turns = np.empty((_height(columns, False), rows), np.int16)
    reals = np.empty((_height(columns, True), rows), np.float64)
    games = np.empty((_height(GAMES, False), last - first), np.int16)
    game_reals = np.full((_height(GAMES, True), last - first), np.nan)
    room = 256
    while True:
        defects = np.empty((_height(DEFECTS, False), room), np.int64)
        rows, found = run(batch, new_state(), turns, reals, games, game_reals, defects, first, last, measured)
        if found <= room:
            break
        room = found
    return Output(
        _columns(columns, T[: len(columns)], turns, reals, rows),
        _columns(GAMES, G, games, game_reals, last - first),
        _columns(DEFECTS, D, defects, None, found),
    )

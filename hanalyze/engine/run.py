"""The loop: games in, rows out.

In: a `GameBatch`. Out: arrays with a row per action, per game and per broken rule, a column each of
`hanalyze.tables`, written in place. `play_batch` is the same function at both speeds.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.engine.batch import GameBatch
from hanalyze.engine.compile import can_compile, compiled, kernel
from hanalyze.engine.measure import pace, pace_risk
from hanalyze.engine.state import (
    CARDS,
    DRAWN,
    END_CONDITION,
    END_TURN,
    MAX_SCORE,
    RAW_SCORE,
    RESULT,
    SEAT,
    SEATS,
    SLOT,
    STRIKES,
    STUCK_RULE,
    TAKEN,
    TOKENS,
    TOUCHED,
    TURN,
    VARIANT,
    State,
    new_state,
)
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
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.defects import STOPPING, Defect
from hanalyze.tables import DEFECTS, GAMES, TURNS, Column, column_names

__all__ = ["Output", "play", "play_batch", "start_game"]

TurnRows: Any = namedtuple("TurnRows", column_names(TURNS), module=__name__)
GameRows: Any = namedtuple("GameRows", column_names(GAMES), module=__name__)
DefectRows: Any = namedtuple("DefectRows", column_names(DEFECTS), module=__name__)

_WORTH_COMPILING: Final = 200
"""Games from which on starting the compiler (about a second from its cache) takes less time than it saves."""

_ACTION_AFTER_END: Final = int(Defect.ACTION_AFTER_END)
_LAST_STOPPING: Final = max(int(defect) for defect in STOPPING)
assert all(int(defect) <= _LAST_STOPPING for defect in STOPPING)


class Output(NamedTuple):
    """What a batch comes to: columns of turns, games and defects, trimmed to the rows that there are."""

    turns: Any
    games: Any
    defects: Any


def _columns(columns: tuple[Column, ...], rows: int) -> list[Any]:
    return [
        np.zeros((rows, column.width) if column.width > 1 else rows, np.dtype(column.type))
        for column in columns
    ]


@kernel
def start_game(state: State, batch: GameBatch, game: int) -> None:
    """Deal game number `game` of the batch."""
    deal(
        state,
        batch.variants,
        batch.rules,
        batch.variant[game],
        batch.rules_row[game],
        batch.seats[game],
        batch.first_seat[game],
        batch.hand_size[game],
        batch.cards[game],
        batch.deck[game],
    )


@kernel
def _score(state: State, zero_when_lost: int) -> int:
    """Return the score as the edition counts it: nothing for a lost game, or the points all the same."""
    if zero_when_lost and state.n[END_CONDITION] > NORMAL:
        return 0
    return int(state.n[RAW_SCORE])


@kernel
def _write_action(turns: Any, row: int, state: State, kind: int, target: int, value: int) -> None:
    """Write what was done in a row, after it was carried out."""
    turns.action[row] = min(kind, END_GAME)
    turns.result[row] = state.n[RESULT]
    turns.drawn[row] = state.n[TAKEN]
    turns.order[row] = -1
    turns.slot[row] = -1
    turns.suit[row] = -1
    turns.rank[row] = -1
    turns.receiver[row] = -1
    turns.clue_value[row] = -1
    turns.touched_slots[row] = -1
    if kind in (PLAY, DISCARD):
        turns.order[row] = target
        turns.slot[row] = state.n[SLOT]
        turns.suit[row] = state.identity[target] // RANK_SLOTS
        turns.rank[row] = state.identity[target] % RANK_SLOTS
    elif kind in (COLOUR_CLUE, RANK_CLUE):
        turns.receiver[row] = target
        turns.clue_value[row] = value
        turns.touched_slots[row] = state.n[TOUCHED]


@kernel
def _write_before(turns: Any, row: int, state: State, score: int, unit: int, pace_now: int) -> None:
    """Write the position before the row's action."""
    turns.turn[row] = state.n[TURN]
    turns.seat[row] = state.n[SEAT]
    turns.score_before[row] = score
    turns.max_score_before[row] = state.n[MAX_SCORE]
    turns.clue_tokens_before[row] = state.n[TOKENS] / unit
    turns.strikes_before[row] = state.n[STRIKES]
    turns.deck_before[row] = state.n[CARDS] - state.n[DRAWN]
    turns.pace_before[row] = pace_now
    turns.pace_risk_before[row] = pace_risk(pace_now, state.n[SEATS])
    for suit in range(6):
        turns.stacks_before[row, suit] = state.stack[suit]


@kernel
def _write_after(turns: Any, row: int, state: State, score: int, unit: int, pace_now: int) -> None:
    """Write the position after the row's action."""
    turns.score_after[row] = score
    turns.max_score_after[row] = state.n[MAX_SCORE]
    turns.clue_tokens_after[row] = state.n[TOKENS] / unit
    turns.strikes_after[row] = state.n[STRIKES]
    turns.deck_after[row] = state.n[CARDS] - state.n[DRAWN]
    turns.pace_after[row] = pace_now
    turns.pace_risk_after[row] = pace_risk(pace_now, state.n[SEATS])
    for suit in range(6):
        turns.stacks_after[row, suit] = state.stack[suit]


@kernel
def _can_be_taken_up(state: State, batch: GameBatch) -> bool:
    """Return whether a game that is over ended only by a rule that logs from before April 2020 do not know."""
    v = state.n[VARIANT]
    return bool(
        state.n[END_CONDITION] == NORMAL
        and state.n[STUCK_RULE] == 1
        and state.n[TURN] != state.n[END_TURN]
        and state.n[RAW_SCORE] < batch.variants.suits[v] * batch.variants.stack_size[v]
    )


def play_batch(
    batch: GameBatch, state: State, turns: Any, games: Any, defects: Any, first: int, last: int
) -> tuple[int, int]:
    """Play the games `first` to `last - 1` of a batch and write their rows.

    `turns` has room for all their actions, `games` for all games. Returns how many rows of `turns` were
    written, and how many defects there are: if more than `defects` has room for, the rest is not written.
    """
    row = 0
    found = 0
    room = len(defects.game)
    for game in range(first, last):
        start_game(state, batch, game)
        r = batch.rules_row[game]
        unit = batch.variants.token_unit[batch.variant[game]]
        zero_when_lost = batch.rules.zero_when_lost[r]
        start_row = row
        start_found = found
        score = _score(state, zero_when_lost)
        pace_now = pace(state)
        begin = batch.first_action[game]
        for index in range(begin, begin + batch.actions[game]):
            kind = batch.kind[index]
            target = batch.target[index]
            value = batch.value[index]
            defect = 0
            stops = False
            if state.n[END_CONDITION] != UNFINISHED:
                defect = _ACTION_AFTER_END
                stops = not _can_be_taken_up(state, batch)
                if found < room:
                    defects.game[found] = game - first
                    defects.turn[found] = state.n[TURN]
                    defects.seat[found] = state.n[SEAT]
                    defects.rule[found] = defect
                found += 1
                if stops:
                    break
                take_up_again(state)
                score = _score(state, zero_when_lost)
                pace_now = pace(state)
            defect = find_defect(state, batch.variants, batch.rules, kind, target, value)
            if defect != 0:
                if found < room:
                    defects.game[found] = game - first
                    defects.turn[found] = state.n[TURN]
                    defects.seat[found] = state.n[SEAT]
                    defects.rule[found] = defect
                found += 1
                if defect <= _LAST_STOPPING:
                    break
            _write_before(turns, row, state, score, unit, pace_now)
            apply_action(state, batch.variants, batch.rules, kind, target, value)
            score = _score(state, zero_when_lost)
            pace_now = pace(state)
            _write_action(turns, row, state, kind, target, value)
            _write_after(turns, row, state, score, unit, pace_now)
            row += 1
        g = game - first
        games.players[g] = state.n[SEATS]
        games.turns[g] = row - start_row
        games.score[g] = score
        games.raw_score[g] = state.n[RAW_SCORE]
        games.max_score[g] = state.n[MAX_SCORE]
        games.end_condition[g] = state.n[END_CONDITION]
        games.defects[g] = found - start_found
    return row, found


def play(batch: GameBatch, *, fast: bool | None = None, first: int = 0, last: int | None = None) -> Output:
    """Play the games `first` to `last - 1` of a batch.

    `fast` says whether by compiled code; by default where the compiler is installed and there are enough
    games to be worth starting it. Both give the same rows.
    """
    last = len(batch.seats) if last is None else last
    if fast is None:
        fast = can_compile() and last - first >= _WORTH_COMPILING
    run = compiled(play_batch) if fast else play_batch
    turns = TurnRows(*_columns(TURNS, int(batch.actions[first:last].sum())))
    games = GameRows(*_columns(GAMES, last - first))
    room = 256
    while True:
        defects = DefectRows(*_columns(DEFECTS, room))
        rows, found = run(batch, new_state(), turns, games, defects, first, last)
        if found <= room:
            break
        room = found
    return Output(
        TurnRows(*(column[:rows] for column in turns)),
        games,
        DefectRows(*(column[:found] for column in defects)),
    )

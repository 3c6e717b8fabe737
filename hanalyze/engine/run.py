"""The loop: games in, rows out.

In: a `GameBatch`. Out: rows per action, per game, per clue, per card and per broken rule, with the columns of
`hanalyze.tables`. Compiled or interpreted, `play_batch` is the same function.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.batch import GameBatch
from hanalyze.engine.efficiency import cards_gotten, minimum_efficiency
from hanalyze.engine.game import Game
from hanalyze.engine.histories import (
    begin_cards,
    close_histories,
    follow_cards,
    possibilities_bits,
    write_clue,
    write_fate,
)
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import chop_order, clued, needed_cards, score
from hanalyze.engine.outlook import carry_efficiency, write_efficiency, write_outlook, write_sequel
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rows import C, D, G, K, T, empty, published, write_action, write_defect, write_position
from hanalyze.engine.step import (
    CLUED,
    DISCARDED,
    MISPLAYED,
    PLAYED,
    apply_action,
)
from hanalyze.game.defects import Defect
from hanalyze.kernels.compiling import compiled, kernel, pays_off
from hanalyze.tables import CARDS, CLUES, DEFECTS, FACTS, GAMES, PACE_NULL, TURNS

__all__ = ["Output", "play", "play_batch"]

_SAVED: Final = 0.008
"""Seconds a game that compiled code saves with every turn measured."""
_SAVED_OF_FACTS: Final = 0.002
"""Seconds a game that it saves without."""

_ACTION_AFTER_END: Final = int(Defect.ACTION_AFTER_END)


class Output(NamedTuple):
    """What a batch comes to: the columns of each table by name, rows in order of the games.

    The rows of a game: `games["turns"]` of `turns`, `games["clues"]` of `clues`, as many of `cards` as its
    deck has; those of `defects` name their game. Unmeasured, `clues` and `cards` are empty.
    """

    turns: dict[str, NDArray[Any]]
    games: dict[str, NDArray[Any]]
    defects: dict[str, NDArray[Any]]
    clues: dict[str, NDArray[Any]]
    cards: dict[str, NDArray[Any]]


class Arrays(NamedTuple):
    """What `play_batch` writes into: per table (lines, rows), int16, float64 for reals, int64 for defects."""

    turns: Any
    turn_reals: Any
    games: Any
    game_reals: Any
    clues: Any
    clue_reals: Any
    cards: Any
    defects: Any


@kernel
def _write_game(games: Any, place: int, game: Game, turns: Any, first_row: int, row: int) -> None:
    """Write how a game ended, and the counts of its turns."""
    counts = games[G.plays : G.plays + 4, place]
    counts[:] = 0
    least = PACE_NULL
    games[G.first_discard, place] = -1
    for turn in range(first_row, row):
        result = turns[T.result, turn]
        if result == DISCARDED and games[G.first_discard, place] < 0:
            games[G.first_discard, place] = turn - first_row
        if result <= CLUED:
            # plays, misplays, discards, clues: in the order of the results.
            games[G.plays + result, place] += 1
        pace = turns[T.pace_before, turn]
        if pace != PACE_NULL and (least == PACE_NULL or pace < least):
            least = pace
    games[G.players, place] = game.seats
    games[G.turns, place] = row - first_row
    games[G.score, place] = score(game)
    games[G.raw_score, place] = game.raw_score
    games[G.max_score, place] = game.max_score
    games[G.full_score, place] = game.full_score
    games[G.full_tokens, place] = game.rules.clue_tokens
    games[G.end_condition, place] = game.end_condition
    games[G.strikes, place] = game.strikes
    games[G.min_pace, place] = least


def play_batch(
    batch: GameBatch, game: Game, out: Arrays, first: int, last: int, measured: bool
) -> tuple[int, int, int, int]:
    """Play the games `first` to `last - 1` of a batch and write their rows.

    The arrays have room for all their actions, clues and cards. Without `measured` only the columns of
    `FACTS` and the integers of the games are written. Returns how many turns, clues, cards and defects there
    are: if more defects than there is room for, the rest is not written.
    """
    row = 0
    clue_row = 0
    base = 0
    found = 0
    for number in range(first, last):
        start_game(game, batch, number)
        first_row = row
        first_clue = clue_row
        first_found = found
        if measured:
            out.game_reals[G.min_efficiency, number - first] = minimum_efficiency(game)
            begin_cards(out.cards, base, game)
            game.notes.just_lost = -1
            read_hands(game)
        begin = batch.first_action[number]
        for index in range(begin, begin + batch.actions[number]):
            can_be_done = next_action(game, batch, index)
            kind = game.action.kind
            target = game.action.target
            value = game.action.value
            if game.action.after_end:
                write_defect(out.defects, found, number - first, game, _ACTION_AFTER_END)
                found += 1
            if game.action.defect != 0:
                write_defect(out.defects, found, number - first, game, game.action.defect)
                found += 1
            if not can_be_done:
                break
            write_position(out.turns, out.turn_reals, row, game, 0)
            seat = game.seat
            was_clued = False
            bits = 0.0
            chop = -1
            if measured:
                follow_cards(out.cards, base, game)
                if row > first_row:
                    carry_efficiency(out.turns, out.turn_reals, row)
                else:
                    write_efficiency(out.turns, out.turn_reals, row, game, 0)
                write_outlook(out.turns, out.turn_reals, row, game, kind, target)
                if kind in (0, 1):
                    was_clued = clued(game, target)
                elif kind in (2, 3):
                    bits = possibilities_bits(game, target)
                    chop = chop_order(game, target)
            apply_action(game, kind, target, value)
            write_action(out.turns, row, game, kind, target, value)
            write_position(out.turns, out.turn_reals, row, game, 1)
            if measured:
                read_hands(game)
                write_efficiency(out.turns, out.turn_reals, row, game, 1)
                write_sequel(out.turns, row, first_row, game, target, was_clued)
                result = game.last.result
                if result == CLUED:
                    write_clue(
                        out.clues,
                        out.clue_reals,
                        clue_row,
                        out.cards,
                        base,
                        game,
                        seat,
                        target,
                        kind,
                        value,
                        chop,
                    )
                    out.clue_reals[K.bits, clue_row] += bits
                    clue_row += 1
                elif result in (PLAYED, MISPLAYED, DISCARDED):
                    write_fate(out.cards, base, out.clues, clue_row, first_clue, game, seat, target)
            row += 1
        _write_game(out.games, number - first, game, out.turns, first_row, row)
        out.games[G.defects, number - first] = found - first_found
        if measured:
            out.games[G.blind_plays, number - first] = close_histories(out.cards, base, out.clues, game)
            gotten = cards_gotten(game, needed_cards(game))
            out.games[G.cards_gotten, number - first] = gotten
            lost = game.clues_lost / 2
            out.game_reals[G.efficiency, number - first] = gotten / lost if lost > 0 else np.nan
            base += game.cards
    return row, clue_row, base, found


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
        fast = pays_off((last - first) * (_SAVED if measured else _SAVED_OF_FACTS))
    run = compiled(play_batch) if fast else play_batch
    laid_out = batch.laid_out(fast=fast)
    room = int(batch.actions[first:last].sum())
    clue_room = room if measured else 0
    card_room = int(batch.cards[first:last].sum()) if measured else 0
    columns = TURNS if measured else FACTS
    out = Arrays(
        turns=empty(columns, room, False),
        turn_reals=empty(columns, room, True),
        games=empty(GAMES, last - first, False),
        game_reals=empty(GAMES, last - first, True),
        clues=empty(CLUES, clue_room, False),
        clue_reals=empty(CLUES, clue_room, True),
        cards=empty(CARDS, card_room, False),
        defects=np.empty((len(DEFECTS), 256), np.int64),
    )
    if not measured:
        # What is not measured does not apply.
        out.games[:] = -1
        out.game_reals[:] = np.nan
    turns, clues, cards, defects = run(laid_out, Game.new(fast=fast), out, first, last, measured)
    if defects > out.defects.shape[1]:
        out = out._replace(defects=np.empty((len(DEFECTS), defects), np.int64))
        turns, clues, cards, defects = run(laid_out, Game.new(fast=fast), out, first, last, measured)
    return Output(
        turns=published(columns, T[: len(columns)], out.turns, out.turn_reals, turns),
        games=published(GAMES, G, out.games, out.game_reals, last - first),
        defects=published(DEFECTS, D, out.defects, None, defects),
        clues=published(CLUES, K, out.clues, out.clue_reals, clues),
        cards=published(CARDS, C, out.cards, None, cards),
    )

"""The main loop, compiled or interpreted: plays games and writes the rows of their tables."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import Game
from hanalyze.engine.histories import (
    begin_cards,
    close_histories,
    follow_cards,
    hand_bits,
    write_clue,
    write_fate,
)
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import cards_gotten, clues_left, needed_cards, score
from hanalyze.engine.outlook import carry_efficiency, write_efficiency, write_outlook, write_sequel
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.engine.turn_rows import (
    CARD,
    CLUE,
    DEFECT,
    GAME,
    TURN,
    Columns,
    NextRows,
    empty,
    published,
    write_action,
    write_defects,
    write_position,
)
from hanalyze.game.actions import CLUED, COLOUR_CLUE, DISCARDED, ENDED, RANK_CLUE
from hanalyze.kernels.compiling import compiled, inlined_kernel, pays_off
from hanalyze.tables import CARDS, CLUES, DEFECTS, FACTS, GAMES, PACE_NULL, TURNS

_SAVED: Final = 0.0035  # seconds per game that compiled code saves if all columns are written
_SAVED_OF_FACTS: Final = 0.0005  # the same if only the columns of `FACTS` are written


class Output(NamedTuple):
    """Results of a batch: the columns of each table by name, with rows in the order of the games.

    Game g has the next `games["turns"][g]` rows of `turns`, the next `games["clues"][g]` rows of `clues`, and
    one row of `cards` for each card of its deck; rows of `defects` contain the index of their game. `clues`
    and `cards` are empty if `play` is called with `measured=False`.
    """

    turns: dict[str, NDArray[Any]]
    games: dict[str, NDArray[Any]]
    defects: dict[str, NDArray[Any]]
    clues: dict[str, NDArray[Any]]
    cards: dict[str, NDArray[Any]]


class Arrays(NamedTuple):
    """The arrays that `play_batch` fills; `cards` (int16) and `defects` (int64) have shape (lines, rows)."""

    turns: Columns
    games: Columns
    clues: Columns
    cards: Any
    defects: Any


@inlined_kernel
def _begin_measures(out: Arrays, rows: NextRows, game: Game) -> None:
    """Write the measures of a game after the deal, and begin the rows of its cards."""
    out.games.reals[GAME.min_efficiency, rows.game] = game.full_score / clues_left(game)
    begin_cards(out.cards, rows.card, game)
    game.notes.just_lost = -1
    read_hands(game)


@inlined_kernel
def _measure_before(out: Arrays, rows: NextRows, game: Game) -> None:
    """Write the measures before the action in the rows of the turn, its cards and its clue."""
    follow_cards(out.cards, rows.card, game)
    if rows.turn > rows.first_turn:
        carry_efficiency(out.turns, rows.turn)
    else:
        write_efficiency(out.turns, rows.turn, game, 0)
    write_outlook(out.turns, rows.turn, game)
    if game.action.kind in (COLOUR_CLUE, RANK_CLUE):
        out.clues.reals[CLUE.bits, rows.clue] = hand_bits(game, game.action.target)


@inlined_kernel
def _measure_after(out: Arrays, rows: NextRows, game: Game) -> None:
    """Write the measures after the action, and the row of its clue or the fate of its card."""
    read_hands(game)
    write_efficiency(out.turns, rows.turn, game, 1)
    write_sequel(out.turns, rows, game)
    if game.last.result == CLUED:
        write_clue(out.clues, out.cards, rows, game)
        rows.clue += 1
    elif game.last.result != ENDED:
        write_fate(out.cards, out.clues, rows, game)


@inlined_kernel
def _close_measures(out: Arrays, rows: NextRows, game: Game) -> None:
    """Complete the rows of a game's cards and clues, and write the game's blind plays and efficiency."""
    out.games.ints[GAME.blind_plays, rows.game] = close_histories(out.cards, out.clues, rows, game)
    gotten = cards_gotten(game, needed_cards(game))
    out.games.ints[GAME.cards_gotten, rows.game] = gotten
    lost = game.clues_lost / 2
    out.games.reals[GAME.efficiency, rows.game] = gotten / lost if lost > 0 else np.nan
    rows.card += game.cards


@inlined_kernel
def _write_game(games: Any, turns: Any, rows: NextRows, game: Game) -> None:
    """Write the row of a game: its end, and statistics of its turns."""
    place = rows.game
    counts = games[GAME.plays : GAME.plays + 4, place]
    counts[:] = 0
    least = PACE_NULL
    games[GAME.first_discard, place] = -1
    for turn in range(rows.first_turn, rows.turn):
        result = turns[TURN.result, turn]
        if result == DISCARDED and games[GAME.first_discard, place] < 0:
            games[GAME.first_discard, place] = turn - rows.first_turn
        if result <= CLUED:
            # The columns plays, misplays, discards and clues are in the order of the results.
            games[GAME.plays + result, place] += 1
        pace = turns[TURN.pace_before, turn]
        if pace != PACE_NULL and (least == PACE_NULL or pace < least):
            least = pace
    games[GAME.players, place] = game.seats
    games[GAME.turns, place] = rows.turn - rows.first_turn
    games[GAME.score, place] = score(game)
    games[GAME.raw_score, place] = game.raw_score
    games[GAME.max_score, place] = game.max_score
    games[GAME.full_score, place] = game.full_score
    games[GAME.full_tokens, place] = game.rules.clue_tokens
    games[GAME.end_condition, place] = game.end_condition
    games[GAME.defects, place] = rows.defect - rows.first_defect
    games[GAME.strikes, place] = game.strikes
    games[GAME.min_pace, place] = least


def play_batch(
    batch: GameBatch, game: Game, rows: NextRows, out: Arrays, first: int, last: int, measured: bool
) -> tuple[int, int, int, int]:
    """Play the games `first` to `last - 1`, and write their rows.

    Returns the numbers of turns, clues, cards and defects. The arrays must have room for all actions, clues
    and cards of these games; defects for which there is no room are counted, but not written. Without
    `measured`, only the columns of `FACTS` and the columns of games that need no measures are written, and
    there are no clues and cards.
    """
    for number in range(first, last):
        rows.game = number - first
        rows.first_turn = rows.turn
        rows.first_clue = rows.clue
        rows.first_defect = rows.defect
        start_game(game, batch, number)
        if measured:
            _begin_measures(out, rows, game)
        begin = batch.first_action[number]
        for index in range(begin, begin + batch.actions[number]):
            can_be_done = next_action(game, batch, index)
            write_defects(out.defects, rows, game)
            if not can_be_done:
                break
            write_position(out.turns, rows.turn, game, 0)
            if measured:
                _measure_before(out, rows, game)
            apply_action(game, game.action.kind, game.action.target, game.action.value)
            write_action(out.turns, rows.turn, game)
            write_position(out.turns, rows.turn, game, 1)
            if measured:
                _measure_after(out, rows, game)
            rows.turn += 1
        _write_game(out.games.ints, out.turns.ints, rows, game)
        if measured:
            _close_measures(out, rows, game)
    return rows.turn, rows.clue, rows.card, rows.defect


def play(
    batch: GameBatch,
    *,
    fast: bool | None = None,
    measured: bool = True,
    first: int = 0,
    last: int | None = None,
) -> Output:
    """Play the games `first` to `last - 1` of a batch, by default all, and return their rows.

    Without `measured`, the turns only have the columns of `FACTS`, the columns of the games that need
    measures are null, and there are no clues and cards; this takes a fraction of the time. `fast` chooses
    compiled code; by default it is used if the compiler is installed and the games are enough to outweigh its
    start-up time. Compiled and interpreted code write the same rows.
    """
    last = len(batch.seats) if last is None else last
    if fast is None:
        fast = pays_off((last - first) * (_SAVED if measured else _SAVED_OF_FACTS), play_batch)
    run = compiled(play_batch) if fast else play_batch
    laid_out = batch.laid_out(fast=fast)
    room = int(batch.actions[first:last].sum())
    clue_room = room if measured else 0
    card_room = int(batch.cards[first:last].sum()) if measured else 0
    columns = TURNS if measured else FACTS
    out = Arrays(
        turns=empty(columns, room),
        games=empty(GAMES, last - first),
        clues=empty(CLUES, clue_room),
        cards=empty(CARDS, card_room).ints,
        defects=np.empty((len(DEFECTS), 256), np.int64),
    )
    if not measured:
        # Columns that are not measured contain null values.
        out.games.ints[:] = -1
        out.games.reals[:] = np.nan

    def played(out: Arrays) -> tuple[int, int, int, int]:
        return run(laid_out, Game.new(fast=fast), NextRows.new(fast=fast), out, first, last, measured)

    turns, clues, cards, defects = played(out)
    if defects > out.defects.shape[1]:
        out = out._replace(defects=np.empty((len(DEFECTS), defects), np.int64))
        turns, clues, cards, defects = played(out)
    return Output(
        turns=published(columns, TURN[: len(columns)], *out.turns, turns),
        games=published(GAMES, GAME, *out.games, last - first),
        defects=published(DEFECTS, DEFECT, out.defects, None, defects),
        clues=published(CLUES, CLUE, *out.clues, clues),
        cards=published(CARDS, CARD, out.cards, None, cards),
    )

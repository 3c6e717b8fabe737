"""The loop: games in, rows out.

In: a `GameBatch`. Out: rows per action, per game, per clue, per card and per broken rule, with the columns of
`hanalyze.tables`. Compiled or interpreted, `play_batch` is the same function.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine import state as at
from hanalyze.engine.batch import GameBatch
from hanalyze.engine.efficiency import cards_gotten, minimum_efficiency
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
from hanalyze.engine.rows import C, D, G, K, T, empty, published, write_action, write_defect, write_position
from hanalyze.engine.state import Ints, new_state
from hanalyze.engine.step import (
    CLUED,
    DISCARDED,
    MISPLAYED,
    NORMAL,
    PLAYED,
    UNFINISHED,
    apply_action,
    deal,
    find_defect,
    take_up_again,
)
from hanalyze.game.defects import STOPPING, Defect
from hanalyze.kernels.compiling import can_compile, compiled, kernel
from hanalyze.tables import CARDS, CLUES, DEFECTS, FACTS, GAMES, PACE_NULL, TURNS

__all__ = ["Output", "can_be_taken_up", "play", "play_batch", "start_game"]

_WORTH_COMPILING: Final = 200
"""Games from which on starting the compiler (seconds, even from its cache) takes less time than it saves."""

_ACTION_AFTER_END: Final = int(Defect.ACTION_AFTER_END)
_LAST_STOPPING: Final = int(max(STOPPING))


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
def can_be_taken_up(s: Ints) -> bool:
    """Return whether a game is over only by the rule that logs from before April 2020 do not know."""
    return bool(
        s[at.END_CONDITION] == NORMAL
        and s[at.STUCK_RULE] == 1
        and s[at.TURN] != s[at.END_TURN]
        and s[at.RAW_SCORE] < s[at.FULL_SCORE]
    )


@kernel
def _write_game(games: Any, game: int, s: Ints, turns: Any, first_row: int, row: int) -> None:
    """Write how a game ended, and the counts of its turns."""
    counts = games[G.plays : G.plays + 4, game]
    counts[:] = 0
    least = PACE_NULL
    games[G.first_discard, game] = -1
    for turn in range(first_row, row):
        result = turns[T.result, turn]
        if result == DISCARDED and games[G.first_discard, game] < 0:
            games[G.first_discard, game] = turn - first_row
        if result <= CLUED:
            # plays, misplays, discards, clues: in the order of the results.
            games[G.plays + result, game] += 1
        pace = turns[T.pace_before, turn]
        if pace != PACE_NULL and (least == PACE_NULL or pace < least):
            least = pace
    games[G.players, game] = s[at.SEATS]
    games[G.turns, game] = row - first_row
    games[G.score, game] = score(s)
    games[G.raw_score, game] = s[at.RAW_SCORE]
    games[G.max_score, game] = s[at.MAX_SCORE]
    games[G.full_score, game] = s[at.FULL_SCORE]
    games[G.full_tokens, game] = s[at.CLUE_TOKENS]
    games[G.end_condition, game] = s[at.END_CONDITION]
    games[G.strikes, game] = s[at.STRIKES]
    games[G.min_pace, game] = least


def play_batch(
    batch: GameBatch, s: Ints, out: Arrays, first: int, last: int, measured: bool
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
    for game in range(first, last):
        start_game(s, batch, game)
        first_row = row
        first_clue = clue_row
        first_found = found
        if measured:
            out.game_reals[G.min_efficiency, game - first] = minimum_efficiency(s)
            begin_cards(out.cards, base, s)
            s[at.JUST_LOST] = -1
            read_hands(s)
        begin = batch.first_action[game]
        for index in range(begin, begin + batch.actions[game]):
            kind = batch.kind[index]
            target = batch.target[index]
            value = batch.value[index]
            if s[at.END_CONDITION] != UNFINISHED:
                write_defect(out.defects, found, game - first, s, _ACTION_AFTER_END)
                found += 1
                if not can_be_taken_up(s):
                    break
                take_up_again(s)
            defect = find_defect(s, kind, target, value)
            if defect != 0:
                write_defect(out.defects, found, game - first, s, defect)
                found += 1
                if defect <= _LAST_STOPPING:
                    break
            write_position(out.turns, out.turn_reals, row, s, 0)
            seat = s[at.SEAT]
            was_clued = False
            bits = 0.0
            chop = -1
            if measured:
                follow_cards(out.cards, base, s)
                if row > first_row:
                    carry_efficiency(out.turns, out.turn_reals, row)
                else:
                    write_efficiency(out.turns, out.turn_reals, row, s, 0)
                write_outlook(out.turns, out.turn_reals, row, s, kind, target)
                if kind in (0, 1):
                    was_clued = clued(s, target)
                elif kind in (2, 3):
                    bits = possibilities_bits(s, target)
                    chop = chop_order(s, target)
            apply_action(s, kind, target, value)
            write_action(out.turns, row, s, kind, target, value)
            write_position(out.turns, out.turn_reals, row, s, 1)
            if measured:
                read_hands(s)
                write_efficiency(out.turns, out.turn_reals, row, s, 1)
                write_sequel(out.turns, row, first_row, s, target, was_clued)
                result = s[at.RESULT]
                if result == CLUED:
                    write_clue(
                        out.clues,
                        out.clue_reals,
                        clue_row,
                        out.cards,
                        base,
                        s,
                        seat,
                        target,
                        kind,
                        value,
                        chop,
                    )
                    out.clue_reals[K.bits, clue_row] += bits
                    clue_row += 1
                elif result in (PLAYED, MISPLAYED, DISCARDED):
                    write_fate(out.cards, base, out.clues, clue_row, first_clue, s, seat, target)
            row += 1
        _write_game(out.games, game - first, s, out.turns, first_row, row)
        out.games[G.defects, game - first] = found - first_found
        if measured:
            out.games[G.blind_plays, game - first] = close_histories(out.cards, base, out.clues, s)
            gotten = cards_gotten(s, needed_cards(s))
            out.games[G.cards_gotten, game - first] = gotten
            lost = s[at.CLUES_LOST] / 2
            out.game_reals[G.efficiency, game - first] = gotten / lost if lost > 0 else np.nan
            base += s[at.CARDS]
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
        fast = can_compile() and last - first >= _WORTH_COMPILING
    run = compiled(play_batch) if fast else play_batch
    rows = int(batch.actions[first:last].sum())
    clue_room = rows if measured else 0
    card_room = int(batch.cards[first:last].sum()) if measured else 0
    columns = TURNS if measured else FACTS
    out = Arrays(
        turns=empty(columns, rows, False),
        turn_reals=empty(columns, rows, True),
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
    turns, clues, cards, defects = run(batch, new_state(), out, first, last, measured)
    if defects > out.defects.shape[1]:
        out = out._replace(defects=np.empty((len(DEFECTS), defects), np.int64))
        turns, clues, cards, defects = run(batch, new_state(), out, first, last, measured)
    return Output(
        turns=published(columns, T[: len(columns)], out.turns, out.turn_reals, turns),
        games=published(GAMES, G, out.games, out.game_reals, last - first),
        defects=published(DEFECTS, D, out.defects, None, defects),
        clues=published(CLUES, K, out.clues, out.clue_reals, clues),
        cards=published(CARDS, C, out.cards, None, cards),
    )

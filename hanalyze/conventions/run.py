"""The loop over games, compiled or interpreted, that writes the tables of conventions and hand cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.conventions.hand_odds import (
    HAND_CARD,
    HandHistory,
    HandRows,
    begin_history,
    follow_action,
    follow_turn,
    write_hand,
)
from hanalyze.conventions.open_calls import close_all
from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_action
from hanalyze.conventions.rows import FINDING, OPPORTUNITY, OUTCOME, Rows, room_for, write_opportunities
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.engine.batch import GameBatch, deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.engine.turn_rows import empty, published, room_in, zero_rows
from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import compiled, kernel, pays_off
from hanalyze.logs.record import GameRecord
from hanalyze.tables.chances import HAND_CARDS
from hanalyze.tables.conventions import CONVENTION_OPPORTUNITIES, CONVENTION_OUTCOMES, CONVENTIONS

HIGHEST_LEVEL: Final = 25
"""Highest H-Group level; at this level, all supported conventions are read."""

SAVED: Final = 0.022
"""Seconds per game that compiled code saves."""
_FINDINGS: Final = 2  # room for findings per action; if it does not suffice, the games are read again


def check_level(level: int) -> None:
    """Raise `HanalyzeError` (rule `bad_number`) unless a level is from 1 to `HIGHEST_LEVEL`."""
    if not 1 <= level <= HIGHEST_LEVEL:
        raise HanalyzeError(f"level {level}, but levels are 1 to {HIGHEST_LEVEL}", rule="bad_number")


class Output(NamedTuple):
    """Results of a batch: the columns of each table by name, rows in order of the games.

    `games` has the numbers of rows of each game: `games["findings"]` in `findings` and `outcomes`,
    `games["turns"]` in `opportunities`, and `games["hand_cards"]` in `hand_cards`, which is empty unless
    requested.
    """

    findings: dict[str, NDArray[Any]]
    outcomes: dict[str, NDArray[Any]]
    opportunities: dict[str, NDArray[Any]]
    hand_cards: dict[str, NDArray[Any]]
    games: dict[str, NDArray[Any]]


class Arrays(NamedTuple):
    """Output arrays of `read_batch`: shape (lines, rows), int64 except in `hand`; `games` is (3, games)."""

    rows: Rows
    opportunities: Any
    hand: HandRows
    games: Any


@kernel
def read_turn(game: Game, state: ConventionState, out: Arrays, row: int, card: int) -> int:
    """Read the next action of a turn that has begun, write its rows, and return the next row of `hand`.

    `row` is the row of its opportunities, `card` the first row for the cards of the player to move.
    """
    if room_in(out.hand.rows.ints):
        follow_turn(game, out.hand.history)
        card = write_hand(game, state, out.hand, card)
    find_opportunities(game, state)
    write_opportunities(game, state, out.opportunities, row)
    read_action(game, state, out.rows, game.action.kind, game.action.target, game.action.value)
    return card


def read_batch(
    batch: GameBatch, game: Game, state: ConventionState, out: Arrays, first: int, last: int, level: int
) -> tuple[int, int]:
    """Read games `first` to `last - 1`, write their rows, and return the numbers of turns and findings.

    Findings beyond the available room are counted but not written.
    """
    row = 0
    card = 0
    state.row = 0
    for number in range(first, last):
        start_game(game, batch, number)
        begin(game, state, level)
        begin_history(out.hand.history)
        first_row = row
        first_card = card
        first_finding = state.row
        first_action = batch.first_action[number]
        for index in range(first_action, first_action + batch.actions[number]):
            if not next_action(game, batch, index):
                break
            begin_turn(game, state)
            card = read_turn(game, state, out, row, card)
            apply_action(game, game.action.kind, game.action.target, game.action.value)
            if room_in(out.hand.rows.ints):
                follow_action(game, out.hand.history)
            row += 1
        close_all(state, out.rows.outcomes, game.turn)
        out.games[0, number - first] = row - first_row
        out.games[1, number - first] = state.row - first_finding
        out.games[2, number - first] = card - first_card
    return row, state.row


def room(batch: GameBatch, first: int, last: int, findings: int, *, cards: bool, fast: bool) -> Arrays:
    """Return arrays for the rows of games `first` to `last - 1`, with room for `findings` findings.

    `cards` and `fast` are as in `read_games`.
    """
    actions = batch.actions[first:last]
    rows = int(actions.sum())
    in_hands = int((actions * batch.hand_size[first:last]).sum()) if cards else 0
    return Arrays(
        rows=room_for(findings),
        opportunities=zero_rows(sum(column.width for column in CONVENTION_OPPORTUNITIES), rows, np.int64),
        hand=HandRows(HandHistory.new(fast=fast), empty(HAND_CARDS, in_hands)),
        games=np.zeros((3, last - first), np.int64),
    )


def output_of(out: Arrays, turns: int, findings: int) -> Output:
    """Return columns by name: `findings` findings and outcomes, `turns` opportunities, and all hand cards."""
    return Output(
        findings=published(CONVENTIONS, FINDING, out.rows.findings, None, findings),
        outcomes=published(CONVENTION_OUTCOMES, OUTCOME, out.rows.outcomes, None, findings),
        opportunities=published(CONVENTION_OPPORTUNITIES, OPPORTUNITY, out.opportunities, None, turns),
        hand_cards=published(HAND_CARDS, HAND_CARD, *out.hand.rows, int(out.games[2].sum())),
        games={"turns": out.games[0], "findings": out.games[1], "hand_cards": out.games[2]},
    )


def read_games(
    batch: GameBatch,
    *,
    level: int = HIGHEST_LEVEL,
    fast: bool | None = None,
    first: int = 0,
    last: int | None = None,
    cards: bool = False,
) -> Output:
    """Read the meanings of the actions in games `first` to `last - 1` of a batch.

    With `cards`, the output also has a row for each turn and card of the player to move. `level` is the
    highest H-Group level to read, 1 to 25; `HanalyzeError` (rule `bad_number`) is raised for another level.
    `fast` selects compiled code, by default if that saves time. Compiled and interpreted code
    return the same rows.
    """
    check_level(level)
    last = len(batch.seats) if last is None else last
    if fast is None:
        fast = pays_off((last - first) * SAVED, read_batch)
    laid_out = batch.laid_out(fast=fast)
    run = compiled(read_batch) if fast else read_batch
    findings = _FINDINGS * int(batch.actions[first:last].sum())
    most = -1
    while findings > most:
        most = findings
        out = room(batch, first, last, most, cards=cards, fast=fast)
        game, state = Game.new(fast=fast), ConventionState.new(fast=fast)
        turns, findings = run(laid_out, game, state, out, first, last, level)
    return output_of(out, turns, findings)


def read_records(
    records: Iterable[GameRecord],
    *,
    level: int = HIGHEST_LEVEL,
    fast: bool | None = None,
    cards: bool = False,
) -> Output:
    """Deal games and read the meanings of their actions; the options are those of `read_games`.

    Raises the errors of `hanalyze.engine.batch.deal_records`, too.

    >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1")
    >>> read_records([record]).games
    {'turns': array([0]), 'findings': array([0]), 'hand_cards': array([0])}
    """
    return read_games(make_batch(deal_records(records)), level=level, fast=fast, cards=cards)

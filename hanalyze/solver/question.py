"""A question to the solver: whether a search method, within its limits, gets from a position to a goal."""

from __future__ import annotations

import threading
from typing import Any, Final, NamedTuple, cast

import numpy as np

from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import MAX_SEATS, Game
from hanalyze.engine.measure import score
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.kernels.compiling import compiled, kernel
from hanalyze.kernels.masks import popcount
from hanalyze.kernels.record import Grid, Row, dtype_of
from hanalyze.solver.beam import Beam, beam
from hanalyze.solver.bounds import HANDS_FULL, most_in_time, spare_turns, squeezed_out
from hanalyze.solver.exact import DEPTH, LOST, OPEN, WON, Search, begin_search, excluded_by_ends, search
from hanalyze.solver.lines import carry_out_line
from hanalyze.solver.state import ENTRY, MOST_MOVES, Setting, State, set_up, take_position

# --- Search methods.
BOUND: Final = 0  # only the quick bounds
BEAM: Final = 1
SEARCH: Final = 2
ENDS: Final = 3  # the quick bounds, then all ends of the deck
GO_ON: Final = 4  # continue the last `SEARCH`

# --- Reasons why a goal is out of reach.
NO_REASON: Final = 0
COPY_GONE: Final = 1  # too many cards can no longer be played
TIME: Final = 2  # more turns are needed than the deck leaves
HANDS: Final = 3  # the hands cannot hold all cards that must be kept
ORDER: Final = 4  # no line works for the order of the cards; used if no other reason applies

UNFIT: Final = 3  # result in addition to those of `exact`: the rules do not allow the line that was found

_SLOTS: Final = 1 << 18  # entries of the table of positions
GENERATIONS: Final = 6
"""Distance between the generations of two searches: a search uses three even numbers, beams use odd ones."""


class Question(NamedTuple):
    """A question to the solver.

    `batch` is a number that identifies the batch, or 0 if no position may be reused. `game` is the index of
    the game in the batch, `turn` the number of actions to carry out first. `goal` is the score to reach,
    `way` the search method (`BOUND` to `GO_ON`), `width` the width of a beam, `nodes` the maximum number of
    positions of an exact search. `relaxed` is 1 to search the relaxed game, `misses` is 1 to try misplays.
    `generation` identifies the excluded positions of the same deck, goal and rules; see `Search.generation`.
    `noise` is the upper bound of the random increase of a beam's ratings, 0 for none; `random` is a seed.
    """

    game: int
    turn: int
    goal: int
    way: int
    width: int = 1
    nodes: int = 0
    relaxed: int = 0
    misses: int = 0
    generation: int = 0
    noise: int = 0
    random: int = 0
    batch: int = 0


class Answer(NamedTuple):
    """The answer to a question.

    `verdict` is `WON`, `LOST`, `OPEN` or `UNFIT`. `over` is 1 if the game is over before the turn;
    `verdict` is then `OPEN`. `why` is the reason if the verdict is `LOST`, or if the game is over without
    reaching the goal. `score` is the score at the turn, `most` the highest that cards and turns allow.
    `actions` is the number of actions of the line, -1 if `UNFIT`; `nodes` that of searched positions.
    """

    verdict: int
    why: int
    over: int
    score: int
    most: int
    actions: int
    nodes: int


class Room(NamedTuple):
    """Scratch space for questions.

    `actions` contains kind, target and value of each action of the found line. `place` contains the batch
    number, game and turn of `game` and `state`; the batch number is 0 if they are not valid.
    """

    game: Game
    setting: Setting
    state: State
    work: Search
    table: Row
    beam: Beam
    moves: Row
    actions: Grid
    place: Row


@kernel
def _go_to(batch: GameBatch, game: Game, number: int, turn: int) -> None:
    """Start game `number` of a batch, and carry out its first `turn` actions."""
    start_game(game, batch, number)
    begin = batch.first_action[number]
    for index in range(begin, begin + turn):
        if not next_action(game, batch, index):
            return
        apply_action(game, game.action.kind, game.action.target, game.action.value)


@kernel
def _prepare(setting: Setting, work: Search, question: Question, slots: int) -> None:
    setting.goal = question.goal
    setting.relaxed = question.relaxed
    setting.misses = question.misses
    setting.noise = question.noise
    work.slots = slots
    work.nodes = 0
    work.best = 0
    work.generation = question.generation
    work.random = question.random


@kernel
def _look_for_line(room: Room, question: Question) -> int:
    setting, state, work, table = room.setting, room.state, room.work, room.table
    way = question.way
    if way == BEAM:
        return beam(setting, work, table, room.beam, state, question.width, room.moves)
    if way == SEARCH:
        begin_search(work, state)
        return search(setting, work, table, question.nodes)
    if way == GO_ON:
        return search(setting, work, table, question.nodes)
    if _why(room) != NO_REASON:
        return LOST
    if way == ENDS and state.drawn < setting.cards and excluded_by_ends(setting, work, table, state, 0):
        return LOST
    return OPEN


@kernel
def _why(room: Room) -> int:
    """Return the reason why the goal is out of reach, `NO_REASON` if the quick bounds do not show it."""
    setting, state = room.setting, room.state
    if popcount(state.reach) < setting.goal:
        return COPY_GONE
    if most_in_time(setting, state) < setting.goal:
        return TIME
    if state.drawn == setting.cards:
        return NO_REASON
    spare = spare_turns(setting, state)
    if spare < 0:
        return HANDS if spare == HANDS_FULL else TIME
    if spare & 1 and squeezed_out(setting, state, room.work.squeeze):
        return HANDS
    return NO_REASON


def ask(batch: GameBatch, room: Room, question: Question) -> Answer:
    """Return the answer to a question; if it is about the position in `room`, reuse that position."""
    setting, state, work, game = room.setting, room.state, room.work, room.game
    place = room.place
    is_there = place[0] == question.batch and place[1] == question.game and place[2] == question.turn
    if question.batch == 0 or not is_there:
        place[0] = 0
        _go_to(batch, game, question.game, question.turn)
        set_up(setting, game, batch.hand_size[question.game])
        take_position(setting, game, state)
        place[0] = question.batch
        place[1] = question.game
        place[2] = question.turn
    _prepare(setting, work, question, len(room.table) // ENTRY)
    over = 1 if game.end_condition != 0 else 0
    points = score(game)
    most = most_in_time(setting, state)
    count = 0
    verdict = OPEN
    why = NO_REASON
    if over == 1:
        why = COPY_GONE if popcount(state.reach) < question.goal else TIME
    else:
        verdict = _look_for_line(room, question)
    if verdict == WON:
        place[0] = 0  # carrying out the line changes `game`
        count = carry_out_line(setting, game, work, state, room.actions)
        if count < 0:
            verdict = UNFIT
    if verdict == LOST:
        why = _why(room)
        if why == NO_REASON:
            why = ORDER
    return Answer(verdict, why, over, points, most, count, work.nodes)


_rooms: Final = threading.local()


def room_for(width: int, *, fast: bool, spare: bool) -> Room:
    """Return this thread's scratch space for beams up to `width`; `spare` selects a second one."""
    name = f"{'fast' if fast else 'slow'}{' spare' if spare else ''}"
    before: Room | None = getattr(_rooms, name, None)
    if before is not None and len(before.beam.value) >= width:
        return before

    def ints(size: int) -> Any:
        return np.zeros(size, np.int64) if fast else [0] * size

    states: Any = np.zeros(2 * width, dtype_of(State)) if fast else [State() for _ in range(2 * width)]
    scratch = Beam(states, ints(width), ints(width), ints(width), ints(DEPTH * width))
    if before is not None:
        room = before._replace(beam=scratch)
    else:
        zeros = np.zeros(_SLOTS * ENTRY, np.int64)
        actions = np.zeros((DEPTH + MAX_SEATS, 3), np.int64)
        room = Room(
            game=Game.new(fast=fast),
            setting=Setting.new(fast=fast),
            state=State.new(fast=fast),
            work=Search.new(fast=fast),
            # Interpreted code reads integers from a memory view, because filling a list is slower.
            table=cast(Any, zeros if fast else zeros.data),
            beam=scratch,
            moves=ints(MOST_MOVES),
            actions=cast(Any, actions if fast else actions.tolist()),
            place=ints(3),
        )
    setattr(_rooms, name, room)
    return room


def answer_to(batch: Any, room: Room, question: Question, *, fast: bool) -> Answer:
    """Return the answer to a question, using compiled or interpreted code."""
    return compiled(ask)(batch, room, question) if fast else ask(batch, room, question)

"""One query of the solver: a position, a goal and a budget; the answer is won (with a line), lost or open."""

from __future__ import annotations

import threading
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import MAX_SEATS, Game
from hanalyze.engine.measure import score
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.step import apply_action
from hanalyze.kernels.compiling import compiled, kernel
from hanalyze.kernels.masks import popcount
from hanalyze.kernels.record import Grid, Row, dtype_of
from hanalyze.solver.beam import Beam, beam
from hanalyze.solver.bounds import HANDS_FULL, most_in_time, spare_turns, squeezed_out
from hanalyze.solver.exact import DEPTH, LOST, OPEN, WON, Search, begin_search, excluded_by_ends, search
from hanalyze.solver.lines import carry_out_line
from hanalyze.solver.state import MOST_MOVES, Setting, State, set_up, take_position
from hanalyze.solver.table import ENTRY

# --- Ways to look.
BOUND: Final = 0
"""Only the bounds that take no time."""
BEAM: Final = 1
SEARCH: Final = 2
ENDS: Final = 3
"""The ends of the deck, all of them."""
GO_ON: Final = 4
"""Continue the search begun last."""

# --- Why a goal is out of reach.
NO_REASON: Final = 0
COPY_GONE: Final = 1
"""Too many cards cannot be played any more."""
TIME: Final = 2
"""More turns are needed than the deck leaves."""
HANDS: Final = 3
"""The hands cannot hold all that must be kept."""
ORDER: Final = 4
"""The cards come in an order in which nothing works: the rest."""

UNFIT: Final = 3
"""What a question comes to, besides those of `exact`: a line that the rules do not allow."""

_SLOTS: Final = 1 << 18  # entries of the table of positions
GENERATIONS: Final = 6
"""From one search's generation to the next one's: each uses three even numbers, beams have the odd ones."""


class Question(NamedTuple):
    """A question.

    `batch`: a number of the batch, by which the room knows it again, or 0; `game`: its place in it; `turn`:
    actions of it that are carried out first; `goal`: the score wanted; `way`: how to look; `width` of a beam;
    `nodes`: the most positions to look at; `relaxed` and `misses`: 1 to search the relaxed game, or to try
    misplays; `generation`: what positions of the same deck, goal and rules are excluded under; see
    `Search.generation`. `noise` of a beam's ratings, and the number that it starts from, `random`.
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
    """What a question comes to.

    `why`: where it is lost, for which of the reasons above; `over`: 1 if the game is over before that turn;
    `score`: the points on the stacks there; `most`: the most that cards and turns allow from there;
    `reached`: the points after the line found; `actions`: its actions; `nodes`: positions looked at.
    """

    verdict: int
    why: int
    over: int
    score: int
    most: int
    reached: int
    actions: int
    nodes: int


class Room(NamedTuple):
    """What questions are worked on in.

    `actions` (kind, target and value of each) are those of the line found; `place` is where `game` and
    `state` are: the number of the batch, the game, the turn; the number is 0 where they are nowhere.
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
    """Play a recorded game up to a turn."""
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
    """Return what the chosen way to look comes to."""
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
    """Return why a position cannot come to the goal, as far as the quick bounds tell."""
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
    """Return what a question comes to."""
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
        place[0] = 0  # the line is carried out
        count = carry_out_line(setting, game, work, state, room.actions)
        if count < 0:
            verdict = UNFIT
    if verdict == LOST:
        why = _why(room)
        if why == NO_REASON:
            why = ORDER
    return Answer(verdict, why, over, points, most, game.raw_score, count, work.nodes)


_rooms: Final = threading.local()


def room_for(width: int, *, fast: bool, spare: bool) -> Room:
    """Return this thread's room at a speed, or its spare one, for beams up to a width."""
    name = f"{'fast' if fast else 'slow'}{' spare' if spare else ''}"
    before: Room | None = getattr(_rooms, name, None)
    if before is not None and len(before.beam.value) >= width:
        return before

    def ints(*shape: int) -> Any:
        zeros = np.zeros(shape, np.int64)
        return zeros if fast else zeros.tolist()

    states: Any = np.zeros(2 * width, dtype_of(State)) if fast else [State() for _ in range(2 * width)]
    room = Room(
        game=Game.new(fast=fast),
        setting=Setting.new(fast=fast),
        state=State.new(fast=fast),
        work=Search.new(fast=fast),
        table=ints(_SLOTS * ENTRY),
        beam=Beam(states, ints(width), ints(width), ints(width), ints(DEPTH * width)),
        moves=ints(MOST_MOVES),
        actions=ints(DEPTH + MAX_SEATS, 3),
        place=ints(3),
    )
    if before is not None:
        room = before._replace(beam=room.beam)
    setattr(_rooms, name, room)
    return room


def answer_to(batch: Any, room: Room, question: Question, *, fast: bool) -> Answer:
    """Return the answer to a question, by compiled code or interpreted."""
    return compiled(ask)(batch, room, question) if fast else ask(batch, room, question)

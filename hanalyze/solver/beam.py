"""Beam search over the `width` most promising positions of each turn; it can miss a win."""

from __future__ import annotations

from typing import NamedTuple

from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import popcount
from hanalyze.kernels.record import Row
from hanalyze.solver.bounds import finish, most_in_time, rating, spare_turns
from hanalyze.solver.exact import DEPTH, OPEN, WON, Search
from hanalyze.solver.state import Setting, State, copy_state, find_or_store, list_moves, make_move

kernel_module(__name__)


class Beam(NamedTuple):
    """Scratch space for a beam.

    `states` has twice the width: one half for this turn, one for the next. `value` (the rating) and `came`
    (`place << 10 | move`, with the place in this turn's half) are indexed by the place in the next turn's
    half. `heap` is a heap of these places with the worst at its top. `trail` is `came` by turn and place.
    """

    states: list[State]
    value: Row
    came: Row
    heap: Row
    trail: Row


def _sift_down(room: Beam, count: int) -> None:
    """Move the first place of the heap down to restore the heap order."""
    heap, value = room.heap, room.value
    at = 0
    while True:
        child = 2 * at + 1
        if child >= count:
            return
        if child + 1 < count and value[heap[child + 1]] < value[heap[child]]:
            child += 1
        if value[heap[at]] <= value[heap[child]]:
            return
        heap[at], heap[child] = heap[child], heap[at]
        at = child


def _sift_up(room: Beam, at: int) -> None:
    """Move the place at index `at` of the heap up to restore the heap order."""
    heap, value = room.heap, room.value
    while at > 0:
        parent = (at - 1) // 2
        if value[heap[parent]] <= value[heap[at]]:
            return
        heap[at], heap[parent] = heap[parent], heap[at]
        at = parent


def _look(setting: Setting, work: Search, child: State) -> int:
    """Return the number of spare turns of a position; -1 if it is lost, -2 if it is won."""
    work.nodes += 1
    work.final_turns = 0
    score = popcount(child.played)
    work.best = max(work.best, score)
    if score >= setting.goal:
        return -2
    if child.drawn == setting.cards:
        if most_in_time(setting, child) <= work.best:
            return -1
        score = finish(setting, child, work.squeeze)
        work.best = max(work.best, score)
        if score < setting.goal:
            return -1
        work.final_turns = child.left
        for turn in range(child.left + 1):
            work.final[turn] = work.squeeze.best[turn]
        return -2
    spare = spare_turns(setting, child)
    return -1 if spare < 0 else spare >> 1


def _write_line(work: Search, trail: Row, width: int, level: int, parent: int, move: int) -> None:
    """Write the line that ends with `move` from place `parent` of turn `level`."""
    work.length = level + 1
    work.line[level] = move
    at = parent
    for back in range(level):
        came = trail[(level - 1 - back) * width + at]
        work.line[level - 1 - back] = came & 1023
        at = came >> 10


def beam(setting: Setting, work: Search, table: Row, room: Beam, root: State, width: int, moves: Row) -> int:
    """Return `WON` and write the line if a line to the goal is found, otherwise `OPEN`.

    `room` must be at least `width` wide; `moves` must be able to store the moves of a turn.
    """
    copy_state(root, room.states[0])
    child = work.scratch
    score = _look(setting, work, room.states[0])
    if score < 0:
        work.length = 0
        return WON if score == -2 else OPEN
    here = 0
    count = 1
    for level in range(DEPTH):
        following = width - here
        size = 0
        work.counter += 1
        for place in range(count):
            state = room.states[here + place]
            for index in range(list_moves(setting, state, moves)):
                move = moves[index]
                make_move(setting, state, move, child)
                spare = _look(setting, work, child)
                if spare == -1:
                    continue
                if spare == -2:
                    _write_line(work, room.trail, width, level, place, move)
                    return WON
                value = rating(setting, child, spare)
                if setting.noise > 0:  # compiled and interpreted code add the same random numbers
                    work.random = (work.random * 1103515245 + 12345) & 0x7FFFFFFF
                    value += (work.random >> 8) % setting.noise
                if size == width and value <= room.value[room.heap[0]]:
                    continue
                key = 2 * work.counter + 1 << 16 | child.tokens << 8 | child.strikes
                if find_or_store(table, work.slots, child, key):
                    continue
                slot = size if size < width else room.heap[0]
                copy_state(child, room.states[following + slot])
                room.value[slot] = value
                room.came[slot] = place << 10 | move
                if size < width:
                    room.heap[size] = slot
                    size += 1
                    _sift_up(room, size - 1)
                else:
                    _sift_down(room, size)
        for slot in range(size):
            room.trail[level * width + slot] = room.came[slot]
        if size == 0:
            return OPEN
        here = following
        count = size
    return OPEN

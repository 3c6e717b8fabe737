"""Depth-first search: a winning line, or a proof that none exists.

Excluded positions, from which the goal is out of reach, are stored in a table.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import popcount
from hanalyze.kernels.record import Record, Row
from hanalyze.solver.bounds import (
    Squeeze,
    finish,
    most_in_time,
    rating,
    set_up_end,
    spare_turns,
    squeezed_out,
    too_slow,
)
from hanalyze.solver.state import (
    MOST_MOVES,
    Setting,
    State,
    copy_state,
    find_or_store,
    list_moves,
    make_move,
    stored_tokens,
)

kernel_module(__name__)

DEPTH: Final = 288  # maximum number of turns while the deck lasts; each turn draws a card or gives a clue

# --- Results of a search.
OPEN: Final = 0
WON: Final = 1
LOST: Final = 2  # the goal is out of reach

_END_CARDS: Final = 3  # maximum number of cards in the ends of the deck that are checked in every position
_END_BUDGET: Final = 3000  # maximum number of positions searched for each end


class Frame(Record):
    """A position on the current line, and its moves. Written by `exact`."""

    state: State
    count: int  # number of moves; -1 if the position has not been entered yet
    next: int  # index of the next move to try
    moves: Annotated[Row, MOST_MOVES]
    value: Annotated[Row, MOST_MOVES]  # rating of the position after each move


class Search(Record):
    """Scratch space and result of a search. Written by `exact`, `beam`, `question`."""

    nodes: int  # number of positions searched so far
    counter: int  # turns of all beams so far; each turn has a generation of the table
    slots: int  # number of entries of the table
    generation: int
    """Generation of the excluded positions; `+ 2` is the generation of the excluded ends of the deck, `+ 4`
    that of the ends that are not excluded."""
    random: int  # state of the random numbers for the noise in a beam
    top: int  # the frame of the current position, -1 if no frame is left
    length: int  # number of moves of the line found
    best: int  # the highest score of any line of a beam
    line: Annotated[Row, DEPTH]
    final: Annotated[Row, 8]  # played cards before each turn of the last round, and at the end
    final_turns: int  # turns of the last round in the line found, 0 if the goal was reached before
    scratch: State
    squeeze: Squeeze
    frames: Annotated[list[Frame], 2 * DEPTH]


def _generation(setting: Setting, state: State, base: int) -> int:
    """Return the generation for storing a position; in the strict game it includes tokens and strikes.

    In the relaxed game and in ends of the deck, more tokens are never worse: a position excluded there is
    also excluded with fewer tokens.
    """
    if setting.relaxed == 1 or state.pool:
        return base << 16
    return base << 16 | state.tokens << 8 | state.strikes


def _enter(setting: Setting, frame: Frame, work: Search, table: Row, generation: int) -> int:
    """Enter the position of a frame; return `WON`, `LOST`, or `OPEN` with moves to try."""
    state = frame.state
    work.nodes += 1
    work.final_turns = 0
    score = popcount(state.played)
    if score >= setting.goal:
        return WON
    if state.drawn == setting.cards:
        if most_in_time(setting, state) < setting.goal:
            return LOST
        score = finish(setting, state, work.squeeze)
        if score < setting.goal:
            return LOST
        if not state.pool:
            work.final_turns = state.left
            for turn in range(state.left + 1):
                work.final[turn] = work.squeeze.best[turn]
        return WON
    spare = spare_turns(setting, state)
    if spare < 0:
        return LOST
    if stored_tokens(table, work.slots, state, _generation(setting, state, generation)) >= state.tokens:
        return LOST
    if spare & 1 and squeezed_out(setting, state, work.squeeze):
        return LOST
    if not state.pool and too_slow(setting, state, work.squeeze):
        return LOST
    frame.count = list_moves(setting, state, frame.moves)
    frame.next = 0
    _sort_moves(setting, frame, work.scratch)
    return OPEN


def _sort_moves(setting: Setting, frame: Frame, child: State) -> None:
    """Sort moves by the rating of the next position, best first, and drop moves that cannot win."""
    count = 0
    for index in range(frame.count):
        move = frame.moves[index]
        make_move(setting, frame.state, move, child)
        if child.drawn == setting.cards:
            value = 1 << 40
        else:
            spare = spare_turns(setting, child)
            if spare < 0:
                continue
            value = rating(setting, child, spare >> 1)
        at = count
        while at > 0 and frame.value[at - 1] < value:
            frame.value[at] = frame.value[at - 1]
            frame.moves[at] = frame.moves[at - 1]
            at -= 1
        frame.value[at] = value
        frame.moves[at] = move
        count += 1
    frame.count = count


def _step(setting: Setting, work: Search, table: Row, top: int, generation: int) -> int:
    """Try the next move of frame `top`; if none is left, exclude the frame's position and go back a frame.

    Return the new top. If the new frame is above the old one, its position must still be entered.
    """
    frame = work.frames[top]
    if frame.next == frame.count:
        find_or_store(table, work.slots, frame.state, _generation(setting, frame.state, generation))
        return top - 1
    move = frame.moves[frame.next]
    frame.next += 1
    make_move(setting, frame.state, move, work.frames[top + 1].state)
    return top + 1


def _end_can_be_won(setting: Setting, work: Search, table: Row) -> bool:
    """Return whether the end of the deck in frame `DEPTH` may be won; True if the budget runs out."""
    generation = work.generation + 2
    top = DEPTH
    limit = work.nodes + _END_BUDGET
    verdict = _enter(setting, work.frames[top], work, table, generation)
    while verdict != WON:
        if verdict == LOST:
            top -= 1
        if top < DEPTH:
            return False
        if work.nodes >= limit or top + 2 >= 2 * DEPTH:
            return True
        before = top
        top = _step(setting, work, table, top, generation)
        verdict = _enter(setting, work.frames[top], work, table, generation) if top > before else OPEN
    return True


def excluded_by_ends(setting: Setting, work: Search, table: Row, state: State, first: int) -> bool:
    """Return whether an end of the deck that begins at card `first` or later is lost, whoever is to move."""
    start = work.frames[DEPTH].state
    for back in range(setting.cards - max(first, state.drawn + 1)):
        order = setting.cards - 1 - back
        set_up_end(setting, state, order, start)
        base = work.generation + 4 << 16
        if stored_tokens(table, work.slots, start, base) == start.tokens:
            continue
        possible = False
        for seat in range(setting.seats):
            set_up_end(setting, state, order, start)
            start.seat = seat
            if _end_can_be_won(setting, work, table):
                possible = True
                break
        if not possible:
            return True
        set_up_end(setting, state, order, start)
        find_or_store(table, work.slots, start, base)
    return False


def begin_search(work: Search, state: State) -> None:
    """Make a position the root of the search."""
    copy_state(state, work.frames[0].state)
    work.frames[0].count = -1
    work.top = 0


def search(setting: Setting, work: Search, table: Row, nodes: int) -> int:
    """Continue a search; return `WON` (line in `work`), `LOST`, or `OPEN` at the limit `nodes` or `DEPTH`."""
    top = work.top
    verdict = OPEN
    fresh = work.frames[top].count < 0
    while work.nodes < nodes:
        if fresh:
            frame = work.frames[top]
            verdict = _enter(setting, frame, work, table, work.generation)
            if verdict == WON:
                _write_line(work, top)
                return WON
            if verdict == OPEN:
                first = max(setting.cards - _END_CARDS, frame.state.drawn + 1)
                if excluded_by_ends(setting, work, table, frame.state, first):
                    frame.next = frame.count
            else:
                top -= 1
        if top < 0:
            return LOST
        if top + 2 >= DEPTH:
            return OPEN
        before = top
        top = _step(setting, work, table, top, work.generation)
        fresh = top > before
        if fresh:
            work.frames[top].count = -1
        work.top = top
        if top < 0:
            return LOST
    return OPEN


def _write_line(work: Search, top: int) -> None:
    for index in range(top):
        frame = work.frames[index]
        work.line[index] = frame.moves[frame.next - 1]
    work.length = top

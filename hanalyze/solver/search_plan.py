"""Order of the searches for the best score: beams and exact searches of growing size, relaxed rules first."""

from __future__ import annotations

import itertools
import math
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Final, NamedTuple

from hanalyze.engine.batch import GameBatch
from hanalyze.game.actions import Action
from hanalyze.solver.exact import LOST, OPEN, WON
from hanalyze.solver.question import (
    BEAM,
    BOUND,
    ENDS,
    GENERATIONS,
    GO_ON,
    SEARCH,
    UNFIT,
    Answer,
    Question,
    Room,
    answer_to,
    room_for,
)

NODES: Final = 1_000_000  # default number of positions to search for a goal
GAME_NODES: Final = 10_000_000  # positions that compiled code searches for a game without an explicit limit
SLOW_GAME_NODES: Final = 500_000  # the same for interpreted code

_SLICE: Final = 20_000  # positions searched between two checks of the time
_REASONS: Final = ("", "cards", "time", "hands", "order")

_batches: Final = itertools.count(1)
_generations: Final = itertools.count(GENERATIONS, GENERATIONS)


class WorthCompiling(Exception):
    """Raised by interpreted code when it has run so long that compiling pays."""


class Games(NamedTuple):
    """A batch of games, laid out for compiled or interpreted code; both give the same answers."""

    batch: GameBatch
    fast: bool
    number: int
    """Unique number of the batch."""

    @classmethod
    def of(cls, batch: GameBatch, *, fast: bool) -> Games:
        """Return the games of a batch, laid out for compiled code if `fast`."""
        return cls(batch.laid_out(fast=fast), fast, next(_batches))


class _Try(NamedTuple):
    """A search method and its limits; if `nodes` is None, the limit is the rest of the budget.

    A `long` method uses a scratch space of its own.
    """

    way: int
    width: int = 1
    nodes: int | None = None
    long: bool = False


_TRIES: Final = (
    _Try(BEAM, 1),
    _Try(BOUND),
    _Try(BEAM, 10),
    _Try(SEARCH, nodes=300),
    _Try(ENDS),
    _Try(SEARCH, nodes=6_000),
    _Try(BEAM, 100),
    _Try(SEARCH, nodes=20_000),
    _Try(BEAM, 1000, long=True),
    _Try(SEARCH, long=True),
)
_QUICK: Final = 4  # number of methods tried for every possible score before the others


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of the search for a goal: positions (reproducible) and seconds.

    `game_nodes` and `game_seconds` are limits for a whole game; if None, only each goal is limited.

    >>> Budget(nodes=20_000).seconds is None
    True
    """

    nodes: int = NODES
    seconds: float | None = None
    game_nodes: int | None = None
    game_seconds: float | None = None


class Verdict(NamedTuple):
    """Result of the search for a goal: `WON` with actions that reach it, `LOST` with a reason, or `OPEN`."""

    verdict: int
    actions: tuple[Action, ...] = ()
    why: str = ""


class ScoreRange(NamedTuple):
    """The best score of a position: between `low` and `high`.

    `actions` reach `low`; they are empty if `low` was known before. `why` is the reason why the score cannot
    be higher than `high`, empty if `high` was known before. `nodes` is the number of searched positions.
    """

    low: int
    high: int
    actions: tuple[Action, ...]
    why: str
    nodes: int


class Seeker:
    """Searches for the best scores of one game; all searches share the table of excluded positions.

    A position is given by its turn, from 0.
    """

    def __init__(self, games: Games, number: int, budget: Budget, patience: float | None = None) -> None:
        """Select one of the games by its number.

        With `patience`, `WorthCompiling` is raised before a long search, and before any search once the
        processor time of the thread (`time.thread_time()`) exceeds `patience`.
        """
        self.budget = budget
        self._number = number
        self._games = games
        self._patience = patience
        self._room: Room  # the room that was used last
        self.left = math.inf if budget.game_nodes is None else budget.game_nodes
        """Positions that may still be searched for the whole game."""
        self._until = None if budget.game_seconds is None else time.monotonic() + budget.game_seconds
        self._generations: defaultdict[tuple[int, bool, bool], int] = defaultdict(lambda: next(_generations))
        self._hunts: dict[tuple[int, int], _Hunt] = {}

    def look(self, turn: int, goal: int) -> Answer:
        """Return the answer that the quick bounds give without a search."""
        return self._ask(Question(self._number, turn, goal, BOUND, batch=self._games.number))

    def reason(self, turn: int, goal: int) -> str:
        """Return the reason why a goal is out of reach; empty if the quick bounds do not show it."""
        return _REASONS[self.look(turn, goal).why]

    def best(self, turn: int, low: int, high: int, nodes: int | None = None) -> ScoreRange:
        """Return the best score of a position, which is known to be from `low` to `high`.

        No line to `low` is sought. Each goal is searched up to `nodes` positions; a later call with more
        nodes continues the search.
        """
        bounds = self.look(turn, high)
        if bounds.over:
            why = _REASONS[bounds.why] if bounds.score < high else ""
            return ScoreRange(bounds.score, bounds.score, (), why, 0)
        low = max(low, bounds.score)
        top = min(high, bounds.most)
        why = _REASONS[bounds.why] if top < high else ""
        hunts = {goal: self._hunt(turn, goal, nodes) for goal in range(low + 1, top + 1)}
        before = sum(hunt.spent for hunt in hunts.values())
        actions: tuple[Action, ...] = ()
        # Quick methods run from the highest goal down: a line for a goal also reaches all lower goals, and
        # an excluded goal excludes all higher goals.
        for goal in range(top, low, -1):
            verdict = hunts[goal].go_on(quick=True)
            if verdict.verdict == LOST:
                top, why = goal - 1, verdict.why
            elif verdict.verdict == WON:
                low, actions = goal, verdict.actions
                break
        # Long methods start with the lowest open score, because usually the task is to prove it out of reach.
        for goal in range(low + 1, top + 1):
            verdict = hunts[goal].go_on()
            if verdict.verdict == LOST:
                top, why = goal - 1, verdict.why
                break
            if verdict.verdict == WON:
                low, actions = goal, verdict.actions
        spent = sum(hunt.spent for hunt in hunts.values()) - before
        return ScoreRange(low, top, actions, why, spent)

    def reach(self, turn: int, goal: int, nodes: int | None = None) -> Verdict:
        """Return the verdict on reaching a goal from a position; search at most `nodes` positions."""
        return self._hunt(turn, goal, nodes).go_on()

    def _hunt(self, turn: int, goal: int, nodes: int | None) -> _Hunt:
        hunt = self._hunts.setdefault((turn, goal), _Hunt(self, turn, goal))
        hunt.budget = self.budget.nodes if nodes is None else nodes
        return hunt

    def lucky_runs(self, turn: int, goal: int, runs: int, noise: int) -> int:
        """Return in how many of `runs` runs a beam of width 1 with noise finds a line to a goal.

        Run number n has the same random seed in every deal.
        """
        question = Question(self._number, turn, goal, BEAM, noise=noise, batch=self._games.number)
        starts = range(7919, 7919 * runs + 1, 7919)
        return sum(self._ask(question._replace(random=start)).verdict == WON for start in starts)

    def until(self, seconds: float | None) -> float | None:
        """Return the `time.monotonic()` at which a search must stop, None if there is no limit.

        The limit is `seconds` from now or that of the game, whichever is earlier.
        """
        ends = [] if self._until is None else [self._until]
        if seconds is not None:
            ends.append(time.monotonic() + seconds)
        return min(ends, default=None)

    def line(self, answer: Answer) -> tuple[Action, ...]:
        """Return the actions of the line that `answer` found; it must be the last answer."""
        return tuple(Action(*map(int, row)) for row in self._room.actions[: answer.actions])

    def try_one(
        self, method: _Try, turn: int, goal: int, relaxed: bool, left: int, until: float | None
    ) -> Answer:
        """Return the result of one search method; exact search ends after `left` positions or at `until`."""
        exact = method.way == SEARCH
        question = Question(
            game=self._number,
            turn=turn,
            goal=goal,
            way=method.way,
            width=method.width,
            nodes=left if method.nodes is None else min(method.nodes, left),
            relaxed=int(relaxed and method.way in (SEARCH, ENDS)),
            misses=int(exact),
            generation=self._generations[goal, relaxed, method.long],
            batch=self._games.number,
        )
        # With a time limit, an exact search of more than a slice checks the time after each slice.
        end = math.inf if until is None else until
        in_slices = end < math.inf and exact and question.nodes > _SLICE
        answer = self._ask(question._replace(nodes=_SLICE) if in_slices else question, long=method.long)
        spent = answer.nodes
        while in_slices and answer.verdict == OPEN and spent < question.nodes and time.monotonic() < end:
            part = question._replace(way=GO_ON, nodes=min(_SLICE, question.nodes - spent))
            answer = self._ask(part, long=method.long)
            spent += answer.nodes
        self.left -= spent
        return answer._replace(nodes=spent)

    def _ask(self, question: Question, *, long: bool = False) -> Answer:
        if self._patience is not None and (long or time.thread_time() > self._patience):
            raise WorthCompiling
        fast = self._games.fast
        self._room = room_for(question.width, fast=fast, spare=long)
        return answer_to(self._games.batch, self._room, question, fast=fast)


class _Hunt:
    """The search for one goal from one position, which can be interrupted between two search methods."""

    def __init__(self, seeker: Seeker, turn: int, goal: int) -> None:
        self._seeker = seeker
        self._turn, self._goal = turn, goal
        self.budget = 0  # maximum number of positions
        self._relaxed = True
        self._next = 0
        self._seconds = 0.0
        self.spent = 0  # positions searched so far

    def go_on(self, *, quick: bool = False) -> Verdict:
        """Return the result of the remaining search methods; with `quick`, only of the quick ones."""
        seconds = self._seeker.budget.seconds
        start = time.monotonic()
        until = self._seeker.until(None if seconds is None else seconds - self._seconds)
        try:
            while self._next < (_QUICK if quick else len(_TRIES)):
                if self._left() <= 0 or (until is not None and time.monotonic() >= until):
                    break
                method = _TRIES[self._next]
                answer = self._ask(method, until)
                if method.way != SEARCH or answer.verdict != OPEN or self._left() > 0:
                    self._next += 1  # a search that was cut short begins again with more positions
                if answer.verdict == WON:
                    return Verdict(WON, self._seeker.line(answer))
                if answer.verdict == LOST:
                    return Verdict(LOST, why=_REASONS[answer.why])
        finally:
            self._seconds += time.monotonic() - start
        return Verdict(OPEN)

    def _left(self) -> int:
        return int(min(self.budget - self.spent, self._seeker.left))

    def _ask(self, method: _Try, until: float | None) -> Answer:
        answer = self._seeker.try_one(method, self._turn, self._goal, self._relaxed, self._left(), until)
        self.spent += answer.nodes
        if answer.verdict == UNFIT and method.way == SEARCH and self._relaxed:
            # A win that only the relaxed rules allow decides nothing: search the strict game from now on.
            self._relaxed = False
            answer = self._seeker.try_one(method, self._turn, self._goal, False, self._left(), until)
            self.spent += answer.nodes
        return answer

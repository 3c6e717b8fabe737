"""The best score of a position, question by question: what is tried, in which order, within which budget.

In: games as the engine plays them, a place among them, a turn. Out: `Found`: the score, the actions of a
line that reaches it, or the lowest and the highest that it can be. For each goal beams widen, with the exact
search between them: first of the relaxed game (what is out of reach there is out of reach), then, where its
line takes more misplays than the rules allow, of the strict one.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import Final, NamedTuple

from hanalyze.engine.batch import GameBatch
from hanalyze.game.actions import Action
from hanalyze.solver.asking import (
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
    asked,
    room_for,
)
from hanalyze.solver.exact import LOST, OPEN, WON

__all__ = ["NODES", "Budget", "Found", "Games", "Seeker", "Speed", "Verdict"]

NODES: Final = 1_000_000
"""Positions to look at for a goal, by default: about a second of compiled code."""

_SLICE: Final = 20_000
"""Positions that are looked at between two looks at the clock."""
_REASONS: Final = ("", "cards", "time", "hands", "order")

_generations: Final = itertools.count(GENERATIONS, GENERATIONS)


class Speed(NamedTuple):
    """Whether compiled code does what is tried first, and what may take long.

    The answers are the same: both work in rooms of their own.
    """

    quick: bool
    long: bool


class Games(NamedTuple):
    """Games as the engine plays them, laid out for what is tried first and for what takes long."""

    speed: Speed
    batches: tuple[GameBatch, GameBatch]

    @classmethod
    def of(cls, batch: GameBatch, speed: Speed) -> Games:
        """Return the games of a batch."""
        quick = batch.laid_out(fast=speed.quick)
        return cls(speed, (quick, quick if speed.long == speed.quick else batch.laid_out(fast=speed.long)))


class _Try(NamedTuple):
    """A way to look for a line; without `nodes` a search has all that are left of the budget."""

    way: int
    width: int = 1
    nodes: int | None = None
    long: bool = False


_TRIES: Final = (
    _Try(BEAM, 1),
    _Try(BOUND),
    _Try(BEAM, 10),
    _Try(SEARCH, nodes=300),
    _Try(BEAM, 100),
    _Try(ENDS),
    _Try(SEARCH, nodes=20_000),
    _Try(BEAM, 1000, long=True),
    _Try(SEARCH, long=True),
)


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a goal may be looked for: positions, which give the same answer every time, and seconds.

    >>> Budget(nodes=20_000).seconds is None
    True
    """

    nodes: int = NODES
    seconds: float | None = None


class Verdict(NamedTuple):
    """What came of looking for a goal: `WON` with its actions, `LOST` with the reason, or `OPEN`."""

    verdict: int
    actions: tuple[Action, ...]
    reached: int
    why: str
    nodes: int


class Found(NamedTuple):
    """The best score of a position: between `low` and `high`.

    `actions` reach `low`, and make `reached` points; none where `low` was known before. `why`: what keeps the
    score from being higher than `high`, empty where nothing does. `nodes`: positions that were looked at.
    """

    low: int
    high: int
    actions: tuple[Action, ...]
    why: str
    nodes: int


class Seeker:
    """Looks for the best scores of one game; what was excluded for one position serves the others."""

    def __init__(self, games: Games, number: int, budget: Budget) -> None:
        """Take one of the games by its number."""
        self.budget = budget
        self._number = number
        self._games = games
        self._room: Room
        """The one that was worked in last."""
        self._generations: dict[tuple[int, bool, bool], int] = {}

    def look(self, turn: int, goal: int) -> Answer:
        """Return what can be said of a position at once."""
        return self._ask(Question(self._number, turn, goal, BOUND))

    def reason(self, turn: int, goal: int) -> str:
        """Return why a goal is out of reach, as far as quick bounds tell; empty if they do not."""
        return _REASONS[self.look(turn, goal).why]

    def best(self, turn: int, low: int, high: int, nodes: int | None = None) -> Found:
        """Return the best score of a position that is known to be in a range; `low` needs no line."""
        known = self.look(turn, high)
        if known.over:
            why = _REASONS[known.why] if known.score < high else ""
            return Found(known.score, known.score, (), why, 0)
        low = max(low, known.score)
        top = min(high, known.most)
        why = _REASONS[known.why] if top < high else ""
        spent = 0
        for goal in range(top, low, -1):
            verdict = self.reach(turn, goal, nodes)
            spent += verdict.nodes
            if verdict.verdict == WON:
                return Found(goal, top, verdict.actions, why, spent)
            if verdict.verdict == LOST and goal == top:
                top, why = goal - 1, verdict.why
        return Found(low, top, (), why, spent)

    def reach(self, turn: int, goal: int, nodes: int | None = None) -> Verdict:
        """Return whether a goal can be reached from a position, looking at so many positions at most."""
        budget = self.budget.nodes if nodes is None else nodes
        until = None if self.budget.seconds is None else time.monotonic() + self.budget.seconds
        spent, relaxed = 0, True
        for one in _TRIES:
            if spent >= budget or (until is not None and time.monotonic() >= until):
                break
            answer = self._try(one, turn, goal, relaxed, budget - spent, until)
            spent += answer.nodes
            if answer.verdict == UNFIT and one.way == SEARCH and relaxed:
                # The relaxed game can be won, which tells nothing: from here on the strict one.
                relaxed = False
                answer = self._try(one, turn, goal, relaxed, budget - spent, until)
                spent += answer.nodes
            if answer.verdict == WON:
                rows = self._room.actions[: answer.actions]
                actions = tuple(Action(*map(int, row)) for row in rows)
                return Verdict(WON, actions, answer.reached, "", spent)
            if answer.verdict == LOST:
                return Verdict(LOST, (), 0, _REASONS[answer.why], spent)
        return Verdict(OPEN, (), 0, "", spent)

    def lucky_runs(self, turn: int, goal: int, runs: int, noise: int) -> int:
        """Return in how many of so many runs a beam of width 1 with noise comes upon a line to a goal.

        Run number n has the same noise in every deal.
        """
        found = 0
        for run in range(1, runs + 1):
            question = Question(self._number, turn, goal, BEAM, noise=noise, random=run * 7919)
            found += self._ask(question).verdict == WON
        return found

    def _try(self, one: _Try, turn: int, goal: int, relaxed: bool, left: int, until: float | None) -> Answer:
        """Return what one way to look comes to, with so many positions left to look at."""
        exact = one.way == SEARCH
        question = Question(
            game=self._number,
            turn=turn,
            goal=goal,
            way=one.way,
            width=one.width,
            nodes=left if one.nodes is None else min(one.nodes, left),
            relaxed=int(relaxed and one.way in (SEARCH, ENDS)),
            misses=int(exact),
            generation=self._generation(goal, relaxed, one.long),
        )
        if until is None or not exact or question.nodes <= _SLICE:
            return self._ask(question, long=one.long)
        # A long search looks at the clock now and then.
        spent = 0
        part = question._replace(nodes=_SLICE)
        while True:
            answer = self._ask(part, long=one.long)
            spent += answer.nodes
            if answer.verdict != OPEN or spent >= question.nodes or time.monotonic() >= until:
                return answer._replace(nodes=spent)
            part = question._replace(way=GO_ON, nodes=min(_SLICE, question.nodes - spent))

    def _generation(self, goal: int, relaxed: bool, long: bool) -> int:
        key = goal, relaxed, long
        if key not in self._generations:
            self._generations[key] = next(_generations)
        return self._generations[key]

    def _ask(self, question: Question, *, long: bool = False) -> Answer:
        fast = self._games.speed[long]
        self._room = room_for(question.width, fast=fast, spare=long)
        return asked(self._games.batches[long], self._room, question, fast=fast)

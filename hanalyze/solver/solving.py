"""The best score that a position still allows, all cards open, with the line that reaches it.

In: a replayed game and a turn. Out: `Best`: the score, and the line; where neither a line nor a proof was
found within the budget, the lowest and the highest that it can be. What is tried for a goal, in order: beams
that widen, and the exact search between them, first in the relaxed game (what is out of reach there is out of
reach), then, where its line takes more misplays than the rules allow, in the strict one.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from hanalyze.engine.batch import make_batch
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import Action
from hanalyze.game.variants import Variant
from hanalyze.kernels.compiling import can_compile
from hanalyze.replaying import Replay, replay
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
from hanalyze.text import shorten

__all__ = ["NODES", "Best", "Budget", "Case", "Line", "Verdict", "check_covered"]

NODES: Final = 1_000_000
"""Positions to look at for a goal, by default: about a second of compiled code."""

_BEAMS: Final = 1000
"""The widest beam."""
_SLICE: Final = 20_000
"""Positions that are looked at between two looks at the clock."""
_REASONS: Final = ("", "cards", "time", "hands", "order")

_generations: Final = itertools.count(GENERATIONS, GENERATIONS)


class _Try(NamedTuple):
    """A way to look for a line. A search is of the relaxed game while that can tell anything."""

    way: int
    width: int = 1
    nodes: int = 0


_TRIES: Final = (
    _Try(BEAM, 1),
    _Try(BOUND),
    _Try(BEAM, 10),
    _Try(SEARCH, nodes=300),
    _Try(BEAM, 100),
    _Try(ENDS),
    _Try(SEARCH, nodes=20_000),
    _Try(BEAM, _BEAMS),
    _Try(SEARCH, nodes=NODES),
)


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a goal may be looked for: positions, which give the same answer every time, and seconds.

    >>> Budget(nodes=20_000).seconds is None
    True
    """

    nodes: int = NODES
    seconds: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Line:
    """Moves that the engine has carried out by the rules: from a turn of a game to a score.

    `turn`: the turn of its first action, from 0. `score`: points on the stacks after the last.
    """

    game: Replay = field(compare=False)
    turn: int
    actions: tuple[Action, ...]
    score: int

    def __len__(self) -> int:
        return len(self.actions)

    def replay(self) -> Replay:
        """Return the game with this line in the place of what was played, by the strict rules.

        Raises `IllegalAction` if the game breaks a rule before.
        """
        from msgspec.structs import replace

        record = self.game.record
        actions = [*record.actions[: self.turn], *self.actions]
        changed = replace(record, actions=actions, score=None)
        return replay(changed, edition=_edition(self.game), strict=True, forgive=("deck_differs_from_seed",))

    def __repr__(self) -> str:
        name = shorten(self.game.record.name)
        return f"<Line of game {name}: {len(self)} actions from turn {self.turn} on, to {self.score} points>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best score that a position allows with all cards open.

    `turn`, from 0, and `seat`: where, and whose turn it is. `low`: the score that `line` reaches, which is
    the game's own where it has none. `high`: what no line exceeds. `nodes`: positions that were looked at.
    `why`: what keeps the score from being higher than `high`: `cards`, `time`, `hands`, `order`; empty at the
    maximum.
    """

    turn: int
    seat: int
    low: int
    high: int
    line: Line | None = field(repr=False)
    nodes: int
    why: str

    @property
    def score(self) -> int | None:
        """The best score; None if it is open."""
        return self.low if self.low == self.high else None

    def reachable(self, score: int) -> bool | None:
        """Return whether a score can be reached; None if that is open."""
        return True if score <= self.low else False if score > self.high else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of looking for a goal: `WON` with its line, `LOST` with the reason, or `OPEN`."""

    verdict: int
    line: Line | None
    why: str
    nodes: int


def _edition(game: Replay) -> str | None:
    return None if game.follows_its_log else game.rules.edition


def check_covered(variant: Variant, rules: Any) -> None:
    """Raise `HanalyzeError` (rule `not_covered`) for what the solver does not play."""
    kinds = {
        "Up or Down": variant.up_or_down,
        "Sudoku": variant.sudoku,
        "inverted suits": any(suit.inverted for suit in variant.suits),
        "all or nothing": rules.all_or_nothing,
        "speedruns": rules.speedrun,
        "plays from the deck": rules.deck_plays,
    }
    for kind, is_so in kinds.items():
        if is_so:
            raise HanalyzeError(f"the solver does not cover {kind}", rule="not_covered")


class Case:
    """A game that is being solved: what was excluded for one position serves the others.

    `fast` chooses compiled code; by default it is used where it is installed. Raises `HanalyzeError` (rule
    `not_covered`) for rules and variants that the solver does not play.
    """

    def __init__(self, game: Replay, budget: Budget, *, fast: bool | None = None) -> None:
        check_covered(game.variant, game.rules)
        self.game = game
        self.budget = budget
        self.full = len(game.variant.suits) * game.variant.stack_size
        self._fast = can_compile() if fast is None else fast
        self._batch = make_batch([game.deal]).laid_out(fast=self._fast)
        self._room: Room = room_for(1, fast=self._fast)
        self._generations: dict[tuple[int, bool], int] = {}

    def look(self, turn: int) -> Answer:
        """Return what can be said of a position at once: its score, and the most it allows."""
        return self._ask(Question(0, turn, self.full, BOUND))

    def best(self, turn: int, low: int, high: int, nodes: int | None = None) -> Best:
        """Return the best score of a position that is known to be in a range; `low` needs no line."""
        known = self.look(turn)
        seat = (self.game.record.options.starting_player + turn) % len(self.game.record.players)
        line, why, spent = None, "", 0
        if known.over:
            low = high = known.score
        top = min(high, known.most)
        if top < high:
            why = self.reason(turn, top + 1)
        found_low, found_high = max(low, known.score), top
        for goal in range(top, found_low, -1):
            verdict = self.reach(turn, goal, nodes)
            spent += verdict.nodes
            if verdict.verdict == WON:
                found_low, line = goal, verdict.line
                break
            if verdict.verdict == LOST and goal == found_high:
                found_high, why = goal - 1, verdict.why
        return Best(turn=turn, seat=seat, low=found_low, high=found_high, line=line, nodes=spent, why=why)

    def reason(self, turn: int, goal: int) -> str:
        """Return why a goal is out of reach, as far as quick bounds tell; empty if they do not."""
        return _REASONS[self._ask(Question(0, turn, goal, BOUND)).why]

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
                return Verdict(WON, self._line(turn, answer), "", spent)
            if answer.verdict == LOST:
                return Verdict(LOST, None, _REASONS[answer.why], spent)
        return Verdict(OPEN, None, "", spent)

    def _try(self, one: _Try, turn: int, goal: int, relaxed: bool, left: int, until: float | None) -> Answer:
        """Return what one way to look comes to, with so many positions left to look at."""
        exact = one.way == SEARCH
        question = Question(
            game=0,
            turn=turn,
            goal=goal,
            way=one.way,
            width=one.width,
            nodes=min(one.nodes, left) if one.nodes < NODES else left,
            relaxed=int(relaxed and one.way in (SEARCH, ENDS)),
            misses=int(exact),
            generation=self._generation(goal, relaxed),
        )
        if until is None or not exact or question.nodes <= _SLICE:
            return self._ask(question)
        # A long search looks at the clock now and then.
        spent = 0
        part = question._replace(nodes=_SLICE)
        while True:
            answer = self._ask(part)
            spent += answer.nodes
            if answer.verdict != OPEN or spent >= question.nodes or time.monotonic() >= until:
                return answer._replace(nodes=spent)
            part = question._replace(way=GO_ON, nodes=min(_SLICE, question.nodes - spent))

    def _generation(self, goal: int, relaxed: bool) -> int:
        key = goal, relaxed
        if key not in self._generations:
            self._generations[key] = next(_generations)
        return self._generations[key]

    def _ask(self, question: Question) -> Answer:
        if len(self._room.beam.value) < question.width:
            self._room = room_for(question.width, fast=self._fast)
        return asked(self._batch, self._room, question, fast=self._fast)

    def _line(self, turn: int, answer: Answer) -> Line:
        rows = self._room.actions[: answer.actions]
        actions = tuple(Action(*map(int, row)) for row in rows)
        return Line(self.game, turn, actions, answer.reached)

"""The best score that a position still allows with open cards, and the moves by which a game lost points.

The best score never rises during a game, so the turns of these moves are found by bisection.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar, overload

from hanalyze.engine.batch import make_batch
from hanalyze.errors import HanalyzeError, check_kind
from hanalyze.game.actions import Action
from hanalyze.game.editions import EndCondition, Rules
from hanalyze.game.variants import Variant
from hanalyze.kernels.compiling import can_compile, start_up
from hanalyze.replaying import Replay
from hanalyze.solver.question import ask
from hanalyze.solver.search_plan import (
    GAME_NODES,
    NODES,
    SLOW_GAME_NODES,
    Budget,
    Games,
    Seeker,
    WorthCompiling,
)
from hanalyze.text import shorten

R = TypeVar("R")

_CHUNK: Final = 1000  # games in memory at a time


@dataclass(frozen=True, slots=True, repr=False)
class Line:
    """A legal sequence of moves, checked by the engine, from a turn of a game to a score.

    `turn` is the turn of the first action, from 0. `score` is the number of points on the stacks after the
    last action.
    """

    game: Replay = field(compare=False)
    turn: int
    actions: tuple[Action, ...]
    score: int

    def __len__(self) -> int:
        return len(self.actions)

    def replay(self) -> Replay:
        """Return the game with this line instead of the moves that were played."""
        return self.game.with_actions([*self.game.record.actions[: self.turn], *self.actions])

    def __repr__(self) -> str:
        name = shorten(self.game.record.name)
        return f"<Line of game {name}: {len(self)} actions from turn {self.turn} on, to {self.score} points>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best score that a position allows with all cards open.

    `turn`, from 0, is the turn of the position, `seat` the seat to move. `low` is the score that `line`
    reaches, or the score before the turn if `line` is None. No line exceeds `high`. `nodes` is the number of
    searched positions. `why` is the reason why the score cannot be higher than `high`: `cards`, `time`,
    `hands` or `order`; it is empty at the maximum.
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
        """Return whether a score can be reached; None if this is open."""
        return True if score <= self.low else False if score > self.high else None


def check_covered(variant: Variant, rules: Rules, deck_known: int | None = None) -> None:
    """Raise `HanalyzeError` (rule `not_covered`) for variants, rules and decks that are not supported.

    `deck_known` is `GameRecord.deck_known`, None if all cards are known, as the solver requires.
    """
    kinds = {
        "decks that are only partly known": deck_known is not None,
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
    """A game that is being solved."""

    def __init__(self, game: Replay, seeker: Seeker) -> None:
        self.game = game
        self.seeker = seeker
        self.full = game.variant.max_score

    def best(self, turn: int, low: int, high: int, nodes: int | None = None) -> Best:
        """Return the best score of a position, known to be from `low` to `high`; see `Seeker.best`."""
        best = self.seeker.best(turn, low, high, nodes)
        options = self.game.record.options
        return Best(
            turn=turn,
            seat=(options.starting_player + turn) % len(self.game.record.players),
            low=best.low,
            high=best.high,
            line=Line(self.game, turn, best.actions, best.low) if best.actions else None,
            nodes=best.nodes,
            why=best.why,
        )


def solved(
    games: Iterable[Replay], budget: Budget, search: Callable[[Case], R], *, fast: bool | None = None
) -> Iterator[R]:
    """Yield the result of `search` for each game, in order and in bounded memory.

    `fast` selects compiled code; by default, it replaces interpreted code once it pays. Raises
    `HanalyzeError` (rule `not_covered`) for rules, variants and decks that the solver does not cover, and
    (rule `usage`) for an object that is not a replay.
    """
    may_compile = fast is None and can_compile()
    fast = bool(fast)
    start = start_up(ask) if may_compile else 0.0
    seconds = 0.0
    stream = iter(games)
    while chunk := list(itertools.islice(stream, _CHUNK)):
        for game in chunk:
            check_kind(game, Replay, "replay the game first, as in solve(replay(load(path)))")
            check_covered(game.variant, game.rules, game.record.deck_known)
        batch = make_batch([game.deal for game in chunk])
        table = Games.of(batch, fast=fast)
        for number, game in enumerate(chunk):
            begin = time.thread_time()
            patience = begin - seconds + start if may_compile and not fast else None
            try:
                result = search(Case(game, Seeker(table, number, budget, patience)))
            except WorthCompiling:
                fast = True
                table = Games.of(batch, fast=True)
                result = search(Case(game, Seeker(table, number, budget)))
            seconds += time.thread_time() - begin
            yield result


_PASSES: Final = (1_000, 20_000)
"""Limits of positions in the first two passes over the turns, so that easy turns are decided first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A move that lowered the best reachable score.

    `turn` counts from 0. `kind` is `discard`, `misplay`, `clue`, `play` or `end`. `before` and `after` are
    the best reachable scores before and after the move; if not `exact`, they are a lower and an upper bound.
    `cause` is one of `hanalyze.tables.solved.LOSS_CAUSES`. `line` contains moves that would have reached
    `before`.
    """

    turn: int
    seat: int
    player: str
    action: Action
    kind: str
    before: int
    after: int
    exact: bool
    cause: str
    line: Line | None = field(repr=False)

    @property
    def points(self) -> int:
        """The number of points lost, a lower bound unless `exact`."""
        return self.before - self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The best reachable scores of a game, and the moves that lowered them.

    `low` and `high` are bounds of the best reachable score before each turn, with a last entry for the end of
    the game; if they differ, the score is open. `score` is the score of the game, `full` the full score.
    `parts` contains the first and last turn of each part of the game that follows the rules. A new part
    begins after an action that breaks a rule; points that this action costs are not a loss. `losses` contains
    the moves that are known to have lost points. `line` reaches `low[0]` from the deal; it is None if the
    game itself does. `nodes` is the number of searched positions.
    """

    game: Replay = field(repr=False)
    low: tuple[int, ...]
    high: tuple[int, ...]
    score: int
    full: int
    parts: tuple[tuple[int, int], ...]
    losses: tuple[Loss, ...]
    line: Line | None = field(repr=False)
    nodes: int

    @property
    def decided(self) -> bool:
        """Whether the best score is known at every turn."""
        return self.low == self.high

    @property
    def best(self) -> int | None:
        """The best score of the deal; None if it is open."""
        return self.low[0] if self.low[0] == self.high[0] else None

    @property
    def first_loss(self) -> Loss | None:
        """The move that put the best score of the deal out of reach; None if there is none or it is open."""
        end = self.parts[0][1]
        return next((loss for loss in self.losses if loss.before == self.best and loss.turn < end), None)

    @property
    def open_points(self) -> int:
        """Upper limit of the points lost in addition to those of `losses`."""
        most = sum(self.high[first] - self.low[last] for first, last in self.parts)
        return most - sum(loss.points for loss in self.losses)


class _Curve:
    """Bounds of the best score before each turn, which the search narrows."""

    def __init__(self, case: Case) -> None:
        game = case.game
        self.case = case
        self.game = game
        last = game.turn_count
        self.end = case.seeker.look(last, case.full)
        self.low = [0] * (last + 1)
        self.high = [case.full] * (last + 1)
        self.best: dict[int, Best] = {}
        self.nodes = 0
        broken = sorted({one.turn for one in game.defects if one.turn is not None and one.turn < last})
        starts = [0, *(turn + 1 for turn in broken)]
        self.parts = [
            (start, following - 1) for start, following in zip(starts, [*starts[1:], last + 1], strict=True)
        ]
        for turn in range(starts[-1], last + 1):
            self.low[turn] = game.raw_score
        if self.end.over:
            self.low[last] = self.high[last] = game.score
        self.open_until = last - 1 if self.end.over else last  # the last turn before which the game goes on

    def part(self, turn: int) -> tuple[int, int]:
        """Return the first turn of the part that contains a turn, and its last turn up to `open_until`."""
        first, last = next((first, last) for first, last in self.parts if first <= turn <= last)
        return first, min(last, self.open_until)

    def find(self, turn: int, nodes: int) -> None:
        """Narrow the bounds of the best score before a turn.

        A lower bound also holds for earlier turns, an upper bound for later turns.
        """
        if self.low[turn] == self.high[turn]:
            return
        best = self.case.best(turn, self.low[turn], self.high[turn], nodes)
        self.nodes += best.nodes
        earlier = self.best.get(turn)
        if earlier is None or best.line is not None or earlier.line is None:
            self.best[turn] = best
        first, last = self.part(turn)
        for before in range(first, turn + 1):
            self.low[before] = max(self.low[before], best.low)
        for after in range(turn, last + 1):
            self.high[after] = min(self.high[after], best.high)

    def bisect(self, first: int, last: int, nodes: int) -> None:
        """Find the turns between `first` and `last` at which the best score falls."""
        waiting = [(first, last)]
        while waiting:
            first, last = waiting.pop()
            if last - first < 2 or self.low[last] == self.high[first]:
                continue
            middle = (first + last) // 2
            self.find(middle, nodes)
            waiting += [(first, middle), (middle, last)]


_KINDS: Final = {"ended": "end", "misplayed": "misplay", "clued": "clue"}
"""Kinds of losses by the result of the move; others are named like the action."""


def _losses(curve: _Curve) -> tuple[Loss, ...]:
    """Return the moves that are known to have lost points."""
    game = curve.game
    losses = []
    for row in game.facts():
        turn: int = row["turn"]
        before, after = curve.low[turn], curve.high[turn + 1]
        if before <= after or any(first == turn + 1 for first, _ in curve.parts):
            continue
        best = curve.best.get(turn)
        action = game.record.actions[turn]
        seat = row["seat"]
        if row["action"] == "end_game" and 0 <= action.target < len(game.record.players):
            seat = action.target
        losses.append(
            Loss(
                turn=turn,
                seat=seat,
                player=game.record.players[seat],
                action=action,
                kind=_KINDS.get(row["result"], row["action"]),
                before=before,
                after=after,
                exact=curve.high[turn] == before and after == curve.low[turn + 1],
                cause=_cause(curve, turn, before, row["action"]),
                line=best.line if best else None,
            )
        )
    return tuple(losses)


def _cause(curve: _Curve, turn: int, before: int, action: str) -> str:
    """Return which of `LOSS_CAUSES` put the score `before` out of reach on a turn."""
    if turn == curve.game.turn_count - 1:
        if action == "end_game":
            return "end"
        if curve.game.end_condition == EndCondition.STRIKEOUT.label:
            return "strikes"
    return curve.case.seeker.reason(turn + 1, before) or "order"


def _solution(case: Case) -> Solution:
    curve = _Curve(case)
    most = case.seeker.budget.nodes
    for nodes in sorted({most, *(limit for limit in _PASSES if limit < most)}):
        for start, _ in curve.parts:
            first_turn, last_turn = curve.part(start)
            if first_turn <= last_turn:
                curve.find(first_turn, nodes)
                curve.find(last_turn, nodes)
                curve.bisect(first_turn, last_turn, nodes)
    first = curve.best.get(0)
    return Solution(
        game=case.game,
        low=tuple(curve.low),
        high=tuple(curve.high),
        score=case.game.score,
        full=case.full,
        parts=tuple(curve.parts),
        losses=_losses(curve),
        line=first.line if first else None,
        nodes=curve.nodes,
    )


@overload
def solve(
    game: Replay,
    turn: None = None,
    *,
    nodes: int | None = ...,
    seconds: float | None = ...,
    fast: bool | None = ...,
) -> Solution: ...


@overload
def solve(
    game: Replay, turn: int, *, nodes: int | None = ..., seconds: float | None = ..., fast: bool | None = ...
) -> Best: ...


def solve(
    game: Replay,
    turn: int | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    fast: bool | None = None,
) -> Solution | Best:
    """Find the best score of a game with open cards, and the moves that lowered it.

    With `turn`, from 0 or negative from the end, return the best score before that turn as a `Best`. Without
    `turn`, return the best scores of all turns, with the moves that lost points, as a `Solution`. The search
    for each goal of each position is limited to `nodes` positions (default 1,000,000) and, if given,
    `seconds`. Without either limit, at most 10,000,000 positions are searched for the whole game (500,000 by
    interpreted code). An undecided score has a lower and an upper bound. Limits in nodes give the same answer
    every time; limits in seconds do not. `fast` selects compiled code; by default, it replaces interpreted
    code once it pays. Raises `HanalyzeError` with rule `not_covered` for rules, variants and decks that the
    solver does not cover, `no_such_turn`, or `usage` if `game` is not a replay.

    >>> import hanalyze as hz
    >>> deal = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    >>> best = solve(deal, turn=0, fast=False)
    >>> best.score, best.line.score, best.line.replay().score
    (25, 25, 25)
    """
    compiles = can_compile() if fast is None else fast
    limit = GAME_NODES if compiles else SLOW_GAME_NODES
    budget = Budget(nodes or NODES, seconds, limit if nodes is seconds is None else None)
    if turn is None:
        return next(solved([game], budget, _solution, fast=fast))
    [best] = solved(
        [game], budget, lambda case: case.best(case.game.turn_number(turn), 0, case.full), fast=fast
    )
    return best


def solve_many(
    games: Iterable[Replay],
    *,
    nodes: int = NODES,
    seconds: float | None = None,
    game_nodes: int | None = None,
    game_seconds: float | None = None,
    fast: bool | None = None,
) -> Iterator[Solution]:
    """Yield the `Solution` of each game, as `solve` does, in order and in bounded memory.

    `game_nodes` and `game_seconds` limit the positions and seconds for a whole game.

    >>> import hanalyze as hz
    >>> deals = (hz.GameRecord(players=("Alice", "Bob"), seed=f"p2v0s{number}") for number in (1, 2))
    >>> [solution.best for solution in solve_many(hz.replay_many(deals), fast=False)]
    [25, 25]
    """
    return solved(games, Budget(nodes, seconds, game_nodes, game_seconds), _solution, fast=fast)

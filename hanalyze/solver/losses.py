"""Where a game lost points: the best reachable score after every turn, and each move that lowered it.

The best score never rises during a game, so turns are bisected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, overload

from hanalyze.game.actions import Action
from hanalyze.game.rules import EndCondition
from hanalyze.kernels.compiling import can_compile
from hanalyze.replaying import Replay
from hanalyze.solver.search_plan import NODES, Budget
from hanalyze.solver.solving import Best, Case, Line, cases

_QUICK: Final = 20_000  # positions searched for a goal before other turns get their share


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A move that lowered the best reachable score.

    `turn`, from 0; `seat` and `player`; `action`; `kind`: `discard`, `misplay`, `clue`, `play` or `end`.
    `before` and `after`: the best reachable score; where it is not `exact`, at least `before` and at most
    `after`. `cause`: one of `hanalyze.tables.solved.LOSS_CAUSES`. `line`: moves that would have
    reached `before`.
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
        """Points lost, at least."""
        return self.before - self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The best reachable scores of a game, and where they fell.

    `low` and `high`: by turn, the best reachable score before it, the last one at the end; where they differ
    it is open. `score` is the game's own, `full` a perfect one. `parts`: the first and the last turn of what
    was played by the rules: one part, but after an action that breaks a rule another begins, and what that
    action changes counts as no loss. `losses` are the moves that are known to have lost points. `line`: one
    that reaches `low[0]` from the deal, None where the game itself does. `nodes`: positions that were looked
    at.
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
        """The move that put the best score of the deal out of reach; None if none did, or it is open."""
        end = self.parts[0][1]
        return next((loss for loss in self.losses if loss.before == self.best and loss.turn < end), None)

    @property
    def lost_between(self) -> tuple[int, int] | None:
        """The first and the last turn that may have put the best score of the deal out of reach.

        They are the same where the turn is known. None if no turn did, or the best score is open.
        """
        best = self.best
        end = self.parts[0][1] + 1
        if best is None or self.high[end - 1] == best:
            return None
        first = next(turn for turn, low in enumerate(self.low[:end]) if low < best)
        last = next(turn for turn, high in enumerate(self.high[:end]) if high < best)
        return first - 1, last - 1

    @property
    def open_points(self) -> int:
        """The most points that may have been lost at turns that are open."""
        most = sum(self.high[first] - self.low[last] for first, last in self.parts)
        return most - sum(loss.points for loss in self.losses)


class _Curve:
    """The best score before each turn, bounded step by step."""

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
        self.open_until = last - 1 if self.end.over else last
        """The last turn before which the game is not over."""

    def part(self, turn: int) -> tuple[int, int]:
        """Return the first and the last turn of the part of a turn, without a last one that is over."""
        first, last = next((first, last) for first, last in self.parts if first <= turn <= last)
        return first, min(last, self.open_until)

    def find(self, turn: int, nodes: int) -> None:
        """Bound the best score before a turn, and the others by it."""
        if self.low[turn] == self.high[turn]:
            return
        found = self.case.best(turn, self.low[turn], self.high[turn], nodes)
        self.nodes += found.nodes
        known = self.best.get(turn)
        if known is None or found.line is not None or known.line is None:
            self.best[turn] = found
        first, last = self.part(turn)
        for before in range(first, turn + 1):
            self.low[before] = max(self.low[before], found.low)
        for after in range(turn, last + 1):
            self.high[after] = min(self.high[after], found.high)

    def bisect(self, first: int, last: int, nodes: int) -> None:
        """Find the turns between two at which the best score falls."""
        waiting = [(first, last)]
        while waiting:
            first, last = waiting.pop()
            if last - first < 2 or self.low[last] == self.high[first]:
                continue
            middle = (first + last) // 2
            self.find(middle, nodes)
            waiting += [(first, middle), (middle, last)]


def _kind(game: Replay, action: str, result: str) -> str:
    if action == "end_game":
        return "end"
    return "misplay" if result == "misplayed" else "clue" if result == "clued" else action


def _losses(curve: _Curve) -> tuple[Loss, ...]:
    """Return the moves that are known to have lost points."""
    game = curve.game
    losses = []
    for row in game.facts():
        turn: int = row["turn"]
        before, after = curve.low[turn], curve.high[turn + 1]
        if before <= after:
            continue
        if any(first == turn + 1 for first, _ in curve.parts):
            continue
        found = curve.best.get(turn)
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
                kind=_kind(game, row["action"], row["result"]),
                before=before,
                after=after,
                exact=curve.high[turn] == before and after == curve.low[turn + 1],
                cause=_cause(curve, turn, before, row["action"]),
                line=found.line if found else None,
            )
        )
    return tuple(losses)


def _cause(curve: _Curve, turn: int, before: int, action: str) -> str:
    """Return the cause that put a score out of reach after a turn."""
    if turn == curve.game.turn_count - 1:
        if action == "end_game":
            return "end"
        if curve.game.end_condition == EndCondition.STRIKEOUT.label:
            return "strikes"
    return curve.case.seeker.reason(turn + 1, before) or "order"


def _solution(case: Case) -> Solution:
    curve = _Curve(case)
    for nodes in sorted({min(_QUICK, case.seeker.budget.nodes), case.seeker.budget.nodes}):
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
    game: Replay, turn: None = None, *, nodes: int = ..., seconds: float | None = ..., fast: bool | None = ...
) -> Solution: ...


@overload
def solve(
    game: Replay, turn: int, *, nodes: int = ..., seconds: float | None = ..., fast: bool | None = ...
) -> Best: ...


def solve(
    game: Replay,
    turn: int | None = None,
    *,
    nodes: int = NODES,
    seconds: float | None = None,
    fast: bool | None = None,
) -> Solution | Best:
    """Find the best score of a game with open cards, and where it was lost.

    With `turn`, from 0, negative from the end: the best score from before that turn, as `Best`. Without: that
    of every turn, with the moves that lost points, as `Solution`. Each goal of each position is looked for in
    at most `nodes` positions of the search and, if given, `seconds`; what stays open has a lowest and a
    highest score. Nodes give the same answer every time, seconds do not. `fast` chooses compiled code; by
    default it does what takes long, where it is installed. Raises `HanalyzeError`: rule `not_covered` for
    rules and variants that the solver does not play, `no_such_turn`.

    >>> from hanalyze.logs import GameRecord
    >>> from hanalyze.replaying import replay
    >>> deal = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    >>> best = solve(deal, turn=0, fast=False)
    >>> best.score, best.line.score, best.line.replay().score
    (25, 25, 25)
    """
    [case] = cases([game], Budget(nodes, seconds), fast=fast)
    if turn is None:
        return _solution(case)
    wanted = game.turn_number(turn)
    return case.best(wanted, 0, case.full)


def solve_many(
    games: Iterable[Replay],
    *,
    nodes: int = NODES,
    seconds: float | None = None,
    game_nodes: int | None = None,
    game_seconds: float | None = None,
    fast: bool | None = None,
) -> Iterator[Solution]:
    """Yield what `solve` gives for each game, in order and in bounded memory.

    `game_nodes` and `game_seconds` are the most positions and seconds for a whole game.
    By default compiled code does it all, where it is installed.

    >>> from hanalyze.logs import GameRecord
    >>> from hanalyze.replaying import replay_many
    >>> deals = (GameRecord(players=("Alice", "Bob"), seed=f"p2v0s{number}") for number in (1, 2))
    >>> [solution.best for solution in solve_many(replay_many(deals), fast=False)]
    [25, 25]
    """
    fast = can_compile() if fast is None else fast
    return map(_solution, cases(games, Budget(nodes, seconds, game_nodes, game_seconds), fast=fast))

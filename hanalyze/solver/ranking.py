"""Ranks the legal moves of a turn by the best score that they leave, with open cards or for one player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, overload

from hanalyze.game.actions import Action
from hanalyze.replaying import Replay
from hanalyze.solver.lines import legal_actions, likeness
from hanalyze.solver.one_player import MoveChance, Sampling, move_chances
from hanalyze.solver.search_plan import Budget
from hanalyze.solver.solving import Case, solved

_NODES: Final = 100_000  # maximum positions searched per goal; low, because a turn has many moves
_NODES_SAMPLED: Final = 20_000  # the same with many sampled deals
_SAMPLING: Final = Sampling()


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A legal action and the best score after it: between `low` and `high`, open if they differ."""

    action: Action
    low: int
    high: int


@overload
def rank_moves(
    game: Replay,
    turn: int,
    *,
    seat: None = None,
    nodes: int | None = ...,
    seconds: float | None = ...,
    fast: bool | None = ...,
) -> list[RankedMove]: ...


@overload
def rank_moves(
    game: Replay,
    turn: int,
    *,
    seat: int,
    sampling: Sampling = ...,
    nodes: int | None = ...,
    seconds: float | None = ...,
    fast: bool | None = ...,
) -> list[MoveChance]: ...


def rank_moves(
    game: Replay,
    turn: int,
    *,
    seat: int | None = None,
    sampling: Sampling = _SAMPLING,
    nodes: int | None = None,
    seconds: float | None = None,
    fast: bool | None = None,
) -> list[RankedMove] | list[MoveChance]:
    """Return the legal actions of a turn, ranked by the best score that each leaves with open cards.

    `turn` counts from 0, or from the end if negative. The best actions come first; ties are in the order
    plays (newest card first), discards, clues. The list is empty if the game is over.

    With `seat`, the actions are evaluated from the view of that player, who need not be the player to move.
    The player's hand and the deck are then sampled from the deals that fit the player's knowledge. Each
    action is a `MoveChance`: how often it keeps the best score, and the mean score that it leaves. `nodes`,
    `seconds`, `fast` and the errors are those of `solve`, but `nodes` is by default 100,000, or 20,000 with
    `seat`. With `seat`, the errors of `move_chances` are added.

    >>> import hanalyze as hz
    >>> game = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    >>> moves = rank_moves(game, 0, fast=False)
    >>> moves[0].low, len(moves) > 10
    (25, True)
    >>> chances = rank_moves(game, 0, seat=0, sampling=Sampling(2), fast=False)
    >>> chances[0].deals, chances[0].keeps, len(chances) == len(moves)
    (2, 1.0, True)
    """
    if seat is not None:
        budget = Budget(_NODES_SAMPLED if nodes is None else nodes, seconds)
        return move_chances(game, turn, seat, sampling, budget, fast=fast)
    turn = game.turn_number(turn)
    state = next(state for number, state in game.states(turn) if number == turn)
    if state.end_condition:
        return []
    actions = legal_actions(state)
    kinds = [likeness(state, action, state.identity) for action in actions]
    first = dict(zip(reversed(kinds), reversed(actions), strict=True))
    before = game.record.actions[:turn]
    after = [game.with_actions([*before, action]) for action in first.values()]

    def score(case: Case) -> tuple[int, int]:
        best = case.best(turn + 1, 0, case.full)
        over = case.game.end_condition != "unfinished"
        return (case.game.score, case.game.score) if over else (best.low, best.high)

    budget = Budget(_NODES if nodes is None else nodes, seconds)
    scores = dict(zip(first, solved(after, budget, score, fast=fast), strict=True))
    moves = [RankedMove(action, *scores[alike]) for action, alike in zip(actions, kinds, strict=True)]
    return sorted(moves, key=lambda move: (-move.low, -move.high))

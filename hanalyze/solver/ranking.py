"""Ranks the legal moves of a turn by the best score they leave, with open cards or for one player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, overload

from hanalyze.game.actions import Action
from hanalyze.replaying import Replay
from hanalyze.solver.lines import legal_actions, likeness
from hanalyze.solver.one_player import MoveChance, Sampling, move_chances
from hanalyze.solver.search_plan import Budget
from hanalyze.solver.solving import cases

_NODES: Final = 100_000  # positions to look at for a goal: there are many moves
_NODES_SAMPLED: Final = 20_000  # as many where there are many deals, too
_SAMPLING: Final = Sampling()


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A legal action, and the best score after it: between `low` and `high`, open where they differ."""

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
    """Return the legal actions of a turn, from 0, by the best score that each leaves with all cards open.

    The best come first, then in the order of plays (newest card first), discards, clues. With `seat` they are
    weighed as that player could, who may be another one than the one to move: the own hand and the deck are
    sampled from all that fit what the player knows, as `sampling` says, and each action comes as a
    `MoveChance`: how often it keeps the best score, and the mean it leaves. `nodes`, by default 100,000 or,
    with `seat`, 20,000, `seconds` and `fast` are those of `solve`, and so are the errors; with `seat` also
    rule `no_such_seat` and `bad_samples`. A game that is over has no moves.

    >>> from hanalyze.logs import GameRecord
    >>> from hanalyze.replaying import replay
    >>> game = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
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
    scores = {}
    budget = Budget(_NODES if nodes is None else nodes, seconds)
    for alike, case in zip(first, cases(after, budget, fast=fast), strict=True):
        best = case.best(turn + 1, 0, case.full)
        over = case.game.end_condition != "unfinished"
        scores[alike] = (case.game.score, case.game.score) if over else (best.low, best.high)
    moves = [RankedMove(action, *scores[alike]) for action, alike in zip(actions, kinds, strict=True)]
    return sorted(moves, key=lambda move: (-move.low, -move.high))

"""Every legal move of a turn by the best score that it leaves, all cards open.

In: a replayed game and a turn. Out: the moves, the best first. Two that differ only in what is hidden (which
of two equal cards, which clue) leave the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hanalyze.engine.game import ALTERNATING, Game
from hanalyze.engine.step import find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.replaying import Replay
from hanalyze.solver.seeking import Budget
from hanalyze.solver.solving import cases

__all__ = ["RankedMove", "rank_moves"]

_NODES: Final = 100_000
"""Positions to look at for a goal: there are many moves."""


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A legal action, and the best score after it: between `low` and `high`, open where they differ."""

    action: Action
    low: int
    high: int


def _legal_actions(game: Game) -> list[Action]:
    """Return the actions that break no rule."""
    hand = [int(game.hands[game.seat][i]) for i in range(game.hand_len[game.seat])]
    wanted = [Action(kind, order, 0) for kind in (PLAY, DISCARD) for order in reversed(hand)]
    for seat in range(game.seats):
        wanted += [Action(COLOUR_CLUE, seat, colour) for colour in range(game.variant.colours)]
        wanted += [Action(RANK_CLUE, seat, rank) for rank in range(1, RANK_SLOTS)]
    return [action for action in wanted if find_defect(game, *action) == 0]


def _likeness(game: Game, action: Action) -> tuple[int, int]:
    """Return what tells an action from those that leave the same."""
    if action.kind in (PLAY, DISCARD):
        return action.kind, game.identity[action.target]
    return (action.kind if game.variant.flags & ALTERNATING else COLOUR_CLUE), -1


def rank_moves(
    game: Replay, turn: int, *, nodes: int = _NODES, seconds: float | None = None, fast: bool | None = None
) -> list[RankedMove]:
    """Return the legal actions of a turn, from 0, by the best score that each leaves with all cards open.

    The best come first, then in the order of plays (newest card first), discards, clues. `nodes`, `seconds`
    and `fast` are those of `solve`, and so are the errors. A game that is over has no moves.

    >>> from hanalyze.logs import GameRecord
    >>> from hanalyze.replaying import replay
    >>> moves = rank_moves(replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")), 0, fast=False)
    >>> moves[0].low, len(moves) > 10
    (25, True)
    """
    turn = game.turn_number(turn)
    state = next(state for number, state in game.states(turn) if number == turn)
    if state.end_condition:
        return []
    actions = _legal_actions(state)
    likeness = [_likeness(state, action) for action in actions]
    first = dict(zip(reversed(likeness), reversed(actions), strict=True))
    before = game.record.actions[:turn]
    after = [game.with_actions([*before, action]) for action in first.values()]
    found = {}
    for alike, case in zip(first, cases(after, Budget(nodes, seconds), fast=fast), strict=True):
        best = case.best(turn + 1, 0, case.full)
        over = case.game.end_condition != "unfinished"
        found[alike] = (case.game.score, case.game.score) if over else (best.low, best.high)
    moves = [RankedMove(action, *found[alike]) for action, alike in zip(actions, likeness, strict=True)]
    return sorted(moves, key=lambda move: (-move.low, -move.high))

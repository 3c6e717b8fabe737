"""What a game still allowed with all cards open, as its page shows it: hindsight, kept apart from the rest.

In: a `Replay`. Out: the best reachable score before every turn, one line of what came of it, and for each
move that lowered it what was lost, why, and a line of moves that would have reached more, as `line_steps`
has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hanalyze.errors import HanalyzeError
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.positions import line_steps
from hanalyze.report.game.sentence_parts import Part, Parts, card, seat, strong, turn
from hanalyze.report.names import Names
from hanalyze.solver.losses import Loss, Solution, solve
from hanalyze.tables.solved import LOSS_CAUSES
from hanalyze.text import plural

if TYPE_CHECKING:
    from hanalyze.replaying import Replay

NODES: Final = 8_000
"""Positions to look at for a score, so that no page waits for long: nearly all games are decided by it."""


def solved(replay: Replay, names: Names) -> Row:
    """Return `low` and `high`, the best reachable score by turn, `said`, parts, and `losses` by turn.

    Of a game that the solver does not cover there is only what `said` says of that.
    """
    try:
        solution = solve(replay, nodes=NODES, fast=False)
    except HanalyzeError as error:
        if error.rule != "not_covered":
            raise
        said = f"The best reachable score is not known: {error.message}."
        return {"low": [], "high": [], "said": [said], "losses": {}}
    return {
        "low": list(solution.low),
        "high": list(solution.high),
        "said": _said(solution),
        "losses": {loss.turn: _loss(solution, loss, names) for loss in solution.losses},
    }


def kept_back(solution: Solution) -> str:
    """Say what the solver has left open; empty if nothing.

    >>> from hanalyze.logs import GameRecord
    >>> from hanalyze.replaying import replay
    >>> kept_back(solve(replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")), fast=False))
    ''
    """
    if solution.best is None:
        return f"the solver left open whether {solution.low[0]} or up to {solution.high[0]} could be reached"
    if solution.open_points:
        most = plural(solution.open_points, "point")
        return f"the solver left open where up to {most} went"
    return ""


def _said(solution: Solution) -> Parts:
    """Say in a line what the deal allowed, and which move put it out of reach."""
    left = kept_back(solution)
    if solution.best is None:
        return [f"With all cards open: {left}."]
    parts: Parts = [f"With all cards open, the most that this deal allowed was {solution.best}"]
    first = solution.first_loss
    if first is not None:
        parts += ["; it was lost on ", turn(first.turn), " by ", seat(first.seat)]
        parts += [" (", *_deed(solution, first), ")"]
    elif solution.score == solution.best:
        parts.append(", which the game reached")
    elif solution.low[-1] == solution.best:
        parts.append(", still in reach where the game stopped")
    return [*parts, f"; {left}." if left else "."]


def _deed(solution: Solution, loss: Loss) -> Parts:
    """Return a move as a noun."""
    if loss.kind == "end":
        return ["ending the game"]
    if loss.kind == "clue":
        return ["a clue to ", seat(loss.action.target)]
    return [f"the {loss.kind} of ", _card(solution, loss.action.target)]


def _card(solution: Solution, order: int) -> Part:
    return card(solution.game.deck[order], [order])


def _loss(solution: Solution, loss: Loss, names: Names) -> Row:
    """Return a move that lost points: what was lost by what, and how more would have been reached."""
    text: Parts = [
        strong(("" if loss.exact else "at least ") + plural(loss.points, "point"), " lost"),
        " by ",
        *_deed(solution, loss),
        f": {LOSS_CAUSES[loss.cause]}. After this move {loss.after} was the most this deal still allowed.",
    ]
    line = loss.line
    return {"text": text, "goal": loss.before, "line": [] if line is None else line_steps(line, names)}

"""The best reachable score with all cards open, and the moves that lowered it."""

from __future__ import annotations

from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.positions import Names, line_steps
from hanalyze.report.game.sentence_parts import Part, Parts, card, seat, strong, turn
from hanalyze.solver.solving import Loss, Solution, solve_many
from hanalyze.tables.solved import LOSS_CAUSES
from hanalyze.text import plural

NODES: Final = 8_000
"""Maximum number of positions searched for each score; enough for nearly all games within a short time."""
GAME_NODES: Final = 60_000
"""The same for all scores of a game together."""


def solved(replay: Replay, names: Names) -> Row:
    """Return bounds of the best reachable score by turn, a summary, and the moves that lost points."""
    solution, sentence = solution_of(replay)
    if solution is None:
        return {"low": [], "high": [], "sentence": sentence, "losses": {}}
    return {
        "low": list(solution.low),
        "high": list(solution.high),
        "sentence": sentence,
        "losses": {loss.turn: _loss(solution, loss, names) for loss in solution.losses},
    }


def solution_of(replay: Replay) -> tuple[Solution | None, Parts]:
    """Return the solution of a game and a summary; no solution (None) if the solver does not cover it."""
    try:
        [solution] = solve_many([replay], nodes=NODES, game_nodes=GAME_NODES, fast=False)
    except HanalyzeError as error:
        if error.rule != "not_covered":
            raise
        return None, [f"The best reachable score is not known: {error.message}."]
    return solution, _summary(solution)


def _open_question(solution: Solution) -> str:
    """Return a text on what the solver could not decide; "" if it decided everything."""
    if solution.best is None:
        return f"the solver left open whether {solution.low[0]} or up to {solution.high[0]} could be reached"
    if solution.open_points:
        most = plural(solution.open_points, "point")
        return f"the solver left open where up to {most} went"
    return ""


def _summary(solution: Solution) -> Parts:
    """Return a sentence on the best score of the deal and the first move that made it unreachable."""
    left = _open_question(solution)
    if solution.best is None:
        return [f"With all cards open: {left}."]
    parts: Parts = [f"With all cards open, the most that this deal allowed was {solution.best}"]
    first = solution.first_loss
    if first is not None:
        parts += ["; it was lost on ", turn(first.turn), " by ", seat(first.seat)]
        parts += [" (", *_move_noun(solution, first), ")"]
    elif solution.score == solution.best:
        parts.append(", which the game reached")
    elif solution.low[-1] == solution.best:
        parts.append(", still in reach where the game stopped")
    return [*parts, f"; {left}." if left else "."]


def _move_noun(solution: Solution, loss: Loss) -> Parts:
    if loss.kind == "end":
        return ["ending the game"]
    if loss.kind == "clue":
        return ["a clue to ", seat(loss.action.target)]
    return [f"the {loss.kind} of ", _card(solution, loss.action.target)]


def _card(solution: Solution, order: int) -> Part:
    return card(solution.game.deck[order], [order])


def _loss(solution: Solution, loss: Loss, names: Names) -> Row:
    """Return a move that lost points: text with points and cause, best score before it, and a better line."""
    text: Parts = [
        strong(
            "With all cards open, ", "" if loss.exact else "at least ", plural(loss.points, "point"), " lost"
        ),
        " by ",
        *_move_noun(solution, loss),
        f": {LOSS_CAUSES[loss.cause]}. After this move {loss.after} was the most this deal still allowed.",
    ]
    line = loss.line
    return {"text": text, "goal": loss.before, "line": [] if line is None else line_steps(line, names)}

"""Summary of a game: a headline, a row of numbers per player, and the best score with all cards open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from hanalyze.conventions.classes import BLIND_CALLS, is_any
from hanalyze.conventions.run import Output
from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import EndCondition
from hanalyze.game.meanings import Convention, OutcomeKind
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.positions import Names, line_steps
from hanalyze.report.game.sentence_parts import Parts, card, seat, strong, turn
from hanalyze.solver.solving import Loss, Solution, solve_many
from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import BLAMELESS
from hanalyze.tables.solved import LOSS_CAUSES
from hanalyze.text import plural
from hanalyze.words import listed

Rows: TypeAlias = Sequence[Mapping[str, Any]]
Meaning: TypeAlias = tuple[int, int, int, bool, int]
"""Turn, seat, convention, whether it is legal, and outcome of the main meaning of a move."""

_MOST: Final = 3
"""Maximum number of kinds of mistakes in the headline."""


class PlayerSummary(NamedTuple):
    """A player's actions in numbers: successful plays, turns with blame (`mistakes`), points lost on them."""

    player: str
    plays: int
    strikes: int
    points: int
    mistakes: int
    finesses: int
    blind_plays: int


TITLES: Final = ("player", "plays", "strikes", "points lost", "mistakes", "finesses", "blind plays")
"""Titles of the columns of `PlayerSummary`. Finesses include bluffs and signals; only successes count."""


def points_of(replay: Replay) -> dict[str, Any]:
    """Return the points of a game and how it ended: the fields that `headline` needs."""
    names = ("score", "raw_score", "max_score", "end_condition")
    return {"full_score": replay.variant.max_score, **{name: getattr(replay, name) for name in names}}


def headline(game: Mapping[str, Any], mistakes: Rows, kinds: Mapping[str, Definition]) -> str:
    """Return the score and where all other points went; the parts add up to the full score.

    `game` has `full_score`, `score`, `raw_score`, `max_score` and `end_condition`, as in `games`.
    """
    full, score = game["full_score"], game["score"]
    # A strikeout also forfeits the points that were still possible.
    kept = game["max_score" if game["end_condition"] == EndCondition.STRIKEOUT.label else "raw_score"]
    charged: dict[str, tuple[int, list[int]]] = {}
    for row in mistakes:
        if row["points"] and row["severity"] not in BLAMELESS:
            points, turns = charged.setdefault(row["kind"], (0, []))
            charged[row["kind"]] = points + row["points"], [*turns, row["turn"]]
    worst = sorted(charged.items(), key=lambda item: (-item[1][0], item[1][1]))
    parts = [
        f"{kinds[kind].noun.lower()} on {turns_in_words(turns)} ({plural(points, 'point')})"
        for kind, (points, turns) in worst[:_MOST]
    ]
    lost = sum(row["points"] for row in mistakes)
    blameless = lost - sum(points for points, _ in charged.values())
    others = sum(points for _, (points, _) in worst[_MOST:])
    rest = {
        "lost by other mistakes": others,
        "lost without a mistake": blameless,
        "forfeited": kept - score,
        "left unplayed": full - kept - lost,
    }
    parts += [f"{plural(number, 'point')} {word}" for word, number in rest.items() if number]
    return f"{score} of {full}" + (f": {', '.join(parts)}." if parts else ".")


def turns_in_words(turns: Sequence[int]) -> str:
    """Return turns, which count from 0, as a text that counts them from 1.

    >>> turns_in_words([15, 21])
    'turns 16 and 22'
    """
    return f"turn{'s' if len(turns) > 1 else ''} {''.join(listed([str(turn + 1) for turn in turns]))}"


def meanings_of(read: Output | None) -> list[Meaning]:
    """Return the main meanings of the moves of one game, from its reading by the conventions."""
    if read is None:
        return []
    columns = [*(read.findings[name] for name in ("turn", "seat", "convention", "legal"))]
    columns.append(read.outcomes["outcome"])
    main = read.findings["number"] == 0
    return list(zip(*(column[main].tolist() for column in columns), strict=True))


def player_rows(
    players: Sequence[str], decisions: Rows, mistakes: Rows, meanings: Iterable[Meaning]
) -> list[PlayerSummary]:
    """Return a row per player, by seat."""
    results_by_turn = {row["turn"]: row["result"] for row in decisions}
    legal = [one for one in meanings if one[3]]
    rows = []
    for number, name in enumerate(players):
        results = [row["result"] for row in decisions if row["seat"] == number]
        blamed = [row for row in mistakes if row["seat"] == number and row["severity"] not in BLAMELESS]
        rows.append(
            PlayerSummary(
                player=name,
                plays=results.count("played"),
                strikes=results.count("misplayed"),
                points=sum(row["points"] for row in blamed),
                mistakes=len({row["turn"] for row in blamed}),
                finesses=sum(
                    seat == number and is_any(convention, BLIND_CALLS) and outcome == OutcomeKind.SUCCESS
                    for _, seat, convention, _, outcome in legal
                ),
                blind_plays=sum(
                    seat == number
                    and convention == Convention.BLIND_PLAY
                    and results_by_turn[turn] == "played"
                    for turn, seat, convention, _, _ in legal
                ),
            )
        )
    return rows


# --- the best score with all cards open ---------------------------------------------------------------------

NODES: Final = 8_000
"""Maximum number of positions searched for each score."""
GAME_NODES: Final = 60_000
"""The maximum for all scores of a game together."""


def solved(replay: Replay, names: Names, *, fast: bool = False) -> Row:
    """Return the bounds of the best reachable score by turn, the moves that lost points, and a summary."""
    solution, sentence = solution_of(replay, fast=fast)
    if solution is None:
        return {"low": [], "high": [], "sentence": sentence, "losses": {}}
    return {
        "low": list(solution.low),
        "high": list(solution.high),
        "sentence": sentence,
        "losses": {loss.turn: _loss(solution, loss, names) for loss in solution.losses},
    }


def solution_of(replay: Replay, *, fast: bool = False) -> tuple[Solution | None, Parts]:
    """Return the solution of a game and a summary; no solution (None) if the solver does not cover it."""
    try:
        [solution] = solve_many([replay], nodes=NODES, game_nodes=GAME_NODES, fast=fast)
    except HanalyzeError as error:
        if error.rule != "not_covered":
            raise
        return None, [f"The best reachable score is not known: {error.message}."]
    return solution, _summary(solution)


def _summary(solution: Solution) -> Parts:
    """Return a sentence on the best score of the deal and the first move that made it unreachable."""
    if solution.best is None:
        bounds = f"between {solution.low[0]} and {solution.high[0]}"
        return [f"With all cards open, the best score is {bounds}; the search stopped early."]
    parts: Parts = [f"With all cards open, the most that this deal allowed was {solution.best}"]
    first = solution.first_loss
    if first is not None:
        is_players = first.kind != "end" or 0 <= first.action.target < len(solution.game.record.players)
        parts += ["; it was lost on ", turn(first.turn), *([" by ", seat(first.seat)] if is_players else [])]
        parts += [" (", *_move_noun(solution, first), ")"]
    elif solution.score == solution.best:
        parts.append(", which the game reached")
    elif solution.low[-1] == solution.best:
        parts.append(", still in reach where the game stopped")
    if not solution.open_points:
        return [*parts, "."]
    most = plural(solution.open_points, "lost point")
    return [*parts, f"; up to {most} could not be traced to a move."]


def _move_noun(solution: Solution, loss: Loss) -> Parts:
    if loss.kind == "end":
        return ["ending the game"]
    if loss.kind == "clue":
        return ["a clue to ", seat(loss.action.target)]
    order = loss.action.target
    return [f"the {loss.kind} of ", card(solution.game.deck[order], [order])]


def _loss(solution: Solution, loss: Loss, names: Names) -> Row:
    """Return a move that lost points: text with points and cause, best score before it, and a better line."""
    text: Parts = [
        strong(
            "With all cards open, ", "" if loss.exact else "at least ", plural(loss.points, "point"), " lost"
        ),
        " by ",
        *_move_noun(solution, loss),
        f": {LOSS_CAUSES[loss.cause]}. After this move, {loss.after} was the best score still possible.",
    ]
    line = loss.line
    return {"text": text, "goal": loss.before, "line": [] if line is None else line_steps(line, names)}

"""Answers of `hanalyze solve`: values for JSON, and lines for people."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hanalyze.cli.game_text import title
from hanalyze.cli.screen import Line as Text, Words, attributes
from hanalyze.game.actions import Action, ActionKind
from hanalyze.replaying import Replay
from hanalyze.solver.ranking import MoveChance, Sampling, rank_moves
from hanalyze.solver.solving import Best, Line, Loss, Solution, solve
from hanalyze.tables.solved import LOSS_CAUSES
from hanalyze.text import plural

_REASONS: Final = {
    "cards": "the last copy of a needed card is gone",
    "time": "the deck leaves too few turns",
    "hands": "the hands cannot hold every needed card",
    "order": "no line works with this order of the cards",
}

Settings = dict[str, Any]  # keyword arguments of the solver: `nodes`, `seconds`, `fast`


class Answer(NamedTuple):
    """Answer about a game: `value` is for JSON, and `lines` returns the printed lines."""

    value: dict[str, Any]
    lines: Callable[[], list[Text]]


def best_score(replay: Replay, turn: int, settings: Settings) -> Answer:
    """Return the best score from the position before a turn (from 0), and a line of moves to it."""
    best = solve(replay, turn, **settings)
    value = {"game": replay.record.name, **attributes(best, "turn seat low high")}
    value |= {"why": best.why or None, "nodes": best.nodes, "line": _actions(best.line)}
    return Answer(value, lambda: _best_lines(replay, best))


def best_scores(replay: Replay, settings: Settings) -> Answer:
    """Return the best score of a game with open cards, and the moves that lost points."""
    solution = solve(replay, **settings)
    names = "turn seat player kind before after exact cause"
    losses = [{**attributes(loss, names), "line": _actions(loss.line)} for loss in solution.losses]
    value = {"game": replay.record.name, **attributes(solution, "score full low high nodes")}
    value["losses"] = losses
    return Answer(value, lambda: _solution_lines(solution))


def ranked_moves(replay: Replay, turn: int, settings: Settings) -> Answer:
    """Return the best score that remains after each legal move of a turn (from 0), best moves first."""
    ranked = rank_moves(replay, turn, **settings)
    moves = [attributes(move, "action low high") for move in ranked]

    def lines() -> list[Text]:
        words = _words(replay)
        head = f"moves of turn {turn + 1} by the best score each leaves with all cards open"
        rows: list[Text] = []
        for one in ranked:
            row = _row_of(replay, turn, one.action)
            score = f"{_range(one.low, one.high):>8}  {words.actor(row, one.action)} "
            rows.append([(score, ""), *words.action(row, one.action)])
        return [_heading(replay), [(head if rows else _over(turn), "bold")], *rows]

    return Answer({"game": replay.record.name, "turn": turn, "moves": moves}, lines)


def chances_of_moves(replay: Replay, turn: int, seat: int, sampling: Sampling, settings: Settings) -> Answer:
    """Return how often each legal move of a turn keeps the best score, over deals that fit what `seat` knows.

    Turns and seats count from 0.
    """
    chances = rank_moves(replay, turn, seat=seat, sampling=sampling, **settings)
    names = "keeps keeps_error expected expected_error deals"
    most = max(chances, key=lambda one: one.deals, default=None)
    value: dict[str, Any] = {"game": replay.record.name, "turn": turn, "seat": seat, "seed": sampling.seed}
    value |= attributes(most, "deals open") if most else {"deals": 0, "open": 0}
    value["moves"] = [
        {"action": one.action, **(attributes(one, names) if one.deals else dict.fromkeys(names.split()))}
        for one in chances
    ]

    def lines() -> list[Text]:
        words = _words(replay)
        mover = replay.state(turn).seat
        whose = "moves of" if mover == seat else f"moves of {words.players[mover]} on"
        head = f"{whose} turn {turn + 1} by how often each keeps the best score, as far as"
        head = f"{head} {words.players[seat]} can know" if chances else _over(turn)
        texts: list[Text] = [title(replay.record), [(head, "bold")]]
        if chances and chances[0].deals:
            texts.append([("  keeps        mean score", "dim")])
            texts += [_chance_line(replay, turn, words, seat, mover, move) for move in chances]
        if most is not None:
            texts.append([(_sample_note(most, sampling), "dim")])
        return texts

    return Answer(value, lines)


def _over(turn: int) -> str:
    return f"the game was over before turn {turn + 1}: there is no move to rank"


def _words(replay: Replay) -> Words:
    return Words(replay.variant, replay.suit_names, replay.record.players)


def _actions(line: Line | None) -> tuple[Action, ...] | None:
    return None if line is None else line.actions


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _heading(replay: Replay) -> Text:
    return [*title(replay.record), (f": {replay.variant.name}, {len(replay.record.players)} players", "")]


def _row_of(replay: Replay, turn: int, action: Action) -> dict[str, Any]:
    """Return the facts that a turn would have if this action replaced the recorded one."""
    after = replay.with_actions([*replay.record.actions[:turn], action])
    return list(after.facts())[turn]


def _best_lines(replay: Replay, best: Best) -> list[Text]:
    full = replay.variant.max_score
    text = f"best score from before turn {best.turn + 1} with all cards open: {_range(best.low, best.high)}"
    text += f" of {full}"
    if best.high < full and best.why:
        text += f"; {best.high + 1} is out of reach: {_REASONS[best.why]}"
    lines: list[Text] = [_heading(replay), [(text, "")]]
    if best.score is None:
        searched = plural(best.nodes, "position")
        lines.append([(f"open: no proof in {searched}; try more --nodes", "yellow")])
    return lines + _line_lines(best.line, _words(replay))


def _solution_lines(solution: Solution) -> list[Text]:
    words = _words(solution.game)
    text = f"score {solution.score} of {solution.full}; best score of the deal with all cards open: "
    lines: list[Text] = [_heading(solution.game), [(text + _range(solution.low[0], solution.high[0]), "")]]
    if not solution.losses and not solution.open_points:
        lines.append([("no points were lost", "")])
    rows = {row["turn"]: row for row in solution.game.facts()}
    lines += [_loss_line(loss, rows[loss.turn], words) for loss in solution.losses]
    if solution.open_points:
        points, searched = plural(solution.open_points, "lost point"), plural(solution.nodes, "position")
        text = f"open: up to {points} not assigned to a move (searched {searched}); try more --nodes"
        lines.append([(text, "yellow")])
    first = solution.first_loss
    return lines + _line_lines(first.line if first else None, words)


def _loss_line(loss: Loss, row: dict[str, Any], words: Words) -> Text:
    lost_points = f"{plural(loss.points, 'point')} lost, {loss.after} left"
    if not loss.exact:
        lost_points = f"at least {plural(loss.points, 'point')} lost, at most {loss.after} left"
    return [
        (f"turn {loss.turn + 1}: ", "bold"),
        (f"{words.actor(row, loss.action)} ", ""),
        *words.action(row, loss.action),
        (f": {lost_points}; {LOSS_CAUSES[loss.cause]}", ""),
    ]


def _line_lines(line: Line | None, words: Words) -> list[Text]:
    """Return the printed lines of a line of moves, one per turn."""
    if line is None:
        return []
    played = line.replay()
    lines: list[Text] = [[], [(f"a line to {line.score} points from turn {line.turn + 1} on", "bold")]]
    for row in itertools.islice(played.facts(), line.turn, None):
        action = played.record.actions[row["turn"]]
        actor = [(f"{row['turn'] + 1:>4}  ", "dim"), (f"{words.actor(row, action)} ", "")]
        lines.append([*actor, *words.action(row, action), (f"  {row['score_after']}", "dim")])
    return lines


def _chance_line(replay: Replay, turn: int, words: Words, seat: int, mover: int, one: MoveChance) -> Text:
    """Return an action and its chances; cards that the player does not know are not named."""
    share = f"{100 * one.keeps:>5.0f}% ± {100 * one.keeps_error:<4.1f}"
    points = f"{one.expected:>6.2f} ± {one.expected_error:.2f}"
    action = one.action
    row = _row_of(replay, turn, action)
    parts = words.action(row, action)
    if action.kind in (ActionKind.PLAY, ActionKind.DISCARD):
        if seat == mover:
            parts = [(f"{row['action']}s slot {row['slot']}", "")]
    elif action.target == seat:
        parts = parts[:-1]  # without the slots that the clue touches
    return [(f"{share} {points}   {words.players[mover]} ", ""), *parts]


def _sample_note(one: MoveChance, sampling: Sampling) -> str:
    text = f"over {plural(one.deals, 'deal')} that fit what is known (seed {sampling.seed}); ± standard error"
    if one.open:
        text += f"; {plural(one.open, 'more was', 'more were')} left open and not counted: try more --nodes"
    return text

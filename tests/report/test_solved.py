"""Hindsight on the page of a game: the curve, the losses with their lines, what is said without them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hanalyze.game.actions import Action
from hanalyze.logs import load
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay, replay
from hanalyze.report.game import summary
from hanalyze.report.game.game_view import game_view
from hanalyze.report.game.positions import Names, position_row
from hanalyze.report.game.summary import solved
from hanalyze.solver.solving import solve
from tests.building import game
from tests.report.test_verdicts import text

SAMPLE = Path(__file__).parents[2] / "sample_logs/game.json"


def said(played: Replay) -> str:
    """Return what is said of a game in a line."""
    names = Names(played)
    view = {"players": names.players, "suits": names.suit_values(), "clues": names.clue_values()}
    return text(solved(played, names)["sentence"], view)


def test_the_sample_game() -> None:
    """Cathy threw away the only blue 5 on turn 18, so 24 was the most from then on."""
    played = replay(load(SAMPLE))
    view = game_view(played)
    found = view["solved"]
    assert found["low"] == found["high"]
    assert found["low"][:18] == [25] * 18
    assert found["low"][18] == 24
    assert (len(found["low"]), found["low"][-1]) == (len(view["turns"]), played.score)
    assert text(found["sentence"], view) == (
        "With all cards open, the most that this deal allowed was 25;"
        " it was lost on turn 18 by Cathy (the discard of B5)."
    )
    loss = found["losses"][17]
    assert text(loss["text"], view) == (
        "With all cards open, 1 point lost by the discard of B5: the last copy of a needed card was gone."
        " After this move, 24 was the best score still possible."
    )
    assert sum(found["low"][turn] - found["low"][turn + 1] for turn in found["losses"]) == 25 - played.score


def test_a_line_is_what_its_moves_come_to() -> None:
    """Every move's score is that of the stacks, counted by hand, and the last is the goal."""
    played = replay(load(SAMPLE))
    view = game_view(played)
    for turn, loss in view["solved"]["losses"].items():
        stacks = [len(stack) for stack in view["turns"][turn]["stacks"]]
        score = sum(stacks)
        for action, change in loss["line"]:
            if action["kind"] == "play":
                suit, rank = view["deck"][action["order"]]
                assert rank == stacks[suit] + 1
                stacks[suit] = rank
            score = change.get("score", score)
            assert score == sum(stacks)
        assert score == loss["goal"] == view["solved"]["low"][turn]


def test_a_line_is_what_the_engine_says() -> None:
    """What changes move by move adds up to the engine's positions."""
    played = replay(load(SAMPLE))
    view = game_view(played)
    shown = (
        "seat",
        "hands",
        "stacks",
        "tokens",
        "strikes",
        "deck",
        "score",
        "max",
        "pace",
        "playable",
        "critical",
    )
    losses = {loss.turn: loss for loss in solve(played, fast=False).losses}
    assert set(losses) == set(view["solved"]["losses"])
    for turn, loss in view["solved"]["losses"].items():
        line = losses[turn].line
        assert line is not None
        position = {**view["turns"][turn]}
        wanted = [position_row(state) for state in line.replay().positions(turn)]
        assert len(loss["line"]) == len(line) == len(wanted) - 1
        for (action, change), after in zip(loss["line"], wanted[1:], strict=True):
            discards = [*position["discards"], *([change["discards"]] if "discards" in change else [])]
            lists = {
                name: [change.get(name, {}).get(place, one) for place, one in enumerate(position[name])]
                for name in ("hands", "stacks")
            }
            position |= {**change, **lists, "discards": discards}
            assert {name: position[name] for name in shown} == {name: after[name] for name in shown}
            assert ("discards" in change) == (action.get("result") in ("discarded", "misplayed"))


def test_a_clue_and_an_end() -> None:
    """With no turn left after the end, what was in reach is lost by ending; clues name the receiver."""
    played = replay(game("clue 1 1, clue 0 1, end 4", "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4"))
    assert played.end_condition != "unfinished"
    assert said(played) == (
        "With all cards open, the most that this deal allowed was 25;"
        " it was lost on turn 3 by Alice (ending the game)."
    )


def test_an_end_by_vote_is_no_players() -> None:
    played = replay(game("clue 1 1, clue 0 1, vote", "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4"))
    assert said(played).endswith("; it was lost on turn 3 (ending the game).")


def test_points_that_no_move_is_known_to_have_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    played = replay(load(SAMPLE))
    unexplained = replace(solve(played, fast=False), losses=())
    monkeypatch.setattr(summary, "solve_many", lambda *games, **options: [unexplained])
    assert said(played) == (
        "With all cards open, the most that this deal allowed was 25;"
        f" up to {25 - played.score} lost points could not be traced to a move."
    )


def test_a_game_that_stops() -> None:
    assert said(replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)]))) == (
        "With all cards open, the most that this deal allowed was 25, still in reach where the game stopped."
    )


def test_a_game_without_a_turn() -> None:
    page = game_view(replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")))
    assert page["solved"]["low"] == page["solved"]["high"] == [25]


def test_a_game_that_is_not_covered() -> None:
    played = replay(GameRecord(players=("Alice", "Bob"), seed="a", variant="Sudoku (5 Suits)"))
    found = solved(played, Names(played))
    assert (found["low"], found["losses"]) == ([], {})
    assert said(played) == "The best reachable score is not known: the solver does not cover Sudoku."


def test_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanalyze.report.game.summary.NODES", 1)
    played = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s101753", actions=[Action(3, 1, 1)]))
    assert said(played).startswith("With all cards open, the best score is between ")

"""`hanalyze solve`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanalyze.game.actions import Action
from hanalyze.replaying import replay
from tests.building import game
from tests.cli.running import hanalyze, saved

LOST = game("clue 1 1, clue 0 1, discard 4", "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4", seed="lost")
NODES = ("--nodes", "300")


@pytest.fixture
def logs(tmp_path: Path) -> str:
    return str(saved(tmp_path, LOST, game("play 0", "b1", seed="fine"), game("", seed="new")))


def test_a_game(logs: str) -> None:
    ran = hanalyze("solve", logs, "--game", "lost", *NODES)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[1] == "score 0 of 25; best score of the deal with all cards open: 25"
    assert ran.lines[2] == (
        "turn 3: Alice discards r5 from slot 1: 1 point lost, 24 left;"
        " the last copy of a needed card was gone"
    )
    assert ran.lines[4] == "a line to 25 points from turn 3 on"
    assert ran.lines[5].startswith("   3  Alice ")
    assert ran.lines[-1].endswith("  25")


@pytest.mark.parametrize("more", [["--moves"], ["--as", "Bob", "--samples", "2"]])
def test_after_the_end_there_is_no_move_to_rank(tmp_path: Path, more: list[str]) -> None:
    path = saved(tmp_path, game("clue 1 1, clue 0 1, vote", "b1 b2 b3 y2 r5 y1"))
    ran = hanalyze("solve", path, "--turn", "4", *more)
    assert (ran.code, ran.lines[1:]) == (0, ["the game was over before turn 4: there is no move to rank"])


def test_an_end_by_vote_is_no_players(tmp_path: Path) -> None:
    ran = hanalyze("solve", saved(tmp_path, game("clue 1 1, clue 0 1, vote", "b1 b2 b3 y2 r5 y1")), *NODES)
    assert ran.lines[2] == "turn 3: - ends the game (vote): 25 points lost, 0 left; the game was ended"


def test_json_has_lines_that_replay(logs: str) -> None:
    ran = hanalyze("solve", logs, "--json", *NODES)
    assert (ran.code, ran.err) == (0, "")
    lost, fine, new = map(json.loads, ran.out.splitlines())
    assert lost["low"] == lost["high"] == [25, 25, 25, 24]
    [loss] = lost["losses"]
    assert (loss["turn"], loss["player"], loss["kind"], loss["cause"]) == (2, "Alice", "discard", "cards")
    actions = [*LOST.actions[:2], *(Action(*one) for one in loss["line"])]
    assert replay(game(deck="b1 b2 b3 y2 r5 y1 g1 g2 g3 g4")).with_actions(actions).score == 25
    assert (fine["low"], fine["losses"]) == ([25, 25], [])
    assert (new["turn"], new["low"], new["high"], new["why"]) == (0, 25, 25, None)


def test_a_turn(logs: str) -> None:
    ran = hanalyze("solve", logs, "--game", "lost", "--turn", "4", *NODES)
    assert ran.lines[1] == (
        "best score from before turn 4 with all cards open: 24 of 25;"
        " 25 is out of reach: the last copy of a needed card is gone"
    )
    for turn in ("5", "0", "-1"):
        for options in ([], ["--moves"], ["--as", "Bob"]):
            ran = hanalyze("solve", logs, "--game", "lost", "--turn", turn, *options)
            assert (ran.code, ran.out) == (2, "")
            assert f"there is no turn {turn}; turns are 1 to 4 (the end)" in ran.err


def test_moves(logs: str) -> None:
    ran = hanalyze("solve", logs, "--game", "lost", "--turn", "3", "--moves", *NODES)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[1] == "moves of turn 3 by the best score each leaves with all cards open"
    ranked = {line.split("Alice ")[1]: line.split("Alice ")[0].strip() for line in ran.lines[2:]}
    assert ranked["plays b1 from slot 5"] == "25"
    assert ranked["discards r5 from slot 1"] == ranked["plays r5 from slot 1, misplay"] == "24"
    rows = json.loads(
        hanalyze("solve", logs, "--game", "lost", "--turn", "3", "--moves", "--json", *NODES).out
    )
    assert len(rows["moves"]) == len(ranked)
    assert {"action": [1, 4, 0], "low": 24, "high": 24} in rows["moves"]


def test_a_deal() -> None:
    ran = hanalyze("solve", "--deck", "p3v0s1", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["low"] == 25
    assert "Color Blind (6 Suits), 2 players" in hanalyze("solve", "--deck", "p2v10s1").lines[0]


def test_what_is_open() -> None:
    ran = hanalyze("solve", "--deck", "p2v0s101753", "--nodes", "1")
    assert ran.code == 0
    assert ran.lines[2].startswith("open: no proof in ")
    assert ran.lines[2].endswith(" positions; try more --nodes")


def test_a_database(logs: str, tmp_path: Path) -> None:
    path = str(tmp_path / "games.duckdb")
    ran = hanalyze("ingest", logs, "--db", path, "--solve", "--budget", "1000")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[1].startswith("3 games solved: 0 still open; ")
    # What `hanalyze solve` says of the log is what the table has.
    query = "SELECT turn, kind, cause, points, best_score_after FROM losses"
    assert hanalyze("sql", path, query).lines[1].split() == ["2", "discard", "cards", "1", "24"]
    again = hanalyze("solve", path)
    assert (again.code, again.err) == (0, "")
    assert again.lines[0].startswith("0 games solved: 0 still open; 3 had been solved before; ")
    assert "losses" in hanalyze("info", path).out
    shown = hanalyze("stats", path, "--what", "lost").lines
    assert shown[0].split()[:5] == ["split", "part", "games", "moves", "points"]
    assert shown[1].split()[:6] == ["all", "all", "3", "1", "1", "0.33"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--turn", "3"], "in a database all games are solved; the other options are for logs"),
        (["--json"], "in a database all games are solved; the other options are for logs"),
        (["--budget", "5m"], '"5m" is not a budget; give 200000, or 5s for five seconds'),
        (["--budget", "0"], '"0" is not a budget'),
    ],
)
def test_what_a_database_cannot_be_asked(arguments: list[str], said: str, logs: str, tmp_path: Path) -> None:
    path = str(tmp_path / "games.duckdb")
    assert hanalyze("ingest", logs, "--db", path).code == 0
    ran = hanalyze("solve", path, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "--budget and --jobs are for databases" in hanalyze("solve", logs, "--budget", "9").err
    assert "--budget is for the solver; add --solve" in hanalyze("ingest", logs, "--budget", "9").err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to solve; give a log, or --deck SEED"),
        (["x.json", "--deck", "p2v0s1"], "give logs or --deck, not both"),
        (["x.json", "--moves"], "--moves needs a turn; give --turn N"),
        (["--deck", "abc"], 'the seed "abc" does not contain the number of players; give --players'),
        (["--deck", "abc", "--players", "9"], "9 players, but hanab-live is for 2 to 6"),
        (["--deck", "p2v0s1", "--variant", "Sudoku (5 Suits)"], "the solver does not cover Sudoku"),
    ],
)
def test_what_cannot_be_solved(arguments: list[str], said: str) -> None:
    ran = hanalyze("solve", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_moves_as_another_player_could_weigh_them(logs: str) -> None:
    """Bob sees Alice's cards, and not which of his own a clue touches."""
    ran = hanalyze("solve", logs, "--game", "lost", "--turn", "3", "--as", "Bob", "--samples", "4")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[1].startswith("moves of Alice on turn 3 by")
    assert "as far as Bob can know" in ran.lines[1]
    moves = [line.split("Alice ")[1] for line in ran.lines[3:-1]]
    assert [move for move in moves if move.startswith("plays") and "from slot 1" in move]
    assert not [move for move in moves if "(" in move]


def test_moves_as_a_player_could_weigh_them(logs: str) -> None:
    arguments = ("solve", logs, "--game", "lost", "--turn", "3", "--as", "alice", "--samples", "6")
    ran = hanalyze(*arguments)
    assert (ran.code, ran.err) == (0, "")
    assert "as far as Alice can know" in ran.lines[1]
    moves = [line.split("Alice ")[1] for line in ran.lines[3:-1]]
    assert {f"{verb} slot {slot}" for verb in ("plays", "discards") for slot in range(1, 6)} < set(moves)
    assert [move for move in moves if move.startswith("clues Bob 1")]
    assert ran.lines[-1] == "over 6 deals that fit what is known (seed 1); ± standard error"
    found = json.loads(hanalyze(*arguments, "--seed", "2", "--json").out)
    assert (found["turn"], found["seat"], found["seed"], found["deals"]) == (2, 0, 2, 6)
    assert len(found["moves"]) == len(moves)
    assert all(0 <= one["keeps"] <= 1 for one in found["moves"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--as", "Alice"], "--as needs a turn; give --turn N"),
        (["--turn", "3", "--samples", "4"], "--samples and --seed are for --as; give --as NAME"),
        (["--turn", "3", "--as", "Zoe"], 'there is no player "Zoe"; players are 1 Alice, 2 Bob'),
    ],
)
def test_what_a_player_cannot_be_asked(logs: str, arguments: list[str], said: str) -> None:
    ran = hanalyze("solve", logs, "--game", "lost", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err

"""Research metrics worked by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.analysis import (
    action_information,
    action_matrix,
    cross_play,
    research_players,
    research_scores,
)
from hanalyze.analysis.research import cross_play_means
from hanalyze.store import Database, connect
from tests.analysis import tables
from tests.cli.running import hanalyze


def test_scores_by_hand() -> None:
    games = [
        {"game_id": 1, "raw_score": 25, "score": 25},
        {"game_id": 2, "raw_score": 21, "score": 21},
        {"game_id": 3, "raw_score": 14, "score": 0, "end_condition": "strikeout"},
        {"game_id": 4, "raw_score": 20, "score": 20, "players": 3},
        {"game_id": 5, "raw_score": 9, "score": 0, "end_condition": "terminated_by_player", "players": 4},
    ]
    with tables.database(games=games) as db:
        two, three, four = research_scores(db).to_dicts()
    # Strict 25, 21, 0: mean 46/3, deviations 29/3, 17/3, -46/3; kept 25, 21, 14: mean 20, 5, 1, -6.
    assert two["strict"] == pytest.approx(46 / 3)
    assert two["strict_sem"] == pytest.approx(math.sqrt((29**2 + 17**2 + 46**2) / 9 / 2 / 3))
    assert (two["kept"], two["median"]) == (20, 21)
    assert two["kept_sem"] == pytest.approx(math.sqrt(62 / 2 / 3))
    assert (two["perfect"], two["bomb_out"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (three["players"], three["games"], three["strict_sem"]) == (3, 1, None)
    assert (four["strict"], four["kept"], four["bomb_out"]) == (0, 9, 0)


def turn(number: int, action: str, **facts: Any) -> dict[str, Any]:
    return {
        "game_id": 1,
        "turn": number,
        "seat": number % 2,
        "action": action,
        "clue_tokens_before": 1,
        **facts,
    }


def clue(number: int, value: int, kind: str = "rank", **facts: Any) -> dict[str, Any]:
    said = {"receiver": (number + 1) % 2, "clue_value": value, "result": "clued", "order": None}
    return turn(number, f"{kind}_clue", **said, **facts)


def test_players_by_hand() -> None:
    turns = [
        clue(0, 1),
        turn(1, "play", order=5, slot=5, p_playable=1.0, status="needed"),
        turn(2, "discard", order=0, slot=5, result="discarded", status="critical", max_score_after=23),
        turn(3, "play", order=6, slot=4, p_playable=0.5, status="needed"),
        # Without a token there is nothing to tell by.
        turn(
            4,
            "play",
            order=1,
            slot=4,
            p_playable=0.2,
            clue_tokens_before=0,
            result="misplayed",
            status="trash",
        ),
        turn(5, "play", order=7, slot=3, p_playable=0.3, clue_tokens_before=0, status="needed"),
        clue(6, 2, "colour"),
        # The end of a game is no turn on which a player could have clued.
        turn(8, "end_game", result="ended"),
    ]
    known = {5: (1, 1), 6: (0, 2), 7: (0, 0), 1: (3, 0), 0: (0, 0)}
    cards = [
        {"game_id": 1, "order": order, "colour_clues": colour, "rank_clues": rank}
        for order, (colour, rank) in known.items()
    ]
    seats = [{"game_id": key, "seat": seat, "player": "AB"[seat]} for key in (1, 2) for seat in (0, 1)]
    # The second game ended before anybody acted.
    games = [{"game_id": 1}, {"game_id": 2}]
    with tables.database(games=games, seats=seats, turns=turns, cards=cards) as db:
        a, b = research_players(db).to_dicts()
    # A: turns with a token 0, 2, 6, of which 0 and 6 are clues; one play, the colour known.
    assert (a["communicativeness"], a["plays"], a["information_per_play"]) == (pytest.approx(2 / 3), 1, 0.5)
    assert (a["both_known"], a["colour_only"], a["rank_only"], a["none_known"]) == (0, 1, 0, 0)
    assert (a["risk_aversion"], a["critical_discards"], a["critical_share"]) == (pytest.approx(0.2), 1, 0.5)
    assert (a["games"], a["max_score_lost"]) == (2, 1)
    # B: both, the rank only, nothing.
    assert b["information_per_play"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert [b[name] for name in ("both_known", "colour_only", "rank_only", "none_known")] == [
        pytest.approx(1 / 3),
        0,
        pytest.approx(1 / 3),
        pytest.approx(1 / 3),
    ]
    assert b["risk_aversion"] == pytest.approx(0.6)
    assert (b["communicativeness"], b["critical_discards"], b["critical_share"]) == (0, 0, None)


def test_the_matrix_by_hand() -> None:
    turns = [
        clue(0, 5),
        turn(1, "play", slot=5),
        clue(2, 5),
        turn(3, "discard", slot=1),
        clue(4, 5),
        turn(5, "play", slot=5),
        clue(6, 0, "colour"),
        # The other game begins anew: nothing follows the colour clue.
        {**turn(0, "play", slot=5), "game_id": 2},
    ]
    with tables.database(games=[{"game_id": 1}, {"game_id": 2}], turns=turns) as db:
        found = {(row["action"], row["next_action"]): row for row in action_matrix(db).to_dicts()}
        [information] = action_information(db).to_dicts()
    assert {pair: (row["pairs"], row["probability"]) for pair, row in found.items()} == {
        ("R5+1", "P5"): (2, pytest.approx(2 / 3)),
        ("R5+1", "D1"): (1, pytest.approx(1 / 3)),
        ("P5", "R5+1"): (1, 0.5),
        ("P5", "C1+1"): (1, 0.5),
        ("D1", "R5+1"): (1, 1),
    }
    # Six pairs; first R5 3, P5 2, D1 1; next P5 2, D1 1, R5 2, C1 1.
    bits = (
        2 * math.log2(2 * 6 / (3 * 2))
        + math.log2(6 / (3 * 1))
        + math.log2(6 / (2 * 2))
        + math.log2(6 / (2 * 1))
        + math.log2(6 / (1 * 2))
    ) / 6
    assert information["plug_in"] == pytest.approx(bits)
    assert information["bias"] == pytest.approx((5 - 3 - 4 + 1) / (2 * 6 * math.log(2)))
    assert (information["pairs"], information["actions"]) == (6, 4)
    assert information["corrected"] == pytest.approx(bits - information["bias"])


def test_seats_further_on() -> None:
    turns = [
        {"game_id": 1, "turn": 0, "seat": 2, "action": "rank_clue", "receiver": 1, "clue_value": 4},
        {"game_id": 1, "turn": 1, "seat": 0, "action": "colour_clue", "receiver": 1, "clue_value": 4},
    ]
    with tables.database(games=[{"game_id": 1, "players": 3}], turns=turns) as db:
        [row] = action_matrix(db).to_dicts()
    assert (row["players"], row["action"], row["next_action"]) == (3, "R4+2", "C5+1")


@pytest.mark.heavy
def test_independent_actions_tell_nothing() -> None:
    """Of actions drawn at random what is left after the bias is nearly nothing."""
    import random

    dice = random.Random(5)
    turns = [
        {"game_id": 1, "turn": number, "seat": number % 2, "action": "play", "slot": dice.randint(1, 5)}
        for number in range(3000)
    ]
    with tables.database(games=[{"game_id": 1}], turns=turns) as db:
        [row] = action_information(db).to_dicts()
    assert row["bias"] == pytest.approx(16 / (2 * 2999 * math.log(2)))
    assert abs(row["corrected"]) < row["bias"]


def test_cross_play_by_hand() -> None:
    tables_of = [("x", "x 2", 20), ("x", "x 2", 10), ("x", "y", 4), ("y", "x", 8), ("y", "y 2", 25)]
    # Two checkpoints of one agent are two agents; players whom a log does not name are nobody's pair.
    tables_of += [("obl 4", "obl 5", 6), ("Player 1", "Player 2", 1)]
    games = [
        {"game_id": key, "raw_score": score, "score": score} for key, (_, _, score) in enumerate(tables_of, 1)
    ]
    seats = [
        {"game_id": key, "seat": seat, "player": pair[seat]}
        for key, pair in enumerate(tables_of, 1)
        for seat in (0, 1)
    ]
    games.append({"game_id": 9, "raw_score": 3, "players": 3})
    seats += [{"game_id": 9, "seat": seat, "player": "x"} for seat in range(3)]
    with tables.database(games=games, seats=seats) as db:
        matrix = cross_play(db)
    found = {
        (row["first"], row["second"]): (row["games"], row["mean"], row["sem"]) for row in matrix.to_dicts()
    }
    assert found == {
        ("x", "x"): (2, 15, 5),
        ("x", "y"): (1, 4, None),
        ("y", "x"): (1, 8, None),
        ("y", "y"): (1, 25, None),
        ("obl 4", "obl 5"): (1, 6, None),
    }
    assert cross_play_means(matrix) == {
        "self_play": 20,
        "self_play_sem": 5,
        "self_play_pairs": 2,
        "cross_play": 6,
        "cross_play_sem": pytest.approx(2 / math.sqrt(3)),  # 4, 8, 6
        "cross_play_pairs": 3,
    }


def test_an_agent_at_all_seats_is_self_play() -> None:
    """`simulate` calls its players Alice and Bob then: the agent is in the source."""
    with connect() as db:
        db.add(simulate("cautious", players=2, games=3), jobs=1)
        db.add(simulate(["random", "cautious"], games=2), jobs=1)
        people = [
            replace(one, source="hanab.live", seed=f"s{one.seed}") for one in simulate(players=2, games=1)
        ]
        db.add(people, jobs=1)
        found = {(first, second): games for first, second, games, *_ in cross_play(db).rows()}
    assert found == {("cautious", "cautious"): 3, ("random", "cautious"): 2, ("Alice", "Bob"): 1}


def filled() -> Database:
    db = connect()
    for pair in (["cautious", "cautious"], ["cautious", "random"], ["random", "cautious"]):
        db.add(simulate(pair, games=4), jobs=1)
    return db


def test_real_tables_add_up() -> None:
    with filled() as db:
        players = research_players(db).to_dicts()
        matrix = action_matrix(db)
        turns = db.sql("SELECT count(*) FROM turns").item()
        plays = db.sql("SELECT count(*) FROM turns WHERE action = 'play'").item()
        names = cross_play(db).select("first", "second").rows()
    assert sum(row["plays"] for row in players) == plays
    for row in players:
        parts = [row[name] for name in ("both_known", "colour_only", "rank_only", "none_known")]
        assert sum(parts) == pytest.approx(1)
        assert row["information_per_play"] == pytest.approx(parts[0] + (parts[1] + parts[2]) / 2)
    assert matrix["pairs"].sum() == turns - 12
    totals: dict[str, float] = {}
    for row in matrix.to_dicts():
        totals[row["action"]] = totals.get(row["action"], 0) + row["probability"]
    assert all(total == pytest.approx(1) for total in totals.values())
    assert names == [("cautious", "cautious"), ("cautious", "random"), ("random", "cautious")]


@pytest.mark.heavy
def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "games.duckdb"
    with connect(str(file)) as db:
        for pair in (["cautious", "cautious"], ["cautious", "random"]):
            db.add(simulate(pair, games=3), jobs=1)
        expected = research_scores(db).to_dicts()
    found = json.loads(hanalyze("research", file, "--json").out)
    assert found["research_scores"] == expected
    assert found["cross_play_means"]["self_play"] == found["cross_play"][0]["mean"]
    csv = hanalyze("research", file, "--what", "scores", "--csv", "-").lines
    assert csv[0].split(",") == list(expected[0])
    assert len(csv) == 1 + len(expected)
    assert "CSV holds one table; choose one with --what" in hanalyze("research", file, "--csv", "-").err
    ran = hanalyze("research", file)
    assert (ran.code, ran.err) == (0, "")
    assert any(line.startswith("Mutual information") for line in ran.lines)
    assert ran.lines[-1].startswith("mean over pairs: self-play ")


def test_an_empty_database(tmp_path: Path) -> None:
    file = tmp_path / "empty.duckdb"
    with connect(str(file)):
        pass
    ran = hanalyze("research", file)
    assert (ran.code, ran.err) == (0, "")

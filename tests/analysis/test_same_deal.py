"""Games of the same deal: differences, matchpoints and partings worked by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hanalyze.agents import simulate
from hanalyze.analysis import deal_results, partings, same_deal
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.store import Database, connect
from tests.analysis import tables
from tests.cli.running import hanalyze

DECKS = ([1, 2, 3, 4, 5], [2, 1, 3, 4, 5], [5, 4, 3, 2, 1])


def database(
    games: Sequence[tuple[int, int, str]], turns: Sequence[dict[str, Any]] = (), **facts: Any
) -> Database:
    """Return games: number of the deck, score, source; their keys count from 1."""
    rows = [
        {"game_id": key, "score": score, "source": source, "efficiency": score / 10, **facts}
        for key, (_, score, source) in enumerate(games, 1)
    ]
    cards = [
        {"game_id": key, "order": order, "rank": rank}
        for key, (deck, _, _) in enumerate(games, 1)
        for order, rank in enumerate(DECKS[deck])
    ]
    return tables.database(games=rows, cards=cards, turns=turns)


def test_deals_by_hand() -> None:
    # Deal 0: 20 and 22 against 18: +3. Deal 1: 10 against 15 and 16: -5.5. Deal 2 has games of a only.
    games = [(0, 20, "a"), (0, 22, "a"), (0, 18, "b"), (1, 10, "a"), (1, 15, "b"), (1, 16, "b"), (2, 25, "a")]
    with database(games) as db:
        score, efficiency = same_deal(
            db, a="source=a", b="source=b", measure=["score", "efficiency"]
        ).to_dicts()
    assert (score["deals"], score["a"], score["b"]) == (2, 15.5, 16.75)
    assert score["difference"] == pytest.approx(-1.25)
    assert (score["a_higher"], score["b_higher"]) == (1, 1)
    assert score["low"] is None  # two deals say too little
    assert efficiency["difference"] == pytest.approx(-0.125)


def test_the_interval_is_students_over_deals() -> None:
    from itertools import permutations

    scipy = pytest.importorskip("scipy.stats")
    decks = list(permutations([1, 2, 3, 4, 5]))[:24]
    ours = [15 + number % 7 for number in range(24)]
    theirs = [16 + number % 5 for number in range(24)]
    games, cards = [], []
    for side, scores in (("a", ours), ("b", theirs)):
        for deck, score in zip(decks, scores, strict=True):
            key = len(games) + 1
            games.append({"game_id": key, "score": score, "source": side})
            cards += [{"game_id": key, "order": i, "rank": rank} for i, rank in enumerate(deck)]
    with tables.database(games=games, cards=cards) as db:
        [row] = same_deal(db, a="source=a", measure=["finished"], confidence=0.9).to_dicts()
    expected = scipy.ttest_rel(ours, theirs).confidence_interval(0.9)
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))


def test_what_is_no_same_deal() -> None:
    games = [(0, 20, "a"), (0, 18, "b")]
    with database(games) as db:
        assert same_deal(db, a="source=a", measure=["score"])["deals"].item() == 1
        # Other rules, another start, another team size: another deal.
        for change in ("edition = 'hle'", "starting_player = 1", "players = 3", "variant = '6 Suits'"):
            db.connection.execute("UPDATE games SET edition = 'hanab-live', starting_player = 0, players = 2")
            db.connection.execute(f"UPDATE games SET {change} WHERE game_id = 2")
            with pytest.raises(HanalyzeError, match="no deal was played by both"):
                same_deal(db, a="source=a", measure=["score"])
            assert deal_results(db)["games"].to_list() == [1, 1]


def test_matchpoints_by_hand() -> None:
    # 22 beats three; the two 20s beat one and tie with one; 18 beats nobody. The lone game has no percentile.
    games = [(0, 20, "a"), (0, 22, "a"), (1, 9, "a"), (0, 18, "a"), (0, 20, "a")]
    with database(games) as db:
        found = {row["game_id"]: row for row in deal_results(db).to_dicts()}
    assert {key: row["matchpoints"] for key, row in found.items()} == {1: 3, 2: 6, 3: 0, 4: 0, 5: 3}
    assert {key: row["percentile"] for key, row in found.items()} == {1: 0.5, 2: 1.0, 3: None, 4: 0.0, 5: 0.5}
    assert [found[key]["deal"] for key in (1, 2, 3, 4, 5)] == [1, 1, 2, 1, 1]
    assert (found[1]["beaten"], found[1]["tied"], found[1]["games"]) == (1, 1, 4)


def test_partings_by_hand() -> None:
    def played(game: int, *orders: int) -> list[dict[str, Any]]:
        return [{"game_id": game, "turn": turn, "order": order} for turn, order in enumerate(orders)]

    clue = {"game_id": 5, "turn": 0, "action": "rank_clue", "order": None, "receiver": 1, "clue_value": 3}
    turns = [*played(1, 0, 1, 2), *played(2, 0, 1, 2), *played(3, 0, 4, 2), *played(4, 0, 1), clue]
    games = [(0, 20, "a"), (0, 21, "b"), (0, 22, "b"), (0, 23, "b"), (0, 24, "b"), (1, 5, "b")]
    with database(games, turns) as db:
        every = {(row["game_a"], row["game_b"]): row["turn"] for row in partings(db).to_dicts()}
        ours = partings(db, a="source=a").to_dicts()
        swapped = partings(db, a="source=b", b="source=a").to_dicts()
    assert every == {
        **{(1, 2): None, (1, 3): 1, (1, 4): 2, (1, 5): 0},
        **{(2, 3): 1, (2, 4): 2, (2, 5): 0, (3, 4): 1, (3, 5): 0, (4, 5): 0},
    }
    # Of one group alone the pairs are of a game of it and any other game.
    assert [(row["game_a"], row["game_b"]) for row in ours] == [(1, 2), (1, 3), (1, 4), (1, 5)]
    assert [(row["game_a"], row["game_b"], row["score_a"]) for row in swapped][:2] == [(2, 1, 21), (3, 1, 22)]


def test_names_that_are_in_no_game() -> None:
    with database([(0, 20, "a")]) as db:
        db.connection.execute("INSERT INTO seats (game_id, seat, player) VALUES (1, 0, 'Alice')")
        with pytest.raises(HanalyzeError, match='did you mean "Alice"'):
            same_deal(db, a="player=Alise")
        with pytest.raises(UnknownName):
            same_deal(db, a="source=a", measure=["scoer"])


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("deals") / "games.duckdb"
    with connect(str(file)) as db:
        for agent in ("cautious", "random"):
            db.add(simulate(agent, players=3, games=20, seed=1), jobs=1)
    return file


@pytest.mark.heavy
def test_the_command(simulated: Path) -> None:
    cautious = 'source="hanalyze simulate, cautious"'
    ran = hanalyze("compare", simulated, "--a", cautious, "--same-deal")
    assert (ran.code, ran.err) == (0, "")
    score = next(line.split() for line in ran.lines if line.startswith("score"))
    assert (score[0], score[-1], score[-2]) == ("score", "20", "0")
    assert "20 deals played more than once, 40 games on them" in ran.lines
    assert any(line.startswith("mistakes ") for line in ran.lines)
    found = json.loads(hanalyze("compare", simulated, "--a", cautious, "--same-deal", "--json").out)
    with connect(str(simulated), read_only=True) as db:
        rows = db.sql("SELECT source, score FROM games ORDER BY seed").to_dicts()
        turns = db.sql(
            "SELECT min(a.turn) AS turn FROM turns a JOIN turns b USING (turn) JOIN games g ON"
            " g.game_id = a.game_id JOIN games h ON h.game_id = b.game_id AND h.seed = g.seed"
            " WHERE g.source LIKE '%cautious' AND h.source LIKE '%random' AND (a.action <> b.action OR"
            ' a."order" IS DISTINCT FROM b."order" OR a.receiver IS DISTINCT FROM b.receiver'
            " OR a.clue_value IS DISTINCT FROM b.clue_value) GROUP BY g.seed ORDER BY turn"
        )["turn"].to_list()
    mean = [
        math.fsum(row["score"] for row in rows if row["source"].endswith(agent)) / 20
        for agent in ("cautious", "random")
    ]
    assert found["measures"][0]["difference"] == pytest.approx(mean[0] - mean[1])
    assert sorted(pair["turn"] for pair in found["partings"]) == turns
    csv = hanalyze("compare", simulated, "--a", cautious, "--same-deal", "--csv", "-").lines
    assert csv[0].split(",") == list(found["measures"][0])
    assert len(csv) == 1 + len(found["measures"])
    alone = json.loads(hanalyze("compare", simulated, "--same-deal", "--json").out)
    assert set(alone) == {"games", "partings"}
    assert len(alone["games"]) == 40
    other = simulated.with_name("other.duckdb")
    with connect(str(other)) as db:
        db.add(simulate("cheating", players=3, games=9, seed=12), jobs=1)
    two = json.loads(hanalyze("compare", other, simulated, "--same-deal", "--json").out)
    assert (two["measures"][0]["deals"], set(two)) == (9, {"measures"})
    assert two["measures"][0]["difference"] > 5
    # Games of both groups say nothing.
    ran = hanalyze("compare", other, other.with_name("copy.duckdb"), "--same-deal")
    assert ran.code == 2
    other.with_name("copy.duckdb").write_bytes(other.read_bytes())
    ran = hanalyze("compare", other, other.with_name("copy.duckdb"), "--same-deal")
    assert "no deal was played by both groups" in ran.err

"""What deals allowed with all cards open, in the database: what is stored, skipped, tried again, added."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import hanalyze as hz
from hanalyze.errors import HanalyzeError
from hanalyze.logs import GameRecord
from hanalyze.logs.formats.hanab_live import decode
from hanalyze.store import Progress, solutions as solving
from hanalyze.tables.solved import SOLVER_VERSION
from tests.building import game
from tests.shared import golden
from tests.store.logs import content, games

TABLES = ("solved_games", "best_scores", "losses")
NODES = 300
"""Positions for each score: so few are looked at without the compiler."""

# A discard of the only r5, a misplay of a card of which another copy is left, and a strikeout.
LOST = game("clue 1 1, clue 0 1, discard 4", "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4", seed="lost")
STRUCK = game("play 4, play 9, play 3", "b1 b2 b3 y2 y5 y1 g1 g2 g3 g4", seed="struck")
FINE = game("play 0", "b1", seed="fine")
NEW = game("", seed="new")
OUTSIDE = game("", seed="outside", variant="Up or Down (5 Suits)")
# A clue token too many is used on turn 9.
BROKEN = game(
    "clue 1 1, clue 0 1, clue 1 2, clue 0 2, clue 1 1, clue 0 1, clue 1 2, clue 0 2, clue 1 1, play 5",
    "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4",
    seed="broken",
)
HARD = GameRecord(players=("A", "B"), seed="p2v0s101753")
"""A deal that stays open where few positions are looked at."""


@pytest.fixture(autouse=True)
def _compiled_only_where_marked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few games within a small budget are not worth the compiler's start."""
    if request.node.get_closest_marker("compiled") is None:
        monkeypatch.setattr(solving, "_SAVED", 0.0)


def counts(db: hz.Database) -> list[int]:
    return [db.count(table) for table in TABLES]


def check_sums(db: hz.Database) -> None:
    """Over a game the losses add up to what is missing at its end from the best score of the deal."""
    rows = db.sql("""
        SELECT z.game_id, z.open_points, z.best_score_low AS low, z.best_score_high AS high,
            coalesce(l.points, 0) AS points, l.wrong, e.best_score_after AS after, e.best_score_exact AS exact
        FROM solved_games z
        LEFT JOIN (
            SELECT game_id, sum(points) AS points,
                count(*) FILTER (points <> best_score_before - best_score_after) AS wrong
            FROM losses GROUP BY game_id
        ) l USING (game_id)
        JOIN (
            SELECT game_id, arg_max(best_score_after, turn) AS best_score_after,
                bool_and(best_score_exact) AS best_score_exact
            FROM best_scores GROUP BY game_id
        ) e USING (game_id)
        ANTI JOIN (SELECT game_id FROM defects WHERE turn IS NOT NULL) USING (game_id)
        WHERE z.open_points IS NOT NULL
    """)
    assert rows.height
    for row in rows.rows(named=True):
        assert not row["wrong"]
        assert row["points"] + row["open_points"] == row["high"] - row["after"]
        assert row["exact"] == (row["open_points"] == 0 and row["low"] == row["high"])


def check_losses(db: hz.Database) -> None:
    """A loss lies between the scores of its turn and of the one before, and is exact where both are."""
    rows = db.sql("""
        SELECT l.*, coalesce(b.best_score_after, z.best_score_low) AS low_before,
            coalesce(b.best_score_exact, z.best_score_low = z.best_score_high) AS exact_before,
            a.best_score_high_after AS high_after, a.best_score_exact AS exact_after,
            z.best_score_low = l.best_score_before AND z.best_score_high = l.best_score_before AS was_first
        FROM losses l JOIN solved_games z USING (game_id) JOIN best_scores a USING (game_id, turn)
        LEFT JOIN best_scores b ON b.game_id = l.game_id AND b.turn = l.turn - 1
    """)
    for row in rows.rows(named=True):
        assert row["best_score_before"] == row["low_before"]
        assert row["best_score_after"] == row["high_after"]
        assert row["exact"] == (row["exact_before"] and row["exact_after"])
        assert row["first"] == row["was_first"]
    missed = """SELECT count(*) FROM best_scores a
        JOIN best_scores b ON a.game_id = b.game_id AND a.turn = b.turn - 1
        ANTI JOIN (SELECT game_id FROM defects WHERE turn IS NOT NULL) d ON d.game_id = a.game_id
        ANTI JOIN losses l ON l.game_id = b.game_id AND l.turn = b.turn
        WHERE a.best_score_after > b.best_score_high_after"""
    assert db.sql(missed).item() == 0


def test_games_worked_by_hand() -> None:
    with hz.connect() as db:
        db.add([LOST, STRUCK, FINE, NEW, OUTSIDE, BROKEN])
        ran = db.solve(nodes=NODES)
        assert (ran.games, ran.already_solved, ran.not_covered, ran.still_open) == (6, 0, 1, 0)
        check_sums(db)
        query = (
            "SELECT seed, l.* EXCLUDE (game_id) FROM losses l JOIN games USING (game_id) ORDER BY seed, turn"
        )
        rows = {(row[0], row[1]): row[2:] for row in db.sql(query).rows()}
        # Alice discards the last r5 on her second turn: from 25 to 24.
        assert rows["lost", 2] == (0, "discard", "cards", 1, 25, 24, True, True)
        # y5 is gone at once; the third strike takes everything.
        assert rows["struck", 0] == (0, "misplay", "cards", 1, 25, 24, True, True)
        assert rows["struck", 2][1:3] == ("misplay", "strikes")
        assert rows["struck", 2][5] == 0
        assert not rows["struck", 2][7]
        assert {"lost", "struck"} <= {seed for seed, _ in rows} <= {"lost", "struck", "broken"}
        best = db.sql(
            "SELECT best_score_after, best_score_exact, best_score_high_after FROM best_scores"
            " JOIN games USING (game_id) WHERE seed = 'lost' ORDER BY turn"
        ).rows()
        assert best == [(25, True, 25), (25, True, 25), (24, True, 24)]
        why = db.sql("SELECT seed, not_covered, open_points FROM solved_games JOIN games USING (game_id)")
        by_seed = {seed: (not_covered, points) for seed, not_covered, points in why.rows()}
        assert by_seed["outside"] == ("the solver does not cover Up or Down", None)
        assert by_seed["new"] == by_seed["fine"] == (None, 0)


def test_rows_are_those_of_the_solver() -> None:
    records = games(3, players=2)
    with hz.connect() as db:
        db.add(records)
        db.solve(nodes=NODES)
        check_sums(db)
        ids = dict(db.sql("SELECT seed, game_id FROM games").rows())
        for record in records:
            solution = hz.solve(hz.replay(record), nodes=NODES, fast=False)
            mine = pl.col("game_id") == ids[record.seed]
            best = db.best_scores().filter(mine).sort("turn").collect()
            assert best["best_score_after"].to_list() == list(solution.low[1:])
            assert best["best_score_high_after"].to_list() == list(solution.high[1:])
            rows = db.losses().filter(mine)
            assert rows["turn"].to_list() == [loss.turn for loss in solution.losses]
            assert rows["seat"].to_list() == [loss.seat for loss in solution.losses]
            assert rows["points"].to_list() == [loss.points for loss in solution.losses]
            assert rows["cause"].to_list() == [loss.cause for loss in solution.losses]
            assert rows["first"].to_list() == [loss == solution.first_loss for loss in solution.losses]


def test_the_end_of_a_game_is_charged_to_nobody() -> None:
    """Tables do not store which player ended a game, and a vote or idleness is no player's move."""
    ends = {"player": "raw 4 1 4", "vote": "vote", "idle": "raw 4 -1 6"}
    start = "clue 1 1, clue 0 1, "
    with hz.connect() as db:
        db.add([game(start + end, "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4", seed=seed) for seed, end in ends.items()])
        db.solve(nodes=NODES)
        for table in ("losses", "judged_losses"):
            query = f"SELECT seed, l.seat, kind::VARCHAR, points FROM {table} l JOIN games USING (game_id)"
            assert sorted(db.sql(query).rows()) == [(seed, None, "end", 25) for seed in sorted(ends)]
        assert db.sql("SELECT DISTINCT player, knowable FROM judged_losses").rows() == [(None, False)]
        losses = hz.analysis.hindsight_losses
        for by, points in (
            (None, {None: 75}),
            ("players", {2: 75}),
            ("player", {"Alice": 0, "Bob": 0}),
            ("seat", {0: 0, 1: 0, None: 75}),
        ):
            rows = losses(db, by).filter(split="all")
            assert dict(zip(rows[by] if by else [None], rows["points"], strict=True)) == points


def test_only_new_games_are_solved_and_open_ones_again_within_more(tmp_path: Path) -> None:
    with hz.connect(tmp_path / "games.duckdb") as db:
        db.add([LOST, HARD])
        first = db.solve(nodes=1)
        assert (first.games, first.already_solved) == (2, 0)
        assert first.still_open
        db.add([FINE])
        again = db.solve(nodes=1)
        assert (again.games, again.already_solved) == (1, 2)
        before = counts(db)
        # Less is no reason to begin again; more is, for what is open.
        assert db.solve(nodes=1, game_nodes=1).games == 0
        more = db.solve(nodes=2)
        assert more.games == first.still_open
        assert counts(db)[0] == before[0] == 3
        assert db.sql("SELECT count(*) FROM solved_games WHERE nodes = 2").item() == more.games
        # Another version of the solver solves all anew.
        db.connection.execute("UPDATE solved_games SET solver_version = solver_version - 1")
        assert db.solve(nodes=1).games == 3
        assert counts(db)[0] == 3
        assert db.sql("SELECT DISTINCT solver_version FROM solved_games").item() == SOLVER_VERSION


def test_a_budget_for_the_game() -> None:
    with hz.connect() as db:
        db.add(games(2))
        assert db.solve(game_nodes=20).still_open == 2
        assert db.table("solved_games")["looked_at"].max() <= 20 + 1000
        check_sums(db)
        check_losses(db)


class Stopped(BaseException):
    """As an interruption does, it passes whatever catches exceptions."""


def test_an_interruption_keeps_what_was_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "_PIECE", 2)
    path = tmp_path / "games.duckdb"
    records = [game("play 0", "b1", seed=f"g{number}") for number in range(10)]

    def stop(progress: Progress) -> None:
        if progress.games >= 4:
            raise Stopped

    with hz.connect(path) as db:
        db.add(records)
        with pytest.raises(Stopped):
            db.solve(nodes=NODES, jobs=2, on_progress=stop)
    with hz.connect(path) as db:
        assert counts(db)[:2] == [4, 4]
        rest = db.solve(nodes=NODES)
        assert (rest.games, rest.already_solved) == (6, 4)
        completed = content(db)
    with hz.connect() as db:
        db.add(records)
        db.solve(nodes=NODES)
        for table in TABLES:
            assert content(db)[table].equals(completed[table])


def test_a_database_without_the_tables_gets_them(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with hz.connect(path) as db:
        db.add([LOST])
        for table in TABLES:
            db.connection.execute(f"DROP TABLE {table}")
        for name in ("losses_kind", "losses_cause"):
            db.connection.execute(f"DROP TYPE {name}")
    with hz.connect(path) as db:
        assert counts(db) == [0, 0, 0]
        assert db.solve(nodes=NODES).games == 1
        assert db.losses()["cause"].to_list() == ["cards"]
        rows = db.export(tmp_path / "parquet")
        assert [rows[table] for table in TABLES] == [1, 3, 1]
    assert pl.read_parquet(tmp_path / "parquet" / "losses" / "part.parquet")["points"].to_list() == [1]


def test_what_the_player_could_know() -> None:
    # The last r5 goes twice: where Alice had been told that it is a 5, and from her chop, of which she knew
    # nothing: there Bob, who could have saved it, clued 3s.
    told = game("clue 1 1, clue 0 5, discard 4", "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4", seed="told")
    chop = game("clue 1 1, clue 0 3, discard 0", "r5 b2 b3 y2 b1 y1 g1 g2 g3 g4", seed="chop")
    with hz.connect() as db:
        db.add([chop, told])
        db.solve(nodes=NODES)
        query = "SELECT game, player, mistake, basis, knowable FROM judged_losses WHERE turn = 2"
        judged = {name: rest for name, *rest in db.sql(query).rows()}
        assert judged["told"][0] == "Alice"
        assert judged["told"][2:] == ["logic", True]
        assert judged["chop"] == ["Bob", "discard_unsaved", "logic", True]


def test_bad_numbers() -> None:
    with hz.connect() as db, pytest.raises(HanalyzeError, match="-1 jobs"):
        db.solve(jobs=-1)


@pytest.mark.heavy
@pytest.mark.compiled
def test_sums_of_real_games() -> None:
    with hz.connect() as db:
        db.add([decode(json.dumps(one["game"]).encode()) for one in golden("real-3p")])
        assert db.solve()[:5] == (111, 0, 0, 0, 0)
        check_sums(db)
        check_losses(db)
        # What lost the best score first, as a solver written apart from this one has it.
        first = db.sql("SELECT kind::VARCHAR, count(*) FROM losses WHERE first GROUP BY kind").rows()
        assert dict(first) == {"discard": 24, "misplay": 13, "clue": 9, "play": 5}
        lost = db.sql("SELECT sum(points)::INTEGER FROM losses").item()
        assert lost == db.sql("SELECT sum(full_score - score)::INTEGER FROM games").item()


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, *(pytest.param(n, marks=pytest.mark.heavy) for n in (3, 4)), 5])
def test_sums_of_simulated_games(players: int) -> None:
    with hz.connect() as db:
        db.add(games(40, players=players, seed=3))
        solved = db.solve()
        assert solved.games == 40
        check_sums(db)
        check_losses(db)

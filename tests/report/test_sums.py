"""Partial sums add up to what the turns give, in whatever parts and order; old sums are never used."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from hanalyze import sum_up
from hanalyze.agents import simulate
from hanalyze.analysis import compare, family_rates, overview, points_short, rates, wasted_tokens
from hanalyze.analysis.decision_cache import DecisionSums, decision_tables
from hanalyze.logs.record import GameRecord
from hanalyze.report.dashboard.aggregates import MAKERS
from hanalyze.report.dashboard.build import dashboard
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.teams import GameCounts
from hanalyze.store import Database, connect, sums
from hanalyze.store.materialise import only_games
from hanalyze.store.mistakes import prepare_decisions
from hanalyze.store.part_sums import sums_of_part, versions_of
from hanalyze.store.sums import games_without_sums, sums_hold, update_sums
from tests.cli.running import hanalyze
from tests.report.board import SAMPLES, make_read_database

pytest.importorskip("plotly")

PEOPLE = ("Ada", "Bela", "Chiara", "Daan", "Emre", "", "<b>Farah</b>")


def games(agent: str, players: int, count: int, seed: int, variant: str = "No Variant") -> list[GameRecord]:
    """Return games of people who change from game to game; now and then a name sits twice at a table."""
    return [
        replace(one, players=tuple(PEOPLE[(number * step + 3 * seed) % len(PEOPLE)] for step in steps))
        for number, one in enumerate(
            simulate(agent, players=players, games=count, seed=seed, variant=variant)
        )
        for steps in [range(1, players + 1)]
    ]


RECORDS = (
    *games("cautious", 2, 5, 1),
    *games("cautious", 3, 8, 20),
    *games("random", 3, 3, 40),
    *games("cautious", 4, 3, 60, "Rainbow (5 Suits)"),
)


def counted(cube: Cube) -> dict[str, Any]:
    """Return all that a cube is asked for."""
    found: dict[str, Any] = {"cells": cube.cells.rows(), "players": cube.players, "variants": cube.variants}
    for name in (*cube.counts, "perfect_by"):
        sums = cube.sums(name)
        found[name] = (sums.keys, sums.found.rows(), sums.of.rows())
    for name in ("costliest", "best", "worst"):
        found[name] = cube.listed(name).drop("place").rows()
    return found | {"pairs": cube.pairs().rows(), "curve": cube.curve().rows()}


def asked(db: Database) -> list[pl.DataFrame]:
    """Return the statistics that sums are for."""
    return [
        *(overview(db, by, minimum=3) for by in (None, "player", "variant")),
        *(rates(db, by=by, minimum=3) for by in (None, "player", "partner", "seat", "players", "score")),
        *(wasted_tokens(db, by) for by in (None, "player")),
        points_short(db, "variant"),
    ]


@pytest.mark.heavy
@pytest.mark.parametrize("at_a_time", [pytest.param(20_000, marks=pytest.mark.exhaustive), 25])
def test_sums_are_what_the_turns_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    monkeypatch.setattr(sums, "_A_PART", at_a_time)
    with make_read_database(tmp_path) as db:
        with Cube(db) as cube:
            assert not cube._source.stored
            plain = counted(cube)
        numbers = asked(db)
        page = dashboard(db)
        summed = sum_up(db)
        assert (summed.games, summed.already) == (60, 0)
        assert db.sql("SELECT count(*) FROM sums.parts").item() == -(-60 // at_a_time)
        with Cube(db) as cube:
            assert cube._source.stored
            assert counted(cube) == plain
            assert cube.frame("FROM duckdb_tables() WHERE table_name = 'seen'").is_empty()
        with Cube(db, from_sums=False) as cube:
            assert counted(cube) == plain
        assert decision_tables(db).seats == "sums.judged_seats"
        assert all(one.equals(other) for one, other in zip(asked(db), numbers, strict=True))
        assert dashboard(db) == page
    # Who only reads the file has them, too; and fewer cells are made of the same sums.
    with connect(tmp_path / "games.duckdb", read_only=True, files_in=()) as db:
        few: dict[bool, dict[str, Any]] = {}
        for from_sums in (True, False):
            with Cube(db, {"player": "Goro"}, variants_most=1, players_most=2, from_sums=from_sums) as cube:
                few[from_sums] = counted(cube)
        assert few[True] == few[False]
        assert few[True]["players"] == [few[True]["players"][0], "Goro", "others"]


@pytest.mark.heavy
@settings(max_examples=2)
@given(st.data())
def test_parts_add_up_in_any_order(data: st.DataObject) -> None:
    """Games come in random parts, in random order: the sums are those of all at once."""
    order = data.draw(st.permutations(range(len(RECORDS))))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(RECORDS) - 1), min_size=1, max_size=2)))
    most = data.draw(st.integers(1, 4))
    with connect() as db:
        for first, last in zip([0, *cuts], [*cuts, len(RECORDS)], strict=True):
            db.add([RECORDS[number] for number in order[first:last]], jobs=1)
            summed = sum_up(db)
            assert (summed.games, summed.already) == (last - first, first)
        of_points = "FROM sums.counts JOIN sums.measures USING (part, number) WHERE name = 'points'"
        parts, stored = db.sql(f"SELECT count(DISTINCT part), sum(games) {of_points}").row(0)
        assert (parts, stored) == (len(cuts) + 1, len(RECORDS))
        found = {}
        for from_sums in (True, False):
            with Cube(db, players_most=most, variants_most=1, from_sums=from_sums) as cube:
                assert cube._source.stored is from_sums
                found[from_sums] = counted(cube)
        assert found[True] == found[False]
        assert sum(games for *_, player, games in found[True]["cells"] if player == -1) == len(RECORDS)


@pytest.mark.heavy
def test_counts_have_one_row_for_each_game_seat_and_value(tmp_path: Path) -> None:
    with make_read_database(tmp_path) as db:
        db.solve(nodes=300, jobs=1)
        with Cube(db) as cube:
            cube._find_mistakes()
            for name, one in cube.counts.items():
                queries = (one.found, one.by_seat), (one.of, one.of_seats), (one.own, True)
                for query, by_seat in queries:
                    if query:
                        rows = cube.frame(query)
                        keys = [column for column in rows.columns if column not in ("x", "y")]
                        assert ("seat" in keys) == by_seat, name
                        assert "label" not in keys or rows["label"].null_count() == 0, name
                        assert not rows.select(keys).is_duplicated().any(), name
                        values = rows.drop(keys).cast(pl.Float64).get_columns()
                        whole = all((value == value.round()).all() for value in values)
                        assert whole or one.fractions, name


def test_equal_values_of_a_lineup_share_a_row() -> None:
    """Twelve games of two players have one lineup, and as denominator of tokens each counts as 1."""
    query = """SELECT lineup, games, x, y, x0, y0 FROM sums.counts JOIN sums.measures USING (part, number)
        WHERE name = 'wasted_tokens' AND label IS NULL"""
    with connect() as db:
        db.add(simulate("cautious", players=2, games=12, seed=1), jobs=1)
        update_sums(db, [GameCounts()])
        assert db.sql(query).rows() == [(0, 12, 0, 1, 0, 0)]
        assert db.sql("SELECT lineup, size, games FROM sums.lineups").rows() == [(0, 2, 12)]


def sorted_rows(frames: Sequence[pl.DataFrame]) -> list[tuple[Any, ...]]:
    return sorted((row for frame in frames for row in frame.rows()), key=repr)


@pytest.mark.heavy
def test_a_unit_of_work_counts_its_own_games() -> None:
    """What workers count of their games alone are the rows that one counts of a part of all games."""
    halves = RECORDS[:9], RECORDS[9:]
    alone: list[dict[str, pl.DataFrame]] = []
    for some in halves:
        with connect() as db:
            db.add(some, jobs=1)
            prepare_decisions(db.connection)
            with sums_of_part(db.connection, MAKERS) as queries:
                alone.append({table: db.sql(query, temporary=True) for table, query in queries.items()})
            assert not db.sql(
                "SELECT table_name FROM duckdb_tables() WHERE temporary"
                " AND table_name NOT IN ('seen', 'game_levels', 'unmet_signals')",
                temporary=True,
            ).height
    with connect() as db:
        db.add(RECORDS, jobs=1)
        for some, there in zip(halves, alone, strict=True):
            keys = [f"{key}" for key in alone_keys(some)]
            cursor = db.connection.cursor()
            cursor.execute(
                f"CREATE TEMP TABLE mine AS SELECT unnest([{', '.join(keys)}]::BIGINT[]) AS game_id"
            )
            prepare_decisions(cursor)
            only_games(cursor, "mine")
            with sums_of_part(cursor, MAKERS) as queries:
                for table, query in queries.items():
                    rows = sorted(cursor.execute(query).fetchall(), key=repr)
                    assert rows == sorted_rows([there[table]]), table
            cursor.close()


def alone_keys(records: Sequence[GameRecord]) -> list[int]:
    with connect() as db:
        db.add(records, jobs=1)
        keys: list[int] = db.sql("SELECT game_id FROM games")["game_id"].to_list()
    return keys


def made(db: Database) -> int:
    """Make the sums of rates alone, which takes less time; return of how many games."""
    return update_sums(db, [DecisionSums()]).games


def holds(db: Database) -> bool:
    return sums_hold(db, DecisionSums())


@pytest.mark.heavy
def test_sums_that_do_not_hold_are_not_used(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "hanalyze")
    with connect() as db:
        db.add(RECORDS[:4], jobs=1)
        assert not holds(db)
        assert caplog.messages == []
        assert made(db) == 4
        assert holds(db)
        assert not sums_hold(db, GameCounts())
        assert decision_tables(db).seats == "sums.judged_seats"
        # Further games.
        db.add(RECORDS[4:6], jobs=1)
        assert not holds(db)
        assert "run `hanalyze sums`" in caplog.messages[-1]
        assert decision_tables(db).seats != "sums.judged_seats"
        assert made(db) == 2
        assert holds(db)
        db.judge(play_threshold=0.99)
        assert not holds(db)
        # Without conventions there is nothing that logic or a level would judge otherwise.
        for options in ({"by_logic": True}, {"level": 3}, {"by_logic": {}}, {}):
            db.judge(**options)
            assert holds(db)
        # A game that is not there any more.
        db.connection.execute("DELETE FROM games WHERE game_id = (SELECT min(game_id) FROM games)")
        assert not holds(db)


@pytest.mark.heavy
def test_sums_do_not_hold_once_games_were_read_for_conventions() -> None:
    with connect() as db:
        db.add(RECORDS[:4], jobs=1)
        made(db)
        for level in (1, 2):
            db.read_conventions(level, jobs=1)
            assert not holds(db)
            assert made(db) == 4
            assert holds(db)


@pytest.mark.heavy
def test_another_threshold_is_another_answer() -> None:
    with connect() as db:
        db.add(RECORDS[:8], jobs=1)
        usual = rates(db, by=None, minimum=1)
        made(db)
        db.judge(play_threshold=0.99)
        assert not rates(db, by=None, minimum=1).equals(usual)
        db.judge()
        assert rates(db, by=None, minimum=1).equals(usual)


@pytest.mark.heavy
def test_games_judged_otherwise_are_counted_beside_the_sums() -> None:
    def numbers() -> list[pl.DataFrame]:
        return [
            rates(db, by="player", minimum=1),
            family_rates(db, by="players", minimum=1),
            wasted_tokens(db),
            points_short(db),
            compare(db, a="players=2", match=[], minimum=1).frame,
        ]

    with connect() as db:
        db.ingest([str(SAMPLES / "games.jsonl")])
        db.read_conventions(jobs=1)
        keys = db.sql("SELECT game_id FROM games ORDER BY seed, game_id LIMIT 9")["game_id"].to_list()
        team = db.sql("SELECT count(*) FROM convention_games").item()
        options: list[dict[str, Any]] = [{}, {"by_logic": keys[:5]}, {"by_logic": True}, {"level": 1}]
        plain = []
        for one in options:
            db.judge(**one)
            plain.append(numbers())
        made(db)
        counts = []
        for one, before in zip(options, plain, strict=True):
            db.judge(**one)
            counts.append(len(games_without_sums(db, DecisionSums()) or ()))
            assert all(frame.equals(other) for frame, other in zip(numbers(), before, strict=True))
            assert ("sums.judged_seats" in decision_tables(db).seats) == (counts[-1] <= team // 2)
        assert counts[0] == 0
        assert 5 <= counts[1] < team
        assert counts[2:] == [team, team]


@pytest.mark.heavy
def test_other_definitions_make_other_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    with connect() as db:
        db.add(RECORDS[:3], jobs=1)
        made(db)
        before = versions_of(MAKERS)
        monkeypatch.setattr("hanalyze.store.part_sums.definitions_as_text", lambda: "another definition")
        assert not {*versions_of(MAKERS).values()} & {*before.values()}
        assert not holds(db)
        assert made(db) == 3
        assert holds(db)


@pytest.mark.heavy
def test_what_sums_do_not_have_is_counted_from_the_turns(tmp_path: Path) -> None:
    (tmp_path / "own_slip.sql").write_text(
        "-- Slip\n--\n-- definition: x\n-- opportunity: y\n-- where: action = 'play'\n"
        "SELECT game_id, turn, seat, 'knew' AS severity, 0 AS points, 0 AS tokens, 0 AS pace,"
        " 'x' AS evidence FROM decisions WHERE result = 'misplayed'\n"
    )
    with connect() as db:
        db.add(RECORDS[:8], jobs=1)
        plain = [rates(db, by=by, minimum=1) for by in ("turn", "rank", "phase", "severity")]
        sum_up(db)
        found = [rates(db, by=by, minimum=1) for by in ("turn", "rank", "phase", "severity")]
        assert all(one.equals(other) for one, other in zip(found, plain, strict=True))
        assert "own_slip" in rates(db, by=None, minimum=1, folder=tmp_path)["kind"].to_list()
        with Cube(db, mistakes=tmp_path) as cube:
            assert not cube._source.stored


@pytest.mark.heavy
def test_the_commands(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.add(RECORDS, jobs=1)
    wanted = [(command, path, "--by", "player", "--json") for command in ("stats", "mistakes")]
    before = [hanalyze(*command).out for command in wanted]
    ran = hanalyze("sums", path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0].startswith(f"sums of {len(RECORDS)} games stored; ")
    assert (
        hanalyze("sums", path).lines[0].startswith(f"sums of 0 games stored, {len(RECORDS)} already there; ")
    )
    assert [hanalyze(*command, "--memory-limit", "256MB").out for command in wanted] == before
    for wrong in ("", "much", "0MB", "12", "-1GB"):
        ran = hanalyze("stats", path, "--memory-limit", wrong)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        assert "is not an amount of memory" in ran.err
    ran = hanalyze("sums", tmp_path / "missing.duckdb")
    assert (ran.code, "there is no such file" in ran.err) == (2, True)

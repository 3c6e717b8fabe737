"""The definitions of mistakes against positions judged by hand: `tests/cases/mistakes.csv`.

In: the table of cases. Out: for each judged turn, that the database finds the mistakes named there and no
other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import polars as pl
import pytest

import hanalyze as hz
from hanalyze.logs import write
from hanalyze.store import Database
from hanalyze.store.definitions import definitions
from tests.building import defects
from tests.cases.positions import Case, Log, cases, record

pytest.importorskip("duckdb", reason="mistakes are found by DuckDB")

CASES = cases()
LOGS = {log: number for number, log in enumerate(dict.fromkeys(case.log for case in CASES), start=1)}
"""Every log once, with the id that it has in the database."""

Found = dict[tuple[int, int], list[tuple[str, str]]]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Yield a database of all logs."""
    path = tmp_path_factory.mktemp("cases") / "games.jsonl"
    write((record(log, number) for log, number in LOGS.items()), path)
    with hz.connect() as opened:
        assert opened.ingest(path, jobs=1).stored == len(LOGS)
        yield opened


@pytest.fixture(scope="module")
def found(db: Database) -> Found:
    """Return kinds and severities of all mistakes, by log and turn."""
    numbers = dict(db.sql("SELECT game_id, source_id FROM games").rows())
    by_turn: Found = {}
    for game, turn, kind, severity in db.mistakes().select("game_id", "turn", "kind", "severity").rows():
        by_turn.setdefault((numbers[game], turn), []).append((kind, severity))
    return by_turn


def words(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return sorted(f"{kind}:{severity}" for kind, severity in pairs)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_turn_has_these_mistakes_and_no_others(case: Case, found: Found) -> None:
    there = words(found.get((LOGS[case.log], case.turn), []))
    assert there == words(case.found), case.comment


def test_a_clue_that_touched_nothing_did_not_touch_it_again(db: Database) -> None:
    texts = {hz.worded(row)[0] for row in db.mistakes("clue_no_news").rows(named=True)}
    assert "touched no card in Bob's hand and told nothing new" in texts
    assert not [text for text in texts if " 0 " in text]


def test_the_points_of_mistakes_are_those_that_the_stacks_lost(db: Database) -> None:
    rows = db.mistakes().filter(pl.col("kind") != "discard_out_of_pace")
    points = dict(rows.group_by("game_id").agg(pl.col("points").sum()).rows())
    lost = db.sql("SELECT game_id, source_id, full_score - max_score FROM games").rows()
    assert {number: points.get(game, 0) for game, number, _ in lost} == {n: fall for _, n, fall in lost}


@pytest.mark.parametrize("log", LOGS, ids=LOGS.values())
def test_every_log_is_played_to_its_end_by_the_rules(log: Log) -> None:
    played = hz.replay(record(log))
    assert defects(played) == []
    assert played.turn_count == len(log.actions.split())


def test_there_are_enough_cases_and_each_has_its_name() -> None:
    assert len(CASES) >= 120
    assert [name for name, count in Counter(case.name for case in CASES).items() if count > 1] == []
    assert [case.name for case in CASES if not case.comment] == []


def test_every_judged_turn_is_there() -> None:
    assert [case.name for case in CASES if not 0 <= case.turn < len(case.log.actions.split())] == []


def test_every_kind_is_found_somewhere() -> None:
    # Those are in tests/store/test_meant_mistakes.py.
    by_conventions = {"call_missed", "clue_repaired", "discard_kept", "fix_missed", "strike_caused"}
    assert {kind for case in CASES for kind, _ in case.found} == set(definitions()) - by_conventions

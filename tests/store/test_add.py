"""Games that are in memory are stored as those of files are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import hanalyze as hz
from hanalyze.errors import HanalyzeError
from hanalyze.logs import GameRecord
from hanalyze.store import Database, connect
from hanalyze.tables.store import TABLES

LOGS = [
    str(Path(__file__).parents[2] / "sample_logs" / name)
    for name in ("games.jsonl", "editions.jsonl", "endings.jsonl")
]
UNDEALT = GameRecord(players=("Alice", "Bob"))
"""A game with neither a deck nor a seed."""


def rows(db: Database, table: str) -> list[tuple[object, ...]]:
    return sorted(db.connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr)


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.heavy), 3])
def test_the_rows_are_those_of_files(jobs: int) -> None:
    with connect() as ingested, connect() as added:
        read = ingested.ingest(LOGS)
        there = added.add(hz.read(LOGS), jobs=jobs)
        assert there.stored == read.stored > 10
        assert there.with_defects == read.with_defects
        for table in ("games", "seats", "turns", "clues", "cards", "defects", "rejects"):
            assert rows(added, table) == rows(ingested, table), table
        [(file, stored)] = added.connection.execute("SELECT file, stored FROM ingests").fetchall()
        assert (file, stored) == ("records", read.stored)
    assert {"games", "ingests"} <= TABLES.keys()


def test_records_are_taken_one_by_one_and_once() -> None:
    """More games than a worker takes at a time."""
    *first, last = hz.simulate("cautious", players=2, games=301, fast=False)
    taken = []

    def records() -> Iterator[GameRecord]:
        for record in first:
            taken.append(record.seed)
            yield record

    with connect() as db:
        assert db.add(records()).stored == 300
        assert len(taken) == len(set(taken)) == 300
        again = db.add([*first, last])
        assert (again.stored, again.already_there) == (1, 300)


def test_what_cannot_be_dealt_is_rejected() -> None:
    with connect() as db:
        summary = db.add([UNDEALT, *hz.simulate(games=1)])
        assert (summary.read, summary.stored, summary.rejected) == (2, 1, 1)
        assert db.sql("SELECT rule FROM rejects")["rule"].to_list() == ["no_deck"]
        with pytest.raises(HanalyzeError) as error:
            db.add([UNDEALT], strict=True)
        assert error.value.rule == "no_deck"


def test_no_records() -> None:
    with connect() as db:
        assert db.add([]).read == 0
        assert rows(db, "games") == []

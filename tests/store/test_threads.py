"""Threads that share a `Database`: each has right results, or is told that another thread uses it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("duckdb")

from hanalyze.agents import simulate
from hanalyze.analysis import convention_stats, points_short, rates
from hanalyze.errors import HanalyzeError
from hanalyze.logs import GameRecord
from hanalyze.store import Database, connect, solutions

QUESTIONS: tuple[Callable[[Database], pl.DataFrame], ...] = (
    lambda db: rates(db, by="player"),
    lambda db: convention_stats(db, by="player"),
    lambda db: points_short(db, by="player"),
    lambda db: db.mistakes(),
    lambda db: db.findings(),
    lambda db: db.turns().collect(),
)
BUSY = (
    "another thread is using this database; try again when it is done, or open the database once for each"
    " thread"
)


GAMES = 8


@functools.cache
def games() -> list[GameRecord]:
    return list(simulate("conventional", players=3, games=GAMES, seed=5))


@pytest.fixture(params=["file", pytest.param("folder", marks=pytest.mark.heavy)])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    path = {"file": tmp_path / "games.duckdb", "folder": f"{tmp_path}/games/"}[request.param]
    with connect(path) as db:
        db.add(games())
        db.read_conventions(level=5)
        yield db


def rows(frame: pl.DataFrame) -> list[str]:
    """Return the rows as text, the last digits of numbers left out: they hang on the order of sums."""
    rounded = frame.with_columns(pl.col(pl.Float32, pl.Float64).round_sig_figs(9))
    return sorted(map(repr, rounded.rows()))


@functools.cache
def alone() -> list[list[str]]:
    """Return what each question gives where nobody else asks."""
    with connect() as db:
        db.add(games())
        db.read_conventions(level=5)
        return [rows(ask(db)) for ask in QUESTIONS]


def is_busy(db: Database, error: HanalyzeError) -> bool:
    return (error.rule, str(error)) == ("database_busy", f"{db.file}: {BUSY}")


def close(db: Database) -> HanalyzeError | None:
    try:
        db.close()
    except HanalyzeError as error:
        return error
    return None


@pytest.mark.heavy
def test_many_threads_ask_at_once(db: Database) -> None:
    expected = alone()
    begin = threading.Barrier(3)

    def asks(first: int) -> list[tuple[int, list[str]]]:
        begin.wait()
        found = []
        for number in range(len(QUESTIONS)):
            place = (first + number) % len(QUESTIONS)
            found.append((place, rows(QUESTIONS[place](db))))
        return found

    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(asks, (0, 0, 3)):
            assert [place for place, got in found if got != expected[place]] == []


def test_who_asks_while_another_stores_is_refused(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solutions, "_SAVED", 0.0)  # so little is not worth the compiler's start
    stored, asked = threading.Event(), threading.Event()

    def waits(_: object) -> None:
        stored.set()
        asked.wait()

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(db.solve, nodes=300, on_progress=waits)
        stored.wait()
        try:
            for ask in (*QUESTIONS, lambda db: db.read_conventions(), lambda db: db.solve(), Database.close):
                with pytest.raises(HanalyzeError) as caught:
                    ask(db)
                assert is_busy(db, caught.value)
        finally:
            asked.set()
        assert working.result().games == GAMES
    assert db.count("solved_games") == GAMES


@pytest.mark.heavy
@pytest.mark.parametrize("db", ["file"], indirect=True)
def test_who_closes_meanwhile_is_refused_or_stops_the_others(db: Database) -> None:
    expected = alone()
    begin = threading.Barrier(4)

    def asks(first: int) -> list[int | HanalyzeError]:
        begin.wait()
        got: list[int | HanalyzeError] = []
        for place in (*range(first, len(QUESTIONS)), *range(first)):
            try:
                got.append(-1 if rows(QUESTIONS[place](db)) == expected[place] else place)
            except HanalyzeError as error:
                got.append(error)
        return got

    with ThreadPoolExecutor(3) as pool:
        running = [pool.submit(asks, first) for first in (0, 1, 3)]
        begin.wait()
        refusals = [error for error in iter(lambda: close(db), None) if not is_busy(db, error)]
        for one in running:
            for what in one.result():
                assert what == -1 or (
                    isinstance(what, HanalyzeError) and (what.rule == "closed" or is_busy(db, what))
                )
    assert refusals == []


@pytest.mark.heavy
@pytest.mark.parametrize("db", ["file"], indirect=True)
def test_what_a_thread_found_goes_with_it(db: Database) -> None:
    query = "SELECT count(*) FROM duckdb_databases() WHERE NOT internal"
    before = db.sql(query).item()
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(rates, db).result().is_empty()
        assert pool.submit(db.sql, query).result().item() == before + 1
    assert db.sql(query).item() == before

"""The table of mistakes is reused as long as games, definitions and judging options stay the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("duckdb")

from hanalyze.agents import simulate
from hanalyze.analysis import points_short, rates
from hanalyze.store import Database, connect
from hanalyze.store.definitions import definition, definitions


@pytest.fixture
def db() -> Iterator[Database]:
    with connect() as db:
        db.add(simulate("cautious", players=3, games=12, seed=5))
        yield db


def kinds(db: Database, folder: Path | None = None) -> list[tuple[object, ...]]:
    """Return the rows of the table of mistakes, with the names of the kinds."""
    named = list(definitions(folder))
    rows = db.connection.execute(f"FROM {db.mistakes_table(folder)}").fetchall()
    return sorted((game, turn, named[number], *rest) for game, turn, number, *rest in rows)


def listed(db: Database, folder: Path | None = None) -> list[tuple[object, ...]]:
    """Return the same rows from the view `mistakes`."""
    query = "SELECT game_id, turn, kind, severity, points, tokens FROM mistakes"
    return sorted(db.sql(query, folder=folder).rows())


@pytest.mark.parametrize("listed_first", [True, False])
def test_it_has_what_the_view_has(db: Database, listed_first: bool) -> None:
    if listed_first:
        db.mistakes()
    assert kinds(db) == listed(db) != []


@pytest.mark.heavy
def test_what_it_hangs_on_is_minded(db: Database, tmp_path: Path) -> None:
    (tmp_path / "my_own.sql").write_text(definition("misplay").text, "utf-8")
    names = [db.mistakes_table()]
    assert db.mistakes_table() == names[0]
    db.add(simulate("conventional", players=2, games=4, seed=7))
    names.append(db.mistakes_table())
    db.read_conventions(level=2)
    names.append(db.mistakes_table())
    db.read_conventions(level=25)  # the same games, read at another level
    names.append(db.mistakes_table())
    assert kinds(db) == listed(db)
    db.judge(by_logic=True)
    names.append(db.mistakes_table())
    assert kinds(db) == listed(db)
    names.append(db.mistakes_table(tmp_path))
    assert kinds(db, tmp_path) == listed(db, tmp_path)
    assert len({*names}) == len(names)


def numbers(db: Database) -> list[pl.DataFrame]:
    return [points_short(db), *(rates(db, by=by) for by in ("seat", "phase", "severity"))]


@pytest.mark.heavy
def test_numbers_do_not_depend_on_who_asked_first(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.add(simulate("cautious", players=3, games=40, seed=5))
    with connect(path, read_only=True) as db:
        first = numbers(db)
    with connect(path, read_only=True) as db, connect(path, read_only=True) as other:
        db.mistakes()
        other.mistakes()
        for one, same in zip(first, numbers(db), strict=True):
            assert same.equals(one)


def test_nothing_is_left_of_it(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.add(simulate("cautious", players=3, games=2, seed=5))
    with connect(path, read_only=True) as other:
        with connect(path, read_only=True) as db:
            db.mistakes_table()
        names = "SELECT database_name FROM duckdb_databases() WHERE NOT internal"
        assert other.connection.execute(names).fetchall() == [("games",)]


@pytest.mark.heavy
def test_rows_are_kept_until_games_or_options_change() -> None:
    records = list(simulate("cautious", players=3, games=8, seed=5))

    def fresh(count: int, threshold: float) -> pl.DataFrame:
        with connect() as db:
            db.add(records[:count])
            db.judge(play_threshold=threshold)
            return db.mistakes()

    with connect() as db:
        db.add(records[:6])
        for _ in range(2):
            assert db.mistakes().equals(fresh(6, 0.6))
        kept = "SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'rows_%'"
        assert db.sql(kept).item() == 1
        db.judge(play_threshold=0.9)
        assert db.mistakes().equals(fresh(6, 0.9))
        db.add(records[6:])
        assert db.mistakes().equals(fresh(8, 0.9))
        assert db.sql(kept).item() == 1

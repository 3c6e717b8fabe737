"""Games asked in parts give what all of them give at once, also where there was no room for all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

from hanalyze.agents import simulate
from hanalyze.store import Database, connect
from hanalyze.store.definition_queries import query_of
from hanalyze.store.definitions import definitions
from hanalyze.store.materialise import PARTS, RowQuery, materialise, only_games, part_of_games
from hanalyze.store.mistakes import materialise_mistakes

GAMES = 40


@pytest.fixture(scope="module")
def unread(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gathering") / "games.duckdb"
    with connect(path) as db:
        for agent in ("cautious", "conventional"):
            db.add(simulate(agent, players=3, games=GAMES // 2, seed=5))
    return path


@pytest.fixture(scope="module")
def read(unread: Path) -> Path:
    path = unread.with_name("read.duckdb")
    shutil.copy(unread, path)
    with connect(path) as db:
        db.read_conventions()
    return path


@pytest.fixture
def db(request: pytest.FixtureRequest) -> Iterator[Database]:
    """The games, read for conventions where a test marked `heavy` asks for mistakes."""
    name = "read" if request.node.get_closest_marker("heavy") else "unread"
    with connect(request.getfixturevalue(name), read_only=True) as db:
        db.prepare()
        yield db


def rows(db: Database, query: str) -> list[tuple[object, ...]]:
    return sorted(db.connection.execute(query).fetchall(), key=repr)


@pytest.mark.parametrize("kind", definitions())
@pytest.mark.heavy
def test_parts_of_a_definition_add_up(db: Database, kind: str) -> None:
    query = f"SELECT game_id, turn, seat, severity, points, tokens FROM ({query_of(definitions()[kind])})"
    whole, parts = rows(db, query), []
    for part in range(PARTS):
        with part_of_games(db.connection, part):
            found = rows(db, query)
        assert {game & (PARTS - 1) for game, *_ in found if isinstance(game, int)} <= {part}
        parts += found
    assert sorted(parts, key=repr) == whole
    assert rows(db, query) == whole


@pytest.mark.heavy
def test_narrowed_games_are_narrowed_again(db: Database) -> None:
    every = [game for (game,) in db.connection.execute("SELECT game_id FROM games").fetchall()]
    some = sorted(every)[::3]
    db.connection.execute("CREATE TEMP TABLE chosen AS SELECT unnest(?::BIGINT[]) AS game_id", [some])
    only_games(db.connection, "chosen")
    seen = []
    for part in range(PARTS):
        with part_of_games(db.connection, part):
            seen += [game for game, *_ in rows(db, "SELECT DISTINCT game_id FROM turns")]
    assert sorted(seen) == some
    assert [game for game, *_ in sorted(rows(db, "SELECT game_id FROM games"))] == some


# Lists have to be in memory whole: a gigabyte for all games, an eighth of it for a part.
_LISTS = """SELECT max(len(long))::INTEGER AS most, count(*) AS turns FROM (
    SELECT game_id, unnest(all_of_it) AS long FROM (
        SELECT min(game_id) AS game_id, list(repeat('x', 100_000) || turn) AS all_of_it FROM turns
    )
)"""


@pytest.mark.heavy
def test_where_all_have_no_room_they_are_asked_in_parts(db: Database) -> None:
    import duckdb

    db.connection.execute("SET memory_limit = '200MiB'")
    columns = {"most": "INTEGER", "turns": "BIGINT"}
    plain = RowQuery("SELECT 0 AS most, count(*) AS turns FROM turns")
    with pytest.raises(duckdb.OutOfMemoryException):
        materialise(db.connection, "made", columns, [plain, RowQuery(_LISTS, by_game=False)])
    materialise(db.connection, "made", columns, [plain, RowQuery(_LISTS), plain])
    [(turns,)] = rows(db, "SELECT count(*) FROM turns")
    found = db.connection.execute("SELECT most, turns FROM made").fetchall()
    assert found[0] == found[-1] == (0, turns)
    assert len(found) == 2 + PARTS
    assert sum(number for most, number in found if most) == turns
    assert not rows(db, "SELECT view_name FROM duckdb_views() WHERE view_name LIKE '%whole%'")


@pytest.mark.heavy
def test_what_is_kept_is_the_same_in_parts(db: Database) -> None:
    materialise_mistakes(db.connection)
    whole = rows(db, "FROM seen")
    seen = []
    for part in range(PARTS):
        with part_of_games(db.connection, part):
            materialise_mistakes(db.connection)
        seen += rows(db, "FROM seen")
    assert sorted(seen, key=repr) == whole

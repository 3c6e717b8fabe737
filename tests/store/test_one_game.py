"""The database for one game that is opened ahead."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from hanalyze.errors import HanalyzeError
from hanalyze.store.one_game import game_connection, opened_ahead


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text("{}")
    return str(path)


def test_a_connection_opened_ahead_is_used_once(log: str) -> None:
    query = "SELECT play_threshold(0)::DOUBLE, (SELECT count(*) FROM games)"
    with (
        opened_ahead(log, None, 0.7),
        closing(game_connection(None, 0.7)) as first,
        closing(game_connection(None, 0.7)) as second,
        closing(game_connection(None, 0.8)) as third,
    ):
        first.execute("INSERT INTO games (game_id) VALUES (1)")
        answers = [one.execute(query).fetchall() for one in (first, second, third)]
        assert answers == [[(0.7, 1)], [(0.7, 0)], [(0.8, 0)]]


def test_its_error_is_seen_only_by_who_needs_it(log: str) -> None:
    with opened_ahead(log, None, 2.0):
        pass
    with opened_ahead(log, None, 2.0), pytest.raises(HanalyzeError, match="not a chance"):
        game_connection(None, 2.0)


def test_an_error_while_the_game_is_read_is_not_hidden(log: str) -> None:
    with pytest.raises(KeyboardInterrupt), opened_ahead(log, None, 0.6):
        raise KeyboardInterrupt

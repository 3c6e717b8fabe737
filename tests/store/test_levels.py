"""The level of a group: which signals its players read, by hand-counted signals, and what it changes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hanalyze.logs import load
from hanalyze.logs.sources.file_search import sample_folder
from hanalyze.store import connect
from hanalyze.store.levels import Signals, level_of, player_level, show_levels
from hanalyze.store.part_sums import state_of_part


@pytest.mark.parametrize(
    ("signals", "level"),
    [
        ([], 13),
        ([(2, 3, 3)], 13),  # finesses alone show nothing about bluffs
        ([(2, 3, 3), (11, 2, 0)], 13),  # two bluffs are too few to show that bluffs are not read
        ([(2, 3, 3), (11, 3, 1)], 10),  # one of three is less than half
        ([(2, 4, 2), (11, 4, 2)], 13),  # half is enough
        ([(11, 3, 0), (13, 3, 2)], 13),  # players who read level 13 read all below
        ([(5, 3, 0), (11, 3, 3)], 13),
        ([(5, 3, 0), (11, 9, 1)], 4),  # the lowest level that is not read
        ([(1, 3, 0)], 0),
        ([(14, 2, 2)], 13),  # two signals are too few
        ([(14, 3, 2), (16, 4, 1)], 14),
        ([(14, 5, 1), (16, 3, 2), (23, 1, 1)], 16),
    ],
)
def test_level(signals: list[tuple[int, int, int]], level: int) -> None:
    assert level_of([Signals(*one) for one in signals]) == level


@pytest.mark.heavy
def test_unanswered_signals_above_the_level_are_not_meant() -> None:
    """A play clue is made a charm that nobody answers: it calls nothing, and explains nothing."""
    with connect() as db:
        db.ingest(sample_folder() / "game.json")
        db.read_conventions()
        connection = db.connection
        db.prepare()
        usual = state_of_part(connection)
        [(game, turn)] = connection.execute(
            "SELECT game_id, min(turn) FROM conventions WHERE convention = 'play_clue' GROUP BY ALL"
        ).fetchall()
        where = f"WHERE game_id = {game} AND turn = {turn} AND number = 0"
        connection.execute(f"UPDATE conventions SET convention = 'four_charm', level = 23 {where}")
        connection.execute(f"UPDATE convention_outcomes SET outcome = 'missed', strikes = 0 {where}")
        db.prepare()
        assert connection.execute("FROM unmet_signals").fetchall() == [(game, turn)]
        assert connection.execute("FROM game_levels").fetchall() == []
        [group] = show_levels(connection, None)
        assert (group.level, group.signals[-1]) == (13, (23, 1, 0))
        assert str(group).endswith("no level 23 signal answered")
        db.judge(level=25)
        db.prepare()
        assert connection.execute("FROM unmet_signals").fetchall() == []
        # Two more, all answered: the level of these players is now 23, and their stored sums are stale.
        connection.execute("UPDATE conventions SET convention = 'four_charm', level = 23 WHERE number = 0")
        connection.execute("UPDATE convention_outcomes SET outcome = 'success'")
        db.judge()
        db.prepare()
        assert connection.execute("FROM game_levels").fetchall() == [(game, 23)]
        assert state_of_part(connection) != usual


def test_a_level_counts_for_all_games_of_the_same_players_in_any_order() -> None:
    """Two games of the same players have three unanswered bluffs; one other player is another group."""
    with connect() as db:
        for players in (("Alice", "Bob", "Cathy"), ("Cathy", "Alice", "Bob"), ("Alice", "Bob", "Dora")):
            record = load(sample_folder() / "game.json")
            db.add([replace(record, players=players, id=None)])
        db.read_conventions()
        connection = db.connection
        keys = {
            tuple(names): game
            for game, names in connection.execute(
                "SELECT game_id, list(player ORDER BY seat) FROM seats GROUP BY ALL"
            ).fetchall()
        }
        connection.execute("UPDATE conventions SET legal = false")
        for players, count in ((("Alice", "Bob", "Cathy"), 2), (("Cathy", "Alice", "Bob"), 1)):
            turns = connection.execute(
                f"SELECT turn FROM conventions WHERE game_id = {keys[players]} AND number = 0 LIMIT {count}"
            ).fetchall()
            for (turn,) in turns:
                where = f"WHERE game_id = {keys[players]} AND turn = {turn} AND number = 0"
                connection.execute(
                    "UPDATE conventions SET convention = 'bluff', level = 11, legal = true, receiver = 1,"
                    f" cards = NULL {where}"
                )
                connection.execute(f"UPDATE convention_outcomes SET outcome = 'missed', strikes = 0 {where}")
        [group] = show_levels(connection, None)
        assert group == (("Alice", "Bob", "Cathy"), 2, 10, ((11, 3, 0),))
        unusual = connection.execute("FROM game_levels ORDER BY game_id").fetchall()
        assert unusual == sorted((keys[players], 10) for players in keys if "Cathy" in players)
        # All three are for seat 1: twice Bob, once Alice.
        assert player_level(connection, "Bob") == (("Bob",), 1, 13, ((11, 2, 0),))
        assert player_level(connection, "Alice") == (("Alice",), 1, 13, ((11, 1, 0),))
        assert player_level(connection, "Cathy") is None

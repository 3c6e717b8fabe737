"""Guesses of the system: players that keep to one, players that keep to none, and counts worked by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hanalyze.agents import simulate
from hanalyze.analysis import system_guess
from hanalyze.analysis.columns import SYSTEMS
from hanalyze.analysis.systems import CRITERIA, SYSTEMS_BY
from hanalyze.errors import UnknownName
from hanalyze.logs import GameRecord, write
from hanalyze.logs.sources.file_search import sample_folder
from hanalyze.replaying import replay
from hanalyze.store import Database, connect
from tests.analysis import tables
from tests.analysis.conventional import conventional
from tests.shared import golden


def stored(folder: Path, records: Iterable[GameRecord]) -> Database:
    write(records, folder / "games.jsonl")
    db = connect()
    db.ingest(folder / "games.jsonl", jobs=1)
    return db


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Return games of three systems, and of agents that have none."""
    records = []
    for players in (2, 3, 4):
        records += conventional("h_group", players, 5) + conventional("sieve", players, 5)
    records += conventional("hat_guessing", 5, 10)
    for agent in ("cautious", "random", "cheating"):
        for players in (2, 3, 5):
            records += simulate(agent, players=players, games=6, seed=1, fast=False)
    return stored(tmp_path_factory.mktemp("systems"), records)


def right(source: str) -> str:
    return source if source in SYSTEMS else "none"


def test_systems_are_told_apart(db: Database) -> None:
    frame = system_guess(db, by="source")
    assert frame.height == 6
    for row in frame.to_dicts():
        assert row["system"] == right(row["source"]), row
        assert row["margin"] > 0.03
        assert row["grounds"]


def test_no_single_game_is_guessed_wrong(db: Database) -> None:
    frame = system_guess(db)
    sources = dict(db.sql("SELECT game_id, source FROM games").rows())
    assert frame.height == len(sources)
    found: dict[str, list[str]] = {}
    for row in frame.to_dicts():
        expected = right(sources[row["game_id"]])
        assert row["system"] in (expected, "unknown"), row
        found.setdefault(sources[row["game_id"]], []).append(row["system"])
        assert (row["margin"] is None) == (row["system"] == "unknown")
    for source in ("h_group", "sieve", "hanalyze simulate, cautious"):
        assert found[source].count("unknown") < 0.4 * len(found[source]), source
    # A random game ends after a dozen turns.
    assert found["hanalyze simulate, random"].count("unknown") > 12


def test_by_player_it_is_what_they_did_themselves(db: Database) -> None:
    frame = system_guess(db, by="player")
    one = {row["player"]: row for row in frame.to_dicts()}
    # They played by three systems.
    assert one["Ann"]["system"] == "unknown"
    assert "closest to" in one["Ann"]["grounds"]
    assert sum(frame["plays"]) == db.sql("SELECT count(*) FROM turns WHERE action = 'play'").item()
    assert sum(frame["clues"]) == db.sql("SELECT count(*) FROM clues").item()


@pytest.mark.parametrize("by", [None, *SYSTEMS_BY])
def test_the_groups(db: Database, by: str | None) -> None:
    frame = system_guess(db, by=by)
    assert {*frame["system"]} <= {*SYSTEMS}
    assert frame.columns[: 1 if by != "game" else 2] == (
        ["game_id", "game"] if by == "game" else [by or "games"]
    )
    if by != "player":
        assert frame["games"].sum() == db.games().height


def test_people(tmp_path: Path) -> None:
    records = [json.loads(json.dumps(line["game"])) for line in golden("real-3p")]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    with connect() as db:
        db.ingest(path, jobs=1)
        assert system_guess(db, by=None)["system"].to_list() == ["h_group"]
        games = system_guess(db)["system"].to_list()
    assert {*games} == {"h_group", "unknown"}
    assert games.count("h_group") > 0.6 * len(games)


def test_a_replay_is_guessed_like_its_game(db: Database) -> None:
    [record] = conventional("sieve", 3, 1)
    [row] = system_guess(replay(record)).to_dicts()
    [game] = db.sql(
        "SELECT game_id FROM games WHERE source = 'sieve' AND players = 3 AND seed = 'p3v0s1'"
    ).rows()
    assert row == next(one for one in system_guess(db).to_dicts() if one["game_id"] == game[0])
    assert row["game"] == "p3v0s1"


def test_short_logs_are_unknown(tmp_path: Path) -> None:
    [record] = conventional("h_group", 3, 1)
    short = [
        GameRecord(players=record.players, deck=record.deck, actions=record.actions[:end]) for end in (0, 9)
    ]
    with stored(tmp_path, short) as db:
        frame = system_guess(db, by=None)
    assert frame["system"].to_list() == ["unknown"]
    assert frame["grounds"].item().startswith("too short to see whether")
    with connect() as db:
        assert system_guess(db).height == 0
        assert system_guess(db, by=None).height == 0


def test_counts_by_hand() -> None:
    # One player discards: of three unclued cards the oldest (order 0), then of two the newest (order 5).
    turn = {"game_id": 1, "seat": 0, "p_trash": 0.2, "p_playable": 0.25, "clued": False}
    gone = {"action": "discard", "result": "discarded"}
    told = {"action": "rank_clue", "result": "clued"}
    turns: list[dict[str, Any]] = [
        {**turn, **gone, "turn": 0, "order": 0, "chop": 0},
        {**turn, **told, "turn": 1, "seat": 1},
        {**turn, **gone, "turn": 2, "order": 5, "chop": 1},
        # Known trash, a clued card, and a card that has no other beside it, are no choice.
        {**turn, **gone, "turn": 4, "order": 6, "chop": 6, "p_trash": 1.0},
        {**turn, **gone, "turn": 6, "order": 2, "chop": 1, "clued": True},
        {**turn, **gone, "turn": 8, "order": 1, "chop": 1},
        # Plays: known; on trust after a clue and long after it; one clued, and wrong.
        {**turn, "turn": 10, "order": 7, "p_playable": 1.0},
        {**turn, **told, "turn": 11, "seat": 1},
        {**turn, "turn": 12, "order": 8},
        {**turn, "turn": 14, "order": 9},
        {**turn, "turn": 16, "order": 10, "clued": True, "result": "misplayed", "p_playable": 0.75},
    ]
    card = {"game_id": 1, "drawn_turn": 0, "suit": 1, "fate": "discarded"}
    cards = [
        {**card, "order": 0, "fate_turn": 0},
        {**card, "order": 1, "fate_turn": 8},
        {**card, "order": 2, "fate_turn": 6, "first_clue_turn": 1},
        # The focus of both clues: a 2 on the chop, before its other copy is played and after it.
        {**card, "order": 3, "fate_turn": 30, "first_clue_turn": 1, "rank": 2, "holder": 1},
        {**card, "order": 5, "drawn_turn": 1, "fate_turn": 2},
        {**card, "order": 6, "drawn_turn": 3, "fate_turn": 4},
        {**card, "order": 20, "drawn_turn": 0, "fate": "played", "fate_turn": 9, "rank": 2, "holder": 1},
    ]
    clue = {"game_id": 1, "giver": 1, "receiver": 0, "focus": 3, "newly_touched": 1, "chop_touched": True}
    clues = [{**clue, "turn": 1}, {**clue, "turn": 11, "trash": 1}]
    game = tables.game(1, "A", "B")
    with tables.database(
        games=[game], seats=tables.seats(1, "A", "B"), turns=turns, cards=cards, clues=clues
    ) as db:
        [row] = system_guess(db, minimum=1).to_dicts()
    assert (row["discards"], row["oldest"], row["leftmost"]) == (2, 1 / 2, 1 / 2)
    assert (row["clues"], row["focus"], row["only_trash"]) == (2, 1 / 2, 1 / 2)
    assert (row["plays"], row["trusted"], row["right"]) == (4, 3 / 4, 2 / 3)
    assert (row["blind"], row["called"]) == (2 / 4, 1 / 2)
    odds = (0.25 + 0.25 + 0.75) / 3
    assert (row["odds"], row["lift"]) == (pytest.approx(odds), pytest.approx((2 / 3 - odds) / (1 - odds)))
    assert row["system"] == "unknown"


def test_variants_and_broken_games_are_taken_as_they_are(tmp_path: Path) -> None:
    with connect() as db:
        db.ingest(sample_folder(), jobs=1)
        frame = system_guess(db)
        assert {*frame["system"]} == {"none", "unknown"}


def test_criteria_exclude_each_other() -> None:
    limits = {
        (name, one.share, one.above): one.threshold for name, criteria in CRITERIA.items() for one in criteria
    }
    # Not both can be more than half: the oldest of several cards is not the newest.
    assert min(limits["h_group", "oldest", True], limits["sieve", "leftmost", True]) >= 0.5
    assert limits["h_group", "blind", False] <= limits["hat_guessing", "blind", True]
    assert limits["hat_guessing", "leftmost", False] <= limits["sieve", "leftmost", True]


def test_other_groups_do_not_exist(db: Database) -> None:
    with pytest.raises(UnknownName, match="one of: game, player"):
        system_guess(db, by="turn")

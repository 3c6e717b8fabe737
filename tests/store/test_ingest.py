"""Ingest: every game once, with the rows that `Replay` gives; what is broken is accounted for."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from hanalyze.errors import HanalyzeError, IllegalAction, LogError
from hanalyze.logs import read, to_json, write
from hanalyze.logs.finding import find_files
from hanalyze.logs.record import GameRecord, Options
from hanalyze.replaying import replay, replay_many
from hanalyze.store import Database, Progress
from hanalyze.store import open as open_database
from hanalyze.store.files import FileReader
from tests.building import game
from tests.store.logs import BROKEN, content, games, log, mixed

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def key_of(db: Database, record: GameRecord) -> int:
    found: int = db.sql("SELECT game_id FROM games WHERE seed = ?", [record.seed]).item()
    return found


def test_the_same_again_stores_nothing_twice(tmp_path: Path) -> None:
    path = log(tmp_path / "games.jsonl", 30)
    with open_database() as db:
        first = db.ingest(path)
        before = content(db)
        second = db.ingest(path)
        assert (first.read, first.stored, first.already_there) == (30, 30, 0)
        assert (second.read, second.stored, second.already_there) == (30, 0, 30)
        for table, frame in content(db).items():
            assert frame.equals(before[table]), table
        assert db.ingests().select("read", "stored", "already_there").rows() == [(30, 30, 0), (30, 0, 30)]


def test_the_same_game_in_another_form_is_recognised(tmp_path: Path) -> None:
    record = games(1)[0]
    plain = to_json(record)
    parsed = json.loads(plain)
    spaced = json.dumps(parsed, indent=1).encode()
    turned = json.dumps(dict(reversed(parsed.items()))).encode()
    dealt = json.dumps({key: value for key, value in parsed.items() if key != "deck"}).encode()
    other = json.dumps(parsed | {"players": ["Alice", "Bob", "Zoe"]}).encode()
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([plain, spaced, turned, dealt, other, plain]))
    with open_database() as db:
        summary = db.ingest(tmp_path / "a.jsonl")
    assert (summary.read, summary.stored, summary.already_there) == (6, 2, 4)


@pytest.mark.compiled
def test_turns_clues_and_cards_are_those_of_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        *games(6, players=2, agent="random"),
        *games(6, players=5),
        *games(4, variant="Rainbow (6 Suits)", seed=100),
        *games(4, variant="Clue Starved (5 Suits)", seed=200, agent="random"),
        *games(2, seed=300, options=Options(starting_player=1, deck_plays=True)),
    ]
    write(records, tmp_path / "games.jsonl")
    monkeypatch.setattr("hanalyze.store.ingest._WORTH_COMPILING", 0)
    with open_database() as db:
        assert db.ingest(tmp_path / "games.jsonl").stored == len(records)
        turns = db.turns().collect()
        rows = db.games()
        seats = db.seats()
        cards = db.cards().collect()
        for record in records:
            key = key_of(db, record)
            one = replay(record)
            mine = turns.filter(game_id=key).drop("game_id").sort("turn")
            assert mine.equals(one.turns.cast(dict(mine.schema)))
            facts = rows.filter(game_id=key)
            assert facts["turns"].item() == one.turn_count
            assert facts["score"].item() == one.score
            assert facts["rating"].item() == one.rating
            assert facts["variant"].item() == one.variant.name
            assert facts["starting_player"].item() == record.options.starting_player
            assert seats.filter(game_id=key).sort("seat")["player"].to_list() == list(record.players)
            deck = cards.filter(game_id=key).sort("order")
            assert deck.select("suit", "rank").rows() == [tuple(card) for card in one.deck]
        clues = turns.filter(pl.col("action").cast(pl.String).str.ends_with("clue"))
        assert db.clues().collect().height == clues.height == rows["clues"].sum()


def test_defects_are_those_of_replay() -> None:
    files = [
        str(SAMPLES / name) for name in ("broken.jsonl", "editions.jsonl", "endings.jsonl", "games.jsonl")
    ]
    errors: list[HanalyzeError] = []
    expected = []
    records = list(read(files, on_error=errors.append))
    for one in replay_many(records, on_error=lambda _, error: errors.append(error)):
        expected += [(defect.rule.label, defect.turn, defect.seat, defect.found) for defect in one.defects]
    with open_database() as db:
        summary = db.ingest(files)
        found = db.defects().select(pl.col("rule").cast(pl.String), "turn", "seat", "found").rows()
        assert db.games()["defects"].sum() == len(expected)
    assert sorted(found, key=repr) == sorted(expected, key=repr)
    assert summary.rejected == len(errors)
    assert summary.read == summary.stored + summary.already_there + summary.rejected


def check_mixed(path: Path, sound: int, broken: int) -> None:
    errors: list[HanalyzeError] = []
    records = list(read(path, on_error=errors.append))
    list(replay_many(records, on_error=lambda _, error: errors.append(error)))
    with open_database() as db:
        summary = db.ingest(path)
        assert (summary.read, summary.stored, summary.rejected) == (sound + broken, sound, broken)
        rejects = db.rejects()
        assert sorted(zip(rejects["line"], rejects["rule"], rejects["message"], strict=True)) == sorted(
            (error.line, error.rule, error.message) for error in errors
        )
        assert rejects["message"].null_count() == 0
        again = db.ingest(path)
        assert (again.stored, again.already_there, again.rejected) == (0, sound, broken)
        assert db.rejects().height == broken


def test_broken_logs_are_accounted_for(tmp_path: Path) -> None:
    check_mixed(mixed(tmp_path / "mixed.jsonl", 190, 30), 190, 30)


@pytest.mark.heavy
@pytest.mark.compiled
def test_many_broken_logs_are_accounted_for(tmp_path: Path) -> None:
    check_mixed(mixed(tmp_path / "mixed.jsonl", 9_500, 500), 9_500, 500)


@pytest.mark.parametrize("kind", BROKEN)
def test_each_kind_of_broken_log_is_one_reject(tmp_path: Path, kind: str) -> None:
    good, bad = (to_json(record) for record in games(2))
    (tmp_path / "a.jsonl").write_bytes(BROKEN[kind](bad) + b"\n" + good + b"\n")
    with open_database() as db:
        summary = db.ingest(tmp_path / "a.jsonl")
        assert (summary.stored, summary.rejected) == (1, 1)
        with pytest.raises(HanalyzeError) as caught:
            db.ingest(tmp_path / "a.jsonl", strict=True)
        assert "\n" not in str(caught.value)


def test_folders_patterns_arrays_and_gzip(tmp_path: Path) -> None:
    records = games(12)
    (tmp_path / "in" / "deep").mkdir(parents=True)
    write(records[:3], tmp_path / "in" / "a.jsonl")
    write(records[3:6], tmp_path / "in" / "deep" / "b.jsonl.gz")
    array = b"[" + b",\n".join(map(to_json, records[6:9])) + b"]"
    (tmp_path / "in" / "deep" / "c.JSON").write_bytes(array)
    (tmp_path / "in" / "d.json.gz").write_bytes(
        gzip.compress(json.dumps(json.loads(to_json(records[9]))).encode())
    )
    (tmp_path / "in" / "notes.txt").write_text("nothing")
    (tmp_path / "e.txt").write_bytes(
        b"\xef\xbb\xbf\r\n" + to_json(records[10]) + b"\r\n\r\n" + to_json(records[11])
    )
    with open_database() as db:
        assert db.ingest([tmp_path / "in"]).stored == 10
        assert db.ingest(str(tmp_path / "*.txt")).stored == 2
        assert db.ingest([tmp_path / "in", tmp_path / "in" / "a.jsonl"]).read == 10
        assert sorted(db.games()["seed"]) == sorted(str(record.seed) for record in records)


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no log in this folder"):
        find_files([tmp_path])
    with pytest.raises(LogError, match="nothing fits"):
        find_files([str(tmp_path / "*.jsonl")])
    with open_database() as db:
        assert db.ingest(tmp_path / "none.jsonl").rejected == 1
        assert db.rejects()["rule"].to_list() == ["no_file"]


def test_strict_stops_at_a_broken_rule(tmp_path: Path) -> None:
    write([*games(3), game("play 30")], tmp_path / "a.jsonl")
    with open_database() as db:
        with pytest.raises(IllegalAction, match=r"line 4, .*turn 0"):
            db.ingest(tmp_path / "a.jsonl", strict=True)
        assert db.games().height == 0
        assert db.ingest(tmp_path / "a.jsonl").with_defects == 1


def test_names_are_bound_and_not_part_of_a_statement(tmp_path: Path) -> None:
    names = ("Robert'); DROP TABLE games;--", '"; SELECT 1', "a\0b\x1b[31m{}%s?$1")
    record = games(1)[0]
    write(
        [GameRecord(players=names, deck=record.deck, actions=record.actions, seed="'; --")],
        tmp_path / "a'.jsonl",
    )
    with open_database() as db:
        db.ingest(tmp_path / "a'.jsonl")
        assert db.seats().sort("seat")["player"].to_list() == list(names)
        assert db.sql("SELECT count(*) FROM seats WHERE player = ?", [names[0]]).item() == 1
        assert db.games()["seed"].to_list() == ["'; --"]


def test_progress_ends_at_the_end(tmp_path: Path) -> None:
    path = log(tmp_path / "games.jsonl", 40)
    seen: list[Progress] = []
    with open_database() as db:
        db.ingest(path, on_progress=seen.append)
    assert seen[-1].games == 40
    assert seen[-1].done == seen[-1].total == path.stat().st_size


@pytest.mark.compiled
def test_pieces_and_threads_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = mixed(tmp_path / "mixed.jsonl", 60, 15)
    monkeypatch.setattr("hanalyze.store.ingest._WORTH_COMPILING", 0)
    with open_database() as db:
        db.ingest(path, jobs=1)
        expected = content(db)
    for size in (300, 5_000, 40_000):
        monkeypatch.setattr("hanalyze.store.files._PIECE_BYTES", size)
        monkeypatch.setattr("hanalyze.store.ingest._GAMES_A_CHECKPOINT", 17)
        with open_database() as db:
            db.ingest(path, jobs=3)
            for table, frame in content(db).items():
                assert frame.equals(expected[table]), (size, table)


@pytest.mark.compiled
def test_the_quick_way_reads_what_the_ordinary_way_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = mixed(tmp_path / "mixed.jsonl", 60, 15)
    odd = [
        b'{"players":["A","B"],"actions":[{"type":3,"target":1}],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[{"type":0,"target":1,"type":1}],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[{"type":0,"target":1.0}],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[{"type":0,"target":01}],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[{"type":0,"target":1},],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[{"type":0,"target":1,"x":1}],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[{"type":0,"target":1}] ,"deck":null,"seed":"p2v0s1"} ',
        b'{"players":["A","B"],"actions":[ { "type" : 1 , "target" :\t2 } ],"seed":7,"shuffle":"hle"}',
        b'{"players":["A","B"],"actions":[],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":null,"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[],"deck":[],"seed":"p2v0s1"}',
        b'{"players":["A","B"],"actions":[],"seed":"x","shuffle":"hle"}',
        b'{"players":["A","B"],"actions":[{"type":5,"target":-1,"value":10}],"seed":"p2v0s2","first_player":1}',
        b'{"players":["A","B"],"actions":[{"type":0,"target":99999999999}],"seed":"p2v0s3"}',
    ]
    with path.open("ab") as file:
        file.write(b"\n".join(odd))
    monkeypatch.setattr("hanalyze.store.ingest._WORTH_COMPILING", 0)
    with open_database() as db:
        db.ingest(path)
        quick = content(db)
    monkeypatch.setattr("hanalyze.store.ingest.can_compile", lambda: False)
    with open_database() as db:
        db.ingest(path)
        for table, frame in content(db).items():
            assert frame.equals(quick[table]), table
    errors: list[LogError] = []
    assert len(list(read(path, on_error=errors.append))) + len(errors) == 60 + 15 + len(odd)
    assert quick["rejects"].height == 15 + 7


def test_segments_keep_lines_and_order(tmp_path: Path) -> None:
    path = mixed(tmp_path / "mixed.jsonl", 40, 10)
    text = b"".join(segment.text for piece in FileReader([str(path)]).pieces() for segment in piece)
    assert text == path.read_bytes()

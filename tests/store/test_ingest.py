"""Ingest: every game once, with the rows that `Replay` gives; what is broken is accounted for."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hanalyze.errors import HanalyzeError, IllegalAction, LogError
from hanalyze.kernels.compiling import can_compile
from hanalyze.logs import read, to_json, write
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.record import GameRecord, Options
from hanalyze.logs.sources.file_search import find_files
from hanalyze.replaying import replay, replay_many
from hanalyze.store import Database, Progress, connect
from hanalyze.store.files import FileReader
from tests.building import game
from tests.store.logs import BROKEN, content, games, log, mixed

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def key_of(db: Database, record: GameRecord) -> int:
    found: int = db.sql("SELECT game_id FROM games WHERE seed = ?", [record.seed]).item()
    return found


def test_the_same_again_stores_nothing_twice(tmp_path: Path) -> None:
    path = log(tmp_path / "games.jsonl", 30)
    with connect() as db:
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
    with connect() as db:
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
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: can_compile())
    with connect() as db:
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
    with connect() as db:
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
    with connect() as db:
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
@pytest.mark.parametrize("hundreds", [20, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_many_broken_logs_are_accounted_for(tmp_path: Path, hundreds: int) -> None:
    sound, broken = 95 * hundreds, 5 * hundreds
    check_mixed(mixed(tmp_path / "mixed.jsonl", sound, broken), sound, broken)


@pytest.mark.parametrize("kind", BROKEN)
def test_each_kind_of_broken_log_is_one_reject(tmp_path: Path, kind: str) -> None:
    good, bad = (to_json(record) for record in games(2))
    (tmp_path / "a.jsonl").write_bytes(BROKEN[kind](bad) + b"\n" + good + b"\n")
    with connect() as db:
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
    with connect() as db:
        assert db.ingest([tmp_path / "in"]).stored == 10
        assert db.ingest(str(tmp_path / "*.txt")).stored == 2
        assert db.ingest([tmp_path / "in", tmp_path / "in" / "a.jsonl"]).read == 10
        assert sorted(db.games()["seed"]) == sorted(str(record.seed) for record in records)


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no log in this folder"):
        find_files([tmp_path])
    with pytest.raises(LogError, match="no file matches it"):
        find_files([str(tmp_path / "*.jsonl")])
    with connect() as db:
        assert db.ingest(tmp_path / "none.jsonl").rejected == 1
        assert db.rejects()["rule"].to_list() == ["no_file"]


def test_strict_stops_at_a_broken_rule(tmp_path: Path) -> None:
    write([*games(3), game("play 30")], tmp_path / "a.jsonl")
    with connect() as db:
        with pytest.raises(IllegalAction, match=r"line 4, .*turn 1"):
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
    with connect() as db:
        db.ingest(tmp_path / "a'.jsonl")
        assert db.seats().sort("seat")["player"].to_list() == list(names)
        assert db.sql("SELECT count(*) FROM seats WHERE player = ?", [names[0]]).item() == 1
        assert db.games()["seed"].to_list() == ["'; --"]


def test_progress_ends_at_the_end(tmp_path: Path) -> None:
    path = log(tmp_path / "games.jsonl", 40)
    seen: list[Progress] = []
    with connect() as db:
        db.ingest(path, on_progress=seen.append)
    assert seen[-1].games == 40
    assert seen[-1].done == seen[-1].total == path.stat().st_size


@pytest.mark.heavy
@pytest.mark.compiled
def test_pieces_and_threads_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = mixed(tmp_path / "mixed.jsonl", 60, 15)
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: can_compile())
    with connect() as db:
        db.ingest(path, jobs=1)
        expected = content(db)
    for size in (300, 5_000, 40_000):
        monkeypatch.setattr("hanalyze.store.files._PIECE_BYTES", size)
        monkeypatch.setattr("hanalyze.store.ingest._GAMES_A_CHECKPOINT", 17)
        with connect() as db:
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
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: can_compile())
    with connect() as db:
        db.ingest(path)
        quick = content(db)
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: False)
    with connect() as db:
        db.ingest(path)
        for table, frame in content(db).items():
            assert frame.equals(quick[table]), table
    errors: list[LogError] = []
    assert len(list(read(path, on_error=errors.append))) + len(errors) == 60 + 15 + len(odd)
    assert quick["rejects"].height == 15 + 7


REPEATED = [
    # (what stands before the last `actions`, the last `actions`)
    ('"actions":[{"type":0}],"players":["A","B","C"],"seed":"p3v0s5"', '[{"type":0,"target":49,"value":0}]'),
    ('"actions":[{"type":0}],"players":["A","B","C"],"seed":"p3v0s6"', '[{"type":0,"target":4,"value":0}]'),
    ('"actions":{"a":[]},"players":["A","B","C"],"seed":"p3v0s7"', "[]"),
    ('"\\u0061ctions":[7],"players":["A","B","C"],"seed":"p3v0s8"', "[]"),
    ('"deck":[7],"players":["A","B","C"],"seed":"p3v0s9","deck":null', "[]"),
    ('"deck":[7],"players":["A","B","C"],"seed":"p3v0s10","dec\\u006b":null', "[]"),
    ('"actions":[],"players":["A","B","C"],"seed":"p3v0s11"', '[{"type":0,"target":4,"value":0}]'),
]
"""Games with a key that stands twice; of all but the last the earlier one is none that a game can have."""


@pytest.mark.compiled
@pytest.mark.parametrize("fast", [False, True])
def test_a_key_that_stands_twice_is_read_alike_at_both_speeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fast: bool
) -> None:
    path = log(tmp_path / "games.jsonl", 3)
    with path.open("ab") as file:
        for before, actions in REPEATED:
            file.write(f'{{{before},"actions":{actions}}}\n'.encode())
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: fast and can_compile())
    with connect() as db:
        summary = db.ingest(path)
        assert (summary.stored, summary.rejected, summary.with_defects) == (4, 6, 0)
        assert db.rejects().sort("line")["line"].to_list() == [4, 5, 6, 7, 8, 9]


@pytest.mark.compiled
@pytest.mark.parametrize("fast", [pytest.param(False, marks=pytest.mark.heavy), True])
def test_a_game_has_no_more_actions_than_turns_are_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fast: bool
) -> None:
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: fast and can_compile())
    # The same table each time: what is known of it must not hide the number of actions. Nobody holds a 1.
    game = {"players": ["A", "B"], "seed": "p2v0s2", "score": 7}
    clues = [{"type": 3, "target": turn % 2, "value": 1} for turn in range(1, 32_769)]
    lines = [json.dumps(game | {"actions": clues[:count]}) for count in (0, 32_767, 32_768)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    with connect() as db:
        assert db.ingest(tmp_path / "a.jsonl").stored == 2
        assert db.rejects()["message"].to_list() == ["32768 actions, but a log can have at most 32767"]
        # Each action, and the score of the log as a whole.
        assert sorted(db.games()["defects"]) == [1, 32_768]


@pytest.mark.compiled
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("jobs", [1, 4])
def test_of_equal_games_the_first_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fast: bool, jobs: int
) -> None:
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: fast and can_compile())
    monkeypatch.setattr("hanalyze.store.files._PIECE_BYTES", 300)
    first = '{"players":["A","B"],"actions":[],"seed":"p2v0s%d","score":7,"deck":null,"actions":[]}\n'
    later = '{"players":["A","B"],"actions":[],"seed":"p2v0s%d"}\n'
    path = tmp_path / "games.jsonl"
    path.write_text("".join(first % n for n in range(50)) + "".join(later % n for n in range(50)))
    with connect() as db:
        assert db.ingest(path, jobs=jobs).already_there == 50
        assert db.defects()["rule"].cast(pl.String).to_list() == ["score_differs"] * 50


def test_every_number_of_64_bits_may_be_an_id(tmp_path: Path) -> None:
    ids = [-(2**63), 2**63 - 1, -1, 0, None]
    write([GameRecord(players=("A", "B"), seed="p2v0s1", id=one) for one in ids], tmp_path / "a.jsonl")
    with connect() as db:
        assert db.ingest(tmp_path / "a.jsonl").stored == 5
        assert sorted(db.games()["source_id"].to_list(), key=str) == sorted(ids, key=str)
    with connect() as db:
        (tmp_path / "b.jsonl").write_bytes(to_json(GameRecord(players=("A", "B"), seed="p2v0s1")))
        db.ingest(tmp_path / "b.jsonl")
        assert db.games()["source_id"].to_list() == [None]


def test_segments_keep_lines_and_order(tmp_path: Path) -> None:
    path = mixed(tmp_path / "mixed.jsonl", 40, 10)
    text = b"".join(segment.text for piece in FileReader([str(path)]).pieces() for segment in piece)
    assert text == path.read_bytes()


# --- what is damaged, endless, or too much -----------------------------------------------------------------


def test_every_game_before_the_damage_is_kept(tmp_path: Path) -> None:
    records = games(40)
    lines = [to_json(record) + b"\n" for record in records]
    packed = gzip.compress(b"".join(lines))
    end = len(gzip.compress(b"".join(lines[:30])))
    for name, data, rule in [
        ("cut.gz", packed[:end], "truncated"),
        ("sum.gz", packed[:-8] + b"\0" * 8, "bad_gzip"),
        ("more.gz", packed + b"rubbish", "bad_gzip"),
        ("array.gz", gzip.compress(b"[" + b",".join(lines) + b"]") + b"rubbish", "bad_gzip"),
    ]:
        (tmp_path / name).write_bytes(data)
        errors: list[HanalyzeError] = []
        whole = len(list(read(tmp_path / name, on_error=errors.append)))
        assert whole == 40 or (name == "cut.gz" and 25 < whole < 40)
        with connect() as db:
            summary = db.ingest(tmp_path / name)
            assert (summary.stored, summary.rejected) == (whole, 1), name
            assert db.rejects().select("rule", "line").rows() == [(rule, None)]
            assert db.ingests()["digest"].to_list() == [None]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]) -> None:
    data = b"".join(to_json(record) + b"\n" for record in games(5))
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[pack(data)])
    writer.start()
    # So few games are not worth compiling the engine for.
    monkeypatch.setattr("hanalyze.store.ingest.compiled", None)
    with connect() as db:
        summary = db.ingest(path, strict=True)
        assert (summary.stored, summary.rejected) == (5, 0)
    writer.join()
    command = 'hanalyze ingest --strict --db "$1" /dev/stdin <(cat "$2")'
    (tmp_path / "a.jsonl").write_bytes(pack(data))
    (tmp_path / "b.jsonl").write_bytes(b"".join(to_json(record) + b"\n" for record in games(3, seed=50)))
    with subprocess.Popen(["cat", tmp_path / "a.jsonl"], stdout=subprocess.PIPE) as source:
        ran = subprocess.run(
            ["bash", "-c", command, "bash", tmp_path / "a.duckdb", tmp_path / "b.jsonl"],
            stdin=source.stdout,
            capture_output=True,
            text=True,
            env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("8 games read: 8 stored (0 with defects), 0 already there, 0 rejected")


@pytest.mark.compiled
@pytest.mark.parametrize("fast", [False, True])
def test_rejects_are_listed_up_to_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fast: bool
) -> None:
    monkeypatch.setattr("hanalyze.logs.sources.streams.LISTED", 20)
    monkeypatch.setattr("hanalyze.store.unit_of_work.LISTED", 20)
    monkeypatch.setattr("hanalyze.store.ingest.pays_off", lambda *_: fast and can_compile())
    monkeypatch.setattr("hanalyze.store.files._PIECE_BYTES", 1000)
    sound = [to_json(record) + b"\n" for record in games(4)]
    unknown = to_json(GameRecord(players=("A", "B"), seed="x", edition="none")) + b"\n"
    (tmp_path / "a.jsonl").write_bytes(sound[0] + b"{\n" * 3000 + sound[1] + unknown * 30 + sound[2])
    (tmp_path / "b.jsonl").write_bytes(b"{\n" * 7 + sound[3])
    found = []
    for jobs in (1, 3):
        with connect() as db:
            summary = db.ingest([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], jobs=jobs)
            assert (summary.read, summary.stored, summary.rejected) == (3041, 4, 3037)
            rejects = db.rejects().sort("file", "line", nulls_last=True)
            found.append(rejects)
            assert rejects["line"].to_list() == [*range(2, 22), None, *range(1, 8)]
            assert rejects["rule"][20] == "unlisted"
            assert rejects["message"][20] == "3,010 more games could not be read; 20 are listed"
            db.ingest([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], jobs=jobs)
            assert db.rejects().height == 28
    assert found[0].equals(found[1])


@pytest.mark.parametrize(
    "damage", ["rubbish behind", "cut within a line", "cut within a game", "cut within an array"]
)
def test_damage_is_said_after_more_errors_than_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr("hanalyze.logs.sources.streams.LISTED", 20)
    monkeypatch.setattr("hanalyze.store.unit_of_work.LISTED", 20)
    [sound] = [to_json(record) + b"\n" for record in games(1)]
    packer = zlib.compressobj(wbits=31)
    rubbish = {"rubbish behind": b"{}\n", "cut within an array": b",{}\n"}.get(damage, b"{\n")
    begin = b"[" * (damage == "cut within an array")
    data = packer.compress(begin + sound + rubbish * 50 + b'{"players":' * (damage == "cut within a line"))
    data += packer.flush(zlib.Z_SYNC_FLUSH)
    if damage == "rubbish behind":
        data += packer.flush() + b"rubbish"
    (tmp_path / "a.gz").write_bytes(data)
    errors: list[HanalyzeError] = []
    assert len(list(read(tmp_path / "a.gz", on_error=errors.append))) == 1
    rule = "bad_gzip" if damage == "rubbish behind" else "truncated"
    assert [error.rule for error in errors[20:]] == ["unlisted", rule]
    counted = 29 if damage == "cut within a game" else 30
    assert errors[20].message == f"{counted} more games could not be read; 20 are listed"
    with connect() as db:
        summary = db.ingest(tmp_path / "a.gz")
        assert (summary.stored, summary.rejected) == (1, counted + 21)
        rejects = db.rejects()
        assert rejects.height == 22
        assert set(rejects.filter(pl.col("line").is_null()).select("rule", "message").rows()) == {
            ("unlisted", errors[20].message),
            (rule, errors[21].message),
        }


def test_a_file_of_rubbish_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanalyze.store.unit_of_work.PATIENCE", 5000)
    monkeypatch.setattr("hanalyze.store.files._PIECE_BYTES", 1000)
    sound = [to_json(record) + b"\n" for record in games(2)]
    with gzip.open(tmp_path / "a.gz", "wb") as file:
        file.write(sound[0])
        for _ in range(100):
            file.write(b"{\n" * 100_000)
    (tmp_path / "b.jsonl").write_bytes(sound[1])
    with connect() as db:
        summary = db.ingest([tmp_path / "a.gz", tmp_path / "b.jsonl"])
        assert summary.stored == 2
        assert summary.rejected < 20_000
        message = db.sql("SELECT message FROM rejects WHERE rule = 'given_up'").item()
        assert message.startswith("the rest of the file was not read after 5,")


def test_a_game_with_very_many_defects_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {
        "players": ["A", "B"],
        "seed": "p2v0s1",
        "actions": [{"type": 9, "target": 0, "value": 0}] * 20_000,
    }
    path = log(tmp_path / "games.jsonl", 3)
    with path.open("ab") as file:
        file.write(json.dumps(broken).encode() + b"\n")
    texts: list[bytes] = []
    decode = hanab_live.decode

    def counted(text: bytes, *place: Any) -> GameRecord:
        texts.append(text)
        return decode(text, *place)

    monkeypatch.setattr(hanab_live, "decode", counted)
    with connect() as db:
        summary = db.ingest(path)
        assert (summary.stored, summary.with_defects) == (4, 1)
        assert db.defects()["found"][0] == "A, action type 9"
    assert len(texts) <= 4


def test_texts_about_rejects_are_cut(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(
        to_json(GameRecord(players=("A", "B"), seed="x" * 10_000_000, variant="y" * 1_000_000))
    )
    with connect() as db:
        assert db.ingest(tmp_path / "a.json").rejected == 1
        [(game, message)] = db.sql("SELECT game, message FROM rejects").rows()
    assert (len(game), game[-2:]) == (1000, "x…")
    assert len(message) <= 1000


def test_a_folder_that_may_not_be_searched_is_a_reject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shut").mkdir()
    log(tmp_path / "a.jsonl", 2)
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with connect() as db:
        assert db.ingest(tmp_path).stored == 2
        assert db.rejects().select("file", "rule").rows() == [(f"{tmp_path}/shut", "no_permission")]

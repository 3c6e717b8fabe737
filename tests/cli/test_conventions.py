"""`hanalyze conventions`, end to end: one game, many games, a list, definitions, wrong usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanalyze.game.meanings import Convention
from hanalyze.logs import GameRecord
from hanalyze.store import connect
from tests.cli.running import hanalyze, saved
from tests.store.logs import log

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def test_one_game() -> None:
    ran = hanalyze("conventions", SAMPLES / "game.json")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "game p3v0s7, read up to level 25"
    # Bob holds g1 at slot 5, which fits: the clue calls it, and he plays it at once.
    assert lines[1] == "turn 1, Alice clues Bob 1: play clue: Bob's g1; worked on turn 2"
    assert lines[2].startswith("turn 2, Bob plays g1: ")
    turns = [int(line.split(",")[0].removeprefix("turn ")) for line in lines[1:]]
    assert sorted(set(turns)) == list(range(1, max(turns) + 1))


def test_a_level(tmp_path: Path) -> None:
    ran = hanalyze("conventions", SAMPLES / "game.json", "--level", 1, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert {row["level"] for row in rows} == {1}
    assert hanalyze("conventions", SAMPLES / "game.json", "--level", 26).code == 2


@pytest.mark.heavy
def test_many_games(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    first = hanalyze(
        "ingest", log(tmp_path / "games.jsonl", 20), "--db", path, "--conventions", "--level", 11
    )
    assert "20 games read for conventions up to level 11" in first.out
    ran = hanalyze("conventions", path, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    with connect(path, read_only=True) as db:
        uses = dict(db.sql("SELECT convention::VARCHAR, count(*) FROM findings GROUP BY ALL").rows())
        assert db.sql("SELECT DISTINCT level FROM convention_games").item() == 11
    assert {row["convention"]: row["uses"] for row in rows} == uses
    table = hanalyze("conventions", path, "--by", "players", "--convention", "play-clue").out.splitlines()
    assert table[0].split()[:3] == ["players", "convention", "uses"]
    assert table[1].split()[:2] == ["3", "play_clue"]
    assert "20 games, " in table[2]
    assert "% unexplained" in table[2]


def test_a_database_is_read_when_it_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 4))
    listed = hanalyze("conventions", path, "--convention", "play_clue", "--list", 3).out.splitlines()
    assert len(listed) == 3
    assert all(line.startswith("game p3v0s") and ": play clue: " in line for line in listed)
    with connect(path, read_only=True) as db:
        assert db.sql("SELECT count(*) FROM convention_games").item() == 4


@pytest.mark.parametrize("command", ["conventions", "mistakes"])
def test_where_no_game_can_be_read_that_is_all_that_is_said(tmp_path: Path, command: str) -> None:
    file = tmp_path / "cut.json"
    file.write_text('{"players":["a"],')
    ran = hanalyze(command, file)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"hanalyze: {file}, line 1: the text ends in the middle of the game")
    assert ran.err.count("\n") == 1


def test_logs_without_a_game_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    for text in ("[]", "", "\n"):
        file.write_text(text)
        ran = hanalyze("conventions", file)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), text


def test_a_database_without_a_game(tmp_path: Path) -> None:
    file = tmp_path / "empty.duckdb"
    connect(file).close()
    ran = hanalyze("conventions", file)
    assert (ran.code, ran.err) == (2, f"hanalyze: {file}: the database has no games\n")


def test_games_without_an_action(tmp_path: Path) -> None:
    games = [GameRecord(players=("A", "B"), seed=f"p2v0s{number}") for number in (1, 2)]
    ran = hanalyze("conventions", saved(tmp_path, *games))
    assert (ran.code, ran.err) == (0, "")
    assert "2 games, 0 actions, read up to level 25\n" in ran.out


def test_what_conventions_are() -> None:
    one = hanalyze("conventions", "--explain", "five-stall").out
    assert one.startswith("five_stall (level 2): ")
    _, example, page = one.splitlines()
    assert example.startswith("example: ")
    assert page == "H-Group: https://hanabi.github.io/level-2#the-5-stall-cluing-off-chop-5s"
    every = hanalyze("conventions", "--explain", "all").out.splitlines()
    assert [line.split()[0] for line in every] == [one.label for one in Convention]


@pytest.mark.parametrize(
    ("arguments", "said", "comment"),
    [
        ([], "no games were given; give a database, or logs", "nothing"),
        (["none.json"], "none.json: there is no such file", "no file"),
        (["none.json", "--convention", "finese"], 'did you mean "finesse" or', "a slip"),
        (["--explain", "bluf"], 'did you mean "bluff"?', "a slip"),
        ([SAMPLES / "games.jsonl", "--by", "turn"], 'there is no grouping "turn"', "no grouping"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, comment: str) -> None:
    ran = hanalyze("conventions", *arguments)
    assert ran.code == 2, comment
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_level_without_conventions(tmp_path: Path) -> None:
    ran = hanalyze("ingest", SAMPLES / "game.json", "--db", tmp_path / "g.duckdb", "--level", 3)
    assert ran.code == 2
    assert "--level is for conventions" in ran.err


@pytest.mark.heavy
def test_games_of_no_system_can_be_left_out(tmp_path: Path) -> None:
    path = log(tmp_path / "games.jsonl", 30, agent="random")
    every = hanalyze("conventions", path)
    assert "guessed system per game: " in every.out
    assert "none " in every.out
    kept = hanalyze("conventions", path, "--system", "guess")
    assert (kept.code, kept.err) == (0, "")
    [line] = [line for line in kept.out.splitlines() if "games left out: guessed to follow" in line]
    assert 0 < int(line.split()[0]) <= 30


DETECTOR = """
from hanalyze.detectors import Finding, detector


@detector("fives", "1", actions={"clue"})
def fives(turn):
    if turn.turn == 5:
        raise ValueError("five\\x1b[31m")
    yield Finding("a clue\\x1b[31m", cards=turn.newly_touched)
"""


@pytest.mark.heavy
def test_detectors_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "fives.py"
    file.write_text(DETECTOR)
    ran = hanalyze("conventions", SAMPLES / "game.json", "--detectors", file)
    assert ran.code == 0
    assert "\x1b" not in ran.out + ran.err
    # An error in a detector is one line that names it; the rest stands.
    assert ran.err.count("\n") == 1
    assert "detector fives: " in ran.err
    assert "turn 6" in ran.err
    found = [line for line in ran.out.splitlines() if ", fives: a clue" in line]
    assert len(found) > 10
    many = hanalyze("conventions", SAMPLES / "games.jsonl", "--detectors", file, "--min", 5)
    assert [line.split()[0] for line in many.out.splitlines() if line.startswith("fives")] == ["fives"]
    broken = tmp_path / "broken.py"
    broken.write_text("def (")
    ran = hanalyze("conventions", SAMPLES / "game.json", "--detectors", broken)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "broken.py" in ran.err


NAMED = """
from hanalyze.detectors import Finding, detector


@detector("touching", "1", actions={"clue"})
def touching(turn):
    yield Finding("touching", cards=turn.newly_touched)
    if turn.turn == 0:
        yield Finding("the first clue")
"""


def test_a_finding_of_ones_own_has_its_name_once_its_player_and_its_cards(tmp_path: Path) -> None:
    file = tmp_path / "touching.py"
    file.write_text(NAMED)
    lines = hanalyze("conventions", SAMPLES / "game.json", "--detectors", file).out.splitlines()
    found = [line for line in lines if "touching" in line]
    # On turn 1 Alice clues Bob rank 1, which touches g1 alone (as the board before turn 2 shows).
    assert found[:2] == ["turn 1, Alice, touching: Bob's g1", "turn 1, Alice, touching: the first clue"]
    assert not [line for line in found if line.count("touching") > 1]


@pytest.mark.heavy
def test_json_says_what_the_text_says(tmp_path: Path) -> None:
    file = tmp_path / "touching.py"
    file.write_text(NAMED)
    text, ran = (
        hanalyze("conventions", SAMPLES / "game.json", "--detectors", file, *options)
        for options in ([], ["--json"])
    )
    rows = [json.loads(line) for line in ran.lines]
    assert [row["text"] for row in rows] == text.lines[1:]
    assert all(row["players"] == ["Alice", "Bob", "Cathy"] and row["game"] == "p3v0s7" for row in rows)
    own = [row for row in rows if "detector" in row]
    # g1 has order 8: the fourth card that Bob was dealt.
    first = {"turn": 0, "number": 0, "seat": 0, "detector": "touching", "version": "1", "label": "touching"}
    assert own[0].items() >= first.items()
    assert own[0]["cards"] == [8, -1, -1, -1, -1, -1]
    assert own[1]["label"] == "the first clue"
    assert own[1]["reasons"] == []
    # So do the numbers of several games; what a convention is chosen for has no other rows.
    several = tmp_path / "games.jsonl"
    several.write_text("".join((SAMPLES / "games.jsonl").read_text("utf-8").splitlines(keepends=True)[:2]))
    text, ran = (
        hanalyze("conventions", several, "--detectors", file, "--min", 1, *options)
        for options in ([], ["--json"])
    )
    numbers = [row for row in map(json.loads, ran.lines) if "detector" in row]
    assert [(row["detector"], row["label"]) for row in numbers] == [
        ("touching", "the first clue"),
        ("touching", "touching"),
    ]
    for row in numbers:
        [line] = [
            line for line in text.lines if line.startswith("touching  1  ") and row["label"] in line[10:]
        ]
        assert f" {row['uses']:,} " in line
    chosen = hanalyze(
        "conventions", SAMPLES / "game.json", "--detectors", file, "--json", "--convention", "play_clue"
    )
    assert all("convention" in json.loads(line) for line in chosen.lines)


@pytest.mark.parametrize(
    "options",
    [
        [],
        pytest.param(["--json"], marks=pytest.mark.heavy),
        pytest.param(["--level", 2], marks=pytest.mark.heavy),
        ["--convention", "play_clue", "--list", 3],
    ],
)
def test_one_game_is_the_same_in_a_database(options: list[str | int], tmp_path: Path) -> None:
    """A log with one game is read without a database; one with it says the same."""
    file = tmp_path / "touching.py"
    file.write_text(NAMED)
    path = tmp_path / "game.duckdb"
    with connect(path) as db:
        db.ingest(SAMPLES / "game.json")
    alone, stored = (
        hanalyze("conventions", one, *options, "--detectors", file) for one in (SAMPLES / "game.json", path)
    )
    assert alone == stored
    assert (alone.code, alone.err) == (0, "")
    assert len(alone.lines) > 3

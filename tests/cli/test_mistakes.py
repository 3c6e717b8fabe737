"""`hanalyze mistakes`, end to end: one game, many games, a definition, strangers' names, wrong usage."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.game.actions import Action
from hanalyze.logs import load
from hanalyze.logs.record import GameRecord
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.lists import entries
from hanalyze.store import connect
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import BLAMELESS
from tests.cli.running import hanalyze, saved
from tests.store.logs import games, log

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def test_one_game() -> None:
    """The sample game, looked through by hand."""
    ran = hanalyze("mistakes", SAMPLES / "game.json")
    assert (ran.code, ran.err) == (0, "")
    parts = ran.out.split("\n\n")
    assert parts[0] == (
        "Game p3v0s7, No Variant: 19 of 25: save missed on turns 16 and 22 (3 points),"
        " out of pace on turns 57 and 59 (3 points)."
    )
    # Alice's and Cathy's plays are eight and three; nobody misplayed.
    assert [line.split()[:5] for line in parts[1].splitlines()[1:]] == [
        ["Alice", "8", "0", "3", "3"],
        ["Bob", "8", "0", "2", "1"],
        ["Cathy", "3", "0", "1", "1"],
    ]
    # Cathy's chop was b5 from turn 15 on, and Alice clued something else on turn 16.
    assert parts[2].splitlines()[0] == "Turn 16, Alice: left b5 unsaved (1 point)"
    assert parts[2].splitlines()[2] == "  Better: clue Cathy 5: b5, five save"
    assert parts[3].startswith("Turn 22, Alice: left b3 unsaved (2 points)\n")
    # Cathy discarded at pace 0 on turn 57.
    assert parts[5].startswith("Turn 57, Cathy: discarded at zero pace (1 point, 1 pace)\n")
    # Both called 3s are 97% likely to be playable, and Cathy plays the older one first.
    assert parts[5].endswith("  Better: play slot 2 (called; 97% likely to be playable)")
    # A clue would have kept a turn, and so two points: Bob knows that his 4s are r4 and p4.
    assert parts[6].startswith("Turn 59, Bob: discarded at negative pace (2 points, 1 pace)\n")
    # On turn 27 Cathy could not know that the other r2 was in the deck, where it came in time.
    assert parts[7] == "Blameless moves: could not know (turns 15, 18 and 24). List them with --all."
    assert "Luck: +0.6 points. The plays and discards lost 0 points, " in parts[-1]
    assert ran.lines[-1] == (
        "With all cards open, the most that this deal allowed was 25; it was lost on turn 18 by Cathy"
        " (the discard of b5)."
    )
    assert "all cards open" not in hanalyze("mistakes", SAMPLES / "game.json", "--json").out
    every = hanalyze("mistakes", SAMPLES / "game.json", "--all").out.split("\n\n")
    # Cathy had no token on turn 15, and other cards were safer than r4, whose other copy was in the deck.
    assert every[2].startswith("Turn 15, Cathy: left the last r4 in the deck (could not know)\n")
    # The worst of several comes first.
    [unsaved] = [entry for entry in every if entry.startswith("Turn 18, Cathy: ")]
    assert unsaved.startswith("Turn 18, Cathy: threw away the last b5 (could not know)\n  By chance: ")
    assert "; Alice left it unsaved on turn 16\n" in unsaved
    assert "  Also: threw away a 5 that was still needed (could not know)" in unsaved
    assert not any("Blameless moves" in entry for entry in every)


def test_a_game_that_the_solver_does_not_cover(tmp_path: Path) -> None:
    record = GameRecord(
        players=("Alice", "Bob"), seed="a", variant="Sudoku (5 Suits)", actions=[Action(3, 1, 1)]
    )
    ran = hanalyze("mistakes", saved(tmp_path, record))
    assert ran.code == 0
    assert ran.lines[-1] == "The best reachable score is not known: the solver does not cover Sudoku."


def test_rows_as_json(tmp_path: Path) -> None:
    ran = hanalyze("mistakes", SAMPLES / "game.json", "--kind", "clue", "--json", "--system", "none")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [(row["turn"], row["player"], row["kind"]) for row in rows] == [(57, "Alice", "clue_bad_touch")]
    assert rows[0]["game"] == "p3v0s7"
    assert rows[0]["evidence_values"] == {"touched": 1, "seat": 2, "trash": 1, "copies": 0}
    assert rows[0]["text"] == "touched 1 card in Cathy's hand, only trash"
    assert rows[0]["basis"] == "logic"
    # The pace is below zero: known trash is there, but to discard it costs a point.
    assert rows[0]["better_kind"] is rows[0]["better"] is None


@pytest.mark.heavy
def test_many_games(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 30, agent="random"))
        misplays = db.mistakes("misplay").height
        discards = db.sql("SELECT count(*) FROM mistakes WHERE kind LIKE 'discard%'").item()
    ran = hanalyze("mistakes", path, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert sum(row["found"] for row in rows if row["kind"] == "misplay") == misplays
    assert sum(row["found"] for row in rows if row["kind"].startswith("discard")) == discards
    # The logs themselves give the same, without conventions.
    again = hanalyze("mistakes", tmp_path / "games.jsonl", "--json", "--system", "none")
    assert sorted(again.out.splitlines()) == sorted(ran.out.splitlines())
    # With them they give what the database does once it is read.
    meant = hanalyze("mistakes", tmp_path / "games.jsonl", "--json", "--system", "h_group")
    with connect(path) as db:
        db.read_conventions()
    read = hanalyze("mistakes", path, "--json", "--system", "h_group")
    assert sorted(meant.out.splitlines()) == sorted(read.out.splitlines()) != sorted(ran.out.splitlines())
    by_logic = hanalyze("mistakes", path, "--json", "--system", "none")
    assert sorted(by_logic.out.splitlines()) == sorted(ran.out.splitlines())
    wrong = hanalyze("mistakes", path, "--play-threshold", "1.5")
    assert (wrong.code, wrong.out) == (2, "")
    assert "not a chance" in wrong.err
    lower = hanalyze("mistakes", path, "--level", "5")
    assert (lower.code, lower.err) == (0, ""), "no level is estimated"
    listed = hanalyze("mistakes", path, "--list", "3", "--kind", "misplay").out.splitlines()
    assert sum(line.startswith("game ") for line in listed) == 3
    table = hanalyze("mistakes", path, "--kind", "play").out.splitlines()
    assert table[0].split() == ["kind", "severity", "found", "games", "points", "tokens", "pace"]
    plays = {"misplay", "play_missed", "play_narrows", "call_missed"}
    rows = [line for line in table[1:] if "expected to read signals up to level" not in line]
    assert {line.split()[0] for line in rows} <= plays
    assert len(table) - 1 - len(rows) <= 3


def test_one_game_of_several(tmp_path: Path) -> None:
    logs, database = SAMPLES / "games.jsonl", tmp_path / "games.duckdb"
    with connect(database) as db:
        db.ingest([logs])
        key = db.sql("SELECT game_id FROM games WHERE seed = 'p3v1s2'").item()
    alone = tmp_path / "game.jsonl"
    alone.write_text(logs.read_text("utf-8").splitlines()[1], "utf-8")
    for command in ("mistakes", "conventions"):
        expected = hanalyze(command, alone).out
        assert "p3v1s2" in expected
        for path, *choice in (
            (logs, "--game", "p3v1s2"),
            (logs, "--nth", "2"),
            (database, "--game", "p3v1s2"),
            (database, "--game", key),
        ):
            assert hanalyze(command, path, *map(str, choice)).out == expected
    page = tmp_path / "page.html"
    assert hanalyze("review", database, "--game", "p3v1s2", "-o", page).code == 0
    assert "Game p3v1s2." in page.read_text("utf-8")
    for arguments, said in (
        (
            (database, "--game", "p9"),
            f"{database}: game p9: no such game; give its id, seed or game_id",
        ),
        ((database, "--nth", "2"), "--nth is for logs; choose a game of a database with --game"),
        (
            (logs, database, "--nth", "2"),
            "--game and --nth choose a game of one log or database; give one path",
        ),
    ):
        assert hanalyze("mistakes", *arguments).err == f"hanalyze: {said}\n"
    several = hanalyze("review", database, "-o", page)
    assert (several.code, several.err.count("\n")) == (2, 1)
    assert "several games, among them the game_id " in several.err


def test_nothing_found_is_said(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path):
        pass
    assert hanalyze("mistakes", path).lines == ["0 games: no mistakes found"]
    assert hanalyze("mistakes", path, "--list", "3").lines == ["no mistakes found"]
    assert hanalyze("mistakes", path, "--json").out == ""
    assert hanalyze("research", path).lines == ["no games"]


@pytest.mark.heavy
def test_games_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Two tables play one seed: the lists say which game is meant, and leave out none."""
    played = [
        *simulate("cautious", players=2, games=2, seed=1),
        *simulate("conventional", players=2, games=1, seed=1, fast=False),
    ]
    path = saved(tmp_path, *played)
    assert [one.name for one in played] == ["p2v0s1", "p2v0s2", "p2v0s1"]
    with connect() as db:
        db.ingest(path)
        keys = {(seed, key) for seed, key in db.sql("SELECT seed, game_id FROM games").rows()}
        with Cube(db) as cube:
            shown = [one["cells"][-1] for one in entries(cube, "ranking", "best")]
    expected = {f"{seed} (game_id {key})" if seed == "p2v0s1" else seed for seed, key in keys}
    assert len(expected) == 3
    assert set(shown) == {f"Game {name}" for name in expected}
    for command in (["mistakes", path, "--list", "200"], ["conventions", path, "--list", "200"]):
        lines = [line for line in hanalyze(*command).lines if line.startswith("game ")]
        assert {re.match(r"game (.*?), turn", line)[1] for line in lines} == expected
    assert [
        line for line in hanalyze("solve", path, "--nodes", "1").lines if line.startswith("game p2v0s1 ")
    ] == [f"game p2v0s1 ({path}, line {line}): No Variant, 2 players" for line in (1, 3)]
    ran = hanalyze("review", path, "--game", "p2v0s1", "-o", tmp_path / "x.html")
    assert "among them p2v0s1 (line 1) and p2v0s1 (line 3); choose one with --nth" in ran.err


def test_players_have_the_same_name_in_table_and_list(tmp_path: Path) -> None:
    record = replace(load(SAMPLES / "game.json"), players=("Ann", "Ann", ""))
    lines = hanalyze("mistakes", saved(tmp_path, record)).lines
    assert [line.split("  ")[0] for line in lines[3:6]] == ["Ann", "Ann (2)", "(no name)"]
    turns = [line.split(":")[0] for line in lines if line.startswith("Turn ")]
    assert turns[-2:] == ["Turn 57, (no name)", "Turn 59, Ann (2)"]


@pytest.mark.heavy
def test_rates_by_a_group(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    path = log(tmp_path / "games.jsonl", 30, agent="random")
    ran = hanalyze("mistakes", path, "--by", "player", "--kind", "misplay", "--json", "--system", "none")
    rows = {row["player"]: row for row in map(json.loads, ran.out.splitlines())}
    assert list(rows) == ["Alice", "Bob", "Cathy"]
    with connect() as db:
        db.ingest(path)
        plays = db.sql(
            """SELECT player, count(*) FROM decisions
            WHERE action = 'play' AND one_choice IS NULL GROUP BY player"""
        ).rows()
    assert {player: row["opportunities"] for player, row in rows.items()} == dict(plays)
    assert all(row["low"] <= row["rate"] <= row["high"] for row in rows.values())
    shown = hanalyze("mistakes", path, "--by", "player", "--kind", "misplay").out
    assert "Alice" in shown
    assert "95% interval" in shown


@pytest.mark.heavy
def test_one_player(tmp_path: Path) -> None:
    """The rows are those whose seat is the player's, also for a name that is SQL."""
    quoted, path = "O'Brien' OR true --", tmp_path / "games.duckdb"
    played = [
        replace(game, players=(quoted, "Bob", "Cathy") if number % 2 else ("Bob", quoted, "Cathy"))
        for number, game in enumerate(games(4, agent="random"))
    ]
    with connect(path) as db:
        db.ingest(saved(tmp_path, *played))
        rows = db.sql("SELECT game_id, turn, seat, kind, severity, points FROM mistakes").rows(named=True)
        names = {
            (game, seat): name
            for game, seat, name in db.sql("FROM seats SELECT game_id, seat, player").rows()
        }
    own = [row for row in rows if names[row["game_id"], row["seat"]] == quoted]
    assert 0 < len(own) < len(rows)
    only = ("mistakes", path, "--system", "none", "--json", "--player")
    counted = {
        (row["kind"], row["severity"]): (row["found"], row["points"])
        for row in map(json.loads, hanalyze(*only, quoted).lines)
    }
    expected: dict[tuple[str, str], tuple[int, int]] = {}
    for row in own:
        found, points = expected.get((row["kind"], row["severity"]), (0, 0))
        expected[row["kind"], row["severity"]] = (found + 1, points + row["points"])
    assert counted == expected
    listed = [json.loads(line) for line in hanalyze(*only, quoted, "--list", "1000", "--all").lines]
    assert len(listed) == len(own)
    blamed = [json.loads(line) for line in hanalyze(*only, quoted, "--list", "1000").lines]
    assert len(blamed) == sum(row["severity"] not in BLAMELESS for row in own) < len(own)
    assert {row["player"] for row in listed} == {quoted}
    ran = hanalyze(*only, "Bbo")
    assert (ran.code, ran.err) == (2, 'hanalyze: there is no player "Bbo"; did you mean "Bob"?\n')
    ran = hanalyze(*only, "Bob", "--by", "month")
    assert ran.err == "hanalyze: --player counts or lists the mistakes of one player; give it without --by\n"


def test_one_player_of_one_game() -> None:
    """Cathy's only mistake is the discard on turn 57; Alice's are not shown."""
    ran = hanalyze("mistakes", SAMPLES / "game.json", "--player", "Cathy")
    parts = ran.out.split("\n\n")
    assert [line.split()[0] for line in parts[1].splitlines()] == ["player", "Cathy"]
    assert parts[2].startswith("Turn 57, Cathy: ")
    assert "Turn 16, Alice" not in ran.out
    ran = hanalyze("mistakes", SAMPLES / "game.json", "--player", "Cahty")
    assert ran == (2, "", 'hanalyze: there is no player "Cahty"; did you mean "Cathy"?\n')


@pytest.mark.parametrize("kind", sorted(definitions()))
def test_definitions_are_shown(kind: str) -> None:
    ran = hanalyze("mistakes", "--explain", kind)
    assert ran.out == definitions()[kind].text
    assert "SELECT" in ran.out


def test_strangers_names_are_data(tmp_path: Path) -> None:
    [record] = games(1, agent="random")
    names = ("\x1b[31mRed\x1b[0m", "Bob\u202eboB", "x" * 10_000)
    ran = hanalyze("mistakes", saved(tmp_path, replace(record, players=names)))
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert max(map(len, ran.out.splitlines())) < 300


@pytest.mark.parametrize(
    ("arguments", "said", "comment"),
    [
        ([], "no games were given; give a database, or logs", "nothing"),
        (["none.json"], "none.json: there is no such file", "no file"),
        (["--explain", "misply"], 'did you mean "misplay"?', "a slip"),
        ([SAMPLES / "game.json", "--player", "Zed"], '"Zed"; one of: Alice, Bob, Cathy', "no player"),
        (["none.json", "--kind", "discards"], 'there is no kind of mistake "discards"', "no kind"),
        (
            ["--explain", "misplay", "--mistakes", "none"],
            "none: there is no .sql file in this folder",
            "no folder",
        ),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, comment: str) -> None:
    ran = hanalyze("mistakes", *arguments)
    assert ran.code == 2, comment
    assert said in ran.err
    assert ran.err.count("\n") == 1


BROKEN = """-- Broken
--
-- definition: every turn
-- opportunity: turns
-- where: true
SELECT game_id, turn, seat, 'broken' AS kind, 'knew' AS severity, 0 AS points, 0 AS tokens, 0 AS pace,
    '' AS evidence
FROM decisions
"""


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("mistakes", []),
        ("mistakes", ["--list", "3"]),
        ("mistakes", ["--by", "player"]),
        ("stats", []),
        ("stats", ["--by", "players"]),
    ],
)
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("FROM decisions", "FROM nowhere", "broken.sql"),
        ("where: true", "where: tru", "broken.sql"),
        ("0 AS points", "error('no') AS points", "no"),
    ],
    ids=["query", "condition", "while it runs"],
)
def test_a_broken_definition_is_one_line(
    tmp_path: Path, command: str, arguments: list[str], old: str, new: str, said: str
) -> None:
    pytest.importorskip("scipy")
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 3))
    (tmp_path / "broken.sql").write_text(BROKEN.replace(old, new))
    ran = hanalyze(command, path, *arguments, "--mistakes", tmp_path)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


def test_a_log_that_cannot_be_read(tmp_path: Path) -> None:
    path = saved(tmp_path, *games(1, agent="random"))
    path.write_bytes(path.read_bytes() + b'{"players": 3}\n')
    ran = hanalyze("mistakes", path)
    assert ran.code == 2
    assert ran.out.startswith("Game ")
    assert "line 2" in ran.err


def test_a_database_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 3))
    before = path.read_bytes()
    assert hanalyze("mistakes", path).code == 0
    assert path.read_bytes() == before


def test_a_game_that_was_cut_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    log_ = json.loads((SAMPLES / "game.json").read_text())
    log_["actions"][1] = {"type": 2, "target": 9, "value": 1}
    path.write_text(json.dumps(log_))
    left = len(log_["actions"]) - 1
    for command in ("mistakes", "conventions", "solve"):
        ran = hanalyze(command, path)
        assert ", turn 2: a clue to a seat that does not exist: " in ran.err, command
        assert f"; the log's last {left} actions were not carried out\n" in ran.err, command


@pytest.mark.heavy
def test_games_of_another_system(tmp_path: Path) -> None:
    """Of a log, they are judged by logic; of a database, as every command counts them."""
    pytest.importorskip("scipy")
    logs = log(tmp_path / "games.jsonl", 6, agent="cheating")
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(logs)
        db.read_conventions()
    by = ("--by", "player", "--json")
    ran, counted = hanalyze("mistakes", path, *by), hanalyze("stats", path, "--what", "mistakes", *by)
    assert ran.out == counted.out
    assert "judged by conventions, as in every command; --system none judges by logic" in ran.err
    logic = hanalyze("mistakes", path, *by, "--system", "none")
    guessed = hanalyze("mistakes", logs, *by)
    assert (
        "judged by deduction, without clues and risks; --system h_group judges by conventions" in guessed.err
    )
    assert len({ran.out, guessed.out, logic.out}) == 3
    assert logic.err == ""


@pytest.mark.heavy
def test_a_database_that_was_not_read_for_conventions(tmp_path: Path) -> None:
    """It says by what it is judged; what there is no data for says what to run first, and no more."""
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 2))
    ran = hanalyze("mistakes", path)
    assert ran.code == 0
    assert ran.err == (
        "hanalyze: these games were not read for conventions, and are judged only by logic and odds;"
        " `hanalyze conventions DB` reads them\n"
    )
    assert hanalyze("mistakes", path, "--system", "none").err == ""
    assert hanalyze("mistakes", path, "--json").err == ""
    for what, said in (
        ("lost", "no game was solved: run `hanalyze solve` on this database first"),
        ("luck", "no chances: read the games with `hanalyze conventions` first"),
    ):
        assert hanalyze("stats", path, "--what", what).lines == ["2 games", said]
    with connect(path) as db:
        db.read_conventions()
    assert "judged by logic and chance" not in hanalyze("mistakes", path).err

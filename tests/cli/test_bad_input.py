"""Whatever is wrong: exit code 2 and one line on standard error, never a traceback."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.game.actions import Action
from tests.cli.running import hanalyze, saved

# Arguments, what the line has to say. The files are those of `folder`.
BAD = [
    # usage
    (["nothing"], "no such command 'nothing'; see hanalyze --help"),
    (["--nothing"], "no such option: --nothing"),
    (["replay"], "missing argument 'PATH'; for example: hanalyze replay games.jsonl"),
    (["replay", "good.jsonl", "--nothing"], "no such option: --nothing"),
    (["replay", "good.jsonl", "--turn"], "--turn"),
    (["replay", "good.jsonl", "--turn", "two"], "'--turn'"),
    (["replay", "good.jsonl", "--turn", "1.5"], "'--turn'"),
    (["replay", "good.jsonl", "--nth", "0"], "'--nth'"),
    (["replay", "good.jsonl", "\x1b[31m", "--\x1b[31m"], "no such option: --\\x1b[31m"),
    (["deck"], "missing argument 'SEED'; for example: hanalyze deck p3v0s7"),
    (
        ["export", "games.duckdb"],
        "missing argument 'FOLDER'; for example: hanalyze export games.duckdb parquet/",
    ),
    (["deck", "a", "b"], "unexpected extra argument"),
    (["deck", "-x"], "no such option"),
    (["simulate", "--games", "many"], "'--games'"),
    (["simulate", "--players", "3.5"], "'--players'"),
    # files
    (["replay", "missing.jsonl"], "missing.jsonl: there is no such file"),
    (["replay", "bare"], "bare: there is no log in this folder; logs end in .json"),
    (["replay", "bare/*.json"], "bare/*.json: there is no such file, and no file matches it as a pattern"),
    (["mistakes", "bare"], "bare: there is no log in this folder"),
    (
        ["conventions", "bare/*.json"],
        "bare/*.json: there is no such file, and no file matches it as a pattern",
    ),
    (["review", "bare"], "bare: there is no log in this folder"),
    (["replay", "missing\x1b[31m"], "missing\\x1b[31m: there is no such file"),
    (["replay", "empty.json"], "empty.json: the file is empty"),
    (["replay", "array.json"], "array.json: there is no game"),
    (["replay", "array.json", "--game", "p3v0s8"], "game p3v0s8: not found"),
    (["review", "array.json"], "array.json: there is no game"),
    (["mistakes", "array.json"], "array.json: there is no game"),
    (["mistakes", "array.json", "--by", "player"], "array.json: there is no game"),
    (["conventions", "array.json"], "array.json: there is no game"),
    (["solve", "array.json"], "array.json: there is no game"),
    (["quiz", "array.json"], "from 0 games"),
    (["me", "array.json", "--player", "Alice"], "array.json: there is no game"),
    (["replay", "nonsense.json"], "nonsense.json, line 1: not JSON"),
    (["replay", "torn.json"], "torn.json, line 1: "),
    (["replay", "torn.gz"], "torn.gz: the compressed file ends too early"),
    (["replay", "utf16.json"], "utf16.json: this is UTF-16; save it as UTF-8"),
    (["replay", "binary.json"], "binary.json, line 1: "),
    (["replay", "picture.png"], "picture.png: this is not a text file; `hanalyze formats` lists"),
    (["mistakes", "picture.png"], "picture.png: this is not a text file"),
    (["mistakes", "prose.txt"], "line 1: not JSON near byte 0: once; 2 more errors: there is no game"),
    (["replay", "alone.json"], "alone.json, line 1: game line 1: 1 player, but hanab-live is for 2 to 6"),
    (["replay", "no_deck.json"], "neither a deck nor a seed"),
    (["replay", "bad_option.json"], 'there is no option "cheating"'),
    # what a game does not have
    (
        ["replay", "good.jsonl", "--turn", "999"],
        "good.jsonl, line 1: game p3v0s7: there is no turn 999; turns are 1",
    ),
    (["replay", "good.jsonl", "--turn", "-999"], "there is no turn -999"),
    (["replay", "good.jsonl", "--turn", "9" * 30], "there is no turn 999"),
    (["replay", "good.jsonl", "--hide", "Zed"], 'no player "Zed"; players are 1 Alice, 2 Bob, 3 Cathy'),
    (["replay", "good.jsonl", "--hide", "4", "--turn", "1"], 'no player "4"'),
    (["replay", "good.jsonl", "--hide", "-1"], 'no player "-1"'),
    (["replay", "good.jsonl", "--hide", ""], 'no player ""'),
    (["replay", "good.jsonl", "--hide", "9" * 5000], "no player"),
    (["replay", "good.jsonl", "--seats", "1,,2"], 'no player ""'),
    (["replay", "good.jsonl", "--seats", "1;2", "--json"], 'no player "1;2"'),
    (["replay", "good.jsonl", "--game", "p3v0s8"], "game p3v0s8: not found; give its id or seed"),
    (["replay", "good.jsonl", "--nth", "2"], "there are fewer than 2 games"),
    (["replay", "good.jsonl", "--edition", "chess"], 'there is no edition "chess"'),
    (["replay", "good.jsonl", "--edition", "hle+strikes=0"], "strikes cannot be"),
    (
        ["replay", "good.jsonl", "--edition", "abacus+farbrausch"],
        'a deck of 50 cards, but "6 Suits" has 60',
    ),
    (["replay", "good.jsonl", "--forgive", "everything"], 'there is no defect "everything"'),
    (["replay", "good.jsonl", "--forgive", "card_not_in_hand"], "cannot be forgiven"),
    # decks
    (["deck", "p2v0s1", "--variant", "Rainbw (5 Suits)"], 'did you mean "Rainbow (5 Suits)"'),
    (["deck", "p2v0s1", "--variant", "\x1b[31m"], 'there is no variant "\\x1b[31m"'),
    (["deck", "p2v0s1", "--shuffle", "riffle"], 'there is no shuffle "riffle"'),
    (["deck", "p2v0s1", "--shuffle", "hle"], "seed"),
    (["deck", "-1", "--shuffle", "hle"], "-1"),
    (["deck", "9" * 5000, "--shuffle", "hle"], "seed"),
    (["deck", "1", "--shuffle", "hle", "--variant", "6 Suits"], "only deals the five plain suits"),
    (["deck", "\udcff"], "is not valid Unicode"),
    # simulations
    (["simulate", "--agent", "cauteous"], 'there is no agent "cauteous"; did you mean "cautious"?'),
    (["simulate", "--players", "1"], "1 player, but hanab-live is for 2 to 6"),
    (["simulate", "--players", "-3"], "-3 players"),
    (["simulate", "--games", "-1"], "-1 games; give 0 or more"),
    (["simulate", "--starting-player", "4"], "no player 4"),
    (["simulate", "--starting-player", "0"], "no player 0"),
    (["simulate", "--variant", "none"], 'there is no variant "none"'),
    (["simulate", "--edition", "hle+variant-1"], "hle"),
    (["simulate", "-o", "missing/games.jsonl"], "missing/games.jsonl: there is no such folder"),
    (["simulate", "-o", "."], ".: this is a folder"),
    (["simulate", "-o", "good.jsonl/x"], "good.jsonl/x: "),
    (["simulate", "-o", ""], "no such"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    saved(tmp_path, *simulate("cautious", players=3, seed=7, fast=False), name="good.jsonl")
    good = (tmp_path / "good.jsonl").read_bytes()
    files = {
        "empty.json": b"",
        "array.json": b" [ \n ]",
        "nonsense.json": b"once upon a time",
        "torn.json": good[:500],
        "torn.gz": gzip.compress(good)[:100],
        "utf16.json": good.decode().encode("utf-16"),
        "binary.json": bytes(range(128, 256)),
        "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR{\n}\n[\n",
        "prose.txt": b"once\nupon\na time\n",
        "alone.json": b'{"players": ["Alice"], "actions": [], "deck": []}',
        "no_deck.json": b'{"players": ["Alice", "Bob"], "actions": []}',
        "bad_option.json": b'{"players": ["Alice", "Bob"], "actions": [], "options": {"cheating": true}}',
    }
    (tmp_path / "bare").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "says"), BAD, ids=lambda value: " ".join(value)[:60] if value else None
)
def test_one_line_and_code_2(folder: Path, arguments: list[str], says: str) -> None:
    before = sorted(folder.iterdir())
    ran = hanalyze(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("hanalyze: ")
    # Click's words for it, which Typer had until it got its own.
    said = re.sub(r"no such option '([^']*)'", r"no such option: \1", ran.err)
    assert says in said
    assert ran.err.count("\n") == 1
    assert ran.err.rstrip("\n").isprintable()
    assert len(ran.err) < 700
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("command", ["replay", "mistakes", "conventions"])
def test_a_folder_or_a_pattern_is_as_good_as_its_files(tmp_path: Path, command: str) -> None:
    (tmp_path / "logs").mkdir()
    file = saved(tmp_path / "logs", *simulate("cautious", players=3, seed=7, fast=False), name="good.jsonl")
    alone = hanalyze(command, file)
    assert alone.code == 0
    assert "Alice" in alone.out
    assert hanalyze(command, tmp_path / "logs") == alone
    assert hanalyze(command, tmp_path / "logs" / "*.jsonl") == alone


@pytest.mark.heavy
def test_a_page_of_the_one_game_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    saved(tmp_path / "logs", *simulate("cautious", players=3, games=2, seed=7, fast=False))
    ran = hanalyze("review", tmp_path / "logs", "--game", "p3v0s8", "-o", tmp_path / "page.html")
    assert ran.code == 0
    assert "p3v0s8" in (tmp_path / "page.html").read_text()


def test_a_broken_file_does_not_hide_a_good_one(folder: Path) -> None:
    ran = hanalyze("replay", "nonsense.json", "good.jsonl", "missing.jsonl")
    assert ran.code == 2
    assert "game p3v0s7 (good.jsonl, line 1)" in ran.out
    assert len(ran.err.splitlines()) == 2


@pytest.mark.parametrize("command", [("mistakes",), ("me", "--player", "Alice", "-o", "-")])
def test_games_cut_by_a_defect_are_counted(command: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    good, *others = simulate("cautious", players=3, games=3, seed=7, fast=False)
    unknown = Action(9, 0, 0)
    cut = [replace(one, actions=[*one.actions[:9], unknown, *one.actions[9:]]) for one in others]
    ran = hanalyze(*command, saved(tmp_path, good, *cut))
    assert ran.code == 0
    assert "hanalyze: 2 games of 3 read only up to a defect; `hanalyze replay` shows it\n" in ran.err
    assert "defect" not in hanalyze(*command, saved(tmp_path, good, others[0])).err


def test_a_file_that_may_not_be_replaced(folder: Path) -> None:
    (folder / "good.jsonl").chmod(0o444)
    content = (folder / "good.jsonl").read_bytes()
    try:
        (folder / "good.jsonl").open("ab").close()
    except PermissionError:
        ran = hanalyze("simulate", "-o", "good.jsonl")
        assert (ran.code, ran.err) == (2, "hanalyze: good.jsonl: permission denied\n")
        assert (folder / "good.jsonl").read_bytes() == content
    else:
        pytest.skip("this user may write everywhere")


@pytest.fixture(scope="module")
def games_of_all_kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, a database of it, a folder of logs, a folder that is a database, and a text."""
    folder = tmp_path_factory.mktemp("kinds")
    saved(folder, *simulate("random", players=2, games=2), name="games.jsonl")
    (folder / "logs").mkdir()
    saved(folder / "logs", *simulate("random", players=2, games=1))
    (folder / "notes.txt").write_text("hello\n", encoding="utf-8")
    for database in ("db.duckdb", "db/"):
        ran = hanalyze("ingest", folder / "games.jsonl", "--db", f"{folder}/{database}", "--jobs", "1")
        assert ran.code == 0
    return folder


_INGEST = (
    "not a DuckDB database, but JSON; if it is a log, first: hanalyze ingest games.jsonl --db games.duckdb"
)
_NO_LOG = (
    "db.duckdb: this is a DuckDB database, not a log; give the log that it was made from; `hanalyze info`"
    " describes a database"
)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("stats games.jsonl", f"games.jsonl: {_INGEST}"),
        ("sql games.jsonl SELECT", f"games.jsonl: {_INGEST}"),
        ("compare games.jsonl logs", f"games.jsonl: {_INGEST}"),
        (
            "dashboard logs",
            "logs: this folder is not a database; if it has logs, first: hanalyze ingest logs"
            " --db games.duckdb",
        ),
        (
            "info none.duckdb",
            "none.duckdb: there is no such file; first: hanalyze ingest LOGS --db none.duckdb",
        ),
        (
            "quiz none.duckdb",
            "none.duckdb: there is no such file; first: hanalyze ingest LOGS --db none.duckdb",
        ),
        ("quiz game.jsonl", 'game.jsonl: there is no such file; did you mean "games.jsonl"?'),
        (
            "replay logs/game.jsonl",
            'logs/game.jsonl: there is no such file; did you mean "logs/games.jsonl"?',
        ),
        ("replay 0x7", "0x7: there is no such file; `hanalyze demo` makes logs to try"),
        ("replay db.duckdb", _NO_LOG),
        ("convert db.duckdb", _NO_LOG),
        (
            "replay db",
            "db: there is no log in this folder; if it is a database, `hanalyze info db` describes it",
        ),
        (
            "mistakes db.duckdb games.jsonl",
            "a database and logs were given; add the logs first: hanalyze ingest games.jsonl --db db.duckdb",
        ),
        ("me db.duckdb db", "several databases were given; give only one; `hanalyze compare` compares two"),
        ("me db.duckdb", "no player was given; give --player: Alice, Bob"),
        ("compare db.duckdb", "nothing to compare with; give another database, or a filter with --a"),
        (
            "replay notes.txt",
            "notes.txt, line 1: not JSON near byte 0: hello; `hanalyze formats` lists what can be read",
        ),
        ("export db.duckdb logs", "logs: this folder is not empty; name a new folder"),
    ],
)
def test_a_wrong_kind_of_file_names_the_next_command(
    arguments: str, said: str, games_of_all_kinds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.chdir(games_of_all_kinds)
    ran = hanalyze(*arguments.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"hanalyze: {said}\n"


def test_a_database_is_no_log_to_ingest(games_of_all_kinds: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    new = tmp_path / "new.duckdb"
    ran = hanalyze("ingest", games_of_all_kinds / "db.duckdb", "--db", new)
    assert ran.out.startswith("1 game read: 0 stored (0 with defects), 0 already there, 1 rejected")
    [row] = hanalyze("sql", new, "SELECT message FROM rejects", "--json").lines
    assert json.loads(row)["message"] == "this is a DuckDB database, not a log"

"""What strangers call themselves is shown on a terminal as plain text, in the line in which it belongs."""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Ran, hanalyze
from tests.hostile import IMAGE, LONG, NAMES, SCRIPT, TERMINAL, TURNED, hostile_log

pytest.importorskip("duckdb")

HOSTILE = (*NAMES[:4], TERMINAL, LONG)
HARMLESS = ("Ada", "Bela", "Chiara", "Daan", "Emre", "Farah")
SHORT = "W" * 20 + "…"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return two folders with the same games and their database, of hostile names and of harmless ones."""
    made = []
    for names in (HOSTILE, HARMLESS):
        folder = tmp_path_factory.mktemp("games")
        log = hostile_log(folder, names)
        assert (
            hanalyze("ingest", log, "--db", folder / "games.duckdb", "--jobs", "1", "--conventions").code == 0
        )
        made.append(folder)
    return made[0], made[1]


COMMANDS = [
    ("replay", "{}/hostile.jsonl"),
    ("replay", "{}/hostile.jsonl", "--turn", "9"),
    ("replay", "{}/hostile.jsonl", "--turn", "9", "--hide", "4"),
    ("replay", "{}/hostile.jsonl", "--json"),
    ("mistakes", "{}/hostile.jsonl"),
    ("mistakes", "{}/games.duckdb", "--list", "9"),
    ("mistakes", "{}/games.duckdb", "--list", "9", "--json"),
    ("mistakes", "{}/games.duckdb", "--by", "player", "--min", "1"),
    ("mistakes", "{}/games.duckdb", "--by", "player", "--min", "1", "--json"),
    ("conventions", "{}/hostile.jsonl", "--list", "9"),
    ("conventions", "{}/games.duckdb", "--by", "player", "--min", "1", "--json"),
    ("stats", "{}/games.duckdb", "--by", "player", "--min", "1", "--csv", "-"),
    ("stats", "{}/games.duckdb", "--by", "player", "--min", "1"),
    ("stats", "{}/games.duckdb", "--by", "partner", "--what", "scores"),
    ("stats", "{}/games.duckdb", "--by", "player", "--what", "mistakes", "--min", "1", "--json"),
    ("sql", "{}/games.duckdb", "SELECT game_id, player FROM seats"),
    ("sql", "{}/games.duckdb", "SELECT game_id, player FROM seats", "--format", "json"),
    ("sql", "{}/games.duckdb", "SELECT game_id, player FROM seats", "--format", "csv"),
]


def some(commands: list[tuple[str, ...]]) -> list[Any]:
    """Mark as heavy what a database is asked for besides a list or a table on the screen."""
    more = {"--json", "--csv", "scores"}
    return [
        pytest.param(one, marks=pytest.mark.heavy if "{}/games.duckdb" in one and more & {*one} else ())
        for one in commands
    ]


@functools.cache
def run(arguments: tuple[str, ...], folder: Path, **environment: str) -> Ran:
    return hanalyze(*(argument.format(folder) for argument in arguments), **environment)


def strange(text: str) -> set[str]:
    """Return the characters of a text that could do something, line ends apart."""
    return {c for c in text if unicodedata.category(c)[0] == "C" and c != "\n"}


@pytest.mark.parametrize("arguments", some(COMMANDS))
def test_nothing_but_text_and_no_line_more(arguments: tuple[str, ...], folders: tuple[Path, Path]) -> None:
    hostile, harmless = (run(arguments, folder) for folder in folders)
    assert (hostile.code, hostile.err, harmless.code) == (0, "", 0)
    assert strange(hostile.out) == set()
    if arguments[0] != "replay" or "--json" in arguments:
        assert len(hostile.lines) == len(harmless.lines)
    if {"--json", "json"} & set(arguments):
        assert all(json.loads(line) for line in hostile.lines)
    if {"--json", "json", "csv", "--csv"} & set(arguments):
        assert LONG in hostile.out
    else:
        assert "W" * 100 not in hostile.out
        # A finding names up to five players, each cut to 60.
        assert max(map(len, hostile.lines)) <= (400 if arguments[0] == "conventions" else 250)


def test_names_in_a_table_are_whole_or_cut(folders: tuple[Path, Path]) -> None:
    ran = run(("stats", "{}/games.duckdb", "--by", "player", "--min", "1"), folders[0])
    rows = [line for line in ran.lines if " 3 " in line][: len(HOSTILE)]
    assert len(rows) == len(HOSTILE)
    shown = [
        SCRIPT,
        IMAGE,
        NAMES[2],
        TURNED.replace("\u202e", "\\u{202e}").replace("\u2066", "\\u{2066}"),
        r"\x1b[31mevil\x1b]0;title\x07\r\nnew\x9b2J\x00",
        "W" * 59 + "…",
    ]
    assert {name for name in shown for row in rows if row.startswith(f"{name}  ")} == set(shown)


def test_turns_of_a_game_are_a_line_each(folders: tuple[Path, Path]) -> None:
    arguments = ("replay", "{}/hostile.jsonl", "--nth", "1")
    both = [run(arguments, folder) for folder in folders]
    numbers = [re.findall(r"^ *(\d+) .* (?:plays|discards|clues) ", ran.out, re.MULTILINE) for ran in both]
    assert numbers[0] == numbers[1] == list(map(str, range(1, len(numbers[0]) + 1)))
    assert len(numbers[0]) > 8
    assert max(map(len, both[0].lines)) <= 140
    assert "\\x1b[31mevil" in both[0].out


def test_colours_are_only_ours(folders: tuple[Path, Path]) -> None:
    colours = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "NO_COLOR": ""}
    ran = run(("replay", "{}/hostile.jsonl", "--nth", "1"), folders[0], **colours)
    assert "\x1b[" in ran.out
    assert "\x1b[31mevil" not in ran.out
    assert "\x1b]" not in ran.out
    assert strange(ran.out) == {"\x1b"}


def test_errors_are_one_line(folders: tuple[Path, Path]) -> None:
    ran = run(("replay", "{}/hostile.jsonl", "--turn", "999", "--nth", "1"), folders[0])
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert strange(ran.err) == set()
    ran = run(("plot", "{}/games.duckdb", "players", "-o", "x.html", "--player", TERMINAL * 100), folders[0])
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert strange(ran.err) == set()
    assert len(ran.err) < 200


def test_files_are_strangers_too(tmp_path: Path) -> None:
    file = tmp_path / "\x1b[31mred.json"
    file.write_text('{"players":["a"],')
    database = tmp_path / "\x1b[31m.duckdb"
    runs = [hanalyze("mistakes", file), hanalyze("ingest", file, "--db", database)]
    for ran in runs:
        assert strange(ran.out + ran.err) == set()
        assert "\\x1b[31m" in ran.out + ran.err
    assert (tmp_path / "\x1b[31m.duckdb").exists()


def test_what_python_shows(tmp_path: Path) -> None:
    import hanalyze as hz
    from hanalyze.detectors import detector

    with hz.connect(tmp_path / "\x1b[31m.duckdb") as db:
        record = next(hz.read(hostile_log(tmp_path, HOSTILE)))
        shown = [repr(db), repr(hz.replay(record)), repr(detector("\x1b[31m", "\x9b")(lambda turn: []))]
    assert set().union(*map(strange, shown)) == set()
    assert all("\\x1b[31m" in one or "<script>" in one for one in shown)

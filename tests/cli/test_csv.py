"""CSV: text that does nothing to a terminal and is no formula to a spreadsheet; `--raw` leaves it alone."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import polars as pl
import pytest

from hanalyze.cli.frame_text import csv_bytes, safe_cell, safe_cells
from tests.cli.running import hanalyze
from tests.hostile import TERMINAL, hostile_log

pytest.importorskip("duckdb")

CELLS = {
    # what a spreadsheet would run
    '=HYPERLINK("http://x","y")': '\'=HYPERLINK("http://x","y")',
    "=1+1": "'=1+1",
    "+1": "'+1",
    "+Alice": "'+Alice",
    "@SUM(A1)": "'@SUM(A1)",
    "-Alice": "'-Alice",
    "-2+3+cmd|' /C calc'!A0": "'-2+3+cmd|' /C calc'!A0",
    "\uff1d1+1": "'\uff1d1+1",
    "\t=1+1": "\\t=1+1",
    "\r=1+1": "\\r=1+1",
    "\n=1+1": "\\n=1+1",
    " =1+1": "' =1+1",
    '"=1+1': "'\"=1+1",
    # what it would run where semicolons part cells, whatever is in quotes
    "a;=1+1": "a;'=1+1",
    "a; =1+1;b": "a;' =1+1;b",
    "=1;=2;;@x": "'=1;'=2;;'@x",
    'a,b;"=cmd|x;c': "a,b;'\"=cmd|x;c",
    "-1;-Bob;-2.5;-": "-1;'-Bob;-2.5;-",
    "a;\uff0b1": "a;'\uff0b1",
    # what it would not
    "-12": "-12",
    "-0.5": "-0.5",
    "-1e-05": "-1e-05",
    "-": "-",
    "": "",
    "a=b": "a=b",
    "a;b=c": "a;b=c",
    "a,=b": "a,=b",
    "Alice-Bob": "Alice-Bob",
    "Zoë 花火": "Zoë 花火",
    # what a terminal would do
    "\x1b[31mevil\x9b2J": "\\x1b[31mevil\\x9b2J",
    "two\nlines": "two\\nlines",
    "\u202eecila": "\\u{202e}ecila",
}


@pytest.mark.parametrize(("text", "cell"), CELLS.items())
def test_a_cell(text: str, cell: str) -> None:
    assert safe_cell(text) == cell


def test_a_frame_has_the_same_cells() -> None:
    texts = list(CELLS)
    frame = pl.DataFrame(
        {
            "text": texts,
            "category": pl.Series(texts, dtype=pl.Categorical),
            "enum": pl.Series(texts, dtype=pl.Enum(texts)),
            "number": range(-len(texts), 0),
        }
    )
    safe = safe_cells(frame)
    assert [safe[name].to_list() for name in frame.columns[:3]] == [list(CELLS.values())] * 3
    assert safe["number"].to_list() == frame["number"].to_list()
    rows = list(csv.reader(io.StringIO(csv_bytes(frame).decode())))
    assert [row[0] for row in rows] == ["text", *CELLS.values()]


def test_a_query_has_the_same_cells(database: Path) -> None:
    texts = ", ".join("'" + text.replace("'", "''") + "'" for text in CELLS)
    query = (
        f"SELECT -n, t, -0.5, [t] FROM (SELECT unnest(range({len(CELLS)})) n, unnest([{texts}]) t) ORDER BY n"
    )
    ran = hanalyze("sql", database, query, "--format", "csv")
    rows = list(csv.reader(io.StringIO(ran.out)))[1:]
    assert [row[1] for row in rows] == list(CELLS.values())
    assert {(row[0], row[2]) for row in rows} == {(str(-n), "-0.5") for n in range(len(CELLS))}
    assert all(row[3].startswith("[") for row in rows)


def test_names_of_columns_are_cells() -> None:
    frame = pl.DataFrame({"=x": [1], "\x1b[m": ["a"]})
    assert csv_bytes(frame).decode() == "'=x,\\x1b[m\n1,a\n"
    assert csv_bytes(frame, raw=True).decode() == frame.write_csv()


PLAYERS = ("=cmd|'/C calc'!A1", "-Alice", TERMINAL)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    log = hostile_log(folder, PLAYERS)
    assert hanalyze("ingest", log, "--db", folder / "games.duckdb", "--jobs", "1").code == 0
    return folder / "games.duckdb"


@pytest.mark.parametrize(
    "arguments",
    [
        ("stats", "{}", "--by", "player", "--csv", "-"),
        ("sql", "{}", "SELECT DISTINCT player, -3 AS n FROM seats", "--format", "csv"),
    ],
)
def test_commands(arguments: tuple[str, ...], database: Path) -> None:
    given = [argument.format(database) for argument in arguments]
    ran, raw = hanalyze(*given), hanalyze(*given, "--raw")
    assert (ran.code, ran.err, raw.code, raw.err) == (0, "", 0, "")
    players = [[row[0] for row in csv.reader(io.StringIO(one.out, newline=""))] for one in (ran, raw)]
    safe = ("'=cmd|'/C calc'!A1", "'-Alice", r"\x1b[31mevil\x1b]0;title\x07\r\nnew\x9b2J\x00")
    assert sorted(players[0]) == sorted(["player", *safe])
    assert sorted(players[1]) == sorted(["player", *PLAYERS])
    assert arguments[0] == "stats" or ran.lines[1].endswith(",-3")


@pytest.mark.parametrize("arguments", [("stats", "{}"), ("sql", "{}", "FROM games", "--format", "json")])
def test_raw_is_for_csv(arguments: tuple[str, ...], database: Path) -> None:
    ran = hanalyze(*(argument.format(database) for argument in arguments), "--raw")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("hanalyze: --raw is for CSV; give ")

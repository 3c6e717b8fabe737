"""What the dashboard says of itself, on the page and on the terminal: how many games, whose, and where."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from hanalyze.logs import read
from hanalyze.report.dashboard.cube import MOST_PLAYERS, MOST_VARIANTS, Cube
from hanalyze.report.dashboard.lists import SUITS, entries, turn_words
from hanalyze.store import Database, connect
from hanalyze.store.wording import worded
from tests.cli.running import hanalyze
from tests.report.board import SAMPLES, data_of, make_database

pytest.importorskip("plotly")

UNREAD = "not solved: hanalyze solve DB; not read for conventions: hanalyze conventions DB"
MANY = [f"Player {number}" for number in range(80)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board")
    make_database(path, MANY).close()
    return path


@pytest.fixture
def db(folder: Path) -> Iterator[Database]:
    with connect(folder / "games.duckdb", read_only=True) as opened:
        yield opened


def count(db: Database, query: str) -> int:
    return int(db.sql(f"SELECT count(*) FROM ({query})").item())


@pytest.mark.heavy
def test_names_without_a_line_of_their_own_are_counted(folder: Path, db: Database, tmp_path: Path) -> None:
    players = count(db, "SELECT DISTINCT player FROM seats")
    variants = count(db, "SELECT DISTINCT variant FROM games")
    games = count(db, "FROM games")
    rest = (
        f"{players - MOST_PLAYERS} players (together as “Other players”),"
        f" {variants - MOST_VARIANTS} variants (together as “Other variants”)"
    )
    assert players > MOST_PLAYERS
    assert variants > MOST_VARIANTS
    target = tmp_path / "page.html"
    ran = hanalyze("dashboard", folder / "games.duckdb", "-o", target)
    text = html.unescape(target.read_text("utf-8"))
    assert f" Not shown separately: {rest}.</p>" in text
    assert f"{games} games for 2 to 6 players, {variants} variants; {players} players in all." in text
    size = f"{target.stat().st_size / 1e6:.1f} MB"
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines == [str(target), f"{games} games, {size}; not shown separately: {rest}; {UNREAD}"]


@pytest.mark.heavy
def test_nothing_is_said_where_everybody_is_shown(tmp_path: Path) -> None:
    people = ("Ada", "Bela", "others", "Daan")
    with make_database(tmp_path, people, samples=False) as db, Cube(db) as cube:
        # A player of that name is a player.
        assert set(cube.shown_players) == set(people)
    ran = hanalyze("dashboard", tmp_path / "games.duckdb", "-o", tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text("utf-8")
    assert "Not shown separately" not in text
    assert "139 games for 2 to 4 players, 2 variants; 4 players in all." in text
    assert ran.lines[0] == str(tmp_path / "x.html")
    assert ran.lines[1].startswith("139 games, ")
    assert ran.lines[1].endswith(f" MB; {UNREAD}")
    assert ran.lines[1].count(";") == 2


@pytest.mark.heavy
def test_pages_of_games_are_counted_and_placed(tmp_path: Path) -> None:
    make_database(tmp_path, samples=False).close()
    target = tmp_path / "all.html"
    ran = hanalyze(
        "dashboard",
        tmp_path / "games.duckdb",
        "-o",
        target,
        "--pages",
        "1",
        "--logs",
        tmp_path / "30.jsonl",
        "--logs",
        tmp_path / "90.jsonl",
        "--logs",
        tmp_path / "102.jsonl",
        "--logs",
        tmp_path / "114.jsonl",
        "--logs",
        tmp_path / "139.jsonl",
    )
    assert (ran.code, ran.err) == (0, "")
    assert f", 1 page of games in {tmp_path / 'all_games'}" in ran.lines[1]
    [page] = (tmp_path / "all_games").iterdir()
    lists = data_of(target)["entries"].values()
    assert f"all_games/{page.name}" in {one["page"] for some in lists for one in some["entries"]}
    (tmp_path / "blocked_games").write_text("a file")
    ran = hanalyze(
        "dashboard",
        tmp_path / "games.duckdb",
        "-o",
        tmp_path / "blocked.html",
        "--pages",
        "1",
        "--logs",
        tmp_path / "30.jsonl",
        "--logs",
        tmp_path / "90.jsonl",
        "--logs",
        tmp_path / "139.jsonl",
        "--logs",
        tmp_path / "102.jsonl",
        "--logs",
        tmp_path / "114.jsonl",
    )
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"hanalyze: {tmp_path / 'blocked_games'}: File exists\n"


def test_cards_have_the_suits_of_the_edition() -> None:
    """In hanabi-data suit 2 is White and suit 4 Red; on turn 36 Cathy leaves the 5 of suit 4 unsaved."""
    records = [one for one in read(SAMPLES / "editions.jsonl") if one.edition in ("hanabi-data", "keldon")]
    with connect() as db:
        db.add(records)
        with Cube(db) as cube:
            rows = entries(cube, "turns", "costliest")
            labels = {label for panel, label, _ in cube.sums("discards_by").keys if panel == "Suit"}
    [lost] = [row for row in rows if row["turn"] == 36]
    assert (lost["card"], lost["player"], SUITS[lost["suit"]]) == ("R5", "Cathy", "Red")
    assert labels == {"G green", "Y yellow", "W white", "B blue", "R red", "P purple"}


def test_the_costliest_turns_name_the_card_that_was_lost_and_the_chance_of_the_verdict() -> None:
    with connect() as db:
        db.ingest(SAMPLES / "games.jsonl")
        db.read_conventions()
        with Cube(db) as cube:
            rows = {
                (row["cells"][4], row["what"].split()[0]): row for row in entries(cube, "turns", "costliest")
            }
            texts = {
                (row["turn"], row["seat"], row["kind"]): row for row in cube.listed("costliest").to_dicts()
            }
        mistakes = db.mistakes().filter(pl.col("points") > 0)
    # Cathy clued on turn 18; Donald's b2 went.
    unsaved = rows["Game p5v99s14, turn 18", "left"]
    assert unsaved["cells"][:4] == [
        "\N{MINUS SIGN}4",
        "Cathy left Donald\N{RIGHT SINGLE QUOTATION MARK}s B2 unsaved",
        "knew",
        "",
    ]
    assert (unsaved["card"], SUITS[unsaved["suit"]]) == ("B2", "Blue")
    lost = rows["Game p2v0s24, turn 29", "discards"]["cells"]
    assert lost[2:4] == ["could not know", "28% likely to be the last copy (22% by card counting)"]
    checked = 0
    for mistake in mistakes.to_dicts():
        row = texts.get((mistake["turn"], mistake["seat"], mistake["kind"]))
        if row and row["game_id"] == mistake["game_id"]:
            values = json.loads(mistake["evidence_values"])
            if mistake["kind"] == "discard_unsaved":
                assert (row["card"], row["holder"]) == (values["card"], values["seat"])
            elif mistake["kind"] == "discard_last_copy":
                assert turn_words(row)[2].split(" likely")[0] in worded(mistake)[0]
            checked += 1
    assert checked > 20

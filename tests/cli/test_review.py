"""`hanalyze review`: which game it takes, where it writes, and what it says when it cannot."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import msgspec
import pytest

from hanalyze.agents import simulate
from hanalyze.cli.review import review
from hanalyze.errors import HanalyzeError
from hanalyze.logs import read, write
from tests.cli.running import hanalyze
from tests.report.board import data_of

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def test_the_page_is_named_for_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    review(str(SAMPLES / "game.json"))
    assert capsys.readouterr().out == "p3v0s7.html\n"
    text = (tmp_path / "p3v0s7.html").read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert len(text.encode()) < 1_000_000


def test_a_number_goes_before_the_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [record] = read([SAMPLES / "game.json"])
    write([msgspec.structs.replace(record, id=4711)], tmp_path / "log.json")
    assert hanalyze("review", "log.json") == (0, "4711.html\n", "")


@pytest.mark.heavy
def test_the_pages_of_a_dashboard_are_named_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("plotly")
    monkeypatch.chdir(tmp_path)
    first, second, third = simulate("cautious", players=2, games=3)
    # One deal played twice, as hanab.live's are: two games of one name.
    write(
        [
            msgspec.structs.replace(first, id=4711),
            second,
            msgspec.structs.replace(third, seed=second.seed, deck=second.deck, actions=second.actions[:-1]),
        ],
        "log.jsonl",
    )
    assert hanalyze("ingest", "log.jsonl", "--db", "games.duckdb").code == 0
    ran = hanalyze("dashboard", "games.duckdb", "-o", "all games.html", "--pages", "3", "--logs", "log.jsonl")
    assert (ran.code, ran.err) == (0, "")
    pages = {"4711.html", "p2v0s2.html", "p2v0s2-2.html"}
    assert set(os.listdir("all games_games")) == pages
    lists = data_of(Path("all games.html"))["entries"].values()
    linked = {one["page"] for some in lists for one in some["entries"] if one["page"]}
    assert linked == {f"all%20games_games/{page}" for page in pages}


@pytest.mark.heavy
def test_the_threshold_of_plays(tmp_path: Path) -> None:
    """No card that was discarded was as likely to fit as 60 %, but three were as 5 %."""
    log, page = SAMPLES / "game.json", tmp_path / "page.html"
    found = {}
    for threshold in ("0.6", "0.05"):
        ran = hanalyze("review", log, "-o", page, "--play-threshold", threshold)
        assert (ran.code, ran.err) == (0, "")
        embedded = re.search(r'type="application/json"[^>]*>(.*?)</script>', page.read_text("utf-8"), re.S)
        assert embedded is not None
        marks = json.loads(embedded[1])["marks"]
        found[threshold] = [mark["turn"] for mark in marks if mark["kind"] == "discard_playable"]
    assert found == {"0.6": [], "0.05": [26, 27, 51]}
    wrong = hanalyze("review", log, "-o", page, "--play-threshold", "1.5")
    assert (wrong.code, wrong.out) == (2, "")
    assert "not a chance" in wrong.err
    assert "--play-threshold" in hanalyze("review", "--help").out


@pytest.mark.heavy
def test_a_game_of_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = str(SAMPLES / "games.jsonl")
    target = tmp_path / "page.html"
    review(games, output=str(target), nth=2)
    assert "Game p3v1s2." in target.read_text("utf-8")
    review(games, output=str(target), game="p4v16s3")
    assert "Game p4v16s3." in target.read_text("utf-8")
    assert capsys.readouterr().out == f"{target}\n" * 2


@pytest.mark.parametrize(
    ("game", "nth", "message"),
    [
        (None, None, "several games, among them p2v0s1 and p3v1s2; choose one with --game or --nth"),
        (None, 99, "no such game"),
        ("p9", None, "no such game"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, game: str | None, nth: int | None, message: str) -> None:
    with pytest.raises(HanalyzeError, match=message) as caught:
        review(str(SAMPLES / "games.jsonl"), output=str(tmp_path / "x.html"), game=game, nth=nth)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x.html").exists()


def test_a_folder_that_does_not_exist() -> None:
    with pytest.raises(HanalyzeError, match="there is no such folder"):
        review(str(SAMPLES / "game.json"), output="/nowhere/page.html")


def test_a_name_that_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    [record] = read([SAMPLES / "game.json"])
    record = msgspec.structs.replace(record, seed="../../<evil>/p3v0s7")
    write([record], tmp_path / "log.json")
    review("log.json")
    assert capsys.readouterr().out == "evil-p3v0s7.html\n"

"""`hanalyze demo`: what it makes is complete and linked, and it takes nobody's folder."""

from __future__ import annotations

import re
import shlex
import sys
import webbrowser
from pathlib import Path

import pytest

import hanalyze as hz
from hanalyze.cli import demo
from hanalyze.logs.sources.file_search import sample_folder
from hanalyze.store.mistakes import BLAMELESS
from tests.cli.running import Ran, hanalyze
from tests.report.board import data_of

pytest.importorskip("duckdb")
pytest.importorskip("jinja2")
pytest.importorskip("plotly")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    folder = tmp_path_factory.mktemp("demo") / "it"
    return folder, hanalyze("demo", folder)


@pytest.mark.heavy
def test_it_says_what_it_made(made: tuple[Path, Ran]) -> None:
    folder, ran = made
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0].startswith("building the demo: ")
    paths = [Path(line.split("  ")[0]) for line in ran.lines[1:8]]
    assert paths == [
        folder / name
        for name in (
            "logs",
            "games.duckdb",
            "games",
            "quiz.html",
            "me.html",
            "explore.html",
            "dashboard.html",
        )
    ]
    assert all(path.exists() for path in paths)
    assert ran.lines[-1] == f"open {paths[6]} in a browser, or run `hanalyze demo {folder} --open`"
    logs = sample_folder()
    assert {path.name for path in (folder / "logs").iterdir()} == {
        path.name for path in logs.iterdir() if path.is_file() and path.suffix != ".py"
    }


@pytest.mark.heavy
def test_the_numbers_are_those_of_the_database(made: tuple[Path, Ran]) -> None:
    folder, ran = made
    with hz.connect(folder / "games.duckdb", read_only=True) as db:
        games, mistakes = db.games(), db.mistakes()
        assert db.rejects().height == db.defects().height == 0
    blamed = mistakes.filter(~mistakes["severity"].is_in(list(BLAMELESS)))
    turns = blamed.select("game_id", "turn").unique().height
    assert (
        f"{games.height} games, {games['turns'].sum():,} turns; {blamed.height} mistakes, in {turns} of the"
        f" turns, cost {blamed['points'].sum()} points"
    ) in ran.lines
    [costliest] = [line for line in ran.lines if line.startswith("the costliest, ")]
    assert costliest.startswith(f"the costliest, {blamed['points'].max()} points: ")
    # The next line is where to see it.
    page, turn = ran.lines[ran.lines.index(costliest) + 1].strip().split("#turn=")
    assert Path(page).exists()
    # Of several that cost as much it is one.
    assert int(turn) - 1 in blamed.filter(blamed["points"] == blamed["points"].max())["turn"].to_list()


@pytest.mark.heavy
def test_every_link_of_the_dashboard_leads_to_a_page(made: tuple[Path, Ran]) -> None:
    folder, _ = made
    rows = [row for some in data_of(folder / "dashboard.html")["entries"].values() for row in some["entries"]]
    linked = {row["page"] for row in rows if row["page"]}
    assert len(linked) >= 6
    for page in linked:
        assert (folder / page).read_text("utf-8").startswith("<!doctype html>")
    # What is first on the page, before any filter, is linked without exception.
    costliest = data_of(folder / "dashboard.html")["entries"]["costliest"]["entries"][:8]
    assert all(row["page"] for row in costliest)
    there = {f"games/{path.name}" for path in (folder / "games").iterdir()}
    assert there - linked <= {"games/p3v0s7.html"}
    assert (folder / "games" / "p3v0s7.html").exists()


@pytest.mark.heavy
def test_every_link_of_the_page_of_a_player_leads_somewhere(made: tuple[Path, Ran]) -> None:
    folder, _ = made
    links = set(re.findall(r'href="([^"]+)"', (folder / "me.html").read_text("utf-8")))
    here = {link for link in links if not link.startswith("https://hanab.live/")}
    assert any(link.startswith("me_quiz.html#puzzle=") for link in here)
    assert all((folder / link.partition("#")[0]).exists() for link in here)


@pytest.mark.heavy
def test_running_it_again_changes_nothing(made: tuple[Path, Ran]) -> None:
    folder, _ = made
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    ran = hanalyze("demo", folder)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines == [
        "this demo already exists; --replace rebuilds it",
        f"open {folder}/dashboard.html in a browser, or run `hanalyze demo {folder} --open`",
    ]
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.mark.heavy
def test_what_was_interrupted_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "_PAGES", 0)
    folder = tmp_path / "hanalyze-demo"
    for again in ((), ("--replace",)):
        # A demo without its last page was not finished.
        (folder / "dashboard.html").unlink(missing_ok=not again)
        ran = hanalyze("demo", *again)
        assert (ran.code, ran.err) == (0, "")
        assert ran.lines[-1] == (
            "open hanalyze-demo/dashboard.html in a browser, or run `hanalyze demo --open`"
        )
    with hz.connect(folder / "games.duckdb", read_only=True) as db:
        assert db.games().height == 56


def test_a_folder_of_somebody_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "dashboard.html").write_text("mine")
    for options in ((), ("--replace",)):
        ran = hanalyze("demo", tmp_path, *options)
        assert (ran.code, ran.out) == (2, "")
        problem = "this folder is neither empty nor a demo; choose another folder"
        assert ran.err == f"hanalyze: {tmp_path}: {problem}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["dashboard.html"]


@pytest.mark.parametrize("name", ["file", "file/within"])
def test_a_folder_that_cannot_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    ran = hanalyze("demo", tmp_path / name)
    assert (ran.code, ran.lines[1:], ran.err.count("\n")) == (2, [], 1)
    assert ran.err.startswith(f"hanalyze: {tmp_path / 'file'}")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("module", ["plotly", "jinja2", "duckdb"])
def test_what_is_missing_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    ran = hanalyze("demo", tmp_path / "demo")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "is not installed; pip install" in ran.err
    assert not (tmp_path / "demo").exists()


@pytest.mark.heavy
def test_it_opens_the_dashboard(made: tuple[Path, Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _ = made
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda page: bool(opened.append(page)) or len(opened) == 1)
    ran = hanalyze("demo", folder, "--open")
    assert ran.err == ""
    # Who asked for it is not told to ask for it.
    assert ran.lines == [
        "this demo already exists; --replace rebuilds it",
        f"opening {folder}/dashboard.html",
    ]
    assert opened == [(folder / "dashboard.html").as_uri()]
    ran = hanalyze("demo", folder, "--open")
    assert ran.err == f"hanalyze: no browser could be opened; open {folder}/dashboard.html yourself\n"


@pytest.mark.heavy
def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "_PAGES", 0)
    monkeypatch.setattr(webbrowser, "open", lambda _: True)
    lines = re.findall(r"(?m)^ +hanalyze (demo.*)$", hanalyze("demo", "--help").out)
    assert len(lines) == 2
    ran = hanalyze(*shlex.split(lines[1]))
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "somewhere" / "else" / "dashboard.html").exists()

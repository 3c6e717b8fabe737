"""Where results go: a file or standard output, by the same words in every command that writes."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from hanalyze.errors import HanalyzeError
from hanalyze.output import check_target, write_bytes
from tests.cli.running import hanalyze, saved
from tests.store.logs import games

pytest.importorskip("duckdb")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games")
    log = saved(path, *games(3))
    saved(path, *games(1), name="game.json")
    assert hanalyze("ingest", log, "--db", path / "games.duckdb", "--jobs", "1").code == 0
    return path


WRITING = {
    "convert": ("convert", "{}/game.json", "-o"),
    "sql": ("sql", "{}/games.duckdb", "SELECT 1 AS one", "--format", "csv", "-o"),
    "stats": ("stats", "{}/games.duckdb", "--csv"),
    "research": ("research", "{}/games.duckdb", "--html"),
    "review": ("review", "{}/game.json", "-o"),
    "dashboard": ("dashboard", "{}/games.duckdb", "-o"),
    "explore": ("explore", "{}/games.duckdb", "-o"),
    "plot": ("plot", "{}/games.duckdb", "scores", "-o"),
}
SAID = {"convert": "1 game", "sql": "1 row", "stats": "1 row"}
"""What is written, in the line on standard error; commands that make a page print its path."""


def run(command: str, folder: Path, target: str) -> tuple[int, str, str]:
    return tuple(hanalyze(*(word.format(folder) for word in WRITING[command]), target))


@pytest.mark.parametrize("command", WRITING)
def test_one_wording(command: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "there.html").mkdir()
    for target, words in (
        (f"{tmp_path}/none/x.html", "there is no such folder; create it first"),
        (f"{tmp_path}/there.html", "this is a folder; give a file in it"),
        (f"{folder}/game.json/x.html", "{}"),
    ):
        code, out, err = run(command, folder, target)
        assert (code, out) == (2, "")
        assert err.startswith(f"hanalyze: {target}: ")
        assert err.count("\n") == 1
        if words != "{}":
            assert err == f"hanalyze: {target}: {words}\n"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=pytest.mark.heavy if command in ("dashboard", "explore") else ())
        for command in sorted(set(WRITING) - {"plot"})
    ],
)
def test_a_dash_is_standard_output(
    command: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(command, folder, "x.html")
    said = SAID.get(command)
    assert (code, err) == (0, f"hanalyze: {said} written to x.html\n" if said else "")
    assert out.startswith("x.html\n") or (said and not out)
    code, out, err = run(command, folder, "-")
    assert (code, err) == (0, "")
    assert out == (tmp_path / "x.html").read_text("utf-8")
    assert os.listdir() == ["x.html"]


def test_what_goes_beside_a_file_needs_one(folder: Path) -> None:
    ran = hanalyze("dashboard", folder / "games.duckdb", "-o", "-", "--pages", "1", "--logs", folder)
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "hanalyze: --pages needs an output file, beside which the pages are written; give -o FILE\n"
    )
    ran = hanalyze("review", folder / "game.json", "-o", "-", "--open")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "hanalyze: --open needs a file to open; give -o FILE\n"


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    target = tmp_path / "file"
    write_bytes(b"\x00\xff" * 100_000, str(target))
    write_bytes(b"\r\n", str(target))
    assert target.read_bytes() == b"\r\n"


@pytest.mark.parametrize("target", ["zero\0byte", "/dev/full" if os.path.exists("/dev/full") else "\0"])
def test_whatever_it_is_the_rule_is_the_same(target: str) -> None:
    with pytest.raises(HanalyzeError) as caught:
        write_bytes(b"x", target)
    assert (caught.value.rule, caught.value.file) == ("unwritable", target)


def test_targets_are_checked_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for target in ("-", "x.html", f"{tmp_path}/x.html"):
        check_target(target)
    for target in (".", "none/x.html"):
        with pytest.raises(HanalyzeError) as caught:
            check_target(target)
        with pytest.raises(HanalyzeError) as written:
            write_bytes(b"", target)
        assert str(caught.value) == str(written.value)
    assert os.listdir() == []


def test_what_takes_long_is_announced_off_a_terminal_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> list[tuple[int, int]]:
        logging.getLogger("hanalyze.kernels.compiling").info("this takes a while")
        return [(0, 1)]

    monkeypatch.setattr("hanalyze.cli.deck.deal", slow)
    for _ in range(2):
        # Once each time, and never among the results.
        assert hanalyze("deck", "p2v0s1", "--json") == (0, "[[0,1]]\n", "hanalyze: this takes a while\n")
    assert logging.getLogger("hanalyze").handlers == []

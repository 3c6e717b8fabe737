"""README and docs: their Python and commands run, and give what the text shows."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from hanalyze.output import cache_folder
from hanalyze.report.explore.full import TARBALL
from tests.cli.running import hanalyze
from tests.logs.servers import every_game, serving
from tests.report.test_explore_full import make_package

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FILES = (ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md"))
PAGES = {path.name: path.read_text(encoding="utf-8") for path in FILES}
TUTORIALS = {path.name: 3 for path in DOCS.glob("tutorials/*.md")}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.DOTALL)


@pytest.mark.parametrize(
    ("page", "block", "shown"),
    [("README.md", 0, 1), pytest.param("python.md", 0, 2, marks=pytest.mark.heavy), ("python.md", 1, 2)],
)
def test_the_python_runs(
    page: str, block: int, shown: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = blocks(page, "python")[block]
    (tmp_path / "sample_logs").symlink_to(ROOT / "sample_logs")
    monkeypatch.chdir(tmp_path)
    hanalyze("simulate", "--games", "2", "-o", "games.jsonl")
    hanalyze("ingest", "games.jsonl", "--db", "games.duckdb")
    names: dict[str, object] = {}
    exec(code, names)
    exec("replay = hz.replay(hz.load('sample_logs/game.json'))", names)
    # Where the comment is the value, it is the value.
    values = re.findall(r"^(\S.*?)  # ((?:\(|\[|Card\().*)$", code, re.MULTILINE)
    assert len(values) == shown
    for expression, value in values:
        assert repr(eval(expression, names)) == value


UNREAD = (
    "hanalyze: these games were not read for conventions, and are judged only by logic and odds;"
    " `hanalyze conventions DB` reads them\n"
)


@pytest.mark.heavy
@pytest.mark.parametrize(("page", "least"), [("README.md", 12), ("commands.md", 30), *TUTORIALS.items()])
def test_the_commands_run(page: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_logs").symlink_to(ROOT / "sample_logs")
    (tmp_path / "game.json").write_bytes((ROOT / "sample_logs" / "game.json").read_bytes())
    if (usual := cache_folder()) is not None:  # nothing is compiled again
        monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR") or str(usual.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if page in ("README.md", "commands.md"):
        hanalyze("simulate", "--games", "2", "-o", "games.jsonl")
        make_package(tmp_path / TARBALL)  # for `explore --full`
    lines = [
        re.sub(r"\s+#.*|\s+>.*", "", line)
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.startswith("hanalyze ")
    ]
    assert len(lines) >= least
    if page in TUTORIALS:  # what README shows, too, was run from there
        lines = [line for line in lines if "ingest" in line or line not in PAGES["README.md"]]
    with serving() as site:
        site.answer = every_game
        monkeypatch.setenv("HANALYZE_SITE", site.address)
        for line in lines:
            # A thousand games would show nothing else.
            short = line.replace("--games 1000 ", "--games 200 ")
            if page in TUTORIALS:
                short = re.sub(r"--games \d+", "--games 6", short).replace("..p3v0s16", "..p3v0s8")
            words = re.findall(r'"[^"]*"|\S+', short)[1:]
            ran = hanalyze(*(word.strip('"') for word in words))
            said = ran.err
            if words[0] == "mistakes":  # the games were not read for conventions yet
                said = said.replace(UNREAD, "")
            # How long it takes is said on a busy machine.
            said = re.sub(r"(?m)^hanalyze: (.* written to .*|solving \d+ more deals: .*)\n", "", said)
            assert (line, ran.code, said) == (line, 0, "")


def test_what_commands_print_is_what_they_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = [
        (" ".join(command.split()), text)
        for page in PAGES.values()
        for command, text in re.findall(r"\(`hanalyze ([^`]+)`\):\n\n```\n(.*?)```", page, re.DOTALL)
    ]
    assert len(shown) == 3
    for command, text in shown:
        ran = hanalyze(*command.split())
        assert ran.code == 0
        # Some sample games were played at random: who plays so follows no conventions.
        assert ran.err == "" or ran.err.startswith(
            "hanalyze: the players of 1 of 11 games do not seem to follow"
        )
        assert text in ran.out, command


def test_which_tables_are_lazy() -> None:
    import polars as pl

    import hanalyze as hz

    with hz.connect() as db:
        lazy = {name for name in TABLES_OF if isinstance(getattr(db, name)(), pl.LazyFrame)}
        assert lazy == {"turns", "clues", "cards"}
    [line] = [line for line in PAGES["python.md"].splitlines() if line.startswith("db.turns()")]
    before, _, after = line.partition(";")
    assert {name for name in TABLES_OF if f"{name}()" in before} == lazy
    assert not {name for name in TABLES_OF if f"{name}()" in after} & lazy


TABLES_OF = ("games", "seats", "turns", "clues", "cards", "findings", "defects", "rejects", "ingests")


def test_what_needs_duckdb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence in docs/python.md says which commands do without it."""
    pytest.importorskip("duckdb")
    games = str(ROOT / "sample_logs" / "game.json")
    database, page = str(tmp_path / "games.duckdb"), str(tmp_path / "x.html")
    folder = f"{tmp_path / 'games'}/"
    for made in (database, folder):
        assert hanalyze("ingest", games, "--db", made).code == 0
    arguments = {
        "demo": [str(tmp_path / "demo")],
        "replay": [games],
        "deck": ["p3v0s1"],
        "deals": ["p3v0s1", "--runs", "0"],
        "seed": ["find", games, "--up-to", "100"],
        "convert": [games, "-o", str(tmp_path / "other.jsonl")],
        "fetch": ["--player", "Alice", "-o", str(tmp_path / "fetched.jsonl")],
        "formats": [],
        "simulate": [],
        "solve": [games, "--nodes", "100"],
        "ingest": [games, "--db", str(tmp_path / "new.duckdb")],
        "review": [games, "-o", page],
        "mistakes": [games],
        "quiz": [games, "-o", page],
        "me": [games, "--player", "Alice", "-o", page],
        "dashboard": [database, "-o", page],
        "explore": [database, "-o", page],
        "plot": [database, "scores", "-o", page],
        "stats": [database],
        "conventions": [games],
        "compare": [database, "--a", "players=3"],
        "research": [database],
        "sql": [database, "SELECT 1"],
        "export": [database, str(tmp_path / "parquet")],
        "compact": [folder],
        "info": [database],
        "sums": [database],
    }
    assert set(arguments) == set(re.findall(r"(?m)^  (\w+)  +\w", hanalyze("--help").out))
    for name in ["duckdb", *(loaded for loaded in sys.modules if loaded.startswith(("duckdb.", "_duckdb")))]:
        monkeypatch.setitem(sys.modules, name, None)
    with serving() as site:
        site.answer = every_game
        monkeypatch.setenv("HANALYZE_SITE", site.address)
        ran = {command: hanalyze(command, *given) for command, given in arguments.items()}
    assert {one.err for one in ran.values() if one.code} == {
        "hanalyze: DuckDB is not installed; pip install 'hanalyze[database]'\n"
    }
    [sentence] = re.findall(r"DuckDB, which every command\s+needs except ([^;]*);", PAGES["python.md"])
    assert {command for command, one in ran.items() if not one.code} == set(re.findall(r"`(\w+)`", sentence))


def test_the_links_lead_somewhere() -> None:
    """In the repository: to a file or folder of it, and to a heading of this file."""
    others = [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "sample_logs/SOURCE.md")]
    found = 0
    for path in (*FILES, *others):
        for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", path.read_text("utf-8")):
            name, _, heading = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            assert file.exists(), (path, target)
            assert file.is_relative_to(ROOT), (path, target)
            found += 1
            if heading:
                titles = re.findall(r"(?m)^#+ (.+)$", file.read_text("utf-8"))
                assert heading in [re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in titles], (
                    target
                )
    assert found > 100

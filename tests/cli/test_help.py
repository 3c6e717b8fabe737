"""The help: every command has it, with examples that run, and it names what there is."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from hanalyze.agents import AGENTS, simulate
from hanalyze.cli.app import command_groups
from hanalyze.decks import SHUFFLES
from hanalyze.game.editions import EDITIONS
from hanalyze.logs import to_json
from hanalyze.output import cache_folder
from hanalyze.store import connect
from tests.cli.running import hanalyze, saved

COMMANDS = ("replay", "deck", "seed", "simulate", "convert", "solve")
"""The commands whose examples need nothing but `games.jsonl`, or a database of it."""

ALL = re.findall(r"(?m)^  (\w+)  +\w", hanalyze("--help").out)


def examples(command: str) -> list[str]:
    return re.findall(r"(?m)^ +(hanalyze .*)$", hanalyze(command, "--help").out)


def test_the_commands() -> None:
    ran = hanalyze("--help")
    assert ran.code == 0
    assert set(COMMANDS) <= set(ALL)
    assert [name for names in command_groups().values() for name in names] == ALL
    assert all(len(line) <= 80 for line in hanalyze("--help", columns=80).lines)
    assert hanalyze("-h") == ran


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    games = list(simulate("cautious", players=3, games=3, seed=6))
    logs = saved(tmp_path, *games)
    (tmp_path / "my_agent.py").write_text(
        "class Agent:\n    def act(self, sight):\n        return sight.legal[0]\n"
    )
    if command == "solve":
        with connect("games.duckdb") as db:
            db.ingest(logs)
    # The game of the link was fetched before.
    if (usual := cache_folder()) is not None:
        monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR") or str(usual.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = tmp_path / "hanalyze" / "games" / "hanab.live"
    kept.mkdir(parents=True)
    (kept / "101785.json").write_bytes(to_json(replace(games[0], id=101785)))
    assert len(examples(command)) >= 2
    for example in examples(command):
        ran = hanalyze(*shlex.split(example)[1:])
        assert ran.code == 0, example
        # What takes longer on this machine says so.
        said = [line for line in ran.err.splitlines() if " more deals: about " not in line]
        assert all(" written" in line for line in said), example
        assert ran.out or ran.err


@pytest.mark.parametrize("command", ALL)
def test_every_option_is_explained(command: str) -> None:
    ran = hanalyze(command, "--help", columns=79)
    assert (ran.code, ran.err) == (0, "")
    options = ran.out.partition("Options:\n")[2].partition("\n\n")[0]
    for option in re.split(r"\n  (?=-)", options):
        assert re.search(r"[a-z.\]] *$", option), option
    # An example stays on one line, to be copied.
    assert max(len(line) for line in ran.lines if "  hanalyze " not in line) <= 80


def test_the_help_imports_no_command() -> None:
    """The list of the commands is quick, as it needs none of them."""
    code = (
        "import sys; from hanalyze.cli.app import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True
    )
    assert "One game:" in ran.stdout
    modules = set(ran.stderr.split())
    assert not modules & {"numpy", "polars", "duckdb", "msgspec", "rich", "pydantic", "hanalyze.game"}
    assert not {f"hanalyze.cli.{name}" for name in ALL} & modules


def test_the_help_names_what_there_is() -> None:
    words = {name: " ".join(hanalyze(name, "--help").out.split()) for name in COMMANDS}
    assert all(name in words["replay"] for name in EDITIONS)
    assert all(name in words["deck"] for name in SHUFFLES)
    assert all(name in words["simulate"] for name in AGENTS)

"""README: its Python runs and gives what it says, and its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import hanalyze

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [code] = blocks("python")
    (tmp_path / "sample_logs").symlink_to(ROOT / "sample_logs")
    monkeypatch.chdir(tmp_path)
    hanalyze("simulate", "--games", "2", "-o", "games.jsonl")
    names: dict[str, object] = {}
    exec(code, names)
    exec("replay = hz.replay(hz.load('sample_logs/game.json'))", names)
    # Where the comment is the value, it is the value.
    values = re.findall(r"^(\S.*?)  # ((?:\(|Card\().*)$", code, re.MULTILINE)
    assert len(values) == 2
    for expression, value in values:
        assert repr(eval(expression, names)) == value


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.json").write_bytes((ROOT / "sample_logs" / "game.json").read_bytes())
    hanalyze("simulate", "--games", "2", "-o", "games.jsonl")
    lines = [
        re.sub(r"\s+#.*|\s+>.*", "", line)
        for block in blocks("sh")
        for line in block.splitlines()
        if line.startswith("hanalyze ")
    ]
    assert len(lines) >= 9
    for line in lines:
        words = re.findall(r'"[^"]*"|\S+', line)[1:]
        ran = hanalyze(*(word.strip('"') for word in words))
        assert (line, ran.code, ran.err) == (line, 0, "")


def test_what_commands_print_is_what_they_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = re.findall(r"\(`hanalyze ([^`]+)`\):\n\n```\n(.*?)```", TEXT, re.DOTALL)
    assert len(shown) == 2
    for command, text in shown:
        ran = hanalyze(*command.split())
        assert (ran.code, ran.err) == (0, "")
        assert text in ran.out, command

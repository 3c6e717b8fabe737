"""What names a game without a file, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanalyze.errors import LogError
from hanalyze.logs import load, read
from hanalyze.logs.sources.site import GameReference, display_name, game_reference, turn_of

STRING = "212acbd,03pbad,0"

NAMES = [
    ("101785", GameReference(number=101785), "a number"),
    ("101785#45", GameReference(number=101785, turn=45), "a number with a turn"),
    ("hanab.live/replay/101785", GameReference(number=101785), "a link without its scheme"),
    ("https://hanab.live/replay/101785#45", GameReference(number=101785, turn=45), "a link with a turn"),
    ("http://www.hanab.live/shared-replay/7/", GameReference(number=7), "another form of the link"),
    ("HTTPS://hanab.live/replay/7", None, "a scheme in capitals is a path for us"),
    ("https://hanab.live/export/7?x=1", GameReference(number=7), "what is asked for besides does not matter"),
    ("https://hanab.live/replay/7#puzzle", GameReference(number=7), "a place that is no turn"),
    ("https://hanab.live/replay/7#0", GameReference(number=7), "turns count from 1"),
    (f"hanab.live/shared-replay-json/{STRING}#2", GameReference(string=STRING, turn=2), "a shared game"),
    (f"hanab.live/replay-json/{STRING}", GameReference(string=STRING), "the same"),
    (STRING, GameReference(string=STRING), "the string alone"),
    ('{"players": []}', GameReference(json='{"players": []}'), "pasted JSON"),
    ("games.json", None, "a file"),
    ("games#1.json", None, "a file with a strange name"),
    ("-", None, "standard input"),
    ("12/34", None, "a path"),
    ("logs/*.jsonl", None, "a pattern"),
    ("evilhanab.live/replay/7", None, "another host"),
    ("hanab.live.example.org/replay/7", None, "another host"),
    ("1" * 13, None, "too long for a number of a game"),
]


@pytest.mark.parametrize(("text", "expected", "comment"), NAMES)
def test_what_a_text_names(text: str, expected: GameReference | None, comment: str) -> None:
    assert game_reference(text) == expected, comment
    assert turn_of(text) == (expected.turn if expected else None), comment


@pytest.mark.parametrize("text", ["hanab.live/", "https://hanab.live/scores/Alice", "hanab.live/replay/x"])
def test_a_link_to_something_else_is_an_error(text: str) -> None:
    with pytest.raises(LogError) as found:
        game_reference(text)
    assert found.value.rule == "bad_link"
    problems: list[LogError] = []
    assert not list(read(text, on_error=problems.append))
    assert [problem.rule for problem in problems] == ["bad_link"]
    assert display_name(text) == text
    assert turn_of(text) is None


@pytest.mark.parametrize("name", ["101785", STRING])
def test_a_file_is_meant_itself(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text('{"players": ["Eve", "Bob"], "actions": [], "seed": "p2v0s1"}')
    assert game_reference(name) is None
    assert load(name).players == ("Eve", "Bob")


def test_a_shared_game_is_a_log() -> None:
    record = load(f"https://hanab.live/shared-replay-json/{STRING}")
    assert record.players == ("Alice", "Bob")
    assert record.file == "shared game 212acbd"


def test_pasted_json_is_a_log() -> None:
    assert load('{"players": ["A", "B"], "actions": []}').players == ("A", "B")
    several = list(read('[{"players": ["A", "B"], "actions": []}, {"players": ["C", "D"], "actions": []}]'))
    assert [one.players[0] for one in several] == ["A", "C"]
    with pytest.raises(LogError, match=r"^pasted text, line 1: ") as found:
        load('{"players": 7}')
    assert found.value.file == "pasted text"

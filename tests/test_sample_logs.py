"""The sample logs: made by the project, complete, and each as SOURCE.md says."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path

import pytest

from hanalyze.game.defects import Defect
from hanalyze.game.editions import EDITIONS, EndCondition
from hanalyze.logs import read
from hanalyze.replaying import Replay, replay_many

FOLDER = Path(__file__).parents[1] / "sample_logs"


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    files: dict[str, bytes] = runpy.run_path(str(FOLDER / "make.py"))["files"]()
    return files


def replays(name: str) -> list[Replay]:
    return list(replay_many(read([str(FOLDER / name)]), fast=False))


def test_the_files_are_what_the_script_makes(made: dict[str, bytes]) -> None:
    for name, content in made.items():
        assert (FOLDER / name).read_bytes() == content, name


def test_source_names_every_file_with_its_number_of_games(made: dict[str, bytes]) -> None:
    source = (FOLDER / "SOURCE.md").read_text()
    for name in made:
        assert f"| `{name}` | {len(replays(name))} |" in source


SOUND = ["game.json", "games.jsonl", "endings.jsonl", "editions.jsonl", "array.json.gz"]


@pytest.mark.parametrize("name", SOUND)
def test_sound_logs_have_no_defects(name: str) -> None:
    for one in replays(name):
        assert one.defects == ()
        assert one.turn_count == len(one.record.actions)


def test_every_end_condition_that_can_be_played_is_there() -> None:
    ends = Counter(one.end_condition for one in replays("endings.jsonl"))
    assert set(ends) == {end.label for end in EndCondition} - {"character_softlock"}
    assert ends["strikeout"] == 2


def test_every_edition_is_there() -> None:
    games = replays("editions.jsonl")
    assert {one.rules.edition for one in games} == set(EDITIONS) - {"hanab-live"}
    assert all(one.rules.edition == "hanab-live" for one in replays("games.jsonl"))
    assert {len(one.record.players) for one in replays("games.jsonl")} == {2, 3, 4, 5, 6}


def test_each_broken_log_breaks_the_rule_that_it_names_and_no_other() -> None:
    games = replays("broken.jsonl")
    for one in games:
        assert one.record.source is not None
        rule = one.record.source.rpartition(": ")[2]
        assert [defect.rule.label for defect in one.defects] == [rule]
    assert {one.defects[0].rule for one in games} == set(Defect)

"""Where detectors come from, and how good they are: files, packages, the document's example, scores.

In: files, entry points, the code in CONTRIBUTING. Out: that they are found or refused in one line, that the
example does what it says, and that precision and recall are counts.
"""

from __future__ import annotations

import importlib.metadata
import math
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.analysis import score_detector, wilson
from hanalyze.detectors import (
    Detections,
    Finding,
    detect,
    detector,
    load_detectors,
)
from hanalyze.errors import HanalyzeError
from tests.conventions.test_properties import plain_games
from tests.detectors.detecting import finds, named, short_game
from tests.detectors.early_save import EarlySave

ROOT = Path(__file__).parents[2]

# --- Where detectors come from.

FILE = """
from hanalyze.detectors import Finding, detector

class Base:
    version = "1"
    def detect(self, turn):
        return [Finding(self.name)]

class One(Base):
    name = "one"

@detector("two", "2", after=["one"])
def two(turn):
    yield Finding("two")

same = two
"""


def written(tmp_path: Path, text: str, name: str = "own.py") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_gives_its_classes_and_functions(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    plans = load_detectors([path], entry_points=False)
    assert [(plan.name, plan.version, plan.source) for plan in plans] == [
        ("one", "1", str(path)),
        ("two", "2", str(path)),
    ]
    assert {row.label for row in detect(short_game(), plans)} == {"one", "two"}
    assert [one.name for one in tmp_path.iterdir()] == ["own.py"]
    listed = written(tmp_path, FILE + "\nDETECTORS = [One]\n", "listed.py")
    assert [plan.name for plan in load_detectors([listed], entry_points=False)] == ["one"]
    with pytest.raises(HanalyzeError, match='two detectors are named "one", the other in'):
        load_detectors([path, listed], entry_points=False)


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        ("x = 1", "no_detector", "no detector in this file"),
        ("def f(:\n", "bad_detector", "line 1: this file of detectors fails to run: "),
        ("\n\n1 / 0\n", "bad_detector", "line 3: this file of detectors fails to run: ZeroDivisionError"),
        ("raise SystemExit('\\x1b[2J')", "bad_detector", "SystemExit: \\x1b[2J"),
        ("DETECTORS = [5]", "bad_detector", "int is not a detector"),
        (FILE.replace('"2"', "2"), "bad_detector", 'detector "two" has no version'),
        (
            FILE.replace(
                "class One", "class One(Base):\n    name = 'x'\n    def __init__(self, n): ...\nclass O"
            ),
            "bad_detector",
            "cannot be created",
        ),
        ("\0", "bad_detector", "fails to run"),
    ],
)
def test_a_file_that_is_none_is_one_line(tmp_path: Path, text: str, rule: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(HanalyzeError) as caught:
        load_detectors([path], entry_points=False)
    assert caught.value.rule == rule
    assert str(path) in str(caught.value)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_path_that_is_no_file_is_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.py"):
        with pytest.raises(HanalyzeError) as caught:
            load_detectors([path], entry_points=False)
        assert caught.value.rule == "unreadable"


def offer(monkeypatch: pytest.MonkeyPatch, **values: object) -> None:
    """Let an installed package offer objects as entry points."""

    class Entry:
        def __init__(self, name: str, value: object) -> None:
            self.name = name
            self.value = f"package:{name}"
            self.loaded = value

        def load(self) -> object:
            if isinstance(self.loaded, Exception):
                raise self.loaded
            return self.loaded

    def entry_points(*, group: str) -> list[Entry]:
        assert group == "hanalyze.detectors"
        return [Entry(name, value) for name, value in values.items()]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)


def test_entry_points_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = ModuleType("package")
    exec(FILE, module.__dict__)
    offer(
        monkeypatch,
        an_object=finds("object"),
        a_class=EarlySave,
        several=[finds("x"), named("y")],
        module=module,
    )
    assert {plan.name for plan in load_detectors()} == {"object", "early_save", "x", "y", "one", "two"}
    assert {plan.source for plan in load_detectors() if plan.name == "x"} == {
        "entry point several = package:several"
    }
    assert load_detectors(entry_points=False) == ()
    with pytest.raises(HanalyzeError, match='two detectors are named "one"'):
        load_detectors([written(tmp_path, FILE)])
    offer(monkeypatch, broken=ImportError("no module"))
    with pytest.raises(
        HanalyzeError, match="entry point broken = package:broken: an installed detector cannot"
    ):
        load_detectors()


# --- The example, and the document.


def document() -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [section] = re.findall(r"^## Write a detector\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    assert section.count("\n") <= 40
    [code] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return str(code)


def meant(rows: Detections) -> list[tuple[Any, ...]]:
    return [(row.turn, row.seat, row.label, row.cards, row.seats, row.reasons, row.certainty) for row in rows]


@pytest.mark.heavy
def test_the_document_s_code_finds_what_the_example_finds(tmp_path: Path) -> None:
    plans = load_detectors([written(tmp_path, document(), "early_save.py")], entry_points=False)
    found = 0
    for record in plain_games()[16:22]:
        rows, example = detect(record, plans), detect(record, [EarlySave()])
        assert rows.problems == example.problems == []
        main = [row for row in example if not row.opportunity]
        assert meant(rows) == meant(main)
        chances = {row.turn for row in example if row.opportunity}
        assert {row.turn for row in main} <= chances
        assert {row.outcome for row in main} <= {"success", "failed", "censored"}
        found += len(rows)
    assert found >= 3


# --- Precision and recall.


def test_scores_are_counts_with_wilson_s_intervals() -> None:
    record = short_game()
    clues = [turn for turn, action in enumerate(record.actions) if action.kind > 1]
    other = next(turn for turn in range(len(record.actions)) if turn not in clues)
    cases = [(record, clues[0], {"thing"}), (record, clues[1], set()), (record, other, {"thing", "else"})]
    scores = score_detector(finds(), cases)
    thing, rest = scores["thing"], scores["else"]
    assert (thing.there, thing.claimed, thing.right) == (2, 2, 1)
    assert (thing.precision, thing.precision_interval) == (0.5, wilson(1, 2))
    assert (thing.recall, thing.recall_interval) == (0.5, wilson(1, 2))
    assert math.isnan(rest.precision)
    assert (rest.recall, rest.recall_interval) == (0.0, wilson(0, 1))
    assert score_detector(finds(), [(hz.replay(record), clues[0], ["thing"])])["thing"].right == 1


def test_scoring_stops_at_what_is_wrong() -> None:
    record = short_game()
    with pytest.raises(HanalyzeError, match="there is no turn 999"):
        score_detector(finds(), [(record, 999, {"thing"})])
    with pytest.raises(HanalyzeError, match='the labels of a case are the text "thing"'):
        score_detector(finds(), [(record, 0, "thing")])
    with pytest.raises(HanalyzeError, match='turn 1: detector "bad" raised ZeroDivisionError'):
        score_detector(detector("bad", "1")(lambda turn: 1 / 0), [(record, 0, {"thing"})])
    needing = detector("second", "1", after=["some"])(
        lambda turn: [Finding("x")] if turn.findings["some"] else []
    )
    clue = next(turn for turn, action in enumerate(record.actions) if action.kind > 1)
    assert score_detector(needing, [(record, clue, {"x"})], needs=[finds()])["x"].right == 1

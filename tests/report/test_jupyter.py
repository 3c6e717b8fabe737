"""What a notebook shows: games as the viewer, positions and databases as tables; strangers' text as text."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import hanalyze as hz
from hanalyze import replaying
from hanalyze.engine.rules import apply_action
from hanalyze.report import jupyter
from tests.store.logs import games, log

pytest.importorskip("duckdb")
pytest.importorskip("jinja2")

SAMPLES = Path(__file__).parents[2] / "sample_logs"
HOSTILE = "</script><script>alert(1)</script>"


class Formatter:
    def __init__(self) -> None:
        self.functions: dict[str, Any] = {}

    def for_type_by_name(self, module: str, name: str, function: Any) -> None:
        self.functions[f"{module}.{name}"] = function


class Shell:
    def __init__(self) -> None:
        self.display_formatter = self
        self.formatters = {"text/html": Formatter(), "text/plain": Formatter()}


def test_the_names_that_are_taught_are_those_of_the_classes() -> None:
    shell = Shell()
    jupyter.register(shell)
    classes = {f"{one.__module__}.{one.__name__}" for one in (hz.Replay, hz.Position, hz.Database)}
    assert set(shell.formatters["text/html"].functions) == classes
    assert set(shell.formatters["text/plain"].functions) < classes


def test_without_html_a_position_is_a_table_of_text() -> None:
    text = pytest.importorskip("IPython.lib.pretty")
    shell = Shell()
    jupyter.register(shell)
    printer = text.RepresentationPrinter(output := io.StringIO())
    position = hz.replay(hz.load(SAMPLES / "game.json"))[23]
    shell.formatters["text/plain"].functions["hanalyze.position.Position"](position, printer, False)
    printer.flush()
    assert output.getvalue().splitlines() == [
        "before turn 24: score 7 of 24 possible, 0 clue tokens, 0 strikes, 24 in the deck, pace 10",
        "stacks r0 y2 g2 b2 p1; discards y1 r4 b5 b3",
        "  Alice  b4   p5   g3   p3   g5•",
        "  Bob    r1   r4   g2•  r1•  p4",
        "▸ Cathy  b1   r2   r5   b3   y2•",
        "newest card first; • clued; ▸ to move",
    ]
    summary = "before turn 24: score 7 of 24 possible, 0 clue tokens, 0 strikes, 24 in the deck, pace 10"
    assert repr(position) == f"<Position {summary}>"
    assert "  Bob    ?    ?    ?•   ?•   ?\n" in str(position.seen_by(1))


def test_a_game_is_its_page_in_a_frame() -> None:
    [record] = games(1)
    shown = jupyter.replay_html(hz.replay(replace(record, players=(HOSTILE, "Bob", "Cathy"))))
    found = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts" onload="([^"]*)" title="[^"<>]*" style="[^"]*">'
        r"</iframe>",
        shown,
    )
    assert found is not None
    page = html.unescape(found[1])
    assert page.startswith("<!doctype html>")
    assert "<script>alert(1)" not in page


def test_a_game_without_a_page_is_its_last_board() -> None:
    """Under other rules than its log's there is no page: the mistakes would be those of another game."""
    [record] = games(1)
    played = hz.replay(record, edition="rnr")
    shown = jupyter.replay_html(played)
    assert "<iframe" not in shown
    assert jupyter.position_html(played.state(played.turn_count)) in shown
    assert "the game was replayed under rules other than its log&#x27;s" in shown


def test_a_position_is_a_table() -> None:
    [record] = games(1)
    result = hz.replay(replace(record, players=(HOSTILE, "Bob", "Cathy")))
    position = result[12]
    assert position == result.state(12)
    shown = jupyter.position_html(position)
    assert "<script>" not in shown
    rows = re.findall(r"<tr>(.*?)</tr>", shown)
    cells = [re.sub("<[^>]*>", " ", row).split() for row in rows]
    for seat, hand in enumerate(position.hands):
        cards = [position.letters[held.card.suit] + str(held.card.rank) for held in reversed(hand)]
        assert [cell for cell in cells[seat] if cell in cards] == cards
    assert f"score {position.score} of {position.max_score}" in shown


def test_positions_one_after_the_other() -> None:
    [record] = games(1)
    result = hz.replay(record)
    assert len(list(result)) == len(result) == result.turn_count + 1
    assert [position.turn for position in result] == list(range(len(result)))


@pytest.mark.parametrize(
    "file", [pytest.param("games.jsonl", marks=pytest.mark.heavy), "endings.jsonl", "broken.jsonl"]
)
def test_positions_in_one_walk_are_those_asked_for_one_by_one(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    acted = 0

    def counted(*arguments: Any) -> Any:
        nonlocal acted
        acted += 1
        return apply_action(*arguments)

    monkeypatch.setattr(replaying, "apply_action", counted)
    for record in hz.read(SAMPLES / file):
        result = hz.replay(record)
        acted = 0
        positions = list(result)
        assert acted == result.turn_count
        some = range(0, len(positions), 3)  # each is replayed from the deal
        assert [positions[turn] for turn in some] == [result.state(turn) for turn in some]
        assert positions[-1] == result.state(result.turn_count)
        # One that stops half way, and two at a time, do not disturb each other.
        first, second = iter(result), iter(result)
        for turn in range(min(3, len(result))):
            assert next(first) == positions[turn]
        assert list(second) == positions


def test_a_database_is_a_summary(tmp_path: Path) -> None:
    with hz.open() as db:
        db.ingest([log(tmp_path / "two.jsonl", 3, players=2), log(tmp_path / "three.jsonl", 4, players=3)])
        shown = jupyter.database_html(db)
    assert "7 games" in shown
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", shown)[1:]]
    assert [row[:3] for row in rows] == [["3", "No Variant", "4"], ["2", "No Variant", "3"]]

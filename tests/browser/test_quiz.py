"""The page of puzzles in a browser: answered by keyboard alone and by touch, kept, and without spoilers."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.puzzles.search import FoundPuzzle, StoredGames, find_positions, find_puzzles
from hanalyze.report.quiz import write_quiz
from tests.browser.settled import becomes, turns_true
from tests.browser.test_review import COVERED
from tests.hostile import IMAGE, QUOTES, SCRIPT

pytestmark = [pytest.mark.browser, pytest.mark.heavy]

COUNT = 60
PILLS = """() => Object.fromEntries([...document.querySelectorAll("#board .slot:has(.pill)")].map((slot) => [
  slot.querySelector(".card").dataset.order, slot.querySelector(".pill").textContent]))"""
"""The marks of the cards on the board, by order."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[FoundPuzzle]]:
    """The page of 60 puzzles from games of players with hostile names."""
    records = simulate("conventional", players=3, games=30, seed=5)
    with hz.connect() as db:
        db.add(msgspec.structs.replace(one, players=(SCRIPT, IMAGE, QUOTES)) for one in records)
        db.read_conventions(jobs=1)
        found = find_puzzles(StoredGames(db), count=COUNT).puzzles
    path = tmp_path_factory.mktemp("quiz") / "quiz.html"
    assert write_quiz(found, path, level=HIGHEST_LEVEL) == path.stat().st_size
    return path, found


def answer_by_keys(page: Any, found: FoundPuzzle) -> None:
    """Give the first right answer with keys alone."""
    [right, *_] = found.puzzle.right
    if right.kind in ("play", "discard"):
        page.keyboard.press(str(right.slot))
        page.keyboard.press(right.kind[0])
        return
    if right.kind == "keep":
        page.keyboard.press(str(right.slot))
        page.keyboard.press("k")
        return
    if right.kind == "card":
        page.keyboard.press(str(right.slot))
    page.keyboard.press("c")
    wanted = right.label if right.kind == "clue" else right.label.rpartition(" ")[2].upper()
    for _ in range(100):
        here = page.evaluate(
            "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
        )
        if here == wanted:
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def test_all_puzzles_are_solved_by_keyboard(
    made: tuple[Path, list[FoundPuzzle]], open_page: Callable[..., Any]
) -> None:
    path, found = made
    page = open_page(path)
    for number, one in enumerate(found, 1):
        turns_true(
            page,
            "(start) => document.querySelector('#progress').textContent.startsWith(start)",
            f"Puzzle {number} of",
        )
        answer_by_keys(page, one)
        becomes(page, lambda: page.locator("#ask .said").text_content(), "Right")
        assert page.locator("#ask .why").text_content().find(one.puzzle.explained) >= 0
        page.keyboard.press("n")
    kept = page.evaluate("JSON.parse(localStorage.getItem('hanalyze-quiz'))")
    assert set(kept) == {one.puzzle.key for one in found}
    assert all(one["first"] and one["tries"] == 1 and one["failures"] == 0 for one in kept.values())
    page.reload()
    turns_true(page, "() => document.querySelector('#progress').textContent.endsWith('; 0 to answer now.')")
    assert "strong" in page.locator("#results").text_content()


def test_a_wrong_answer_returns_and_progress_moves_to_another_browser(
    made: tuple[Path, list[FoundPuzzle]], open_page: Callable[..., Any], tmp_path: Path
) -> None:
    path, found = made
    page = open_page(path, width=400, height=860)
    first = found[0]
    wrong = next(one for one in first.puzzle.alternatives if one.verdict == "wrong" and one.slot is not None)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert all(is_clear for _, is_clear, _ in page.evaluate(COVERED))
    page.locator(f"#ask [data-slot='{wrong.slot}']").click()
    if wrong.kind in ("play", "discard"):
        page.locator(f"[data-act='{wrong.kind}']").click()
    else:
        page.locator("#ask .choices .btn", has_text=re.compile(f"^{wrong.label[-2:].upper()}$")).click()
    becomes(page, lambda: page.locator("#ask .said").text_content(), "Wrong")
    assert page.locator("#ask .why").text_content().find(wrong.why) >= 0
    # The board plays on for two turns, with all hands open.
    assert page.locator("#board .card.down").count() == 0
    steps = page.locator("#board .later button")
    assert steps.count() == 3
    steps.nth(2).click()
    kept = page.evaluate("JSON.parse(localStorage.getItem('hanalyze-quiz'))")[first.puzzle.key]
    assert (kept["failures"], kept["first"]) == (1, False)
    with page.expect_download() as download:
        page.locator("#export").click()
    download.value.save_as(tmp_path / "progress.json")
    other = open_page(path)
    other.locator("#import").set_input_files(str(tmp_path / "progress.json"))
    becomes(
        other,
        lambda: other.evaluate("Object.keys(JSON.parse(localStorage.getItem('hanalyze-quiz') || '{}'))"),
        [first.puzzle.key],
    )


def test_a_position_for_study_is_answered_but_not_counted(
    made: tuple[Path, list[FoundPuzzle]], open_page: Callable[..., Any], tmp_path: Path
) -> None:
    [first, *_] = made[1]
    turn = first.replay.turn_count - 3  # so late that it is no puzzle
    row = {"turn": turn, "seat": turn % 3, "kind": "misplay", "points": 1}
    row |= {"text": "played <b>r3</b>", "better": "clue Bob 5"}
    with hz.connect() as db:
        db.add([first.replay])
        db.read_conventions(jobs=1)
        [studied] = find_positions(db, pl.DataFrame([{**row, "game_id": db.games()["game_id"][0]}]))
    write_quiz([first, studied], tmp_path / "own.html", level=HIGHEST_LEVEL)
    page = open_page(tmp_path / "own.html", tail="#puzzle=2")
    becomes(page, lambda: page.locator("#question").text_content(), "What would you do here?")
    page.keyboard.press("1")
    page.keyboard.press("p")
    turns_true(
        page, "() => document.querySelector('#ask .said').textContent.startsWith('Your answer: play slot 1.')"
    )
    assert (
        "In the game: played <b>r3</b>. It cost 1 point. Better: clue Bob 5."
        in page.locator("#ask .why").text_content()
    )
    assert page.evaluate("localStorage.getItem('hanalyze-quiz')") is None
    becomes(page, lambda: page.locator("#progress").text_content(), "Puzzle 2 of 2; 1 to answer now.")


def test_touching_a_card_of_the_own_hand_chooses_it(
    made: tuple[Path, list[FoundPuzzle]], open_page: Callable[..., Any]
) -> None:
    path, found = made
    page = open_page(path, width=400, height=860)
    page.locator(f"#board .card[data-seat='{found[0].puzzle.seat}']").nth(1).click()
    becomes(page, lambda: page.locator("#ask [data-slot='2']").get_attribute("aria-pressed"), "true")


def test_chops_and_chop_moves_are_marked_until_the_answer(
    made: tuple[Path, list[FoundPuzzle]], open_page: Callable[..., Any]
) -> None:
    path, found = made
    page = open_page(path)
    [data] = re.findall(r'id="quiz">(.*?)</script>', path.read_text("utf-8"))
    marked: Counter[str] = Counter()
    for number, (one, values) in enumerate(zip(found, json.loads(data)["puzzles"], strict=True), 1):
        becomes(page, lambda: page.locator("#progress").inner_text().split()[1], str(number))
        [(seat, chops)] = values["game"]["position"]["chops"].items()
        assert int(seat) == one.puzzle.seat
        wanted = {order: "chop" if turn < 0 else "moved" for order, turn in chops.items()}
        shown = page.evaluate(PILLS)
        assert shown == wanted
        # The clue that a question is about has said nothing yet.
        if one.puzzle.form == "cards":
            assert set(chops.values()) <= set(range(one.puzzle.turn - 1))
        marked.update(shown.values())
        page.keyboard.press("n")
    assert marked["chop"] > 60
    assert marked["moved"] > 0


def test_the_file_holds_no_answer_in_plain_text(made: tuple[Path, list[FoundPuzzle]]) -> None:
    path, found = made
    text = path.read_text("utf-8")
    assert len(text.encode()) < 1_500_000
    [data] = re.findall(r'<script type="application/json" id="quiz">(.*?)</script>', text)
    quiz = json.loads(data)
    for one, values in zip(found, quiz["puzzles"], strict=True):
        solution = json.loads(gzip.decompress(base64.b64decode(values.pop("solution"))))
        assert solution["explained"] == one.puzzle.explained
        plain = json.dumps(values)
        hidden = {"right", "wrong", one.puzzle.theme, one.puzzle.explained} - {"discard"}
        assert not [text for text in hidden if text in plain]
        assert set(values) == {"key", "variant", "turn", "seat", "form", "question", "game"}
        game, turn, position = values["game"], one.puzzle.turn, one.replay.state(one.puzzle.turn)
        # Nothing of later turns, and own cards only as far as they are known.
        assert len(game["actions"]) == len(game["movers"]) == turn
        assert all(gone is None or gone < turn for _, _, gone in game["cards"])
        assert len(game["deck"]) == len(one.replay.deck) - position.deck
        for card in position.seen_by(one.puzzle.seat).hands[one.puzzle.seat]:
            if len(card.possible) > 1:
                assert game["deck"][card.order] == [0, 0]
        assert game["position"]["gotten"] is game["position"]["needs"] is None

"""The verdict panel and the marks of the board in a browser: order, keys, what is hidden, what fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.conventions.game_reading import follow_game
from hanalyze.logs import load
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import replay
from hanalyze.report.game.review import write_review
from tests.browser.settled import becomes, go_to_turn
from tests.report.laid import CALLED, case, laid

pytestmark = pytest.mark.browser

SAMPLE = Path(__file__).parents[2] / "sample_logs/game.json"
FINESSE = "A clue C r !; B play r2; C play r3"
MISSED = "A clue C r; B discard chop !; C play r3"

ORDER = """() => [...document.querySelector("#why .text").children].map((one) =>
  one.matches("section") ? one.querySelector("h3").textContent.split(":")[0] : one.className || one.id)"""
MOVES = "Moves and their expected effects"
PARTS = ["kick", "verdict", "sub", "blame", "Why", "Better", MOVES, "Consequences", "more"]

OVERLAPS = """() => {
  const inner = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const boxes = [];
  const fixed = document.querySelector(".transport");
  while (inner.nextNode()) {
    const node = inner.currentNode;
    const holder = node.parentElement;
    const elsewhere = "svg, .hidden, .ledger, .card, .tag, .scroll, #marks ol";
    if (!node.textContent.trim() || fixed.contains(node) || holder.closest(elsewhere)) continue;
    if (holder.closest("details:not([open])") && !holder.closest("summary")) continue;
    if (getComputedStyle(holder).visibility === "hidden") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects())
      if (right - left > 1 && bottom - top > 1)
        boxes.push({ left, right, top: top + 3, bottom: bottom - 3, text: node.textContent });
  }
  const over = [];
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => {
    const beside = one.right - 1 <= other.left || other.right - 1 <= one.left;
    if (!beside && one.top < other.bottom && other.top < one.bottom)
      over.push([one.text, other.text]);
  }));
  return over;
}"""


@pytest.fixture
def shown(open_page: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that opens the page of a game on a turn."""

    def opened(game: tuple[GameRecord, int], **options: Any) -> Any:
        record, turn = game
        write_review(record, tmp_path / "game.html")
        tail = f"#turn={turn + 1}{options.pop('view', '')}"
        return open_page(tmp_path / "game.html", tail=tail, **options)

    return opened


STATES = {
    "finesse": lambda: laid(*CALLED, FINESSE),
    "missed": lambda: laid(*CALLED, MISSED),
    "mistake": lambda: case("fault-no-wait"),
    "discard": lambda: case("sarcastic-discard"),
    "lost": lambda: (load(SAMPLE), 17),
    "quiet": lambda: (load(SAMPLE), 9),
}


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("state", STATES)
def test_the_parts_stand_in_their_order_and_nothing_overlaps(
    shown: Callable[..., Any], state: str, width: int
) -> None:
    page = shown(STATES[state](), width=width)
    parts = page.evaluate(ORDER)
    assert parts == [one for one in PARTS if one in parts]
    assert {"kick", "verdict", "sub", "more"} <= set(parts)
    if state == "quiet":
        assert parts == ["kick", "verdict", "sub", "more"]
    more = [one.get_attribute("class") for one in page.locator("#why .more details").all()]
    assert more == [one for one in ("also", "hindsight", "knew", "defs") if one in more]
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for row in page.locator("#why .ev").all():
        assert row.inner_text()
        assert row.locator(".src").is_visible()


@pytest.mark.parametrize("width", [500, 1400])
def test_long_names_stay_in_their_step_of_the_consequences(shown: Callable[..., Any], width: int) -> None:
    record, turn = laid(*CALLED, MISSED)
    record = replace(record, players=tuple(name * 30 for name in record.players))
    page = shown((record, turn), width=width)
    beyond = """all => all.filter((one) => [...one.querySelectorAll(".act > *, .res > *")].some(
      (part) => part.getBoundingClientRect().right > one.getBoundingClientRect().right)).length"""
    assert page.locator("#why .chain a").count() > 1
    assert page.eval_on_selector_all("#why .chain a", beyond) == 0


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_marks_of_hands_of_every_size_fit(shown: Callable[..., Any], players: int, width: int) -> None:
    [record] = simulate("conventional", players=players, seed=4)
    page = shown((record, 0), width=width)
    pills = 0
    for turn in range(5, replay(record).turn_count, 9):
        go_to_turn(page, turn)
        assert page.evaluate(OVERLAPS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        pills += page.locator("#board .pill.called, #board .pill.saved, #board .pill.moved").count()
    assert pills > 3


@pytest.mark.parametrize("dark", [False, True])
def test_texts_of_the_panel_can_be_read_in_both_themes(shown: Callable[..., Any], dark: bool) -> None:
    page = shown(laid(*CALLED, MISSED), dark=dark)
    colours = page.evaluate(
        """() => [...document.querySelectorAll("#why .src, h2, #why .sub, #why .chain a, .pill.called")].map(
          (one) => {
            let ground = one;
            const clear = "rgba(0, 0, 0, 0)";
            while (getComputedStyle(ground).backgroundColor === clear) ground = ground.parentElement;
            return [getComputedStyle(one).color, getComputedStyle(ground).backgroundColor];
          })"""
    )
    assert len(colours) > 5

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for ink, ground in colours:
        low, high = sorted((light(ink), light(ground)))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_the_region_is_named_by_its_verdict_and_a_new_turn_is_announced(shown: Callable[..., Any]) -> None:
    record, turn = laid(*CALLED, MISSED)
    page = shown((record, turn))
    assert page.locator("#why").get_attribute("aria-labelledby") == "verdict"
    assert page.locator("[role=status]").count() == 1
    page.keyboard.press("ArrowRight")
    said = page.locator("#said").text_content()
    assert said == (
        "Misplay: Cathy\N{RIGHT SINGLE QUOTATION MARK}s. Played as told, but a card was missing."
        " The strike is Cathy\N{RIGHT SINGLE QUOTATION MARK}s: the card before it was not played."
    )
    [current] = page.locator("#why [aria-current=step]").all()
    assert f"Turn {turn + 2}" in current.text_content()


def test_definitions_are_reached_by_keyboard(shown: Callable[..., Any]) -> None:
    page = shown(laid(*CALLED, FINESSE))
    focused = "() => document.activeElement.dataset.id ?? document.activeElement.className"
    page.locator("#why h2 .term").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == "convention finesse"
    entry = page.locator('#why .defs dt[data-id="convention finesse"] + dd')
    assert entry.is_visible()
    assert "blind" in entry.inner_text() or "finesse position" in entry.inner_text()
    assert entry.locator("i").inner_text().endswith(".")
    assert entry.locator("a").get_attribute("href") == "https://hanabi.github.io/level-1#the-finesse"
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "term"
    page.keyboard.press("d")
    assert not page.locator("#why .defs").evaluate("(one) => one.open")
    page.keyboard.press("d")
    assert page.evaluate(focused) == "convention finesse"
    page.keyboard.press("Escape")
    # A chip leads to what its evidence is.
    page.locator("#why .src.chance").click()
    assert page.evaluate(focused) == "chance"
    # Everything that can lead somewhere does.
    names = page.eval_on_selector_all("#why [data-def]", "(all) => all.map((one) => one.dataset.def)")
    ids = page.eval_on_selector_all("#why .defs dt", "(all) => all.map((one) => one.dataset.id)")
    assert set(names) == set(ids)
    # On the next turn all is closed again.
    page.keyboard.press("ArrowRight")
    assert page.locator("#why details[open]").count() == 0


def test_turns_of_the_panel_lead_to_them(shown: Callable[..., Any]) -> None:
    record, turn = laid(*CALLED, FINESSE)
    page = shown((record, turn), view="&view=1")
    page.locator("#why .chain a").nth(1).click()
    assert page.evaluate("window.location.hash") == f"#turn={turn + 2}&view=1"
    page.go_back()
    becomes(page, lambda: page.evaluate("window.location.hash"), f"#turn={turn + 1}&view=1")


def test_the_board_marks_what_was_told(shown: Callable[..., Any]) -> None:
    record, turn = laid(*CALLED, FINESSE)
    page = shown((record, turn + 1))
    order = record.actions[turn + 1].target
    card = page.locator(f'#board .card[data-order="{order}"]')
    caption = page.locator(f'#board .slot:has([data-order="{order}"]) .caption')
    assert caption.inner_text().split() == ["1", "called", str(turn + 1)]
    assert f"called on turn {turn + 1}" in card.get_attribute("aria-label")
    assert "unclued" in card.get_attribute("aria-label")
    # In the own view it says the same, and no more.
    page.keyboard.press(str(int(card.get_attribute("data-seat")) + 1))
    assert card.get_attribute("data-face") is None
    assert caption.inner_text().split() == ["1", "called", str(turn + 1)]


def test_a_chop_moved_card_is_not_marked_chop(shown: Callable[..., Any]) -> None:
    record, turn = case("five-chop-move")
    moved = next(one.order for one in follow_game(record).messages[turn] if one.task == "keep")
    page = shown((record, turn))
    caption = page.locator(f'#board .slot:has([data-order="{moved}"]) .caption')
    assert "chop" in caption.inner_text()
    page.keyboard.press("ArrowRight")
    assert "moved" in caption.inner_text()
    assert "chop" not in caption.inner_text()
    label = page.locator(f'#board .card[data-order="{moved}"]').get_attribute("aria-label")
    assert "unclued" in label
    assert f"chop-moved on turn {turn + 1}" in label


def test_every_mark_of_the_board_is_the_readers(shown: Callable[..., Any]) -> None:
    record = load(SAMPLE)
    reading = follow_game(record)
    page = shown((record, 0))
    words = """() => Object.fromEntries([...document.querySelectorAll("#board .slot")].map((slot) =>
      [slot.querySelector(".card").dataset.order, slot.querySelector(".pill")?.className.split(" ")[1]]))"""
    for turn in range(0, replay(record).turn_count, 3):
        go_to_turn(page, turn)
        marks = {str(order): mark.word for order, mark in reading.marks[turn].items()}
        found = {order: word for order, word in page.evaluate(words).items() if word}
        assert found == marks


def test_no_hidden_card_is_named_outside_in_hindsight(shown: Callable[..., Any]) -> None:
    """Of a hand whose player lost a card unknowingly, the panel names only the card that went."""
    record = load(SAMPLE)
    page = shown((record, 17))
    played = replay(record)
    names = {
        f"{played.variant.letters[held.card.suit].upper()}{held.card.rank}"
        for held, known in zip(played.state(17).hands[2], played.empathy(17)[2], strict=True)
        if len(known) > 1
    } - {"B5"}
    assert names
    chips = """() => [...document.querySelectorAll("#why .chip")].filter((one) => !one.closest(".hindsight"))
      .map((one) => one.textContent)"""
    assert not names & set(page.evaluate(chips))
    hind = page.locator("#why .hindsight")
    assert not hind.evaluate("(one) => one.open")
    page.keyboard.press("h")
    assert hind.evaluate("(one) => one.open")
    assert names & set(hind.locator(".chip").all_inner_texts())
    page.keyboard.press("3")
    assert page.locator("#why .hindsight").count() == 0


OWN = """-- Kept the newest card
--
-- definition: A discard of another card than the newest.
-- opportunity: discards
-- where: result = 'discarded'
SELECT game_id, turn, seat, 'knew' AS severity, 9 AS points, 0 AS tokens, 0 AS pace,
    'kept slot 1' AS evidence, 'discard' AS better_kind, 1 AS better_slot
FROM decisions WHERE result = 'discarded' AND slot > 1
"""


def test_the_better_move_is_shown_by_a_key_and_back(open_page: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "kept.sql").write_text(OWN)
    record, turn = laid(*CALLED, MISSED)
    write_review(record, tmp_path / "game.html", tmp_path)
    page = open_page(tmp_path / "game.html", tail=f"#turn={turn + 1}")
    drawn = page.locator("#why .minis")
    assert drawn.get_attribute("role") == "img"
    assert (
        drawn.get_attribute("aria-label")
        == "Cathy\N{RIGHT SINGLE QUOTATION MARK}s hand, as known: discard slot 1"
    )
    # Drawn as the player knew the hand: nothing of the cards in it.
    assert page.locator("#why .mc em").count() == 0 or page.locator("#why .mc.sure").count() == 1
    assert page.locator(".card.better").count() == 0
    page.keyboard.press("b")
    assert page.locator(".card.better").count() == 1
    page.keyboard.press("b")
    assert page.locator(".card.better").count() == 0
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("b")
    assert page.locator(".card.better").count() == 0


def test_on_a_narrow_screen_everything_is_big_enough_to_touch(shown: Callable[..., Any]) -> None:
    page = shown(laid(*CALLED, MISSED), width=400)
    for one in page.locator("#why summary, #why .btn").all():
        assert one.bounding_box()["height"] >= 42
    chip = page.locator("#why .src").first
    assert chip.bounding_box()["height"] + 16 >= 42
    assert page.locator("#why kbd").first.is_hidden()
    assert page.locator("#board .pill.called u").first.is_hidden()

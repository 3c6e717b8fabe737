"""The page of a game in a browser: it shows what the replay says, and strangers' text does nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from hanalyze.agents import simulate
from hanalyze.game.cards import rank_letter
from hanalyze.logs import load, read
from hanalyze.logs.formats.share_strings import compact
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay, replay
from hanalyze.report.game.positions import Names
from hanalyze.report.game.review import write_review
from hanalyze.store import connect
from hanalyze.store.mistakes import BLAMELESS
from tests.browser.settled import becomes, go_to_turn, turns_true

pytestmark = pytest.mark.browser

NOTHING = "\N{EN DASH}"
SAMPLES = Path(__file__).parents[2] / "sample_logs"

BOARD = """() => {
  const text = (selector) => document.querySelector(selector).textContent;
  const hands = [...document.querySelectorAll("#board .hand")].map((hand) =>
    [...hand.querySelectorAll(".card")].map((card) => [
      Number(card.dataset.order),
      card.querySelector(".letter").textContent + card.querySelector(".rank").textContent,
      card.classList.contains("touched"),
    ]).reverse());
  const stacks = [...document.querySelectorAll("#board .stack")].map((stack) =>
    [Number(stack.dataset.size), stack.querySelector(".pile .n").textContent]);
  const gone = Object.fromEntries([...document.querySelectorAll(".discards [data-card]")].map((cell) =>
    [cell.dataset.card, Number(cell.dataset.count)]));
  const number = (key) => text(`[data-is=${key}] b`);
  return {
    turn: text("#board .turn"), hands, stacks, gone,
    score: number("score"), most: text("[data-is=score] .sub"),
    tokens: number("tokens"), strikes: number("strikes"), deck: number("deck"), pace: number("pace"),
  };
}"""

STEPS = f"""(turns) => {{
  const board = {BOARD};
  const boards = [board()];
  for (let turn = 0; turn < turns; turn++) {{
    document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }}));
    boards.push(board());
  }}
  return boards;
}}"""

CLUE_LOG = """() => {
  const { actions } = JSON.parse(document.getElementById("game").textContent);
  return [...document.querySelectorAll("#clues .row")].map((row) =>
    [actions[Number(row.dataset.turn)].touched, row.querySelector(".touched").textContent.split(" ")]);
}"""

GAMES = [
    ("No Variant", 2, "cautious"),
    ("Up or Down (5 Suits)", 4, "cautious"),
    pytest.param("Rainbow (5 Suits)", 3, "cheating", marks=pytest.mark.heavy),
    pytest.param("Black & Prism (6 Suits)", 5, "cautious", marks=pytest.mark.heavy),
    pytest.param("Sudoku (5 Suits)", 6, "cautious", marks=pytest.mark.heavy),
]


def simulated(variant: str, players: int, agent: str = "cautious", seed: int = 11) -> Replay:
    [record] = simulate(agent, players=players, variant=variant, seed=seed)
    return replay(record)


def heading(turn: int, turns: int) -> str:
    """Return what stands above the board; turns count from 1 there."""
    return f"Turn {turn + 1} of {turns}" if turn < turns else f"After {turns} turn{'' if turns == 1 else 's'}"


def expected(played: Replay, turn: int) -> dict[str, Any]:
    """Return what the board must show before a turn."""
    names, state = Names(played), played.state(turn)

    def called(card: tuple[int, int]) -> str:
        return names.letters[card[0]].upper() + rank_letter(card[1])

    gone: dict[str, int] = {}
    for card in state.discards:
        gone[called(card)] = gone.get(called(card), 0) + 1
    return {
        "turn": heading(turn, played.turn_count),
        "hands": [[[held.order, called(held.card), held.clued] for held in hand] for hand in state.hands],
        "stacks": [[len(stack), rank_letter(stack[-1].rank) if stack else NOTHING] for stack in state.stacks],
        "gone": gone,
        "score": str(state.score),
        "most": f"/{state.max_score}",
        "tokens": str(state.clue_tokens),
        "strikes": str(state.strikes),
        "deck": str(state.deck),
        "pace": NOTHING if state.pace is None else str(state.pace).replace("-", "\N{MINUS SIGN}"),
    }


@pytest.mark.parametrize(("variant", "players", "agent"), GAMES)
def test_the_board_is_the_position_of_every_turn(
    open_page: Callable[..., Any], tmp_path: Path, variant: str, players: int, agent: str
) -> None:
    played = simulated(variant, players, agent)
    file = tmp_path / "game.html"
    assert write_review(played, file) < 1_000_000
    page = open_page(file)
    shown = page.evaluate(STEPS, played.turn_count)
    for turn in range(played.turn_count + 1):
        assert shown[turn] == expected(played, turn)


@pytest.mark.parametrize(
    ("variant", "players"), [("No Variant", 3), ("White & Null (6 Suits)", 4), ("Duck (5 Suits)", 2)]
)
def test_possibilities_are_the_engines(
    open_page: Callable[..., Any], tmp_path: Path, variant: str, players: int
) -> None:
    played = simulated(variant, players)
    names = Names(played)
    file = tmp_path / "game.html"
    write_review(played, file)
    page = open_page(file)
    shown = """() => Object.fromEntries([...document.querySelectorAll("#board .card")].map((card) => {
      card.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      const cells = [...document.querySelectorAll("#pop .possible [data-card]")];
      return [card.dataset.order, cells.map((cell) => cell.dataset.card)];
    }))"""
    for turn in (0, 9, 21, played.turn_count // 2, played.turn_count):
        go_to_turn(page, turn)
        state, sets = played.state(turn), played.empathy(turn)
        wanted = {
            str(held.order): [names.letters[suit].upper() + rank_letter(rank) for suit, rank in possible]
            for hand, of_hand in zip(state.hands, sets, strict=True)
            for held, possible in zip(hand, of_hand, strict=True)
        }
        assert page.evaluate(shown) == wanted


def test_chances_are_those_of_the_table(open_page: Callable[..., Any], tmp_path: Path) -> None:
    played = simulated("No Variant", 3)
    file = tmp_path / "game.html"
    write_review(played, file)
    page = open_page(file)
    rows = page.evaluate(
        """(turns) => Array.from({ length: turns }, () => {
          const cells = [...document.querySelectorAll("#why .odds .me td")].map((cell) => cell.textContent);
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          return cells;
        })""",
        played.turn_count,
    )
    checked = 0
    for facts, cells in zip(played.rows(), rows, strict=True):
        if facts["action"] in ("play", "discard"):
            chances = [facts["p_playable"], facts["p_critical"], facts["p_trash"]]
            for cell, chance in zip(cells[1:], chances, strict=True):
                assert abs(int(cell) - 100 * chance) < 0.51
            assert cells[0] == ("certain" if facts["possibilities"] == 1 else str(facts["possibilities"]))
            checked += 1
    assert checked > 10


def test_keys_buttons_slider_and_address(open_page: Callable[..., Any], tmp_path: Path) -> None:
    [record] = read([SAMPLES / "game.json"])
    file = tmp_path / "game.html"
    write_review(record, file)
    page = open_page(file, tail="#turn=24&view=2")
    last = replay(record).turn_count

    def turn() -> int:
        return int(page.locator("#board .transport input").input_value())

    assert turn() == 23
    assert page.locator('[data-view="1"]').get_attribute("aria-pressed") == "true"
    for key, wanted in [
        ("ArrowRight", 24),
        ("ArrowLeft", 23),
        ("]", 26),
        ("[", 23),
        ("End", last),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        assert turn() == wanted
    # The site counts from 1.
    site = page.locator("#site").get_attribute("href")
    assert site == f"https://hanab.live/replay-json/{compact(record, replay(record).deck)}#1"
    page.keyboard.press("3")
    assert page.evaluate("window.location.hash") == "#turn=1&view=3"
    page.keyboard.press("0")
    assert page.evaluate("window.location.hash") == "#turn=1"
    with connect() as db:
        db.ingest(SAMPLES / "game.json")
        db.read_conventions()
        is_blamed = ~pl.col("severity").is_in(BLAMELESS)
        marked = sorted(set(db.mistakes().filter(is_blamed)["turn"]))
        # A risk that nobody is to blame for and that came to nothing is not marked.
        has_cost = pl.col("came_true").fill_null(True) | (pl.col("points") > 0)
        blameless = sorted(set(db.mistakes().filter(~is_blamed & has_cost)["turn"]) - set(marked))
        assert len(marked) + len(blameless) < db.mistakes()["turn"].n_unique()
    for key, wanted in (("n", marked), ("p", marked[-2::-1])):
        for mistake in wanted:
            page.keyboard.press(key)
            assert turn() == mistake
    turns = "rows => rows.map((row) => Number(row.dataset.turn))"
    assert page.eval_on_selector_all("#marks .row", turns) == marked
    assert page.eval_on_selector_all("#marks a", turns) == blameless
    assert page.eval_on_selector_all(".chart .mark", turns) == sorted(marked + blameless)
    assert page.inner_text("#marks li:last-child") == "Blameless moves on turns 15, 18 and 24."
    page.locator('.transport [data-go="first"]').click()
    assert turn() == 0
    page.locator(".transport input").fill("17")
    assert turn() == 17
    page.locator(f'#marks [data-turn="{marked[0]}"]').click()
    assert turn() == marked[0]
    page.locator(f'.chart .mark[data-turn="{marked[1]}"]').click()
    assert turn() == marked[1]
    page.locator("#why .term").first.click()
    assert page.locator("#why .defs[open] dt").count() >= 2
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#help[open]").count() == 1
    page.keyboard.press("Escape")
    page.locator("#theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("Home")
    page.locator('[data-go="auto"]').click()
    turns_true(page, "() => !document.querySelector('#board .turn').textContent.startsWith('Turn 1 ')")
    page.locator('[data-go="auto"]').click()
    page.reload()
    becomes(page, lambda: page.evaluate("document.documentElement.dataset.theme"), "dark")
    assert page.inner_text("#theme") == "Light"


OWN = """-- Kept the newest card
--
-- definition: A discard of another card than the newest.
-- opportunity: discards
-- where: result = 'discarded'
SELECT game_id, turn, seat, NULL AS severity, 9 AS points, 0 AS tokens, 0 AS pace,
    'kept slot 1' AS evidence, 'discard' AS better_kind, CASE turn % 2 WHEN 0 THEN 1 ELSE 9 END AS better_slot
FROM decisions WHERE result = 'discarded' AND slot > 1
"""


def test_the_better_move_of_a_definition_of_ones_own_is_drawn(
    open_page: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "kept.sql").write_text(OWN)
    played = replay(load(SAMPLES / "game.json"))
    write_review(played, tmp_path / "game.html", tmp_path)
    page = open_page(tmp_path / "game.html")
    drawn = set()
    for row in played.facts():
        if row["result"] == "discarded" and row["slot"] > 1:
            go_to_turn(page, row["turn"])
            assert page.inner_text("#why .mk").startswith("Kept the newest card: ")
            if row["turn"] % 2:
                # There is no slot 9: nothing to draw.
                assert page.inner_text("#why .better") == "Better: discard slot 9"
                continue
            page.locator("#better").click()
            newest = played.state(row["turn"]).hands[row["seat"]][-1].order
            assert page.locator(".card.better").get_attribute("data-order") == str(newest)
            drawn.add(row["turn"])
    assert drawn


def test_back_leads_back_to_where_one_left(open_page: Callable[..., Any], tmp_path: Path) -> None:
    """From a leap to some turn, or to another view; not through every step that was made."""
    [record] = read(SAMPLES / "game.json")
    page = _page_of(open_page, tmp_path / "game.html", record)

    def place() -> tuple[int, str]:
        shown = int(page.locator("#board .transport input").input_value())
        return shown, page.locator("[data-view][aria-pressed='true']").get_attribute("data-view")

    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    assert place() == (3, "1")
    page.keyboard.press("n")
    marked = place()
    assert marked[0] > 3
    page.keyboard.press("ArrowRight")
    page.go_back()
    turns_true(
        page,
        "turn => document.querySelector('#board .transport input').value !== String(turn)",
        marked[0] + 1,
    )
    assert place() == (3, "1")
    page.go_back()
    becomes(page, place, (3, "all"))
    # An address without a turn is the beginning.
    page.evaluate("window.location.hash = 'view=2'")
    becomes(page, place, (0, "1"))
    page.go_back()
    becomes(page, place, (3, "all"))


def test_the_own_view_names_no_own_card(open_page: Callable[..., Any], tmp_path: Path) -> None:
    """What the player does not know is face down, and neither labels, moves nor the clue log name it."""
    played = simulated("No Variant", 3, seed=5)
    file = tmp_path / "game.html"
    write_review(played, file)
    page = open_page(file)
    names = Names(played)
    hidden_cards = """() => [...document.querySelectorAll('#board .hand[data-seat="0"] .card.down')].map(
      (card) => [Number(card.dataset.order), card.dataset.face ?? null, card.getAttribute("aria-label")])"""
    cards = list(played.cards.select("holder", "drawn_turn").iter_rows())
    some = 0
    for turn in range(0, played.turn_count, 4):
        go_to_turn(page, turn, "&view=1")
        sets = played.empathy(turn)[0]
        unknown = [
            held.order for held, one in zip(played.state(turn).hands[0], sets, strict=True) if len(one) > 1
        ]
        shown = page.evaluate(hidden_cards)
        assert sorted(order for order, _, _ in shown) == sorted(unknown)
        for order, face, label in shown:
            suit, rank = played.deck[order]
            assert face is None
            assert f"{names.suits[suit]} {rank}" not in label
        some += len(shown)
        later = {order for order, (holder, drawn) in enumerate(cards) if holder == 0 and drawn > turn}
        for touched, said in page.evaluate(CLUE_LOG):
            assert said.count("?") == sum(order in later or order in unknown for order in touched)
        if played.record.actions[turn].kind in (0, 1) and played.record.actions[turn].target in unknown:
            order = played.record.actions[turn].target
            called = names.letters[played.deck[order].suit].upper() + str(played.deck[order].rank)
            for place in (
                "#board .move",
                "#why h2",
                "#why .odds .me th",
                f'.chart .cell[data-turn="{turn}"]',
            ):
                assert called not in page.locator(place).first.text_content()
    assert some > 20


HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'`{{7*7}}${alert(1)}",
    "\u202eأليس\u2066 שלום",
    "W" * 10_000,
)


@pytest.mark.parametrize("width", [400, 1400])
def test_names_and_notes_of_strangers_are_text(
    open_page: Callable[..., Any], tmp_path: Path, width: int
) -> None:
    [record] = simulate("cautious", players=5, seed=3)
    record = msgspec.structs.replace(
        record,
        players=HOSTILE,
        notes=tuple((text,) * 50 for text in HOSTILE),
        seed=HOSTILE[0],
        variant="No Variant",
    )
    file = tmp_path / "game.html"
    assert write_review(record, file) < 1_000_000
    page = open_page(file, width=width)
    assert HOSTILE[0] in page.locator("h1").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    for key in ("n", "1", "2", "ArrowRight", "0", "End", "p"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#board .card").first.hover()
    assert "alert(1)" in page.locator("#pop").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [400, 700, 1400])
def test_no_words_of_the_timeline_are_cut_off(
    open_page: Callable[..., Any], tmp_path: Path, width: int
) -> None:
    file = tmp_path / "game.html"
    write_review(simulated("No Variant", 3), file)
    page = open_page(file, width=width)
    beyond = page.eval_on_selector_all(
        "#timeline svg text",
        """all => all.filter((one) => {
          const [inner, outer] = [one, one.ownerSVGElement].map((it) => it.getBoundingClientRect());
          return inner.left < outer.left || inner.right > outer.right;
        }).map((one) => one.textContent)""",
    )
    assert beyond == []


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_narrow_screen_has_no_sideways_scrolling(
    open_page: Callable[..., Any], tmp_path: Path, players: int
) -> None:
    played = simulated("Omni & Dark Rainbow (6 Suits)", players)
    file = tmp_path / "game.html"
    write_review(played, file)
    page = open_page(file, width=400, height=860)
    for key in ("Home", "n", "1", "End", "0"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
    # Padding is left on both sides of each label, as fonts are a little wider elsewhere.
    beyond = """all => all.filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().width > one.clientWidth - 8;
    }).map((one) => one.textContent)"""
    assert page.eval_on_selector_all(".transport .btn:not(.wide)", beyond) == []
    page.keyboard.press("n")
    page.locator("#board .card").first.click()
    box = page.locator("#pop").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 400


@pytest.mark.heavy
def test_samples_open(open_page: Callable[..., Any], tmp_path: Path) -> None:
    """Some of each file of samples: the page is drawn at its start and at its end."""
    for file in ("games.jsonl", "endings.jsonl", "broken.jsonl"):
        for number, record in enumerate(list(read([SAMPLES / file]))[::7]):
            page = _page_of(open_page, tmp_path / f"{file}-{number}.html", record)
            page.keyboard.press("End")
            turns = replay(record).turn_count
            assert page.locator("#board .turn").inner_text() == heading(turns, turns)
            lines = page.locator("#defects li").count()
            assert lines == len(replay(record).defects)
            page.close()


def _page_of(
    open_page: Callable[..., Any], file: Path, record: GameRecord | Replay, width: int = 1400
) -> Any:
    write_review(record, file)
    return open_page(file, width=width)


def test_the_values_on_the_page_are_json(tmp_path: Path) -> None:
    from hanalyze.report.game.review import embedded_json

    value = {"<": "</script>", "x": "\u2028&"}
    text = embedded_json(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028") & set(text)


def test_clues_and_cards_point_at_each_other(open_page: Callable[..., Any], tmp_path: Path) -> None:
    played = simulated("No Variant", 3)
    page = _page_of(open_page, tmp_path / "game.html", played)
    turn = next(i for i, row in enumerate(played.rows()) if row["result"] == "clued")
    page.evaluate("turn => { window.location.hash = `turn=${turn + 2}` }", turn)
    row = page.locator(f'#clues [data-turn="{turn}"]')
    row.hover()
    lit = page.evaluate(
        "() => [...document.querySelectorAll('.card.hot')].map((card) => Number(card.dataset.order))"
    )
    marks = [held for hand in played.state(turn + 1).hands for held in hand if held.clued]
    assert sorted(lit) == sorted(held.order for held in marks)
    page.locator(f'.card[data-order="{marks[0].order}"]').hover()
    assert "hit" in row.get_attribute("class")


def test_a_game_without_a_turn(open_page: Callable[..., Any], tmp_path: Path) -> None:
    page = _page_of(open_page, tmp_path / "game.html", GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    assert page.locator("#board .turn").inner_text() == heading(0, 0)
    assert page.locator("#board .card").count() == 10


def test_every_card_is_reached_by_tab_and_says_all(open_page: Callable[..., Any], tmp_path: Path) -> None:
    played = simulated("No Variant", 2)
    page = _page_of(open_page, tmp_path / "game.html", played)
    page.evaluate("() => { window.location.hash = 'turn=21' }")
    page.locator("#board .views button").last.focus()
    reached = {}
    for _ in range(14):
        page.keyboard.press("Tab")
        order, label = page.evaluate(
            "() => [document.activeElement.dataset.order, document.activeElement.getAttribute('aria-label')]"
        )
        if order is not None:
            reached[int(order)] = label
            assert "Could be" in page.locator("#pop-text").text_content()
    held = [card for hand in played.state(20).hands for card in hand]
    assert set(reached) == {card.order for card in held}
    for card in held:
        label = reached[card.order]
        assert f"{Names(played).suits[card.card.suit]} {card.card.rank}" in label
        touched = {mark.value for mark in card.clues if mark.touched and mark.kind == 3}
        for rank in touched:
            assert f"clued {rank}" in label or f", {rank}" in label


WIDE = """() => [...document.querySelectorAll(".panel")].flatMap((panel) => {
  const { left, right } = panel.getBoundingClientRect();
  return [...panel.querySelectorAll("*:not(.hidden):not(.transport, .transport *)")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.left < left - 0.5 || box.right > right + 0.5);
  }).map((one) => `${one.tagName} ${one.className} in ${panel.id}`);
})"""


@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_is_wider_than_its_panel(open_page: Callable[..., Any], tmp_path: Path, width: int) -> None:
    page = _page_of(open_page, tmp_path / "game.html", load(SAMPLES / "game.json"), width=width)
    for turn in (0, 27, 56, 63):
        go_to_turn(page, turn)
        page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true })")
        assert page.evaluate(WIDE) == []
        for panel in page.locator(".panel:visible").all():
            assert panel.evaluate("one => one.scrollWidth - one.clientWidth") == 0


COVERED = """() => [...document.querySelectorAll("#board .card.down")].map((card) => {
  const box = (one) => one.getBoundingClientRect();
  const [grid, clues] = [".mini", ".ledger"].map((part) => box(card.querySelector(part)));
  const rows = [...new Set([...card.querySelectorAll(".mini i")].map((one) => box(one).bottom))];
  const height = Math.min(...[...card.querySelectorAll(".mini i:not(.off)")].map((one) => box(one).height));
  const isInside = box(card).top <= grid.top && clues.bottom <= box(card).bottom;
  return [rows.length, isInside && Math.max(...rows) <= clues.top, height];
})"""
"""Of each face-down card: its rows, whether all are above its clue marks, and the least height of a cell."""


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("variant", ["No Variant", "6 Suits"])
@pytest.mark.parametrize("players", [2, 5])
def test_clue_marks_cover_no_possibility(
    open_page: Callable[..., Any], tmp_path: Path, variant: str, players: int, width: int
) -> None:
    [record] = simulate("cautious", players=players, variant=variant, seed=11)
    write_review(record, tmp_path / "game.html", seat=0)
    page = open_page(tmp_path / "game.html", width=width, tail="#turn=12&spoilers=yes&view=1")
    cards = page.evaluate(COVERED)
    assert len(cards) > 2
    for rows, is_clear, height in cards:
        assert (rows, is_clear) == (len(Names(replay(record)).suits), True)
        assert height >= 6


@pytest.mark.parametrize("width", [400, 700, 1400])
def test_the_legend_explains_every_mark(open_page: Callable[..., Any], tmp_path: Path, width: int) -> None:
    page = _page_of(open_page, tmp_path / "game.html", load(SAMPLES / "game.json"), width=width)
    page.locator("#legend").click()
    names = "signs => signs.map((one) => one.classList[1])"
    explained = page.eval_on_selector_all("#help .sign", names)
    assert set(page.eval_on_selector_all(".chart .mark", names)) <= set(explained)
    assert sorted(explained) == ["bad", "none", "risk", "warn"]
    for line in page.locator("#help .legend > div").all():
        assert line.is_visible()
        assert line.locator("dd").inner_text().endswith(".")
    assert page.locator("#help kbd").first.is_visible() == (width > 760)

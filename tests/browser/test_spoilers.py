"""The page of a game without spoilers: it shows what one player could know, and nothing that comes later."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hanalyze.agents import simulate
from hanalyze.game.cards import rank_letter
from hanalyze.logs import load
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import replay
from hanalyze.report.game.positions import Names
from hanalyze.report.game.review import write_review
from tests.browser.settled import settled
from tests.building import five_chop_move
from tests.same_sight import explicit, other_game, slow_game
from tests.slow_seen import allowed, sight_of
from tests.slow_views import SPECIAL

pytestmark = pytest.mark.browser

Open = Callable[..., Any]
SAMPLE = Path(__file__).parents[2] / "sample_logs/game.json"

SHOWN = """(turns) => {
  const board = () => Object.fromEntries([...document.querySelectorAll("#board .card")].map((card) => {
    card.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    const cells = [...document.querySelectorAll("#pop .possible [data-card]")];
    return [card.dataset.order, cells.map((cell) => cell.dataset.card)];
  }));
  document.body.style.display = "none"; // without layout, four times as fast
  const boards = [board()];
  for (let turn = 0; turn < turns; turn++) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    boards.push(board());
  }
  return boards;
}"""
"""What the page says that each card could be, by its order, at every turn."""

DOCUMENTS = """(turns) => {
  document.body.style.display = "none"; // without layout, four times as fast
  const documents = [document.documentElement.outerHTML];
  for (let turn = 0; turn < turns; turn++) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    documents.push(document.documentElement.outerHTML);
  }
  return documents;
}"""
"""All texts, attributes and embedded data of the document, at every turn."""


GAMES = [(variant, 2 + number % 5, number) for number, variant in enumerate((SPECIAL * 3)[:50])]


def some_game(variant: str, players: int, number: int) -> GameRecord:
    agent = "conventional" if number % 2 and variant == "No Variant" else "cautious"
    players = players if "Sudoku (4" not in variant else min(players, 5)
    [record] = simulate(agent, players=players, variant=variant, seed=100 + number)
    return explicit(record)


GAMES_OF_ALL_SEATS = GAMES[:1]


@pytest.mark.parametrize(
    "games",
    [
        GAMES_OF_ALL_SEATS,
        *(
            pytest.param(GAMES[tenth::10], marks=pytest.mark.heavy if tenth < 3 else pytest.mark.exhaustive)
            for tenth in range(10)
        ),
    ],
)
def test_possibilities_are_those_of_a_twin_that_sees_as_little(
    open_page: Open, tmp_path: Path, games: list[tuple[str, int, int]]
) -> None:
    for variant, players, number in games:
        record = some_game(variant, players, number)
        played = replay(record)
        letters = [letter.upper() for letter in Names(played).letters]
        write_review(record, tmp_path / f"{number}.html")
        for seat in range(players) if games is GAMES_OF_ALL_SEATS else [number % players]:
            tail = f"#turn=1&view={seat + 1}&spoilers=no"
            page = open_page(tmp_path / f"{number}.html", tail=tail)
            boards = page.evaluate(SHOWN, played.turn_count)
            page.close()
            game = slow_game(record, 0)
            for turn, board in enumerate(boards):
                sight = sight_of(game, seat)
                wanted = {}
                for holder, hand in enumerate(sight.hands):
                    for order, cards in zip(hand, allowed(sight, holder), strict=True):
                        wanted[str(order)] = {letters[suit] + rank_letter(rank) for suit, rank in cards}
                assert {order: set(cards) for order, cards in board.items()} == wanted, (number, seat, turn)
                if turn < played.turn_count:
                    game.do(record.actions[turn])


STRICT = [("game.json", 3, 0), ("No Variant", 2, 1), ("No Variant", 4, 3), ("Omni & Null (5 Suits)", 5, 4)]
STRICT += [("Reversed (5 Suits)", 3, 2)]


def check_strict(open_page: Open, tmp_path: Path, variant: str, players: int, seat: int) -> None:
    """See that at each turn of a game the whole document is that of a game that looks the same to the player.

    Its hidden cards, its deck, all that comes later and its end are others.
    """
    record = load(SAMPLE) if variant == "game.json" else None
    if record is None:
        [record] = simulate("conventional", players=players, variant=variant, seed=3)
    record = explicit(record)
    file = tmp_path / "game.html"
    write_review(record, file, seat=seat)
    page = open_page(file)
    count = replay(record).turn_count
    documents = page.evaluate(DOCUMENTS, count)
    final = f"{replay(record).score} of "
    for turn, text in enumerate(documents[:-1]):
        # The help has a turn as an example.
        shown = re.sub(r"<style.*?</style>|<dialog.*?</dialog>|<script.*", "", text, flags=re.DOTALL)
        assert max(map(int, re.findall(r"\b[Tt]urn (\d+)", shown))) <= turn + 1
        assert max(map(int, re.findall(r'data-turn="(\d+)"', text)), default=0) <= turn
        assert f"{final}{replay(record).variant.max_score}" not in text
        assert f'max="{turn}"' in text
        assert '<script type="text/plain" id="game"></script>' in text
    assert f"{final}{replay(record).variant.max_score}" in documents[-1]
    # The file itself has no later turn in plain text, either.
    source = file.read_text("utf-8")
    assert f'"{record.players[0]}"' not in source
    assert f"{final}{replay(record).variant.max_score}" not in source
    choice = random.Random(seat)
    other = tmp_path / "other.html"
    for turn in range(choice.randrange(9), count, 9):
        write_review(other_game(record, seat, turn, choice), other, seat=seat)
        twin = open_page(other, tail=f"#turn={turn + 1}")
        assert twin.evaluate(DOCUMENTS, 0)[0] == documents[turn], turn
        twin.close()


@pytest.mark.parametrize(("variant", "players", "seat"), STRICT)
def test_nothing_of_the_page_depends_on_what_the_player_does_not_know(
    open_page: Open, tmp_path: Path, variant: str, players: int, seat: int
) -> None:
    check_strict(open_page, tmp_path, variant, players, seat)


def test_a_player_sees_the_own_chop_moves(open_page: Open, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    write_review(five_chop_move(), file, seat=1)
    page = open_page(file, tail="#turn=7")
    for order, pill, words in ((6, "moved", "chop-moved on turn 6"), (8, "chop", "chop")):
        slot = page.locator(f".hand[data-seat='1'] .slot:has([data-order='{order}'])")
        assert slot.locator(".card.down").count() == 1
        assert slot.locator(".pill").inner_text() == pill
        assert f"; {words};" in slot.locator(".card").get_attribute("aria-label")
    assert page.locator("#board .pill").all_inner_texts() == ["chop", "chop", "moved", "chop"]


def test_spoilers_are_switched_by_button_key_and_address(open_page: Open, tmp_path: Path) -> None:
    record = load(SAMPLE)
    file = tmp_path / "game.html"
    write_review(record, file, spoiler_free=True)
    page = open_page(file)
    last = replay(record).turn_count
    hands = page.locator("#board .card.down").count()
    assert hands == 0
    assert page.title() == "Review: Alice, Bob and Cathy"
    page.keyboard.press("End")
    assert page.inner_text("#board .turn") == "Turn 1"
    page.keyboard.press("ArrowRight")
    assert page.locator("#board .transport input").get_attribute("max") == "1"
    assert page.locator("#players").is_hidden()
    page.locator('[data-go="strict"]').first.click()
    assert page.evaluate("window.location.hash") == "#turn=2&spoilers=yes"
    assert page.inner_text("#board .turn") == f"Turn 2 of {last}"
    assert page.locator("#players").is_visible()
    page.keyboard.press("s")
    assert page.evaluate("window.location.hash") == "#turn=2"
    # The verdict of a turn waits until it is opened.
    assert page.locator("#why .more").count() == 0
    page.keyboard.press("v")
    assert page.locator("#why .more").count() == 1
    # The last turn tells how the game went.
    page.evaluate("turn => { window.location.hash = `turn=${turn}` }", last + 1)
    page.wait_for_selector("#players:not([hidden])")
    assert page.title() == "Review: Alice, Bob and Cathy: 19 of 25"


def test_a_marked_turn_asks_before_it_tells(open_page: Open, tmp_path: Path) -> None:
    record = load(SAMPLE)
    file = tmp_path / "game.html"
    write_review(record, file)
    page = open_page(file, tail="#guess=1")
    page.keyboard.press("n")
    turn = int(page.locator("#board .transport input").input_value())
    assert turn == questions(file)[0]
    assert page.inner_text("#why .quiet") == "What would you do?"
    assert page.locator("#board .tag").count() == 0
    assert page.locator(f'.chart .cell[data-turn="{turn}"]').count() == 0
    assert page.locator("#board .card.down").count() > 0
    # By keyboard: the first button plays slot 1.
    page.locator("#why .answers button").first.focus()
    page.keyboard.press("Enter")
    assert page.inner_text("#why .answer").startswith("Your answer: play slot 1: ")
    assert page.evaluate("document.activeElement.id") == "verdict"
    assert page.locator("#why .more").count() == 1
    page.keyboard.press("n")
    page.keyboard.press("p")
    assert page.inner_text("#why .answer").startswith("Your answer: play slot 1: ")


def test_the_move_of_the_game_is_recognised_as_an_answer(open_page: Open, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    write_review(load(SAMPLE), file)
    view = page_values(file)
    page = open_page(file, width=400, tail="#guess=1")
    for turn in questions(file):
        page.keyboard.press("n")
        action = view["actions"][turn]
        said = ["clue", action["to"], *action["clue"]] if action["kind"] == "clue" else None
        said = said or [action["kind"], action["order"]]
        button = page.locator(f"#why [data-answer='{msgspec.json.encode(said).decode()}']")
        assert button.bounding_box()["height"] >= 42
        button.click()
        assert ": the move of the game" in page.inner_text("#why .answer")


def questions(file: Path) -> list[int]:
    """Return the turns that the page asks about: those with a mark that is somebody's."""
    return sorted({mark["turn"] for mark in page_values(file)["marks"] if mark["sign"] != "none"})


def page_values(file: Path) -> dict[str, Any]:
    found = re.search(r'id="game">(.*?)</script>', file.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return dict(msgspec.json.decode(found[1]))


HOSTILE = "</textarea><img src=x onerror=alert(1)>\"'`${alert(1)}\u202e שלום"


def address_with_comment(page: Any) -> str:
    """Write a hostile comment on a turn, set a bookmark, and return the part of the address that has both."""
    page.keyboard.press("c")
    page.keyboard.insert_text(HOSTILE)
    page.locator('[data-go="bookmark"]').click()
    for _ in range(200):
        if "remarks=" in page.evaluate("window.location.hash"):
            break
        page.wait_for_timeout(20)
    page.wait_for_timeout(100)
    return str(page.evaluate("window.location.hash"))


def check_comment(page: Any) -> None:
    """See that a page has the comment and the bookmark, as text."""
    assert page.locator("#remarks textarea").input_value() == HOSTILE
    assert page.locator("#remarks li bdi").text_content() == HOSTILE
    assert page.locator('[data-go="bookmark"]').get_attribute("aria-pressed") == "true"
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_a_comment_comes_back_from_its_link_and_from_a_saved_page(open_page: Open, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    write_review(load(SAMPLE), file)
    page = open_page(file, tail="#turn=12")
    tail = address_with_comment(page)
    with page.expect_download() as download:
        page.locator('[data-go="save"]').click()
    saved = tmp_path / "saved.html"
    download.value.save_as(saved)
    check_comment(open_page(file, tail=tail))
    check_comment(open_page(saved, tail="#turn=12"))
    # The browser keeps it, too.
    page.goto(file.resolve().as_uri() + "#turn=12&")
    page.reload()
    settled(page)
    assert page.locator("#remarks textarea").input_value() == HOSTILE


@pytest.mark.parametrize(
    "tail", ["remarks=%00", "remarks=abc", "remarks=eJw", "turn=99999&remarks=" + "A" * 30_000]
)
def test_a_broken_link_says_nothing(open_page: Open, tmp_path: Path, tail: str) -> None:
    file = tmp_path / "game.html"
    write_review(load(SAMPLE), file)
    page = open_page(file, tail=f"#{tail}")
    settled(page)
    assert page.locator("#remarks li").count() == 0


LEDGERS = """() => [...document.querySelectorAll("#board .card .ledger i")].filter((place) =>
  place.getBoundingClientRect().bottom > place.closest(".card").getBoundingClientRect().bottom + 1
).map((place) => place.className)"""
"""The clue marks that are not on their card."""


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_controls_and_explanation_are_near_the_board(open_page: Open, tmp_path: Path, players: int) -> None:
    """At 1400 by 900 the controls are in sight; at 400 by 860 the explanation follows within a screen."""
    [record] = simulate("conventional", players=players, seed=4)
    file = tmp_path / "game.html"
    write_review(record, file)
    page = open_page(file, height=900, tail="#turn=20")
    assert page.locator(".transport").bounding_box()["y"] + 40 <= 900
    assert page.evaluate(LEDGERS) == []
    page = open_page(file, width=400, height=860, tail="#turn=20")
    top, why = (page.locator(one).bounding_box()["y"] for one in ("#board", "#why"))
    assert why - top <= 860
    assert page.evaluate(LEDGERS) == []

"""`hanalyze replay --turn`: the position as text, and what a hidden hand tells."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as replaced

from hanalyze.agents import simulate
from hanalyze.cli.screen import Words
from hanalyze.replaying import replay
from tests.building import game
from tests.cli.running import hanalyze, saved

# Alice holds orders 0 to 4, Bob 5 to 9, Cathy 10 to 14.
RECORD = game(
    "clue 1 red, clue 2 1, discard 10, clue 1 4, clue 0 5, play 11, clue 1 3",
    "r1 r3 g1 b4 g3 r1 y4 b2 r2 y4 p1 p5 y2 b1 g4 y3",
    players=3,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path, RECORD)


def test_a_position(file: Path) -> None:
    ran = hanalyze("replay", file, "--turn", "8")
    assert ran.code == 0
    # Worked by hand. Bob was told red, 4 and 3: that a 4 is no 3 goes without saying, that a red card is no 4
    # and no 3 does not. Cathy was told 1 when order 15 was not there yet.
    assert ran.lines[4:] == [
        "turn 8: Bob to play",
        "score 0 of 24, clues 4, strikes 1, deck 33, pace 12",
        "before: Alice clues Bob 3 (no cards)",
        "",
        "stacks    r0 y0 g0 b0 p0",
        "discards  p1 p5",
        "",
        "hands, newest card on the left",
        "slot     1      2       3        4      5",
        "  Alice  g3     b4      g1       r3     r1",
        "         not 5  not 5   not 5    not 5  not 5",
        "> Bob    y4     r2      b2       y4     r1",
        "         4      red     not r34  4      red",
        "         not r  not 34           not r  not 34",
        "  Cathy  r1     y3      g4       b1     y2",
        "                        not 1    1      not 1",
    ]


def test_the_newest_card_is_where_the_edition_shows_it(file: Path) -> None:
    ran = hanalyze("replay", file, "--turn", "8", "--edition", "hle")
    assert ran.lines[11:14] == [
        "hands, newest card on the right",
        "slot     5       4      3        2       1",
        "  Alice  r1      r3     g1       w4      g3",
    ]


def test_short_hands_stand_under_their_slots(tmp_path: Path) -> None:
    [record] = simulate("cautious", players=4, seed=3)
    for edition, end in (("hanab-live", 1), ("hle", -1)):
        ran = hanalyze("replay", saved(tmp_path, record), "--turn", "-1", "--edition", edition)
        head = next(line for line in ran.lines if line.startswith("slot"))
        places = [at.start() for at in re.finditer(r"\d", head)]
        for name, hand in zip(record.players, replay(record, edition=edition).state(-1).hands, strict=True):
            line = next(line for line in ran.lines if line[2:].startswith(name) and not line.startswith("be"))
            starts = [at.start() for at in re.finditer(r"\S+", line[2 + len(name) :])]
            found = [start + 2 + len(name) for start in starts]
            assert len(hand) == 3 or len(hand) == 4
            assert found == (places[: len(hand)] if end == 1 else places[-len(hand) :])


def test_start_and_end(file: Path) -> None:
    start = hanalyze("replay", file, "--turn", "1")
    assert "turn 1: Alice to play" in start.out
    assert "before:" not in start.out
    assert "discards  none" in start.out
    assert hanalyze("replay", file, "--turn", "-1").out == hanalyze("replay", file, "--turn", "8").out
    assert hanalyze("replay", file, "--turn", "-8").out == start.out


def test_a_game_that_is_over(tmp_path: Path) -> None:
    record = game("play 0, play 5, play 1", "r2 r2 r3 r3 r4 b4 b4 b3 b3 b2")
    ran = hanalyze("replay", saved(tmp_path, record), "--turn", "4")
    assert "turn 4: the game is over: strikeout" in ran.out
    assert "> " not in ran.out


def test_clue_marks_become_letters_where_words_are_too_wide(tmp_path: Path) -> None:
    name = "Rainbow (5 Suits)"
    deck = "r1 r1 r1 y1 y1 m1 m1 m1 m2 m2"
    record = game(
        "clue 1 red, clue 0 2, clue 1 yellow, clue 0 1, clue 1 green, clue 0 2, clue 1 1", deck, variant=name
    )
    wide = hanalyze("replay", saved(tmp_path, record), "--turn", "-1").out
    narrow = hanalyze("replay", saved(tmp_path, record), "--turn", "-1", columns=80).out
    assert "red yellow green 1" in wide
    assert "ryg1" not in wide
    assert "ryg1" in narrow
    assert max(map(len, narrow.splitlines()[4:])) <= 80


# --- hidden hands -------------------------------------------------------------------------------------------


def test_the_hidden_hand_shows_its_marks_only(file: Path) -> None:
    ran = hanalyze("replay", file, "--turn", "8", "--hide", "bob")
    assert ran.lines[15:18] == [
        "> Bob    ?      ?       ?        ?      ?",
        "         4      red     not r34  4      red",
        "         not r  not 34           not r  not 34",
    ]
    assert hanalyze("replay", file, "--turn", "8", "--seat", "2") == ran
    assert hanalyze("replay", file, "--turn", "8", "--seats", "1,Cathy") == ran


def test_who_is_not_told_what_a_clue_names_sees_that_it_touched(tmp_path: Path) -> None:
    file = saved(tmp_path, replaced(RECORD, variant="Duck (5 Suits)"))
    ran = hanalyze("replay", file, "--turn", "8", "--hide", "bob")
    assert [line.split() for line in ran.lines[15:17]] == [[">", "Bob", *"?????"], [*"????"]]
    assert {mark["value"] for mark in marks_of(file, "bob")} == {-1}
    assert {mark["value"] for mark in marks_of(file, "Cathy")} == {0, 3, 4}


def marks_of(file: Path, hidden: str) -> list[dict[str, Any]]:
    """Return the marks on Bob's cards in a position in which a hand is hidden."""
    ran = hanalyze("replay", file, "--turn", "8", "--hide", hidden, "--json")
    return [mark for card in json.loads(ran.out)["position"]["hands"][1] for mark in card["clues"]]


def test_nothing_tells_what_is_hidden(tmp_path: Path) -> None:
    """The same game with other cards in the hidden hands looks the same."""
    dealt = RECORD.deck
    assert dealt is not None
    # Nobody was told anything that tells Cathy's g4 from her y2, nor Alice's cards apart.
    other = list(dealt)
    other[12], other[14] = other[14], other[12]
    other[0], other[1], other[2] = other[2], other[0], other[1]
    both = [
        hanalyze(
            "replay",
            saved(tmp_path, replaced(RECORD, deck=deck)),
            *("--turn", "8", "--hide", "Cathy", "--hide", "1", *form),
        ).out
        for form in ((), ("--json",))
        for deck in (dealt, other)
    ]
    assert both[0] == both[1]
    assert both[2] == both[3]


@pytest.mark.parametrize("turn", [0, 7, 20, 40])
def test_json_hides_the_cards_too(tmp_path: Path, turn: int) -> None:
    [record] = simulate("cautious", players=3, seed=5)
    ran = hanalyze("replay", saved(tmp_path, record), "--turn", str(turn + 1), "--hide", "2", "--json")
    hands = json.loads(ran.out)["position"]["hands"]
    position = replay(record).state(turn)
    for seat, hand in enumerate(hands):
        for shown, held in zip(hand, position.hands[seat], strict=True):
            assert shown["order"] == held.order
            assert (shown["suit"], shown["rank"]) == ((None, None) if seat == 1 else held.card)
            assert [mark["touched"] for mark in shown["clues"]] == [mark.touched for mark in held.clues]


def test_the_table_hides_what_the_seat_drew(tmp_path: Path) -> None:
    [record] = simulate("cautious", players=3, seed=5)
    file = saved(tmp_path, record)
    result = replay(record)
    words = Words(result.variant, result.suit_names, record.players)
    head, *lines = hanalyze("replay", file, "--hide", "Alice").lines[4:]
    place = head.index("drew")
    for row, line in zip(result.facts(), lines, strict=False):
        card = "" if row["drawn"] is None else words.card(result.deck[row["drawn"]])[0]
        assert line[place : place + 4].strip() == ("?" if card and row["seat"] == 0 else card)


def test_all_seats_of_the_list_are_face_up(file: Path) -> None:
    ran = hanalyze("replay", file, "--turn", "1", "--seats", "3")
    hands = [line.split() for line in ran.lines if re.match("[ >] [ABC]", line)]
    assert [hand[-1] for hand in hands] == ["?", "?", "p1"]

"""The rows of clues and of cards: worked by hand, against the slow views, and what must always add up.

The hand-worked cases are games of two players, No Variant, where nothing else is said: Alice (seat 0) gets
the first five cards of the deck, Bob the next five. A column that is not named has no say in its case.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.run import play
from hanalyze.frames import to_rows
from hanalyze.logs import GameRecord
from hanalyze.replaying import replay
from hanalyze.tables import CARDS, CLUES, GAMES
from tests.building import game
from tests.slow_views import Row, played, watch

MIXED = "r1 r1 r2 y2 g3 y1 y1 g1 g4 b5 p3 p4"

# What it is about; moves; deck; which clue; its columns; further arguments of `game`.
CLUE_CASES: tuple[tuple[str, str, str, int, Row, dict[str, Any]], ...] = (
    (
        "ones: three new, all playable, two of them y1, so that the newer one is a duplicate",
        "clue 1 1",
        MIXED,
        0,
        {
            "turn": 0,
            "giver": 0,
            "receiver": 1,
            "kind": "rank",
            "value": 1,
            "touched": 3,
            "newly_touched": 3,
            "retouched": 0,
            "trash": 0,
            "duplicates": 1,
            "playable": 3,
            "critical": 0,
            "focus": 5,
            "chop_touched": True,
            # Bob sees r1 r1 r2 y2 g3: all 25 are possible before. After: five ones thrice, twice 20 others.
            "bits": 3 * math.log2(25 / 5) + 2 * math.log2(25 / 20),
            "plays_followed": 0,
            "cards_gotten": 3,
        },
        {},
    ),
    (
        "green: chop not touched, so the newest new card",
        "clue 1 green",
        MIXED,
        0,
        {
            "kind": "colour",
            "value": 2,
            "touched": 2,
            "focus": 8,
            "chop_touched": False,
            "playable": 1,
            "critical": 0,
            # Two of five greens, three of twenty others.
            "bits": 2 * math.log2(5) + 3 * math.log2(25 / 20),
        },
        {},
    ),
    ("a five is critical", "clue 1 5", MIXED, 0, {"critical": 1, "focus": 9, "touched": 1}, {}),
    (
        "old and new: the new card is the focus",
        "clue 1 1, discard 9, clue 1 green",
        MIXED,
        1,
        {"touched": 2, "newly_touched": 1, "retouched": 1, "focus": 8, "chop_touched": True},
        {},
    ),
    (
        "only old cards: the newest of them, and no card gotten anew",
        "clue 1 1, discard 9, clue 1 yellow",
        MIXED,
        1,
        {"touched": 2, "newly_touched": 0, "retouched": 2, "focus": 6, "duplicates": 0, "cards_gotten": 0},
        {},
    ),
    (
        "y1 is on the stack: the other y1 is trash, and no duplicate, as nobody needs it",
        "clue 1 green, play 5, clue 1 yellow",
        MIXED,
        1,
        {"touched": 1, "trash": 1, "playable": 0, "duplicates": 0, "cards_gotten": 0},
        {},
    ),
    (
        "Bob's r1 duplicates the one that Alice has a clue on",
        "clue 1 5, clue 0 1, clue 1 1",
        "r1 y2 y3 g3 g4 r1 b2 b3 p4 p5",
        2,
        {"touched": 1, "newly_touched": 1, "duplicates": 1, "playable": 1, "cards_gotten": 1},
        {},
    ),
    (
        "Bob plays on his next turn",
        "clue 1 1, play 5, clue 1 4, play 7",
        MIXED + " b2",
        0,
        {"plays_followed": 1, "cards_gotten": 2},
        {},
    ),
    (
        "his play after next follows the second clue alone",
        "clue 1 1, discard 9, clue 1 green, play 7",
        MIXED,
        0,
        {"plays_followed": 0},
        {},
    ),
    ("and that one", "clue 1 1, discard 9, clue 1 green, play 7", MIXED, 1, {"plays_followed": 1}, {}),
    ("a misplay is no play", "clue 1 green, play 8", MIXED, 0, {"plays_followed": 0}, {}),
    (
        "two clues to Cathy within the round: her play follows both",
        "clue 2 1, clue 2 red, play 10",
        "y2 y3 y4 g2 g3 b2 b3 b4 p2 p3 r1 g4 g4 b3 p4",
        0,
        {"plays_followed": 1, "cards_gotten": 1, "receiver": 2},
        {"players": 3},
    ),
    (
        "but the first touched it first",
        "clue 2 1, clue 2 red, play 10",
        "y2 y3 y4 g2 g3 b2 b3 b4 p2 p3 r1 g4 g4 b3 p4",
        1,
        {"plays_followed": 1, "cards_gotten": 0, "giver": 1, "newly_touched": 0},
        {"players": 3},
    ),
    (
        "a clue to oneself: the next turn is a round later, and then the other r1 is trash",
        "clue 0 1, clue 0 2, play 0",
        MIXED,
        0,
        {"giver": 0, "receiver": 0, "plays_followed": 1, "cards_gotten": 1, "duplicates": 1},
        {"edition": "hanabi-data"},
    ),
    (
        "to oneself where givers cycle their chop: the card that moved was not touched, and was the chop",
        "clue 0 3",
        MIXED,
        0,
        {"touched": 1, "newly_touched": 1, "focus": 4, "chop_touched": False, "playable": 0},
        {"edition": "hanabi-data", "card_cycle": True},
    ),
    (
        "a clue to nothing",
        "clue 1 2",
        MIXED,
        0,
        {"touched": 0, "focus": None, "chop_touched": False, "bits": 5 * math.log2(25 / 20)},
        {"empty_clues": True},
    ),
    (
        "a clue that says nothing",
        "clue 1 1",
        MIXED,
        0,
        {"touched": 3, "bits": 0, "cards_gotten": 3},
        {"variant": "Duck (5 Suits)"},
    ),
)


@pytest.mark.parametrize("case", CLUE_CASES, ids=lambda case: case[0][:40])
def test_clues_worked_by_hand(case: tuple[str, str, str, int, Row, dict[str, Any]]) -> None:
    _, moves, deck, number, expected, how = case
    result = replay(game(moves, deck, **how))
    assert not result.defects
    row = result.clues.to_dicts()[number]
    assert row["bits"] == pytest.approx(expected.get("bits", row["bits"]), rel=1e-12)
    exact = [column for column in expected if column != "bits"]
    assert [row[column] for column in exact] == [expected[column] for column in exact]


# What Alice does (even turns) and Bob; Bob draws 10 (p3), 11 (p4), Alice 12, Bob 13 and 14.
STORY = "clue 1 1, play 5, clue 1 yellow, play 6, discard 0, play 7, clue 1 4, discard 13"
CARD_CASES: tuple[tuple[str, int, Row], ...] = (
    (
        "y1, clued at once, played next; known to be playable and not which it was",
        5,
        {
            "suit": 1,
            "rank": 1,
            "holder": 1,
            "drawn_turn": 0,
            "first_clue_turn": 0,
            "first_clue_giver": 0,
            "colour_clues": 0,
            "rank_clues": 1,
            "known_turn": None,
            "playable_turn": 0,
            "fate": "played",
            "fate_turn": 1,
        },
    ),
    (
        "the other y1: both clues say which it is, from Bob's turn 3 on; then it fits no more",
        6,
        {
            "first_clue_turn": 0,
            "colour_clues": 1,
            "rank_clues": 1,
            "known_turn": 3,
            "playable_turn": 0,
            "fate": "misplayed",
            "fate_turn": 3,
        },
    ),
    ("g1", 7, {"colour_clues": 0, "rank_clues": 1, "fate": "played", "fate_turn": 5}),
    (
        "r1 of Alice, never clued",
        0,
        {"holder": 0, "first_clue_turn": None, "fate": "discarded", "fate_turn": 4},
    ),
    ("the other r1", 1, {"holder": 0, "playable_turn": 0, "fate": "in_hand", "fate_turn": None}),
    ("y2 fits once y1 is there", 3, {"holder": 0, "playable_turn": 2, "fate": "in_hand"}),
    ("r2 never fits", 2, {"playable_turn": None, "known_turn": None}),
    ("b5 stays", 9, {"holder": 1, "first_clue_turn": None, "fate": "in_hand", "playable_turn": None}),
    (
        "p3, drawn by Bob after turn 1",
        10,
        {"suit": 4, "rank": 3, "holder": 1, "drawn_turn": 2, "first_clue_turn": None, "fate": "in_hand"},
    ),
    (
        "p4, drawn by Bob after turn 3, touched at turn 6",
        11,
        {"holder": 1, "drawn_turn": 4, "first_clue_turn": 6, "first_clue_giver": 0, "rank_clues": 1},
    ),
    ("drawn by Alice after turn 4", 12, {"holder": 0, "drawn_turn": 5}),
    ("drawn by Bob after turn 5", 13, {"holder": 1, "drawn_turn": 6, "fate": "discarded", "fate_turn": 7}),
    ("drawn by Bob after the last turn", 14, {"holder": 1, "drawn_turn": 8, "fate": "in_hand"}),
    ("the next one stays in the deck", 15, {"holder": None, "drawn_turn": None, "fate": "in_deck"}),
)


@pytest.mark.parametrize("case", CARD_CASES, ids=lambda case: case[0][:40])
def test_cards_worked_by_hand(case: tuple[str, int, Row]) -> None:
    _, order, expected = case
    result = replay(game(STORY, MIXED))
    assert not result.defects
    row = result.cards.to_dicts()[order]
    assert row["order"] == order
    assert {column: row[column] for column in expected} == expected


def test_a_card_played_from_the_deck() -> None:
    """The last card, from the deck: it was in nobody's hand, and counts as held on the turn of its play."""
    # Both discard their first card, then always the card drawn before, until one is left to draw.
    moves = ", ".join(f"discard {order}" for order in (0, 5, *range(10, 47)))
    record = game(f"{moves}, play 49", "... r1", deck_plays=True, edition="hanabi-data")
    result = replay(record)
    card = result.cards.to_dicts()[49]
    *_, last = result.rows()
    assert not result.defects
    assert (last["slot"], last["possibilities"], last["p_playable"]) == (0, None, None)
    assert (card["holder"], card["drawn_turn"], card["fate"], card["fate_turn"]) == (1, 39, "played", 39)
    assert (card["known_turn"], card["playable_turn"]) == (None, None)


@given(played())
def test_every_row_against_the_slow_views(record: GameRecord) -> None:
    result, slow = replay(record), watch(record)
    for found, columns, mine in (
        (result.clues.to_dicts(), CLUES, slow.clues),
        (result.cards.to_dicts(), CARDS, slow.cards),
    ):
        for row, expected in zip(found, mine, strict=True):
            assert set(expected) == {column.name for column in columns}
            assert row == {**expected, **({"bits": row["bits"]} if "bits" in row else {})}
            assert row.get("bits", 0) == pytest.approx(expected.get("bits", 0), abs=1e-9)


@given(played())
def test_what_must_add_up(record: GameRecord) -> None:
    out = play(make_batch(deal_records([record])), fast=False)
    [total] = to_rows(GAMES, out.games.values())
    clues = list(to_rows(CLUES, out.clues.values()))
    cards = list(to_rows(CARDS, out.cards.values()))
    gotten = sum(clue["cards_gotten"] for clue in clues) + total["blind_plays"]
    assert min(gotten, total["max_score"]) == total["cards_gotten"]
    # Each card has one fate, and those that left hands are what the turns did.
    fates = Counter(card["fate"] for card in cards)
    assert fates["played"] == total["plays"] == total["raw_score"]
    assert fates["misplayed"] == total["misplays"] == total["strikes"]
    assert fates["discarded"] == total["discards"]
    assert fates.total() == len(cards) == len(record.deck or ())
    assert len(clues) == total["clues"]
    assert len(record.actions) == total["turns"]
    assert total["turns"] == sum(total[kind] for kind in ("plays", "misplays", "discards", "clues"))
    assert sum(clue["touched"] for clue in clues) == sum(
        card["colour_clues"] + card["rank_clues"] for card in cards
    )
    assert sum(clue["newly_touched"] for clue in clues) == sum(
        card["first_clue_turn"] is not None for card in cards
    )
    for clue in clues:
        assert clue["touched"] == clue["newly_touched"] + clue["retouched"]
        assert clue["trash"] + max(clue["playable"], clue["critical"]) <= clue["touched"]
        assert clue["duplicates"] <= clue["newly_touched"]
        assert clue["chop_touched"] <= clue["newly_touched"]
        assert clue["bits"] >= -1e-9
        assert (clue["focus"] is None) == (clue["touched"] == 0)
    for card in cards:
        gone = card["fate"] in ("played", "misplayed", "discarded")
        assert gone == (card["fate_turn"] is not None)
        assert (card["fate"] == "in_deck") == (card["holder"] is None) == (card["drawn_turn"] is None)
        turns = [card[name] for name in ("first_clue_turn", "known_turn", "playable_turn", "fate_turn")]
        assert all(turn is None or turn >= card["drawn_turn"] for turn in turns)
        assert (card["first_clue_turn"] is None) == (card["colour_clues"] + card["rank_clues"] == 0)
        assert card["fate"] != "played" or card["playable_turn"] is not None or record.options.deck_plays

"""What the player to move knew, could do and saw: worked by hand, and against the slow views.

The hand-worked cases have two players and No Variant where nothing else is said. Alice (seat 0) gets the
first five cards of the deck, Bob the next five; 50 cards, of which each sees those of the other hand, the
stacks and the discards.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from hanalyze.engine.knowledge import possibilities
from hanalyze.frames import to_rows
from hanalyze.game.cards import cards_in, mask_of
from hanalyze.logs import GameRecord
from hanalyze.replaying import replay
from hanalyze.tables import FACTS, GAMES, TURNS
from tests.building import game
from tests.slow_views import played, watch

REDS = "r1 r2 r3 r4 r5 y1 y2 y3 y4 y5"
FIVES = "g5 b5 p5 r1 r2 r5 y5 y1 y2 y3 p4 b4"
LOCKED = "r1 r1 y2 y2 g3 y1 y1 g1 g1 b1"

# Title; moves; deck; expected columns of the last turn; further arguments of `game`.
CASES: tuple[tuple[str, str, str, dict[str, Any], dict[str, Any]], ...] = (
    (
        "the first turn: of 45 unseen cards 14 are ones (y1 is Bob's), 4 fives; all but y5 are possible",
        "play 0",
        REDS,
        {
            "possibilities": 24,
            "p_playable": 14 / 45,
            "p_trash": 0,
            "p_critical": 4 / 45,
            "best_p_playable": 14 / 45,
            "best_p_trash": 0,
            "known_playable": 0,
            "known_trash": 0,
            "known_critical": 0,
            "playable_seen": 1,
            "playable_seen_clued": 0,
            "blind_plays_after": 1,
            "misplays_after": 0,
        },
        {},
    ),
    (
        "before any clue: the oldest card is chop, a discard is forbidden with all tokens there",
        "play 1",
        REDS,
        {
            "chop": 0,
            "chop_suit": 0,
            "chop_rank": 1,
            "locked": False,
            "could_clue": True,
            "could_discard": False,
            "forced": False,
            "next_chop_critical": False,
            "other_chop_critical": False,
            "blind_plays_after": 0,
            "misplays_after": 1,
        },
        {},
    ),
    (
        "a one before any is played: five identities, all of them playable",
        "clue 1 1, play 5",
        REDS,
        {
            "possibilities": 5,
            "p_playable": 1,
            "p_trash": 0,
            "known_playable": 1,
            "best_p_playable": 1,
            "chop": 6,
            "blind_plays_after": 0,
        },
        {},
    ),
    (
        "a five is known to be critical; Bob sees r5, so it is one of four",
        "clue 1 5, discard 9",
        REDS,
        {"possibilities": 4, "known_critical": 1, "p_critical": 1, "p_playable": 0},
        {},
    ),
    (
        "r1 is played: Bob's other ones may be r1, of which two are left unseen, of 15 - 1 ones",
        "clue 1 1, play 5, clue 1 2, discard 6",
        "y3 y3 g2 g3 b3 r1 r1 b2 b4 p5",
        # Bob sees no one at all: 15 less the r1 on the stack.
        {"possibilities": 5, "p_playable": 12 / 14, "p_trash": 2 / 14, "known_playable": 0},
        {},
    ),
    (
        "two fives clued, three seen: they are r5 and y5, so that the card drawn later is no five."
        " 41 others are unseen, with 2 r1 less none, y2 twice and three ones of each other suit to play: 13;"
        " two y1 are trash",
        "clue 1 5, play 7, discard 3, play 10",
        FIVES,
        {
            "possibilities": 20,
            "p_playable": 13 / 41,
            "p_trash": 2 / 41,
            "p_critical": 0,
            "known_critical": 2,
            "known_playable": 0,
        },
        {},
    ),
    (
        "the same without the clue: all but the three fives seen",
        "clue 1 1, play 7, discard 3, play 10",
        FIVES,
        {"possibilities": 22, "known_critical": 0},
        {},
    ),
    (
        "the same where clues say nothing",
        "clue 1 5, play 7, discard 3, play 10",
        FIVES,
        {"possibilities": 22, "known_critical": 0},
        {"variant": "Cow & Pig (5 Suits)"},
    ),
    (
        "r1 is known, and three cards are neither red nor ones, which 23 of the 43 unseen are: the one drawn"
        " later is one of 43 - 1 - 3; to play are r1 twice and 10 ones of other suits; critical are r5 and,"
        " of the 23, four fives, y3 and b4, of which 20 are left on average",
        "clue 1 1, clue 0 red, clue 1 2, clue 0 1, discard 1, discard 9, play 10",
        "r1 y3 g4 b3 p4 y1 y2 g2 g3 b4 r3 p1",
        {
            "possibilities": 25,
            "p_playable": 12 / 39,
            "p_trash": 0,
            "p_critical": (23 + 6 * 20) / (39 * 23),
            "known_playable": 1,
        },
        {},
    ),
    (
        "two ones are clued: r1 or y1, of which one copy each is unseen, and drawn later r1, y1 or g1, with"
        " two g1: of 2 x 3 ways four have g1, which was played; by the card alone it would be two of four",
        "clue 1 1, clue 0 green, discard 4, clue 0 blue, clue 1 1, clue 0 purple, clue 1 1, clue 0 1,"
        " clue 1 1, play 9, play 10",
        "r1 g4 b4 p4 y3 r1 r1 y1 y1 g1 g1 b2",
        {"possibilities": 3, "p_playable": 2 / 6, "p_trash": 4 / 6, "p_critical": 0, "known_playable": 1},
        {},
    ),
    (
        "four ones of Bob's are clued, two as green ones: the card drawn last is the chop",
        "clue 1 green, discard 5, clue 1 1, play 7",
        LOCKED + " r3",
        {"locked": False, "chop": 10, "known_playable": 4, "possibilities": 1, "p_playable": 1},
        {},
    ),
    (
        "ones everywhere: Bob is locked, his chop is his newest card",
        "clue 1 1, play 9",
        LOCKED,
        {"locked": True, "chop": 9, "chop_suit": 3, "chop_rank": 1, "known_playable": 5},
        {},
    ),
    (
        "Alice sees five playable ones, all of them clued",
        "clue 1 1, clue 0 1, discard 4",
        LOCKED,
        {"playable_seen": 5, "playable_seen_clued": 5, "could_discard": True, "locked": False, "chop": 2},
        {},
    ),
    (
        "y5 is Bob's oldest card",
        "clue 1 1",
        "r1 r2 r3 r4 r5 y5 y2 y3 y4 y1",
        {"next_chop_critical": True, "other_chop_critical": True},
        {},
    ),
    (
        "not the next player's but Cathy's",
        "clue 1 1",
        "r1 r2 r3 r4 r5 y1 y2 y3 y4 y2 g5 g1 g2 g3 g4",
        {"next_chop_critical": False, "other_chop_critical": True},
        {"players": 3},
    ),
    (
        "clued, it is chop no more",
        "clue 1 5, discard 9, clue 1 1",
        "r1 r2 r3 r4 r5 y5 y2 y3 y4 y1",
        {"next_chop_critical": False, "other_chop_critical": False},
        {},
    ),
    (
        "no clue touches null cards, and no token is missing: a card must be played",
        "play 0",
        "r1 r2 r3 r4 r5 u1 u1 u1 u2 u2",
        {"could_clue": False, "could_discard": False, "forced": True},
        {"variant": "Omni & Null (5 Suits)"},
    ),
    (
        "without a token there is no clue",
        "clue 1 1, clue 0 1, clue 1 1, clue 0 1, clue 1 1, clue 0 1, clue 1 1, clue 0 1, discard 4",
        LOCKED,
        {"could_clue": False, "could_discard": True, "forced": False},
        {},
    ),
    (
        "a third play in a row without a clue",
        "play 0, play 5, play 1",
        "r1 r2 y3 y4 y5 y1 y2 g3 g4 g5",
        {"blind_plays_after": 3, "misplays_after": 0},
        {},
    ),
    (
        "a clue ends the row",
        "play 0, play 5, clue 1 2",
        "r1 r2 y3 y4 y5 y1 y2 g3 g4 g5",
        {"blind_plays_after": 0},
        {},
    ),
    (
        "a second misplay in a row",
        "play 2, play 7",
        "r1 r2 y3 y4 y5 y1 y2 g3 g4 g5",
        {"misplays_after": 2, "blind_plays_after": 0},
        {},
    ),
    (
        "Alice loses one y4, Bob has cards without a clue: perhaps the other",
        "clue 1 1, clue 0 1, discard 3",
        "r1 r2 y3 y4 y5 y1 y2 g3 y4 g5",
        {"double_discard_after": 3},
        {},
    ),
    (
        "Bob's y4 is known by its clues",
        "clue 1 4, clue 0 1, clue 1 yellow, clue 0 2, discard 3",
        "r1 r2 y3 y4 y5 y1 y2 g3 y4 g5",
        {"double_discard_after": None},
        {},
    ),
    (
        "Bob is locked: he will not discard it",
        "clue 1 1, clue 0 3, discard 4",
        LOCKED,
        {"double_discard_after": None},
        {},
    ),
    ("of three copies of y1 two are left", "play 1, discard 5", REDS, {"double_discard_after": None}, {}),
    (
        "y1 is played and one is lost: Bob's is trash, of 43 cards that he does not see",
        "play 0, clue 0 2, discard 1, discard 5",
        "y1 y1 r2 g3 b4 y1 y2 g3 y4 g5",
        {"double_discard_after": None, "p_trash": 1 / 43},
        {},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:40])
def test_worked_by_hand(case: tuple[str, str, str, dict[str, Any], dict[str, Any]]) -> None:
    _, moves, deck, expected, how = case
    *_, last = replay(game(moves, deck, **how)).rows()
    assert last["turn"] == len(moves.split(",")) - 1
    assert {column: last[column] for column in expected} == expected


@given(played())
def test_every_column_and_set_against_the_slow_views(record: GameRecord) -> None:
    result, slow = replay(record), watch(record)
    assert not result.defects
    measured = {column.name for column in TURNS[len(FACTS) :]}
    for turn, (row, expected) in enumerate(zip(result.rows(), slow.turns, strict=True)):
        assert set(expected) == measured
        assert {name: row[name] for name in expected} == expected, turn
    assert result.min_efficiency == slow.game["min_efficiency"]
    assert result.efficiency == slow.game["efficiency"]
    [games] = to_rows(GAMES, result.measured().games.values())
    assert games["full_score"] == slow.game["full_score"]
    assert games["full_tokens"] == slow.game["full_tokens"]
    discards = [row["turn"] for row in result.rows() if row["result"] == "discarded"]
    assert games["first_discard"] == next(iter(discards), None)
    for turn in {0, result.turn_count // 2, result.turn_count}:
        ours = [[mask_of(cards) for cards in hand] for hand in result.empathy(turn)]
        assert ours == [[mask_of(cards) for cards in hand] for hand in slow.sets[turn]], turn
        for hand, orders in zip(result.empathy(turn), slow.orders[turn], strict=True):
            for cards, order in zip(hand, orders, strict=True):
                assert result.deck[order] in cards, (turn, order)


@given(played())
def test_chances_are_chances(record: GameRecord) -> None:
    """In every position, chances are from 0 to 1, contradict neither each other nor the action's result."""
    result = replay(record)
    for row in result.rows():
        chances = [row[name] for name in ("p_playable", "p_trash", "p_critical")]
        assert all(chance is None or 0 <= chance <= 1 for chance in chances), row["turn"]
        assert (row["possibilities"] is None) == (chances[0] is None), row["turn"]
        playable, trash, critical = chances
        if playable is None:
            continue
        # No card is both playable and trash, or both trash and critical.
        assert playable + trash <= 1 + 1e-12
        assert trash + critical <= 1 + 1e-12
        assert playable <= row["best_p_playable"]
        assert trash <= row["best_p_trash"]
        assert playable == 0 or row["result"] != "misplayed" or playable < 1
        assert playable > 0 or row["result"] != "played"
        if row["known_playable"]:
            assert row["best_p_playable"] == 1
        assert (row["best_p_playable"] == 1) == (row["known_playable"] > 0)
        assert (row["best_p_trash"] == 1) == (row["known_trash"] > 0)
        assert row["forced"] == (not row["could_clue"] and not row["could_discard"])


@given(played())
def test_sets_only_shrink_and_hold_the_truth(record: GameRecord) -> None:
    result = replay(record)
    last: dict[int, int] = {}
    for turn, state in result.states():
        for seat in range(len(record.players)):
            for i in range(possibilities(state, seat)):
                order, mask = int(state.hands[seat][i]), int(state.know.known[seat][i])
                assert result.deck[order] in cards_in(mask), (turn, order)
                assert mask & ~last.get(order, -1) == 0, (turn, order)
                last[order] = mask
    assert len(last) >= len(record.players)

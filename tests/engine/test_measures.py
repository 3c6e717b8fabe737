"""Pace, maximum score, efficiency: worked by hand, and against brute force on random games.

The table of starting values is hanab.live's; the other values are worked out beside each case. Brute force:
how many points are left is found by trying every order of building, which stacks can be completed by trying
every choice of them.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given

from hanalyze.engine.batch import rules_of, variant_of
from hanalyze.logs import GameRecord
from hanalyze.replaying import replay
from tests.building import game
from tests.slow_rules import Pair, SlowGame
from tests.slow_views import cards_gotten, clues_left, played

# Variant: for 2 to 6 players the minimum efficiency, the pace and the clues left at the start.
STARTS = {
    "No Variant": ((0.8621, 17, 29), (1.0000, 13, 25), (1.0000, 13, 25), (1.1905, 10, 21), (1.0417, 13, 24)),
    "6 Suits": ((0.8571, 22, 35), (0.9677, 18, 31), (0.9677, 18, 31), (1.1111, 15, 27), (1.0000, 18, 30)),
    "Black (5 Suits)": ((1.0417, 12, 24), (1.25, 8, 20), (1.25, 8, 20), (1.5625, 5, 16), (1.3158, 8, 19)),
    "Clue Starved (5 Suits)": (
        (1.3889, 17, 18),
        (1.5625, 13, 16),
        (1.5625, 13, 16),
        (1.7857, 10, 14),
        (1.5625, 13, 16),
    ),
    "Throw It in a Hole (5 Suits)": (
        (1.0000, 17, 25),
        (1.1905, 13, 21),
        (1.1905, 13, 21),
        (1.3889, 10, 18),
        (1.1905, 13, 21),
    ),
}


@pytest.mark.parametrize("variant", STARTS)
@pytest.mark.parametrize("players", range(2, 7))
def test_starting_values(variant: str, players: int) -> None:
    result = replay(game("clue 1 1", "r1 r1 r1 y1 y1 y1 g1 g1 g1", players=players, variant=variant))
    least, pace, left = STARTS[variant][players - 2]
    row = next(result.rows())
    assert round(result.min_efficiency, 4) == least
    assert (row["pace_before"], row["clues_left_before"]) == (pace, left)
    # Nothing gotten and nothing lost at the start: what must come is the minimum.
    assert row["future_efficiency_before"] == result.min_efficiency
    assert (row["cards_gotten_before"], row["clues_lost_before"]) == (0, 0)


FIVES = "r5 y5 g5 b5 p5 r1 r1 r1 y1 y1"
ONES = "r1 y1 g1 b1 p1 r2 r2 y2 y2 g2"

# Moves, deck, variant, options, and columns after the last move with why they are so. Two players.
CASES: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    # 25 - 1 points; score 0 + deck 39 - 24 + 2 players = 17.
    "a five is discarded": (
        "clue 1 1, clue 0 5, discard 0",
        FIVES,
        "No Variant",
        {"max_score": 24, "pace": 17, "pace_risk": "Low", "clues_lost": 2, "clue_tokens": 7},
    ),
    # All three red ones gone leave red nothing: 20; 0 + 37 - 20 + 2; three clues, and three tokens back.
    "all copies of a one are lost": (
        "clue 1 1, discard 5, clue 1 2, discard 6, clue 1 2, discard 7",
        "y2 y2 g2 g2 b2 r1 r1 r1 r2 b2",
        "No Variant",
        {"max_score": 20, "pace": 19, "clues_lost": 3, "clue_tokens": 8},
    ),
    # Red ones touched: three copies count three times, though one is enough.
    "copies count twice": (
        "clue 1 1",
        "y2 y2 g2 g2 b2 r1 r1 r1 r2 b2",
        "No Variant",
        {"cards_gotten": 3, "clues_lost": 1, "clues_left": 28},
    ),
    # After one is on the stack the two others in hand are trash: 1 + 0.
    "trash does not count": (
        "clue 1 1, play 5",
        "y2 y2 g2 g2 b2 r1 r1 r1 r2 b2",
        "No Variant",
        {"cards_gotten": 1, "score": 1, "clues_lost": 1},
    ),
    # A misplay costs a clue, in Clue Starved half a one; a blind play gets a card for none.
    "a strike": ("play 0", FIVES, "No Variant", {"clues_lost": 1, "strikes": 1, "max_score": 24}),
    "half a strike": (
        "play 0",
        FIVES,
        "Clue Starved (5 Suits)",
        {"clues_lost": 0.5, "strikes": 1, "max_score": 24},
    ),
    "a blind play": ("play 0", ONES, "No Variant", {"clues_lost": 0, "cards_gotten": 1}),
    # Five reds played in turn with all tokens there: the last one gains none, which counts as lost.
    "a stack completed at full tokens": (
        "play 0, play 5, play 1, play 6, play 2",
        "r1 r3 r5 y1 y1 r2 r4 y2 y2 g1",
        "No Variant",
        {"clues_lost": 1, "cards_gotten": 5, "clue_tokens": 8, "stacks": [5, 0, 0, 0, 0, 0]},
    ),
    "and half of one": (
        "play 0, play 5, play 1, play 6, play 2",
        "r1 r3 r5 y1 y1 r2 r4 y2 y2 g1",
        "Clue Starved (5 Suits)",
        {"clues_lost": 0.5, "clue_tokens": 8},
    ),
    "none in the hole": (
        "play 0, play 5, play 1, play 6, play 2",
        "r1 r3 r5 y1 y1 r2 r4 y2 y2 g1",
        "Throw It in a Hole (5 Suits)",
        {"clues_lost": 0, "clue_tokens": 8},
    ),
    # With a token missing it is gained and not lost: one clue was given.
    "a stack completed below full tokens": (
        "clue 1 2, play 5, play 0, play 6, play 1, play 7, clue 1 1",
        "r2 r4 y1 y1 g1 r1 r3 r5 y2 y2",
        "No Variant",
        {"clues_lost": 2, "clue_tokens": 7, "score": 5},
    ),
    # The reversed suit is built from 5 down: without its only 1 it comes to four. 0 + 39 - 24 + 2. Clued and
    # needed are Bob's two 1s and the three that are left of Alice's.
    "the 1 of a reversed suit": (
        "clue 1 1, clue 0 1, discard 0",
        "p1 y1 y1 g1 g2 r1 r1 y2 y2 g2",
        "Reversed (5 Suits)",
        {"max_score": 24, "pace": 17, "cards_gotten": 5},
    ),
    # Built from 5 down and all three 5s gone: nothing. 0 + 37 - 20 + 2.
    "the 5s of a reversed suit": (
        "clue 1 1, clue 0 1, discard 0, clue 0 1, discard 1, clue 0 1, discard 2",
        "p5 p5 p5 y1 y1 r1 r1 y2 y2 g2",
        "Reversed (5 Suits)",
        {"max_score": 20, "pace": 19, "clues_lost": 4},
    ),
    # One copy of 5 and START each: without its 5 a suit goes up from START or 1 to 4, or down from START
    # through 4, 3, 2 to 1, which is five cards. 0 + 34 - 25 + 2.
    "up or down without a 5": (
        "clue 1 2, clue 0 5, discard 0",
        "r5 y2 y2 g2 g2 r2 r2 b2 b2 p2",
        "Up or Down (5 Suits)",
        {"max_score": 25, "pace": 11, "cards_gotten": 5},
    ),
    # Without its START too it can only go up from 1, to 4: 24. 0 + 33 - 24 + 2.
    "up or down without 5 and START": (
        "clue 1 2, clue 0 2, discard 0, clue 0 2, discard 1",
        "r5 r7 y2 y2 g2 r2 r2 b2 b2 p2",
        "Up or Down (5 Suits)",
        {"max_score": 24, "pace": 11},
    ),
    # 32 cards. Without its 2s red can begin at 3, for 3, 4, 1: three cards; the others share 1, 2, 4.
    "sudoku without a rank": (
        "clue 1 1, clue 0 1, discard 0, clue 0 1, discard 1",
        "r2 r2 y1 y2 y3 r1 g1 b1 y4 g2",
        "Sudoku (4 Suits)",
        {"max_score": 15, "pace": 7},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_worked_by_hand(name: str) -> None:
    moves, deck, variant, expected = CASES[name]
    result = replay(game(moves, deck, variant=variant))
    assert not result.defects
    *_, last = result.rows()
    assert {column: last[f"{column}_after"] for column in expected} == expected


# --- brute force --------------------------------------------------------------------------------------------


def most_points(now: SlowGame) -> int:
    """Return the points still possible, by trying every card that is left on every stack in every order."""
    left = {card for card in now.copies if now.is_left(card)}
    size = now.variant.stack_size

    def grow(stack: list[int], suit: int, starts: set[int]) -> int:
        """Return the most cards on the stack of one suit; a fresh one begins with one of `starts`."""
        if len(stack) == size:
            return size
        if now.variant.sudoku:
            ranks = {stack[-1] % size + 1} if stack else starts
        else:
            ranks = set(now.fitting(suit, stack))
        fits = [rank for rank in ranks if (suit, rank) in left]
        return max((grow([*stack, rank], suit, starts) for rank in fits), default=len(stack))

    def share(suits: list[int], starts: set[int]) -> int:
        """Return the most cards of the suits from the first on, whose starts must differ."""
        if not suits:
            return 0
        suit, *rest = suits
        if now.stacks[suit]:
            return grow(now.stacks[suit], suit, set()) + share(rest, starts)
        return max(grow([], suit, {one}) + share(rest, starts - {one}) for one in starts)

    suits = list(range(len(now.stacks)))
    if now.variant.sudoku:
        return share(suits, set(range(1, size + 1)) - {stack[0] for stack in now.stacks if stack})
    return sum(grow(now.stacks[suit], suit, set()) for suit in suits)


def risk(pace: int | None, players: int) -> str:
    """Return hanab.live's word for a pace: by how many of the players may still discard once."""
    if pace is None:
        return "Low"
    if pace <= 0:
        return "Zero"
    return "High" if pace < math.ceil(players / 2) else "Medium" if pace < players else "Low"


@given(played())
def test_pace_and_efficiency_by_brute_force(record: GameRecord) -> None:
    rules = rules_of(record)
    variant = variant_of(record, rules)
    assert record.deck is not None
    deck: list[Pair] = [(suit, rank) for suit, rank in record.deck]
    players = len(record.players)
    now = SlowGame(variant, deck, players, rules)
    result = replay(record)
    last = None
    for turn, (action, row) in enumerate(zip(record.actions, result.rows(), strict=True)):
        for when in ("before", "after"):
            if when == "after":
                now.do(action)
            if when == "before" and last is not None:
                # What a turn leaves is what the next one finds.
                befores = [name.removesuffix("_before") for name in row if name.endswith("_before")]
                assert {name: row[f"{name}_before"] for name in befores} == {
                    name: last[f"{name}_after"] for name in befores
                }
                continue
            most = most_points(now)
            pace = len(now.waiting) + now.raw_score - most + players
            expected = None if not now.waiting or now.end != "unfinished" else pace
            found = (row[f"max_score_{when}"], row[f"pace_{when}"], row[f"pace_risk_{when}"])
            assert found == (most, expected, risk(expected, players)), (turn, when)
            assert row[f"clues_left_{when}"] == clues_left(now), (turn, when)
            gotten = cards_gotten(now)
            assert row[f"cards_gotten_{when}"] == gotten <= most, (turn, when)
            rest = (most - gotten) / clues_left(now) if clues_left(now) else None
            assert row[f"future_efficiency_{when}"] == rest, (turn, when)
        last = row

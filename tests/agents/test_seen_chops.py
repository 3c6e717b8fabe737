"""Chops and chop moves as players know them: a game worked by hand, and what cannot matter to a player."""

from __future__ import annotations

import random

from hanalyze import replay
from hanalyze.agents import simulate
from hanalyze.agents.seen_chops import CHOP, seen_chops
from tests.building import five_chop_move, game
from tests.same_sight import explicit, other_game


def test_a_chop_move_is_known_to_its_holder() -> None:
    *_, before, after = seen_chops(replay(five_chop_move()), 25)
    # Cathy's r1 and g1 were clued, so her chop is r4.
    assert before == 3 * [{0: CHOP, 6: CHOP, 12: CHOP}]
    assert after == 3 * [{0: CHOP, 6: 5, 8: CHOP, 12: CHOP}]


def test_below_its_level_it_is_none() -> None:
    assert list(seen_chops(replay(five_chop_move()), 3))[-1][1] == {0: CHOP, 6: CHOP, 12: CHOP}
    assert list(seen_chops(replay(five_chop_move()), 0))[-1] == [{}, {}, {}]


def test_the_focus_of_an_unclear_clue_may_be_hidden() -> None:
    """Bob misplays after an unclear clue to Cathy, who does not see the card that it was about."""
    deck = "r3 y4 b4 g4 p1 y4 p3 b3 g3 y3 g4 y2 p4 b4 r5"
    record = game("clue 2 5, clue 0 1, clue 1 4, clue 2 4, play 9", deck, players=3)
    *_, after = seen_chops(replay(record), 25)
    assert after == 3 * [{0: CHOP, 6: CHOP, 11: CHOP}]


def test_they_are_the_same_in_a_game_that_looks_the_same() -> None:
    """Other cards in the own hand and another deck change nothing of what a player knows."""
    choice = random.Random(2)
    moved = 0
    for players in (2, 3, 4):
        [record] = simulate("conventional", players=players, seed=players, fast=False)
        record = explicit(record)
        known = list(seen_chops(replay(record), 25))
        for _ in range(8):
            seat, turn = choice.randrange(players), choice.randrange(len(record.actions))
            other = seen_chops(replay(other_game(record, seat, turn, choice)), 25)
            for mine, theirs in zip(known[: turn + 1], other, strict=False):
                assert mine[seat] == theirs[seat], (players, seat, turn)
            moved += sum(value != CHOP for value in known[turn][seat].values())
    assert moved > 5

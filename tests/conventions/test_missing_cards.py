"""The cards missing below a card, computed from masks, are those that a walk down the stack meets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from hanalyze.conventions import inferences
from hanalyze.engine.game import DOWN, PLAIN, UNDECIDED, UP, UP_OR_DOWN, Game
from hanalyze.engine.stacks import goes_under, missing_ids, next_missing, plays_until

SUITS = 6


@given(st.data())
def test_missing_cards_of_plain_stacks(data: st.DataObject) -> None:
    game = Game.new(fast=False)
    size = game.variant.stack_size = data.draw(st.integers(4, 6))
    game.variant.stack_kind = PLAIN
    game.variant.reversed = data.draw(st.integers(0, 2**SUITS - 1))
    ranks = st.integers(1, size)
    tops = data.draw(st.lists(st.none() | ranks, min_size=SUITS, max_size=SUITS))
    playable = sum(1 << (suit * 8 + rank) for suit, rank in enumerate(tops) if rank)
    number = data.draw(st.integers(0, SUITS - 1)) * 8 + data.draw(ranks)
    below: list[int] = []
    walk = number
    while walk >= 0 and not playable >> walk & 1:
        walk = goes_under(game, walk)
        below.append(walk)
    assert next_missing(game, playable, number) == walk
    assert plays_until(game, playable, number) == (len(below) if walk >= 0 else -1)
    assert missing_ids(game, playable, number) == (sum(1 << one for one in below) if walk >= 0 else -1)


@pytest.mark.parametrize(
    ("way", "below"),
    # For the ranks 1 to 5 and START (7): the rank below, -1 if there is none or the direction is open.
    [(UP, [-1, 1, 2, 3, 4, -1]), (DOWN, [2, 3, 4, 5, -1, -1]), (UNDECIDED, [-1] * 6)],
)
def test_the_card_below_in_up_or_down(way: int, below: list[int]) -> None:
    game = Game.new(fast=False)
    game.variant.stack_size = 5
    game.variant.stack_kind = UP_OR_DOWN
    game.way[0] = way
    assert [goes_under(game, rank) for rank in (1, 2, 3, 4, 5, 7)] == below


def test_a_focus_without_an_inference_keeps_the_cards_of_the_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mask -1 stands for no inference; as a set of cards it would have no end."""
    kept: list[int] = []
    monkeypatch.setattr(inferences, "narrow_focus", lambda game, state, call, left: kept.append(left))
    game = Game.new(fast=False)
    game.variant.everything[0] = 0b111110
    common: Any = SimpleNamespace(inferred=[-1], deep=[0], weight=[0])
    call: Any = SimpleNamespace(focus=0, direct=0b10, waits_until=-1)
    state: Any = SimpleNamespace(common=common)
    inferences.narrow_by_play(game, state, call, 1, in_front=True)
    assert kept == [0b111100]

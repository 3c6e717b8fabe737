"""The newest, the oldest and the older cards of a hand, also where the rules move clued cards."""

from __future__ import annotations

import pytest

from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.turn_view import free_behind, newest, oldest
from hanalyze.engine.game import Game


def set_of(*orders: int) -> int:
    return sum(1 << order for order in orders)


@pytest.mark.parametrize(("hand", "cycles"), [((3, 5, 8), 0), ((3, 5, 8), 1), ((8, 3, 5), 1)])
def test_cards_are_ordered_as_in_the_hand(hand: tuple[int, ...], cycles: int) -> None:
    game, view = Game.new(fast=False), ConventionState.new(fast=False).turn_view
    game.rules.card_cycle = cycles
    game.hands[0][:3] = list(hand)
    game.hand_len[0] = 3
    view.cards[0] = set_of(*hand)
    first, second, third = hand
    assert newest(game, 0, set_of(first, second)) == second
    assert newest(game, 0, set_of(*hand)) == third
    assert oldest(game, 0, set_of(second, third)) == second
    assert newest(game, 0, 0) == oldest(game, 0, 0) == -1
    assert free_behind(game, view, 0, third, set_of(first)) == set_of(second)
    assert free_behind(game, view, 0, -1, 0) == set_of(*hand)

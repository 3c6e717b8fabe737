"""Odds by the cards alone, of every holder's hand, against laying out the hand card by card."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

import hanalyze as hz
from hanalyze.game.cards import IdentitySet
from hanalyze.logs import GameRecord
from hanalyze.position import Position
from tests.slow_views import played, weights


def _laid(position: Position, seat: int) -> list[Counter[tuple[int, int]]]:
    unseen = Counter(tuple(card) for cards in position.unseen[seat] for card in cards)
    return weights(unseen, [set(map(tuple, cards)) for cards in position.possible[seat]])


@given(played(), st.data())
def test_every_hand_against_laying_it_out(record: GameRecord, data: st.DataObject) -> None:
    replayed = hz.replay(record)
    position = replayed.state(data.draw(st.integers(0, replayed.turn_count)))
    sets = position.playable, position.needed, position.critical
    for seat, hand in enumerate(position.hands):
        for held, ways, odds in zip(hand, _laid(position, seat), position.odds(seat), strict=True):
            fits, needed, critical = (
                Fraction(sum(ways[card] for card in map(tuple, cards)), ways.total()) for cards in sets
            )
            assert odds == pytest.approx((float(fits), float(1 - needed), float(critical)), abs=1e-12)
            assert position.chance(held.order, position.playable) == odds[0]


@given(played(), st.data())
def test_the_identities_of_two_cards_are_nested_or_disjoint(record: GameRecord, data: st.DataObject) -> None:
    """The engine's odds and deductions rely on it."""
    replayed = hz.replay(record)
    position = replayed.state(data.draw(st.integers(0, replayed.turn_count)))
    for hand in position.possible:
        for one, other in combinations(map(frozenset, hand), 2):
            assert one & other in (one, other, frozenset())


@given(played(), st.data())
def test_of_some_identities_those_that_are_asked_for(record: GameRecord, data: st.DataObject) -> None:
    replayed = hz.replay(record)
    position = replayed.state(data.draw(st.integers(0, replayed.turn_count)))
    seat = data.draw(st.integers(0, len(position.hands) - 1))
    if not position.hands[seat]:
        return
    index = data.draw(st.integers(0, len(position.hands[seat]) - 1))
    ways = _laid(position, seat)[index]
    cards = sorted(card for card in ways if ways[card])
    some = data.draw(st.sets(st.sampled_from(cards), min_size=1))
    among = IdentitySet(sum(1 << suit * 8 + rank for suit, rank in some))
    part = IdentitySet(sum(1 << suit * 8 + rank for suit, rank in data.draw(st.sets(st.sampled_from(cards)))))
    share = Fraction(
        sum(ways[card] for card in some if card in part),
        sum(ways[card] for card in some),
    )
    order = position.hands[seat][index].order
    assert position.chance(order, part, among) == pytest.approx(float(share), abs=1e-12)


def test_what_no_hand_holds() -> None:
    position = hz.replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
    with pytest.raises(ValueError, match="card 10 is in no hand before turn 1"):
        position.chance(10, position.playable)
    # A card that is one of none cannot be.
    assert position.chance(0, position.playable, IdentitySet(0)) == 0.0

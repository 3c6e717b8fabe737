"""Moves as one player could weigh them: no hidden card is read, and the shares are those of all deals."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import Action
from hanalyze.game.cards import Card
from hanalyze.logs import load
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay, replay
from hanalyze.solver.ranking import MoveChance, Sampling, rank_moves
from tests.building import game

SAMPLE = Path(__file__).parents[2] / "sample_logs/game.json"


def sample_game() -> Replay:
    return replay(load(SAMPLE))


def deals(played: Replay, turn: int) -> Counter[tuple[Card, ...]]:
    """Return every way to deal the cards that the player to move does not see, by the clues, with copies.

    The slow twin: all orders of the unseen cards, those kept whose clues are true, marks and all.
    """
    position = played.state(turn)
    hand = position.hands[position.seat]
    orders = [held.order for held in hand]
    places = orders + list(range(len(played.deck) - position.deck, len(played.deck)))
    unseen = [played.deck[order] for order in places]
    variant = played.variant
    found: Counter[tuple[Card, ...]] = Counter()
    for cards in itertools.permutations(unseen):
        for card, held in zip(cards, hand, strict=False):
            for mark in held.clues:
                says = card.suit == mark.value if mark.kind == 2 else card.rank == mark.value
                if says != mark.touched:
                    break
            else:
                continue
            break
        else:
            found[cards] += 1
    assert variant.name == "No Variant"
    return found


def with_unseen(played: Replay, turn: int, cards: tuple[Card, ...]) -> Replay:
    """Return the game up to a turn with other cards where the player to move does not see them."""
    position = played.state(turn)
    places = [held.order for held in position.hands[position.seat]]
    places += range(len(played.deck) - position.deck, len(played.deck))
    deck = list(played.deck)
    for order, card in zip(places, cards, strict=True):
        deck[order] = card
    record = replace(played.record, deck=deck, seed=None, score=None, actions=played.record.actions[:turn])
    return replay(record)


@pytest.mark.heavy
def test_the_shares_are_those_of_all_deals() -> None:
    """Against every deal that fits, each solved by itself, with all cards open."""
    played, turn = sample_game(), 58
    seat = played.state(turn).seat
    every = deals(played, turn)
    total = sum(every.values())
    kept: Counter[Action] = Counter()
    points: Counter[Action] = Counter()
    for cards, count in every.items():
        ranked = rank_moves(with_unseen(played, turn, cards), turn, fast=False)
        best = max(one.low for one in ranked)
        for one in ranked:
            assert one.low == one.high
            kept[one.action] += count * (one.low == best)
            points[one.action] += count * one.low
    assert len(every) == 36
    chances = rank_moves(played, turn, seat=seat, sampling=Sampling(120, seed=5), fast=False)
    assert {one.action for one in chances} == set(points)
    for one in chances:
        exact = kept[one.action] / total
        assert abs(one.keeps - exact) <= 4 * math.sqrt(max(exact * (1 - exact), 0) / 120) + 1e-9
        assert abs(one.expected - points[one.action] / total) <= 4 * one.expected_error + 1e-9
        assert one.keeps_error == pytest.approx(math.sqrt(one.keeps * (1 - one.keeps) / 120))
        assert (one.deals, one.open) == (120, 0)


@pytest.mark.parametrize("turn", [7, 30, 45])
def test_cards_that_the_player_cannot_tell_apart_give_the_same(turn: int) -> None:
    """The hidden cards are exchanged in whatever way the clues allow: not a figure changes."""
    played = sample_game()
    seat = played.state(turn).seat
    before = rank_moves(played, turn, seat=seat, sampling=Sampling(4, seed=3), fast=False)
    position = played.state(turn)
    hand = position.hands[seat]
    places = [held.order for held in hand] + list(range(50 - position.deck, 50))
    cards = [played.deck[order] for order in places]
    possible = position.possible[seat]
    changed = 0
    for one, two in itertools.combinations(range(len(places)), 2):
        other = list(cards)
        other[one], other[two] = other[two], other[one]
        fits = all(tuple(card) in map(tuple, known) for card, known in zip(other, possible, strict=False))
        if changed == 3 or cards[one] == cards[two] or not fits or (one + two) % 11:
            continue
        exchanged = with_unseen(played, turn, tuple(other))
        assert exchanged.state(turn).possible[seat] == possible
        again = rank_moves(exchanged, turn, seat=seat, sampling=Sampling(4, seed=3), fast=False)
        assert again == before
        changed += 1
    assert changed == 3


@pytest.mark.parametrize("turn", [7, 45])
def test_who_looks_on_reads_no_hidden_card_either(turn: int) -> None:
    """The next player's hand is exchanged with the deck as the clues allow: not a figure changes."""
    played = sample_game()
    position = played.state(turn)
    seat = (position.seat + 1) % 3
    before = rank_moves(played, turn, seat=seat, sampling=Sampling(4, seed=3), fast=False)
    places = [held.order for held in position.hands[seat]] + list(range(50 - position.deck, 50))
    possible = position.possible[seat]
    changed = 0
    for one, two in itertools.combinations(range(len(places)), 2):
        deck = list(played.deck)
        deck[places[one]], deck[places[two]] = deck[places[two]], deck[places[one]]
        fits = all(
            tuple(deck[place]) in map(tuple, known) for place, known in zip(places, possible, strict=False)
        )
        if changed == 3 or deck == list(played.deck) or not fits or (one + two) % 11:
            continue
        record = replace(
            played.record, deck=deck, seed=None, score=None, actions=played.record.actions[:turn]
        )
        exchanged = replay(record)
        if exchanged.state(turn).possible != position.possible:
            continue  # the other players see this hand
        assert rank_moves(exchanged, turn, seat=seat, sampling=Sampling(4, seed=3), fast=False) == before
        changed += 1
    assert changed > 0


def test_who_looks_on_sees_the_hand_to_move() -> None:
    """Bob sees that Alice holds the only r5, Alice does not: its loss is certain for him alone."""
    played = replay(game("clue 1 1, clue 0 1", "r5 b2 b3 y2 b1 y1 g1 g2 g3 g4"))
    drop = Action(1, 0, 0)
    [bob, alice] = (
        {one.action: one for one in rank_moves(played, 2, seat=seat, sampling=Sampling(8), fast=False)}
        for seat in (1, 0)
    )
    assert (bob[drop].keeps, bob[drop].expected) == (0.0, 24.0)
    assert alice[drop].keeps > 0.0


def test_clues_to_who_looks_on_count_where_they_are_legal() -> None:
    """Whether Bob has a green card, he cannot know: the clue is legal in some of the deals, not in all."""
    played = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    found = {one.action: one for one in rank_moves(played, 0, seat=1, sampling=Sampling(12), fast=False)}
    clues = [found[action] for action in found if action.kind >= 2]
    assert len(clues) == 10
    [counted] = {one.deals for action, one in found.items() if action.kind < 2}
    assert {counted + one.open for one in clues} == {12}
    assert all(0 < one.deals <= counted for one in clues)
    assert min(one.deals for one in clues) < counted


def test_what_is_known_for_certain_is_certain() -> None:
    """Alice knows her r5, the only one, by two clues: to throw it away always costs the best score."""
    deck = "r5 b2 b3 y2 b1 y1 g1 g2 g3 g4"
    played = replay(game("clue 1 1, clue 0 red, clue 1 2, clue 0 5", deck))
    found = {one.action: one for one in rank_moves(played, 4, seat=0, sampling=Sampling(8), fast=False)}
    assert found[Action(1, 0, 0)].keeps == 0.0
    assert found[Action(1, 0, 0)].expected == 24.0
    assert found[Action(1, 0, 0)].expected_error == 0.0
    # Alice cannot know of any other card that it is the last.
    assert found[Action(1, 1, 0)].keeps > 0.0


def test_the_seed_chooses_the_deals() -> None:
    played = sample_game()

    def ask(seed: int) -> list[MoveChance]:
        return rank_moves(played, 56, seat=played.state(56).seat, sampling=Sampling(10, seed), fast=False)

    assert ask(1) == ask(1)
    assert ask(1) != ask(2)


def test_what_stays_open_is_not_counted() -> None:
    [first, *_] = rank_moves(sample_game(), 30, seat=0, sampling=Sampling(4), nodes=1, fast=False)
    assert first.open > 0
    assert first.deals + first.open == 4


@pytest.mark.parametrize(
    ("seat", "samples", "rule"),
    [(7, 5, "no_such_seat"), (0, 0, "bad_samples")],
)
def test_what_cannot_be_answered(seat: int, samples: int, rule: str) -> None:
    with pytest.raises(HanalyzeError) as error:
        rank_moves(sample_game(), 0, seat=seat, sampling=Sampling(samples), fast=False)
    assert error.value.rule == rule


def test_hidden_plays_are_not_covered() -> None:
    record = GameRecord(
        players=("Alice", "Bob"),
        seed="a",
        variant="Throw It in a Hole (5 Suits)",
        actions=[Action(0, 0, 0), Action(0, 5, 0)],
    )
    with pytest.raises(HanalyzeError, match="hide played cards"):
        rank_moves(replay(record), 2, seat=0, sampling=Sampling(2), fast=False)


def test_a_game_that_is_over_has_no_moves() -> None:
    played = sample_game()
    assert rank_moves(played, -1, seat=0, sampling=Sampling(2), fast=False) == []


def test_a_long_answer_is_announced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("hanalyze.solver.ranking._LONG", 0)
    caplog.set_level("INFO", "hanalyze")
    rank_moves(sample_game(), -2, seat=0, sampling=Sampling(9), fast=False)
    assert [text.split(":")[0] for text in caplog.messages] == ["solving 3 more deals"]

"""Decks of the Hanabi Learning Environment: known decks, later games, first seats, one seed against many."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hanalyze.decks import deck, decks, hle
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card, card_of
from tests.shared import golden

SEEDS = st.integers(-(2**31), 2**31 - 1).filter(lambda seed: seed != -1)


class SlowMersenneTwister:
    """std::mt19937 from its definition (Matsumoto and Nishimura, 1998), as an iterator of its words."""

    def __init__(self, seed: int) -> None:
        self.state = [seed]
        for i in range(1, 624):
            last = self.state[-1]
            self.state.append((1812433253 * (last ^ (last >> 30)) + i) % 2**32)
        self.words = 0

    def __iter__(self) -> SlowMersenneTwister:
        return self

    def __next__(self) -> int:
        # The state as a queue of the last 624 words.
        upper, lower, far = self.state[0], self.state[1], self.state[397]
        mixed = (upper & 0x80000000) | (lower & 0x7FFFFFFF)
        word = far ^ (mixed >> 1) ^ (0x9908B0DF if mixed & 1 else 0)
        self.state.append(word)
        del self.state[0]
        self.words += 1
        word ^= word >> 11
        word ^= (word << 7) & 0x9D2C5680
        word ^= (word << 15) & 0xEFC60000
        return word ^ (word >> 18)


def written(cards: list[Card]) -> str:
    return " ".join("RYGWB"[card.suit] + str(card.rank) for card in cards)


def rows(array: np.ndarray) -> list[list[Card]]:
    return [[card_of(int(number)) for number in row] for row in array]


def test_decks_of_the_environment() -> None:
    lines = [line for line in golden("decks") if line["shuffle"] == "hle"]
    assert len(lines) > 50
    expected = [[Card(*card) for card in line["deck"]] for line in lines]
    seeds = [line["seed"] for line in lines]
    assert [deck(seed, line["variant"], "hle") for seed, line in zip(seeds, lines, strict=True)] == expected
    assert rows(decks(seeds, shuffle="hle")) == expected


def test_decks_that_are_known() -> None:
    assert written(hle.deck(1)) == (
        "B5 B3 R3 B4 Y1 Y5 G1 W1 B2 W5 Y2 G3 G1 R5 G4 B1 G1 Y4 B3 W3 W2 W4 R1 G2 B1 W3 W2 R4 R1 G5 G2 G4 Y2 "
        "R3 Y1 R2 W4 Y3 R1 W1 W1 Y1 Y4 R4 R2 B1 Y3 B4 G3 B2"
    )
    assert written(hle.deck(0)).startswith("G5 B1 B2 B1 G4 Y4 Y2 R1 Y1 G2")
    assert written(hle.deck(42)).startswith("W5 R4 W4 G5 G1 R2 G2 Y3 R4 W2")


def test_a_thousand_decks() -> None:
    array = decks(range(1000), shuffle="hle")
    kinds = (array >> 3) * 5 + (array & 7) - 1
    assert (
        hashlib.sha256(kinds.tobytes()).hexdigest()
        == "950328e822e512d1549d7ae7918a78e63e8f03fa7734dbc617e1f3fe1538aa67"
    )


@given(SEEDS)
def test_the_words_are_those_of_the_mersenne_twister(seed: int) -> None:
    number = hle._state_number(seed)
    slow, quick = SlowMersenneTwister(number), hle._words(number)
    assert [next(slow) for _ in range(1300)] == [next(quick) for _ in range(1300)]


@given(st.lists(SEEDS, max_size=20))
def test_one_seed_and_many_seeds_agree(seeds: list[int]) -> None:
    together = decks(seeds, shuffle="hle")
    assert together.shape == (len(seeds), 50)
    assert together.dtype == np.uint8
    assert rows(together) == [hle.deck(seed) for seed in seeds]


def test_more_seeds_than_are_dealt_together() -> None:
    seeds = list(range(-1500, -2)) + list(range(1500))
    together = decks(seeds, shuffle="hle")
    for place in range(0, len(seeds), 333):
        assert rows(together[place : place + 1]) == [hle.deck(seeds[place])]


WORDS = st.one_of(st.sampled_from([0, 1, 2**32 - 1]), st.integers(0, 2**32 - 1))


@given(st.lists(st.lists(WORDS, min_size=100, max_size=100), min_size=1, max_size=4))
def test_extreme_draws_agree(words: list[list[int]]) -> None:
    # No seed is known to draw exactly 0, or what rounds to 1; both have rules of their own.
    array = np.array(words, dtype=np.uint32).reshape(len(words), 50, 2)
    together = hle._dealt_together(hle._uniform_reals(array).T).T
    assert together.tolist() == [hle._dealt(50, iter(row)) for row in words]


@given(SEEDS, st.lists(st.integers(0, 50), max_size=4), st.one_of(st.none(), st.integers(2, 5)))
def test_a_later_game_continues_the_stream(seed: int, drawn: list[int], players: int | None) -> None:
    twister = SlowMersenneTwister(seed % 2**32)
    for cards in drawn:
        if players is not None:
            hle._uniform(players, twister)
        hle._dealt(cards, twister)
    seat = 0 if players is None else hle._uniform(players, twister)
    expected = [Card(kind // 5, kind % 5 + 1) for kind in hle._dealt(50, twister)]
    assert hle.deal(seed, game=len(drawn), drawn=drawn, random_start_player=players) == (expected, seat)


def test_earlier_games_go_through_the_deck_unless_told() -> None:
    for seed in range(30):
        assert hle.deal(seed, game=2).deck == hle.deal(seed, game=2, drawn=[50, 50]).deck
    assert hle.deal(7, game=1, drawn=[0]).deck == hle.deck(7)
    assert hle.deal(7, game=1, drawn=[16]).deck != hle.deal(7, game=1, drawn=[17]).deck


def test_a_choice_of_one_kind_draws_nothing() -> None:
    for seed in range(40):
        cards = hle.deck(seed)
        alike = next(n for n in range(1, 4) if cards[-n - 1] != cards[-1])
        twister = SlowMersenneTwister(seed)
        hle._dealt(50, twister)
        assert twister.words == 2 * (50 - alike)


def test_the_first_seat_moves_the_deck() -> None:
    seats = [hle.deal(seed, random_start_player=3).start_seat for seed in range(300)]
    assert sorted(set(seats)) == [0, 1, 2]
    assert hle.deal(3).start_seat == 0
    assert hle.deal(3, random_start_player=2).deck != hle.deal(3).deck


def test_a_first_seat_is_drawn_again() -> None:
    # 2^32 mod 3 = 1 and 2^32 mod 5 = 1: a word whose product ends in 0 is refused, which only 0 does.
    assert hle._uniform(3, iter([0, 2**31])) == 1
    assert hle._uniform(5, iter([0, 0, 2**32 - 1])) == 4
    assert hle._uniform(4, iter([0])) == 0


def test_seeds_of_a_cpp_int() -> None:
    assert deck("-5", shuffle="hle") == deck(-5, shuffle="hle")
    assert deck(np.int64(-5), shuffle="hle") == deck(-5, shuffle="hle")
    assert deck(-(2**31), shuffle="hle") != deck(2**31 - 1, shuffle="hle")


@pytest.mark.parametrize(
    "seed",
    [
        -1,
        "-1",
        2**31,
        -(2**31) - 1,
        pytest.param(10**5000, id="huge"),
        "p2v0s1",
        "",
        " 1",
        "1_0",
        "٣",
        1.0,
        None,
    ],
)
def test_bad_seeds(seed: object) -> None:
    for call in (lambda: deck(seed, shuffle="hle"), lambda: decks([seed], shuffle="hle")):
        with pytest.raises(HanalyzeError) as caught:
            call()
        assert caught.value.rule == "bad_seed"


@pytest.mark.parametrize(
    "options",
    [
        {"game": -1},
        {"game": 1, "drawn": []},
        {"game": 1, "drawn": [51]},
        {"game": 1, "drawn": [-1]},
        {"drawn": [50]},
        {"random_start_player": 1},
        {"random_start_player": 6},
    ],
)
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(HanalyzeError) as caught:
        hle.deal(1, **options)
    assert caught.value.rule == "bad_option"

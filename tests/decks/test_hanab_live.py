"""Decks of hanab.live: known decks, a slow Go generator, refused values, one seed against many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hanalyze.decks import deck, decks, hanab_live
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card, card_of
from hanalyze.game.variants import variant
from tests.shared import golden

# Any text that can be written in UTF-8. A "legacy-" prefix comes by the second branch.
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
SEEDS = st.one_of(
    ANY_TEXT.filter(lambda text: not text.startswith("legacy-")),
    st.builds("legacy-{}-{}".format, st.sampled_from("abz"), ANY_TEXT),
    st.builds("p{}v{}s{}".format, st.integers(2, 6), st.integers(0, 2425), st.integers(1, 10**7)),
)

# Seeds where Intn refuses a value of a deck of 60, found by trying 24 million, with the place in the deck.
REFUSED = {
    "p4v0s3348633": 21,
    "p4v0s4982224": 44,
    "p4v0s6618560": 48,
    "p4v0s7537590": 38,
    "p4v0s9932553": 58,
    "p4v0s13209476": 25,
    "p4v0s15909847": 33,
    "p4v0s18183157": 25,
    "p4v0s19978997": 50,
}


class SlowGo:
    """Go's math/rand word by word, and the CRC bit by bit: the twin that the quick forms have to equal."""

    def __init__(self, start: int) -> None:
        """Seed with a signed 64-bit number, as rand.Seed does."""
        start %= 2**31 - 1
        self.lcg = start if start != 0 else 89482311
        for _ in range(20):
            self.advance()
        self.table = []
        for constant in hanab_live._constants():
            high, middle, low = self.advance(), self.advance(), self.advance()
            self.table.append(((high << 40) ^ (middle << 20) ^ low ^ int(constant)) % 2**64)
        self.tap, self.feed = 0, 334
        self.calls = 0

    @classmethod
    def of_text(cls, text: bytes) -> SlowGo:
        crc = slow_crc64(text)
        return cls(crc if crc < 2**63 else crc - 2**64)

    def advance(self) -> int:
        # Schrage's form, which Go uses, instead of a product modulo 2^31-1.
        high, low = divmod(self.lcg, 44488)
        self.lcg = 48271 * low - 3399 * high
        if self.lcg < 0:
            self.lcg += 2**31 - 1
        return self.lcg

    def int63(self) -> int:
        self.calls += 1
        self.tap = self.tap - 1 if self.tap else 606
        self.feed = self.feed - 1 if self.feed else 606
        self.table[self.feed] = (self.table[self.feed] + self.table[self.tap]) % 2**64
        return self.table[self.feed] % 2**63

    def intn(self, n: int) -> int:
        if n & (n - 1) == 0:
            return (self.int63() >> 32) & (n - 1)
        largest = (1 << 31) - 1 - (1 << 31) % n
        value = self.int63() >> 32
        while value > largest:
            value = self.int63() >> 32
        return value % n

    def shuffled(self, cards: tuple[Card, ...]) -> list[Card]:
        pile = list(cards)
        for i in range(len(pile)):
            j = self.intn(i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        return pile


def slow_crc64(text: bytes) -> int:
    crc = 2**64 - 1
    for byte in text:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xC96C5795D7870F42 if crc & 1 else crc >> 1
    return crc ^ (2**64 - 1)


def lagged_fibonacci(terms: list[int]) -> Iterator[int]:
    """Yield x[0], x[1], ... of x[n] = x[n-607] + x[n-273] mod 2^64 from its first 607 terms."""
    window = list(terms)
    while True:
        yield window[0]
        window.append((window[0] + window[607 - 273]) % 2**64)
        del window[0]


def rows(array: np.ndarray) -> list[list[Card]]:
    return [[card_of(int(number)) for number in row] for row in array]


def test_decks_of_the_site() -> None:
    by_variant: dict[str, list[dict[str, Any]]] = {}
    for line in golden("decks"):
        if line["shuffle"] == "hanab-live":
            by_variant.setdefault(line["variant"], []).append(line)
    assert len(by_variant) > 400
    for name, lines in by_variant.items():
        expected = [[Card(*card) for card in line["deck"]] for line in lines]
        seeds = [line["seed"] for line in lines]
        assert [deck(seed, name) for seed in seeds] == expected
        assert rows(decks(seeds, name)) == expected


def test_constants_are_those_of_go() -> None:
    # The first words in Go's rng.go, and what Go programs with these seeds are known to print.
    signed = hanab_live._constants().view(np.int64)
    assert signed[:2].tolist() == [-4181792142133755926, -4576982950128230565]
    assert signed.shape == (607,)
    go = SlowGo(1)
    assert [go.intn(100) for _ in range(10)] == [81, 87, 47, 59, 81, 18, 25, 40, 56, 0]
    go = SlowGo(42)
    assert [go.intn(100) for _ in range(2)] == [5, 87]


@pytest.mark.parametrize("exponent", [0, 1, 511, 606, 607, 608, 1213, 1214, 5000, 12345])
def test_a_jump_is_as_many_steps(exponent: int) -> None:
    terms = hanab_live._lcg_table(7, 10)
    walk = lagged_fibonacci(terms)
    for _ in range(exponent):
        next(walk)
    power = hanab_live._power_of_z(exponent).tolist()
    assert sum(c * x for c, x in zip(power, terms, strict=True)) % 2**64 == next(walk)


@given(st.integers(1, 2**31 - 2))
def test_the_table_is_walked_right(start: int) -> None:
    go = SlowGo(start)
    quick = hanab_live._int31s(start)
    # More than 607, so that the walk comes round.
    assert [next(quick) for _ in range(700)] == [go.int63() >> 32 for _ in range(700)]


@given(st.lists(st.integers(1, 2**31 - 2), min_size=1, max_size=5))
def test_an_output_without_the_table(starts: list[int]) -> None:
    recipe = hanab_live._recipe(273)
    array = np.array(starts, dtype=np.uint64)
    quick = np.array([hanab_live._int31s_at(recipe, output, array) for output in range(273)])
    for column, start in enumerate(starts):
        go = SlowGo(start)
        assert quick[:, column].tolist() == [go.int63() >> 32 for _ in range(273)]


@given(
    st.lists(SEEDS, max_size=25),
    st.sampled_from(["No Variant", "6 Suits", "3 Suits", "Up or Down (5 Suits)"]),
)
def test_one_seed_many_seeds_and_go_agree(seeds: list[str], name: str) -> None:
    cards = variant(name).deck
    together = decks(seeds, name)
    assert together.shape == (len(seeds), len(cards))
    assert together.dtype == np.uint8
    for seed, row in zip(seeds, rows(together), strict=True):
        assert row == deck(seed, name)
        text = seed.encode()
        assert row == SlowGo.of_text(text[9:] if text.startswith(b"legacy-") else text).shuffled(cards)


def test_refused_values_are_drawn_again() -> None:
    wide, plain = variant("6 Suits").deck, variant("No Variant").deck
    for seed, place in REFUSED.items():
        go = SlowGo.of_text(seed.encode())
        assert go.shuffled(wide) == deck(seed, "6 Suits")
        assert go.calls == len(wide) + 1, f"{seed} was to refuse a value at place {place}"
        assert SlowGo.of_text(seed.encode()).shuffled(plain) == deck(seed)
    # Among others that refuse nothing, and more than are shuffled together at a time.
    seeds = [f"p2v0s{number}" for number in range(9000)]
    for number, seed in enumerate(REFUSED):
        seeds[number * 997] = seed
    for name in ("6 Suits", "No Variant"):
        together = decks(seeds, name)
        for row in range(0, len(seeds), 997):
            assert rows(together[row : row + 1]) == [deck(seeds[row], name)]


def test_a_hash_of_zero_has_its_own_start() -> None:
    for crc in (0, 2**31 - 1, 2**64 - (2**31 - 1)):
        assert hanab_live._lcg_start(crc) == 89482311
        assert hanab_live._lcg_starts(np.array([crc], dtype=np.uint64)).tolist() == [89482311]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1))
def test_starts_are_gos(crcs: list[int]) -> None:
    together = hanab_live._lcg_starts(np.array(crcs, dtype=np.uint64)).tolist()
    assert together == [hanab_live._lcg_start(crc) for crc in crcs]
    for crc, start in zip(crcs, together, strict=True):
        assert SlowGo(crc if crc < 2**63 else crc - 2**64).table == SlowGo(start).table


@given(st.lists(st.one_of(st.binary(), st.binary(min_size=200, max_size=400)), max_size=60))
def test_crcs_together(texts: list[bytes]) -> None:
    expected = [slow_crc64(text) for text in texts]
    assert [hanab_live.crc64(text) for text in texts] == expected
    assert hanab_live._crc64s(texts).tolist() == expected


def test_a_long_seed_does_not_hold_up_the_others() -> None:
    seeds = ["p2v0s1", "x" * 200_000, "", "p2v0s2"]
    assert rows(decks(seeds)) == [deck(seed) for seed in seeds]


def test_legacy_seeds_deal_like_the_seed_after_the_prefix() -> None:
    assert deck("legacy-a-p2v0s1") == deck("p2v0s1") == deck("legacy-b-p2v0s1")
    assert deck("legacy-legacy-a-p2v0s1") == deck("gacy-a-p2v0s1")
    assert deck("Legacy-a-p2v0s1") != deck("p2v0s1")


@pytest.mark.parametrize("seed", [42, None, b"p2v0s1", "legacy-", "legacy-a", "\ud800", 1.5, "x" * 10**7])
def test_bad_seeds(seed: object) -> None:
    for call in (lambda: deck(seed), lambda: decks([seed])):
        with pytest.raises(HanalyzeError) as caught:
            call()
        assert caught.value.rule == "bad_seed"
        assert str(caught.value).isprintable()

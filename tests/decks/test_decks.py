"""The two functions that lead to every shuffle: names, variants, errors."""

from __future__ import annotations

import numpy as np
import pytest

from hanalyze.decks import SHUFFLES, deck, decks
from hanalyze.decks.hle import PLAIN_DECK
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.variants import variant
from tests.shared import golden


def test_a_variant_by_name_by_id_or_itself() -> None:
    chosen = variant("6 Suits")
    assert chosen.id is not None
    expected = deck("p2v1s1", chosen)
    assert len(expected) == 60
    assert deck("p2v1s1", "6 Suits") == deck("p2v1s1", chosen.id) == expected
    assert np.array_equal(decks(["p2v1s1"], chosen), decks(["p2v1s1"], "6 Suits"))


def test_the_variant_that_a_seed_names() -> None:
    """The golden decks of hanab.live, whose seeds name the variants that they were dealt from."""
    lines = [line for line in golden("decks") if line["shuffle"] == "hanab-live"]
    assert len({line["variant"] for line in lines}) > 5
    for line in lines:
        assert deck(line["seed"]) == [tuple(card) for card in line["deck"]], line["seed"]
    assert deck("p2vR+Ys1") == deck("p2vR+Ys1", "R+Y")
    assert deck("legacy-a-p2v1s1") == deck("p2v1s1") == deck("p2v1s1", 1)
    assert np.array_equal(decks(["p2v1s1", "p3v1s2"]), decks(["p2v1s1", "p3v1s2"], 1))
    with pytest.raises(HanalyzeError, match="the seeds name 2 variants") as caught:
        decks(["p2v1s1", "p2v0s1"])
    assert caught.value.rule == "seed_variants"
    with pytest.raises(UnknownName, match='no variant "9999"'):
        deck("p2v9999s1")


def test_the_plain_deck_is_that_of_no_variant() -> None:
    assert variant("No Variant").deck == PLAIN_DECK


@pytest.mark.parametrize("shuffle", SHUFFLES)
def test_no_seeds_no_decks(shuffle: str) -> None:
    assert decks([], shuffle=shuffle).shape == (0, 50)


def test_seeds_of_any_iterable() -> None:
    expected = decks(["p2v0s1", "p2v0s2"])
    assert np.array_equal(decks(np.array(["p2v0s1", "p2v0s2"])), expected)
    assert np.array_equal(decks(f"p2v0s{number}" for number in (1, 2)), expected)
    assert np.array_equal(decks(np.arange(3), shuffle="hle"), decks(["0", "1", "2"], shuffle="hle"))


def test_an_unknown_shuffle_names_those_that_are() -> None:
    for call in (lambda: deck("1", shuffle="riffle"), lambda: decks(["1"], shuffle="riffle")):
        with pytest.raises(UnknownName, match=r'no shuffle "riffle"; one of: hanab-live, hle, hanabi-data'):
            call()


@pytest.mark.parametrize("shuffle", ["hle", "hanabi-data"])
def test_a_variant_that_a_shuffle_does_not_deal(shuffle: str) -> None:
    for call in (lambda: deck(1, "6 Suits", shuffle), lambda: decks([1], "6 Suits", shuffle)):
        with pytest.raises(HanalyzeError, match="6 Suits") as caught:
            call()
        assert caught.value.rule == "shuffle_variant"


@pytest.mark.parametrize("shuffle", SHUFFLES)
def test_one_text_is_not_many_seeds(shuffle: str) -> None:
    with pytest.raises(HanalyzeError) as caught:
        decks("123", shuffle=shuffle)
    assert caught.value.rule == "bad_seed"

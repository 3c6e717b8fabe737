"""Decks of HanabiData against its own logs; one seed against many."""

from __future__ import annotations

import ast
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hanalyze.decks import deck, decks, hanabi_data
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card, card_of
from hanalyze.game.variants import variant
from tests.shared import shared


def test_the_lists_in_the_logs() -> None:
    logs = sorted(shared("logs/hanabi-data").glob("*.log"))
    assert len(logs) == 170
    seeds, lists = [], []
    for log in logs:
        text = log.read_text()
        treatment = re.search(r"^Treatment: \('\w+', (-?\d+)\)$", text, re.MULTILINE)
        cards = re.search(r"^\[\(.*\)\]$", text, re.MULTILINE)
        assert treatment, log.name
        assert cards, log.name
        seeds.append(treatment[1])
        lists.append([Card(*card) for card in ast.literal_eval(cards[0])])
    assert [deck(seed, shuffle="hanabi-data")[10:] for seed in seeds] == lists
    together = decks(seeds, shuffle="hanabi-data")
    assert [[card_of(int(number)) for number in row[10:]] for row in together] == lists


@given(st.lists(st.integers(), max_size=10))
def test_one_seed_and_many_seeds_agree(seeds: list[int]) -> None:
    together = decks(seeds, shuffle="hanabi-data")
    assert together.shape == (len(seeds), 50)
    assert together.dtype == np.uint8
    for seed, row in zip(seeds, together, strict=True):
        cards = [card_of(int(number)) for number in row]
        assert cards == hanabi_data.deck(seed) == hanabi_data.deck(str(-seed))
        assert sorted(cards) == sorted(variant("No Variant").deck)


@pytest.mark.parametrize("seed", ["p2v0s1", "", "1.5", "9" * 5000, 1.5, None])
def test_bad_seeds(seed: object) -> None:
    for call in (lambda: deck(seed, shuffle="hanabi-data"), lambda: decks([seed], shuffle="hanabi-data")):
        with pytest.raises(HanalyzeError) as caught:
            call()
        assert caught.value.rule == "bad_seed"

"""Decks of HanabiData (Eger and others, 2017), from the number in a log's `Treatment` line.

The program ran on Python 2.7: `random.seed(n)`, then `random.shuffle` of the ordered deck. Python 3 has the
same generator but a different shuffle, so this module implements the shuffle of Python 2. A log lists only
the last 40 cards of the deck: the first five were dealt to the agent, the next five to the human player.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hanalyze.decks.hle import PLAIN_DECK, whole_number
from hanalyze.game.cards import Card, identity

_T = TypeVar("_T")


def deck(seed: str | int) -> list[Card]:
    """Return the deck of a seed, top card first.

    Any whole number is a seed; Python ignores its sign, so 5 and -5 deal the same deck. Raises HanalyzeError
    (`bad_seed`) if the seed is not a whole number.

    >>> deck(5895)[10:13]
    [Card(suit=0, rank=1), Card(suit=4, rank=3), Card(suit=2, rank=3)]
    """
    return _shuffled(list(PLAIN_DECK), seed)


def decks(seeds: Iterable[str] | Iterable[int]) -> NDArray[np.uint8]:
    """Return the decks of seeds, (seeds, 50) uint8 identities, top card first; raise the errors of `deck`.

    >>> decks([5895])[0, 10:13]
    array([ 1, 35, 19], dtype=uint8)
    """
    ordered = [identity(*card) for card in PLAIN_DECK]
    rows = [_shuffled(ordered.copy(), seed) for seed in seeds]
    return np.array(rows, dtype=np.uint8).reshape(-1, len(ordered))


def _shuffled(cards: list[_T], seed: str | int) -> list[_T]:
    """Shuffle a list in place as Python 2.7 did, and return it."""
    draw = random.Random(whole_number(seed)).random
    for place in range(len(cards) - 1, 0, -1):
        other = int(draw() * (place + 1))
        cards[place], cards[other] = cards[other], cards[place]
    return cards

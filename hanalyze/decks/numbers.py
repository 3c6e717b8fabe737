"""Numeric seeds, and the unshuffled deck of five plain suits."""

from __future__ import annotations

import operator
import re
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card
from hanalyze.text import shorten

COPIES: Final = (3, 2, 2, 2, 1)
"""Copies of each rank from 1 to 5 in a plain suit."""

PLAIN_DECK: Final = tuple(
    Card(suit, rank)
    for suit in range(5)
    for rank, copies in enumerate(COPIES, start=1)
    for _ in range(copies)
)
"""The deck of five plain suits, ordered by suit, then rank."""

# The limit on digits is far above any seed in a log, and below the limit of int().
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,4000}")


def whole_number(seed: str | int) -> int:
    """Return a seed as a number.

    Accepts integers, including NumPy's, and text of ASCII digits with an optional minus sign. Raises
    HanalyzeError (`bad_seed`) for anything else.

    >>> whole_number("-5")
    -5
    """
    if isinstance(seed, str):
        if _WHOLE_NUMBER.fullmatch(seed):
            return int(seed)
        shown = f'"{shorten(seed)}"'
    else:
        try:
            return operator.index(seed)
        except TypeError:
            shown = shorten(repr(seed))
    advice = 'seeds such as "p2v0s1" belong to the shuffle "hanab-live"'
    what = f"a seed of this shuffle is a whole number, not {shown}"
    raise HanalyzeError(what, rule="bad_seed", advice=advice)

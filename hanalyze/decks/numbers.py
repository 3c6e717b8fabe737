"""Numeric seeds, and the deck of five plain suits before a shuffle."""

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
"""Five plain suits in order: by suit, then by rank, then the copies."""

# Far more digits than any log has, and few enough for int().
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,4000}")


def whole_number(seed: str | int) -> int:
    """Return a seed as a number.

    Takes what is an integer to Python, NumPy's included, and text of ASCII digits with or without a minus
    sign. Raises HanalyzeError (`bad_seed`) for anything else.

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

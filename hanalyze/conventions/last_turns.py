"""Room to count out the last turns: the record that `hanalyze.conventions.ending` fills.

In: nothing. Out: the record `Ending`.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.kernels.record import Record, Row

LEVELS: Final = 24
"""Turns that are looked ahead at most."""


class Ending(Record):
    """The states that a search for the most points has come through, by turn. Written by `ending`."""

    playable: Annotated[Row, LEVELS]
    """Mask of the identities that fit a stack."""
    played: Annotated[Row, LEVELS]
    """Mask of the cards that were played on the way."""
    turns: Annotated[Row, LEVELS]
    """-n while n cards are left in the deck, then the turns that are left."""
    tokens: Annotated[Row, LEVELS]
    points: Annotated[Row, LEVELS]
    """Points made on the way."""
    tried: Annotated[Row, LEVELS]
    """How many moves were tried."""

"""The game of Hanabi as data and pure functions: cards, variants, rules, actions; labelled enumerations."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class Labelled(IntEnum):
    """A number with a label.

    >>> class Colour(Labelled):
    ...     DARK_RED = 3
    >>> Colour(3).label
    'dark_red'
    """

    @property
    def label(self) -> str:
        """Word for the member in columns, in messages and on the command line."""
        return self.name.lower()


class Defined(Labelled):
    """A number with a label and a definition; a member is declared by its number and further fields."""

    definition: str
    """Definition of the member in one line."""

    def __new__(cls, number: int, *_: object) -> Self:
        """Return the member with the given number."""
        member = int.__new__(cls, number)
        member._value_ = number
        return member


class Worded(Defined):
    """A member is declared by its number, its name in sentences, and its definition."""

    words: str
    """Name of the member in sentences."""

    def __init__(self, number: int, words: str = "", definition: str = "") -> None:
        self.words = words
        self.definition = definition

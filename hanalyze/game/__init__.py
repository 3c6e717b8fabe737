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
    example: str
    """Example of the member in one sentence, empty if there is none."""
    page: str
    """Page of the member on the H-Group's site, relative to its address; empty if there is none."""

    def __new__(cls, number: int, *_: object) -> Self:
        """Return the member with the given number."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.example = member.page = ""
        return member


class Worded(Defined):
    """A defined number with a name in sentences; declared by number, name, definition, example and page."""

    words: str
    """Name of the member in sentences."""

    def __init__(
        self, number: int, words: str = "", definition: str = "", example: str = "", page: str = ""
    ) -> None:
        self.words = words
        self.definition = definition
        self.example = example
        self.page = page

"""Enumerations whose members have labels and definitions."""

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
        """The word for it in columns, messages and on the command line."""
        return self.name.lower()


class Defined(Labelled):
    """A number with a label and a definition; further values of a member follow its number."""

    definition: str
    """What it is, or when it holds, in one line."""

    def __new__(cls, number: int, *_: object) -> Self:
        """Return the member of a number."""
        member = int.__new__(cls, number)
        member._value_ = number
        return member

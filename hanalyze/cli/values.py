"""What is given to an option, as its function expects it: a number, or one of a few words.

In: text from the command line. Out: the value, or a line that says what is wrong with it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from hanalyze.text import nearest, shorten

W = TypeVar("W", bound=StrEnum)


def number(text: str, least: int | None, most: int | None) -> int:
    """Return a whole number within its bounds, which belong to it. Raises `ValueError`.

    >>> number("30", 1, None)
    30
    >>> number("99", 1, 25)
    Traceback (most recent call last):
    ValueError: 99 is more than 25
    """
    try:
        value = int(text)
    except ValueError:  # also of more digits than Python reads
        raise ValueError(f'"{shorten(text)}" is not a whole number') from None
    if least is not None and value < least:
        raise ValueError(f"{shorten(text)} is less than {least}")
    if most is not None and value > most:
        raise ValueError(f"{shorten(text)} is more than {most}")
    return value


def word(text: str, words: type[W]) -> W:
    """Return one of a few words. Raises `ValueError` with the one that was meant, or with all.

    >>> from enum import StrEnum
    >>> Kind = StrEnum("Kind", ["PLAY", "CLUE"])
    >>> word("clues", Kind)
    Traceback (most recent call last):
    ValueError: there is no "clues"; did you mean "clue"?
    """
    try:
        return words(text)
    except ValueError:
        near = nearest(text, list(words), most=1)
        way_out = f'did you mean "{near[0]}"?' if near else "one of: " + ", ".join(words)
        raise ValueError(f'there is no "{shorten(text)}"; {way_out}') from None

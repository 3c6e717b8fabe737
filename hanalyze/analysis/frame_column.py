"""A column of a frame, and constructors: counts, values, estimates with their intervals, texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hanalyze.tables import Column

SHARE: Final = "share"
"""The unit of what people read in per cent."""
COUNT: Final = "int64"
NUMBER: Final = "float64"


@dataclass(frozen=True, slots=True)
class FrameColumn(Column):
    """A column of a frame of numbers."""

    head: str = ""
    """The heading that people read, where it is not the name."""
    ends: str = ""
    """The name of the column with the lower end of its interval."""
    is_end: bool = False

    @property
    def heading(self) -> str:
        """The heading that people read."""
        return self.head or self.name.replace("_", " ")


def count(name: str, meaning: str, unit: str = "") -> FrameColumn:
    """Return a column of whole numbers from 0 on."""
    return FrameColumn(name, COUNT, unit, "0..", meaning)


def value(name: str, unit: str, meaning: str, head: str = "") -> FrameColumn:
    """Return a column of numbers without an interval."""
    limits = "0..1" if unit in (SHARE, "probability") else ""
    return FrameColumn(name, NUMBER, unit, limits, meaning, head=head)


def estimate(
    name: str, unit: str, meaning: str, head: str = "", ends: str | None = None
) -> tuple[FrameColumn, ...]:
    """Return a column and the ends of its interval: `NAME_low` and `NAME_high`, or begun with `ends`."""
    begin = f"{name}_" if ends is None else ends
    limits = "0..1" if unit == SHARE else ""
    return (
        FrameColumn(name, NUMBER, unit, limits, meaning, head=head, ends=f"{begin}low"),
        FrameColumn(f"{begin}low", NUMBER, unit, limits, "lower bound of the interval", is_end=True),
        FrameColumn(f"{begin}high", NUMBER, unit, limits, "upper bound of the interval", is_end=True),
    )


def text(name: str, meaning: str, words: Sequence[str] = ()) -> FrameColumn:
    """Return a column of texts; `words` are the allowed ones, where these are few."""
    return FrameColumn(name, "str", "", "", meaning, tuple(words))

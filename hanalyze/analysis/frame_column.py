"""A column of a frame, and constructors for counts, values, estimates with intervals, and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hanalyze.tables import Column

SHARE: Final = "share"
"""The unit of values that are shown in per cent."""
COUNT: Final = "int64"
NUMBER: Final = "float64"


@dataclass(frozen=True, slots=True)
class FrameColumn(Column):
    """A column of a frame of `hanalyze.analysis`."""

    head: str = ""
    """Display heading; if empty, the name with spaces instead of underscores."""
    ends: str = ""
    """Name of the column with the lower end of the interval; empty without an interval."""
    is_end: bool = False

    @property
    def heading(self) -> str:
        """The heading of the column in tables: `head`, or the name with spaces."""
        return self.head or self.name.replace("_", " ")


def count(name: str, meaning: str, unit: str = "") -> FrameColumn:
    """Return a column of non-negative integers."""
    return FrameColumn(name, COUNT, unit, "0..", meaning)


def value(name: str, unit: str, meaning: str, head: str = "") -> FrameColumn:
    """Return a column of numbers without an interval."""
    limits = "0..1" if unit in (SHARE, "probability") else ""
    return FrameColumn(name, NUMBER, unit, limits, meaning, head=head)


def estimate(
    name: str, unit: str, meaning: str, head: str = "", ends: str | None = None
) -> tuple[FrameColumn, ...]:
    """Return a column and the ends of its interval, `NAME_low` and `NAME_high`; `ends` replaces `NAME_`."""
    begin = f"{name}_" if ends is None else ends
    limits = "0..1" if unit == SHARE else ""
    return (
        FrameColumn(name, NUMBER, unit, limits, meaning, head=head, ends=f"{begin}low"),
        FrameColumn(f"{begin}low", NUMBER, unit, limits, "lower bound of the interval", is_end=True),
        FrameColumn(f"{begin}high", NUMBER, unit, limits, "upper bound of the interval", is_end=True),
    )


def text(name: str, meaning: str, words: Sequence[str] = ()) -> FrameColumn:
    """Return a column of texts; `words`, if given, are the only allowed values."""
    return FrameColumn(name, "str", "", "", meaning, tuple(words))

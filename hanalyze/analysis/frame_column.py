"""What a column of a frame of numbers is, and the kinds of columns that there are.

In: names, units and meanings. Out: `FrameColumn`s: counts, values, estimates with the ends of their
intervals, texts. `hanalyze.analysis.columns` lists those of every frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hanalyze.game.rules import EndCondition
from hanalyze.tables import Column

SHARE: Final = "share"
"""The unit of what people read in per cent."""


@dataclass(frozen=True, slots=True)
class FrameColumn(Column):
    """A column of a frame of numbers."""

    head: str = ""
    """The heading that people read, where it is not the name."""
    ends: str = ""
    """What begins the names of the columns with the ends of its interval, `low` and `high`."""
    is_end: bool = False

    @property
    def heading(self) -> str:
        """The heading that people read."""
        return self.head or self.name.replace("_", " ")


COUNT: Final = "int64"
NUMBER: Final = "float64"


def count(name: str, meaning: str, unit: str = "") -> FrameColumn:
    """Return a column of whole numbers from 0 on."""
    return FrameColumn(name, COUNT, unit, "0..", meaning)


def value(name: str, unit: str, meaning: str, head: str = "") -> FrameColumn:
    """Return a column of numbers without an interval."""
    return FrameColumn(
        name, NUMBER, unit, "0..1" if unit in (SHARE, "probability") else "", meaning, head=head
    )


def estimate(
    name: str, unit: str, meaning: str, head: str = "", ends: str | None = None
) -> tuple[FrameColumn, ...]:
    """Return a column and the ends of its interval: `NAME_low` and `NAME_high`, or begun with `ends`."""
    begin = f"{name}_" if ends is None else ends
    values = "0..1" if unit == SHARE else ""
    return (
        FrameColumn(name, NUMBER, unit, values, meaning, head=head, ends=f"{begin}low"),
        *(
            FrameColumn(f"{begin}{end}", NUMBER, unit, values, f"{which} bound of the interval", is_end=True)
            for end, which in (("low", "lower"), ("high", "upper"))
        ),
    )


def ended(end: str, meaning: str) -> tuple[FrameColumn, ...]:
    """Return the column of an end condition; that of games lost by strikes has an interval."""
    name = f"ended_{end}"
    if end == EndCondition.STRIKEOUT.label:
        return estimate(name, SHARE, meaning, ends="strikeout_")
    return (value(name, SHARE, meaning),)


def text(name: str, meaning: str, words: Sequence[str] = ()) -> FrameColumn:
    """Return a column of texts; `words` are those that there can be, if these are few."""
    return FrameColumn(name, "str", "", "", meaning, tuple(words))

"""Definition of a published column: name, type, unit, range and meaning."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

POLARS_TYPES: Final = {
    "bool": "Boolean",
    "int8": "Int8",
    "uint8": "UInt8",
    "int16": "Int16",
    "int32": "Int32",
    "int64": "Int64",
    "float32": "Float32",
    "float64": "Float64",
    "str": "String",
}
"""For each type of a column except `datetime`: the name of its Polars type."""


@dataclass(frozen=True, slots=True)
class Column:
    """One published column; `unit` and `range` are texts, "" if there is none.

    `type` is a NumPy type name, `str` or `datetime`. `words` is a closed set of values, which the engine
    numbers 0, 1, ... `null` is the number with which the engine marks values that do not apply; they are
    published as null. It is -1 for truth values; floats use NaN. `width` is the number of values per row.
    """

    name: str
    type: str
    unit: str
    range: str
    meaning: str
    words: tuple[str, ...] = ()
    null: int | None = None
    width: int = 1


def before_and_after(*columns: Column) -> tuple[Column, ...]:
    """Return two columns for each column: its value before and after the row's action."""
    return tuple(
        replace(column, name=f"{column.name}_{when}", meaning=f"{when} the action: {column.meaning}")
        for column in columns
        for when in ("before", "after")
    )

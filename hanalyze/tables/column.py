"""What a published column is: its name, type, unit, range and meaning."""

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
"""By a column's type, the name of the type that it has in frames."""


@dataclass(frozen=True, slots=True)
class Column:
    """One published column.

    `type` is a NumPy type name; `words` a closed set for which numbers 0, 1, ... stand in the engine; `null`
    the number that stands in the engine for "does not apply", published as null (of a float, NaN does;
    of a truth value, -1);
    `width` above 1 for a fixed number of values per row.
    """

    name: str
    type: str
    unit: str
    range: str
    meaning: str
    words: tuple[str, ...] = ()
    null: int | None = None
    width: int = 1


def column_names(columns: tuple[Column, ...]) -> tuple[str, ...]:
    """Return the names of `columns` in order."""
    return tuple(column.name for column in columns)


def before_and_after(*columns: Column) -> tuple[Column, ...]:
    """Return each column twice: as it was before the row's action, and after it."""
    return tuple(
        replace(column, name=f"{column.name}_{when}", meaning=f"{when} the action: {column.meaning}")
        for column in columns
        for when in ("before", "after")
    )

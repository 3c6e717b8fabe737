"""Conversion of the engine's arrays to Polars frames and JSON rows; codes become words or nulls."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hanalyze.lazy import polars as pl
from hanalyze.tables import Column


def to_frame(columns: Sequence[Column], arrays: Iterable[Any]) -> pl.DataFrame:
    """Return a frame with a column per array; codes become `words`, and `null` numbers and NaN become null.

    Columns with several values per row keep these numbers and NaN.

    >>> import numpy as np
    >>> column = Column("pace", "int16", "cards", "-30..30", "", null=-128)
    >>> to_frame([column], [np.array([3, -128], np.int16)]).rows()
    [(3,), (None,)]
    """
    series = []
    for column, array in zip(columns, arrays, strict=True):
        if column.words:
            numbers = pl.Series(array, dtype=pl.UInt32)
            if column.null is not None:
                numbers = numbers.set(numbers == column.null, None)
            one = pl.Series(column.name, list(column.words), pl.Enum(list(column.words))).gather(numbers)
        elif column.width > 1:
            one = pl.Series(column.name, array, dtype=pl.Array(pl.Series(array[:0, 0]).dtype, column.width))
        else:
            one = pl.Series(column.name, array)
            if column.null is not None:
                is_value = one != column.null
                one = (one == 1) if column.type == "bool" else one
                one = one.set(~is_value, None)
            elif column.type.startswith("float"):
                one = one.fill_nan(None)
        series.append(one)
    return pl.DataFrame(series)


def _plain(value: float) -> float | None:
    if math.isnan(value):
        return None
    return int(value) if value == int(value) else value


def to_rows(columns: Sequence[Column], arrays: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield each row as a dictionary of plain Python values, without Polars.

    `null` numbers and NaN become None; floats without a fraction become integers, as JSON does not
    distinguish them.

    >>> import numpy as np
    >>> column = Column("result", "uint8", "", "", "", words=("played", "clued"))
    >>> list(to_rows([column], [np.array([1, 0], np.uint8)]))
    [{'result': 'clued'}, {'result': 'played'}]
    """
    names = [column.name for column in columns]
    lists = []
    for column, array in zip(columns, arrays, strict=True):
        values = array.tolist()
        if column.words:
            values = [None if value == column.null else column.words[value] for value in values]
        elif column.null is not None:
            kind: type = bool if column.type == "bool" else int
            values = [None if value == column.null else kind(value) for value in values]
        elif column.type.startswith("float"):
            values = [_plain(value) for value in values]
        lists.append(values)
    for row in zip(*lists, strict=True):
        yield dict(zip(names, row, strict=True))

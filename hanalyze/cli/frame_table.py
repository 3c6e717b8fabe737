"""A frame as text: aligned columns, numbers to the right, rates with their intervals.

In: a Polars frame. Out: lines that are safe on a terminal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from hanalyze.cli.screen import cells
from hanalyze.lazy import polars as pl
from hanalyze.text import printable, shorten

INTERVALS: Final = (
    "[in brackets]: 95% interval, from the variation between whole games (shares: Wilson; means: score"
    " intervals, none of fewer than 20 games)"
)
"""What is said of intervals below a table."""


def frame_table(frame: pl.DataFrame, rows: int) -> str:
    """Return a frame as aligned columns, numbers to the right; strangers' text made safe."""

    def shown(value: Any) -> str | None:
        return f"{value:.6g}" if isinstance(value, float) else None if value is None else str(value)

    body = [[shown(value) for value in row] for row in frame.head(rows).iter_rows()]
    lines = table_lines(frame.columns, body, [kind.is_numeric() for kind in frame.dtypes])
    if frame.height > rows:
        lines.append(f"... {frame.height - rows:,} more rows; --rows 0 shows all")
    return "\n".join([*lines, ""])


def table_lines(
    names: Sequence[str],
    body: Iterable[Sequence[str | None]],
    right: Sequence[bool],
    whole: Collection[str] = (),
) -> list[str]:
    """Return rows of cells as aligned columns, those that are `right` to the right, below their names.

    Long cells are cut, but for those of columns named in `whole`.

    >>> table_lines(["n", "name"], [["1", "Alice"], ["12", None]], [True, False])
    [' n  name', ' 1  Alice', '12']
    """
    if not names:
        return []
    rows = [[shorten(name) for name in names]]
    rows += [
        [
            "" if cell is None else printable(cell) if name in whole else shorten(cell)
            for name, cell in zip(names, row, strict=True)
        ]
        for row in body
    ]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]

    def line(row: list[str]) -> str:
        parts = []
        for text, width, numeric in zip(row, widths, right, strict=True):
            space = " " * (width - cells(text))
            parts.append(space + text if numeric else text + space)
        return "  ".join(parts).rstrip()

    return list(map(line, rows))


def readable(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return a frame of `hanalyze.analysis` for people; `name` is its name in `hanalyze.analysis.FRAMES`.

    Each rate and its interval are in one column, shares in per cent; turns count from 1. Ways to end that no
    game took are left out.
    """
    from hanalyze.analysis.columns import FRAMES, GROUPS
    from hanalyze.analysis.frame_column import SHARE

    declared = GROUPS | {column.name: column for column in FRAMES[name]}
    columns = []
    for counted in frame.get_columns():
        series = _from_one(counted) if counted.name == "turn" else counted
        column = declared[series.name]
        share = column.unit == SHARE
        unused = series.name.startswith("ended_") and not series.sum()
        unused |= series.name == "shrunk" and series.null_count() == series.len()
        if column.is_end or unused or series.name == "p_value":
            continue
        if column.ends in frame.columns:
            ends = (frame[column.ends], frame[column.ends.removesuffix("low") + "high"])
            shown = [_interval(*values, share) for values in zip(series, *ends, strict=True)]
        elif series.name == "q_value":
            shown = [small(value) for value in series]
        elif share:
            shown = [_interval(value, None, None, share) for value in series]
        else:
            columns.append((series.round(3) if series.dtype.is_float() else series).alias(column.heading))
            continue
        columns.append(pl.Series(column.heading, shown, pl.String))
    return pl.DataFrame(columns)


def with_ends(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return some columns of a frame with the ends of their intervals, in the order of the frame.

    >>> import polars as pl
    >>> with_ends(pl.DataFrame({"a": [1], "a_low": [0], "b": [2], "c": [3]}), ["c", "a"]).columns
    ['a', 'a_low', 'c']
    """
    return frame.select(
        name for name in frame.columns if name.removesuffix("_low").removesuffix("_high") in names
    )


def _from_one(turns: pl.Series) -> pl.Series:
    """Return turns, or bands of turns, counted from 1, as people do.

    >>> import polars as pl
    >>> _from_one(pl.Series([0, 7])).to_list(), _from_one(pl.Series(["0-9"])).to_list()
    ([1, 8], ['1-10'])
    """
    if turns.dtype.is_integer():
        return turns + 1
    bands = ("-".join(str(int(turn) + 1) for turn in band.split("-")) for band in turns)
    return pl.Series(turns.name, list(bands), pl.String)


def number(value: float | None, share: bool) -> str:
    """Return a number, or a share in per cent with a digit more where it is small.

    >>> number(-0.1234, True), number(0.00123, True), number(1.5, False)
    ('-12.3', '0.12', '1.50')
    """
    if value is None:
        return ""
    return f"{100 * value:.{_digits(value)}f}" if share else f"{value:.2f}"


def small(value: float | None) -> str:
    """Return a probability that may be very small.

    >>> small(0.0004), small(0.04)
    ('<0.001', '0.040')
    """
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _digits(share: float) -> int:
    return 1 if abs(share) >= 0.01 else 2


def _interval(rate: float | None, low: float | None, high: float | None, share: bool) -> str:
    """Return a rate, and its interval if it has one.

    >>> _interval(0.1234, 0.1, 0.15, True), _interval(1.5, None, None, False)
    ('12.3% [10.0-15.0]', '1.50')
    >>> _interval(-0.5, -0.75, -0.25, False)
    '-0.50 [-0.75 to -0.25]'
    """
    if rate is None:
        return ""
    shown = number(rate, share) + "%" * share
    if low is None or high is None:
        return shown
    scale, digits = (100, _digits(rate)) if share else (1, 2)
    to = " to " if low < 0 else "-"
    return f"{shown} [{scale * low:.{digits}f}{to}{scale * high:.{digits}f}]"

"""A frame as text: aligned columns, numbers to the right.

In: a Polars frame. Out: lines that are safe on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hanalyze.cli.screen import cells
from hanalyze.text import shorten

if TYPE_CHECKING:
    import polars as pl

__all__ = ["frame_table", "table_lines"]


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
    names: Sequence[str], body: Iterable[Sequence[str | None]], right: Sequence[bool]
) -> list[str]:
    """Return rows of cells as aligned columns, those that are `right` to the right, below their names.

    >>> table_lines(["n", "name"], [["1", "Alice"], ["12", None]], [True, False])
    [' n  name', ' 1  Alice', '12']
    """
    if not names:
        return []
    rows = [[shorten(name) for name in names]]
    rows += [["" if cell is None else shorten(cell) for cell in row] for row in body]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]

    def line(row: list[str]) -> str:
        parts = []
        for text, width, numeric in zip(row, widths, right, strict=True):
            space = " " * (width - cells(text))
            parts.append(space + text if numeric else text + space)
        return "  ".join(parts).rstrip()

    return list(map(line, rows))

"""A frame as text: aligned columns, numbers to the right.

In: a Polars frame. Out: lines that are safe on a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hanalyze.cli.screen import cells
from hanalyze.text import shorten

if TYPE_CHECKING:
    import polars as pl

__all__ = ["frame_table"]


def frame_table(frame: pl.DataFrame, rows: int) -> str:
    """Return a frame as aligned columns, numbers to the right; strangers' text made safe."""

    def shown(value: Any) -> str:
        if value is None:
            return ""
        return f"{value:.6g}" if isinstance(value, float) else shorten(str(value))

    names = [shorten(name) for name in frame.columns]
    body = [[shown(value) for value in row] for row in frame.head(rows).iter_rows()]
    right = [kind.is_numeric() for kind in frame.dtypes]
    widths = [max(map(cells, column)) for column in zip(names, *body, strict=True)]

    def line(row: list[str]) -> str:
        parts = []
        for text, width, numeric in zip(row, widths, right, strict=True):
            space = " " * (width - cells(text))
            parts.append(space + text if numeric else text + space)
        return "  ".join(parts).rstrip()

    lines = [line(names), *map(line, body)] if names else []
    if frame.height > rows:
        lines.append(f"... {frame.height - rows:,} more rows; --rows 0 shows all")
    return "\n".join([*lines, ""])

"""Convert frames to text: aligned columns for people, CSV for spreadsheets and programs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from hanalyze.cli.screen import cells
from hanalyze.lazy import polars as pl
from hanalyze.store.mistakes import SEVERITY_WORDS
from hanalyze.text import printable, printable_json, shorten


def frame_table(frame: pl.DataFrame, rows: int = 0, whole: Collection[str] = ()) -> str:
    """Return at most `rows` rows (0 for all) as aligned columns, numbers right-aligned, text escaped.

    Long cells are cut, except in columns named in `whole`.
    """

    def text(value: Any) -> str | None:
        return f"{value:.6g}" if isinstance(value, float) else None if value is None else str(value)

    body = [[text(value) for value in row] for row in frame.head(rows or frame.height).iter_rows()]
    lines = table_lines(frame.columns, body, [kind.is_numeric() for kind in frame.dtypes], whole)
    if frame.height > len(body):
        lines.append(f"... {frame.height - len(body):,} more rows; --rows 0 shows all")
    return "\n".join([*lines, ""])


def severities_in_words(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with its severities, if any, replaced by short names such as "could not know"."""
    if "severity" not in frame.columns:
        return frame
    return frame.with_columns(pl.col("severity").cast(pl.String).replace(SEVERITY_WORDS))


def frame_output(frame: pl.DataFrame, as_json: bool) -> str:
    """Return a frame as JSON lines, or as a table with all rows."""
    return printable_json(frame.write_ndjson()) if as_json else frame_table(frame)


def table_lines(
    names: Sequence[str],
    body: Iterable[Sequence[str | None]],
    right: Sequence[bool],
    whole: Collection[str] = (),
) -> list[str]:
    """Return lines of aligned columns: the names, then `body`; `right` tells which columns are right-aligned.

    Long cells are cut, except in columns named in `whole`.

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


def number(value: float | None, share: bool, like: float | None = None) -> str:
    """Return a number with two decimals, or a share in per cent with one (two below 1%); "" for None.

    The end of an interval gets as many decimals as its value, `like`.

    >>> number(-0.1234, True), number(0.00123, True), number(1.5, False), number(-0.001, False)
    ('-12.3', '0.12', '1.50', '0.00')
    >>> number(0.1234, True, like=0.005)
    '12.34'
    """
    if value is None:
        return ""
    places = 1 if abs(value if like is None else like) >= 0.01 else 2
    return f"{100 * value:z.{places}f}" if share else f"{value:z.2f}"


def small(value: float | None) -> str:
    """Return a probability with three decimals, or "<0.001"; "" for None.

    >>> small(0.0004), small(0.04)
    ('<0.001', '0.040')
    """
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


_FORMULA: Final = re.compile(
    r'(?:^|;)(?=[ "]*(?:[=+@\uff1d\uff0b\uff20]'
    r"|[-\uff0d](?!(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?(?:;|$))[^;]))"
)
"""Start of a formula: =, +, @, or a minus before anything other than a number.

In locales with decimal commas, spreadsheets start a new cell after a semicolon, even within quotes.
"""

SUSPECT: Final = r'[^ -~]|(?:^|;)[ "]*[=+@-]'
"""Pattern that matches every text that `safe_cell` changes, and few other texts."""


def safe_cell(text: str) -> str:
    r"""Return the text of a cell as one line without control characters, formulas escaped by an apostrophe.

    >>> safe_cell('=HYPERLINK("http://x")'), safe_cell("-Alice"), safe_cell("-3.5"), safe_cell("a\x1b[2J")
    ('\'=HYPERLINK("http://x")', "'-Alice", '-3.5', 'a\\x1b[2J')
    >>> safe_cell("gg;=1+1")
    "gg;'=1+1"
    """
    return _FORMULA.sub(r"\g<0>'", printable(text))


def safe_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with `safe_cell` applied to every text.

    >>> import polars as pl
    >>> safe_cells(pl.DataFrame({"player": ["Alice", "=1+1"], "points": [-1, -2]})).rows()
    [('Alice', -1), ("'=1+1", -2)]
    """

    def safe(column: pl.Series) -> pl.Series:
        if column.dtype not in (pl.String, pl.Categorical, pl.Enum):
            return column
        texts = column.cast(pl.String)
        suspects = texts.filter(texts.str.contains(SUSPECT)).unique()
        return texts.replace({text: safe_cell(text) for text in suspects})

    return pl.DataFrame([safe(column) for column in frame.get_columns()])


def csv_bytes(frame: pl.DataFrame, *, raw: bool = False) -> bytes:
    r"""Return a frame as CSV in UTF-8 with a header line; `raw` leaves all text unchanged.

    >>> import polars as pl
    >>> csv_bytes(pl.DataFrame({"@player": ["-Bob", "Zoë"], "rate": [-0.5, None]})).decode()
    "'@player,rate\n'-Bob,-0.5\nZoë,\n"
    """
    cells = frame if raw else safe_cells(frame).rename(safe_cell)
    return cells.write_csv().encode("utf-8", "backslashreplace")

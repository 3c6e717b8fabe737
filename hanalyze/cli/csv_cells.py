"""A frame as CSV for people and their spreadsheets: no cell controls a terminal or is run as a formula.

In: a Polars frame whose columns CSV can hold. Out: CSV. Text is made printable, and where a spreadsheet would
take it for a formula an apostrophe before it says that it is text. Numbers, dates and so on stay as they are.
"""

from __future__ import annotations

import re
from typing import Final

from hanalyze.lazy import polars as pl
from hanalyze.text import printable

RAW: Final = (
    "CSV for programs, with text unchanged. Without it, control characters are escaped, and anything"
    " that a spreadsheet would run as a formula, at the start of a cell or after a semicolon, gets an"
    " apostrophe in front."
)
"""What commands say of their option `--raw`."""

_FORMULA: Final = re.compile(
    r'(?:^|;)(?=[ "]*(?:[=+@\uff1d\uff0b\uff20]'
    r"|[-\uff0d](?!(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?(?:;|$))[^;]))"
)
"""Where text begins that a spreadsheet would run, full width too; a minus only before more than a number.

Where a comma stands in numbers, spreadsheets begin a new cell behind a semicolon, whatever is in quotes.
"""

ASKED: Final = r'[^ -~]|(?:^|;)[ "]*[=+@-]'
"""What text has that `safe_cell` might change; nearly all texts need not be looked at one by one."""


def safe_cell(text: str) -> str:
    r"""Return the text of a cell as one line that does nothing, an apostrophe before what would be a formula.

    >>> safe_cell('=HYPERLINK("http://x")'), safe_cell("-Alice"), safe_cell("-3.5"), safe_cell("a\x1b[2J")
    ('\'=HYPERLINK("http://x")', "'-Alice", '-3.5', 'a\\x1b[2J')
    >>> safe_cell("gg;=1+1")
    "gg;'=1+1"
    """
    return _FORMULA.sub(r"\g<0>'", printable(text))


def safe_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with all of its text as `safe_cell` has it.

    >>> import polars as pl
    >>> safe_cells(pl.DataFrame({"player": ["Alice", "=1+1"], "points": [-1, -2]})).rows()
    [('Alice', -1), ("'=1+1", -2)]
    """

    def safe(column: pl.Series) -> pl.Series:
        if column.dtype not in (pl.String, pl.Categorical, pl.Enum):
            return column
        texts = column.cast(pl.String)
        asked = texts.filter(texts.str.contains(ASKED)).unique()
        return texts.replace({text: safe_cell(text) for text in asked})

    return pl.DataFrame([safe(column) for column in frame.get_columns()])


def csv_bytes(frame: pl.DataFrame, *, raw: bool = False, head: bool = True) -> bytes:
    r"""Return a frame as CSV in UTF-8, with a line of names (`head`) first; `raw` leaves all text as it is.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"@player": ["-Bob", "Zoë"], "rate": [-0.5, None]})
    >>> csv_bytes(frame).decode(), csv_bytes(frame, raw=True, head=False).decode()
    ("'@player,rate\n'-Bob,-0.5\nZoë,\n", '-Bob,-0.5\nZoë,\n')
    """
    import csv
    import io

    stream = io.StringIO()
    if head and frame.width:
        names = frame.columns if raw else map(safe_cell, frame.columns)
        csv.writer(stream, lineterminator="\n").writerow(names)
    body = frame if raw else safe_cells(frame)
    return (stream.getvalue() + body.write_csv(include_header=False)).encode("utf-8", "backslashreplace")

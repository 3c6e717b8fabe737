"""A list as a figure: texts in columns, each as wide as its words ask for, and none cut off.

In: heads and rows. Out: `plotly.graph_objects.Figure`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from hanalyze.report.charts import WIDTH, blank, plain
from hanalyze.report.look import PALETTE

__all__ = ["table"]

_FAINT, _RULE = (PALETTE[name][0] for name in ("faint", "rule"))
_LINE: Final = 16
_LETTER: Final = 6.5
"""Pixels of a line of text, and of a letter as it is on average."""


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]], sentence: str) -> Any:
    """Draw a list."""
    lengths = [
        max(len(head[i]), min(max([len(str(row[i])) for row in rows], default=0), 40)) + 3
        for i in range(len(head))
    ]
    letters = (WIDTH - 48) / _LETTER / sum(lengths)
    lines = [
        max(math.ceil(len(str(row[i])) / (lengths[i] * letters - 3)) for i in range(len(head)))
        for row in rows
    ]
    figure = blank(title, sentence, 72 + sum(14 + _LINE * count for count in lines))
    cells = [[plain(row[i]) for row in rows] for i in range(len(head))]
    figure.add_table(
        columnwidth=lengths,
        header={
            "values": list(head),
            "align": "left",
            "fill": {"color": "#FFFFFF"},
            "line": {"color": _RULE},
        },
        cells={
            "values": cells,
            "align": "left",
            "height": 28,
            "fill": {"color": "#FFFFFF"},
            "line": {"color": _FAINT},
        },
    )
    return figure

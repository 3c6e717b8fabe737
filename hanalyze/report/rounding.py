"""Numbers as they are worded: one rounding for Python, for SQL and for the pages' scripts.

In: a number. Out: its text, halves rounded away from zero, as DuckDB's `round` and JavaScript's `toFixed` do.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal


def rounded(value: float, decimals: int = 0) -> str:
    """Return a number with so many decimals. Python's own formatting rounds halves to even.

    >>> rounded(12.5), rounded(1.25, 1), rounded(-0.5), f"{12.5:.0f}"
    ('13', '1.3', '-1', '12')
    """
    if not math.isfinite(value):
        return f"{value}"
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"


def percent(share: float) -> str:
    """Return a share in whole per cent, without the sign.

    >>> percent(0.125)
    '13'
    """
    return rounded(100 * share)

"""The queries in `sql/`; some need values in braces or parameters."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent / "sql"


@cache
def sql_text(name: str) -> str:
    """Return the text of the query `sql/NAME.sql`."""
    return (_FOLDER / f"{name}.sql").read_text("utf-8")

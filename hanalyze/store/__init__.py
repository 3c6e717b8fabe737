"""Database of many games: a DuckDB file or a folder of Parquet files (`hanalyze.tables.store.TABLES`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanalyze.lazy import names_of

if TYPE_CHECKING:
    from hanalyze.store.database import Database as Database, connect as connect, open as open
    from hanalyze.store.ingest import Summary as Summary
    from hanalyze.store.rows import Progress as Progress
    from hanalyze.store.wording import worded as worded

if not TYPE_CHECKING:
    __getattr__ = names_of(
        __name__,
        {
            "database": ("Database", "connect", "open"),
            "ingest": ("Summary",),
            "rows": ("Progress",),
            "wording": ("worded",),
        },
    )

"""The database: many games as tables in DuckDB (`hanalyze.tables.store.TABLES`)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanalyze.store.database import Database as Database, connect as connect, open as open
    from hanalyze.store.ingest import Summary as Summary
    from hanalyze.store.rows import Progress as Progress
    from hanalyze.store.wording import worded as worded

_HOMES = {
    "database": ("Database", "connect", "open"),
    "ingest": ("Summary",),
    "rows": ("Progress",),
    "wording": ("worded",),
}

if not TYPE_CHECKING:
    _HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

    def __getattr__(name: str) -> object:
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"hanalyze.store.{_HOME_OF[name]}"), name)

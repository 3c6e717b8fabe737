"""The names that hanalyze gives to files of a folder."""

from __future__ import annotations

import re
from typing import Final

from hanalyze.store.folder.commit_markers import UNITS
from hanalyze.store.folder.manifest import MANIFESTS, SIDE
from hanalyze.store.folder.storage import TEMPORARY
from hanalyze.store.folder.sums import SUMS
from hanalyze.tables.store import TABLES

_ROWS: Final = rf"(?:(?:{'|'.join(TABLES)})(?:/players=\d+)?|{SUMS}/\w+)"
_NAMES: Final = re.compile(
    rf"{_ROWS}/[0-9a-f]{{32}}(?:-[0-9a-f]{{8}})?-\d+\.parquet"
    rf"|{MANIFESTS}/\d{{8,}}|{UNITS}/[0-9a-f]{{32}}"
    rf"|{SIDE}/(?:dropped|rejects)-[0-9a-f]{{16}}\.parquet"
    rf"|(?:{_ROWS}|{MANIFESTS}|{UNITS}|{SIDE})/\.[0-9a-f]{{16}}{re.escape(TEMPORARY)}"
)


def is_ours(name: str) -> bool:
    """Return whether a file of a folder has a name that hanalyze gives.

    >>> is_ours("games/thesis.md"), is_ours("games/2def347408e5fc0d410fe76d2dc4ca76-11.parquet")
    (False, True)
    """
    return _NAMES.fullmatch(name) is not None

"""The user's cache folder."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder(*first: str) -> Path | None:
    """Return the folder for what hanalyze may keep; None for a user without a home.

    Paths in `first` go before the usual ones, if they are absolute. A relative `XDG_CACHE_HOME` does not
    count: so its specification has it.

    >>> cache_folder("/var/cache").as_posix()
    '/var/cache/hanalyze'
    """
    places = (*first, os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~/.cache"))
    chosen = next(filter(os.path.isabs, places), None)
    return None if chosen is None else Path(chosen) / "hanalyze"

"""From the path or URL of a folder to the `Place` that keeps its files."""

from __future__ import annotations

from hanalyze.store.folder.remote import RemotePlace
from hanalyze.store.folder.storage import LocalPlace, Place, is_remote


def place_of(path: str) -> Place:
    """Return the place that a path or URL names. Raises `HanalyzeError` (rule `no_fsspec`) without the extra.

    >>> place_of("games/").path
    'games/'
    """
    return RemotePlace(path) if is_remote(path) else LocalPlace(path)

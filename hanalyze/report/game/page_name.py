"""The file name of a game's page."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Collection
from typing import Final

from hanalyze.logs.record import GameRecord

_MOST_CHARACTERS: Final = 60


def page_name(record: GameRecord, taken: Collection[str] = ()) -> str:
    """Return the name of a game's page: its id, else its seed, else its file's name, with `.html`.

    It differs from all names `taken`, also where file names ignore case.

    >>> page_name(GameRecord(players=(), id=1234, seed="p3v0s7"))
    '1234.html'
    >>> page_name(GameRecord(players=(), seed="p3v0s7"), {"p3v0s7.html", "P3V0S7-2.html"})
    'p3v0s7-3.html'
    >>> page_name(GameRecord(players=(), file="logs/games.jsonl.gz", line=3))
    'games-3.html'
    """
    name = record.seed if record.id is None else str(record.id)
    stem = _safe(name or "")
    if not stem:
        file = "" if record.file in (None, "-") else os.path.basename(str(record.file)).split(".")[0]
        stem = "-".join(filter(None, (_safe(file) or "game", str(record.line or ""))))
    used = {one.lower() for one in taken}
    names = itertools.chain((stem,), (f"{stem}-{number}" for number in itertools.count(2)))
    return next(f"{one}.html" for one in names if f"{one}.html".lower() not in used)


def _safe(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text).strip("-.")[:_MOST_CHARACTERS]

"""Players' names that would have an effect if a page, a query or a terminal did not escape them."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.logs import GameRecord, write

SCRIPT = "</script><script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(1)>"
QUOTES = "\"'`'; DROP TABLE games; --"
TURNED = "\u202eecila\u2066 שלום"
LONG = "W" * 10_000
NAMES = (SCRIPT, IMAGE, QUOTES, TURNED, LONG)

TERMINAL = "\x1b[31mevil\x1b]0;title\x07\r\nnew\x9b2J\x00"
"""A name that colours, renames and clears a terminal, and begins a new line."""


def hostile_games(names: tuple[str, ...] = NAMES, count: int = 3) -> list[GameRecord]:
    """Return games of two to five of these players, who note their names on every card."""
    size = len(names)
    return [
        replace(
            record, players=names, notes=tuple((name,) * 50 for name in names), seed=f"{names[0]} {number}"
        )
        for number, record in enumerate(simulate("random", players=size, games=count, seed=4))
    ]


def hostile_log(folder: Path, names: tuple[str, ...] = NAMES, count: int = 3) -> Path:
    """Write such games into a file, and return its path."""
    write(hostile_games(names, count), folder / "hostile.jsonl")
    return folder / "hostile.jsonl"

"""A game as it was read, and the formats that it can be read from: one file per format.

In: files. Out: `GameRecord`s, which hold whatever a file says. Nothing here knows a rule of the game.
"""

from hanalyze.logs.hanab_live import parse, to_json
from hanalyze.logs.reading import load, read, write
from hanalyze.logs.record import NO_VARIANT, Character, GameRecord, Options

__all__ = [
    "NO_VARIANT",
    "Character",
    "GameRecord",
    "Options",
    "load",
    "parse",
    "read",
    "to_json",
    "write",
]

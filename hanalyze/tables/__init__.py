"""Every column that is published: its name, type, unit, range and meaning. The source of the schema.

A column is defined here and nowhere else: the engine's output arrays, the frames of `Replay`, the keys of
JSON rows, the tables of the database and their documentation are made from these lists. Before and after an
action are told apart in the name. Each meaning says what kind of number it is where it is no plain fact:
knowledge (what the player to move could see and work out) or outcome (it reads later turns).
"""

from typing import Final

from hanalyze.tables.column import Column as Column, column_names as column_names
from hanalyze.tables.games import DEFECTS as DEFECTS, GAMES as GAMES
from hanalyze.tables.hands import CARDS as CARDS, CLUES as CLUES, Fate as Fate
from hanalyze.tables.turns import FACTS as FACTS, PACE_NULL as PACE_NULL, TURNS as TURNS, PaceRisk as PaceRisk

TABLES_VERSION: Final = 5
"""Changes exactly when a column appears, goes or changes its meaning."""

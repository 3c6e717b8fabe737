"""Published columns, one line each: name, type, unit, range, meaning. They are the only source of the schema.

The engine's arrays, the frames of `Replay`, JSON rows, the tables of the database and their documentation use
these lists. Columns ending in `_before` and `_after` are values before and after the action. A meaning with
"(outcome)" marks a value that depends on later turns.
"""

from typing import Final

from hanalyze.tables.column import Column as Column
from hanalyze.tables.games import (
    CARDS as CARDS,
    CLUES as CLUES,
    DEFECTS as DEFECTS,
    GAMES as GAMES,
    Fate as Fate,
)
from hanalyze.tables.turns import FACTS as FACTS, PACE_NULL as PACE_NULL, TURNS as TURNS, PaceRisk as PaceRisk

TABLES_VERSION: Final = 7
"""Changes exactly when a column is added, removed or given another meaning."""

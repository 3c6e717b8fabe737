"""A game as it was read, and the formats that it can be read from: one file per format.

In: files. Out: `GameRecord`s, which hold whatever a file says. Nothing here knows a rule of the game.
"""

from hanalyze.logs.files import load as load, read as read, write as write
from hanalyze.logs.formats.hanab_live import parse as parse, to_json as to_json
from hanalyze.logs.record import (
    NO_VARIANT as NO_VARIANT,
    Character as Character,
    GameRecord as GameRecord,
    Options as Options,
)

"""Reading and writing of logs: game records, formats and sources, without the rules of the game."""

from hanalyze.logs.files import load as load, read as read, write as write
from hanalyze.logs.formats.hanab_live import parse as parse, to_json as to_json
from hanalyze.logs.record import (
    NO_VARIANT as NO_VARIANT,
    Character as Character,
    GameRecord as GameRecord,
    Options as Options,
)

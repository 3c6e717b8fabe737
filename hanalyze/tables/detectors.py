"""Columns of `detector_games`, `detector_findings` and `detector_problems`: what users' detectors found.

A row of findings is meaning, read from the past only; but for `outcome` and `closed_turn`, which are outcome.
"""

from __future__ import annotations

from typing import Final

from hanalyze.tables.column import Column
from hanalyze.tables.conventions import OUTCOME_WORDS

# fmt: off
# One line per column: name, type, unit, range, meaning.
_DETECTOR: Final = (
    Column("detector", "str", "", "", "name of the detector"),
    Column("version", "str", "", "", "version of the detector"),
)

DETECTOR_GAMES: Final = (
    *_DETECTOR,
    Column("level", "int8", "", "1..25", "highest H-Group level that the built-in reader read"),
    Column("conventions_version", "int16", "", "1..", "version of the built-in definitions of conventions"),
    Column("needs", "str", "", "", "detectors whose findings it uses, with versions: a list in JSON"),
)
"""One row per game and detector that looked at it."""

DETECTOR_FINDINGS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("number", "int8", "", "0..", "number of the row among those of this detector and action"),
    Column("seat", "int8", "seat", "0..5", "seat that acted"),
    *_DETECTOR,
    Column("label", "str", "", "1 to 100 characters", "what the action meant, in the detector's own words"),
    Column("level", "int8", "", "1..25", "H-Group level that the detector belongs to"),
    Column("certainty", "int8", "percent", "0..100", "how certain the detector is"),
    Column("cards", "int8", "order", "-1..59", "cards concerned; -1 for none", width=6),
    Column("seats", "int8", "bits", "0..63", "seats concerned: bit 0 is seat 0"),
    Column("legal", "bool", "", "", "whether the action is allowed; null if not judged", null=-1),
    Column("reasons", "str", "", "", "reasons against the action, or for it: a list of texts in JSON"),
    Column("opportunity", "bool", "", "", "true if the action could have had the label, false if it had it"),
    Column("outcome", "uint8", "", "", "whether what the finding expects happened (outcome)", OUTCOME_WORDS),
    Column("closed_turn", "int16", "turn", "0..", "turn on which the outcome was settled", null=-1),
)
"""One row per finding, or an opportunity, of a detector."""

DETECTOR_PROBLEMS: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat that acted"),
    *_DETECTOR,
    Column("rule", "str", "", "raised, bad_finding, bad_outcome, too_long", "short name of the problem"),
    Column("message", "str", "", "", "the problem, and what was found"),
)
"""One row per action for which a detector failed."""

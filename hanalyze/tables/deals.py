"""Columns of `hz.deals`: a row for each deal, with all cards open. They are not stored in the database."""

from __future__ import annotations

from typing import Final

from hanalyze.tables.column import Column

# fmt: off
# One line per column: name, type, unit, range, meaning.
DEALS: Final = (
    Column("seed", "str", "", "", "the seed that deals the deck, by Hanab Live's scheme"),
    Column("players", "int8", "players", "2..6", "number of players"),
    Column("variant", "str", "", "", "name of the variant"),
    Column("full_score", "int8", "points", "15..30", "score with every stack complete"),
    Column("winnable", "bool", "", "", "whether the full score can be reached; null if the solver left it open", null=-1),
    Column("best_low", "int8", "points", "0..30", "the best score that a line was found to"),
    Column("best_high", "int8", "points", "0..30", "the score that the best one cannot exceed"),
    Column("nodes", "int64", "positions", "0..", "positions that the search for the best score looked at"),
    Column("runs", "int32", "runs", "0..", "runs of a beam of width 1, each with other noise"),
    Column("lucky", "float64", "share", "0..1", "share of the runs that came upon a line to the full score: the lower, the harder the deal; null without runs"),
)
"""What is known of a deal: a fact where `winnable` is not null."""

"""Columns of the table `games`: one row per game, and of `defects`: one row per broken rule."""

from __future__ import annotations

from typing import Final

from hanalyze.game.defects import Defect
from hanalyze.game.editions import EndCondition
from hanalyze.tables.column import Column
from hanalyze.tables.turns import PACE_NULL

# fmt: off
# One line per column: name, type, unit, range, meaning.
GAMES: Final = (
    Column("players", "int8", "players", "2..6", "number of players"),
    Column("turns", "int16", "turns", "0..", "actions carried out"),
    Column("score", "int8", "points", "0..30", "final score"),
    Column("raw_score", "int8", "points", "0..30", "cards on the play stacks at the end, also if the game was lost"),
    Column("max_score", "int8", "points", "0..30", "points still possible at the end with the cards that were not lost"),
    Column("full_score", "int8", "points", "0..30", "points when all stacks are complete"),
    Column("full_tokens", "int8", "tokens", "0..", "maximum number of clue tokens"),
    Column("end_condition", "uint8", "", "", "end condition of the game", tuple(end.label for end in EndCondition)),
    Column("defects", "int32", "defects", "0..", "broken rules found in the game's actions"),
    Column("plays", "int16", "cards", "0..", "cards played onto a stack"),
    Column("misplays", "int16", "cards", "0..", "cards misplayed"),
    Column("discards", "int16", "cards", "0..", "cards discarded"),
    Column("clues", "int16", "clues", "0..", "clues given"),
    Column("strikes", "int8", "strikes", "0..", "strikes at the end"),
    Column("blind_plays", "int16", "cards", "0..", "unclued cards played onto a stack"),
    Column("cards_gotten", "int8", "cards", "0..30", "cards gotten at the end"),
    Column("first_discard", "int16", "turn", "0..", "turn of the first discard; null without discards", null=-1),
    Column("min_pace", "int16", "cards", "-30..30", "smallest pace of the game; null if the pace was always null", null=PACE_NULL),
    Column("min_efficiency", "float64", "cards/clue", "0..", "cards per clue that a full score requires at the start of the game"),
    Column("efficiency", "float64", "cards/clue", "0..", "cards gotten per clue given or lost, at the end; null without such clues"),
)
"""One row per game."""

DEFECTS: Final = (
    Column("game", "int32", "", "0..", "index of the game in its batch"),
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move"),
    Column("rule", "uint8", "", "", "the rule that was broken", ("", *(defect.label for defect in Defect))),
)
"""One row per broken rule, in the engine's output."""

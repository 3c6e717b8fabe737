"""Columns that the database adds to the engine's, and all its tables: `TABLES`.

In: the columns that the engine writes. Out: every table of the database with its columns in order. Types are
NumPy's, besides `str` for text and `datetime` for a moment in UTC.
"""

from __future__ import annotations

from typing import Final

from hanalyze.game.defects import Defect
from hanalyze.tables.column import Column
from hanalyze.tables.conventions import CONVENTION_OPPORTUNITIES, CONVENTION_OUTCOMES, CONVENTIONS
from hanalyze.tables.detectors import DETECTOR_FINDINGS, DETECTOR_GAMES, DETECTOR_PROBLEMS
from hanalyze.tables.games import GAMES
from hanalyze.tables.hands import CARDS, CLUES
from hanalyze.tables.turns import TURNS

__all__ = [
    "CONVENTION_GAMES",
    "GAME_FACTS",
    "GAME_ID",
    "INGESTS",
    "REJECTS",
    "SEATS",
    "STORED_DEFECTS",
    "TABLES",
]

GAME_ID: Final = Column(
    "game_id", "int64", "", "0..", "key of the game: the first 63 bits of the digest of its content"
)

_OPTIONS: Final = (
    Column("starting_player", "int8", "seat", "0..5", "option: seat that moved first"),
    Column("timed", "bool", "", "", "option: whether the players had clocks"),
    Column("time_base", "int64", "seconds", "0..", "option: seconds on a clock at the start"),
    Column("time_per_turn", "int64", "seconds", "0..", "option: seconds that every turn adds to a clock"),
    Column("speedrun", "bool", "", "", "option: losing the full score ends the game"),
    Column("card_cycle", "bool", "", "", "option: each clue makes the giver's chop their newest card"),
    Column("deck_plays", "bool", "", "", "option: the deck's last card may be played from it"),
    Column("empty_clues", "bool", "", "", "option: a clue may touch no card"),
    Column("one_extra_card", "bool", "", "", "option: hands have a card more"),
    Column("one_less_card", "bool", "", "", "option: hands have a card less"),
    Column("all_or_nothing", "bool", "", "", "option: play goes on until the score is full or lost"),
)
"""Named as the fields of `hanalyze.logs.Options`, in their order."""

GAME_FACTS: Final = (
    GAME_ID,
    Column(
        "digest",
        "str",
        "",
        "32 hex digits",
        "BLAKE2b of the content: players, deck, actions, variant, options, edition, id and seed; the same"
        " game read from another file has the same",
    ),
    Column("source", "str", "", "", "where the log says that the game comes from"),
    Column("source_id", "int64", "", "", "number of the game there"),
    Column("variant", "str", "", "", "name of the variant"),
    Column("letters", "str", "", "", "letters of the variant's suits, in their order"),
    Column("alternating_clues", "bool", "", "", "whether clues of its variant must alternate in kind"),
    Column("silent_clues", "bool", "", "", "whether receivers are not told what clues of its variant mean"),
    Column("variant_id", "int32", "", "0..", "hanab.live's number of the variant", null=-1),
    Column("edition", "str", "", "", "the rules that it was played by"),
    Column("seed", "str", "", "", "what the deck was shuffled from"),
    Column("shuffle", "str", "", "", "the scheme that deals the seed, null without a seed"),
    *_OPTIONS,
    Column("rating", "str", "", "", "the edition's label for the score, null where it has no scale"),
    Column("rules_version", "int16", "", "1..", "version of the rules that replayed it"),
    Column("tables_version", "int16", "", "1..", "version of the columns"),
    Column("package_version", "str", "", "", "version of hanalyze that stored it"),
)
"""What the database knows of a game besides the engine's `GAMES`."""

SEATS: Final = (
    GAME_ID,
    Column("seat", "int8", "seat", "0..5", "number of the seat"),
    Column("player", "str", "", "", "name of the player, as the log has it"),
)
"""One row a player of a game."""

STORED_DEFECTS: Final = (
    GAME_ID,
    Column("turn", "int16", "turn", "0..", "turn of the action; null where the whole log is meant", null=-1),
    Column("seat", "int8", "seat", "0..5", "seat of the player to move; null likewise", null=-1),
    Column("rule", "uint8", "", "", "the rule that was broken", tuple(defect.label for defect in Defect)),
    Column("found", "str", "", "", "what was found there"),
)
"""One row a rule that a log breaks."""

REJECTS: Final = (
    Column("reject_id", "int64", "", "0..", "key: from the digest of the other columns"),
    Column("file", "str", "", "", "the file, as it was given"),
    Column("line", "int64", "line", "1..", "line of the file; null where the whole file is meant", null=-1),
    Column("game", "str", "", "", "what the game is called, where that much could be read"),
    Column("rule", "str", "", "", "short name of what is wrong"),
    Column("message", "str", "", "", "what is wrong, and what was found"),
)
"""One row a log that could not be read or dealt."""

INGESTS: Final = (
    Column("file", "str", "", "", "the file, as it was given"),
    Column("digest", "str", "", "32 hex digits", "BLAKE2b of its content, unpacked"),
    Column("read", "int64", "games", "0..", "games that it holds, those that cannot be read included"),
    Column("stored", "int64", "games", "0..", "of them, those that were new"),
    Column("already_there", "int64", "games", "0..", "of them, those that the database had"),
    Column("with_defects", "int64", "games", "0..", "of the new ones, those that break a rule"),
    Column("rejected", "int64", "games", "0..", "of them, those that cannot be read or dealt"),
    Column("rules_version", "int16", "", "1..", "version of the rules"),
    Column("tables_version", "int16", "", "1..", "version of the columns"),
    Column("package_version", "str", "", "", "version of hanalyze"),
    Column("seconds", "float64", "seconds", "0..", "wall time of the whole run"),
    Column("at", "datetime", "", "", "when the run ended, UTC"),
)
"""One row a file of a run that went to its end."""

CONVENTION_GAMES: Final = (
    GAME_ID,
    Column("level", "int8", "", "1..25", "the H-Group's level up to which its actions were read"),
    Column("conventions_version", "int16", "", "1..", "version of the definitions of conventions"),
)
"""One row a game whose actions were read for conventions."""

TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "games": (*GAME_FACTS, *GAMES),
    "seats": SEATS,
    "turns": (GAME_ID, *TURNS),
    "clues": (GAME_ID, *CLUES),
    "cards": (GAME_ID, *CARDS),
    "defects": STORED_DEFECTS,
    "rejects": REJECTS,
    "ingests": INGESTS,
    "convention_games": CONVENTION_GAMES,
    "conventions": (GAME_ID, *CONVENTIONS),
    "convention_outcomes": (GAME_ID, *CONVENTION_OUTCOMES),
    "convention_opportunities": (GAME_ID, *CONVENTION_OPPORTUNITIES),
    "detector_games": (GAME_ID, *DETECTOR_GAMES),
    "detector_findings": (GAME_ID, *DETECTOR_FINDINGS),
    "detector_problems": (GAME_ID, *DETECTOR_PROBLEMS),
}
"""All tables of the database with their columns."""

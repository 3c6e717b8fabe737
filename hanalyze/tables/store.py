"""Tables of the database (`TABLES`), and the columns that the database adds to those of the engine.

Types are NumPy's, except `str` for text and `datetime` for a time in UTC.
"""

from typing import Final

from hanalyze.game.defects import Defect
from hanalyze.tables.chances import CHANCES
from hanalyze.tables.column import Column
from hanalyze.tables.conventions import (
    CONVENTION_OPPORTUNITIES,
    CONVENTION_OUTCOMES,
    CONVENTIONS,
    DETECTOR_FINDINGS,
    DETECTOR_GAMES,
    DETECTOR_PROBLEMS,
)
from hanalyze.tables.games import CARDS, CLUES, GAMES
from hanalyze.tables.solved import BEST_SCORES, LOSSES, SOLVED_GAMES
from hanalyze.tables.turns import TURNS

# fmt: off
GAME_ID: Final = Column("game_id", "int64", "", "0..", "key of the game: the first 63 bits of its digest")

_OPTIONS: Final = (
    Column("starting_player", "int8", "seat", "0..5", "option: seat that moved first"),
    Column("timed", "bool", "", "", "option: whether the players had clocks"),
    Column("time_base", "int64", "seconds", "0..", "option: seconds on each clock at the start"),
    Column("time_per_turn", "int64", "seconds", "0..", "option: seconds added to the clock each turn"),
    Column("speedrun", "bool", "", "", "option: the game ends when the full score is no longer possible"),
    Column("card_cycle", "bool", "", "", "option: each clue makes the giver's chop their newest card"),
    Column("deck_plays", "bool", "", "", "option: the last card of the deck may be played from the deck"),
    Column("empty_clues", "bool", "", "", "option: clues that touch no cards are allowed"),
    Column("one_extra_card", "bool", "", "", "option: hands have one card more"),
    Column("one_less_card", "bool", "", "", "option: hands have one card fewer"),
    Column("all_or_nothing", "bool", "", "", "option: the game continues until the score is full or the game is lost"),
)
"""The fields of `hanalyze.logs.Options`, in their order, except `detrimental_characters`."""

GAME_FACTS: Final = (
    GAME_ID,
    Column("digest", "str", "", "32 hex digits", "BLAKE2b hash of players, deck, actions, variant, options, edition, id and seed; the same game in another file has the same digest"),
    Column("source", "str", "", "", "origin of the game, according to the log"),
    Column("started", "str", "", "", "start time of the game in the format of its source; on hanab.live in UTC"),
    Column("finished", "str", "", "", "end time of the game in the format of its source; on hanab.live in UTC"),
    Column("tags", "str", "", "", "tags that players gave the game, separated by commas; null without tags"),
    Column("source_id", "int64", "", "", "number of the game at its source"),
    Column("variant", "str", "", "", "name of the variant"),
    Column("letters", "str", "", "", "one letter per suit, in order, from the edition's names of the suits"),
    Column("colours", "str", "", "", "the edition's names of the clue colours, in order, separated by commas"),
    Column("alternating_clues", "bool", "", "", "whether the variant's clues must alternate between colour and rank"),
    Column("silent_clues", "bool", "", "", "whether the variant hides the colour or rank of clues from their receivers"),
    Column("variant_id", "int32", "", "0..", "number of the variant on hanab.live", null=-1),
    Column("edition", "str", "", "", "edition of the rules"),
    Column("seed", "str", "", "", "seed of the deck"),
    Column("shuffle", "str", "", "", "scheme that turns the seed into the deck; null if the log has neither a seed nor a scheme"),
    Column("deck_known", "int8", "cards", "0..59", "number of cards from the top of the deck that the log contains; the order of the remaining cards is arbitrary; null if all cards are known", null=-1),
    *_OPTIONS,
    Column("rating", "str", "", "", "the edition's label for the score; null if it has no scale"),
    Column("rules_version", "int16", "", "1..", "version of the rules with which the game was replayed"),
    Column("tables_version", "int16", "", "1..", "version of the columns"),
    Column("package_version", "str", "", "", "version of hanalyze that stored the game"),
)
"""Columns of a game in the database in addition to the engine's `GAMES`."""

TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "games": (*GAME_FACTS, *GAMES),
    "seats": (
        GAME_ID,
        Column("seat", "int8", "seat", "0..5", "number of the seat, from 0"),
        Column("player", "str", "", "", "name of the player, as in the log"),
    ),
    "turns": (GAME_ID, *TURNS),
    "clues": (GAME_ID, *CLUES),
    "cards": (GAME_ID, *CARDS),
    "defects": (
        GAME_ID,
        Column("turn", "int16", "turn", "0..", "turn of the action; null if the defect concerns the whole log", null=-1),
        Column("seat", "int8", "seat", "0..5", "seat of the player to move; null if the defect concerns the whole log", null=-1),
        Column("rule", "uint8", "", "", "the rule that was broken", tuple(defect.label for defect in Defect)),
        Column("found", "str", "", "", "description of the action or value that breaks the rule"),
    ),
    "rejects": (
        Column("reject_id", "int64", "", "0..", "key, derived from the digest of the other columns"),
        Column("file", "str", "", "", "path of the file, as given"),
        Column("line", "int64", "line", "1..", "line of the file; null if the whole file is rejected", null=-1),
        Column("game", "str", "", "", "name of the game, if it could be read"),
        Column("rule", "str", "", "", "short name of the problem"),
        Column("message", "str", "", "", "description of the problem"),
    ),
    "ingests": (
        Column("file", "str", "", "", "path of the file, as given"),
        Column("digest", "str", "", "32 hex digits", "BLAKE2b hash of the uncompressed content of the file; null if it was not read completely"),
        Column("read", "int64", "games", "0..", "games in the file, including unreadable ones"),
        Column("stored", "int64", "games", "0..", "games in the file that were new to the database"),
        Column("already_there", "int64", "games", "0..", "games in the file that were already in the database"),
        Column("with_defects", "int64", "games", "0..", "new games that break a rule"),
        Column("rejected", "int64", "games", "0..", "games that could not be read or dealt"),
        Column("rules_version", "int16", "", "1..", "version of the rules"),
        Column("tables_version", "int16", "", "1..", "version of the columns"),
        Column("package_version", "str", "", "", "version of hanalyze"),
        Column("seconds", "float64", "seconds", "0..", "wall-clock time of the whole ingest run, which may include other files"),
        Column("at", "datetime", "", "", "end time of the run (UTC)"),
    ),
    "convention_games": (
        GAME_ID,
        Column("level", "int8", "", "1..25", "H-Group level up to which the game was read for conventions"),
        Column("conventions_version", "int16", "", "1..", "version of the definitions of conventions"),
        Column("chances", "str", "", "", "name of the shipped model that predicted the rows of `chances`"),
        Column("features", "str", "", "", "features of the model: conventions (messages and context), or context if conventions are not defined for the variant; null for a game without turns"),
    ),
    "conventions": (GAME_ID, *CONVENTIONS),
    "convention_outcomes": (GAME_ID, *CONVENTION_OUTCOMES),
    "convention_opportunities": (GAME_ID, *CONVENTION_OPPORTUNITIES),
    "chances": (GAME_ID, *CHANCES),
    "detector_games": (GAME_ID, *DETECTOR_GAMES),
    "detector_findings": (GAME_ID, *DETECTOR_FINDINGS),
    "detector_problems": (GAME_ID, *DETECTOR_PROBLEMS),
    "solved_games": (GAME_ID, *SOLVED_GAMES),
    "best_scores": (GAME_ID, *BEST_SCORES),
    "losses": (GAME_ID, *LOSSES),
}
"""All tables of the database with their columns."""

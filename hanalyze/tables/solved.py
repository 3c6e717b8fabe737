"""Columns of what the solver found of stored games: what could be reached with all cards open, what lost it.

A row of `solved_games` says that a game was solved, and within which budget; `best_scores` has what its deal
still allowed after every action, `losses` the moves that lowered it.
"""

from __future__ import annotations

from typing import Final

from hanalyze.tables.column import Column

SOLVER_VERSION: Final = 2
"""Changes exactly when the solver's answers do."""

LOSS_KINDS: Final = ("discard", "misplay", "clue", "play", "end")
"""What a move was that lost points; `end`: the game was ended."""

LOSS_CAUSES: Final = {
    "cards": "the last copy of a needed card was gone",
    "time": "too few turns were left for the deck",
    "hands": "the hands could not hold every needed card",
    "order": "the order of the last cards left no way",
    "strikes": "the last strike ended the game",
    "end": "the game was ended",
}
"""What kept the points out of reach from then on."""

# fmt: off
# One line per column: name, type, unit, range, meaning.
SOLVED_GAMES: Final = (
    Column("solver_version", "int16", "", "1..", "version of the solver"),
    Column("not_covered", "str", "", "", "what kept the solver from it, such as a variant; null if it was solved"),
    Column("nodes", "int64", "positions", "1..", "budget: positions to look at for each score", null=-1),
    Column("game_nodes", "int64", "positions", "1..", "budget: positions to look at for the whole game", null=-1),
    Column("seconds", "float64", "seconds", "0..", "budget: time for each score"),
    Column("game_seconds", "float64", "seconds", "0..", "budget: time for the whole game"),
    Column("looked_at", "int64", "positions", "0..", "positions that were looked at", null=-1),
    Column("best_score_low", "int8", "points", "0..", "best score of the deal with all cards open: at least this", null=-1),
    Column("best_score_high", "int8", "points", "0..", "at most this; the same where the best score is known", null=-1),
    Column("open_points", "int8", "points", "0..", "the most points that may have been lost besides those of `losses`; 0 where every turn is known", null=-1),
)
"""One row per game that the solver was given."""

BEST_SCORES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("best_score_after", "int8", "points", "0..", "after the action: best score with all cards open that is known to be in reach"),
    Column("best_score_exact", "bool", "", "", "whether it is the best; if not, it may be up to best_score_high_after"),
    Column("best_score_high_after", "int8", "points", "0..", "after the action: score that no line of moves exceeds"),
)
"""One row per action of a solved game."""

LOSSES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the move"),
    Column("seat", "int8", "seat", "0..5", "seat of the player who made it"),
    Column("kind", "uint8", "", "", "what it was: a play here is one that fitted", LOSS_KINDS),
    Column("cause", "uint8", "", "", "what kept the points out of reach from then on", tuple(LOSS_CAUSES)),
    Column("points", "int8", "points", "1..", "points lost: best_score_before - best_score_after"),
    Column("best_score_before", "int8", "points", "1..", "best score with all cards open before the move"),
    Column("best_score_after", "int8", "points", "0..", "best score with all cards open after it"),
    Column("exact", "bool", "", "", "whether both scores are known exactly; if not, the one before may be higher and the one after lower"),
    Column("first", "bool", "", "", "whether the best score of the deal was still in reach before the move"),
)
"""One row per move that lowered the best score with all cards open."""

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
"""One row per deal of `hz.deals`, which is not stored: facts where `winnable` is not null."""

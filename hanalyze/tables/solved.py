"""Columns of the solver's results for stored games: best scores with all cards open, and losses of points.

`solved_games` records which games were solved, and with which budget. `best_scores` has the best score still
possible after each action, and `losses` the moves that lowered it.
"""

from typing import Final

from hanalyze.tables.column import Column

SOLVER_VERSION: Final = 3
"""Changes exactly when the solver's results may change."""

LOSS_KINDS: Final = ("discard", "misplay", "clue", "play", "end")
"""Kinds of moves that lose points; `end` means that the game was ended."""

LOSS_CAUSES: Final = {
    "cards": "the last copy of a needed card was gone",
    "time": "too few turns were left for the deck",
    "hands": "the hands could not hold every needed card",
    "order": "the order of the remaining cards put points out of reach",
    "strikes": "the last strike ended the game",
    "end": "the game was ended",
}
"""For each cause of a loss: the reason why the points were out of reach after the move."""

# fmt: off
SOLVED_GAMES: Final = (
    Column("solver_version", "int16", "", "1..", "version of the solver"),
    Column("not_covered", "str", "", "", "reason why the solver does not cover the game, such as a variant; null if it was solved"),
    Column("nodes", "int64", "positions", "1..", "budget: positions to search for each score", null=-1),
    Column("game_nodes", "int64", "positions", "1..", "budget: positions to search for the whole game", null=-1),
    Column("seconds", "float64", "seconds", "0..", "budget: time for each score"),
    Column("game_seconds", "float64", "seconds", "0..", "budget: time for the whole game"),
    Column("looked_at", "int64", "positions", "0..", "positions that were searched", null=-1),
    Column("best_score_low", "int8", "points", "0..", "lower bound of the deal's best score with all cards open", null=-1),
    Column("best_score_high", "int8", "points", "0..", "upper bound of the deal's best score with all cards open; equals best_score_low if the best score is known", null=-1),
    Column("open_points", "int8", "points", "0..", "upper bound of the points lost besides those of `losses`; 0 if the loss of every turn is known", null=-1),
)
"""One row per game that was passed to the solver."""

BEST_SCORES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the action"),
    Column("best_score_after", "int8", "points", "0..", "after the action: lower bound of the best score with all cards open"),
    Column("best_score_exact", "bool", "", "", "whether best_score_after is the best score; otherwise the best score is at most best_score_high_after"),
    Column("best_score_high_after", "int8", "points", "0..", "after the action: upper bound of the best score with all cards open"),
)
"""One row per action of a solved game."""

LOSSES: Final = (
    Column("turn", "int16", "turn", "0..", "turn of the move"),
    Column("seat", "int8", "seat", "0..5", "seat of the player who made the move; null for the end of a game (`end`), because no table stores who ended it", null=-1),
    Column("kind", "uint8", "", "", "kind of move; `play` is a successful play", LOSS_KINDS),
    Column("cause", "uint8", "", "", "reason why the points were out of reach after the move", tuple(LOSS_CAUSES)),
    Column("points", "int8", "points", "1..", "points lost: best_score_before - best_score_after"),
    Column("best_score_before", "int8", "points", "1..", "best score with all cards open before the move"),
    Column("best_score_after", "int8", "points", "0..", "best score with all cards open after the move"),
    Column("exact", "bool", "", "", "whether both scores are exact; otherwise best_score_before may be too low and best_score_after too high"),
    Column("first", "bool", "", "", "whether the best score of the deal was still possible before the move; false if that score is unknown"),
)
"""One row per move that lowered the best score with all cards open."""

DEALS: Final = (
    Column("seed", "str", "", "", "seed of the deck, by Hanab Live's scheme"),
    Column("players", "int8", "players", "2..6", "number of players"),
    Column("variant", "str", "", "", "name of the variant"),
    Column("full_score", "int8", "points", "15..30", "score with every stack complete"),
    Column("winnable", "bool", "", "", "whether the full score can be reached; null if the solver did not decide it", null=-1),
    Column("best_low", "int8", "points", "0..30", "lower bound of the best score: the best score of a known line"),
    Column("best_high", "int8", "points", "0..30", "upper bound of the best score"),
    Column("nodes", "int64", "positions", "0..", "positions searched for the best score"),
    Column("runs", "int32", "runs", "0..", "requested runs of a beam search of width 1, each with different random noise; none is made for a deal known not to be winnable"),
    Column("lucky", "float64", "share", "0..1", "share of the runs that found a line to the full score; lower for harder deals, 0 for a deal known not to be winnable; null if no runs were requested"),
)
"""One row per deal, returned by `hz.deals` and not stored; a `winnable` that is not null is proven."""

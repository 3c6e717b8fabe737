"""Columns of puzzles (`hanalyze.puzzles`)."""

from typing import Final

from hanalyze.tables.column import Column

# fmt: off
QUIZ: Final = (
    Column("game_id", "int64", "", "0..", "key of the game"),
    Column("turn", "int16", "turn", "0..", "turn of the question, which is asked before the move"),
    Column("seat", "int8", "seat", "0..5", "seat that is asked"),
    Column("player", "str", "", "", "player who is asked"),
    Column("form", "str", "", "play, known, save, get, quiet, cards, study", "form of the question: a card is called (play), a card is known to be playable (known), a chop must be saved by a clue (save), the best clue gets cards (get), nothing is urgent (quiet), the receiver of a clue is asked for its focus (cards), or the position was given for study and is not a puzzle (study)"),
    Column("theme", "str", "", "", "convention of the decisive message or clue; `known_play` or `discard` without one; for a position for study, the kind of its mistake"),
    Column("mistake", "str", "", "", "kind of the costliest mistake of severity knew or could_tell that the player made on this turn; null without one, and for a position for study"),
    Column("phase", "str", "", "early, middle, end", "phase of the game"),
    Column("level", "int8", "", "1..25", "H-Group level of the convention; null for a position for study"),
    Column("difficulty", "int8", "", "1..5", "1 for a direct reading, plus 1 for each connecting play, plus 1 from level 5 on or 2 from level 11 on; at most 5; null for a position for study"),
    Column("share", "float64", "", "0..1", "share of the turns with the same form and theme in the searched games on which the player made the expected move or, for the form cards, on which the clue did not fail; null for a position for study"),
    Column("key", "str", "", "16 hex digits", "digest of the position as the seat sees it"),
    Column("question", "str", "", "", "text of the question"),
    Column("right", "str", "", "", "right answers, separated by semicolons; empty for a position for study"),
    Column("explained", "str", "", "", "why the first right answer is right; for a position for study, the move that was made and a better move"),
    Column("answers", "str", "", "", "all answers: a JSON list of objects with move, verdict (right, wrong, open) and why"),
)
"""One row per puzzle."""

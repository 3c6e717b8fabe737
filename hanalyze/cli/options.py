"""Arguments and options that several commands share, and the choice between conventions and logic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from hanalyze.cli.exits import UsageError, complain
from hanalyze.cli.parameters import argument, flag, option
from hanalyze.store.judging_options import AT_RISK
from hanalyze.text import printable, shorten

if TYPE_CHECKING:
    from hanalyze.replaying import Replay
    from hanalyze.store import Database


class Judge(StrEnum):
    """Conventions by which moves are judged."""

    H_GROUP = "h_group"
    NONE = "none"


DB: TypeAlias = Annotated[str, argument("DB", "The database.")]
Definitions: TypeAlias = Annotated[
    str | None, option("FOLDER", "A folder with more definitions of mistakes (.sql).", "--mistakes")
]
GameBudget: TypeAlias = Annotated[
    str | None, option("N", "Positions searched per game of a database (default: 400,000), or seconds (5s).")
]
Level: TypeAlias = Annotated[
    int | None,
    option(
        "N",
        "Highest H-Group level (default: 25; missed signals count up to the level that the players show).",
        min=1,
        max=25,
    ),
]
MemoryLimit: TypeAlias = Annotated[
    str | None,
    option("SIZE", "DuckDB's memory before spilling to disk, like 2GB (default: 256 MiB + 64 MiB per core)."),
]
PlayThreshold: TypeAlias = Annotated[
    float,
    option("P", f"Lowest chance at which a play is not a mistake (at two strikes: at least {AT_RISK})."),
]
System: TypeAlias = Annotated[
    Judge | None,
    typer.Option(
        help="h_group also judges moves by the H-Group's conventions; none only by logic and odds (default:"
        " h_group; in logs, games that clearly follow another system are judged only by deduction)."
    ),
]
JsonRows: TypeAlias = Annotated[bool, flag("--json", "Print JSON lines, one object per row.")]
Csv: TypeAlias = Annotated[
    str | None, option("PATH", "Write CSV to this file; - for standard output.", "--csv")
]
Raw: TypeAlias = Annotated[
    bool, flag("--raw", "CSV for programs: text without escapes against formulas and control characters.")
]
Rows: TypeAlias = Annotated[int, option("N", "Show at most N rows of a table; 0 for all.", min=0)]
Minimum: TypeAlias = Annotated[
    int, option("N", "Show only rates with at least N opportunities (uses, clues, cards).", "--min", min=1)
]
Jobs: TypeAlias = Annotated[int | None, option("N", "Threads (default: one per core).", min=1)]
Game: TypeAlias = Annotated[str | None, option("NAME", "Only games with this id or seed.")]
Nth: TypeAlias = Annotated[int | None, option("N", "Only the Nth game, from 1.", min=1)]
Kinds: TypeAlias = Annotated[
    list[str] | None,
    option("KIND", "Only this kind or family (discard, play, clue) of mistakes; repeatable.", "--kind"),
]
GamePaths: TypeAlias = Annotated[
    list[str] | None, argument("PATH", "A database, or logs: a game, an array, a game per line.")
]
JsonGames: TypeAlias = Annotated[bool, flag("--json", "Print JSON lines, one object per game.")]
Output: TypeAlias = Annotated[
    str, option("FILE", "The file to write; - for standard output.", "--output", "-o")
]
SeedPlayers: TypeAlias = Annotated[int | None, option("N", "Number of players (default: from the seed).")]
SeedVariant: TypeAlias = Annotated[str | None, option("NAME", "The variant (default: from the seed).")]
VariantName: TypeAlias = Annotated[
    str, option("NAME", "The variant: its name on hanab.live, its id or its code.")
]


def highest_level(system: Judge | None, level: int | None) -> int | None:
    """Return the highest level of conventions; 0 if no conventions are used, None if no level is given."""
    return 0 if system == Judge.NONE else level


def game_budget(text: str | None) -> dict[str, int]:
    """Return the solver's budget for each game as keywords of `Database.solve`. Raises `UsageError`.

    >>> game_budget("300000"), game_budget("5s"), game_budget(None)
    ({'game_nodes': 300000}, {'game_seconds': 5}, {})
    """
    if text is None:
        return {}
    match = re.fullmatch(r"0*([1-9][0-9]{0,14})(s?)", text)
    if match is None:
        raise UsageError(f'"{shorten(text)}" is not a budget', "give 200000, or 5s for five seconds")
    return {"game_seconds" if match[2] else "game_nodes": int(match[1])}


def others_of(db: Database) -> dict[int, str]:
    """Return the evidence for each game that clearly follows another system, by game_id; print a warning.

    Such games of logs are judged only by deduction. For a database the result is empty, because every command
    judges its games by the conventions that were read.
    """
    from hanalyze.analysis.systems import games_of_others  # slow to import

    games = db.count("convention_games")
    others = games_of_others(db) if games else {}
    if others:
        query = "SELECT coalesce(source_id::VARCHAR, seed, game_id::VARCHAR) FROM games WHERE game_id = ?"
        names = [db.sql(query, [key]).item() for key in sorted(others)[:_NAMED]]
        _complain(games, others, names, by_logic=db.file is None)
    return others if db.file is None else {}


def follows_other_system(game: Replay) -> bool:
    """Return whether the players clearly follow a system other than the H-Group's; print the evidence."""
    plays = [row["clued"] for row in game.rows() if row["action"] == "play"]
    if 4 * sum(not clued for clued in plays) <= len(plays):
        # In other systems more than a quarter of the played cards are unclued; otherwise skip the slow guess.
        return False
    from hanalyze.analysis.systems import games_of_others  # slow to import

    others = games_of_others(game)
    if others:
        _complain(1, others, by_logic=True)
    return bool(others)


_NAMED: Final = 3  # maximum number of games of another system that are named


def _complain(games: int, others: dict[int, str], names: Sequence[str] = (), *, by_logic: bool) -> None:
    what, why = "the players do", f" ({next(iter(others.values()))})"
    if games > 1:
        what = f"the players of {len(others):,} of {games:,} games do"
        why = f" ({', '.join(map(printable, names))}{', ...' if len(others) > len(names) else ''})"
    judged = "deduction, without clues and risks; --system h_group judges by conventions"
    if not by_logic:
        judged = "conventions, as in every command; --system none judges by logic"
    complain(f"{what} not seem to follow the H-Group's conventions{why}: judged by {judged}")

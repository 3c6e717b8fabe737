"""Choose whether to judge by conventions, or by logic if the players clearly follow another system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanalyze.cli.exits import complain
from hanalyze.cli.options import Judge
from hanalyze.replaying import Replay

if TYPE_CHECKING:
    from hanalyze.store import Database


def others_of(db: Database) -> dict[int, str]:
    """Return the games that clearly follow another system, with the evidence; print how many."""
    from hanalyze.analysis.systems import games_of_others  # slow to import

    games = db.count("convention_games")
    others = games_of_others(db) if games else {}
    if others:
        _complain(games, others)
    return others


def judge_of(game: Replay) -> Judge | None:
    """Return `Judge.NONE`, and print why, if a game clearly follows another system; else None."""
    plays = [row["clued"] for row in game.rows() if row["action"] == "play"]
    if 4 * sum(not clued for clued in plays) <= len(plays):
        # In other systems, more than a quarter of the played cards are unclued: skip the slower guess.
        return None
    from hanalyze.analysis.systems import games_of_others  # slow to import

    others = games_of_others(game)
    if not others:
        return None
    _complain(1, others)
    return Judge.NONE


def _complain(games: int, others: dict[int, str]) -> None:
    what = "the players do" if games == 1 else f"the players of {len(others):,} of {games:,} games do"
    why = f" ({next(iter(others.values()))})" if games == 1 else ""
    complain(
        f"{what} not seem to follow the H-Group's conventions{why}:"
        " judged by logic; --system h_group judges by conventions"
    )

"""Partial sums of a database, which the dashboard and the rates add up instead of the turns."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from hanalyze.analysis.decision_cache import DecisionSums
from hanalyze.lazy import duckdb
from hanalyze.report.dashboard.teams import TeamSums
from hanalyze.store import Database
from hanalyze.store.part_sums import Maker, SumsSummary, sums_of_part
from hanalyze.store.sums import update_sums

MAKERS: Final[tuple[Maker, ...]] = (DecisionSums(), TeamSums())
"""Everything that is stored as sums."""


def sum_up(db: Database, *, on_part: Callable[[int], object] | None = None) -> SumsSummary:
    """Store the sums of all games in a database, except those that are stored and valid.

    The dashboard, `rates`, `overview` and `wasted_tokens` then add them up instead of judging every turn,
    with exactly the same results. Other questions (other definitions or thresholds, rates by turn, rank, suit
    or phase, conventions' effects) are counted from the turns. Sums are valid only for the games that were
    counted; after more games, `sum_up` counts those alone.

    >>> from hanalyze.analysis import example, rates
    >>> with example() as db:
    ...     plain = rates(db, by="player", minimum=10)
    ...     sum_up(db).games, rates(db, by="player", minimum=10).equals(plain), sum_up(db).games
    (6, True, 0)
    """
    return update_sums(db, MAKERS, on_part)


def part_sums(connection: duckdb.DuckDBPyConnection) -> AbstractContextManager[dict[str, str]]:
    """Give by table the query for the sums of all games that a connection sees.

    The connection has the tables of a database, or views with their names, and the views of
    `hanalyze.store.mistakes.prepare`. Sums of several parts are concatenated, with the number of the part
    before each row.
    """
    return sums_of_part(connection, MAKERS)

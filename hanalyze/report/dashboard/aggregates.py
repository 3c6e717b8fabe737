"""Partial sums of a database, made and kept: what the dashboard and the rates add up instead of the turns.

In: an open database, or a connection that sees the games of one unit of work. Out: its tables of sums
(`hanalyze.store.sums`), or queries for those of the unit.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from hanalyze.analysis.decision_cache import DecisionSums
from hanalyze.lazy import duckdb
from hanalyze.report.dashboard.teams import TeamSums
from hanalyze.store import Database
from hanalyze.store.part_sums import Maker, Summed, sums_of_part
from hanalyze.store.sums import update_sums

MAKERS: Final[tuple[Maker, ...]] = (DecisionSums(), TeamSums())
"""All that is kept as sums."""


def sum_up(db: Database, *, on_part: Callable[[int], object] | None = None) -> Summed:
    """Keep the sums of all games of a database in it; those that are there, and hold, are left alone.

    The dashboard, `rates`, `overview` and `wasted_tokens` then add them up instead of judging every turn, and
    say exactly the same. What is asked otherwise (other definitions or thresholds, rates by turn, rank, suit
    or phase, conventions' effects) is counted from the turns as before. Sums are used only as long as the
    games are those that were counted; further games need `sum_up` again, which counts them alone.

    >>> from hanalyze.analysis import example, rates
    >>> with example() as db:
    ...     plain = rates(db, by="player", minimum=10)
    ...     sum_up(db).games, rates(db, by="player", minimum=10).equals(plain), sum_up(db).games
    (6, True, 0)
    """
    return update_sums(db, MAKERS, on_part)


def part_sums(connection: duckdb.DuckDBPyConnection) -> AbstractContextManager[dict[str, str]]:
    """Give by table the query for the sums of all games that a connection sees.

    It has the tables of a database, or views of their names, and the views of
    `hanalyze.store.mistakes.prepare`. Sums of several parts are put together row by
    row, with the number of the part before them.
    """
    return sums_of_part(connection, MAKERS)

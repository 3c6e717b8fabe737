"""Stored partial sums of a database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hanalyze.analysis.decision_cache import DecisionSums
from hanalyze.report.dashboard.teams import GameCounts
from hanalyze.store import Database
from hanalyze.store.part_sums import Maker, SumsSummary
from hanalyze.store.sums import update_sums

MAKERS: Final[tuple[Maker, ...]] = (DecisionSums(), GameCounts())


def sum_up(db: Database, *, on_part: Callable[[int], object] | None = None) -> SumsSummary:
    """Store the sums of all games in a database; valid stored sums are not computed again.

    The dashboard, `explore`, and rates and counts of mistakes then add up these sums instead of judging every
    turn, with the same results. After games are added, run `sum_up` again; it counts only the new games.
    `on_part` and the errors are those of `hanalyze.store.sums.update_sums`.

    >>> from hanalyze.analysis import example, rates
    >>> with example() as db:
    ...     plain = rates(db, by="player", minimum=10)
    ...     sum_up(db).games, rates(db, by="player", minimum=10).equals(plain), sum_up(db).games
    (6, True, 0)
    """
    return update_sums(db, MAKERS, on_part)

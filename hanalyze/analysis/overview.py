"""The first look at many games: scores and mistakes side by side.

In: a database. Out: a frame, one row per group.
"""

from __future__ import annotations

from typing import Final

from hanalyze.analysis.grouping import DECISIONS, by_name
from hanalyze.analysis.rates import BY, Folder, family_rates
from hanalyze.analysis.scores import SCORES_BY, scores
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES

OVERVIEW_BY: Final = tuple(name for name in BY if name != "severity")
"""The names of the groupings of an overview."""


def overview(
    db: Database,
    by: str | None = None,
    *,
    minimum: int = 30,
    confidence: float = 0.95,
    folder: Folder = None,
) -> pl.DataFrame:
    """Return scores and rates of mistakes, one row per group; `by` is one of `OVERVIEW_BY`, or None.

    Columns: that of the group, and those of `FRAMES`, where a group is not of whole games without the first,
    which are about games: those of `scores`. The rates of mistakes are those of `family_rates`, null below
    `minimum` opportunities. Raises `UnknownName`.

    Grouped by player, scores are of the games that a player took part in, mistakes the player's own.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     overview(db).columns[:4]
    ['games', 'mean', 'mean_low', 'mean_high']
    """
    columns = list(by_name(by, DECISIONS, OVERVIEW_BY).columns)
    found = family_rates(db, by=by, minimum=minimum, confidence=confidence, folder=folder)
    groups = found.select(columns).unique(maintain_order=True) if columns else None
    parts = []
    if by is None or by in SCORES_BY:
        parts.append(
            scores(db, by, confidence=confidence).select(
                *columns,
                "games",
                "mean",
                "mean_low",
                "mean_high",
                "perfect",
                "perfect_low",
                "perfect_high",
            )
        )
        groups = parts[0].select(columns) if columns else None
    parts += [
        found.filter(pl.col("kind") == family).select(
            *columns,
            pl.col("rate").alias(family),
            pl.col("low").alias(f"{family}_low"),
            pl.col("high").alias(f"{family}_high"),
        )
        for family in FAMILIES
    ]
    if groups is None:
        # A family that nobody had an opportunity for has no row.
        height = parts[0].height
        return pl.concat([part if part.height else part.clear(height) for part in parts], how="horizontal")
    for part in parts:
        groups = groups.join(part, on=columns, how="left", maintain_order="left")
    return groups

"""Overview: scores and rates of mistakes side by side; a small example database."""

from __future__ import annotations

from typing import Final

from hanalyze.agents import simulate
from hanalyze.analysis.grouping import DECISIONS, Groups, by_name
from hanalyze.analysis.rates import BY, family_rates
from hanalyze.analysis.scores import SCORES_BY, scores
from hanalyze.lazy import polars as pl
from hanalyze.store import Database, connect
from hanalyze.store.definitions import FAMILIES, Folder

OVERVIEW_BY: Final = tuple(name for name in BY if name != "severity")


def overview(
    db: Database,
    by: Groups = None,
    *,
    minimum: int = 30,
    confidence: float = 0.95,
    folder: Folder = None,
) -> pl.DataFrame:
    """Return scores and rates of mistakes, one row per group.

    `by` is one of `OVERVIEW_BY`, a list of two of them, or None. The columns are those of the groups and of
    `FRAMES`; if a grouping is not one of `SCORES_BY`, only the groups and the rates of mistakes. The rates
    are those of `family_rates`, null for fewer than `minimum` opportunities. By player, scores are those of
    all games with the player, and mistakes those of the player. Raises `UnknownName`.

    >>> with example() as db:
    ...     overview(db).columns[:4]
    ['games', 'mean', 'mean_low', 'mean_high']
    """
    grouping = by_name(by, DECISIONS, OVERVIEW_BY, two=True)
    columns = list(grouping.columns)
    rates = family_rates(db, by=by, minimum=minimum, confidence=confidence, folder=folder)
    keys: list[str | pl.Expr] = [*columns, pl.lit(0).alias("_all")]
    frame = rates.select(keys).unique(maintain_order=True)
    if grouping.name is None or all(name in SCORES_BY for name in grouping.name.split(",")):
        estimates = "^(games|ended_strikeout|(mean|finished|perfect)(_low|_high)?)$"
        frame = scores(db, by, confidence=confidence).select(*keys, estimates)
    for family in FAMILIES:
        own = rates.filter(pl.col("kind") == family)
        names = {"rate": family, "low": f"{family}_low", "high": f"{family}_high"}
        part = own.select(*keys, *names).rename(names)
        frame = frame.join(part, on=[*columns, "_all"], how="left", maintain_order="left")
    return frame.drop("_all")


def example(games: int = 6) -> Database:
    """Return a database in memory with three-player games of two agents, `cautious` and `random`.

    The same number of games gives the same games. Close the database, or use it as a context manager.

    >>> with example() as db:
    ...     db.count("games")
    6
    """
    db = connect()
    for agent, count in (("cautious", games - games // 3), ("random", games // 3)):
        db.add(simulate(agent, players=3, games=count, seed=1), jobs=1)
    return db

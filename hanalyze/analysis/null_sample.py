"""Chance rates: how often conventions are found in games of agents that know none.

`null_sample.csv` has the counts; `python -m tools.make_null_sample` writes it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.lazy import polars as pl

CONTROLS: Final = ("random", "cautious")
"""Agents whose actions follow no convention."""
PLAYERS: Final = (2, 3, 4, 5)
"""Team sizes of the games of these agents."""
NULL_FILE: Final = Path(__file__).with_suffix(".csv")


def null_sample() -> pl.DataFrame:
    """Return counts of conventions found in games of the control agents, by agent, team size and convention.

    The columns are `agent` (one of `CONTROLS`), `players`, `convention` (without "unexplained" and plain
    plays and discards), `actions` (of all games), `found`, `settled` (findings that later turns showed to
    have worked or not) and `success` (findings that worked). The games were read at the highest level.

    >>> frame = null_sample()
    >>> frame.height == len(CONTROLS) * len(PLAYERS) * frame["convention"].n_unique()
    True
    """
    return pl.read_csv(NULL_FILE, comment_prefix="#")


def with_null_rates(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the rates of the null sample to rates of conventions (`convention_stats`).

    The new columns are `null_random` and `null_cautious` (findings per 100 actions of each agent) and
    `null_success` (share of the settled findings of both agents that succeeded). Rows by `players` get the
    rates of the same team size, all other rows those of all sizes together. Rows by level get the sums over
    the messages of the level.
    """
    levels = {convention.label: convention.level for convention in conventions_in(MESSAGES)}
    null = null_sample().with_columns(
        level=pl.col("convention").replace_strict(levels, default=None, return_dtype=pl.Int32)
    )
    subject = "level" if "level" in frame.columns else "convention"
    keys = [subject, *(["players"] if "players" in frame.columns else [])]
    null = null.drop_nulls(subject).cast({name: frame.schema[name] for name in keys})
    tables = null.group_by({*keys, "agent", "players"}).agg(
        pl.col("found", "settled", "success").sum(), pl.col("actions").first()
    )
    sums = tables.group_by(*keys, "agent").agg(pl.col("found", "settled", "success", "actions").sum())
    per_100 = 100 * pl.col("found") / pl.col("actions")
    rates = sums.group_by(keys).agg(
        *(per_100.filter(pl.col("agent") == agent).first().alias(f"null_{agent}") for agent in CONTROLS),
        (pl.col("success").sum() / pl.col("settled").sum()).fill_nan(None).alias("null_success"),
    )
    return frame.join(rates, on=keys, how="left", maintain_order="left")

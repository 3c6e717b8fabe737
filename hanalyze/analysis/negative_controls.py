"""Negative controls from games of agents that know no conventions (Lipsitch et al. 2010).

`null_sample.csv` has the frequency with which each convention is found by chance in such games, and
`negative_controls.csv` its apparent effects, which cannot be caused by the convention.
`python -m tools.make_null_sample` and `python -m tools.make_controls` write these files.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import Ints
from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.game.meanings import Convention
from hanalyze.lazy import polars as pl

CONTROLS: Final = ("random", "cautious")
"""Agents whose actions follow no convention."""
PLAYERS: Final = (2, 3, 4, 5)
"""Team sizes of the control games."""
FILE: Final = Path(__file__).with_suffix(".csv")
NULL_FILE: Final = FILE.with_name("null_sample.csv")
_ENOUGH: Final = 0.5
"""Minimum share of the taken turns whose team size has a control."""


def null_sample() -> pl.DataFrame:
    """Return counts of conventions found in games of the control agents, by agent, team size and convention.

    The columns are `agent` (one of `CONTROLS`), `players`, `convention` (without "unexplained" and plain
    plays and discards), `actions` (of all games), `found` (findings of the convention), `settled` (findings
    that expected a response and were not cut off by the end of the game) and `success` (settled findings that
    succeeded). The games were read at the highest level. 100 * found / actions is the chance level per 100
    actions.

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
    null = null_sample()
    keys = ["convention"]
    if "level" in frame.columns:
        keys = ["level"]
        levels = {one.label: one.level for one in conventions_in(MESSAGES)}
        null = null.with_columns(
            pl.col("convention").replace_strict(levels, default=None, return_dtype=pl.Int32).alias("level")
        ).drop_nulls("level")
    if "players" in frame.columns:
        keys.append("players")
        null = null.with_columns(pl.col("players").cast(frame.schema["players"]))
    if "level" in frame.columns:
        null = null.with_columns(pl.col("level").cast(frame.schema["level"]))
    tables = null.group_by(*keys, "agent", *({"players"} - set(keys))).agg(
        pl.col("found", "settled", "success").sum(), pl.col("actions").first()
    )
    sums = tables.group_by(*keys, "agent").agg(pl.col("found", "settled", "success", "actions").sum())
    rates = sums.group_by(keys).agg(
        *(
            (100 * pl.col("found") / pl.col("actions"))
            .filter(pl.col("agent") == agent)
            .first()
            .alias(f"null_{agent}")
            for agent in CONTROLS
        ),
        (pl.col("success").sum() / pl.col("settled").sum()).fill_nan(None).alias("null_success"),
    )
    return frame.join(rates, on=keys, how="left", maintain_order="left")


class Control(NamedTuple):
    """An effect that is found by chance, and its standard error."""

    value: float
    error: float


def control(agent: str, convention: Convention, outcome: str, players: Ints) -> Control | None:
    """Return the control of an agent for a convention and an outcome, or None if there is too little data.

    `players` has the team size of each turn that took the convention; the controls of the team sizes are
    weighted by their frequency. Six players use the control of five players.

    >>> found = control("cautious", Convention.PLAY_CLUE, "points", np.array([3, 3]))
    >>> found is not None and abs(found.value) < 0.5
    True
    """
    sizes, counts = np.unique(np.minimum(players, max(PLAYERS)), return_counts=True)
    known = _table().get((agent, convention.label, outcome), {})
    there = [
        (known[size], count)
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
        if size in known
    ]
    whole = sum(count for _, count in there)
    if not whole or whole < _ENOUGH * counts.sum():
        return None
    weights = [count / whole for _, count in there]
    value = sum(weight * one.value for weight, (one, _) in zip(weights, there, strict=True))
    error = math.hypot(*(weight * one.error for weight, (one, _) in zip(weights, there, strict=True)))
    return Control(value, error)


@cache
def _table() -> dict[tuple[str, str, str], dict[int, Control]]:
    """Return the controls by agent, convention and outcome, and within these by team size."""
    table: dict[tuple[str, str, str], dict[int, Control]] = {}
    for row in pl.read_csv(FILE, comment_prefix="#").iter_rows(named=True):
        sizes = table.setdefault((row["agent"], row["convention"], row["outcome"]), {})
        sizes[row["players"]] = Control(row["effect"], row["standard_error"])
    return table

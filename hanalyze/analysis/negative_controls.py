"""Negative controls: conventions and effects found in games of agents that know none (Lipsitch et al. 2010).

`null_sample.csv` has how often each convention is found there, `negative_controls.csv` its apparent effects:
a word for clues that nobody means cannot pay by itself. `python -m tools.make_null_sample` and
`python -m tools.make_controls` make them.
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
"""Team sizes of their games."""
FILE: Final = Path(__file__).with_suffix(".csv")
NULL_FILE: Final = FILE.with_name("null_sample.csv")
_ENOUGH: Final = 0.5
"""The share of the taken turns whose team size must have a control."""


def null_sample() -> pl.DataFrame:
    """Return the conventions found in games without conventions, by agent, team size and convention.

    Columns: `agent`, one of `CONTROLS`; `players`; `convention`, each but "unexplained" and plain plays and
    discards; `actions` of all games; `found`, the findings of the convention; `settled`, those that expected
    something and were not cut short; `success`, the settled ones that succeeded. Read at the highest level;
    100 * found / actions is the chance level in 100 actions.

    >>> frame = null_sample()
    >>> frame.height == len(CONTROLS) * len(PLAYERS) * frame["convention"].n_unique()
    True
    """
    return pl.read_csv(NULL_FILE, comment_prefix="#")


def with_null_rates(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rates of conventions (`convention_stats`) with those of the null sample beside them.

    Added are `null_random` and `null_cautious`, findings in 100 actions of each agent's games, and
    `null_success`, the share of the settled ones of both that came about. Rows by `players` get those of the
    same team size, all others those of all sizes; by level they are summed up; what is no message has none.
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
    """Return what an agent's games show for a convention and an outcome, or None where they show too little.

    `players` are the sizes of the tables where it was taken: the effects at these tables are weighted as
    often as they occur. Tables of six have the effects of five.

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
    """Return the controls by agent, convention and outcome, then by table size."""
    table: dict[tuple[str, str, str], dict[int, Control]] = {}
    for row in pl.read_csv(FILE, comment_prefix="#").iter_rows(named=True):
        sizes = table.setdefault((row["agent"], row["convention"], row["outcome"]), {})
        sizes[row["players"]] = Control(row["effect"], row["standard_error"])
    return table

"""How often players who mean nothing seem to use conventions, and how often these seem to work.

In: nothing, or with `python -m hanalyze.analysis.null_sample` games of two agents that know no conventions,
on fixed seeds. Out: `null_sample.csv` beside this file, and its frame: the chance level for what is found in
games of people. What is found there no more often than here may well be chance.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from hanalyze.agents import simulate
from hanalyze.analysis.outcome_words import SETTLED
from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.conventions.run import read_records
from hanalyze.game.meanings import Convention, OutcomeKind
from hanalyze.lazy import polars as pl
from hanalyze.tables.conventions import CONVENTIONS_VERSION

NULL_AGENTS: Final = ("random", "cautious")
"""Agents whose actions follow no convention."""
NULL_PLAYERS: Final = (2, 3, 4, 5)

_COLUMNS: Final = ("agent", "players", "convention", "actions", "found", "settled", "success")
_FILE: Final = Path(__file__).with_suffix(".csv")
_GAMES: Final = 1000
_SEED: Final = 1
_SETTLED: Final = [int(OutcomeKind[word.upper()]) for word in SETTLED]


def null_sample() -> pl.DataFrame:
    """Return what is found in games without conventions, a row for each agent, table and convention.

    Columns: `agent`, one of `NULL_AGENTS`; `players`; `convention`, each but "unexplained" and plain plays
    and discards; `actions` of all games; `found`, the findings of the convention in them; `settled`, how many
    of these expected something and were not cut short; `success`, how many of those came out as a success.
    Read at the highest level; 100 * found / actions is the chance level in 100 actions.

    >>> frame = null_sample()
    >>> frame.columns
    ['agent', 'players', 'convention', 'actions', 'found', 'settled', 'success']
    >>> frame.height == len(NULL_AGENTS) * len(NULL_PLAYERS) * frame["convention"].n_unique()
    True
    """
    return pl.read_csv(_FILE, comment_prefix="#")


def beside_null(frame: pl.DataFrame) -> pl.DataFrame:
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
            for agent in NULL_AGENTS
        ),
        (pl.col("success").sum() / pl.col("settled").sum()).fill_nan(None).alias("null_success"),
    )
    return frame.join(rates, on=keys, how="left", maintain_order="left")


def null_sample_version() -> int:
    """Return the version of the conventions (`CONVENTIONS_VERSION`) by which the sample was read."""
    with _FILE.open(encoding="utf-8") as file:
        found = re.search(r"conventions (\d+)", file.readline())
    return int(found[1]) if found else 0


_NOT_COUNTED: Final = (Convention.UNEXPLAINED, Convention.PLAIN_PLAY, Convention.PLAIN_DISCARD)


def counted(
    agent: str, players: int, games: int, seed: int, *, fast: bool | None = None
) -> Iterator[tuple[str, int, str, int, int, int, int]]:
    """Yield the rows of one agent at one table, from new games."""
    records = list(simulate(agent, players=players, games=games, seed=seed, fast=fast))
    out = read_records(records, fast=fast)
    name = out.findings["convention"]
    outcome = out.outcomes["outcome"]
    settled = np.isin(outcome, _SETTLED)
    success = outcome == OutcomeKind.SUCCESS
    actions = int(out.games["turns"].sum())
    for one in Convention:
        if one not in _NOT_COUNTED:
            is_one = name == one
            counts = (int(is_one.sum()), int((is_one & settled).sum()), int((is_one & success).sum()))
            yield agent, players, one.label, actions, *counts


def main() -> None:
    """Make the sample anew."""
    rows = [
        row
        for agent in NULL_AGENTS
        for players in NULL_PLAYERS
        for row in counted(agent, players, _GAMES, _SEED)
    ]
    with _FILE.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# conventions {CONVENTIONS_VERSION}; {_GAMES} games a table, seeds from {_SEED} on\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()

"""The null sample: what is found in games of players who mean nothing."""

from __future__ import annotations

from math import sqrt

import polars as pl
import pytest

from hanalyze.analysis.null_sample import NULL_AGENTS, NULL_PLAYERS, counted, null_sample, null_sample_version
from hanalyze.conventions.names import Convention
from hanalyze.tables.conventions import CONVENTIONS_VERSION


def test_it_was_read_by_the_conventions_of_today() -> None:
    assert null_sample_version() == CONVENTIONS_VERSION, "run `python -m hanalyze.analysis.null_sample`"


def test_its_numbers_fit_together() -> None:
    frame = null_sample()
    assert frame["agent"].unique(maintain_order=True).to_list() == list(NULL_AGENTS)
    assert sorted(frame["players"].unique()) == list(NULL_PLAYERS)
    assert set(frame["convention"]) <= {one.label for one in Convention}
    assert frame.select((pl.col("success") <= pl.col("settled")).all()).item()
    assert frame.select((pl.col("settled") <= pl.col("found")).all()).item()
    assert frame.select((pl.col("found") < pl.col("actions")).all()).item()
    assert frame.group_by("agent", "players").agg(pl.col("actions").n_unique())["actions"].to_list() == [1] * 8


@pytest.mark.parametrize("agent", NULL_AGENTS)
@pytest.mark.parametrize("players", [2, 4])
def test_other_games_come_to_the_same_within_what_chance_does(agent: str, players: int) -> None:
    stored = {
        row["convention"]: row
        for row in null_sample().filter(agent=agent, players=players).iter_rows(named=True)
    }
    rows = list(counted(agent, players, 20, 5_000_000, fast=False))
    assert [row[2] for row in rows] == list(stored)
    for _, _, convention, actions, found, settled, success in rows:
        then = stored[convention]
        expected = actions * then["found"] / then["actions"]
        # Findings of a game depend on each other: twice the spread of independent ones, five times.
        assert abs(found - expected) <= 5 * 2 * sqrt(max(expected, 1)), convention
        if settled >= 20:
            share = then["success"] / then["settled"]
            assert abs(success / settled - share) <= 5 * 1.5 * sqrt(0.25 / settled), convention

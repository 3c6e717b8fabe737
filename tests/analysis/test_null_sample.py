"""The null sample: what is found in games of players who mean nothing."""

from __future__ import annotations

from math import sqrt

import polars as pl
import pytest

from hanalyze.analysis.null_sample import (
    CONTROLS,
    NULL_FILE,
    PLAYERS,
    null_sample,
    with_null_rates,
)
from hanalyze.game.meanings import Convention
from hanalyze.tables.conventions import CONVENTIONS_VERSION
from tools.make_null_sample import sample_rows


def test_it_was_read_by_the_conventions_of_today() -> None:
    text = NULL_FILE.read_text(encoding="utf-8")
    assert f"conventions {CONVENTIONS_VERSION};" in text, "run `python -m tools.make_null_sample`"


def test_its_numbers_fit_together() -> None:
    frame = null_sample()
    assert frame["agent"].unique(maintain_order=True).to_list() == list(CONTROLS)
    assert sorted(frame["players"].unique()) == list(PLAYERS)
    assert set(frame["convention"]) <= {one.label for one in Convention}
    assert frame.select((pl.col("success") <= pl.col("settled")).all()).item()
    assert frame.select((pl.col("settled") <= pl.col("found")).all()).item()
    assert frame.select((pl.col("found") < pl.col("actions")).all()).item()
    assert frame.select("agent", "players", "actions").n_unique() == len(CONTROLS) * len(PLAYERS)


@pytest.mark.parametrize("agent", CONTROLS)
@pytest.mark.parametrize("players", [2, 4])
def test_other_games_come_to_the_same_within_what_chance_does(agent: str, players: int) -> None:
    stored = {
        row["convention"]: row
        for row in null_sample().filter(agent=agent, players=players).iter_rows(named=True)
    }
    rows = list(sample_rows(agent, players, 20, 5_000_000, fast=False))
    assert [row[2] for row in rows] == list(stored)
    for _, _, convention, actions, found, settled, success in rows:
        then = stored[convention]
        expected = actions * then["found"] / then["actions"]
        # Findings of a game depend on each other: twice the spread of independent ones, five times.
        assert abs(found - expected) <= 5 * 2 * sqrt(max(expected, 1)), convention
        if settled >= 20:
            share = then["success"] / then["settled"]
            assert abs(success / settled - share) <= 5 * 1.5 * sqrt(0.25 / settled), convention


def test_the_null_sample_stands_beside_every_rate() -> None:
    null = null_sample()
    named = pl.DataFrame({"players": [3, 2], "convention": ["finesse", "plain_play"]})
    row = with_null_rates(named).row(0, named=True)
    for agent in CONTROLS:
        [one] = null.filter(
            (pl.col("agent") == agent) & (pl.col("players") == 3) & (pl.col("convention") == "finesse")
        ).to_dicts()
        assert row[f"null_{agent}"] == pytest.approx(100 * one["found"] / one["actions"])
    assert with_null_rates(named)["null_random"][1] is None
    # All team sizes together, where the rows are not by team size; all messages of a level, by level.
    [every] = with_null_rates(named.drop("players").head(1)).to_dicts()
    of = null.filter((pl.col("agent") == "cautious") & (pl.col("convention") == "finesse"))
    assert every["null_cautious"] == pytest.approx(100 * of["found"].sum() / of["actions"].sum())
    [level] = with_null_rates(pl.DataFrame({"level": [11]})).to_dicts()
    bluffs = null.filter(pl.col("convention").is_in(["bluff", "self_bluff"]) & (pl.col("agent") == "random"))
    assert level["null_random"] == pytest.approx(
        100 * bluffs["found"].sum() / bluffs.filter(pl.col("convention") == "bluff")["actions"].sum()
    )

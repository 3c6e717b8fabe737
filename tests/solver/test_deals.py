"""Many deals: the same as deal by deal, whatever the threads and the speed."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from hanalyze.decks import deck
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import can_compile
from hanalyze.replaying import replay
from hanalyze.solver.deals import deals, dealt
from hanalyze.solver.search_plan import Budget, Games, Seeker
from hanalyze.solver.solving import solve
from hanalyze.tables.solved import DEALS

SEEDS = [f"p{players}v0s{number}" for players in (2, 3, 5) for number in range(1, 5)]


def seeker(seed: str) -> Seeker:
    return Seeker(Games.of(make_batch(deal_records([dealt(seed)])), fast=False), 0, Budget())


def test_a_row_for_each_deal() -> None:
    frame = deals(SEEDS, runs=3, fast=False)
    assert frame.columns == [column.name for column in DEALS]
    assert frame["seed"].to_list() == SEEDS
    assert frame["players"].to_list() == [2] * 4 + [3] * 4 + [5] * 4
    for row in frame.iter_rows(named=True):
        best = solve(replay(dealt(row["seed"])), 0, fast=False)
        assert (row["best_low"], row["best_high"]) == (best.low, best.high)
        assert row["winnable"] is best.reachable(25)
        assert row["nodes"] == best.nodes
        assert row["lucky"] * 3 in (0, 1, 2, 3)
        assert row["winnable"] or row["lucky"] == 0


def test_columns_are_of_their_types() -> None:
    kinds = deals(["p2v0s1"], runs=1, fast=False).schema
    assert kinds["winnable"] == pl.Boolean
    assert (kinds["players"], kinds["lucky"], kinds["seed"]) == (pl.Int8, pl.Float64, pl.String)


def test_a_deal_that_cannot_be_won() -> None:
    """By hand: ten cards have to be in two hands of five, and none of them fits.

    With the 31st card all copies of r4 r5 y2 y3 y4 y5 g2 g3 g4 p3 have been drawn; r3, y1, g1 and p2 come
    later.
    """
    cards = deck("p2v0s40")
    letters = "rygbp"
    names = [letters[card.suit] + str(card.rank) for card in cards]
    for name in ["r4", "r5", "y2", "y3", "y4", "y5", "g2", "g3", "g4", "p3"]:
        assert name not in names[31:]
    for name in ["r3", "y1", "g1", "p2"]:
        assert name not in names[:31]
    frame = deals(["p2v0s40"], runs=2, fast=False)
    assert frame.select("winnable", "best_low", "best_high", "lucky").row(0) == (False, 24, 24, 0.0)


def test_without_noise_every_run_is_the_plain_beam() -> None:
    for seed in SEEDS:
        plain = seeker(seed).lucky_runs(0, 25, 1, 0)
        assert seeker(seed).lucky_runs(0, 25, 3, 0) == 3 * plain
        # Noise is below its limit.
        assert seeker(seed).lucky_runs(0, 25, 3, 1) == 3 * plain


def test_noise_makes_runs_differ() -> None:
    shares = deals([f"p5v0s{number}" for number in range(1, 7)], runs=8, fast=False)["lucky"]
    assert 0 < shares.mean() < 1
    assert shares.n_unique() > 2


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
def test_threads_and_speeds_change_nothing() -> None:
    seeds = [f"p{2 + number % 4}v0s{number}" for number in range(130)]
    one = deals(seeds, runs=4, nodes=3_000, jobs=1, fast=True)
    assert one.equals(deals(iter(seeds), runs=4, nodes=3_000, jobs=3, fast=True))
    assert one.head(12).equals(deals(seeds[:12], runs=4, nodes=3_000, fast=False))


def test_what_is_open_is_null() -> None:
    frame = deals(["p2v0s101753"], runs=0, nodes=1, fast=False)
    assert frame.select("winnable", "best_high", "runs", "lucky").row(0) == (None, 25, 0, None)


def test_other_variants_and_no_seeds() -> None:
    frame = deals(["p2v10s1", "abc"], players=3, variant="6 Suits", runs=1, fast=False)
    assert frame["full_score"].to_list() == [30, 30]
    assert frame["players"].to_list() == [3, 3]
    assert deals([], fast=False).height == 0


@pytest.mark.parametrize(
    ("seeds", "how", "rule"),
    [
        ("p2v0s1", {}, "bad_seed"),
        (["abc"], {}, "player_count"),
        (["abc"], {"players": 9}, "player_count"),
        (["p2v0s1"], {"runs": -1}, "bad_number"),
        (["p2v0s1"], {"variant": "Sudoku (5 Suits)"}, "not_covered"),
    ],
)
def test_what_cannot_be_dealt(seeds: list[str], how: dict[str, Any], rule: str) -> None:
    with pytest.raises(HanalyzeError) as error:
        deals(seeds, fast=False, **how)
    assert error.value.rule == rule


def test_a_deal_that_is_not_covered_is_named() -> None:
    with pytest.raises(HanalyzeError, match="game p3v24s2: the solver does not cover Up or Down"):
        deals(["p3v0s1", "p3v24s2"], fast=False)

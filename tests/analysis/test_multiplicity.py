"""What a table may claim: intervals that match q-values, and shrinking; cases worked by hand."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest

from hanalyze.analysis import Interval, benjamini_hochberg, rates
from hanalyze.analysis.statistics.multiplicity import adjusted_intervals, empirical_bayes
from tests.analysis.played import played

pytest.importorskip("scipy", reason="p-values are SciPy's")


def test_intervals_match_by_hand() -> None:
    """Ten differences with a standard error of 1: two are claims, so the intervals are of 1 - 2 * 5% / 10."""
    normal = NormalDist()
    effects = [4.0, -3.0, 2.1, *[0.5] * 7]
    p_values = [2 * (1 - normal.cdf(abs(effect))) for effect in effects]
    plain = [Interval(effect - 1.96, effect + 1.96) for effect in effects]
    q_values = benjamini_hochberg(p_values)
    assert [q <= 0.05 for q in q_values] == [True, True, *[False] * 8]
    ends = adjusted_intervals(effects, plain, p_values, q_values)
    half = normal.inv_cdf(1 - 0.01 / 2)
    for effect, (low, high) in zip(effects, ends, strict=True):
        assert (low, high) == (pytest.approx(effect - half, abs=1e-3), pytest.approx(effect + half, abs=1e-3))
    # The third is claimed by its 95% interval alone, and by no other number.
    assert plain[2].low > 0 > ends[2].low


def test_intervals_exclude_0_where_there_is_a_claim() -> None:
    random = np.random.default_rng(1)
    for _ in range(50):
        effects = random.normal(0, 2, 30)
        p_values = [2 * (1 - NormalDist().cdf(abs(effect))) for effect in effects]
        skew = random.uniform(0.7, 1.5, (30, 2))
        plain = [Interval(e - 1.96 * a, e + 1.96 * b) for e, (a, b) in zip(effects, skew, strict=True)]
        q_values = benjamini_hochberg(p_values)
        for (low, high), q in zip(
            adjusted_intervals(effects.tolist(), plain, p_values, q_values), q_values, strict=True
        ):
            assert (not low <= 0 <= high) == (q <= 0.05)


def test_one_difference_keeps_its_interval() -> None:
    p_value = 2 * (1 - NormalDist().cdf(1.5))
    [(low, high)] = adjusted_intervals([1.5], [Interval(-0.46, 3.46)], [p_value], [p_value])
    assert (low, high) == (pytest.approx(-0.46, abs=1e-3), pytest.approx(3.46, abs=1e-3))


def test_what_is_not_known_stays_unknown() -> None:
    nothing = Interval(math.nan, math.nan)
    [ends] = adjusted_intervals([math.nan], [nothing], [math.nan], [math.nan])
    assert all(map(math.isnan, ends))
    assert np.isnan(empirical_bayes(np.array([1.0, math.nan, 2.0]), np.array([1.0, 1.0, 1.0]))).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_ends_at_0_where_a_claim_would_be_denied(sign: int) -> None:
    """The p-value says that 0 is out, not how far; what agrees with it keeps its shape."""
    over, under = Interval(-1.0, 4.0), Interval(0.2, 4.0)
    for ends, low in ((over, 0.02), (under, 0.2)):
        turned = ends if sign > 0 else Interval(-ends.high, -ends.low)
        [found] = adjusted_intervals([2.0 * sign], [turned], [1e-6], [1e-6])
        assert sorted(sign * end for end in found) == pytest.approx([low, 4.0])


SHRUNK = [
    # values, variances, shrunk, comment
    ([0, 1, 2], [0.5, 0.5, 0.5], [0.5, 1, 1.5], "between players 0.5: (4 - 2) / (6 - 2)"),
    ([0, 1, 2], [2, 2, 2], [1, 1, 1], "no more than chance: 1 - 2 < 0"),
    (
        [0, 0, 3, 3],
        [1, 1, 1, 1],
        [0.5, 0.5, 2.5, 2.5],
        "between 2: (9 - 3) / (4 - 1), so two thirds are kept",
    ),
    ([0, 1], [1, 1], [math.nan] * 2, "two say too little"),
]


@pytest.mark.parametrize(("values", "variances", "expected", "comment"), SHRUNK)
def test_shrunk_by_hand(
    values: list[float], variances: list[float], expected: list[float], comment: str
) -> None:
    drawn = empirical_bayes(np.array(values, float), np.array(variances, float))
    assert drawn == pytest.approx(expected, nan_ok=True), comment


def test_who_is_known_less_is_drawn_further() -> None:
    drawn = empirical_bayes(np.array([0.0, 0.0, 3.0, 3.0]), np.array([0.1, 1.0, 0.1, 1.0]))
    assert drawn[0] < drawn[1] < drawn[3] < drawn[2]


def test_shrunk_estimates_are_nearer_to_the_truth() -> None:
    random = np.random.default_rng(2)
    truth = random.normal(0, 1, 400)
    variances = random.uniform(0.2, 4, 400)
    values = truth + random.normal(0, np.sqrt(variances))
    raw, drawn = (((some - truth) ** 2).mean() for some in (values, empirical_bayes(values, variances)))
    assert drawn < 0.6 * raw


def test_rates_of_players_are_drawn_towards_those_of_all() -> None:
    frame = rates(played(), "misplay", by="player", minimum=10).filter(pl.col("rate").is_not_null())
    assert frame.height > 3
    common = frame["found"].sum() / frame["opportunities"].sum()
    rate, drawn = frame["rate"].to_numpy(), frame["shrunk"].to_numpy()
    assert np.isfinite(drawn).all()
    assert drawn.max() - drawn.min() < rate.max() - rate.min()
    least, most = common * (1 - 1e-12), common * (1 + 1e-12)  # sums in another order
    assert rate.min() <= drawn.min() <= most
    assert least <= drawn.max() <= rate.max()
    assert rates(played(), "misplay", by="players", minimum=10)["shrunk"].null_count() > 0

"""Permutation tests: SciPy's as authority, counts worked by hand, and what strata and pairs keep."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from hanalyze.analysis.statistics.differences import Design, Difference, Labels, differences
from hanalyze.analysis.statistics.intervals import Interval
from hanalyze.analysis.statistics.multiplicity import adjusted_intervals

stats = pytest.importorskip("scipy.stats", reason="the authority is SciPy")


def _one(labels: Labels, values: np.ndarray, share: bool = False) -> float:
    [p_value] = labels.p_values([values], [np.ones(len(values))], [share], seed=1)
    return float(p_value)


def _alone(group: np.ndarray) -> Labels:
    games = np.arange(len(group))
    return Labels(group, games * 0, games, np.ones(len(games)), np.array([False]))


def _difference(a: list[float], b: list[float]) -> Difference:
    group = np.repeat([0, 1], [len(a), len(b)])
    games, ones = np.arange(len(group)), np.ones(len(group))
    design = Design(group, games * 0, games, ones, np.array([False]))
    [one] = differences(design, [np.array([*a, *b], float)], [ones], shares=[False], minimum=[0])
    return one


def _ends(one: Difference) -> Interval:
    """Return the interval of a single measure."""
    p_value = [one.p_value]
    [ends] = adjusted_intervals(
        [one.effect], [Interval(one.low, one.high)], p_value, p_value, shares=[one.shares]
    )
    return ends


def test_of_small_groups_it_is_a_permutation_test() -> None:
    random = np.random.default_rng(4)
    a, b = random.integers(10, 26, 14).tolist(), random.integers(8, 22, 9).tolist()
    one = _difference(a, b)

    def welch(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
        spread = x.var(axis=axis, ddof=1) / x.shape[axis] + y.var(axis=axis, ddof=1) / y.shape[axis]
        return np.abs(x.mean(axis=axis) - y.mean(axis=axis)) / np.sqrt(spread)

    theirs = stats.permutation_test((a, b), welch, n_resamples=20_000, alternative="greater")
    assert one.p_value == pytest.approx(theirs.pvalue, abs=0.02)
    # Of so few a mean has no interval.
    assert np.isnan(one.low)
    assert np.isnan(one.high)
    a, b = random.integers(10, 26, 34).tolist(), random.integers(8, 22, 29).tolist()
    one = _difference(a, b)
    interval = stats.ttest_ind(a, b, equal_var=False).confidence_interval()
    width = interval.high - interval.low
    assert one.low == pytest.approx(interval.low, abs=0.1 * width)
    assert one.high == pytest.approx(interval.high, abs=0.1 * width)


def test_few_games_that_lack_the_disasters_are_no_surer_for_it() -> None:
    """Nine games at 24 or 25, of the others one in ten at 0: Welch is sure of a difference."""
    a, b = [24, 25, 25] * 3, [25, 24, 25, 24, 25, 25, 24, 25, 24, 0] * 9
    assert stats.ttest_ind(a, b, equal_var=False).pvalue < 0.01
    one = _difference(a, b)
    # (90 choose 9) / (99 choose 9) = 41% of nine games have none of the nine disasters; of these some come
    # to a higher mean, or vary less.
    assert 0.1 < one.p_value < 0.41
    # Of 21 games and five disasters: (90 choose 5) / (111 choose 5) = 34%.
    one = _difference([24, 25, 25] * 7, [*b[:50], *[value or 25 for value in b[50:]]])
    assert 0.05 < one.p_value < 0.34
    assert _ends(one).low < 0 < _ends(one).high


def test_many_pairs_are_students() -> None:
    random = np.random.default_rng(6)
    deals = random.normal(18, 4, 210)
    a, b = deals + random.normal(0.3, 2, 210), deals + random.normal(0, 2, 210)
    group, pair = np.repeat([0, 1], 210), np.tile(np.arange(210), 2)
    design = Design(group, pair, pair, np.full(420, 0.5), np.ones(210, np.bool_))
    [one] = differences(design, [np.concatenate([a, b])], [np.ones(420)], shares=[False], minimum=[0])
    assert one.p_value == pytest.approx(stats.ttest_rel(a, b).pvalue)


def test_pairs_are_exchanged_within_themselves() -> None:
    random = np.random.default_rng(3)
    a, b = random.normal(0.6, 1, 12), random.normal(0, 1, 12)
    group, pair = np.repeat([0, 1], 12), np.tile(np.arange(12), 2)
    labels = Labels(group, pair, np.arange(24), np.full(24, 0.5), np.ones(12, np.bool_))

    def strength(apart: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.abs(apart.mean(axis=axis)) / apart.std(axis=axis, ddof=1)

    theirs = stats.permutation_test((a - b,), strength, permutation_type="samples", alternative="greater")
    assert _one(labels, np.concatenate([a, b])) == pytest.approx(theirs.pvalue, abs=0.02)


def test_a_rare_share_by_hand() -> None:
    """Both rare games among the 10 of 100: two of 100 can be there in so many ways."""
    group = np.repeat([0, 1], [10, 90])
    values = np.zeros(100)
    values[[2, 7]] = 1
    assert _one(_alone(group), values, share=True) == pytest.approx(comb(10, 2) / comb(100, 2), abs=0.004)
    # One of them: found in 10 of 100 games it is, with 2 or more, what Fisher's test says.
    values[[7, 50]] = 0, 1
    theirs = stats.fisher_exact([[1, 9], [1, 89]]).pvalue
    assert _one(_alone(group), values, share=True) == pytest.approx(theirs, abs=0.02)


def test_groups_change_within_strata_only() -> None:
    """Strata of other levels, in which nothing differs: the levels say nothing about the groups."""
    group = np.array([0, 0, 0, 0, 1] * 2 + [0, 1, 1, 1, 1] * 2)
    stratum = np.repeat([0, 1], 10)
    level = np.where(stratum == 0, 20.0, 5.0) + np.tile([0.1, 0.3, 0.2, 0.0, 0.15], 4)
    weight = np.where(stratum == 0, np.where(group == 0, 0.2, 0.8), np.where(group == 0, 0.8, 0.2))
    labels = Labels(group, stratum, np.arange(20), weight, np.zeros(2, np.bool_))
    assert _one(labels, level) > 0.3
    assert _one(_alone(group), level) < 0.05


def test_games_of_a_deal_change_groups_together() -> None:
    """Five copies of each game are no more than the game."""
    random = np.random.default_rng(5)
    values, group = random.normal(0, 1, 16), np.repeat([0, 1], 8)
    group, deal = np.repeat(group, 5), np.repeat(np.arange(16), 5)
    copies = Labels(group, group * 0, deal, np.full(80, 0.2), np.array([False]))
    assert _one(copies, np.repeat(values, 5)) == _one(_alone(np.repeat([0, 1], 8)), values)


def test_nothing_that_differs_is_1_and_no_opportunity_is_unknown() -> None:
    labels = _alone(np.repeat([0, 1], 6))
    assert _one(labels, np.zeros(12), share=True) == 1
    assert _one(labels, np.full(12, 3.0)) == 1
    none = np.repeat([0.0, 1.0], 6)
    [p_value] = labels.p_values([none], [none], [True], seed=1)
    assert np.isnan(p_value)


@pytest.mark.parametrize("rare", [0.05, 0.5])
def test_what_does_not_differ_is_claimed_as_rarely_as_it_says(rare: float) -> None:
    """Ten games of 100 whose games lose 20 points now and then; games of several opportunities."""
    random = np.random.default_rng(9)
    group = np.repeat([0, 1], [10, 90])
    design = Design(group, group * 0, np.arange(100), np.ones(100), np.array([False]))
    found, of = [], []
    for _ in range(200):
        found.append(np.where(random.random(100) < rare, 4, 24 + random.integers(0, 2, 100)))
        of.append(np.ones(100))
        of.append(random.integers(3, 9, 100))
        found.append(random.binomial(of[-1], rare / 10))
    results = differences(design, found, of, shares=[False, True] * 200, minimum=[0] * 400)
    for some in (results[::2], results[1::2]):
        p_values = np.array([one.p_value for one in some])
        p_values = p_values[~np.isnan(p_values)]
        # Two and a half standard errors of what 200 can tell.
        assert (p_values <= 0.05).mean() <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / len(p_values))
        assert (p_values <= 0.005).mean() <= 0.005 + 2.5 * np.sqrt(0.005 * 0.995 / len(p_values))
        for one in some:
            if not np.isnan(one.p_value + one.low):
                assert (_ends(one).low > 0 or _ends(one).high < 0) == (one.p_value < 0.05)

"""Intervals and p-values: against published values, SciPy, and what must hold."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanalyze.analysis import adjusted, cluster_bootstrap, wilson
from hanalyze.analysis.intervals import bootstrap_groups
from hanalyze.errors import HanalyzeError


@pytest.mark.parametrize(
    ("found", "opportunities", "low", "high"),
    [
        # Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # By hand: 0.5 -+ 1.96 * sqrt(0.25 / 2 + 1.96^2 / 16) / (1 + 1.96^2 / 2); the third turned round.
        (1, 2, 0.0945, 0.9055),
        (20, 20, 0.8389, 1.0000),
    ],
)
def test_wilson_is_as_published(found: int, opportunities: int, low: float, high: float) -> None:
    assert wilson(found, opportunities) == pytest.approx((low, high), abs=5e-5)


def test_wilson_is_scipys() -> None:
    from scipy.stats import binomtest

    for found, opportunities in ((0, 1), (3, 7), (40, 100), (999, 1000)):
        for confidence in (0.5, 0.9, 0.99):
            theirs = binomtest(found, opportunities).proportion_ci(confidence, method="wilson")
            assert wilson(found, opportunities, confidence) == pytest.approx(tuple(theirs), abs=1e-12)


def test_wilson_of_nothing_knows_nothing() -> None:
    assert wilson(0, 0) == (0, 1)


@pytest.mark.parametrize("arguments", [(-1, 3), (4, 3), (1, 3, 0), (1, 3, 1)])
def test_numbers_that_make_no_sense(arguments: tuple[float, ...]) -> None:
    with pytest.raises(HanalyzeError) as caught:
        wilson(*arguments)
    assert caught.value.rule == "bad_number"


def test_adjusted_is_as_published() -> None:
    # Benjamini & Hochberg (1995), section 3.1: of fifteen p-values four are discoveries at 0.05.
    published = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459),
        *(0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000),
    ]
    q_values = adjusted(published)
    assert [q <= 0.05 for q in q_values] == [True] * 4 + [False] * 11
    assert q_values[3] == pytest.approx(0.0095 * 15 / 4)
    assert q_values[4] == pytest.approx(0.0201 * 15 / 5)
    assert q_values[5] == pytest.approx(0.0298 * 15 / 7)


def test_adjusted_minds_no_order_and_skips_what_is_missing() -> None:
    assert adjusted([]) == []
    assert np.isnan(adjusted([float("nan")])).all()
    q_values = adjusted([0.04, float("nan"), 0.01])
    assert q_values[0] == pytest.approx(0.04)
    assert q_values[2] == pytest.approx(0.02)
    assert np.isnan(q_values[1])


def test_without_scipy_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(HanalyzeError, match=r"pip install 'hanalyze\[analysis\]'") as caught:
        adjusted([0.5])
    assert caught.value.rule == "no_scipy"


def counts(games: int, seed: int = 1, rate: float = 0.15) -> tuple[np.ndarray, np.ndarray]:
    """Return what was found and of how much, with rates that differ from game to game."""
    random = np.random.default_rng(seed)
    opportunities = random.integers(1, 12, games)
    return random.binomial(opportunities, random.beta(4 * rate, 4 - 4 * rate, games)), opportunities


@pytest.mark.parametrize("games", [8, 40, 6000])
def test_the_bootstrap_is_scipys(games: int) -> None:
    from scipy.stats import bootstrap

    found, opportunities = counts(games)
    ours = cluster_bootstrap(found, opportunities, 0.9, resamples=40_000)
    if games > 1000:
        rate = found.sum() / opportunities.sum()
        error = np.sqrt(((found - rate * opportunities) ** 2).sum()) / opportunities.sum()
        assert ours == pytest.approx((rate - 1.645 * error, rate + 1.645 * error), abs=0.03 * error)
        return
    theirs = bootstrap(
        (found, opportunities),
        lambda f, o, axis: f.sum(axis) / o.sum(axis),
        paired=True,
        confidence_level=0.9,
        n_resamples=40_000,
        method="percentile",
        rng=np.random.default_rng(2),
    )
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=0.02 * width)


def test_two_games_by_hand() -> None:
    # 0 of 2 and 2 of 2: each pair of draws is 0, 1/2 (twice) or 1, a quarter of all each.
    assert cluster_bootstrap([0, 2], [2, 2], 0.4) == (0.5, 0.5)
    assert cluster_bootstrap([0, 2], [2, 2], 0.6) == (0, 1)


def test_the_same_data_give_the_same_interval() -> None:
    found, opportunities = counts(50)
    assert cluster_bootstrap(found, opportunities) == cluster_bootstrap(found, opportunities)
    assert cluster_bootstrap(found, opportunities) != cluster_bootstrap(found, opportunities, seed=2)


def test_games_without_an_opportunity_say_nothing() -> None:
    found, opportunities = counts(30)
    more = cluster_bootstrap(np.append(found, 0), np.append(opportunities, 0))
    assert more == cluster_bootstrap(found, opportunities)


def test_one_game_has_no_interval() -> None:
    assert np.isnan(cluster_bootstrap([1], [4])).all()
    assert np.isnan(cluster_bootstrap([], [])).all()
    assert np.isnan(cluster_bootstrap([1, 0], [4, 0])).all()


def test_measures_that_are_no_counts_keep_their_width() -> None:
    random = np.random.default_rng(3)
    clues = random.integers(10, 30, 20_000)
    bits = random.normal(4 * clues, 15)
    rate = bits.sum() / clues.sum()
    error = np.sqrt(((bits - rate * clues) ** 2).sum()) / clues.sum()
    low, high = cluster_bootstrap(bits, clues)
    assert (high - low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.06)
    assert (low + high) / 2 == pytest.approx(rate, abs=0.1 * error)


def test_many_groups_are_what_each_is_alone() -> None:
    sizes = [3, 40, 3, 1, 0, 25, 40]
    group = np.repeat(np.arange(len(sizes)), sizes)
    both = [counts(len(group), seed=seed) for seed in (1, 2)]
    found = np.stack([pair[0] for pair in both], axis=1).astype(float)
    opportunities = np.stack([pair[1] for pair in both], axis=1).astype(float)
    opportunities[::3, 1] = 0
    found[::3, 1] = 0
    wanted = np.ones((len(sizes), 2), bool)
    wanted[1, 0] = False
    shuffled = np.random.default_rng(5).permutation(len(group))
    together = bootstrap_groups(found.T, opportunities.T, group, wanted)
    for number, size in enumerate(sizes):
        mine = group == number
        for measure in range(2):
            got = together[number, measure]
            if size < 2 or not wanted[number, measure]:
                assert np.isnan(got).all()
                continue
            alone = bootstrap_groups(
                [found[mine][:, measure]],
                [opportunities[mine][:, measure]],
                np.zeros(size, int),
                np.ones((1, 1), bool),
            )
            assert got == pytest.approx(alone[0, 0])
    # Groups may stand in any order among each other.
    stable = np.argsort(group[shuffled], kind="stable")
    again = bootstrap_groups(
        found[shuffled][stable].T, opportunities[shuffled][stable].T, group[shuffled][stable], wanted
    )
    assert np.nanmax(np.abs(again - together)) < 0.1


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda pair: (min(pair), max(pair))),
        min_size=2,
        max_size=40,
    )
)
def test_shares_stay_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    found, opportunities = zip(*pairs, strict=True)
    low, high = cluster_bootstrap(found, opportunities, resamples=200)
    if sum(of > 0 for of in opportunities) < 2:
        assert np.isnan(low)
    else:
        assert 0 <= low <= high <= 1


def test_values_that_do_not_go_together() -> None:
    with pytest.raises(HanalyzeError):
        cluster_bootstrap([1, 2], [3])
    with pytest.raises(HanalyzeError):
        cluster_bootstrap([1, 2], [3, 4], 1.5)

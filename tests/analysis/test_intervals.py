"""Intervals and p-values: against published values, SciPy, and what must hold."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hanalyze.analysis import benjamini_hochberg, mean_interval, share_interval, wilson
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES, Sums, mean_below, student
from hanalyze.analysis.statistics.ratios import ratios
from hanalyze.errors import HanalyzeError
from tests.analysis.sums import group_ratios, group_sums


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
    q_values = benjamini_hochberg(published)
    assert [q <= 0.05 for q in q_values] == [True] * 4 + [False] * 11
    assert q_values[3] == pytest.approx(0.0095 * 15 / 4)
    assert q_values[4] == pytest.approx(0.0201 * 15 / 5)
    assert q_values[5] == pytest.approx(0.0298 * 15 / 7)


def test_adjusted_minds_no_order_and_skips_what_is_missing() -> None:
    assert benjamini_hochberg([]) == []
    assert np.isnan(benjamini_hochberg([float("nan")])).all()
    q_values = benjamini_hochberg([0.04, float("nan"), 0.01])
    assert q_values[0] == pytest.approx(0.04)
    assert q_values[2] == pytest.approx(0.02)
    assert np.isnan(q_values[1])


def test_without_scipy_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    games = np.arange(8)
    with pytest.raises(HanalyzeError, match=r"pip install 'hanalyze\[analysis\]'") as caught:
        group_ratios(games // 4, 2, games, games % 2, np.ones(8))
    assert caught.value.rule == "no_scipy"


def test_q_values_are_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(7)
    for count in (1, 2, 5, 200):
        p_values = random.random(count).round(2) ** 2
        assert benjamini_hochberg(p_values) == stats.false_discovery_control(p_values, method="bh").tolist()


def counts(games: int, seed: int = 1, rate: float = 0.15) -> tuple[np.ndarray, np.ndarray]:
    """Return what was found and of how much, with rates that differ from game to game."""
    random = np.random.default_rng(seed)
    opportunities = random.integers(1, 12, games)
    return random.binomial(opportunities, random.beta(4 * rate, 4 - 4 * rate, games)), opportunities


@pytest.mark.parametrize("level", [0.75, 0.95, 0.975, 0.995])
def test_students_quantile_is_scipys(level: float) -> None:
    from scipy.stats import t

    for freedom in (1, 2, 3, 10, 29, 30, 31, 32, 100, 9999):
        assert student(level, freedom) == pytest.approx(t.ppf(level, freedom), rel=1e-6)


def slow_share(found: list[int], of: list[int], confidence: float) -> tuple[float, float]:
    """Return the interval of a share, term by term, its ends as roots that are halved for."""
    from scipy.stats import norm, t

    games = [(x, y) for x, y in zip(found, of, strict=True) if y]
    n, total = len(games), sum(y for _, y in games)
    rate = sum(x for x, _ in games) / total
    spread = 0.0
    for x, y in games:
        spread += (x - rate * y) ** 2
    level = (1 + confidence) / 2
    effect = 1.0
    if 0 < rate < 1:
        effect = n / (n - 1) * spread / total**2 / (rate * (1 - rate) / (total - 1))
    number = total / max(effect, 1.0)
    number *= (t.ppf(level, total - 1) / t.ppf(level, n - 1)) ** 2
    ends = []
    for outer in (0.0, 1.0):
        # The end near 0 of a share of at most three finds is that of half a find less.
        few = abs(rate - outer) * number
        share = rate + (outer - rate) / abs(outer - rate) * min(few, 1) / 2 / number if 0 < few <= 3 else rate
        inside, outside = share, outer
        for _ in range(200):
            middle = (inside + outside) / 2
            if abs(share - middle) <= norm.ppf(level) * (middle * (1 - middle) / number) ** 0.5:
                inside = middle
            else:
                outside = middle
        ends.append(inside)
    return ends[0], ends[1]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize(("games", "rate"), [(3, 0.3), (12, 0.02), (40, 0.15), (40, 0.9), (700, 0.01)])
def test_the_slow_twin_of_shares(games: int, rate: float, confidence: float) -> None:
    for seed in range(5):
        found, of = (one.tolist() for one in counts(games, seed, rate))
        assert share_interval(found, of, confidence) == pytest.approx(slow_share(found, of, confidence))


@given(st.lists(st.booleans(), min_size=1, max_size=80))
def test_of_independent_opportunities_a_share_has_wilsons(found: list[bool]) -> None:
    # One a game: nothing depends on anything.
    low, high = share_interval(np.array(found, int), np.ones(len(found)))
    count, of = sum(found), len(found)
    assert low == pytest.approx(wilson(count - 0.5 * (0 < count <= 3), of).low, abs=1e-12)
    assert high == pytest.approx(wilson(count + 0.5 * (0 < of - count <= 3), of).high, abs=1e-12)


def test_many_games_without_more_variation_than_by_chance_have_nearly_wilsons() -> None:
    random = np.random.default_rng(4)
    of = np.full(3000, 10)
    found = random.binomial(of, 0.2)
    assert share_interval(found, of) == pytest.approx(wilson(found.sum(), of.sum()), abs=4e-4)


def test_games_that_are_all_or_nothing_are_one_opportunity_each() -> None:
    # 20 of 80 games with ten of ten: 80 independent opportunities, and 79 degrees of freedom for both.
    found = np.repeat([10, 0], [20, 60])
    ours = share_interval(found, np.full(80, 10))
    assert ours == pytest.approx(wilson(20, 80), abs=0.004)


pairs = st.tuples(st.integers(0, 6), st.integers(1, 12)).map(lambda pair: (min(pair), pair[1]))


@given(st.lists(pairs, min_size=2, max_size=40))
def test_a_share_lies_in_its_interval(values: list[tuple[int, int]]) -> None:
    found, of = zip(*values, strict=True)
    low, high = share_interval(found, of)
    assert 0 <= low <= sum(found) / sum(of) <= high <= 1
    assert (low > 0) == (sum(found) > 0)
    assert (high < 1) == (sum(found) < sum(of))
    # Never surer than of independent opportunities.
    assert high - low >= (wilson(sum(found), sum(of)).high - wilson(sum(found), sum(of)).low) * (1 - 1e-9)


@given(st.lists(st.integers(2, 12), min_size=10, max_size=60), st.data())
def test_with_one_more_error_no_upper_end_falls(of: list[int], data: st.DataObject) -> None:
    """Errors here and there, one after the other; that several fall into one game happens, too."""
    order = data.draw(st.permutations(range(len(of))))
    found = np.zeros(len(of), int)
    last = share_interval(found, of)
    for game in [*order[: len(of) // 2], order[0]]:
        found[game] += 1
        now = share_interval(found, of)
        assert now.high >= last.high
        last = now


def test_errors_that_come_together_make_less_sure() -> None:
    apart, together = np.zeros(40, int), np.zeros(40, int)
    apart[:5] = 1
    together[0] = 5
    of = np.full(40, 10)
    assert share_interval(together, of).high > 1.5 * share_interval(apart, of).high


def test_games_without_an_opportunity_say_nothing() -> None:
    found, opportunities = counts(30)
    for interval in (share_interval, mean_interval):
        more = interval(np.append(found, 0), np.append(opportunities, 0))
        assert more == interval(found, opportunities)


def test_one_game_has_no_interval() -> None:
    assert np.isnan(share_interval([1], [4])).all()
    assert np.isnan(share_interval([1, 0], [4, 0])).all()
    assert np.isnan(mean_interval([1], [4])).all()


def test_a_mean_of_few_games_has_no_interval() -> None:
    values = [20, 21, 22, 23] * 5
    assert len(values) == FEWEST_GAMES
    assert np.isnan(mean_interval(values[1:], np.ones(len(values) - 1))).all()
    assert not np.isnan(mean_interval(values, np.ones(len(values)))).any()


def test_means_that_do_not_vary_have_no_interval() -> None:
    assert np.isnan(mean_interval([25] * 30, [1] * 30)).all()
    assert np.isnan(mean_interval([2, 4] * 15, [1, 2] * 15)).all()


def slow_mean(found: list[float], of: list[float]) -> tuple[float, float]:
    """Return the interval of a mean, term by term: its ends are found by halving."""
    from scipy.stats import t

    n, total = len(of), sum(of)
    rate = sum(found) / total
    spread = 0.0
    for x, y in zip(found, of, strict=True):
        spread += (x - rate * y) ** 2
    variance = n / (n - 1) * spread / total**2
    ends = []
    # The lower end is that of a mean with one loss less.
    for mean, outer in ((max(rate - variance / rate, 0.0), 0.0), (rate, 100 * rate)):
        inside, outside = mean, outer
        for _ in range(200):
            middle = (inside + outside) / 2
            # The variance is in proportion to the mean.
            if abs(mean - middle) <= t.ppf(0.975, n - 1) * (variance * middle / rate) ** 0.5:
                inside = middle
            else:
                outside = middle
        ends.append(inside)
    return ends[0], ends[1]


@pytest.mark.parametrize(("games", "weighted"), [(20, False), (40, False), (40, True), (300, True)], ids=str)
def test_the_slow_twin_of_means(games: int, weighted: bool) -> None:
    random = np.random.default_rng(games)
    of = random.integers(5, 20, games) if weighted else np.ones(games, int)
    found = np.round(of * random.gamma(2, 2, games))
    assert mean_interval(found, of) == pytest.approx(slow_mean(found.tolist(), of.tolist()), rel=1e-6)


@pytest.mark.parametrize("full", [(25,), (15, 25, 30)], ids=str)
def test_the_slow_twin_of_mean_scores(full: tuple[int, ...]) -> None:
    """The distances from mean full score and mean loss to their ends, joined by the law of cosines."""
    from scipy.stats import t

    random = np.random.default_rng(len(full))
    most = random.choice(full, 60).astype(float)
    short = np.minimum(np.round(random.gamma(1, 2, 60)), most)
    one = np.ones(60)
    low, high = mean_below(*(Sums.of(values, one) for values in (most - short, short, most)), 60)
    ends = slow_mean(short.tolist(), one.tolist())
    if len(full) == 1:
        assert (low, high) == pytest.approx((25 - ends[1], 25 - ends[0]), rel=1e-6)
        return
    half = t.ppf(0.975, 59) * most.std(ddof=1) / 60**0.5
    cosine = np.corrcoef(most, short)[0, 1]
    below, above = (
        (half**2 + (end - short.mean()) ** 2 - 2 * cosine * half * abs(end - short.mean())) ** 0.5
        for end in (ends[1], ends[0])
    )
    mean = (most - short).mean()
    assert (low, high) == pytest.approx((mean - below, mean + above), rel=1e-6)


def test_where_nothing_was_lost_a_mean_score_has_no_interval() -> None:
    one, most = np.ones(40), np.array([25.0, 30.0] * 20)
    assert np.isnan(mean_below(Sums.of(most, one), Sums.of(0 * most, one), Sums.of(most, one), 40)).all()


def test_of_very_many_games_a_mean_has_so_many_standard_errors() -> None:
    random = np.random.default_rng(3)
    clues = random.integers(10, 30, 20_000)
    bits = random.normal(4 * clues, 15)
    rate = bits.sum() / clues.sum()
    error = np.sqrt(((bits - rate * clues) ** 2).sum()) / clues.sum()
    assert mean_interval(bits, clues) == pytest.approx((rate - 1.96 * error, rate + 1.96 * error), rel=1e-3)


def test_a_rare_loss_has_a_score_interval() -> None:
    # Of 30 games five lost 3 tokens: those means m with |0.5 - m| = 2.04523 * sqrt(1.25 / 29 * m / 0.5).
    values = np.zeros(30)
    values[4:9] = 3
    low, high = mean_interval(values, np.ones(30))
    one = 1.25 / 29 / 0.5
    assert high - 0.5 == pytest.approx(2.04523 * np.sqrt(one * high), rel=1e-5)
    # The lower end has one loss less.
    assert 0.5 - one - low == pytest.approx(2.04523 * np.sqrt(one * low), rel=1e-5)
    assert 0 < low < 0.5 < high
    # What may be below 0 has Student's.
    low, high = mean_interval(-values, np.ones(30))
    half = 2.04523 * np.sqrt(1.25 / 29)
    assert (low, high) == pytest.approx((-0.5 - half, -0.5 + half), rel=1e-5)
    # A loss in a single game: 0.1 on average, with the variance (9 - 30 / 100) / 29 / 30 = 0.01.
    values[5:] = 0
    low, high = mean_interval(values, np.ones(30))
    assert high - 0.1 == pytest.approx(2.04523 * np.sqrt(0.3 / 30 * high / 0.1), rel=1e-5)
    assert low == 0


def test_a_group_is_tested_by_welch_where_it_varies_most() -> None:
    stats = pytest.importorskip("scipy.stats")
    group, others = [3.0, 25.0, 24.0, 9.0, 25.0], [20.0, 21.0, 22.0, 21.0, 19.0, 20.0, 22.0]
    sizes = [len(group), len(others)]
    values = np.array(group + others)
    found = group_ratios(np.repeat([0, 1], sizes), 2, np.arange(12), values, np.ones(12), share=False)
    # The others vary less than both together, and count as both do.
    floor = (np.var(group) * 5 + np.var(others) * 7) / 12 / sizes[1]
    own = np.var(group, ddof=1) / sizes[0]
    freedom = (own + floor) ** 2 / (own**2 / 4 + floor**2 / 6)
    t = abs(np.mean(group) - np.mean(others)) / np.sqrt(own + floor)
    assert found.p_value[0] == pytest.approx(2 * stats.t.sf(t, freedom))
    assert found.p_value[1] == pytest.approx(found.p_value[0])


def test_many_groups_are_what_each_is_alone() -> None:
    sizes = [23, 40, 23, 1, 0, 25, 40]
    group = np.repeat(np.arange(len(sizes)), sizes)
    found, of = counts(len(group))
    of[::9] = 0
    found[::9] = 0
    sums = group_sums(group, len(sizes), found, of)
    for share, interval in ((True, share_interval), (False, mean_interval)):
        together = ratios(sums, share=share, minimum=60)
        for number in range(len(sizes)):
            mine = group == number
            ends = together.low[number], together.high[number]
            if of[mine].sum() < 60:
                assert np.isnan([*ends, together.rate[number]]).all()
                continue
            assert ends == pytest.approx(tuple(interval(found[mine], of[mine])), nan_ok=True)
            assert together.rate[number] == pytest.approx(found[mine].sum() / of[mine].sum())
    assert (~np.isnan(together.low)).sum() >= 4


def test_values_that_do_not_go_together() -> None:
    for interval in (share_interval, mean_interval):
        with pytest.raises(HanalyzeError):
            interval([1, 2], [3])
        with pytest.raises(HanalyzeError):
            interval([1, 2], [3, 4], 1.5)
    with pytest.raises(HanalyzeError):
        share_interval([4, 2], [3, 4])

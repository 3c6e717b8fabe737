"""Differences of means of games of which a few struck out: worked by hand, and what they keep."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hanalyze.analysis import Interval
from hanalyze.analysis.statistics.differences import Design, Difference, differences
from hanalyze.analysis.statistics.multiplicity import adjusted_intervals
from hanalyze.analysis.statistics.strikeouts import OfGroup, Struck, jeffreys, strikeout_costs

stats = pytest.importorskip("scipy.stats", reason="the authority is SciPy")

Z = 1.959963984540054


def of_group(values: list[float], bad: list[int], weight: float = 1.0) -> OfGroup:
    ones = np.ones(len(values))
    return OfGroup(np.array(values, float), ones, ones * weight, np.arange(len(values)), np.array(bad, float))


def drawn(a: list[float], b: list[float], bad: list[int], worst: float | None) -> Difference:
    group = np.repeat([0, 1], [len(a), len(b)])
    games, ones = np.arange(len(group)), np.ones(len(group))
    design = Design(group, games * 0, games, ones, np.array([False]))
    [one] = differences(
        design,
        [np.array([*a, *b], float)],
        [ones],
        shares=[False],
        minimum=[0],
        struck=Struck(np.array(bad, float), [worst]),
    )
    return one


def test_jeffreys_is_as_published() -> None:
    # Brown, Cai & DasGupta (2001), table of the Jeffreys interval, n = 10: x = 1 and x = 5; the ends at none.
    assert jeffreys(1, 10) == pytest.approx((0.011, 0.381), abs=5e-4)
    assert jeffreys(5, 10) == pytest.approx((0.224, 0.776), abs=5e-4)
    low, high = jeffreys(0, 10)
    assert low == 0
    assert high == pytest.approx(0.217, abs=5e-4)
    assert tuple(jeffreys(10, 10)) == pytest.approx((1 - high, 1))


def test_costs_of_strikeouts_by_hand() -> None:
    # 38 games at 22, two at 0 and 4: cost 20 each; their mean has a standard error of 2.
    lower, higher = strikeout_costs(of_group([22.0] * 38 + [0, 4], [0] * 38 + [1, 1]), 0.0, 0.95)
    low, high = jeffreys(2, 40)
    off = 0.05 * Z * 2
    assert lower == pytest.approx(math.hypot(20 * (high - 0.05), off))
    assert higher == pytest.approx(math.hypot(20 * (0.05 - low), off))
    # None: as much as the worst costs, and what is lost goes the other way round.
    none = of_group([22.0] * 40, [0] * 40)
    assert strikeout_costs(none, 0.0, 0.95) == pytest.approx((22 * jeffreys(0, 40).high, 0))
    assert strikeout_costs(none, 50.0, 0.95) == pytest.approx((0, 28 * jeffreys(0, 40).high))
    # What all games weigh does not matter.
    assert strikeout_costs(of_group([22.0] * 40, [0] * 40, 0.3), 0.0, 0.95) == pytest.approx(
        strikeout_costs(none, 0.0, 0.95)
    )


def test_games_of_unlike_weight_are_worth_fewer() -> None:
    ones, weight = np.ones(40), np.repeat([1.0, 3.0], 20)
    group = OfGroup(ones * 20, ones, weight, np.arange(40), ones * 0)
    worth = weight.sum() ** 2 / (weight**2).sum()
    lower, _ = strikeout_costs(group, 0.0, 0.95)
    assert worth == pytest.approx(32)
    # As many as there are opportunities, less what Student's distribution is wider with 39 than with 31.
    assert 20 * jeffreys(0, 32).high == pytest.approx(lower, rel=0.02)


def test_the_difference_is_put_together_by_hand() -> None:
    """Other games by Welch, strikeouts of both groups by what they may cost."""
    a, b = [20.0, 22.0, 21.0, 23.0] * 12, [18.0, 19.0, 21.0, 20.0] * 10 + [0.0] * 2
    bad = [0] * 48 + [0] * 40 + [1] * 2
    one = drawn(a, b, bad, 0.0)
    kept = 40 / 42
    error = math.hypot(np.std(a, ddof=1) / math.sqrt(48), kept * np.std(b[:40], ddof=1) / math.sqrt(40))
    half = stats.t.ppf(0.975, 80) * error
    none, two = jeffreys(0, 48), jeffreys(2, 42)
    down = math.hypot(half, 21.5 * none.high, 19.5 * (2 / 42 - two.low))
    up = math.hypot(half, 19.5 * (two.high - 2 / 42))
    assert one.effect == pytest.approx(21.5 - 19.5 * kept)
    assert one.high == pytest.approx(one.effect + up, rel=0.02)
    # Without the permutations, which are sure of a difference, it ends here.
    assert min(one.effect - down, one.low) == pytest.approx(one.effect - down, rel=0.05)
    # The mirror image has the same ends.
    other = drawn(b, a, [*bad[48:], *bad[:48]], 0.0)
    assert (-other.high, -other.low) == pytest.approx((one.low, one.high), abs=0.1)


def test_frequent_strikeouts_are_no_exceptions() -> None:
    """A group that strikes out most of the time is drawn as it is; so is a mean that does not tell them."""
    random = np.random.default_rng(3)
    a, b = random.normal(20, 2, 60).tolist(), random.normal(5, 2, 60).tolist()
    bad = [0] * 60 + [1] * 40 + [0] * 20
    plain = drawn(a, b, bad, None)
    assert plain.low == drawn(a, b, [0] * 120, None).low
    one = drawn(a, b, bad, 0.0)
    # Only what the first group may lose is put to it.
    assert one.high == pytest.approx(plain.high, abs=0.05)
    assert one.low < plain.low - 0.3


@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_ends_at_0_where_a_claim_would_be_denied(sign: int) -> None:
    """The p-value says that 0 is out, not how far; what agrees with it keeps its shape."""
    over, under = Interval(-1.0, 4.0), Interval(0.2, 4.0)
    for ends, low in ((over, 0.02), (under, 0.2)):
        turned = ends if sign > 0 else Interval(-ends.high, -ends.low)
        [found] = adjusted_intervals([2.0 * sign], [turned], [1e-6], [1e-6])
        assert sorted(sign * end for end in found) == pytest.approx([low, 4.0])


@pytest.mark.parametrize(("share", "games"), [((0.0, 0.03), 40), ((0.03, 0.03), 40), ((0.02, 0.08), 25)])
def test_they_hold_as_often_as_they_say(share: tuple[float, float], games: int) -> None:
    random = np.random.default_rng(11)
    held = []
    means = [(1 - p) * (21 - side) for side, p in enumerate(share)]
    for _ in range(200):
        bad = [(random.random(games) < p).astype(float) for p in share]
        scores = [
            np.where(one > 0, 0, random.normal(21 - side, 1.8, games)).tolist()
            for side, one in enumerate(bad)
        ]
        one = drawn(scores[0], scores[1], np.concatenate(bad).astype(int).tolist(), 0.0)
        held.append(one.low <= means[0] - means[1] <= one.high)
    assert np.mean(held) >= 0.93 - 2 * math.sqrt(0.95 * 0.05 / 200)

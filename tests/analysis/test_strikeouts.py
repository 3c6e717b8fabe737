"""Means over games of which some struck out: worked by hand, group by group, and how often they hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.analysis import mean_interval, scores, wilson
from hanalyze.analysis.statistics.intervals import Sums, mean_of_sums
from hanalyze.analysis.statistics.strikeouts import mean_apart
from tests.benchmarks.coverage import mixed_cell

Z = 1.959963984540054


def sums(values: list[float]) -> Sums:
    return Sums(sum(values), len(values), sum(value * value for value in values), sum(values), len(values))


def test_from_sums_worked_by_hand() -> None:
    # 20 games that lost 0 and 20 that lost 2; two struck out with 10 and 14. Of the 40 the mean is 1, its
    # standard error sqrt(40 / 39 / 40) = 0.160128, and Student's quantile 2.022691: half is 0.323890, and
    # h h / 2 = 0.052452 moves the middle: 1.052452 -+ sqrt(0.052452^2 + 0.323890^2) = 0.724343 and 1.380561.
    usual, struck = [0.0] * 20 + [2.0] * 20, [10.0, 14.0]
    q, q2 = wilson(2, 42)
    p, off = 2 / 42, 2 / 42 * Z * 2
    mean = 64 / 42
    low, high = mean_apart(sums(usual + struck), sums(struck), 25)
    down = math.sqrt((0.275657 * (1 - p)) ** 2 + (11 * (p - q)) ** 2 + off**2)
    up = math.sqrt((0.380561 * (1 - p)) ** 2 + (11 * (q2 - p)) ** 2 + off**2)
    assert (low, high) == pytest.approx((mean - down, mean + up), abs=1e-5)
    # Of scores the lower end is further: 20 less what such a game would cost.
    scores = [20 - value for value in usual]
    low, high = mean_apart(sums(scores), sums([]), 0)
    plain = mean_of_sums(sums(scores), 40)
    assert (low, high) == pytest.approx((19 - math.hypot(19 - plain.low, 19 * wilson(0, 40)[1]), plain.high))
    # None struck out: what one would cost is as much as a game can.
    low, high = mean_apart(sums(usual), sums([]), 25)
    assert (low, high) == pytest.approx((0.724343, 1 + math.hypot(0.380561, 24 * wilson(0, 40)[1])), abs=1e-5)


def test_from_sums_of_games_that_are_too_few_or_all_alike() -> None:
    assert np.isnan(mean_apart(sums([1.0] * 10 + [2.0] * 9), sums([]), 25)).all()
    assert np.isnan(mean_apart(sums([1.0] * 10 + [2.0] * 9 + [20.0]), sums([20.0]), 25)).all()
    assert np.isnan(mean_apart(sums([2.0] * 30), sums([]), 25)).all()
    low_share, high_share = wilson(1, 31)
    assert mean_apart(sums([2.0] * 30 + [25.0]), sums([25.0]), 25) == pytest.approx(
        (85 / 31 - 23 * (1 / 31 - low_share), 85 / 31 + 23 * (high_share - 1 / 31))
    )
    # Where nearly all strike out they are no exceptions, and the mean is that of any numbers.
    struck = [10.0, 12.0, 17.0] * 10
    every = sums([*struck, 3.0])
    assert mean_apart(every, sums(struck), 25) == mean_of_sums(every, 31)


@pytest.mark.parametrize(("struck", "games"), [(0.03, 40), (0.03, 100), (0.1, 40)])
def test_they_hold_as_often_as_they_say(struck: float, games: int) -> None:
    random = np.random.default_rng(7)
    lost = (random.random(20_000) < struck).astype(float)
    score = np.where(lost > 0, 0, np.clip(np.round(random.normal(22.5, 1.9, len(lost))), 5, 25))
    cell = mixed_cell("made", "score", score, lost, 0.0, games, 300)
    assert cell.databases >= 295
    assert not cell.missed(cell.stats), cell.stats
    # Without strikeouts apart, of the same 3 % and 40 games: far less.
    if (struck, games) == (0.03, 40):
        drawn = score[random.integers(0, len(score), (200, games))]
        plain = [mean_interval(one, np.ones(games)) for one in drawn]
        assert np.mean([low <= score.mean() <= high for low, high in plain]) < 0.9


def test_groups_in_which_strikeouts_are_no_exception() -> None:
    """A random player loses every game: then the mean is what it is of any numbers."""
    with hz.connect() as db:
        db.add(simulate("random", players=2, games=25, seed=3, edition="hanabi-data"))
        row = scores(db, by=None).row(0, named=True)
        values = db.sql("SELECT score FROM games ORDER BY game_id")["score"]
    assert row["ended_strikeout"] == 1
    assert (row["mean_low"], row["mean_high"]) == pytest.approx(mean_interval(values, np.ones(25)))

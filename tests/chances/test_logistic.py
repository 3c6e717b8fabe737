"""Newton's method against SciPy's minimisers, and the small functions against their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from hanalyze.chances.logistic import (
    STRAIGHT,
    bend_logits,
    clip,
    fit_curve,
    fit_ridge,
    log_losses,
    logit,
    sigmoid,
)

optimize = pytest.importorskip("scipy.optimize")


def problem(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    features = np.vstack([np.ones(rows), chance.normal(size=(3, rows)), chance.random((1, rows)) < 0.02])
    scores = np.array([-1.0, 2.0, -0.5, 0.0, 3.0]) @ features
    return features, (chance.random(rows) < 1 / (1 + np.exp(-scores))).astype(float)


@pytest.mark.parametrize(("rows", "seed"), [(40, 1), (400, 2), (3000, 3)])
@pytest.mark.parametrize("centre", [(0.0, 0.0, 0.0, 0.0, 0.0), (2.0, -8.0, 5.0, 0.0, 1.0)])
def test_the_coefficients_are_those_with_the_least_loss(
    rows: int, seed: int, centre: tuple[float, ...]
) -> None:
    features, came = problem(rows, seed)
    penalty = np.array([0.05, 3.0, 3.0, 3.0, 3.0])
    middle = np.array(centre)

    def loss(found: np.ndarray) -> float:
        p = 1 / (1 + np.exp(-found @ features))
        p = np.clip(p, 1e-300, 1 - 1e-16)
        losses = -(came * np.log(p) + (1 - came) * np.log1p(-p))
        return float(losses.sum() + 0.5 * (penalty * (found - middle) ** 2).sum())

    expected = optimize.minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-6}).x
    found = fit_ridge(features, came, middle, penalty)
    assert found == pytest.approx(expected, abs=2e-4)
    assert fit_ridge(features, came, middle, penalty, start=np.full(5, 3.0)) == pytest.approx(found, abs=1e-5)


def test_steps_are_halved_where_newton_overshoots() -> None:
    # From far out, where the curve is flat, a full step would leave the numbers that a computer knows.
    features = np.ones((1, 4))
    came = np.array([1.0, 0.0, 0.0, 0.0])
    found = fit_ridge(features, came, np.array([30.0]), np.array([1e-8]))
    assert sigmoid(found[0]) == pytest.approx(0.25, abs=1e-3)


def test_all_the_same_outcome_has_a_finite_answer() -> None:
    features, _ = problem(50, 5)
    found = fit_ridge(features, np.ones(50), np.zeros(5), np.full(5, 0.05))
    assert np.isfinite(found).all()
    assert sigmoid(found @ features).min() > 0.5


def test_a_curve_bends_where_the_logits_err() -> None:
    chance = np.random.default_rng(4)
    scores = chance.normal(0, 3, 40_000)
    # What is said above one half is too sure.
    true = np.where(scores > 0, 0.3 * scores, scores)
    came = (chance.random(len(scores)) < 1 / (1 + np.exp(-true))).astype(float)
    curve = fit_curve(scores, came, STRAIGHT, (0.25, 4.0, 4.0))
    for p in (-4.0, -1.0, 1.0, 4.0):
        said = float(sigmoid(bend_logits(curve, np.array([p])))[0])
        assert said == pytest.approx(1 / (1 + np.exp(-(0.3 * p if p > 0 else p))), abs=0.02)


def test_few_rows_leave_a_curve_straight() -> None:
    curve = fit_curve(np.array([1.0, -1.0]), np.array([1.0, 0.0]), STRAIGHT, (0.25, 4.0, 4.0))
    assert curve[1:] == pytest.approx(STRAIGHT[1:], abs=0.2)


def test_cut_chances() -> None:
    p = np.array([0.0, 0.5, 1.0])
    assert clip(p).tolist() == [0.003, 0.5, 0.997]
    assert logit(p).tolist() == pytest.approx([np.log(0.003 / 0.997), 0.0, np.log(0.997 / 0.003)])
    assert log_losses(p, np.array([1, 0, 1])).tolist() == pytest.approx(
        [-np.log(0.003), np.log(2), -np.log(0.997)]
    )

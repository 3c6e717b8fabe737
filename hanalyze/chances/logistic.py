"""Logistic regression with a ridge penalty towards given coefficients, in NumPy only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

LEAST: Final = 0.003  # chances are clipped to this value and 1 minus it before a logit or logarithm

_BENDS: Final = (0.03, *(tenth / 10 for tenth in range(1, 10)), 0.97)
_KNOTS: Final = tuple(float(np.log(p / (1.0 - p))) for p in _BENDS)
"""Knots: the logits at which the slope of a calibration curve may change."""
STRAIGHT: Final = np.array([0.0, 1.0, *(0.0 for _ in _KNOTS)])
"""The identity curve of logits: intercept a, slope b, and the change of slope at each knot."""

_ONE_THREAD: Final = 9000
"""Maximum number of values in a factor of a product that BLAS is expected to compute in one thread."""
_STEPS: Final = 60
_HALVINGS: Final = 60
_CLOSE: Final = 1e-9
"""The iteration stops when twice the expected decrease of the loss per row is at most this tolerance."""


def sigmoid(x: Any) -> Any:
    """Return the chance whose logit is `x`.

    >>> float(sigmoid(0.0))
    0.5
    """
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def clip(p: Any, least: float = LEAST) -> Any:
    """Return chances clipped to the range from `least` to 1 - `least`."""
    return np.clip(p, least, 1.0 - least)


def logit(p: Any, least: float = LEAST) -> Any:
    """Return the logits of chances, which are first clipped to the range from `least` to 1 - `least`.

    >>> float(logit(0.5)), float(logit(0.0)) == float(logit(0.001))
    (0.0, True)
    """
    p = clip(p, least)
    return np.log(p / (1.0 - p))


def log_losses(p: Any, outcomes: Any) -> Any:
    """Return the log loss of each chance, in nats; `outcomes` are 1 for true outcomes, otherwise 0.

    >>> round(float(log_losses(0.5, 1)), 3)
    0.693
    """
    p = clip(p)
    return -np.where(outcomes, np.log(p), np.log1p(-p))


def bend_logits(curve: Reals, scores: Reals) -> Reals:
    """Return logits a + b * scores with a change of slope at each knot; `curve` has the form of `STRAIGHT`.

    >>> bend_logits(STRAIGHT, np.array([-1.0, 4.0])).tolist()
    [-1.0, 4.0]
    """
    logits: Reals = curve[0] + curve[1] * scores
    for knot, bend in zip(_KNOTS, curve[2:], strict=True):
        logits += bend * np.maximum(scores - knot, 0.0)
    return logits


def fit_curve(scores: Reals, outcomes: Reals, centre: Reals, penalty: tuple[float, float, float]) -> Reals:
    """Return the calibration curve, in the form of `STRAIGHT`, fitted to logits `scores` and their outcomes.

    `scores` and `outcomes` (0 or 1) are (rows,). `penalty` shrinks a, b and the bends towards `centre`.
    """
    lines = np.stack([np.ones(len(scores)), scores, *(np.maximum(scores - knot, 0.0) for knot in _KNOTS)])
    a, b, bends = penalty
    return fit_ridge(lines, outcomes, centre, np.array([a, b, *(bends for _ in _KNOTS)]))


def fit_ridge(
    features: Reals, outcomes: Reals, centre: Reals, penalty: Reals, start: Reals | None = None
) -> Reals:
    """Return the coefficients that minimise the sum of log losses plus half the weighted squared distances.

    `features` is (features, rows), and `outcomes` (rows,) are 0 or 1. `centre` (features,) is the point from
    which distances are measured, `penalty` (features,) the positive weights. Newton's method starts at
    `start`, by default the centre. A step that raises the loss is halved until it does not.

    >>> rows = np.array([[1.0, 1.0, 1.0, 1.0]])
    >>> none = np.zeros(1)
    >>> fitted = fit_ridge(rows, np.array([1.0, 1.0, 1.0, 0.0]), none, np.full(1, 1e-9))
    >>> round(float(sigmoid(fitted[0])), 3)
    0.75
    """
    coefficients = np.array(centre if start is None else start, np.float64)
    loss, scores = _loss(features, outcomes, coefficients, centre, penalty)
    for _ in range(_STEPS):
        p = sigmoid(scores)
        slope = products(features, (p - outcomes)[None])[:, 0] + penalty * (coefficients - centre)
        curve = products(features, features * (p * (1.0 - p))) + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        if slope @ step <= _CLOSE * max(1, len(outcomes)):
            return coefficients - step
        for _ in range(_HALVINGS):
            trial = coefficients - step
            lower, trial_scores = _loss(features, outcomes, trial, centre, penalty)
            if lower <= loss:
                break
            step = step / 2
        else:
            return coefficients
        coefficients, loss, scores = trial, lower, trial_scores
    return coefficients


def products(left: Reals, right: Reals) -> Reals:
    """Return `left` @ `right`.T, summed over rows; both are (columns, rows).

    Each product covers only a few rows, because linear algebra libraries split large products among threads,
    which is slow on a busy machine.

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [1.0, 1.0]])).tolist()
    [[11.0, 3.0]]
    """
    result = np.zeros((len(left), len(right)))
    for part in _parts(left):
        result += left[:, part] @ right[:, part].T
    return result


def scores_of(coefficients: Reals, features: Reals) -> Reals:
    """Return the weighted sums (rows,) of `features` (features, rows), computed for a few rows at a time.

    >>> scores_of(np.array([2.0, 1.0]), np.array([[1.0, 0.0], [0.0, 3.0]])).tolist()
    [2.0, 3.0]
    """
    result = np.empty(features.shape[1])
    for part in _parts(features):
        result[part] = coefficients @ features[:, part]
    return result


def _parts(features: Reals) -> Iterator[slice]:
    """Yield slices of the rows that are small enough for products in one thread."""
    columns, rows = features.shape
    step = max(min(_ONE_THREAD // max(columns, 1), 28 * _ONE_THREAD // max(columns, 1) ** 2), 16)
    for first in range(0, rows, step):
        yield slice(first, first + step)


def _loss(
    features: Reals, outcomes: Reals, coefficients: Reals, centre: Reals, penalty: Reals
) -> tuple[float, Reals]:
    """Return the penalised loss and the logits (rows,)."""
    scores = scores_of(coefficients, features)
    losses = np.logaddexp(0.0, scores) - outcomes * scores
    return float(losses.sum() + 0.5 * penalty @ (coefficients - centre) ** 2), scores

"""Logistic regression with a ridge: coefficients that are pulled towards given values.

In: features and outcomes as arrays. Out: coefficients. NumPy alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

LEAST: Final = 0.003
"""Where chances are cut before their logit or their logarithm is taken: here, and at 1 minus this."""

_BENDS: Final = (0.03, *(tenth / 10 for tenth in range(1, 10)), 0.97)
_KNOTS: Final = tuple(float(np.log(p / (1.0 - p))) for p in _BENDS)
"""The logits at which a curve may bend."""
STRAIGHT: Final = np.array([0.0, 1.0, *(0.0 for _ in _KNOTS)])
"""The curve that leaves logits as they are: a, b and the bends."""

_ONE_THREAD: Final = 9000
"""Numbers up to which a product is done at once."""
_STEPS: Final = 60
_HALVINGS: Final = 60
_CLOSE: Final = 1e-9
"""How far a step may still promise to lower the loss, per row, when it is the last."""


def sigmoid(x: Any) -> Any:
    """Return the chance whose logit is `x`.

    >>> float(sigmoid(0.0))
    0.5
    """
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def clipped(p: Any, least: float = LEAST) -> Any:
    """Return chances cut at `least` and at 1 - `least`."""
    return np.clip(p, least, 1.0 - least)


def logit(p: Any, least: float = LEAST) -> Any:
    """Return the logit of chances, which are cut at `least` and at 1 - `least`.

    >>> float(logit(0.5)), float(logit(0.0)) == float(logit(0.001))
    (0.0, True)
    """
    kept = clipped(p, least)
    return np.log(kept / (1.0 - kept))


def log_losses(p: Any, came: Any) -> Any:
    """Return the log loss of each chance, in nats; `came` is 1 where it came true, else 0.

    >>> round(float(log_losses(0.5, 1)), 3)
    0.693
    """
    kept = clipped(p)
    return -np.where(came, np.log(kept), np.log1p(-kept))


def bent(curve: Reals, scores: Reals) -> Reals:
    """Return logits a + b * scores, whose slope changes by a bend at each knot; `curve` as `STRAIGHT`.

    >>> bent(STRAIGHT, np.array([-1.0, 4.0])).tolist()
    [-1.0, 4.0]
    """
    found: Reals = curve[0] + curve[1] * scores
    for knot, bend in zip(_KNOTS, curve[2:], strict=True):
        found += bend * np.maximum(scores - knot, 0.0)
    return found


def fit_curve(scores: Reals, came: Reals, centre: Reals, penalty: tuple[float, float, float]) -> Reals:
    """Return the curve by which logits come true; `penalty` of a, b and the bends, drawn towards `centre`."""
    lines = np.stack([np.ones(len(scores)), scores, *(np.maximum(scores - knot, 0.0) for knot in _KNOTS)])
    a, b, bends = penalty
    return fit_ridge(lines, came, centre, np.array([a, b, *(bends for _ in _KNOTS)]))


def fit_ridge(
    features: Reals, came: Reals, centre: Reals, penalty: Reals, start: Reals | None = None
) -> Reals:
    """Return the coefficients with the least loss, the sum of log losses and half the penalised squares.

    `features` (features, rows); `came` (rows) 0 or 1; `centre` and `penalty` (features): each coefficient's
    squared distance from its centre counts with its penalty, which is positive. Newton's method: a step that
    does not lower the loss is halved until it does. `start` is where it begins, else at the centre.

    >>> rows = np.array([[1.0, 1.0, 1.0, 1.0]])
    >>> none = np.zeros(1)
    >>> found = fit_ridge(rows, np.array([1.0, 1.0, 1.0, 0.0]), none, np.full(1, 1e-9))
    >>> round(float(sigmoid(found[0])), 3)
    0.75
    """
    found = np.array(centre if start is None else start, np.float64)
    loss, scores = _loss(features, came, found, centre, penalty)
    for _ in range(_STEPS):
        p = sigmoid(scores)
        slope = products(features, (p - came)[None])[:, 0] + penalty * (found - centre)
        curve = products(features, features * (p * (1.0 - p))) + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        if slope @ step <= _CLOSE * max(1, len(came)):
            return found - step
        for _ in range(_HALVINGS):
            trial = found - step
            lower, trial_scores = _loss(features, came, trial, centre, penalty)
            if lower <= loss:
                break
            step = step / 2
        else:
            return found
        found, loss, scores = trial, lower, trial_scores
    return found


def products(one: Reals, other: Reals) -> Reals:
    """Return the sums over rows of what two sets of columns multiply to: `one` @ `other`.T.

    Both are (columns, rows). A few rows at a time: libraries of linear algebra share out large products among
    threads that wait for each other, which takes many times as long on a machine that has other work to do.

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [1.0, 1.0]])).tolist()
    [[11.0, 3.0]]
    """
    result = np.zeros((len(one), len(other)))
    for some in _parts(one):
        result += one[:, some] @ other[:, some].T
    return result


def scores_of(coefficients: Reals, features: Reals) -> Reals:
    """Return the sum of each row's features times their coefficients; a few rows at a time, as `products`.

    >>> scores_of(np.array([2.0, 1.0]), np.array([[1.0, 0.0], [0.0, 3.0]])).tolist()
    [2.0, 3.0]
    """
    result = np.empty(features.shape[1])
    for some in _parts(features):
        result[some] = coefficients @ features[:, some]
    return result


def _parts(features: Reals) -> Iterator[slice]:
    """Yield parts of the rows, so small that a product of them is left to one thread."""
    columns, rows = features.shape
    step = max(min(_ONE_THREAD // max(columns, 1), 28 * _ONE_THREAD // max(columns, 1) ** 2), 16)
    for begun in range(0, rows, step):
        yield slice(begun, begun + step)


def _loss(features: Reals, came: Reals, found: Reals, centre: Reals, penalty: Reals) -> tuple[float, Reals]:
    """Return what is minimised, and each row's logit."""
    scores = scores_of(found, features)
    losses = np.logaddexp(0.0, scores) - came * scores
    return float(losses.sum() + 0.5 * penalty @ (found - centre) ** 2), scores

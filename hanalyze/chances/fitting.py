"""Models of chances fitted on games.

In: rows of `HAND_CARDS`. Out: a `Fit`, from scratch or drawn towards another one. Rows whose odds by the
cards alone are 0 or 1 are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.features import SETS, design
from hanalyze.chances.logistic import STRAIGHT, bent, fit_curve, fit_ridge, logit
from hanalyze.chances.model import ACT_TARGETS, TENTHS, Fit, HandCards, chances_of, tenth, uncertain
from hanalyze.tables.chances import ACTS, PLACES, TARGETS

Reals = NDArray[np.float64]

FOLDS: Final = 5

_RIDGE: Final = 3.0
"""Penalty of a coefficient that is drawn towards 0."""
_RIDGE_INTERCEPT: Final = 0.05
_RIDGE_TOWARDS: Final = 20.0
"""Penalty of a coefficient that is drawn towards another fit's."""
_CURVE: Final = (0.25, 4.0, 4.0)
"""Penalties of a, b and the bends of a curve, drawn towards a straight one."""
_CURVE_TOWARDS: Final = (1.0, 10.0, 10.0)
"""The same, drawn towards another fit's."""
_TWO_NUMBERS: Final = (0.25, 4.0, 1e9)
"""The same for a curve that stays straight."""
_FEWEST: Final = 20
"""Rows without which no act layer is fitted from scratch."""


def fit(rows: HandCards, features: str, towards: Fit | None = None, start: Fit | None = None) -> Fit:
    """Return the numbers of a state model and its act layer, fitted on rows.

    `features` is a name of `SETS`. With `towards` the numbers are drawn towards those of that fit, and what
    has no rows stays at them. `start` is a fit to begin the search at, which makes it quicker.
    """
    columns = rows.columns
    whole = design(columns, features)
    count = len(SETS[features])
    if towards is None:
        penalty = np.full(count, _RIDGE)
        penalty[0] = _RIDGE_INTERCEPT
        centre = np.zeros((len(PLACES), len(TARGETS), count))
    else:
        penalty = np.full(count, _RIDGE_TOWARDS)
        centre = towards.state
    found = _bare(features, centre) if towards is None else towards
    state, curve = centre.copy(), found.curve.copy()
    for p, t, chosen, came in _strata(rows):
        begin = None if start is None else start.state[p, t]
        own = whole[:, chosen]
        state[p, t] = fit_ridge(own, came, centre[p, t], penalty, begin)
        pull = _CURVE if towards is None else _CURVE_TOWARDS
        curve[p, t] = fit_curve(state[p, t] @ own, came, curve[p, t], pull)
    return _with_act_layer(rows, replace(found, state=state, curve=curve), towards)


def adjusted(rows: HandCards, base: Fit) -> Fit:
    """Return a fit whose logits are a + b times those of `base`, a and b fitted for each model of it."""
    whole = design(rows.columns, base.features)
    curve = base.curve.copy()
    for p, t, chosen, came in _strata(rows):
        scores = bent(base.curve[p, t], base.state[p, t] @ whole[:, chosen])
        a, b, *_ = fit_curve(scores, came, STRAIGHT, _TWO_NUMBERS)
        curve[p, t] *= b
        curve[p, t, 0] += a
    return _with_act_layer(rows, replace(base, curve=curve), base)


def _strata(rows: HandCards) -> Iterator[tuple[int, int, NDArray[Any], Reals]]:
    """Yield place and target by number, the rows to fit by, and what came, for each model that has rows."""
    columns = rows.columns
    for p in range(len(PLACES)):
        for t, target in enumerate(TARGETS):
            chosen = np.flatnonzero((columns["place"] == p) & uncertain(columns[f"p_{target}"]))
            if len(chosen):
                yield p, t, chosen, columns[target][chosen].astype(np.float64)


def _bare(features: str, state: Reals) -> Fit:
    """Return a fit whose curves are straight, with no rows counted."""
    curve = np.tile(STRAIGHT, (len(PLACES), len(TARGETS), 1))
    act = np.tile(STRAIGHT, (len(ACT_TARGETS), len(PLACES), 1))
    none = np.zeros((len(PLACES), len(TARGETS), TENTHS), np.int64)
    return Fit(features, state, curve, act, none, np.zeros((*act.shape[:2], TENTHS), np.int64))


def _with_act_layer(rows: HandCards, found: Fit, towards: Fit | None) -> Fit:
    """Return a fit with an act layer, and with its rows counted; `found` has another's, or a straight one."""
    columns = rows.columns
    chances, _ = chances_of(rows, found)
    act = found.act.copy() if towards is None else towards.act.copy()
    for n, (name, target) in enumerate(ACT_TARGETS):
        t = TARGETS.index(target)
        taken = (columns["act"] == ACTS.index(name)) & uncertain(columns[f"p_{target}"])
        for p in range(len(PLACES)):
            chosen = np.flatnonzero(taken & (columns["place"] == p))
            if len(chosen) < (_FEWEST if towards is None else 1):
                continue
            act[n, p] = fit_curve(
                logit(chances[chosen, t]),
                columns[target][chosen].astype(np.float64),
                act[n, p],
                _CURVE if towards is None else _CURVE_TOWARDS,
            )
    return _counted(rows, replace(found, act=act))


def _counted(rows: HandCards, found: Fit) -> Fit:
    """Return a fit with the rows that it was fitted on counted by the tenth of what it says."""
    state, act = chances_of(rows, found)
    columns, place = rows.columns, rows.columns["place"].astype(np.int64)
    state_rows = np.zeros_like(found.state_rows)
    act_rows = np.zeros_like(found.act_rows)
    for t, target in enumerate(TARGETS):
        free = uncertain(columns[f"p_{target}"])
        np.add.at(state_rows[:, t], (place[free], tenth(state[free, t])), 1)
    for n, (_, target) in enumerate(ACT_TARGETS):
        free = uncertain(columns[f"p_{target}"]) & ~np.isnan(act[:, n])
        np.add.at(act_rows[n], (place[free], tenth(act[free, n])), 1)
    return replace(found, state_rows=state_rows, act_rows=act_rows)


def folds(game: NDArray[np.int64], parts: int = FOLDS) -> NDArray[np.int64]:
    """Return by row the part that its game is in, 0 to `parts` - 1: parts of equal numbers of games.

    Rows of one game stay together; which part a game is in depends on nothing but the numbers of the games.
    """
    _, index = np.unique(game, return_inverse=True)
    count = int(index.max()) + 1 if len(index) else 0
    part = np.random.default_rng(0).permutation(count) % parts
    return np.asarray(part[index], np.int64)

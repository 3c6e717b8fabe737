"""Fits of chance models on rows of `HAND_CARDS`, and the choice of the model for some games.

Fits start from scratch or are shrunk towards another fit (ridge). Card-counting odds of 0 and 1 are left out.

For fewer than `FEWEST` games, the default model is chosen; otherwise the shipped model with the lowest loss,
unless a model fitted on the games is clearly better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.logistic import STRAIGHT, Reals, bend_logits, fit_curve, fit_ridge, log_losses, logit
from hanalyze.chances.model import (
    ACT_TARGETS,
    MODELS,
    SETS,
    TENTHS,
    Fit,
    HandCards,
    chances_of,
    design,
    load_model,
    tenth,
    uncertain,
)
from hanalyze.tables.chances import ACTS, PLACES, TARGETS

FOLDS: Final = 5

_RIDGE: Final = 3.0  # penalty of coefficients that are shrunk towards 0
_RIDGE_INTERCEPT: Final = 0.05
_RIDGE_TOWARDS: Final = 20.0  # penalty of coefficients that are shrunk towards another fit
# --- Penalties of intercept, slope and bends of a curve.
_CURVE: Final = (0.25, 4.0, 4.0)  # shrunk towards the identity curve
_CURVE_TOWARDS: Final = (1.0, 10.0, 10.0)  # shrunk towards the curve of another fit
_TWO_NUMBERS: Final = (0.25, 4.0, 1e9)  # for a straight line: the penalty of bends is prohibitive
_FEWEST: Final = 20  # minimum number of rows to fit a curve of the act layer from scratch


def fit(rows: HandCards, features: str, towards: Fit | None = None, start: Fit | None = None) -> Fit:
    """Return a state model and its act layer, fitted on rows with the features `SETS[features]`.

    With `towards`, coefficients are shrunk towards that fit, and equal it if there are no rows. The search
    for the state model begins at the coefficients of `start` (default: those of `towards`, or 0).
    """
    matrix = design(rows.columns, features)
    base = _straight_fit(features) if towards is None else towards
    penalty = np.full(len(SETS[features]), _RIDGE if towards is None else _RIDGE_TOWARDS)
    if towards is None:
        penalty[0] = _RIDGE_INTERCEPT
    pull = _CURVE if towards is None else _CURVE_TOWARDS
    state, curve = base.state.copy(), base.curve.copy()
    for p, t, chosen, outcomes in _strata(rows):
        begin = None if start is None else start.state[p, t]
        own = matrix[:, chosen]
        state[p, t] = fit_ridge(own, outcomes, base.state[p, t], penalty, begin)
        curve[p, t] = fit_curve(state[p, t] @ own, outcomes, curve[p, t], pull)
    return _with_act_layer(rows, replace(base, state=state, curve=curve), pull)


def adjusted(rows: HandCards, base: Fit) -> Fit:
    """Return `base` recalibrated on `rows`: each logit x becomes a + b * x, by place and target.

    The act layer is fitted on `rows`, shrunk towards that of `base`.
    """
    matrix = design(rows.columns, base.features)
    curve = base.curve.copy()
    for p, t, chosen, outcomes in _strata(rows):
        scores = bend_logits(base.curve[p, t], base.state[p, t] @ matrix[:, chosen])
        a, b, *_ = fit_curve(scores, outcomes, STRAIGHT, _TWO_NUMBERS)
        curve[p, t] *= b
        curve[p, t, 0] += a
    return _with_act_layer(rows, replace(base, curve=curve), _CURVE_TOWARDS)


def _strata(rows: HandCards) -> Iterator[tuple[int, int, NDArray[Any], Reals]]:
    """Yield, for each place and target, their indices, the rows with uncertain odds, and their outcomes."""
    columns = rows.columns
    for p in range(len(PLACES)):
        for t, target in enumerate(TARGETS):
            chosen = np.flatnonzero((columns["place"] == p) & uncertain(columns[f"p_{target}"]))
            if len(chosen):
                yield p, t, chosen, columns[target][chosen].astype(np.float64)


def _straight_fit(features: str) -> Fit:
    state = np.zeros((len(PLACES), len(TARGETS), len(SETS[features])))
    curve = np.tile(STRAIGHT, (len(PLACES), len(TARGETS), 1))
    act = np.tile(STRAIGHT, (len(ACT_TARGETS), len(PLACES), 1))
    none = np.zeros((len(PLACES), len(TARGETS), TENTHS), np.int64)
    return Fit(features, state, curve, act, none, np.zeros((*act.shape[:2], TENTHS), np.int64))


def _with_act_layer(rows: HandCards, base: Fit, pull: tuple[float, float, float]) -> Fit:
    """Return `base` with row counts, and its act layer fitted with the penalties `pull`."""
    columns = rows.columns
    chances, _ = chances_of(rows, base)
    act = base.act.copy()
    for n, (name, target) in enumerate(ACT_TARGETS):
        t = TARGETS.index(target)
        acted = (columns["act"] == ACTS.index(name)) & uncertain(columns[f"p_{target}"])
        for p in range(len(PLACES)):
            chosen = np.flatnonzero(acted & (columns["place"] == p))
            if len(chosen) >= (_FEWEST if pull == _CURVE else 1):
                outcomes = columns[target][chosen].astype(np.float64)
                act[n, p] = fit_curve(logit(chances[chosen, t]), outcomes, act[n, p], pull)
    return _with_row_counts(rows, replace(base, act=act))


def _with_row_counts(rows: HandCards, base: Fit) -> Fit:
    state, act = chances_of(rows, base)
    columns, place = rows.columns, rows.columns["place"].astype(np.int64)
    state_rows = np.zeros_like(base.state_rows)
    act_rows = np.zeros_like(base.act_rows)
    for t, target in enumerate(TARGETS):
        free = uncertain(columns[f"p_{target}"])
        np.add.at(state_rows[:, t], (place[free], tenth(state[free, t])), 1)
    for n, (_, target) in enumerate(ACT_TARGETS):
        free = uncertain(columns[f"p_{target}"]) & ~np.isnan(act[:, n])
        np.add.at(act_rows[n], (place[free], tenth(act[free, n])), 1)
    return replace(base, state_rows=state_rows, act_rows=act_rows)


def folds(game: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the fold of each row's game, 0 to `FOLDS` - 1: (rows,).

    The sizes of the folds differ by at most one game. Only the order of the games' numbers affects the folds.
    """
    _, index = np.unique(game, return_inverse=True)
    count = int(index.max()) + 1 if len(index) else 0
    part = np.random.default_rng(0).permutation(count) % FOLDS
    return np.asarray(part[index], np.int64)


FEWEST: Final = 10  # minimum number of games for a model other than the default

_DRAWS: Final = 1000


class Choice(NamedTuple):
    """The model chosen for some games.

    `method` is "shipped", "adjusted" (logits recalibrated per place and target) or "refitted" (ridge).
    `model` is the name of the underlying shipped model. `fit` is the fit of that model, or, if `method` is
    not "shipped", a fit on all the games. `state` and `act` are chances in the form of `chances_of`,
    cross-validated unless shipped. `losses` has the mean log loss (in nats, over cards with uncertain odds)
    of each shipped model and of each other method that was tried.
    """

    method: str
    model: str
    fit: Fit
    state: Reals
    act: Reals
    losses: dict[str, float]


def corpus_of(method: str, model: str, games: int) -> str:
    """Return a description of the training games of a model that was chosen for `games` games."""
    base = load_model(model)
    shipped = f"{base.games:,} {base.corpus}"
    own = f"{games:,} of these games, each judged by the others"
    return {
        "shipped": shipped,
        "adjusted": f"{shipped}; adjusted to {own}",
        "refitted": f"{own}, shrunk towards {shipped}",
    }[method]


def model_losses(rows: HandCards, state: Reals) -> tuple[Reals, Reals]:
    """Return the sum and the number of the log losses of `state` at uncertain odds, each (games,)."""
    _, index = np.unique(rows.game, return_inverse=True)
    games = int(index.max()) + 1 if len(index) else 0
    loss_sums, count = np.zeros(games), np.zeros(games)
    for t, target in enumerate(TARGETS):
        free = uncertain(rows.columns[f"p_{target}"])
        losses = log_losses(state[free, t], rows.columns[target][free])
        loss_sums += np.bincount(index[free], losses, games)
        count += np.bincount(index[free], minlength=games)
    return loss_sums, count


def closest_model(rows: HandCards, features: str) -> tuple[str, dict[str, float]]:
    """Return the best shipped model by log loss (below `FEWEST` games, the default) and all losses."""
    losses: dict[str, float] = {}
    for name in MODELS:
        loss_sums, count = model_losses(rows, chances_of(rows, load_model(name).fits[features])[0])
        losses[name] = float(loss_sums.sum() / max(1.0, count.sum()))
    few = len(np.unique(rows.game)) < FEWEST
    return MODELS[0] if few else min(losses, key=losses.__getitem__), losses


def cross_fit(rows: HandCards, fitter: Callable[[HandCards], Fit]) -> tuple[Reals, Reals]:
    """Return chances in the form of `chances_of`; each fold is predicted by a fit on the other folds."""
    part = folds(rows.game)
    state, act = np.empty((len(part), len(TARGETS))), np.empty((len(part), len(ACT_TARGETS)))
    for number in np.unique(part):
        inside = np.flatnonzero(part == number)
        state[inside], act[inside] = chances_of(rows.where(inside), fitter(rows.where(part != number)))
    return state, act


def choose(rows: HandCards, features: str) -> Choice:
    """Return the model for some games; `features` is a name of `SETS`.

    From `FEWEST` games on, the adjusted and the refitted model are tried. One of them is chosen only if its
    cross-validated loss is lower than that of the shipped model, and the 95% interval of the difference, by
    resampling games, excludes 0; if this holds for both, the one with the lower loss is chosen.
    """
    name, losses = closest_model(rows, features)
    base = load_model(name).fits[features]
    state, act = chances_of(rows, base)
    best = Choice("shipped", name, base, state, act, losses)
    if len(np.unique(rows.game)) < FEWEST:
        return best
    loss_sums, count = model_losses(rows, state)
    fitters: dict[str, Callable[[HandCards], Fit]] = {
        "adjusted": lambda training: adjusted(training, base),
        "refitted": lambda training: fit(training, features, base, base),
    }
    least = losses[name]
    for method, fitter in fitters.items():
        own_state, own_act = cross_fit(rows, fitter)
        own, _ = model_losses(rows, own_state)
        losses[method] = float(own.sum() / count.sum())
        if losses[method] < least and _is_clearly_lower(own - loss_sums, count):
            least = losses[method]
            best = Choice(method, name, fitter(rows), own_state, own_act, losses)
    return best


def _is_clearly_lower(difference: Reals, count: Reals) -> bool:
    games = len(difference)
    draws = np.random.default_rng(0).multinomial(games, np.full(games, 1 / games), _DRAWS)
    return bool(np.quantile((draws @ difference) / (draws @ count), 0.975) < 0.0)

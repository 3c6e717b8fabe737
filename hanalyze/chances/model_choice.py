"""Choice of the chance model for some games.

For fewer than `FEWEST` games, the default model is chosen. Otherwise the shipped model with the lowest loss
is chosen, unless a model fitted on the games is clearly better. A shipped model fitted on games of other
players can be worse than card counting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from hanalyze.chances.fitting import adjusted, fit, folds
from hanalyze.chances.logistic import Reals, log_losses
from hanalyze.chances.model import ACT_TARGETS, MODELS, Fit, HandCards, chances_of, load_model, uncertain
from hanalyze.tables.chances import TARGETS

FEWEST: Final = 10
"""Minimum number of games for a model other than the default."""

_DRAWS: Final = 1000


class Choice(NamedTuple):
    """The model chosen for some games.

    `method` is "shipped", "adjusted" (logits recalibrated per place and target) or "refitted" (ridge).
    `model` is the name of the underlying shipped model, and `fit` the fit to all games. `state` and `act` are
    cross-validated chances in the form of `chances_of`. `losses` is the log loss per uncertain chance of each
    shipped model and each other method.
    """

    method: str
    model: str
    fit: Fit
    state: Reals
    act: Reals
    losses: dict[str, float]


def corpus_of(method: str, model: str, games: int) -> str:
    """Describe the games that a chosen model was fitted on; `games` is the number of the judged games."""
    base = load_model(model)
    shipped = f"{base.games:,} {base.corpus}"
    own = f"{games:,} of these games, each judged by the others"
    return {
        "shipped": shipped,
        "adjusted": f"{shipped}; adjusted to {own}",
        "refitted": f"{own}, shrunk towards {shipped}",
    }[method]


def model_losses(rows: HandCards, state: Reals) -> tuple[Reals, Reals]:
    """Return, for each game, the sum and number of log losses of `state` for cards with uncertain odds."""
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
    """Return the shipped model with the lowest log loss (the default below `FEWEST` games) and all losses."""
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

    A method other than the shipped model is chosen if its cross-validated loss is lower and the bootstrap
    interval of the difference over games excludes 0.
    """
    name, losses = closest_model(rows, features)
    base = load_model(name).fits[features]
    state, act = chances_of(rows, base)
    best = Choice("shipped", name, base, state, act, losses)
    if len(np.unique(rows.game)) < FEWEST:
        return best
    loss_sums, count = model_losses(rows, state)
    fitters: dict[str, Callable[[HandCards], Fit]] = {
        "adjusted": lambda some: adjusted(some, base),
        "refitted": lambda some: fit(some, features, base, base),
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
    """Return whether the 97.5 % quantile of the mean loss difference over bootstrapped games is below 0."""
    games = len(difference)
    draws = np.random.default_rng(0).multinomial(games, np.full(games, 1 / games), _DRAWS)
    return bool(np.quantile((draws @ difference) / (draws @ count), 0.975) < 0.0)

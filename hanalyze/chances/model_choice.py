"""Which model serves for the games at hand.

In: rows of `HAND_CARDS`. Out: a `Choice`: the fit, what it is called, and what it says of each card when it
was fitted without that card's game. A shipped model that suits the games is hard to beat with few of them,
and one for another kind of players can be worse than none, so it is the games that decide: below `FEWEST`
the default serves; from there on the shipped model with the least loss, unless a fit of one's own is better
by more than chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.fitting import adjusted, fit, folds
from hanalyze.chances.logistic import log_losses
from hanalyze.chances.model import MODELS, Fit, HandCards, chances_of, load_model, uncertain
from hanalyze.tables.chances import TARGETS

Reals = NDArray[np.float64]

FEWEST: Final = 10
"""Games without which the default model serves."""
METHODS: Final = ("shipped", "adjusted", "refitted")
"""A shipped model as it is; its logits with two numbers fitted for each place and target; all its numbers
fitted again, drawn towards it."""

_DRAWS: Final = 1000


class Choice(NamedTuple):
    """A model chosen for some games.

    `method` is one of `METHODS`, `model` the name of the shipped model that it is or began with. `fit` is
    fitted on all games. `state` and `act` are as `chances_of` returns them, each card judged by a fit
    without its game. `losses`: log loss per uncertain chance by candidate: of the shipped models by their
    names, and of the other methods by theirs.
    """

    method: str
    model: str
    fit: Fit
    state: Reals
    act: Reals
    losses: dict[str, float]


def model_losses(rows: HandCards, state: Reals) -> tuple[Reals, Reals]:
    """Return by game the sum of the log losses of chances by the state model, and their number.

    Only chances that the cards alone leave open count; games are in the order of their numbers.
    """
    _, index = np.unique(rows.game, return_inverse=True)
    games = int(index.max()) + 1 if len(index) else 0
    lost, count = np.zeros(games), np.zeros(games)
    for t, target in enumerate(TARGETS):
        free = uncertain(rows.columns[f"p_{target}"])
        losses = log_losses(state[free, t], rows.columns[target][free])
        lost += np.bincount(index[free], losses, games)
        count += np.bincount(index[free], minlength=games)
    return lost, count


def closest(rows: HandCards, features: str) -> tuple[str, dict[str, float]]:
    """Return the shipped model with the least log loss on rows, and the loss of each.

    Below `FEWEST` games it is the default, whatever the losses.
    """
    losses: dict[str, float] = {}
    for name in MODELS:
        lost, count = model_losses(rows, chances_of(rows, load_model(name).fits[features])[0])
        losses[name] = float(lost.sum() / max(1.0, count.sum()))
    few = len(np.unique(rows.game)) < FEWEST
    return MODELS[0] if few else min(losses, key=losses.__getitem__), losses


def cross_fitted(rows: HandCards, fitted: Callable[[HandCards], Fit]) -> tuple[Reals, Reals]:
    """Return the chances of cards as `chances_of` does, each by a fit on the games of other folds."""
    part = folds(rows.game)
    pieces = []
    places: list[NDArray[np.int64]] = []
    for number in np.unique(part):
        inside = np.flatnonzero(part == number)
        pieces.append(chances_of(rows.where(inside), fitted(rows.where(part != number))))
        places.append(inside)
    order = np.argsort(np.concatenate(places))
    state, act = (np.concatenate(one)[order] for one in zip(*pieces, strict=True))
    return state, act


def choose(rows: HandCards, features: str) -> Choice:
    """Return the model for some games; `features` is a name of `SETS`.

    Another method than the shipped model is chosen where its loss on games that it was not fitted on is
    lower, and the interval of the difference, with whole games resampled, excludes 0.
    """
    name, losses = closest(rows, features)
    base = load_model(name).fits[features]
    state, act = chances_of(rows, base)
    best = Choice("shipped", name, base, state, act, losses)
    if len(np.unique(rows.game)) < FEWEST:
        return best
    lost, count = model_losses(rows, state)
    fitters: dict[str, Callable[[HandCards], Fit]] = {
        "adjusted": lambda some: adjusted(some, base),
        "refitted": lambda some: fit(some, features, base, base),
    }
    least = losses[name]
    for method, fitted in fitters.items():
        own_state, own_act = cross_fitted(rows, fitted)
        own, _ = model_losses(rows, own_state)
        losses[method] = float(own.sum() / count.sum())
        if losses[method] < least and _surely_lower(own - lost, count):
            least = losses[method]
            best = Choice(method, name, fitted(rows), own_state, own_act, losses)
    return best


def _surely_lower(difference: Reals, count: Reals) -> bool:
    """Return whether a difference in losses by game stays below 0 in 97.5 % of bootstraps over games."""
    games = len(difference)
    draws = np.random.default_rng(0).multinomial(games, np.full(games, 1 / games), _DRAWS)
    means = (draws @ difference) / (draws @ count)
    return bool(np.quantile(means, 0.975) < 0.0)

"""Doubly robust estimates of the effect of an action on the rows that took it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from hanalyze.analysis.statistics.intervals import Bools, Floats, Ints
from hanalyze.chances.logistic import fit_ridge, products, scores_of, sigmoid

FOLDS: Final = 5
"""Number of parts of the games; a model for a part is fitted on all other parts."""
MOST_LIKELY: Final = 0.95
"""Rows with a higher probability of the action are left out."""
RIDGE: Final = 1.0
"""Penalty of each standardised coefficient, equivalent to a standard normal prior."""
_CONSTANT: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows from which an effect is estimated.

    `covariates` (rows, variables) and `outcomes` (rows, outcomes) are float64, and `game` and `player` (rows)
    are int64. Rows of one `game` depend on each other. Rows with the same `player`, numbered from 0, share an
    intercept. If the rows are a sample, `declined_share` is the share of the declined rows that was sampled,
    divided by that of the taken rows; it corrects the odds of the action.
    """

    covariates: Floats
    outcomes: Floats
    game: Ints
    player: Ints
    declined_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect on each outcome and its standard error, both (outcomes); NaN without an estimate.

    `chance` (rows) is the modelled probability of the action. `games` is the number of games with a row that
    was not left out. `overlap` is the share of the taken rows that have similar declined rows. `effective` is
    the effective number of declined rows (Kish). `balance` is the largest difference between the taken and
    the weighted declined rows in any variable, in standard deviations; up to 0.1 is good (Austin 2009).
    """

    value: Floats
    error: Floats
    chance: Floats
    games: int
    overlap: float
    effective: float
    balance: float


def effect(rows: Rows, taken: Bools) -> Effect:
    """Return the effect of an action on the rows that took it, which `taken` (rows) marks.

    Rows have covariates X, an action T (1: taken, 0: declined) and an outcome Y. Let p(X) be the probability
    that the action is taken (logistic regression), and m(X) the expected outcome if it is declined (linear
    regression with an intercept for each player). With weights w = p / (1 - p) for the declined rows, the
    effect is

        mean of Y - m over the taken rows  -  mean of Y - m over the declined rows, weighted by w.

    The estimate is consistent if either model is correct (Robins, Rotnitzky & Zhao 1994; Mercatanti & Li
    2014). Both models of a row are fitted on other games (cross-fitting: Chernozhukov et al. 2018). Rows that
    are hardly ever declined have no comparison and are left out (Crump et al. 2009). The standard error uses
    the influence of whole games, because rows of one game depend on each other (Liang & Zeger 1986).

    >>> game = np.arange(200)
    >>> position = (game % 4).astype(float)
    >>> taken = game // 4 % 4 < position  # better positions take the action more often
    >>> outcome = 2 * position + taken  # the action adds 1
    >>> rows = Rows(position[:, None], outcome[:, None], game, np.zeros(200, np.int64))
    >>> float((outcome[taken].mean() - outcome[~taken].mean()).round(2))
    3.68
    >>> float(effect(rows, taken).value[0].round(2))
    1.0
    """
    games, number = np.unique(rows.game, return_inverse=True)
    fold = number % FOLDS
    spread = rows.covariates.std(axis=0)
    varying = spread > _CONSTANT
    x = (rows.covariates[:, varying] - rows.covariates[:, varying].mean(axis=0)) / spread[varying]
    chance = _chances(x, rows.player, taken, fold)
    residual = rows.outcomes - _declined_outcomes(x, rows, taken, fold)
    # The factor corrects the odds for the sampling of taken and declined rows.
    odds = chance / (1 - chance) * rows.declined_share
    overlapping = odds <= MOST_LIKELY / (1 - MOST_LIKELY)
    treated = (taken & overlapping).astype(np.float64)
    weight = np.where(taken | ~overlapping, 0.0, odds)
    totals = float(treated.sum()), float(weight.sum())
    if not min(totals) > 0:
        none = np.full(rows.outcomes.shape[1], math.nan)
        return Effect(none, none, chance, 0, 0.0, 0.0, math.nan)
    means = _weighted(residual, treated), _weighted(residual, weight)
    influence = treated[:, None] * (residual - means[0]) / totals[0]
    influence -= weight[:, None] * (residual - means[1]) / totals[1]
    by_game = np.stack([np.bincount(number, column, len(games)) for column in influence.T], axis=1)
    count = int(np.count_nonzero(np.bincount(number, treated + weight, len(games))))
    error = np.sqrt((by_game**2).sum(axis=0) * count / max(count - 1, 1))
    apart = float(np.abs(_weighted(x, treated) - _weighted(x, weight)).max(initial=0.0))
    used, declined = totals[0] / max(int(taken.sum()), 1), totals[1] ** 2 / float(weight @ weight)
    return Effect(means[0] - means[1], error, chance, count, used, declined, apart)


def _weighted(values: Floats, weight: Floats) -> Floats:
    means: Floats = products(values.T, weight[None])[:, 0] / weight.sum()
    return means


def _chances(x: Floats, player: Ints, taken: Bools, fold: Ints) -> Floats:
    """Return the probability of the action for each row, fitted on games of other folds."""
    response = taken.astype(np.float64)
    features = np.concatenate([np.ones((1, len(x))), x.T, np.zeros((int(player.max(initial=0) > 0), len(x)))])
    centre, penalty = np.zeros(len(features)), np.full(len(features), RIDGE)
    chance = np.empty(len(x))
    start = None
    for part in range(FOLDS):
        out = fold == part
        if player.max(initial=0) > 0:
            features[-1] = _habits(player, response, ~out)[player]
        start = fit_ridge(np.ascontiguousarray(features[:, ~out]), response[~out], centre, penalty, start)
        chance[out] = sigmoid(scores_of(start, features[:, out]))
    limits = np.finfo(np.float64).eps
    bounded: Floats = np.clip(chance, limits, 1 - limits)
    return bounded


def _habits(player: Ints, response: Floats, among: Bools) -> Floats:
    """Return the logit of each player's share of taken rows, shrunk by two rows with the common share."""
    common = (response[among].sum() + 1) / (np.count_nonzero(among) + 2)
    taken_rows = np.bincount(player[among], response[among], player.max() + 1) + 2 * common
    share = taken_rows / (np.bincount(player[among], minlength=player.max() + 1) + 2)
    habits: Floats = np.log(share / (1 - share))
    return habits


def _declined_outcomes(x: Floats, rows: Rows, taken: Bools, fold: Ints) -> Floats:
    """Return the expected outcomes of each row if the action is declined, fitted on games of other folds.

    The model is linear in the variables. Variables and outcomes are differences from the player's mean over
    the declined rows, which gives each player an intercept.
    """
    players = int(rows.player.max(initial=0)) + 1
    both = np.concatenate([x, rows.outcomes], axis=1)
    outcomes = np.empty(rows.outcomes.shape)
    for part in range(FOLDS):
        out = fold == part
        fitted = ~out & ~taken
        values, whose = both[fitted], rows.player[fitted]
        size = np.bincount(whose, minlength=players)
        sums = np.stack([np.bincount(whose, column, players) for column in values.T], axis=1)
        everyone = values.mean(axis=0) if len(values) else np.zeros(both.shape[1])
        mean = np.where(size[:, None] > 0, sums / np.maximum(size, 1)[:, None], everyone)
        apart = values - mean[whose]
        inside, outside = apart[:, : x.shape[1]], apart[:, x.shape[1] :]
        square = products(inside.T, inside.T) + RIDGE * np.eye(x.shape[1])
        slope = np.linalg.solve(square, products(inside.T, outside.T))
        player_mean = mean[rows.player[out]]
        beyond = (x[out] - player_mean[:, : x.shape[1]]).T
        expected = [scores_of(each, beyond) for each in slope.T]
        outcomes[out] = player_mean[:, x.shape[1] :] + np.stack(expected, axis=1)
    return outcomes

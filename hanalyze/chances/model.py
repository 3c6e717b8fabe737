"""Models of chances: features, input rows, coefficients, files, and predicted chances."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.logistic import Reals, bend_logits, logit, sigmoid
from hanalyze.conventions.run import HIGHEST_LEVEL, Output, read_games
from hanalyze.engine.batch import GameBatch
from hanalyze.errors import UnknownName
from hanalyze.tables.chances import ACTS, PLACES, TARGETS

Columns = Mapping[str, NDArray[Any]]

_LEAST: Final = 0.01  # odds are clipped to this value and 1 minus it before the logit


def _odds(name: str) -> Callable[[Columns], Any]:
    return lambda rows: logit(rows[name], _LEAST)


def _spared(rows: Columns) -> Any:
    """Return the column `spared` divided by the number of teammates, at most 1."""
    partners = rows["players"].astype(np.float64) - 1.0
    return np.minimum(rows["spared"], partners) / partners


_CONTEXT: Final[Mapping[str, Callable[[Columns], Any]]] = {
    "intercept": lambda rows: np.ones(len(rows["turn"])),
    **{f"odds_{target}": _odds(f"p_{target}") for target in TARGETS},
    "no_token": lambda rows: rows["half_tokens"] < 2,
    "tokens": lambda rows: rows["half_tokens"] / 16.0,
    "pace": lambda rows: np.clip(rows["pace"], -5, 20) / 10.0,
    "deck": lambda rows: rows["deck"] / 40.0,
    "players": lambda rows: rows["players"] - 3.0,
    "held": lambda rows: np.log1p(rows["held"], dtype=np.float64),
    "on_chop": lambda rows: np.log1p(rows["on_chop"], dtype=np.float64),
    "spared": _spared,
    "spared_discards": lambda rows: np.minimum(rows["spared_discards"], 3),
    "touches": lambda rows: np.minimum(rows["touches"], 4) / 2.0,
    "misses": lambda rows: np.minimum(rows["misses"], 6) / 3.0,
}

_MESSAGES: Final[Mapping[str, Callable[[Columns], Any]]] = {
    **{f"read_{target}": _odds(f"read_{target}") for target in TARGETS},
    **{name: itemgetter(name) for name in ("plays", "known_trash", "chop_moved", "focused", "other_trash")},
}

FEATURES: Final[Mapping[str, Callable[[Columns], Any]]] = {**_CONTEXT, **_MESSAGES}
"""For each feature: the function that computes it from the columns of `HAND_CARDS`."""

SETS: Final[Mapping[str, tuple[str, ...]]] = {"conventions": tuple(FEATURES), "context": tuple(_CONTEXT)}
"""Sets of features: `conventions` uses messages and context, `context` only context."""


def design(rows: Columns, features: str) -> NDArray[np.float64]:
    """Return the features of rows as a float64 matrix (features, rows), in the order of `SETS[features]`.

    >>> rows = {column: np.zeros(1) for column in ("turn", "p_critical", "p_playable", "p_trash", "held")}
    >>> rows |= {column: np.zeros(1) for column in ("pace", "deck", "on_chop", "spared", "spared_discards")}
    >>> rows |= {"half_tokens": np.array([5]), "players": np.array([4]), "touches": np.array([1])}
    >>> rows |= {"misses": np.array([9])}
    >>> dict(zip(SETS["context"], design(rows, "context")[:, 0].round(2).tolist()))["misses"]
    2.0
    """
    names = SETS[features]
    matrix = np.empty((len(names), len(rows["turn"])), np.float64)
    for line, name in enumerate(names):
        matrix[line] = FEATURES[name](rows)
    return matrix


Ints = NDArray[np.int64]

MODELS: Final = ("real", "conventional", "cautious")
"""The shipped models, named after the type of players in their training games; the first is the default."""

ACT_TARGETS: Final = (("play", "playable"), ("discard", "critical"), ("discard", "trash"))
"""Chances that the act layer predicts, as pairs of an act and a target."""

TENTHS: Final = 10

_FOLDER: Final = Path(__file__).parent / "models"


class HandCards(NamedTuple):
    """Rows of `HAND_CARDS`: the columns by name, and the number of the game of each row (from 0)."""

    columns: Mapping[str, NDArray[Any]]
    game: Ints

    def where(self, rows: NDArray[Any]) -> HandCards:
        """Return the rows that a mask or an array of indices selects."""
        return HandCards({name: column[rows] for name, column in self.columns.items()}, self.game[rows])


@dataclass(frozen=True, slots=True)
class Fit:
    """The coefficients of a state model and its act layer, for one set of features.

    * `features` is a name of `SETS`.
    * `state` (places, targets, features) are the coefficients of the state model's logistic regressions.
    * `curve` (places, targets, length of `STRAIGHT`) are the calibration curves of its logits.
    * `act` (`ACT_TARGETS`, places, length of `STRAIGHT`) are the curves from logits of the state model to
      logits of the act layer.
    * `state_rows` (places, targets, 10) and `act_rows` (`ACT_TARGETS`, places, 10) are the numbers of
      training rows for each `tenth` of the predicted chance.
    """

    features: str
    state: Reals
    curve: Reals
    act: Reals
    state_rows: Ints
    act_rows: Ints


@dataclass(frozen=True, slots=True)
class Model:
    """A named model of chances.

    `corpus` describes the training games, `games` is their number, and `date` the day of the fit
    (YYYY-MM-DD). Conventions were read up to `level`, by the definitions of version `conventions_version`.
    `fits` has a fit for each set of features.
    """

    name: str
    corpus: str
    games: int
    date: str
    level: int
    conventions_version: int
    fits: Mapping[str, Fit]


def uncertain(odds: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of the card-counting odds that are neither 0 nor 1."""
    return (odds > 0.0) & (odds < 1.0)


def tenth(p: Any) -> Ints:
    """Return the number of the tenth that contains each chance: 0 for [0, 0.1), 9 for [0.9, 1].

    >>> tenth(np.array([0.0, 0.1, 0.95, 1.0])).tolist()
    [0, 1, 9, 9]
    """
    # The summand assigns chances such as 3/10 to the higher tenth despite rounding errors.
    return np.minimum(np.floor(np.asarray(p, np.float64) * TENTHS + 1e-9), TENTHS - 1).astype(np.int64)


def rows_like(fit: Fit, target: str, chance: float, place: str | None = None) -> int:
    """Return the number of training cards whose predicted chance is in the same `tenth` as `chance`.

    `target` is one of `TARGETS`. `place` is one of `PLACES`, or None for cards in any place.

    >>> fit = load_model("real").fits["conventions"]
    >>> rows_like(fit, "playable", 0.97, "clued"), rows_like(fit, "playable", 0.97, "chop")
    (2092, 0)
    """
    rows = fit.state_rows[:, TARGETS.index(target), tenth(chance)]
    return int(rows.sum() if place is None else rows[PLACES.index(place)])


def chances_of(rows: HandCards, fit: Fit) -> tuple[Reals, Reals]:
    """Return the chances of cards by the state model, (rows, `TARGETS`), and by the act layer.

    The chances by the act layer are (rows, `ACT_TARGETS`), NaN unless the action was this act with this card.
    Card-counting odds of 0 and 1 are not changed. The targets have separate models, so the chances of
    playable and trash may add up to more than 1.
    """
    columns, place = rows.columns, rows.columns["place"]
    # Scores are computed for all three places, which is faster than selecting the rows of each place.
    scores = fit.state.reshape(-1, fit.state.shape[-1]) @ design(columns, fit.features)
    scores = scores.reshape(len(PLACES), len(TARGETS), -1)
    state = np.empty((len(place), len(TARGETS)), order="F")
    for p in range(len(PLACES)):
        index = np.flatnonzero(place == p)
        for t, target in enumerate(TARGETS):
            odds = columns[f"p_{target}"][index]
            predicted = sigmoid(bend_logits(fit.curve[p, t], scores[p, t, index]))
            state[index, t] = np.where(uncertain(odds), predicted, odds)
    return state, act_chances(rows, state, fit.act)


def model_chances(rows: HandCards, model: Model) -> tuple[Reals, Reals]:
    """Return `chances_of` with the features `conventions`, or `context` in variants without conventions."""
    explained = rows.columns["explained"]
    if explained.all():
        return chances_of(rows, model.fits["conventions"])
    state = np.empty((len(rows.game), len(TARGETS)))
    act = np.empty((len(rows.game), len(ACT_TARGETS)))
    for features, chosen in (("conventions", explained), ("context", ~explained)):
        index = np.flatnonzero(chosen)
        state[index], act[index] = chances_of(rows.where(index), model.fits[features])
    return state, act


def act_chances(rows: HandCards, state: Reals, act: Reals) -> Reals:
    """Return the chances by the act layer `act`, (rows, `ACT_TARGETS`), from those by the state model."""
    columns = rows.columns
    result = np.full((len(rows.game), len(ACT_TARGETS)), np.nan)
    for number, (name, target) in enumerate(ACT_TARGETS):
        acted = np.flatnonzero(columns["act"] == ACTS.index(name))
        for p in range(len(PLACES)):
            index = acted[columns["place"][acted] == p]
            before = state[index, TARGETS.index(target)]
            predicted = sigmoid(bend_logits(act[number, p], logit(before)))
            result[index, number] = np.where(uncertain(columns[f"p_{target}"][index]), predicted, before)
    return result


def _read_fit(name: str, predicted: Mapping[str, Any]) -> Fit:
    state = [[predicted["state"][place][target] for target in TARGETS] for place in PLACES]
    act = [[predicted["act"][f"{move} {target}"][place] for place in PLACES] for move, target in ACT_TARGETS]
    return Fit(
        name,
        np.array([[[entry["coefficients"][key] for key in SETS[name]] for entry in line] for line in state]),
        np.array([[entry["curve"] for entry in line] for line in state]),
        np.array([[entry["curve"] for entry in line] for line in act]),
        np.array([[entry["rows_by_tenth"] for entry in line] for line in state], np.int64),
        np.array([[entry["rows_by_tenth"] for entry in line] for line in act], np.int64),
    )


@functools.cache
def load_model(name: str = MODELS[0]) -> Model:
    """Return a shipped model by name, one of `MODELS`. Raises `UnknownName` for other names.

    >>> load_model("real").games
    111
    """
    if name not in MODELS:
        raise UnknownName("model", name, (), advice="one of: " + ", ".join(MODELS))
    content = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    fits = {key: _read_fit(key, predicted) for key, predicted in content["fits"].items()}
    return Model(**{**content, "fits": fits})


def hand_cards_of(output: Output) -> HandCards:
    """Return the rows of `HAND_CARDS` in an output of `read_games(..., cards=True)`."""
    counts = output.games["hand_cards"]
    return HandCards(output.hand_cards, np.repeat(np.arange(len(counts)), counts))


def read_hand_cards(
    batch: GameBatch, *, level: int = HIGHEST_LEVEL, fast: bool | None = None, last: int | None = None
) -> HandCards:
    """Return the rows of `HAND_CARDS` for the first `last` games of a batch, by default all.

    `level` and `fast` are as in `hanalyze.conventions.run.read_games`.
    """
    return hand_cards_of(read_games(batch, level=level, fast=fast, last=last, cards=True))

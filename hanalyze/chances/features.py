"""Features of a card in the hand to move; each feature is a function of rows of `HAND_CARDS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.logistic import logit
from hanalyze.tables.chances import TARGETS

Columns = Mapping[str, NDArray[Any]]

_LEAST: Final = 0.01
"""Odds are clipped to this value and 1 minus it before their logit is taken."""


def _odds(name: str) -> Callable[[Columns], Any]:
    return lambda rows: logit(rows[name], _LEAST)


def _column(name: str) -> Callable[[Columns], Any]:
    return lambda rows: rows[name]


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
    **{name: _column(name) for name in ("plays", "known_trash", "chop_moved", "focused", "other_trash")},
}

FEATURES: Final[Mapping[str, Callable[[Columns], Any]]] = {**_CONTEXT, **_MESSAGES}
"""For each feature: the function that computes it from the columns of `HAND_CARDS`."""

SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "conventions": tuple(FEATURES),
    "context": tuple(_CONTEXT),
}
"""Sets of features: `conventions` with messages, `context` without."""


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

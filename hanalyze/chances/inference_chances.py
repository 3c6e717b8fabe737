"""Chances of the possible readings of an ambiguous clue, from a conditional logit model.

The odds of one reading against another are a power of the ratio of their numbers of unseen copies, times a
factor that depends on the kinds of the readings. `python -m tools.fit_readings` writes the coefficients and
their cross-validated calibration to `models/readings.json`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from hanalyze.chances.logistic import Reals
from hanalyze.chances.model import tenth
from hanalyze.conventions.game_reading import KINDS, OpenReading

FILE: Final = Path(__file__).parent / "models" / "readings.json"
TERMS: Final = ("copies", *KINDS[1:])
"""Features of a reading: log of its number of unseen copies; indicators of its kind (reference: "now")."""


class ReadingModel(NamedTuple):
    """Coefficients of the model, its training data and its calibration.

    `corpus` describes the training games, `games` and `clues` are the numbers of games and clues in it,
    `date` is the day of the fit (YYYY-MM-DD). `conventions_version` is the version of the definitions of
    conventions. `weights` are the coefficients by the names in `TERMS`. For each tenth of the predicted
    chance, `rows` has the number of readings, `said` their mean predicted chance and `was` the share of true
    readings, cross-validated by games. `said` and `was` are None in tenths without readings.
    """

    corpus: str
    games: int
    clues: int
    date: str
    conventions_version: int
    weights: dict[str, float]
    rows: list[int]
    said: list[float | None]
    was: list[float | None]


@functools.cache
def load_reading_model() -> ReadingModel:
    """Return the shipped model of the chances of readings.

    >>> sum(load_reading_model().rows) > load_reading_model().clues > 500
    True
    """
    return ReadingModel(**json.loads(FILE.read_text(encoding="utf-8")))


def reading_features(readings: Sequence[OpenReading]) -> Reals:
    """Return the features of readings, (readings, `TERMS`).

    >>> reading_features([OpenReading(9, 2, "called"), OpenReading(1, 1, "now")]).round(2).tolist()
    [[0.69, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]]
    """
    features = [[np.log(max(one.copies, 1)), *(one.kind == kind for kind in TERMS[1:])] for one in readings]
    return np.array(features, np.float64).reshape(len(readings), len(TERMS))


def conditional_chances(features: Reals, weights: Reals) -> Reals:
    """Return the chances of one clue's readings, (readings,), from their features, (readings, `TERMS`)."""
    scores = features @ weights
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum(), np.float64)


def reading_chances(readings: Sequence[OpenReading]) -> dict[int, tuple[float, int]]:
    """Return, for each identity, its chance and the number of training readings with a similar chance.

    Chances in the same `tenth` are similar. The result is empty for fewer than two readings.

    >>> chances = reading_chances([OpenReading(9, 2, "called"), OpenReading(1, 2, "now")])
    >>> chances[9][0] > 0.5, round(sum(chance for chance, _ in chances.values()), 6)
    (True, 1.0)
    """
    if len(readings) < 2:
        return {}
    model = load_reading_model()
    weights = np.array([model.weights[name] for name in TERMS])
    chances = conditional_chances(reading_features(readings), weights)
    rows = np.array(model.rows)[tenth(chances)]
    return {
        reading.identity: (chance, count)
        for reading, chance, count in zip(readings, chances.tolist(), rows.tolist(), strict=True)
    }

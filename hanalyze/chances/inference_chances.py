"""How likely each reading of a clue is, where it leaves its receiver several.

In: what a message leaves open of a card (`hanalyze.conventions.game_reading`). Out: a chance for each
identity; together they are 1. The card was one of them in 658 of 660 such clues in 111 real games.

A conditional logit: the odds of two readings are the odds of their copies that the receiver does not see, to
a power, times a number for each kind of reading. `models/readings.json` has the numbers, made by
`python -m tools.fit_readings`, with what they said of games that they were not fitted on.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.model import tenth
from hanalyze.conventions.game_reading import KINDS, OpenReading

Reals = NDArray[np.float64]

FILE: Final = Path(__file__).parent / "models" / "readings.json"
TERMS: Final = ("copies", *KINDS[1:])
"""What readings are judged by: the logarithm of the copies that the receiver does not see, and the kind; what
can be played now is what the others are compared with."""


class ReadingModel(NamedTuple):
    """The numbers of the model and what they were fitted on.

    `weights` by `TERMS`. `rows` (10): readings of the fitted clues, by the tenth of the chance that was said;
    `said` and `was`: the mean chance and the share that came true in that tenth, each clue judged by a fit
    without its game, None where there was none.
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
    """Return the shipped model.

    >>> sum(load_reading_model().rows) > load_reading_model().clues > 500
    True
    """
    return ReadingModel(**json.loads(FILE.read_text(encoding="utf-8")))


def traits(readings: Sequence[OpenReading]) -> Reals:
    """Return (readings, `TERMS`): what readings are judged by.

    >>> traits([OpenReading(9, 2, "called"), OpenReading(1, 1, "now")]).round(2).tolist()
    [[0.69, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]]
    """
    found = [[np.log(max(one.copies, 1)), *(one.kind == kind for kind in TERMS[1:])] for one in readings]
    return np.array(found, np.float64).reshape(len(readings), len(TERMS))


def likely(found: Reals, weights: Reals) -> Reals:
    """Return the chances of the readings of one clue, of their traits."""
    scores = found @ weights
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum(), np.float64)


def reading_chances(readings: Sequence[OpenReading]) -> dict[int, tuple[float, int]]:
    """Return the chance of each identity, and how many readings with such a chance the model rests on.

    Nothing where there are less than two readings.

    >>> chances = reading_chances([OpenReading(9, 2, "called"), OpenReading(1, 2, "now")])
    >>> chances[9][0] > 0.5, round(sum(chance for chance, _ in chances.values()), 6)
    (True, 1.0)
    """
    if len(readings) < 2:
        return {}
    model = load_reading_model()
    chances = likely(traits(readings), np.array([model.weights[name] for name in TERMS]))
    rows = np.array(model.rows)[tenth(chances)]
    return {
        one.identity: (chance, count)
        for one, chance, count in zip(readings, chances.tolist(), rows.tolist(), strict=True)
    }

"""Refit the shipped model of the chances of readings.

    python -m tools.fit_readings LOGS --corpus "source of the games"
    python -m tools.fit_readings LOGS --corpus "..." -o elsewhere.json

The model is written to `hanalyze/chances/models/readings.json` with its corpus, date and cross-validated
calibration. Refit whenever `CONVENTIONS_VERSION` changes.
"""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.inference_chances import (
    FILE,
    TERMS,
    ReadingModel,
    conditional_chances,
    reading_features,
)
from hanalyze.chances.logistic import LEAST
from hanalyze.chances.model import TENTHS, tenth
from hanalyze.chances.model_choice import folds
from hanalyze.conventions.game_reading import follow_game
from hanalyze.game.cards import identity
from hanalyze.logs import GameRecord, read
from hanalyze.replaying import replay
from hanalyze.tables.conventions import CONVENTIONS_VERSION

Reals = NDArray[np.float64]

_PENALTY: Final = 3.0
"""Ridge penalty: half of it times the squared distance of each weight from its centre is added to the loss.
The centre is 1 for the first of `TERMS` (the copies) and 0 for the kinds."""
_STEPS: Final = 50  # maximum number of Newton steps
_CLOSE: Final = 1e-9  # the steps end when the predicted decrease of the loss is at most half of this


class Choice(NamedTuple):
    """Readings of one clue: the number of the game, features by reading, and a mask of the true readings."""

    game: int
    traits: Reals
    true: NDArray[np.bool_]


def choices_of(records: Iterable[GameRecord]) -> Iterator[Choice]:
    """Yield the clues that leave several readings open, one of them true."""
    for number, record in enumerate(records):
        deck = replay(record).deck
        for messages in follow_game(record).messages:
            for one in messages:
                true = np.array([identity(*deck[one.order]) == each.identity for each in one.open])
                if len(one.open) > 1 and true.any():
                    yield Choice(number, reading_features(one.open), true)


def fit_choices(choices: Sequence[Choice]) -> Reals:
    """Return the weights of `TERMS` with the highest penalised likelihood, by Newton's method.

    >>> alike = np.zeros((2, len(TERMS)))
    >>> alike[0, -1] = 1.0
    >>> often = [Choice(game, alike, np.array([game % 4 > 0, game % 4 == 0])) for game in range(400)]
    >>> weights = fit_choices(often)
    >>> round(float(weights[0]), 6), round(float(conditional_chances(alike, weights)[0]), 2)
    (1.0, 0.74)
    """
    centre = np.array([1.0] + [0.0] * (len(TERMS) - 1))
    weights = centre.copy()
    for _ in range(_STEPS):
        slope = _PENALTY * (weights - centre)
        curve = _PENALTY * np.eye(len(TERMS))
        for choice in choices:
            shares = conditional_chances(choice.traits, weights)
            slope += (shares - choice.true) @ choice.traits
            mean = shares @ choice.traits
            curve += (choice.traits.T * shares) @ choice.traits - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if slope @ step <= _CLOSE:
            break
    return weights


def fit_readings(corpus: str, records: Sequence[GameRecord], date: str) -> tuple[ReadingModel, float]:
    """Return a model fitted on records, and its cross-validated log loss per clue.

    >>> from hanalyze.agents import simulate
    >>> model, loss = fit_readings("two games", list(simulate("conventional", games=2)), "2026-01-31")
    >>> model.games, set(model.weights) == set(TERMS), loss > 0
    (2, True, True)
    """
    choices = list(choices_of(records))
    part = folds(np.array([choice.game for choice in choices], np.int64))
    predicted = np.zeros(0)
    true = np.zeros(0, np.bool_)
    for number in np.unique(part):
        weights = fit_choices([one for one, own in zip(choices, part, strict=True) if own != number])
        inside = [one for one, own in zip(choices, part, strict=True) if own == number]
        predicted = np.concatenate([predicted, *(conditional_chances(one.traits, weights) for one in inside)])
        true = np.concatenate([true, *(one.true for one in inside)])
    tenths = [tenth(predicted) == number for number in range(TENTHS)]
    model = ReadingModel(
        corpus=corpus,
        games=len(records),
        clues=len(choices),
        date=date,
        conventions_version=CONVENTIONS_VERSION,
        weights=dict(zip(TERMS, fit_choices(choices).round(4).tolist(), strict=True)),
        rows=[int(own.sum()) for own in tenths],
        said=[round(float(predicted[own].mean()), 4) if own.any() else None for own in tenths],
        was=[round(float(true[own].mean()), 4) if own.any() else None for own in tenths],
    )
    return model, float(-np.log(np.clip(predicted[true], LEAST, 1.0)).mean()) if true.any() else 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the model and write its file."""
    parser = argparse.ArgumentParser(prog="python -m tools.fit_readings", description=__doc__)
    parser.add_argument("logs", nargs="+", help="log files")
    parser.add_argument("--corpus", required=True, help="source of the games")
    parser.add_argument("-o", "--output", type=Path, default=FILE, help="the file to write")
    given = parser.parse_args(arguments)
    records = [record for path in given.logs for record in read(path)]
    model, _ = fit_readings(given.corpus, records, datetime.date.today().isoformat())
    given.output.write_text(json.dumps(model._asdict(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""What chances said and what came of it, summed up piece by piece.

In: cards that chances were said of, whole games at a time. Out: for all cards and for each tenth of the
chance that was said last, how many there were, means, losses, and the standard error of the share that came.
The sums have a fixed size, however many cards are added.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.logistic import log_losses
from hanalyze.chances.model import TENTHS, tenth

Reals = NDArray[np.float64]

LAYERS: Final = ("cards", "state", "act")
"""Who says a chance: the cards alone, the state model, the act layer."""

_LINES: Final = (
    "cards",
    "games",
    "came",
    "free",
    *(f"said_{name}" for name in LAYERS),
    *(f"loss_{name}" for name in LAYERS),
    "rest_rest",
    "rest_count",
    "count_count",
)
"""What is added up. `free`: the variances of independent cards that come as was said. The last three: sums
over games of products of what came less what was said in the game, and of its number of cards."""
_ALL: Final = TENTHS
"""The place of all cards, after the tenths."""


class Sums:
    """Sums over cards of one question.

    >>> sums = Sums()
    >>> said = {"cards": np.array([0.5, 0.5]), "state": np.array([0.2, 0.8])}
    >>> sums.add(said, np.array([0, 1]), np.arange(2))
    >>> [(line["tenth"], line["cards"], line["was"], round(line["said_state"], 3)) for line in sums.lines()]
    [(None, 2, 0.5, 0.5), (2, 1, 0.0, 0.2), (8, 1, 1.0, 0.8)]
    """

    def __init__(self) -> None:
        self._sums: dict[str, Reals] = {name: np.zeros(TENTHS + 1) for name in _LINES}
        self._said: set[str] = set()

    def add(self, said: Mapping[str, NDArray[Any]], came: NDArray[Any], game: NDArray[np.int64]) -> None:
        """Add the cards of whole games: by card the chances by some of `LAYERS`, what came, and the game.

        The last of the chances decides in which tenth a card counts.
        """
        if not len(came):
            return
        self._said |= set(said)
        came = np.asarray(came, np.float64)
        last = np.asarray(said[_last(said)], np.float64)
        own = tenth(last)
        _, index = np.unique(game, return_inverse=True)
        for cell in (own, np.full(len(came), _ALL)):
            self._add("cards", cell)
            self._add("came", cell, came)
            self._add("free", cell, last * (1.0 - last))
            for name, chances in said.items():
                self._add(f"said_{name}", cell, chances)
                self._add(f"loss_{name}", cell, log_losses(chances, came))
            self._add_games(cell, index, came - last)

    def _add(self, line: str, cell: NDArray[np.int64], values: NDArray[Any] | None = None) -> None:
        self._sums[line] += np.bincount(cell, values, TENTHS + 1)

    def _add_games(self, cell: NDArray[np.int64], game: NDArray[np.int64], rest: Reals) -> None:
        """Add what each game comes to in each tenth that it has cards in."""
        keys, place = np.unique(game * (TENTHS + 1) + cell, return_inverse=True)
        total, count = np.bincount(place, rest), np.bincount(place).astype(np.float64)
        there = keys % (TENTHS + 1)
        self._add("games", there)
        self._add("rest_rest", there, total * total)
        self._add("rest_count", there, total * count)
        self._add("count_count", there, count * count)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield what all cards come to, with `tenth` None, then each tenth that has any."""
        last = _last(self._said)
        for cell in (_ALL, *range(TENTHS)):
            sums = {name: float(values[cell]) for name, values in self._sums.items()}
            if sums["cards"]:
                yield {
                    "tenth": None if cell == _ALL else cell,
                    "cards": int(sums["cards"]),
                    "games": int(sums["games"]),
                    "was": sums["came"] / sums["cards"],
                    "standard_error": _standard_error(sums, sums[f"said_{last}"]),
                    **{
                        f"{what}_{name}": sums[f"{what}_{name}"] / sums["cards"]
                        if name in self._said
                        else None
                        for what in ("said", "loss")
                        for name in LAYERS
                    },
                }


def _last(said: Collection[str]) -> str:
    """Return the last of some layers, which took the most into account; "" for none."""
    return max(said, key=LAYERS.index, default="")


def _standard_error(sums: Mapping[str, float], said: float) -> float:
    """Return the standard error of the share that came; `said` is the sum of what was said of each card.

    Whole games vary; it is at least what independent cards would have that come as was said, so that a tenth
    in which nothing came has one, too.
    """
    cards, games = sums["cards"], sums["games"]
    free = float(np.sqrt(sums["free"])) / cards
    if games < 2:
        return free
    mean = (sums["came"] - said) / cards
    squares = sums["rest_rest"] - 2.0 * mean * sums["rest_count"] + mean * mean * sums["count_count"]
    return max(free, float(np.sqrt(max(squares, 0.0) * games / (games - 1))) / cards)

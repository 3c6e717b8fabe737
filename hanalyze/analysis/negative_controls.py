"""What taking a convention seems to bring where nobody knows any: the negative control of effects.

In: `negative_controls.csv` beside this file, made by `tools.make_controls` from games of two agents
that know no conventions. Out: of it the effect that players at tables of the same sizes would have by chance.
A name for clues that nobody means or understands cannot pay by itself: what is found of people counts for
the convention only beyond this.

A negative control: Lipsitch, M., Tchetgen Tchetgen, E. & Cohen, T. (2010), Negative controls, Epidemiology
21, 383-388.
"""

from __future__ import annotations

import csv
import math
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import Ints
from hanalyze.game.meanings import Convention

CONTROLS: Final = ("random", "cautious")
"""Agents whose clues mean nothing but what they say."""

FILE: Final = Path(__file__).with_suffix(".csv")
"""The numbers, with their corpus in the first line."""
PLAYERS: Final = (2, 3, 4, 5)
"""Table sizes that there are games of."""
_ENOUGH: Final = 0.5
"""The share of the taken turns whose table size must have a control."""


class Control(NamedTuple):
    """An effect that is found by chance, and its standard error."""

    value: float
    error: float


def control(agent: str, convention: Convention, outcome: str, players: Ints) -> Control | None:
    """Return what an agent's games show for a convention and an outcome, or None where they show too little.

    `players` are the sizes of the tables where it was taken: the effects at these tables are weighted as
    often as they occur. Tables of six have the effects of five.

    >>> found = control("cautious", Convention.PLAY_CLUE, "points", np.array([3, 3]))
    >>> found is not None and abs(found.value) < 0.5
    True
    """
    sizes, counts = np.unique(np.minimum(players, max(PLAYERS)), return_counts=True)
    known = _table().get((agent, convention.label, outcome), {})
    there = [
        (known[size], count)
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
        if size in known
    ]
    whole = sum(count for _, count in there)
    if not whole or whole < _ENOUGH * counts.sum():
        return None
    weights = [count / whole for _, count in there]
    value = sum(weight * one.value for weight, (one, _) in zip(weights, there, strict=True))
    error = math.hypot(*(weight * one.error for weight, (one, _) in zip(weights, there, strict=True)))
    return Control(value, error)


@cache
def _table() -> dict[tuple[str, str, str], dict[int, Control]]:
    """Return the controls by agent, convention and outcome, then by table size."""
    table: dict[tuple[str, str, str], dict[int, Control]] = {}
    with FILE.open(encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            found = Control(float(row["effect"]), float(row["standard_error"]))
            table.setdefault((row["agent"], row["convention"], row["outcome"]), {})[int(row["players"])] = (
                found
            )
    return table


def controls_version() -> int:
    """Return the version of the conventions (`CONVENTIONS_VERSION`) by which the games were read."""
    with FILE.open(encoding="utf-8") as file:
        found = re.search(r"conventions (\d+)", file.readline())
    return int(found[1]) if found else 0

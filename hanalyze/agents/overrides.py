"""Experiments: coins that decide whether the conventional agent gives a convention, and their tags.

The tags of a game have each toss as `toss:TURN:CONVENTION:taken|declined:clue|play|discard`. TURN is 0-based
as in the tables; the last word is the kind of the action that the agent would take, or took, instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hanalyze.agents.conventional import GIVEN, MEANING_OTHER, MEANING_TAKEN, MEANING_TOSSED
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import DISCARD, PLAY
from hanalyze.game.meanings import Convention
from hanalyze.words import named_convention

_OTHERS: Final = {PLAY: "play", DISCARD: "discard"}


def checked_overrides(overrides: Mapping[str, float], level: int) -> dict[Convention, float]:
    """Return the probabilities by convention.

    Raises `UnknownName` for an unknown convention, and `HanalyzeError` (rule `bad_override`) for one that the
    agent does not give at this level, or a probability outside 0 to 1.

    >>> checked_overrides({"finesse": 0.5}, 2)
    {<Convention.FINESSE: 7>: 0.5}
    """
    checked = {}
    for name, probability in overrides.items():
        convention = named_convention(name)
        if convention not in GIVEN or convention.level > level:
            given = ", ".join(one.label for one in GIVEN if one.level <= level)
            raise HanalyzeError(
                f"the agent conventional gives no {convention.label} at level {level}",
                rule="bad_override",
                advice=f"it gives {given}",
            )
        if not 0 <= probability <= 1:
            raise HanalyzeError(
                f"override {convention.label}={probability:g}",
                rule="bad_override",
                advice="use a probability from 0 to 1, such as 0.5",
            )
        checked[convention] = probability
    return checked


def coin_limits(overrides: Mapping[Convention, float]) -> list[int]:
    """Return `Viewpoints.limits`: by convention, 0 without an override, or else a number from 1.

    >>> coin_limits({Convention.FINESSE: 0.5})[Convention.FINESSE] == 2**31 + 1
    True
    """
    return [round(2**32 * overrides[one]) + 1 if one in overrides else 0 for one in Convention]


def toss_tags(meanings: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Return the tags of a game's tosses, given the meaning of each turn."""
    return tuple(
        f"toss:{turn}:{Convention(row[MEANING_TOSSED]).label}"
        f":{'taken' if row[MEANING_TAKEN] else 'declined'}:{_OTHERS.get(row[MEANING_OTHER], 'clue')}"
        for turn, row in enumerate(meanings)
        if row[MEANING_TOSSED] >= 0
    )

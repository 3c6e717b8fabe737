"""Judging options: the games judged by conventions, the play threshold, and the level of signals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import Connection
from hanalyze.store.schema import CONVENTION_TABLES, restrict

PLAY: Final = 0.6
"""The play threshold: a play with at least this chance of success is not a mistake."""
AT_RISK: Final = 0.9
"""Minimum play threshold at `_STRIKES` strikes or more, because the next strike usually ends the game."""
_STRIKES: Final = 2


@dataclass(frozen=True, slots=True)
class Judging:
    """Judging options.

    `by_logic` is True if conventions are ignored in all games, or contains the keys of the games whose
    players follow another system. In such games, only deduction counts, because a clue or a risk may have had
    a meaning in that system. `play` is the least chance at which playing a card is not a mistake, and
    discarding it is a mistake; at two strikes or more, this threshold is at least `AT_RISK`. `level` is the
    highest level of the signals that players are expected to answer; None if each group's level is estimated
    (`hanalyze.store.levels`).
    Raises `HanalyzeError` (rule `bad_threshold`) unless 0 < `play` <= 1.

    >>> Judging(play=0.75).by_logic
    False
    """

    by_logic: bool | frozenset[int] = False
    play: float = PLAY
    level: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.play <= 1:
            problem = f"the play threshold is {self.play:g}, which is not a chance"
            advice = "give a number above 0 and at most 1, such as 0.6"
            raise HanalyzeError(problem, rule="bad_threshold", advice=advice)


USUAL: Final = Judging()


def judging_macro(judging: Judging) -> str:
    """Return the definition of the macro `play_threshold(strikes)`, without `CREATE MACRO`."""
    at_risk = max(judging.play, AT_RISK)
    cases = f"CASE WHEN strikes >= {_STRIKES} THEN {at_risk!r} ELSE {judging.play!r} END"
    return f"play_threshold(strikes) AS {cases}"


def judge_by(connection: Connection, judging: Judging) -> None:
    """Apply judging options: create views that hide conventions, and two macros.

    `play_threshold(strikes)`: the least chance at which a play is not a mistake. `is_judged(game,
    is_deduced)`: whether a mistake counts; if the players follow another system, only if it is deduced.
    """
    drops = [f"DROP VIEW IF EXISTS temp.{table}" for table in CONVENTION_TABLES]
    shown, is_judged = "", "true"
    if judging.by_logic is True:
        shown = "false"
    elif judging.by_logic:
        keys = ", ".join(map(str, sorted(judging.by_logic)))
        shown, is_judged = f"game_id NOT IN ({keys})", f"game NOT IN ({keys}) OR coalesce(is_deduced, false)"
    macros = (judging_macro(judging), f"is_judged(game, is_deduced) AS {is_judged}")
    connection.execute("; ".join([*(f"CREATE OR REPLACE TEMP MACRO {one}" for one in macros), *drops]))
    if shown:
        restrict(connection, CONVENTION_TABLES, shown)

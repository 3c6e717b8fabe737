"""Judging options: whose conventions count, and how likely a play must be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import duckdb
from hanalyze.store.schema import CONVENTION_TABLES, restrict

PLAY: Final = 0.6
"""The least chance at which a play is no mistake."""
AT_RISK: Final = 0.9
"""The same at two strikes, where another one ends the game."""
_STRIKES: Final = 2
"""Strikes from which on a play is at risk."""


@dataclass(frozen=True, slots=True)
class Judging:
    """Judging options.

    `by_logic`: keys of the games whose conventions do not count, or True for all games. `play`: the least
    chance at which a play is no mistake, and the discard of such a card is one; at two strikes at least
    `AT_RISK`. Raises `HanalyzeError` (rule `bad_threshold`) for a `play` that is no chance.

    >>> Judging(play=0.75).by_logic
    False
    """

    by_logic: bool | frozenset[int] = False
    play: float = PLAY

    def __post_init__(self) -> None:
        if not 0 < self.play <= 1:
            raise HanalyzeError(
                f"the threshold of plays is {self.play:g}, which is no chance",
                rule="bad_threshold",
                advice="give a number above 0 and at most 1, such as 0.6",
            )


USUAL: Final = Judging()


def judging_macro(judging: Judging) -> str:
    """Return the definition of the macro `play_threshold(strikes)`, without `CREATE MACRO`."""
    at_risk = max(judging.play, AT_RISK)
    cases = f"CASE WHEN strikes >= {_STRIKES} THEN {at_risk!r} ELSE {judging.play!r} END"
    return f"play_threshold(strikes) AS {cases}"


def judge_by(connection: duckdb.DuckDBPyConnection, judging: Judging) -> None:
    """Set the judging options of a connection: the macro, and views that hide conventions."""
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {judging_macro(judging)}")
    for table in CONVENTION_TABLES:
        connection.execute(f"DROP VIEW IF EXISTS temp.{table}")
    if judging.by_logic is True:
        restrict(connection, CONVENTION_TABLES, "false")
    elif judging.by_logic:
        keys = ", ".join(map(str, sorted(judging.by_logic)))
        restrict(connection, CONVENTION_TABLES, f"game_id NOT IN ({keys})")

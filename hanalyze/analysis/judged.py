"""Every decision judged once, for as many questions as come.

In: a database and definitions of mistakes. Out: the names of two tables of its connection, which go with it:
by decision which mistakes could have been made and which were, and what points were lost by which.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from hanalyze.errors import HanalyzeError
from hanalyze.store.mistakes import BLAMELESS, definitions, prepare

if TYPE_CHECKING:
    from hanalyze.store import Database

__all__ = ["Judged", "judged"]

_MOST: Final = 62
"""Kinds that have room in a number."""


class Judged(NamedTuple):
    """Two tables, and which bit of `chances` and `found` stands for which kind.

    `decisions`: `game_id`, `turn`, `seat`, `rank`, `suit`, `phase`; `chances`, the kinds that could have been
    found; `found`, those that were, and that somebody is to blame for. `lost`: `game_id`, `turn`, `number`
    (of the bit), `points`, which are not 0.
    """

    decisions: str
    lost: str
    bits: dict[str, int]

    def mask(self, kinds: list[str]) -> int:
        """Return the number with the bits of some kinds."""
        return sum(1 << self.bits[kind] for kind in kinds)


_made: Final[WeakKeyDictionary[Database, dict[str, Judged]]] = WeakKeyDictionary()


def judged(db: Database, folder: str | os.PathLike[str] | None = None) -> Judged:
    """Return the judged decisions of a database: made when asked for first, or after games were added."""
    known = definitions(folder)
    if len(known) > _MOST:
        raise HanalyzeError(f"{len(known)} kinds of mistakes, of {_MOST} at most", rule="bad_definition")
    [(games,)] = db.sql("SELECT count(*) FROM games").rows()
    state = hashlib.sha256(repr([games, *(one.text for one in known.values())]).encode()).hexdigest()[:16]
    tables = _made.setdefault(db, {})
    if state not in tables:
        for old in tables.values():
            for table in (old.decisions, old.lost):
                db.connection.execute(f"DROP TABLE IF EXISTS {table}")
        tables.clear()
        tables[state] = _make(db.connection, folder, state)
    return tables[state]


def _make(connection: Any, folder: str | os.PathLike[str] | None, state: str) -> Judged:
    known = definitions(folder)
    bits = {kind: number for number, kind in enumerate(known)}
    blameless = ", ".join(f"'{severity}'" for severity in sorted(BLAMELESS))
    rows = "\nUNION ALL\n".join(
        f"SELECT game_id, turn, {bits[kind]} AS number, points FROM (\n{one.query}\n)"
        f" WHERE severity NOT IN ({blameless})"
        for kind, one in known.items()
    )
    chances = " | ".join(
        f"(coalesce({one.where}, false)::BIGINT << {bits[kind]})" for kind, one in known.items()
    )
    all_found, lost, decisions = (f"{name}_{state}" for name in ("_found", "_lost", "_judged"))
    prepare(connection, folder)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {all_found} AS\n{rows}")
    connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE {lost} AS
        SELECT game_id, turn, number, sum(points)::INTEGER AS points
        FROM {all_found} GROUP BY ALL HAVING sum(points) <> 0"""
    )
    connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE {decisions} AS
        SELECT
            d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase,
            d.chances | coalesce(f.found, 0) AS chances, coalesce(f.found, 0) AS found
        FROM (
            SELECT
                game_id, turn, seat, rank, suit, phase,
                CASE WHEN one_choice IS NULL THEN {chances} ELSE 0 END AS chances
            FROM decisions
        ) d
        LEFT JOIN (
            SELECT game_id, turn, bit_or(1::BIGINT << number) AS found FROM {all_found} GROUP BY ALL
        ) f USING (game_id, turn)"""
    )
    connection.execute(f"DROP TABLE {all_found}")
    return Judged(decisions, lost, bits)

"""Every decision judged once, for as many questions as come.

In: a database and definitions of mistakes. Out: the names of tables of its connection, which go with it: by
decision which mistakes could have been made and which were, the same counted by player and game, and what was
lost by which.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from hanalyze.errors import HanalyzeError
from hanalyze.store.definitions import FAMILIES, definitions
from hanalyze.store.mistakes import BLAMED_SQL, query_of

if TYPE_CHECKING:
    from hanalyze.store import Database

__all__ = ["Judged", "judged"]

_MOST: Final = 62
"""Kinds that have room in a number."""


class Judged(NamedTuple):
    """The tables, and which bit of `chances` and `found` stands for which kind.

    `decisions`: `game_id`, `turn`, `seat`, `rank`, `suit`, `phase`; `chances`, the kinds that could have been
    found; `found`, those that were, and that somebody is to blame for. Neither has what had nothing to lose,
    nor, of `Definition.weighs_forced`, decisions with one sensible choice.

    `seats`, one row per game and seat: for each measure (a kind, or a family, of which one mistake is as good
    as several) `o0`, decisions with a chance of it, and `f0`, those with one found; `o1` ...

    `lost`, a row for each decision and kind that lost something and that somebody is to blame for: the first
    six columns of `decisions`; `number` of the kind's bit, `points`, `tokens`.
    """

    decisions: str
    seats: str
    lost: str
    bits: dict[str, int]
    measures: dict[str, tuple[int, int]]
    """Of each measure its number in `seats`, and its mask."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables."""
        return (self.decisions, self.seats, self.lost)


_made: Final[WeakKeyDictionary[Database, dict[str, Judged]]] = WeakKeyDictionary()


def judged(db: Database, folder: str | os.PathLike[str] | None = None) -> Judged:
    """Return the judged decisions of a database: made when asked for first, or after games were added."""
    known = definitions(folder)
    if len(known) > _MOST:
        raise HanalyzeError(
            f"{len(known)} kinds of mistakes, but at most {_MOST} are possible", rule="bad_definition"
        )
    asked = repr([db.count("games"), db.count("convention_games"), *(one.text for one in known.values())])
    state = hashlib.sha256(asked.encode()).hexdigest()[:16]
    ready = _made.setdefault(db, {})
    if state not in ready:
        for old in ready.values():
            for table in old.tables:
                db.sql(f"DROP TABLE IF EXISTS {table}", temporary=True)
        ready.clear()
        ready[state] = _make(db, folder, state)
    return ready[state]


def _measures(bits: dict[str, int], families: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the number and the mask of each measure: the kinds, then the families."""
    masks = [(kind, 1 << bit) for kind, bit in bits.items()]
    of = list(zip(families, bits.values(), strict=True))
    masks += [(one, sum(1 << bit for family, bit in of if family == one)) for one in FAMILIES]
    return {name: (number, mask) for number, (name, mask) in enumerate(masks)}


def _make(db: Database, folder: str | os.PathLike[str] | None, state: str) -> Judged:
    known = definitions(folder)
    bits = {kind: number for number, kind in enumerate(known)}
    measures = _measures(bits, (one.family for one in known.values()))
    rows = [
        f"SELECT game_id, turn, {bits[kind]}::TINYINT AS number, points::INTEGER AS points,"
        f" tokens::DOUBLE AS tokens, {BLAMED_SQL} AS blamed FROM (\n{query_of(one)}\n)"
        f" WHERE blamed OR severity = 'nothing_to_lose'"
        for kind, one in known.items()
    ]
    chances = " | ".join(
        f"(coalesce({one.where}, false)::BIGINT << {bits[kind]})" for kind, one in known.items()
    )
    elsewhere = sum(1 << bits[kind] for kind, one in known.items() if not one.weighs_forced)
    counts = ", ".join(
        f"count_if(chances & {mask} <> 0)::USMALLINT AS o{number},"
        f" count_if(found & {mask} <> 0)::USMALLINT AS f{number}"
        for number, mask in measures.values()
    )
    found, decisions, seats, lost = (f"_{name}_{state}" for name in ("found", "judged", "seats", "lost"))
    db.prepare(folder)
    db.sql(f"CREATE OR REPLACE TEMP TABLE {found} AS\n{rows[0]}", temporary=True)
    for query in rows[1:]:  # one by one: together they would hold the memory of all at once
        db.sql(f"INSERT INTO {found}\n{query}", temporary=True)
    for table, query in (
        (
            decisions,
            f"""
        SELECT
            d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase,
            d.chances & ~coalesce(f.idle, 0) | coalesce(f.found, 0) & d.counted AS chances,
            coalesce(f.found, 0) & d.counted AS found
        FROM (
            SELECT
                game_id, turn, seat, rank, suit, phase,
                CASE WHEN one_choice IS NULL THEN {chances} ELSE 0 END AS chances,
                CASE WHEN one_choice IS NULL THEN -1 ELSE {elsewhere} END AS counted
            FROM decisions
        ) d
        LEFT JOIN (
            SELECT game_id, turn, coalesce(bit_or(1::BIGINT << number) FILTER (blamed), 0) AS found,
                coalesce(bit_or(1::BIGINT << number) FILTER (NOT blamed), 0) AS idle
            FROM {found} GROUP BY ALL
        ) f USING (game_id, turn)""",
        ),
        (seats, f"SELECT game_id, seat, {counts} FROM {decisions} GROUP BY ALL"),
        (
            lost,
            f"""
        SELECT
            d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase, f.number, f.points, f.tokens
        FROM {found} f JOIN {decisions} d USING (game_id, turn)
        WHERE f.blamed AND (f.points <> 0 OR f.tokens > 0)""",
        ),
    ):
        db.sql(f"CREATE OR REPLACE TEMP TABLE {table} AS\n{query}", temporary=True)
    db.sql(f"DROP TABLE {found}", temporary=True)
    return Judged(decisions, seats, lost, bits, measures)

"""Turns with masks of possible and found mistakes and conventions: the rows of `explore`."""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.game.meanings import SETTLED
from hanalyze.store.schema import quoted

TABLE: Final = "judged_turns"
"""Name of the stored table."""
CONVENTIONS: Final = conventions_in(MESSAGES)
"""Conventions that are counted: those that send a message. Bit n of a mask means `CONVENTIONS[n]`."""

STORED: Final = """SELECT * REPLACE (
    chances::VARCHAR AS chances, found::VARCHAR AS found,
    coalesce(rank, -1)::TINYINT AS rank, coalesce(suit, -1)::TINYINT AS suit)"""
"""The stored columns. Few masks differ, and each text is stored once; nulls would take a bit each."""
READ: Final = f"""(SELECT * EXCLUDE (part) REPLACE (
    chances::BIGINT AS chances, found::BIGINT AS found, nullif(rank, -1) AS rank, nullif(suit, -1) AS suit)
FROM sums.{TABLE})"""
"""The stored rows with the columns of `judged_turns`."""
READ_TEXTS: Final = f"(SELECT * EXCLUDE (part) FROM sums.{TABLE})"
"""The stored rows with masks as texts, by which DuckDB groups several times as fast."""


def judged_turns(decisions: str, losses: str) -> str:
    """Return the query for all turns, with their mistakes and results.

    The columns are those of `DecisionTables.decisions`, `result`, `gotten` (cards gotten by a clue) and
    `points` (charged to mistakes that somebody is to blame for).
    `decisions` and `losses` are tables with the columns of `DecisionTables.decisions` and `lost`.
    """
    return f"""
SELECT d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase, t.result, d.chances, d.found,
    coalesce(c.cards_gotten, 0)::TINYINT AS gotten, coalesce(l.points, 0)::SMALLINT AS points
FROM {decisions} d
JOIN turns t ON t.game_id = d.game_id AND t.turn = d.turn AND t.action <> 'end_game'
LEFT JOIN clues c ON c.game_id = d.game_id AND c.turn = d.turn
LEFT JOIN (SELECT game_id, turn, sum(points) AS points FROM {losses} WHERE blamed GROUP BY ALL) l
    ON l.game_id = d.game_id AND l.turn = d.turn"""


def _conventions_by_turn() -> str:
    numbers = " ".join(f"WHEN {quoted(one.label)} THEN {n}" for n, one in enumerate(CONVENTIONS))
    settled = ", ".join(map(quoted, SETTLED))
    bit = "coalesce(bit_or(1::BIGINT << b.bit) FILTER ({}), 0)"
    return f"""
SELECT b.game_id, b.turn, {bit.format("true")} AS uses, {bit.format(f"o.outcome IN ({settled})")} AS settled,
    {bit.format("o.outcome = 'success'")} AS worked
FROM (SELECT game_id, turn, number, CASE convention {numbers} END AS bit FROM conventions) b
LEFT JOIN convention_outcomes o ON o.game_id = b.game_id AND o.turn = b.turn AND o.number = b.number
WHERE b.bit IS NOT NULL GROUP BY ALL"""


CONVENTIONS_BY_TURN: Final = _conventions_by_turn()
"""Query for the conventions of each turn, as masks: `uses`, `settled` ones (something was called for, and the
game went on long enough), and those that `worked`."""

"""The mistakes of one game, and what was known at each decision.

In: a `Replay`. Out: the rows of the views `decisions` and `mistakes` (`hanalyze.store.mistakes`) for this
game alone, as dictionaries.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from hanalyze.errors import HanalyzeError
from hanalyze.store.database import connect
from hanalyze.store.replayed import game_key, insert_conventions, insert_replay

if TYPE_CHECKING:
    from hanalyze.conventions.run import Output
    from hanalyze.replaying import Replay
    from hanalyze.store.database import Database

__all__ = ["Row", "found_in"]

Row = dict[str, Any]


def found_in(
    replay: Replay, folder: str | os.PathLike[str] | None = None, level: int = 0, read: Output | None = None
) -> tuple[list[Row], list[Row]]:
    """Return the decisions of a game, by turn, and its mistakes, by turn and then the costliest first.

    `folder` has further definitions of mistakes; `read` is what its moves meant, read up to `level`, where
    they are to be judged by that, too. Raises `HanalyzeError` (rule `other_rules`) where the game was
    replayed under other rules than its record names.
    """
    record = replay.record
    if not replay.follows_its_log:
        raise HanalyzeError(
            "the game was replayed under rules other than its log's",
            rule="other_rules",
            game=record.name,
            advice="put the edition into the record",
        )
    with connect() as db:
        # So little to do takes less time than threads take to begin.
        db.connection.execute("SET threads = 1")
        insert_replay(db.connection, replay)
        if read is not None:
            insert_conventions(db.connection, game_key(record), read, level)
        db.prepare(folder, as_table=True)
        decisions = _rows(db, "SELECT * FROM decisions ORDER BY turn")
        order = "turn, points DESC, tokens + pace DESC, kind, evidence, evidence_values"
        mistakes = _rows(db, f"SELECT * FROM mistakes ORDER BY {order}")
    turns = {row["turn"] for row in decisions}
    return decisions, [row for row in mistakes if row["turn"] in turns]


def _rows(db: Database, query: str) -> list[Row]:
    """Return rows as plain values, without Polars, whose import takes longer than all this."""
    found = db.connection.execute(query)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

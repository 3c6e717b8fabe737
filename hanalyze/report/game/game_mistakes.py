"""The mistakes of one game, and what was known at each decision.

In: a `Replay`. Out: the rows of the views `decisions` and `mistakes` (`hanalyze.store.mistakes`) for this
game alone, as dictionaries.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING, Any

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import duckdb
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.judging_options import PLAY, Judging
from hanalyze.store.mistakes import BLAMED_SQL, prepare
from hanalyze.store.opening import connection_to
from hanalyze.store.records import game_key, insert_conventions, insert_replay

if TYPE_CHECKING:
    from hanalyze.conventions.run import Output
    from hanalyze.replaying import Replay

Row = dict[str, Any]


def found_in(
    replay: Replay,
    folder: str | os.PathLike[str] | None = None,
    level: int = 0,
    read: Output | None = None,
    play_threshold: float = PLAY,
) -> tuple[list[Row], list[Row]]:
    """Return the decisions of a game, by turn, and its mistakes, by turn and then the costliest first.

    Of equal cost in points, what somebody is to blame for goes before what nobody is. `folder` has further
    definitions of mistakes; `read` is what its moves meant, read up to `level`, where they are to be judged
    by that, too; `play_threshold` the least chance at which a play is no mistake, above 0 and at most 1.
    Raises `HanalyzeError` where that is no chance (rule `bad_threshold`), or the game was replayed under
    other rules than its record names (rule `other_rules`).
    """
    judging = Judging(play=play_threshold)
    if not replay.follows_its_log:
        raise HanalyzeError(
            "the game was replayed under rules other than its log's",
            rule="other_rules",
            game=replay.record.name,
            advice="put the edition into the record",
        )
    # `hanalyze.store.connect` offers more, whose import takes longer than this.
    connection, _ = connection_to(None, read_only=False, rebuild=False, files_in=None)
    with closing(connection), duckdb_errors(None):
        # So little to do takes less time than threads take to begin, or than better plans take to be found.
        connection.execute("SET threads = 1")
        connection.execute("PRAGMA disable_optimizer")
        insert_replay(connection, replay)
        if read is not None:
            insert_conventions(connection, game_key(replay.record), read, level)
        prepare(connection, folder, as_table=True, judging=judging)
        decisions = _rows(connection, "SELECT * FROM decisions ORDER BY turn")
        order = f"turn, points DESC, {BLAMED_SQL} DESC, tokens + pace DESC, kind, evidence, evidence_values"
        mistakes = _rows(connection, f"SELECT * FROM mistakes ORDER BY {order}")
    turns = {row["turn"] for row in decisions}
    return decisions, [row for row in mistakes if row["turn"] in turns]


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    """Return rows as plain values, without Polars, whose import takes longer than all this."""
    found = connection.execute(query)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

"""Decisions and mistakes of one game, computed with the same queries as for a database."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from typing import Any

from hanalyze.conventions.run import HIGHEST_LEVEL, Output
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import duckdb
from hanalyze.replaying import Replay
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.judging_options import PLAY, Judging
from hanalyze.store.levels import GroupLevel
from hanalyze.store.mistakes import BLAMELESS, prepare
from hanalyze.store.moves import MOVES_SQL, moves_of
from hanalyze.store.opening import connection_to
from hanalyze.store.records import game_key, insert_conventions, insert_replay

Row = dict[str, Any]


def judge_game(
    replay: Replay,
    folder: str | os.PathLike[str] | None = None,
    level: int | None = None,
    read: Callable[[], Output] | None = None,
    play_threshold: float = PLAY,
) -> tuple[list[Row], list[Row], GroupLevel | None]:
    """Return the rows of `decisions` and `mistakes` of a game, both sorted by turn, and its players' level.

    The mistakes of a turn are sorted by points lost, highest first; at equal points, losses that are charged
    to another turn come first, then blamed mistakes. `folder` has additional definitions of mistakes. `read`
    returns the game's reading by the conventions up to `level`, by default the highest; None: moves are not
    judged by conventions. Without `level`, the game shows up to which level its players answer signals.
    The column `moves` of a mistake has what each kind of move would have done (`hanalyze.store.moves`).
    `play_threshold` is the chance from which a play does not count as a mistake, above 0 and at most 1.
    Raises `HanalyzeError` if the threshold is outside this range (rule `bad_threshold`), or if the game was
    replayed under rules other than its record's (rule `other_rules`).
    """
    judging = Judging(play=play_threshold, level=level)
    if not replay.follows_its_log:
        raise HanalyzeError(
            "the game was replayed under rules other than its log's",
            rule="other_rules",
            game=replay.record.name,
            advice="put the edition into the record",
        )
    # Importing `hanalyze.store.connect` would take longer than these queries.
    connection, _ = connection_to(None, read_only=False, rebuild=False, files_in=None)
    with closing(connection), duckdb_errors(None):
        # For so few rows, threads and the optimizer cost more time than they save.
        connection.execute("SET threads = 1")
        connection.execute("PRAGMA disable_optimizer")
        insert_replay(connection, replay)
        if read is not None:
            insert_conventions(connection, game_key(replay.record), read(), level or HIGHEST_LEVEL)
        levels = prepare(connection, folder, as_table=True, judging=judging)
        decisions = _rows(connection, "SELECT * FROM decisions ORDER BY turn")
        mistakes = _rows(connection, "SELECT * FROM mistakes")
        moves = {row["turn"]: moves_of(row) for row in _rows(connection, MOVES_SQL)}
    mistakes = [{**row, "moves": moves.get(row["turn"], [])} for row in mistakes]
    mistakes.sort(key=lambda row: (row["turn"], *worst_first(row)))
    return decisions, mistakes, next(iter(levels), None)


def worst_first(row: Row) -> tuple[Any, ...]:
    """Return the key by which the mistakes of a turn are sorted, as `judge_game` describes."""
    is_charged_elsewhere = row["charged_turn"] not in (None, row["turn"])
    is_blameless = row["severity"] in BLAMELESS
    costs = -row["tokens"] - row["pace"]
    return (-row["points"], not is_charged_elsewhere, is_blameless, costs, row["kind"], *texts_last(row))


def texts_last(row: Row) -> tuple[Any, ...]:
    """Return a key for the evidence of a mistake; missing texts come last, as in DuckDB."""
    texts = (row["evidence"], row["evidence_values"])
    return tuple((text is None, text or "") for text in texts)


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    result = connection.execute(query)
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

"""What commands list: mistakes and findings with what is said of them, row by row.

In: a database. Out: rows as dicts, or a frame.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from hanalyze.lazy import polars as pl
from hanalyze.store.mistakes import BLAMED_SQL
from hanalyze.store.wording import Luck, luck_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hanalyze.store.database import Database

Rows = list[dict[str, Any]]

_ONE_GAME: Final = """
SELECT
    variant, players, score, full_score, raw_score, max_score, end_condition,
    coalesce(source_id::VARCHAR, seed, '-') AS game
FROM games
"""
_FINDINGS: Final = """
SELECT
    f.*, t.action, t.receiver AS clued, t.clue_value, t."order", t.slot, t.result,
    n.game, n.letters, g.variant, n.names AS players, c.deck
FROM findings f
JOIN turns t USING (game_id, turn)
JOIN games g USING (game_id)
JOIN game_names n USING (game_id)
JOIN (
    SELECT game_id, list({'suit': suit, 'rank': rank, 'holder': holder} ORDER BY "order") AS deck
    FROM cards GROUP BY game_id
) c USING (game_id)
"""


def kinds_found(
    db: Database, kinds: Sequence[str], folder: str | os.PathLike[str] | None = None
) -> pl.DataFrame:
    """Return how often each kind and severity was found, and what it cost, the costliest first."""
    query = """
        SELECT
            kind, severity, count(*) AS found, count(DISTINCT game_id) AS games,
            sum(points)::BIGINT AS points, sum(tokens) AS tokens, sum(pace)::BIGINT AS pace
        FROM found_mistakes WHERE kind IN (SELECT unnest($kinds))
        GROUP BY ALL ORDER BY points DESC, found DESC, kind, severity
    """
    return db.sql(query, {"kinds": list(kinds)}, folder=folder)


def costliest(
    db: Database, kinds: Sequence[str], count: int, folder: str | os.PathLike[str] | None = None
) -> Rows:
    """Return the costliest mistakes."""
    query = """
        FROM mistakes WHERE kind IN (SELECT unnest($kinds))
        ORDER BY points DESC, tokens DESC, game, game_id, turn, kind, evidence, evidence_values LIMIT $count
    """
    return db.sql(query, {"kinds": list(kinds), "count": count}, folder=folder).to_dicts()


def mistakes_of_game(
    db: Database, folder: str | os.PathLike[str] | None = None
) -> tuple[dict[str, Any], Rows]:
    """Return the only game of a database, and all of its mistakes."""
    db.prepare(folder, as_table=True, names=True)
    query = "FROM mistakes ORDER BY turn, kind, evidence, evidence_values"
    rows = db.sql(query, temporary=True).to_dicts()
    [game] = db.sql(_ONE_GAME).to_dicts()
    return game, rows


def luck_of_game(db: Database) -> Luck | None:
    """Return the luck of the only game of a database, None where it was not read for conventions."""
    return luck_of(db.sql("SELECT luck, act_points, model FROM decisions", temporary=True).to_dicts())


def blamed(db: Database) -> tuple[tuple[int, int, int], Rows]:
    """Return what somebody is to blame for: mistakes, turns and points; and the costliest of them, if any."""
    whole = f"""
        SELECT count(*), count(DISTINCT (game_id, turn)), coalesce(sum(points), 0)::INTEGER
        FROM found_mistakes WHERE {BLAMED_SQL}"""
    first = f"FROM mistakes WHERE {BLAMED_SQL} AND points > 0 ORDER BY points DESC, game_id, turn LIMIT 1"
    [(mistakes, turns, points)] = db.sql(whole).rows()
    return (mistakes, turns, points), db.sql(first).to_dicts()


def finding_rows(db: Database, conventions: Sequence[str], count: int | None = None) -> Rows:
    """Return what moves meant, of some conventions or of all, with the turn and the deck of each."""
    where = "WHERE f.convention::VARCHAR IN (SELECT unnest($names))" if conventions else ""
    order = "ORDER BY game, f.game_id, f.turn, f.number" + ("" if count is None else f" LIMIT {int(count)}")
    names = {"names": list(conventions)} if conventions else None
    return db.sql(f"{_FINDINGS} {where} {order}", names).to_dicts()


def level_read(db: Database) -> int | None:
    """Return the highest level that games were read at for conventions."""
    level: int | None = db.sql("SELECT max(level) FROM convention_games").item()
    return level


def detector_rows(db: Database) -> Rows:
    """Return what detectors of the user found."""
    return db.sql("FROM detector_findings WHERE NOT opportunity ORDER BY turn, detector, number").to_dicts()


def detector_problems(db: Database) -> list[tuple[str, str, int, int, str]]:
    """Return where detectors failed: the detector, what was wrong, how often, the first turn and game."""
    query = """
        SELECT detector, message, count(*) AS times, arg_min(turn, (p.game_id, turn)) AS turn,
            arg_min(n.game, p.game_id) AS game
        FROM detector_problems p JOIN game_names n USING (game_id) GROUP BY ALL ORDER BY detector, message
    """
    return db.sql(query).rows()

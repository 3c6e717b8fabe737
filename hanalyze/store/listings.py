"""Queries for the commands: lists of mistakes and findings, contents of a database, checks of names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hanalyze.errors import UnknownName
from hanalyze.game.meanings import Convention, OutcomeKind
from hanalyze.lazy import Connection, polars as pl
from hanalyze.logs.sources.site import compact_address, numbered_address
from hanalyze.store.definitions import Folder
from hanalyze.store.levels import GroupLevel, show_levels
from hanalyze.store.mistakes import BLAMED_SQL
from hanalyze.store.moves import MOVES_SQL, moves_of
from hanalyze.store.schema import sql_text
from hanalyze.tables.store import TABLES
from hanalyze.text import known_names, nearest

if TYPE_CHECKING:
    from hanalyze.store.database import Database


Rows = list[dict[str, Any]]

_DECISIONS: Final = """
SELECT turn, seat, act_points, model, result, max_score_before, max_score_after FROM decisions ORDER BY turn
"""
_OWN: Final = " SEMI JOIN (FROM seats WHERE player = $player) USING (game_id, seat)"
"""SQL clause that restricts mistakes to the decisions of one player."""


def kinds_found(
    db: Database, kinds: Sequence[str], folder: Folder = None, player: str | None = None
) -> pl.DataFrame:
    """Return number and cost of mistakes (of `player`, if given) by kind and severity, costliest first."""
    query = f"""
        SELECT
            kind, severity, count(*) AS found, count(DISTINCT game_id) AS games,
            sum(points)::BIGINT AS points, sum(tokens) AS tokens, sum(pace)::BIGINT AS pace
        FROM found_mistakes{"" if player is None else _OWN} WHERE kind IN (SELECT unnest($kinds))
        GROUP BY ALL ORDER BY points DESC, found DESC, kind, severity
    """
    own = {} if player is None else {"player": player}
    return db.sql(query, {"kinds": list(kinds), **own}, folder=folder)


def costliest(
    db: Database,
    kinds: Sequence[str],
    count: int,
    folder: Folder = None,
    player: str | None = None,
    *,
    with_blameless: bool,
) -> Rows:
    """Return at most `count` mistakes (of `player`, if given) of the given kinds, the costliest first.

    `with_blameless` includes rows whose severity is in `BLAMELESS`.
    """
    query = f"""
        FROM mistakes{"" if player is None else _OWN} WHERE kind IN (SELECT unnest($kinds))
            AND {"true" if with_blameless else BLAMED_SQL}
        ORDER BY points DESC, tokens DESC, game, game_id, turn, kind, evidence, evidence_values LIMIT $count
    """
    own = {} if player is None else {"player": player}
    return db.sql(query, {"kinds": list(kinds), "count": count, **own}, folder=folder).to_dicts()


def judged_game(
    db: Database, folder: Folder = None
) -> tuple[dict[str, Any], Rows, Rows, list[tuple[int, int, int, bool, int]], GroupLevel | None]:
    """Return the only game of a database, its decisions, mistakes and meanings, and the level of its players.

    A meaning is the main finding of a move: its turn, its seat, its `Convention`, whether it is legal, and
    its `OutcomeKind`. The level is None if it was not estimated.
    """
    db.prepare(folder, as_table=True, names=True)
    decisions = db.sql(_DECISIONS, temporary=True).to_dicts()
    query = "FROM mistakes ORDER BY turn, kind, evidence, evidence_values"
    mistakes = db.sql(query, temporary=True).to_dicts()
    moves = {row["turn"]: moves_of(row) for row in db.sql(MOVES_SQL, temporary=True).to_dicts()}
    mistakes = [{**row, "moves": moves.get(row["turn"], [])} for row in mistakes]
    [game] = db.sql(sql_text("one_game")).to_dicts()
    meanings = [
        (turn, seat, int(Convention[convention.upper()]), legal, int(OutcomeKind[outcome.upper()]))
        for turn, seat, convention, legal, outcome in db.sql(sql_text("meanings")).rows()
    ]
    return game, decisions, mistakes, meanings, next(iter(levels_shown(db)), None)


def levels_shown(db: Database) -> list[GroupLevel]:
    """Return the estimated level of each set of players, most games first; [] if it was not estimated."""
    if db.judging.level is not None or db.judging.by_logic is True:
        return []
    with closing(db.connection.cursor()) as cursor:
        return show_levels(cursor, None)


def blamed(db: Database) -> tuple[tuple[int, int, int], Rows]:
    """Return the numbers of mistakes with somebody to blame, of their turns and of lost points.

    The second result is the row of the costliest such mistake in a list; [] if none lost a point.
    """
    totals_query = f"""
        SELECT count(*), count(DISTINCT (game_id, turn)), coalesce(sum(points), 0)::INTEGER
        FROM found_mistakes WHERE {BLAMED_SQL}"""
    first = f"FROM mistakes WHERE {BLAMED_SQL} AND points > 0 ORDER BY points DESC, game_id, turn LIMIT 1"
    [(mistakes, turns, points)] = db.sql(totals_query).rows()
    return (mistakes, turns, points), db.sql(first).to_dicts()


def finding_rows(db: Database, conventions: Sequence[str], count: int | None = None) -> Rows:
    """Return at most `count` findings of the given conventions ([]: of all), each with its turn and deck."""
    where = "WHERE f.convention::VARCHAR IN (SELECT unnest($names))" if conventions else ""
    order = "ORDER BY game, f.game_id, f.turn, f.number" + ("" if count is None else f" LIMIT {int(count)}")
    names = {"names": list(conventions)} if conventions else None
    return db.sql(f"{sql_text('listed_findings')} {where} {order}", names).to_dicts()


def level_read(db: Database) -> int | None:
    """Return the highest level up to which games were read for conventions; None if no game was read."""
    level: int | None = db.sql("SELECT max(level) FROM convention_games").item()
    return level


def detector_rows(db: Database) -> Rows:
    """Return the findings of the user's detectors."""
    return db.sql("FROM detector_findings WHERE NOT opportunity ORDER BY turn, detector, number").to_dicts()


def detector_problems(db: Database) -> list[tuple[str, str, int, int, str]]:
    """Return detector, message and count of each failure, and turn (from 0) and game of the first one."""
    query = """
        SELECT detector, message, count(*) AS times, arg_min(turn, (p.game_id, turn)) AS turn,
            arg_min(n.game, p.game_id) AS game
        FROM detector_problems p JOIN game_names n USING (game_id) GROUP BY ALL ORDER BY detector, message
    """
    return db.sql(query).rows()


def frequent_players(db: Database, count: int) -> list[str]:
    """Return the names of at most `count` players, those with the most games first."""
    query = "SELECT player FROM seats WHERE player IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1"
    return db.sql(f"{query} LIMIT {count}")["player"].to_list()


_MOST_SIMILAR: Final = 20
"""Number of most similar names that are compared letter by letter; a database may have millions of names."""


def check_name(connection: Connection, column: str, name: str) -> None:
    """Raise `UnknownName` if a name is in no game; `column` is `player`, or a text column of `games`.

    >>> from hanalyze.store import connect
    >>> from hanalyze.logs.sources.file_search import sample_folder
    >>> with connect() as db:
    ...     _ = db.ingest(sample_folder() / "game.json")
    ...     check_name(db.connection, "player", "Alcie")
    Traceback (most recent call last):
    hanalyze.errors.UnknownName: there is no player "Alcie"; did you mean "Alice"?
    """
    table = "seats" if column == "player" else "games"
    query = f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1"
    if connection.execute(query, [name]).fetchall():
        return
    like = f"""
        SELECT DISTINCT {column}, jaro_winkler_similarity(lower({column}), lower(?)) AS likeness
        FROM {table} WHERE {column} IS NOT NULL ORDER BY likeness DESC, {column} LIMIT {_MOST_SIMILAR}
    """
    names = [one for one, _ in connection.execute(like, [name[:100]]).fetchall()]
    raise UnknownName(column, name, nearest(name, names), advice=known_names(names))


KINDS: Final = {
    "players": ("games", "players"),
    "variants": ("games", "variant"),
    "editions": ("games", "edition"),
    "defects by rule": ("defects", "rule"),
    "rejects by rule": ("rejects", "rule"),
}
"""Columns whose values `contents` counts: table and column by title."""


def contents(db: Database) -> tuple[dict[str, int], dict[str, list[tuple[object, int]]]]:
    """Return row counts: by table, and by value for each of `KINDS` (by frequency, team sizes by size)."""
    kinds = {}
    for title, (table, column) in KINDS.items():
        order = "ALL" if column == "players" else f"count(*) DESC, {column}"
        query = f"SELECT {column}, count(*) FROM {table} GROUP BY ALL ORDER BY {order}"
        kinds[title] = db.sql(query).rows()
    return {table: db.count(table) for table in TABLES}, kinds


def size_of(db: Database) -> int:
    """Return the size of a database file, or of a folder's valid files of rows, in bytes; 0 in memory."""
    if db.file is None:
        return 0
    if not db.is_folder:
        return os.path.getsize(db.file)
    from hanalyze.store.folder.manifest import newest
    from hanalyze.store.folder.storage import place_of

    return sum(part.size for _, part in newest(place_of(db.file)).parts())


def find_sites(db: Database, games: Iterable[int]) -> dict[int, str]:
    """Return addresses on hanab.live by `game_id`.

    A game without a number on the site gets an address that encodes the game; it is left out if it has
    defects, or if an address cannot encode it.
    """
    from hanalyze.store.batches import stored_deals  # slow to import

    query = "SELECT game_id, source_id, source, defects FROM games WHERE game_id IN (SELECT unnest($games))"
    site: dict[int, str] = {}
    unnumbered = []
    for key, number, source, defects in db.sql(query, {"games": sorted({*games})}).iter_rows():
        if (address := numbered_address(number, source)) is not None:
            site[key] = address
        elif not defects:
            unnumbered.append(key)
    for key, deal in stored_deals(db.connection, np.array(unnumbered, np.int64), 1000):
        if (address := compact_address(deal.record)) is not None:
            site[key] = address
    return site

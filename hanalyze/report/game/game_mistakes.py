"""Decisions, mistakes and meanings of one game, as rows of the tables of a database."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from operator import itemgetter
from typing import Any

from hanalyze.conventions.run import HIGHEST_LEVEL, Output, read_records
from hanalyze.frames import to_frame, to_rows
from hanalyze.lazy import duckdb, polars as pl
from hanalyze.replaying import Replay
from hanalyze.store.definition_queries import COLUMNS
from hanalyze.store.definitions import chosen
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.judging_options import PLAY, Judging
from hanalyze.store.levels import GroupLevel
from hanalyze.store.mistakes import BLAMELESS, create_macros, prepare, prepare_game
from hanalyze.store.moves import MOVES_SQL, moves_of
from hanalyze.store.opening import connection_for_few
from hanalyze.store.records import GAME_TABLES, create_convention_tables, create_game_tables, game_key
from hanalyze.store.schema import CONVENTION_TABLES, SQL_TYPES
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.conventions import CONVENTION_OUTCOMES, CONVENTIONS
from hanalyze.tables.store import TABLES

Row = dict[str, Any]


def judge_game(
    replay: Replay,
    folder: str | os.PathLike[str] | None = None,
    level: int | None = None,
    read: Callable[[], Output] | None = None,
    play_threshold: float = PLAY,
    *,
    moves: bool = True,
    other_system: bool = False,
) -> tuple[list[Row], list[Row], GroupLevel | None]:
    """Return the rows of `decisions` and `mistakes` of a game, both sorted by turn, and its players' level.

    The mistakes of a turn are sorted by points lost, highest first; at equal points, losses charged to
    another turn come first, then blamed mistakes. `folder` has additional definitions of mistakes. `read`
    returns the game's reading by the conventions up to `level`; without it, conventions do not count. Without
    `level`, moves are read up to the highest level, and the players' level is estimated from their signals
    (None if there are none, or if `level` is given). With `moves`, the column `moves` of a mistake lists the
    moves of the turn with their effects (`hanalyze.store.moves`). A play with a chance of at least
    `play_threshold` (at two strikes at least 0.9) is not a mistake. With `other_system`, the players follow
    another system: their moves are judged only by deduction (`Judging`). Raises `HanalyzeError` if the
    threshold is not above 0 and at most 1 (rule `bad_threshold`), or if the rules of the replay differ from
    those of its record (rule `other_rules`).
    """
    record = replay.own_record()  # refuses a replay by other rules
    others = frozenset({game_key(record)}) if other_system else False
    judging = Judging(others, play_threshold, level)
    filled = (*GAME_TABLES, *(() if read is None else CONVENTION_TABLES))
    named = TABLES if folder else (*GAME_TABLES, *CONVENTION_TABLES)  # definitions in a folder may query any
    empty = [table for table in named if table not in filled]
    with closing(connection_for_few(empty)) as connection, duckdb_errors(None):
        key = create_game_tables(connection, replay)
        if folder is None:
            create_macros(connection)  # while the game is read for conventions
        if read is not None:
            create_convention_tables(connection, key, read(), level or HIGHEST_LEVEL)
        if folder is None:
            levels = prepare_game(connection, judging)
        else:
            levels = prepare(connection, folder, as_table=True, judging=judging)
        decisions = _rows(connection, "FROM decisions")
        mistakes = _rows(connection, "SELECT * FROM mistakes")
        rows = _rows(connection, MOVES_SQL) if moves else []
    moves_by_turn = {row["turn"]: moves_of(row) for row in rows}
    mistakes = [{**row, "moves": moves_by_turn.get(row["turn"], [])} for row in mistakes]
    decisions.sort(key=itemgetter("turn"))
    mistakes.sort(key=lambda row: (row["turn"], *worst_first(row)))
    return decisions, mistakes, next(iter(levels), None)


def mistakes(
    replay: Replay,
    *kinds: str,
    folder: str | os.PathLike[str] | None = None,
    level: int | None = None,
    play_threshold: float = PLAY,
) -> pl.DataFrame:
    """Return the mistakes of one game: the rows of `Database.mistakes`, with the better moves.

    Moves are judged by the H-Group's conventions up to `level`; by default, up to the players' level, which
    is estimated; at level 0, only by logic and odds. Turns and seats count from 0. `hz.worded(row)` puts a
    row into words. The other parameters and the errors are those of `judge_game` and `Database.mistakes`.

    >>> from hanalyze.agents import simulate
    >>> from hanalyze.replaying import replay
    >>> [game] = simulate("random", seed=4)
    >>> mistakes(replay(game), "play").select("turn", "kind", "severity").row(0)
    (0, 'misplay', 'uncalled')
    """
    wanted = chosen(kinds, folder)
    read: Callable[[], Output] | None = None
    if level != 0:
        read = partial(read_records, [replay.record], level=level or HIGHEST_LEVEL, fast=False, cards=True)
    _, marks, _ = judge_game(replay, folder, level, read, play_threshold)
    rows = named_rows(replay, (row for row in marks if row["kind"] in wanted))
    kinds_of = {sql: getattr(pl, POLARS_TYPES[one]) for one, sql in SQL_TYPES.items() if one in POLARS_TYPES}
    kinds_of |= {"JSON": pl.String, "VARCHAR[]": pl.List(pl.String)}
    named = {"game": "VARCHAR", "player": "VARCHAR", **COLUMNS, "names": "VARCHAR[]"}
    types = {name: kinds_of[kind] for name, kind in named.items()}
    return pl.DataFrame([{name: row[name] for name in types} for row in rows], types)


def findings(replay: Replay, level: int = HIGHEST_LEVEL) -> pl.DataFrame:
    """Return what each action of a game meant, and whether it worked: the rows of `Database.findings`.

    Conventions are read up to H-Group level `level`. Turns and seats count from 0; `schemas/columns.md`
    describes the columns (conventions, convention_outcomes). Raises `HanalyzeError` if the rules of the
    replay differ from those of its record (rule `other_rules`).

    >>> from hanalyze.agents import simulate
    >>> from hanalyze.replaying import replay
    >>> [game] = simulate("conventional", seed=4)
    >>> findings(replay(game)).select("turn", "convention", "outcome").row(0)
    (0, 'play_clue', 'success')
    """
    record = replay.own_record()
    output = read_records([record], level=level, fast=False)
    frame = to_frame(CONVENTIONS, output.findings.values())
    outcomes = to_frame(CONVENTION_OUTCOMES, output.outcomes.values())
    key = pl.lit(game_key(record), pl.Int64).alias("game_id")
    return frame.select(key, pl.all()).hstack(outcomes.drop(frame.columns, strict=False))


def meaning_rows(replay: Replay, level: int) -> list[Row]:
    """Return the meanings and outcomes of the actions of a game, as rows of plain values."""
    record = replay.own_record()
    output = read_records([record], level=level, fast=False)
    meanings = to_rows(CONVENTIONS, output.findings.values())
    outcomes = to_rows(CONVENTION_OUTCOMES, output.outcomes.values())
    key = game_key(record)
    return [{"game_id": key, **one, **other} for one, other in zip(meanings, outcomes, strict=True)]


def game_name(replay: Replay) -> str:
    """Return the name of a game in a database: its number at its source, its seed or its key."""
    record = replay.record
    if record.id is not None:
        return str(record.id)
    return str(game_key(record)) if record.seed is None else record.seed


def named_rows(replay: Replay, rows: Iterable[Row]) -> list[Row]:
    """Return rows of mistakes with the names of the game and its players, sorted by turn and kind."""
    players = dict(enumerate(replay.record.players))
    name = game_name(replay)
    return [
        {"game": name, "player": players.get(row["seat"]), **row, "names": list(players.values())}
        for row in sorted(rows, key=lambda row: (row["turn"], row["kind"], *texts_last(row)))
    ]


def worst_first(row: Row) -> tuple[Any, ...]:
    """Return the sort key of `judge_game` for a mistake; ties are broken by tokens plus pace, then kind."""
    is_charged_elsewhere = row["charged_turn"] not in (None, row["turn"])
    is_blameless = row["severity"] in BLAMELESS
    costs = -row["tokens"] - row["pace"]
    return (-row["points"], not is_charged_elsewhere, is_blameless, costs, row["kind"], *texts_last(row))


def came_to_nothing(row: Row) -> bool:
    """Return whether a risk without blame did not come true and cost no points."""
    return row["severity"] in BLAMELESS and row.get("came_true") is False and not row["points"]


def texts_last(row: Row) -> tuple[Any, ...]:
    """Return a sort key for the evidence of a mistake; missing texts come last, as in DuckDB."""
    texts = (row["evidence"], row["evidence_values"])
    return tuple((text is None, text or "") for text in texts)


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    result = connection.execute(query)
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

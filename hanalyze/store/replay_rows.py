"""A game that was replayed already, as rows of a database: it is not played again.

In: a `Replay`, or what its moves meant. Out: the key of its game in a database; its rows in the tables of a
connection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hanalyze.chances.model import load_model
from hanalyze.lazy import duckdb
from hanalyze.store.convention_rows import convention_rows
from hanalyze.store.dealing import DealtGame, deal_segments, digest
from hanalyze.store.files import Segment
from hanalyze.store.rows import game_rows, insertion
from hanalyze.store.stored_keys import keys_of

if TYPE_CHECKING:
    from hanalyze.conventions.run import Output
    from hanalyze.logs.record import GameRecord
    from hanalyze.replaying import Replay


def _dealt(record: GameRecord) -> DealtGame:
    """Return the game as the store deals it."""
    [game] = deal_segments([Segment(0, "", b"", 1, [record])]).games
    return game


def game_key(record: GameRecord) -> int:
    """Return the `game_id` of a game, whether or not a database has it."""
    return int(keys_of([digest(_dealt(record))])[0][0])


def insert_replay(connection: duckdb.DuckDBPyConnection, replay: Replay) -> None:
    """Put the game, its turns, clues, cards and players into the tables of a connection."""
    game = _dealt(replay.record)
    content = digest(game)
    keys, _ = keys_of([content])
    cards = np.array([len(replay.deck)])
    for table, arrays in game_rows([game], keys, [content], replay.measured(), cards, {}).items():
        connection.register("_rows", arrays)
        connection.execute(insertion(table, "_rows"))
        connection.unregister("_rows")


def insert_conventions(connection: duckdb.DuckDBPyConnection, key: int, output: Output, level: int) -> None:
    """Put what the moves of one game meant, read up to a level, into the tables of a connection.

    One game is too few to choose a model of chances by, so they are from the default one.
    """
    for table, arrays in convention_rows(np.array([key]), output, level, load_model()).items():
        connection.register("_rows", arrays)
        connection.execute(insertion(table, "_rows"))
        connection.unregister("_rows")

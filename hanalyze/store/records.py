"""Find the logs of stored games, and insert the rows of a replayed game."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

import numpy as np

from hanalyze.chances.model import load_model
from hanalyze.conventions.run import Output
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import Connection
from hanalyze.logs import GameRecord
from hanalyze.logs.sources.file_search import find_files
from hanalyze.replaying import Replay, find_defects
from hanalyze.store.convention_rows import convention_rows
from hanalyze.store.dealing import DealtGames, deal_segments
from hanalyze.store.files import FileReader, Segment
from hanalyze.store.rows import create, game_rows

GAME_TABLES: Final = ("games", "seats", "turns", "clues", "cards", "defects")
"""The tables that `create_game_tables` creates."""


def find_records(
    paths: Iterable[str | os.PathLike[str]],
    wanted: Collection[int],
    on_error: Callable[[HanalyzeError], object],
) -> Iterator[tuple[int, GameRecord]]:
    """Yield the key and the record of each game in the logs that has a key in `wanted`, each game once.

    `on_error` is called with the error of each rejected log.
    """
    missing = set(wanted)
    reader = FileReader(find_files(paths))
    pieces = reader.pieces()
    while missing and (piece := next(pieces, None)) is not None:
        for number, record in _keyed(deal_segments(piece), on_error):
            if number in missing:
                missing.remove(number)
                yield number, record


def _keyed(
    deals: DealtGames, on_error: Callable[[HanalyzeError], object]
) -> Iterator[tuple[int, GameRecord]]:
    for _, error in deals.rejects:
        on_error(error)
    for key, game in zip(deals.keys.tolist(), deals.games, strict=True):
        yield key, game.deal.record


def _dealt(records: Iterable[GameRecord]) -> DealtGames:
    return deal_segments([Segment(0, "", b"", 1, [*records])])


def records_by_key(
    records: Iterable[GameRecord], on_error: Callable[[HanalyzeError], object]
) -> Iterator[tuple[int, GameRecord]]:
    """Return pairs of the `game_id` and the record of each game, whether or not a database has it.

    `on_error` is called with the error of each record that cannot be dealt.
    """
    return _keyed(_dealt(records), on_error)


def game_key(record: GameRecord) -> int:
    """Return the `game_id` of a game that can be dealt, whether or not a database has it."""
    return int(_dealt([record]).keys[0])


def create_game_tables(connection: Connection, replay: Replay) -> int:
    """Create the tables `GAME_TABLES` with the rows of a replayed game, and return its `game_id`."""
    deals = _dealt([replay.record])
    cards, output = np.array([len(replay.deck)]), replay.measured()
    defects = find_defects([game.deal for game in deals.games], output)
    rows = game_rows(deals.games, deals.keys, deals.digests, output, cards, defects)
    for table, arrays in rows.items():
        create(connection, table, arrays)
    return int(deals.keys[0])


def create_convention_tables(connection: Connection, key: int, output: Output, level: int) -> None:
    """Create the convention tables of a game with the default model: one game is too few to choose one."""
    rows = convention_rows(np.array([key]), output, level, load_model())
    for table, arrays in rows.items():
        create(connection, table, arrays)

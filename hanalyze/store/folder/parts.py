"""Convert rows to Polars frames, and write frames as Parquet files.

Large tables have a folder per team size (`turns/players=3/`); rows are sorted by `game_id`.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hanalyze.frames import to_frame
from hanalyze.lazy import Connection, polars as pl
from hanalyze.store.folder.commit_markers import SUMS, Part
from hanalyze.store.folder.storage import Place
from hanalyze.store.rows import Arrays
from hanalyze.store.schema import CONVENTION_TABLES, quoted
from hanalyze.tables import Column
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.store import TABLES

ROW_GROUP: Final = 122_880
BY_PLAYERS: Final = {"turns", "clues", "cards", *CONVENTION_TABLES} - {"convention_games"}
"""Tables that are split by team size, because they have many rows per game."""


def folder_of(table: str, players: int | None) -> str:
    """Return the folder of a table's files; `players` is the team size, None for all sizes."""
    return table if players is None else f"{table}/players={players}"


def frame_of(table: str, arrays: Arrays) -> pl.DataFrame:
    """Return rows as a frame, in the order and with the types of the table's columns."""
    return pl.DataFrame([_series(column, arrays) for column in TABLES[table]])


def _series(column: Column, arrays: Arrays) -> pl.Series:
    kind: Any = getattr(pl, POLARS_TYPES[column.type])
    if column.width > 1:
        wide = np.stack([arrays[f"{column.name}_{i}"] for i in range(column.width)], axis=1)
        one = pl.Series(column.name, wide.reshape(-1)).cast(kind)
        one = one.fill_nan(None) if column.type.startswith("float") else one
        return one.reshape((-1, column.width)).cast(pl.List(kind))
    array = arrays[column.name]
    if array.dtype == object:
        # Ids are passed as text, because any 64-bit number may be an id.
        return pl.Series(column.name, array.tolist(), dtype=pl.String).cast(kind)
    one = to_frame([column], [array]).to_series()
    return one if column.words else one.cast(kind)


def parquet(frames: Sequence[pl.DataFrame]) -> bytes:
    """Return frames of one table, concatenated, as the bytes of a Parquet file."""
    out = io.BytesIO()
    frame = pl.concat(list(frames), rechunk=False)
    frame.write_parquet(out, compression="zstd", compression_level=1, row_group_size=ROW_GROUP)
    return out.getvalue()


def write_query(connection: Connection, place: Place, query: str, part: Part) -> Part:
    """Write the rows of a query into a part's file (a file without rows only for sums); return the part."""
    options = f"FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE {ROW_GROUP}"
    with tempfile.TemporaryDirectory(prefix="hanalyze-") as folder:
        file = os.path.join(folder, "part.parquet")
        [(rows,)] = connection.execute(f"COPY ({query}) TO {quoted(file)} ({options})").fetchall()
        if rows or part.table.startswith(SUMS):
            place.copy(file, part.name)
        size = os.path.getsize(file)
    return Part(part.table, part.players, part.name, rows, size)

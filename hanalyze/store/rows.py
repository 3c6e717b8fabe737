"""Build rows of the database, as arrays by column, from replayed games, and insert them.

Arrays have the engine's form: numbers stand for words, and `Column.null` for null.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.batch import Deal
from hanalyze.engine.run import Output
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import MAX_CARDS
from hanalyze.game.editions import RULES_VERSION, rating
from hanalyze.lazy import Connection
from hanalyze.replaying import FoundDefect
from hanalyze.store.dealing import DealtGame
from hanalyze.store.files import shown_path
from hanalyze.store.schema import quoted, sql_type, transaction, writable_name
from hanalyze.tables import TABLES_VERSION, Column
from hanalyze.tables.store import GAME_FACTS, TABLES
from hanalyze.version import __version__

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Arrays = dict[str, NDArray[Any]]


@contextmanager
def registered(connection: Connection, arrays: Arrays) -> Iterator[str]:
    """Let queries read arrays by column as a table; yield the name of the table."""
    name = f"_arrays_{next(_NUMBERS)}"
    connection.register(name, arrays)
    try:
        yield name
    finally:
        connection.unregister(name)


_NUMBERS: Final = itertools.count()


def insert(connection: Connection, table: str, arrays: Arrays) -> None:
    """Insert arrays by column as rows of a table."""
    columns = TABLES[table]
    if len(arrays[columns[0].name]):
        values = ", ".join(map(_value, columns))
        with registered(connection, arrays) as source:
            target = writable_name(connection, table)
            connection.execute(f"INSERT INTO {target} SELECT {values} FROM {source}")


def create(connection: Connection, table: str, arrays: Arrays) -> None:
    """Create a table of hanalyze from arrays by column. For few rows, this is faster than `insert`."""
    values = ", ".join(f'{_value(one)} AS "{one.name}"' for one in TABLES[table])
    connection.execute(f"CREATE TABLE {table} AS SELECT {values} FROM arrays")  # the local variable


def _value(column: Column) -> str:
    """Return the SQL that converts the engine's array to a column; DuckDB itself reads NaN as null."""
    name = f'"{column.name}"'
    if column.words:
        # DuckDB binds a list of the words faster than a CASE, and evaluates it faster if the words are many.
        return f"([{', '.join(map(quoted, column.words))}]::{sql_type(column)}[])[{name}::INTEGER + 1]"
    if column.width > 1:
        values = ", ".join(f'"{column.name}_{i}"' for i in range(column.width))
        return f"[{values}]"
    if column.type == "str" or (column.type == "int64" and column.null is None):
        # Ids are passed as text; an array of only None values would have another type.
        return f"{name}::{sql_type(column)}"
    if column.null is not None and column.type == "bool":
        return f"CASE WHEN {name} >= 0 THEN {name} = 1 END"
    if column.null is not None:
        return f"nullif({name}, {column.null})"
    return name


def texts(values: Iterable[str | None]) -> NDArray[Any]:
    """Return texts as an array of objects."""
    return np.array(list(values), object)


def arrays_of(table: str | Sequence[Column], rows: Iterable[Sequence[Any]]) -> Arrays:
    """Convert rows, whose values are in the order of a table's columns, to arrays by column."""
    listed = list(rows)
    arrays: Arrays = {}
    for number, column in enumerate(TABLES[table] if isinstance(table, str) else table):
        name, values = column.name, [row[number] for row in listed]
        if column.words:
            arrays[name] = np.array([column.words.index(value) for value in values], np.uint8)
        elif column.type == "str" or name == "source_id":  # no 64-bit number can stand for null
            arrays[name] = texts(values)
        elif column.type == "datetime":
            arrays[name] = np.array(values, "datetime64[us]")
        elif column.width > 1:
            for i in range(column.width):
                arrays[f"{name}_{i}"] = np.array([one[i] if i < len(one) else -1 for one in values], np.int8)
        else:
            null = np.nan if column.type.startswith("float") else column.null
            kind = "int8" if column.type == "bool" and column.null is not None else column.type
            arrays[name] = np.array([null if value is None else value for value in values], kind)
    return arrays


def spread(arrays: Arrays, key: NDArray[np.int64]) -> Arrays:
    """Return arrays with `key` as `game_id` first; a two-dimensional array becomes one array per column."""
    rows: Arrays = {"game_id": key}
    for name, array in arrays.items():
        if array.ndim > 1:
            for i in range(array.shape[1]):
                rows[f"{name}_{i}"] = np.ascontiguousarray(array[:, i])
        else:
            rows[name] = array
    return rows


def game_rows(
    games: Sequence[DealtGame],
    ids: NDArray[np.int64],
    digests: Sequence[bytes],
    output: Output,
    cards: NDArray[np.int64],
    defects_of: dict[int, list[FoundDefect]],
) -> dict[str, Arrays]:
    """Return the rows of games by table; `cards` are deck sizes, `defects_of` the defects by game index."""
    seats = output.games["players"].astype(np.int64)
    deals = [game.deal for game in games]
    defects = [
        (ids[game], one.turn, one.seat, one.rule.label, one.found)
        for game, several in sorted(defects_of.items())
        for one in several
    ]
    # The engine knows only the defects of actions.
    counts = output.games["defects"].copy()
    counts[list(defects_of)] = [len(several) for several in defects_of.values()]
    facts = map(_facts, deals, ids.tolist(), digests, output.games["score"].tolist())
    return {
        "games": {**output.games, "defects": counts, **arrays_of(GAME_FACTS, facts)},
        "seats": {
            "game_id": np.repeat(ids, seats),
            "seat": np.nonzero(np.arange(seats.max(initial=0)) < seats[:, None])[1].astype(np.int8),
            "player": texts(player for deal in deals for player in deal.record.players),
        },
        "turns": spread(output.turns, np.repeat(ids, output.games["turns"])),
        "clues": spread(output.clues, np.repeat(ids, output.games["clues"])),
        "cards": spread(output.cards, np.repeat(ids, cards)),
        "defects": arrays_of("defects", defects),
    }


def _facts(deal: Deal, key: int, digest: bytes, score: int) -> tuple[Any, ...]:
    """Return the values of the columns `GAME_FACTS` of a game, in their order."""
    record, rules, variant = deal.record, deal.rules, deal.variant
    known = record.deck_known
    return (
        key,
        digest.hex(),
        record.source,
        record.started,
        record.finished,
        ", ".join(record.tags) or None,
        None if record.id is None else str(record.id),
        variant.name,
        "".join(deal.letters),
        ",".join(deal.clue_colours),
        variant.alternating_clues,
        variant.cow_and_pig or variant.duck,
        variant.id,
        record.edition or rules.edition,
        record.seed,
        record.shuffle if record.seed is None else record.shuffle or "hanab-live",
        # A log may contain any number; one that is negative, or not below the largest deck size, is ignored.
        known if known is not None and 0 <= known < MAX_CARDS else None,
        *record.options[:-1],  # all but `detrimental_characters`
        rating(score, len(variant.suits) * variant.stack_size, rules),
        RULES_VERSION,
        TABLES_VERSION,
        __version__,
    )


_LONGEST: Final = 1000
"""Maximum length of a text about a reject; names and seeds in logs can be megabytes long."""


def _storable(text: str) -> str:
    """Return text that the database can store, cut to `_LONGEST` characters."""
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return cut.encode("utf-8", "backslashreplace").decode()


class Reject(NamedTuple):
    """A log that could not be read or dealt, as it is stored; `line` counts from 1, -1 for a whole file."""

    file: str
    line: int
    game: str | None
    rule: str
    message: str


def reject_of(error: HanalyzeError) -> Reject:
    """Return an error as a `Reject`."""
    return Reject(
        shown_path(error.file or "-"),
        -1 if error.line is None else error.line,
        error.game and _storable(error.game),
        error.rule,
        _storable(error.message),
    )


def reject_rows(rejects: Iterable[Reject]) -> Arrays:
    """Return the rows of the table `rejects`."""
    rows = list(rejects)
    digests = [hashlib.blake2b(repr(tuple(row)).encode(), digest_size=8).digest() for row in rows]
    keys = [int.from_bytes(digest, "big") >> 1 for digest in digests]
    return arrays_of("rejects", [(key, *row) for key, row in zip(keys, rows, strict=True)])


_T = TypeVar("_T")
_R = TypeVar("_R")


class Progress(NamedTuple):
    """Progress of a run: number of games, work done, total work (0 if unknown), seconds since the start.

    An ingest measures work in bytes, other runs in games.
    """

    games: int
    done: int
    total: int
    seconds: float


OnProgress: TypeAlias = Callable[[Progress], object] | None
"""A function that is called after every piece of work, or None."""


def report(on_progress: OnProgress, total: int) -> Callable[[int], object]:
    """Return a function that reports a number of finished games, out of `total`, to `on_progress`."""
    start = time.perf_counter()

    def reported(games: int) -> None:
        if on_progress is not None:
            on_progress(Progress(games, games, total, time.perf_counter() - start))

    return reported


def threads_of(jobs: int | None) -> int:
    """Return a number of threads, by default one for each core. Raises `HanalyzeError` (`bad_number`)."""
    jobs = jobs or os.cpu_count() or 1
    if jobs < 1:
        raise HanalyzeError(f"cannot run {jobs} jobs", rule="bad_number", advice="give 1 or more")
    return jobs


def in_turn(
    pool: ThreadPoolExecutor, pieces: Iterable[_T], ahead: int, work: Callable[[_T], _R]
) -> Iterator[_R]:
    """Yield the results of a pool for pieces, in order; at most `ahead` pieces are submitted in advance.

    After an error, pieces that no thread has begun are cancelled.
    """
    running: deque[Future[_R]] = deque()
    try:
        for piece in pieces:
            running.append(pool.submit(work, piece))
            if len(running) > ahead:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in reversed(running):  # a thread begins a piece only after those before it
            future.cancel()


def store_rows(
    connection: Connection,
    pieces: Iterable[dict[str, Arrays]],
    on_progress: Callable[[int], object],
    replaced: Callable[[dict[str, Arrays]], Arrays] | None = None,
) -> Iterator[dict[str, Arrays]]:
    """Write pieces of rows by table, each piece in one transaction, and yield each piece.

    `on_progress` gets the number of games so far, counted in the first table of each piece. Rows whose keys
    are in `replaced(rows)` are deleted first.
    """
    games = 0
    for rows in pieces:
        with transaction(connection):
            keys = {} if replaced is None else replaced(rows)
            if keys and len(keys["game_id"]):
                with registered(connection, keys) as source:
                    same = " AND ".join(f"{source}.{name} = old.{name}" for name in keys)
                    for table in rows:
                        target = writable_name(connection, table)
                        connection.execute(f"DELETE FROM {target} old USING {source} WHERE {same}")
            for table, arrays in rows.items():
                insert(connection, table, arrays)
        games += len(np.unique(next(iter(rows.values()))["game_id"]))
        yield rows
        on_progress(games)

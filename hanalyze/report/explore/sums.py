"""Sums of a database as columns for the page of `explore`.

A row of the table `games` is a game, or all games of a cluster that have the same values of all dimensions.
A row of `decisions` has the turns of one row of `games` in one seat, phase and band of ten turns. Rare
players and variants share the value `OTHERS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.decision_cache import READ, READ_TEXTS
from hanalyze.analysis.explore import Source, games_query, turns_query
from hanalyze.analysis.group_sums import create_table, drop
from hanalyze.analysis.grouping import GAMES, PHASES
from hanalyze.analysis.metrics import Metric
from hanalyze.lazy import polars as pl
from hanalyze.report.page import render
from hanalyze.store import Database
from hanalyze.store.schema import quoted

OTHERS: Final = "Others"
UNNAMED: Final = "Unnamed"


class Size(NamedTuple):
    """Resolution of a page: numbers of clusters (0: each game), players and variants; months or years."""

    clusters: int
    player: int
    variant: int
    months: bool = True


SIZES: Final = (
    Size(0, 40, 12),
    Size(500, 40, 12),
    Size(250, 40, 12),
    Size(250, 24, 12, False),
    Size(100, 12, 8, False),
    Size(50, 6, 4, False),
    Size(50, 3, 2, False),
    Size(25, 2, 1, False),
)
"""Sizes to try, the largest first."""
MOST_ROWS: Final = 300_000
"""Approximate maximum number of rows of `decisions`."""
MOST_CLUSTERED: Final = 180_000
"""`MOST_ROWS` for rows that combine the games of a cluster."""
PLAYER_BITS: Final = 6
"""Bits per seat in a party, seat 0 lowest: 1 + the number of the seat's player, or 0 without a seat."""
_SAMPLE: Final = 20_000
"""Number of games from which the number of rows of `decisions` is estimated."""
_SHARES: Final = (25, 5, 1)
"""The sample has one game in 25, one in 5, or all.

Each value divides all numbers of clusters in `SIZES`, so a cluster is sampled completely or not at all.
"""
_PART: Final = 60_000
"""Number of rows of `decisions` that one query sums up."""
_COUNTED: Final = "result, chances, found, gotten, points, uses, settled, worked, is_read"
"""Columns of `_turns` that terms use; `_kinds` has a row for each of their combinations of values."""
_UNREAD: Final = "0 AS uses, 0 AS settled, 0 AS worked, 0 AS is_read"
_DIMENSIONS: Final = "cluster, party, variant, month, score, level"
_NAMES: Final = {
    "player": f"SELECT coalesce(player, {quoted(UNNAMED)}) AS name FROM seats",
    "variant": "SELECT variant AS name FROM games",
}


@dataclass(frozen=True)
class Sums:
    """Sums of a database at a size.

    `games` has the columns cluster, party (see `PLAYER_BITS`), variant, month, score, level (-1: not read),
    game_id (of one game), games, and the terms of games. `decisions` has the columns row (of `games`), seat,
    phase, turn (in tens), and the terms of turns. `names` are the names of players and variants by number,
    and `others` tells how many names share the last one, `OTHERS`.
    """

    size: Size
    clusters: int
    names: dict[str, list[str]]
    others: dict[str, int]
    games: pl.DataFrame
    decisions: dict[str, NDArray[Any]]


@contextmanager
def prepared(db: Database, source: Source) -> Iterator[None]:
    """Create `_turns` and other temporary tables or views for sums of all sizes; drop them on exit."""
    phases = ", ".join(map(quoted, PHASES))
    kind, turns = ("VIEW", READ_TEXTS) if source.turns == READ else ("TABLE", source.turns)
    # If no game was read for conventions, the joins would only take time.
    query = f"SELECT *, {_UNREAD} FROM {turns}"
    if db.count("convention_games"):
        query = turns_query(turns, with_conventions=True)
    try:
        db.prepare_decisions()
        numbers = f"list_position([{phases}], phase)::UTINYINT - 1 AS phase, (turn // 10)::UTINYINT AS turn"
        turns = f"SELECT * REPLACE ({numbers}) FROM ({query})"
        db.sql(f"CREATE OR REPLACE TEMP {kind} _turns AS {turns}", temporary=True)
        for name, query in _NAMES.items():
            number = "row_number() OVER (ORDER BY count(*) DESC, name) - 1 AS number"
            create_table(db, f"_name_{name}", f"SELECT name, {number} FROM ({query}) GROUP BY name")
        places = f"SELECT DISTINCT game_id, seat, phase, turn FROM _turns d WHERE {_sampled(_share(db))}"
        create_table(db, "_sample", places)
        kinds = f"SELECT {_COUNTED}, count(*) AS n FROM _turns GROUP BY ALL"
        masks = "chances::BIGINT AS chances, found::BIGINT AS found"
        numbered = f"SELECT * REPLACE ({masks}), row_number() OVER () - 1 AS number FROM ({kinds})"
        create_table(db, "_kinds", numbered)
        yield
    finally:
        db.sql(f"DROP {kind} IF EXISTS _turns", temporary=True)
        drop(db, "_sample", "_kinds", "_row_of", "_name_player", "_name_variant")


def _share(db: Database) -> int:
    games = db.count("games")
    return next(share for share in _SHARES if share == 1 or games >= share * _SAMPLE)


def _sampled(share: int) -> str:
    return f"hash(d.game_id) % {share} = 0"


def used_terms(db: Database, terms: Iterable[str]) -> dict[str, int]:
    """Return the sum over all turns of each term (SQL for a row `d` of `_turns`); omit sums of 0."""
    listed = list(dict.fromkeys(terms))
    columns = ", ".join(f"sum(d.n * {term})::BIGINT" for term in listed)
    values = db.sql(f"SELECT {columns} FROM _kinds d", temporary=True).row(0)
    return {term: value for term, value in zip(listed, values, strict=True) if value}


def sums_of(
    db: Database, size: Size, of_games: Sequence[Metric], terms: Sequence[str], *, limited: bool = True
) -> Sums | None:
    """Return the sums of metrics of games and of terms of turns, at a size; needs `prepared`.

    With `limited`, return None if a sample suggests that `decisions` would have too many rows.
    """
    names, others = {}, {}
    for name in _NAMES:
        query = f"SELECT name FROM _name_{name} ORDER BY number"
        every = db.sql(query, temporary=True)["name"].to_list()
        names[name] = every[: getattr(size, name)]
        others[name] = len(every) - len(names[name])
        if others[name]:
            names[name].append(OTHERS)
    share = _share(db)
    query = f"SELECT DISTINCT r.row, d.seat, d.phase, d.turn FROM ({_rows_query(size, share)}) r"
    query = f"SELECT count(*) FROM ({query} JOIN _sample d ON d.game_id = r.game_id)"
    found = db.sql(query, temporary=True).item()
    if limited and found * share > (MOST_CLUSTERED if size.clusters else MOST_ROWS):
        return None
    create_table(db, "_row_of", _rows_query(size))
    columns = "".join(
        f", sum({one.x}) AS {one.name}_x, sum({one.y}) AS {one.name}_y"
        + (f", sum({one.full}) FILTER ({one.y} > 0) AS {one.name}_full" if one.full else "")
        for one in of_games
    )
    metrics = games_query([one.name for one in of_games])
    shown = ", ".join(f"r.{name}" for name in _DIMENSIONS.split(", "))
    query = f"""SELECT {shown}, min(r.game_id) AS game_id, count(*) AS games{columns}
FROM _row_of r JOIN ({metrics}) d ON d.game_id = r.game_id GROUP BY r.row, {shown} ORDER BY r.row"""
    games = db.sql(query, temporary=True)
    decisions = _decisions(db, games.height, found * share // _PART + 1, terms)
    return Sums(size, int(games["cluster"].n_unique()), names, others, games, decisions)


def _rows_query(size: Size, share: int = 1) -> str:
    """Return the query for the dimensions and the row of each game, or of one in `share` games."""
    cluster = "row_number() OVER (ORDER BY d.game_id) - 1"
    if size.clusters:
        cluster = f"hash(d.game_id) % {size.clusters}"
    return render(
        "explore/sql/rows.sql",
        dimensions=_DIMENSIONS,
        cluster=cluster,
        size=size,
        month=GAMES["month" if size.months else "year"],
        score=GAMES["score"],
        player_bits=PLAYER_BITS,
        unnamed=UNNAMED,
        sampled=_sampled(share),
    )


def _decisions(db: Database, rows: int, parts: int, terms: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the columns of `decisions`, from `parts` queries over equal shares of the rows of `games`."""
    listed = ", ".join(f"({term})::DOUBLE AS t{number}" for number, term in enumerate(terms))
    values = db.sql(f"SELECT {listed} FROM _kinds d ORDER BY d.number", temporary=True).get_columns()
    same = " AND ".join(f"k.{name} IS NOT DISTINCT FROM c.{name}" for name in _COUNTED.split(", "))
    found = []
    for part in range(parts):
        first, last = rows * part // parts, rows * (part + 1) // parts - 1
        counted = (
            f"SELECT ((row::BIGINT * 8 + seat) * 256 + turn) * 4 + phase AS place, {_COUNTED}, count(*) AS n"
            f" FROM _turns d JOIN (SELECT game_id, row FROM _row_of WHERE row BETWEEN {first} AND {last}) g"
            " ON g.game_id = d.game_id GROUP BY ALL"
        )
        query = f"SELECT c.place, k.number, c.n::DOUBLE AS n FROM ({counted}) c JOIN _kinds k ON {same}"
        frame = db.sql(query, temporary=True)
        kind, n = frame["number"].to_numpy(), frame["n"].to_numpy()
        places, place = np.unique(frame["place"].to_numpy(), return_inverse=True)
        keys = (places >> 13, places >> 10 & 7, places & 3, places >> 2 & 255)
        sums = (np.bincount(place, n * one.to_numpy()[kind], len(places)) for one in values)
        found.append([in_smallest_type(column) for column in (*keys, *sums)])
    names = ("row", "seat", "phase", "turn", *terms)
    return {name: np.concatenate(some) for name, some in zip(names, zip(*found, strict=True), strict=True)}


def in_smallest_type(values: NDArray[Any]) -> NDArray[Any]:
    """Return nonnegative values in the smallest unsigned type if all are whole numbers, else as float64.

    >>> in_smallest_type(np.array([1, 300])).dtype, in_smallest_type(np.array([0.5])).dtype
    (dtype('uint16'), dtype('float64'))
    """
    if values.dtype.kind == "f" and not np.array_equal(values, values.astype(np.int64)):
        return values.astype(np.float64)
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))

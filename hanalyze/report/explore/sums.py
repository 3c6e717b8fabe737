"""Sums of a database as columns for the page of `explore`.

A row of the table `games` is a game, or all games of a cluster that have the same values of all dimensions.
A row of `decisions` is a row of `games`, a seat, a phase and a band of ten turns. Rare players and variants
share the value `OTHERS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.explore import Source, games_query, turns_query
from hanalyze.analysis.group_sums import drop
from hanalyze.analysis.grouping import GAMES, PHASES
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.schema import quoted

OTHERS: Final = "Others"
UNNAMED: Final = "Unnamed"


class Size(NamedTuple):
    """What a page keeps apart: numbers of clusters (0: each game), players and variants; months or years."""

    clusters: int
    player: int
    variant: int
    months: bool = True


SIZES: Final = (
    Size(0, 40, 12),
    Size(500, 40, 12),
    Size(200, 40, 12),
    Size(200, 24, 12, False),
    Size(100, 12, 8, False),
    Size(100, 6, 4, False),
    Size(50, 3, 2, False),
)
"""Sizes to try, the largest first."""
MOST_ROWS: Final = 300_000
"""Maximum number of rows of `decisions`, so that a page opens quickly and answers at once."""
_FEWEST_ROWS: Final = 10
"""Least number of rows of `decisions` that an average game has."""
_PART: Final = 60_000
"""Number of rows of `decisions` that one query sums up, which limits its memory."""
_ROWS_OF_TURNS: Final = "_turns d JOIN _row_of g ON g.game_id = d.game_id"
_DIMENSIONS: Final = "cluster, party, variant, month, score, level"
_NAMES: Final = {
    "player": f"SELECT coalesce(player, {quoted(UNNAMED)}) AS name FROM seats",
    "variant": "SELECT variant AS name FROM games",
}


@dataclass(frozen=True)
class Sums:
    """Sums of a database at a size.

    `games` has a row for each row of the table `games`: cluster, party (numbers of the players by seat),
    variant, month, score, level (-1: not read), game_id (of one game), games, and the terms of games.
    `decisions` has the columns row, seat, phase, turn, and the terms of turns. `names` are the names of
    players and variants by number, and `others` the numbers of names that share the last one.
    """

    size: Size
    clusters: int
    names: dict[str, list[str]]
    others: dict[str, int]
    games: pl.DataFrame
    decisions: dict[str, NDArray[Any]]


@contextmanager
def prepared(db: Database, source: Source) -> Iterator[None]:
    """Judge the turns of a database once, in the temporary table `_turns`, for sums of several sizes."""
    phases = ", ".join(map(quoted, PHASES))
    try:
        db.prepare_decisions()
        db.sql(
            f"CREATE OR REPLACE TEMP TABLE _turns AS SELECT * REPLACE ("
            f"list_position([{phases}], phase)::UTINYINT - 1 AS phase, (turn // 10)::UTINYINT AS turn)"
            f" FROM ({turns_query(source.turns, with_conventions=True)})",
            temporary=True,
        )
        yield
    finally:
        drop(db, "_turns", "_row_of", "_name_player", "_name_variant")


def used_terms(db: Database, terms: Iterable[str]) -> dict[str, int]:
    """Return the sum over all turns of each term, SQL for a row `d` of turns; sums of 0 are left out."""
    listed = list(dict.fromkeys(terms))
    columns = ", ".join(f"sum({term})::BIGINT" for term in listed)
    values = db.sql(f"SELECT {columns} FROM _turns d", temporary=True).row(0)
    return {term: value for term, value in zip(listed, values, strict=True) if value}


def sums_of(
    db: Database, size: Size, of_games: Sequence[str], terms: Sequence[str], most: int | None = MOST_ROWS
) -> Sums | None:
    """Return the sums at a size, of metrics of games and of terms of turns.

    None if `decisions` would have more than `most` rows; `most` None means no limit.
    """
    if most is not None and not size.clusters and db.count("games") * _FEWEST_ROWS > most:
        return None
    names, others = {}, {}
    for name, query in _NAMES.items():
        counted = f"SELECT name FROM ({query}) GROUP BY name ORDER BY count(*) DESC, name"
        every = db.sql(counted)["name"].to_list()
        names[name] = every if len(every) <= getattr(size, name) else every[: getattr(size, name)]
        others[name] = len(every) - len(names[name])
        db.sql(
            f"CREATE OR REPLACE TEMP TABLE _name_{name} AS"
            " SELECT unnest($names) AS name, unnest(range(len($names))) AS number",
            {"names": names[name]},
            temporary=True,
        )
        if others[name]:
            names[name] = [*names[name], OTHERS]
    db.sql(f"CREATE OR REPLACE TEMP TABLE _row_of AS {_rows_query(size, names)}", temporary=True)
    counts = db.sql(
        "SELECT row, count(*) AS n FROM"
        f" (SELECT DISTINCT row, seat, phase, turn FROM {_ROWS_OF_TURNS}) GROUP BY row ORDER BY row",
        temporary=True,
    )
    if most is not None and int(counts["n"].sum()) > most:
        return None
    columns = "".join(f", sum({name}_x) AS {name}_x, sum({name}_y) AS {name}_y" for name in of_games)
    shown = ", ".join(f"r.{name}" for name in _DIMENSIONS.split(", "))
    games = db.sql(
        f"SELECT {shown}, min(r.game_id) AS game_id, count(*) AS games{columns}"
        f" FROM _row_of r JOIN ({games_query(of_games)}) m ON m.game_id = r.game_id GROUP BY r.row, {shown}"
        " ORDER BY r.row",
        temporary=True,
    )
    part = counts["n"].cum_sum().to_numpy() // _PART
    ends = np.flatnonzero(np.diff(part, append=part[-1] + 1))
    decisions = _decisions(db, counts["row"].to_numpy()[ends], terms)
    return Sums(size, int(games["cluster"].n_unique()), names, others, games, decisions)


def _rows_query(size: Size, names: dict[str, list[str]]) -> str:
    """Return the query for the dimensions and the row of each game."""
    cluster = "row_number() OVER (ORDER BY d.game_id) - 1"
    if size.clusters:
        cluster = f"hash(d.game_id) % {size.clusters}"
    month = GAMES["month" if size.months else "year"]
    [score] = GAMES["score"].expressions
    return f"""
SELECT *, dense_rank() OVER (ORDER BY {_DIMENSIONS}) - 1 AS row
FROM (
    SELECT d.game_id, ({cluster})::UINTEGER AS cluster, p.party,
        coalesce(v.number, {len(names["variant"]) - 1})::UTINYINT AS variant, {month.expressions[0]} AS month,
        ({score})::UTINYINT AS score, if(r.game_id IS NULL, -1, signal_level(l.level)) AS level
    FROM games d{month.joins}
    JOIN (
        SELECT s.game_id, list(coalesce(k.number, {len(names["player"]) - 1}) ORDER BY s.seat) AS party
        FROM seats s LEFT JOIN _name_player k ON k.name = coalesce(s.player, {quoted(UNNAMED)})
        GROUP BY s.game_id
    ) p ON p.game_id = d.game_id
    LEFT JOIN _name_variant v ON v.name = d.variant
    LEFT JOIN convention_games r ON r.game_id = d.game_id
    LEFT JOIN game_levels l ON l.game_id = d.game_id
)"""


def _decisions(db: Database, ends: NDArray[Any], terms: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the columns of `decisions`, summed up in parts; `ends` are the last rows of the parts."""
    columns = "".join(f", sum({term})::UINTEGER AS t{number}" for number, term in enumerate(terms))
    parts = []
    first = 0
    for last in ends.tolist():
        part = db.sql(
            f"SELECT row::UINTEGER AS row, seat::UTINYINT AS seat, phase, turn{columns} FROM {_ROWS_OF_TURNS}"
            f" WHERE row BETWEEN {first} AND {last} GROUP BY ALL ORDER BY row, seat, turn, phase",
            temporary=True,
        )
        parts.append([narrowed(column.to_numpy()) for column in part.get_columns()])
        first = last + 1
    names = ("row", "seat", "phase", "turn", *terms)
    return {name: np.concatenate(some) for name, some in zip(names, zip(*parts, strict=True), strict=True)}


def narrowed(values: NDArray[Any]) -> NDArray[Any]:
    """Return non-negative integers in the smallest unsigned type that holds them, other values as float64.

    >>> narrowed(np.array([1, 300])).dtype, narrowed(np.array([0.5])).dtype
    (dtype('uint16'), dtype('float64'))
    """
    if values.dtype.kind == "f" and not np.array_equal(values, values.astype(np.int64)):
        return values.astype(np.float64)
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))

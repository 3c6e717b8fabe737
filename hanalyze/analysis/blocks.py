"""Ratios of sums by group, of as many games as there are: fetched a few at a time.

In: a query with a row for each game of each group. Out: the groups, and `Ratios` of each measure. The rows
stay with DuckDB, which puts on the disk what has no room; here is no more of them at a time than `_CELLS`.
What comes out for a group and a measure does not depend on what else is fetched with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hanalyze.analysis.grouping import By, number_groups
from hanalyze.analysis.ratios import Every, Ratios, ratios
from hanalyze.analysis.statistics.intervals import Ints, Sums
from hanalyze.lazy import polars as pl

if TYPE_CHECKING:
    from hanalyze.store import Database

_CELLS: Final = 2_000_000
"""Values of a game and a measure that are fetched at a time."""
_GAMES: Final = 8_000
"""Games of which a query sums up the rows at a time."""


class Measured(NamedTuple):
    """A measure: what is found, of how much, as SQL over the rows; and whether it is a share."""

    found: str
    of: str
    share: bool = True


class Rows:
    """Rows of games and groups in a temporary table. `groups` are the groups, in order, with `_group`."""

    def __init__(self, db: Database, table: str, by: By, games: str | None = None) -> None:
        """Take a table that has `game_id` and the columns of `by`.

        `games` has what all groups of a game have together, if it is known: a table with a row for each game.
        """
        self._db, self._table, self._by, self._games = db, table, by, games
        listed = ", ".join(f'"{name}"' for name in by.columns)
        grouped = f" GROUP BY {listed}" if listed else ""
        db.sql(
            f"CREATE OR REPLACE TEMP TABLE {table}_groups AS SELECT {by.named}count(*) AS _rows,"
            f" row_number() OVER (ORDER BY count(*), {listed or 1}) - 1 AS _number FROM {table}{grouped}",
            temporary=True,
        )
        frame = db.sql(f"SELECT {by.named}_rows FROM {table}_groups ORDER BY _number", temporary=True)
        self.groups, self._place = number_groups(frame, by)
        self._keys = frame.with_columns(pl.Series("_group", self._place))
        self._sizes: list[int] = frame["_rows"].to_list()
        self._number, self._source = "k._number", self.joined(table)

    def among(self, table: str) -> Rows:
        """Return further rows of these groups: a table with `game_id` and `number`, the `_number` here."""
        rows = copy(self)
        rows._table, rows._number, rows._source = table, "r.number", f"{table} r"
        rows._sizes = [0] * self.groups.height
        for number, size in self._db.sql(
            f"SELECT number, count(*) FROM {table} GROUP BY number", temporary=True
        ).rows():
            rows._sizes[number] = size
        return rows

    def numbers(self, frame: pl.DataFrame) -> Ints:
        """Return the number of each row's group in a frame with the columns of `by`."""
        if not self._by.columns:
            return np.zeros(frame.height, np.int64)
        on = list(self._by.columns)
        found: Ints = (
            frame.select(on)
            .join(self._keys, on=on, how="left", nulls_equal=True, maintain_order="left")["_group"]
            .to_numpy()
        )
        return found

    def joined(self, table: str) -> str:
        """Return a table with these groups as it stands in a query: rows `r`, with `k._number`."""
        same = " AND ".join(f'r."{name}" IS NOT DISTINCT FROM k."{name}"' for name in self._by.columns)
        return f"{table} r JOIN {self._table}_groups k ON {same or 'true'}"

    def frame(self, columns: str) -> pl.DataFrame:
        """Return aggregates of each group, in the order of the groups; null in those without a row."""
        found = self._db.sql(
            f"SELECT {self._number} AS _number, {columns} FROM {self._source} GROUP BY ALL", temporary=True
        )
        place = pl.Series("_group", self._place[found["_number"].to_numpy()], pl.Int64)
        found = found.drop("_number").with_columns(place)
        return self.groups.select("_group").join(found, on="_group", how="left", maintain_order="left")

    def ratios(
        self,
        measures: Sequence[Measured],
        *,
        confidence: float,
        minimum: float = 0,
        compare: bool = False,
        every: Sequence[Every] | None = None,
        resampled: bool = True,
    ) -> list[Ratios]:
        """Return `ratios` of all groups for each measure; `compare` asks for p-values.

        `every` has what `sums_of_all` says of the measures, where that is known; `resampled` is as in
        `ratios`.
        """
        if compare and self._overlap:
            self._make_games(measures)
        if compare and every is None:
            source = f"{self._table}_games" if self._overlap else self._table
            named = [Measured(f"r.f{n}", f"r.o{n}") for n in range(len(measures))]
            every = sums_of_all(self._db, source, named if self._overlap else measures)
        results = [Ratios.empty(self.groups.height) for _ in measures]
        for first, last, some in self._blocks(len(measures)):
            chosen = [measures[number] for number in some]
            values = _values(chosen)
            joined = ""
            if every is not None and self._overlap:
                values += "".join(f", e.f{n} AS ef{m}, e.o{n} AS eo{m}" for m, n in enumerate(some))
                joined = f" JOIN {self._table}_games e ON e.game_id = r.game_id"
            frame = self._db.sql(
                f"SELECT {self._number} AS _number, r.game_id, {values} FROM {self._source}{joined}"
                f" WHERE {self._number} BETWEEN {first} AND {last}",
                temporary=True,
            )

            def column(letter: str, number: int, frame: pl.DataFrame = frame) -> Ints:
                found: Ints = frame[f"{letter}{number}"].to_numpy()
                return found

            numbers = range(len(chosen))
            of_games = None
            if every is not None:
                prefix = "e" if self._overlap else ""
                of_games = [
                    every[n]._replace(f=column(f"{prefix}f", m), o=column(f"{prefix}o", m))
                    for m, n in enumerate(some)
                ]
            found = ratios(
                frame["_number"].to_numpy() - first,
                last - first + 1,
                frame["game_id"].to_numpy(),
                [column("f", number) for number in numbers],
                [column("o", number) for number in numbers],
                confidence=confidence,
                minimum=minimum,
                shares=[one.share for one in chosen],
                compare=compare,
                every=of_games,
                resampled=resampled,
            )
            places = self._place[first : last + 1]
            for number, one in zip(some, found, strict=True):
                for target, part in zip(results[number], one, strict=True):
                    target[places] = part
        return results

    def _blocks(self, measures: int) -> Iterator[tuple[int, int, range]]:
        """Yield what to fetch at a time: the first and the last group, and some of the measures."""
        first = 0
        while first < len(self._sizes):
            last, rows = first, self._sizes[first]
            while last + 1 < len(self._sizes) and (rows + self._sizes[last + 1]) * measures <= _CELLS:
                last += 1
                rows += self._sizes[last]
            step = max(_CELLS // max(rows, 1), 1)
            for begun in range(0, measures, step):
                yield first, last, range(begun, min(begun + step, measures))
            first = last + 1

    @property
    def by(self) -> By:
        """How the rows are grouped."""
        return self._by

    @property
    def _overlap(self) -> bool:
        """Whether a game may be of several groups."""
        return bool(self._by.joins) or self._by.by_turn or self._by.by_seat

    def _make_games(self, measures: Sequence[Measured]) -> None:
        """Make a table of what all groups of a game have together: `f0` found of `o0`, `f1` ..."""
        query = f"SELECT r.game_id, {_values(measures)} FROM {self._games or self._table} r"
        if self._games is None:
            numbers = range(len(measures))
            summed = ", ".join(f"sum({x}{n})::UINTEGER AS {x}{n}" for n in numbers for x in "fo")
            query = f"SELECT game_id, {summed} FROM ({query}) GROUP BY game_id"
        self._db.sql(f"CREATE OR REPLACE TEMP TABLE {self._table}_games AS {query}", temporary=True)


def _values(measures: Sequence[Measured]) -> str:
    """Return the columns of some measures of rows `r`."""
    return ", ".join(f"{one.found} AS f{n}, {one.of} AS o{n}" for n, one in enumerate(measures))


def sums_of_all(db: Database, games: str, measures: Sequence[Measured]) -> list[Every]:
    """Return the sums of each measure over a table with a row for each game, without the rows themselves."""
    terms = [
        f"coalesce(sum({term.format(n)}), 0)::DOUBLE"
        for n in range(len(measures))
        for term in ("f{0}", "o{0}", "f{0}::DOUBLE * f{0}", "f{0}::DOUBLE * o{0}", "o{0}::DOUBLE * o{0}")
    ]
    terms += [f"count(*) FILTER (o{n} > 0)" for n in range(len(measures))]
    columns = ", ".join(f"{term} AS c{place}" for place, term in enumerate(terms))
    query = f"SELECT {columns} FROM (SELECT {_values(measures)} FROM {games} r)"
    sums = db.sql(query, temporary=True).row(0)
    none = np.zeros(0, np.int64)
    return [
        Every(none, none, Sums(*sums[5 * n : 5 * n + 5]), count)
        for n, count in enumerate(sums[5 * len(measures) :])
    ]


def sum_up(db: Database, name: str, games: str, query: Callable[[str], str]) -> None:
    """Make a temporary table from a query that has rows by game, a few games at a time.

    `games` is a table with the `game_id` of those that count. `query` is given what holds for the games of
    a part, as SQL over `game_id`. So the groups of one part are in memory at once, not those of all.
    """
    parts = db.sql(
        f"SELECT min(game_id) AS first, max(game_id) AS last FROM (SELECT game_id,"
        f" (row_number() OVER (ORDER BY game_id) - 1) // {_GAMES} AS part FROM {games})"
        " GROUP BY part ORDER BY part",
        temporary=True,
    ).rows()
    made = f"CREATE OR REPLACE TEMP TABLE {name} AS"
    for first, last in parts or [(0, -1)]:
        db.sql(f"{made} {query(f'game_id BETWEEN {first} AND {last}')}", temporary=True)
        made = f"INSERT INTO {name}"


@contextmanager
def temporary_table(db: Database, name: str, query: str) -> Iterator[str]:
    """Make a temporary table for as long as it is needed; give its name."""
    db.sql(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}", temporary=True)
    try:
        yield name
    finally:
        drop(db, name)


def drop(db: Database, *tables: str) -> None:
    """Remove temporary tables, if they are there."""
    for table in tables:
        db.sql(f"DROP TABLE IF EXISTS {table}", temporary=True)


@contextmanager
def grouped_rows(
    db: Database, query: str, by: By, name: str = "_rows", *, games: str | None = None
) -> Iterator[Rows]:
    """Give the rows of a query, which has the columns of `by`, `game_id` and what measures are made of.

    A game has one row at most in a group. The query may use the temporary tables of the connection. For
    `games` see `Rows`.
    """
    with temporary_table(db, name, query):
        try:
            yield Rows(db, name, by, games)
        finally:
            drop(db, f"{name}_groups", f"{name}_games")

"""Sums of measures by group of games, computed in SQL, and the ratios of these sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.analysis.grouping import By, number_groups
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES, Floats, Ints, Sums
from hanalyze.analysis.statistics.ratios import GroupSums, Ratios, Shared, Total, against_other_groups, ratios
from hanalyze.lazy import polars as pl
from hanalyze.store import Database

_GAMES: Final = 8_000
"""Maximum number of games that one query sums up."""


class Fraction(NamedTuple):
    """A measure: numerator and denominator as SQL over rows `r`, and whether their ratio is a share.

    `fewest` is the minimum number of games for the interval of a mean. `full`, if given, is SQL for the
    largest possible value of a game; the mean then has the interval of `mean_below`.
    """

    found: str
    of: str = "1"
    share: bool = True
    fewest: int = FEWEST_GAMES
    full: str = ""

    @property
    def below(self) -> list[Fraction]:
        """The fractions `short` and `full` of `mean_below`; empty without a largest value."""
        distance = (f"{self.full} - {self.found}", self.full) if self.full else ()
        return [Fraction(term, self.of, share=False) for term in distance]


class Rows:
    """Rows of games and groups in a temporary table; `groups` lists the groups, `_group` from 0."""

    def __init__(self, db: Database, table: str, by: By, games: str | None = None) -> None:
        """Create numbered groups from a table that has `game_id` and the columns of `by`.

        `games`, if given, is a table with a row per game that has the values of all groups together.
        """
        self._db, self._table, self.by, self._games = db, table, by, games
        listed = ", ".join(f'"{name}"' for name in by.columns)
        source = f"(SELECT DISTINCT {listed} FROM {table})" if listed else "(SELECT 1)"
        number = f"row_number() OVER (ORDER BY {listed or 1}) - 1 AS _number"
        create_table(db, f"{table}_groups", f"SELECT {by.named}{number} FROM {source}")
        frame = db.sql(f"SELECT {by.named}_number FROM {table}_groups ORDER BY _number", temporary=True)
        self.groups, self._place = number_groups(frame, by)
        self._keys = frame.with_columns(pl.Series("_group", self._place))
        self._number, self._source = "k._number", self.joined(table)

    @property
    def size(self) -> int:
        """The number of groups, including the copies of `among`."""
        return len(self._place)

    def among(self, table: str, number: str = "r.number", copies: int = 1) -> Rows:
        """Return `Rows` over another table `r` with `game_id`; `number` is SQL for the group number of a row.

        Each group exists `copies` times, and has the numbers n, n + `size`, n + 2 * `size` and so on.
        """
        rows = copy(self)
        rows._table, rows._number, rows._source = table, number, f"{table} r"
        height = self.groups.height
        rows._place = np.concatenate([self._place + height * n for n in range(copies)])
        rows.groups = pl.DataFrame({"_group": np.arange(copies * height)})
        return rows

    def numbers(self, frame: pl.DataFrame) -> Ints:
        """Return the group number of each row of a frame with the columns of `by`."""
        if not self.by.columns:
            return np.zeros(frame.height, np.int64)
        on = list(self.by.columns)
        keys = frame.select(on).join(self._keys, on=on, how="left", nulls_equal=True, maintain_order="left")
        return keys["_group"].to_numpy().astype(np.int64)

    def joined(self, table: str) -> str:
        """Return the SQL that joins a table, as `r`, with the numbers of the groups, `k._number`."""
        same = " AND ".join(f'r."{name}" IS NOT DISTINCT FROM k."{name}"' for name in self.by.columns)
        return f"{table} r JOIN {self._table}_groups k ON {same or 'true'}"

    def frame(self, columns: str, joined: str = "") -> pl.DataFrame:
        """Return the aggregates `columns` (SQL) of each group, in order; null for groups without a row."""
        query = f"SELECT {self._number} AS _number, {columns} FROM {self._source}{joined} GROUP BY ALL"
        frame = self._db.sql(query, temporary=True)
        place = pl.Series("_group", self._place[frame["_number"].to_numpy()], pl.Int64)
        frame = frame.drop("_number").with_columns(place)
        return self.groups.select("_group").join(frame, on="_group", how="left", maintain_order="left")

    def sums(self, measures: Sequence[Fraction]) -> list[GroupSums]:
        """Return the sums of each measure over the games of each group."""
        if not measures:
            return []
        terms = [term for measure in measures for term in _terms(measure)]
        return [GroupSums(*columns) for columns in self.columns(terms, len(GroupSums._fields))]

    def ratios(
        self,
        measures: Sequence[Fraction],
        *,
        confidence: float,
        minimum: float = 0,
        compare: bool = False,
        sums: Sequence[GroupSums] | None = None,
    ) -> list[Ratios]:
        """Return the ratio of each measure in each group, with p-values if `compare`.

        `sums` is the result of the method `sums` for the measures, if known.
        """
        sums = self.sums(measures) if sums is None else sums
        p_values = self._p_values(measures, sums) if compare else [None] * len(sums)
        return [
            ratios(one, measure.share, measure.fewest, confidence, minimum, values, self.sums(measure.below))
            for one, measure, values in zip(sums, measures, p_values, strict=True)
        ]

    def _p_values(self, measures: Sequence[Fraction], sums: Sequence[GroupSums]) -> list[Floats]:
        """Return, for each measure, the p-values of each group against all other groups."""
        shared: list[Shared | None] = [None] * len(sums)
        # With these groupings, a game may belong to several groups.
        if self.by.joins or self.by.by_turn or self.by.by_seat:
            games = f"{self._table}_games"
            self._make_games(measures, games)
            terms = []
            for n, one in enumerate(measures):
                f, o, all_f, all_o = one.found, one.of, f"e.f{n}::DOUBLE", f"e.o{n}::DOUBLE"
                pairs = ((f, all_f), (f, all_o), (o, all_f), (o, all_o))
                terms.append(f"count(*) FILTER ({o} > 0 AND {all_o} > {o})")
                terms += [f"sum(({x}) * {y}) FILTER ({o} > 0)" for x, y in pairs]
            joined = f" JOIN {games} e ON e.game_id = r.game_id"
            shared = [Shared(*columns) for columns in self.columns(terms, len(Shared._fields), joined)]
            of_game = [Fraction(f"r.f{n}", f"r.o{n}") for n in range(len(measures))]
            totals = self._totals(games, of_game)
        else:
            totals = self._totals(self._table, measures)
        return [
            against_other_groups(one, total, both, measure.share)
            for one, total, both, measure in zip(sums, totals, shared, measures, strict=True)
        ]

    def _make_games(self, measures: Sequence[Fraction], name: str) -> None:
        """Create a table with, for each game, the values of all groups together: `f0` and `o0`, `f1` ..."""
        values = ", ".join(f"{one.found} AS f{n}, {one.of} AS o{n}" for n, one in enumerate(measures))
        query = f"SELECT r.game_id, {values} FROM {self._games or self._table} r"
        if self._games is None:
            summed = ", ".join(f"sum({x}{n})::UINTEGER AS {x}{n}" for n in range(len(measures)) for x in "fo")
            query = f"SELECT game_id, {summed} FROM ({query}) GROUP BY game_id"
        create_table(self._db, name, query)

    def _totals(self, games: str, measures: Sequence[Fraction]) -> list[Total]:
        """Return the sums of each measure over a table with a row for each game."""
        terms = [term for measure in measures for term in _terms(measure)]
        columns = ", ".join(f"coalesce({term}, 0) AS c{n}" for n, term in enumerate(terms))
        row = self._db.sql(f"SELECT {columns} FROM {games} r", temporary=True).row(0)
        width = len(GroupSums._fields)
        parts = (row[first : first + width] for first in range(0, len(row), width))
        return [Total(Sums(*part[1:6]), part[0]) for part in parts]

    def columns(self, terms: Sequence[str], width: int, joined: str = "") -> Iterator[list[Any]]:
        """Yield the values by group of the aggregates (0 for null), in lists of `width` aggregates."""
        listed = ", ".join(f"{term} AS c{n}" for n, term in enumerate(terms))
        frame = self.frame(listed, joined).drop("_group").fill_null(0)
        values = [column.to_numpy() for column in frame.get_columns()]
        for first in range(0, len(values), width):
            yield values[first : first + width]


def _terms(one: Fraction) -> list[str]:
    """Return the aggregates of a measure in the order of `GroupSums`."""
    f, o = f"({one.found})::DOUBLE", f"({one.of})::DOUBLE"
    total = "sum" if one.share else "fsum"
    products = (f, o, f"{f} * {f}", f"{f} * {o}", f"{o} * {o}")
    return [
        f"count(*) FILTER ({o} > 0)",
        *(f"{total}({product}) FILTER ({o} > 0)" for product in products),
        f"min({f}) FILTER ({o} > 0)",
    ]


def game_ranges(db: Database, games: str, size: int) -> list[tuple[int, int]]:
    """Return the first and last `game_id` of each part of a table, in order, with at most `size` games."""
    query = f"SELECT game_id, (row_number() OVER (ORDER BY game_id) - 1) // {size} AS part FROM {games}"
    query = f"SELECT min(game_id), max(game_id) FROM ({query}) GROUP BY part ORDER BY part"
    return db.sql(query, temporary=True).rows()


def sum_up(db: Database, name: str, games: str, query: Callable[[str], str]) -> None:
    """Create a temporary table from a query with rows by game, some games at a time.

    `games` is a table with the `game_id` of the games to use. `query` takes the condition on `game_id` of one
    part, so that only the groups of this part are in memory.
    """
    statement = f"CREATE OR REPLACE TEMP TABLE {name} AS"
    for first, last in game_ranges(db, games, _GAMES) or [(0, -1)]:
        db.sql(f"{statement} {query(f'game_id BETWEEN {first} AND {last}')}", temporary=True)
        statement = f"INSERT INTO {name}"


def create_table(db: Database, name: str, query: str, values: dict[str, Any] | None = None) -> None:
    """Create or replace a temporary table from a query; `values` are its parameters."""
    db.sql(f"CREATE OR REPLACE TEMP TABLE {name} AS\n{query}", values, temporary=True)


@contextmanager
def temporary_table(
    db: Database, name: str, query: str, values: dict[str, Any] | None = None
) -> Iterator[str]:
    """Provide a temporary table by its name, and drop it at the end."""
    create_table(db, name, query, values)
    try:
        yield name
    finally:
        drop(db, name)


def drop(db: Database, *tables: str) -> None:
    """Drop temporary tables if they exist."""
    for table in tables:
        db.sql(f"DROP TABLE IF EXISTS {table}", temporary=True)


@contextmanager
def grouped_rows(
    db: Database,
    query: str,
    by: By,
    name: str = "_rows",
    *,
    games: str | None = None,
    values: dict[str, Any] | None = None,
) -> Iterator[Rows]:
    """Provide the rows of a query that has the columns of `by`, `game_id` and the columns of the measures.

    A game has at most one row in a group. `values` are the parameters of the query. `games` is that of
    `Rows`.
    """
    with temporary_table(db, name, query, values):
        try:
            yield Rows(db, name, by, games)
        finally:
            drop(db, f"{name}_groups", f"{name}_games")


def kind_rows(
    groups: pl.DataFrame, name: str, kinds: Sequence[str], columns: Iterable[Sequence[pl.Series]]
) -> pl.DataFrame:
    """Return a row for each group and kind, in their order; `columns` has the columns of each kind."""
    parts = [
        groups.with_columns(*own, pl.lit(kind).alias(name), pl.lit(number).alias("_kind"))
        for number, (kind, own) in enumerate(zip(kinds, columns, strict=True))
    ]
    return pl.concat(parts).sort("_group", "_kind")


def per_game(
    groups: pl.DataFrame, kinds: Sequence[str], results: Sequence[Ratios], *more: Sequence[pl.Series]
) -> pl.DataFrame:
    """Return the losses per game of each group with games, by kind; each `more` has a series per kind."""
    columns = (
        [pl.Series("games", one.games), *ratio_columns("per_game", one, ""), *own]
        for one, *own in zip(results, *more, strict=True)
    )
    return kind_rows(groups, "kind", kinds, columns).filter(pl.col("games") > 0)


def ratio_columns(name: str, result: Ratios, ends: str | None = None) -> list[pl.Series]:
    """Return a ratio and its interval as columns; NaN becomes null.

    The columns are `name`, `name_low` and `name_high`; `ends`, if given, replaces the prefix `name_`.
    """
    begin = f"{name}_" if ends is None else ends
    parts = ((name, result.rate), (f"{begin}low", result.low), (f"{begin}high", result.high))
    return [pl.Series(part, values, nan_to_null=True) for part, values in parts]

"""Sums of the dashboard's counts by team, from games or from stored sums (`TeamSums`).

A team is a group of players at one team size and variant; its sums are over the team's games. Each player is
also a team of its own, whose sums count only that player's decisions. Values are integers in units of
1 / `UNIT`, so that sums do not depend on the order of the games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from hanalyze.lazy import duckdb
from hanalyze.report.dashboard.counts import Count, counts, query
from hanalyze.report.page import render, source
from hanalyze.store.definitions import definitions
from hanalyze.store.schema import quoted

UNIT: Final = 1 << 20
"""Fixed-point scale of stored values: the value 1 is stored as `UNIT`."""
LISTED: Final = {"costliest": 8, "best": 3, "worst": 3}
"""Number of rows per list; each cell stores this many rows, which suffice for any union of cells."""
BIN: Final = 0.05
"""Width of a bin, in cards per clue."""
BINS: Final = 80
"""Number of bins; the last has all higher values."""
_STEPS: Final = (2, 5)
"""Steps between stored turns of a curve; each stored turn is a multiple of one of them."""

_EXACT: Final = f"round({{0}}::DOUBLE * {UNIT})::BIGINT"
"""SQL for a value in units of 1 / `UNIT`."""


class CountQueries(NamedTuple):
    """Queries for the sums of a count by team: (team, panel, label, x, xx, xy) and (team, of, n, y, yy).

    If the query of the count has both sums, the label is the name of the denominator.
    """

    found: str
    of: str


def _teams(name: str, **values: Any) -> str:
    return render(f"dashboard/sql/teams/{name}.sql", **values)


def _rows(table: str, columns: str, values: Sequence[str], by_seat: bool, own: bool, once: bool) -> str:
    """Return the query for the sums of `values`, in 1 / `UNIT`, by team, game, `first_seat` and `columns`.

    `first_seat` is -1 for the team of all players, otherwise (`own`) the first seat of the player. If each
    player has one seat in a game (`once`), the rows of `table` are these sums already, and are not grouped.
    """
    grouped = by_seat and not (own and once)
    joined = "seat_teams USING (game_id, seat)" if by_seat and own else "game_teams USING (game_id)"
    exact = (f"sum({_EXACT})::BIGINT AS {{0}}" if grouped else f"{_EXACT} AS {{0}}").format
    keys = f"team, game_id, first_seat, {columns}"
    return (
        f"SELECT {keys}, {', '.join(map(exact, values))} FROM {table} JOIN {joined}"
        f" WHERE first_seat {'>=' if own else '<'} 0{' GROUP BY ALL' if grouped else ''}"
    )


@contextmanager
def _counted(connection: duckdb.DuckDBPyConnection, one: Count) -> Iterator[CountQueries]:
    """Yield the queries for the sums over games, with teams from `game_teams` and `seat_teams`."""
    run = connection.execute
    values = ["y"] if one.found else ["y", "x"]
    queries = {"found": one.found, "of": one.of, "own": one.own}
    try:
        for name, query in queries.items():
            if query:
                run(f"CREATE OR REPLACE TEMP TABLE counted_{name} AS {query}")
        of_seats = "seat" in [column for column, *_ in run("DESCRIBE counted_of").fetchall()]
        twice = "SELECT 1 FROM seat_teams WHERE seat <> first_seat AND first_seat >= 0 LIMIT 1"
        once = not run(twice).fetchall()
        # First the teams of games, then single players, so that only the rows of one kind are in memory.
        for own in (False, True)[: 1 + one.of_decisions]:
            begin = "INSERT INTO {}" if own else "CREATE OR REPLACE TEMP TABLE {} AS"
            if one.found:
                rows = _rows("counted_found", "panel, label, of", ["x"], one.by_seat, own, once)
                run(f"CREATE OR REPLACE TEMP TABLE found_rows AS {rows}")
            of = "counted_own" if own and one.own else "counted_of"
            rows = _rows(of, "of", values, of_seats or of == "counted_own", own, once)
            run(f"CREATE OR REPLACE TEMP TABLE of_rows AS {rows}")
            run(f"{begin.format('found_sums')} {_teams('found', with_both=not one.found)}")
            run(f"{begin.format('of_sums')} {_teams('of')}")
        yield CountQueries("FROM found_sums", "FROM of_sums")
    finally:
        counted = (f"counted_{name}" for name in queries)
        for table in (*counted, "found_rows", "of_rows", "found_sums", "of_sums"):
            run(f"DROP TABLE IF EXISTS {table}")


def _curve(turns: str) -> str:
    return _teams("curve", query=query("curve"), turns=turns, bin=BIN, bins=BINS)


class Teams:
    """Sums by team, seen by a connection: added up over the `stored` sums of all parts, or over the games."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, *, stored: bool) -> None:
        self._connection, self.stored = connection, stored

    def names(self, kind: str) -> list[str]:
        """Return the names of the variants or the players, the most frequent first; `kind` is the column."""
        table, games = ("games" if kind == "variant" else "seats"), "count(*)"
        if self.stored:
            name = "variant" if kind == "variant" else "unnest(party) AS player"
            table, games = f"(SELECT {name}, games FROM sums.teams WHERE NOT own)", "sum(games)"
        query = (
            f"SELECT {kind} FROM {table} WHERE {kind} IS NOT NULL GROUP BY ALL ORDER BY {games} DESC, {kind}"
        )
        return [str(name) for (name,) in self._connection.execute(query).fetchall()]

    def make(self, *, variants: int, players: int) -> None:
        """Create the table `teams`: team, own (whether it is a player's own), size, variant, party, games.

        The tables `known_variant` and `known_player` number the names with separate cells; all other names
        get the number `variants` or `players`. `game_teams` contains the teams of each game that may be
        listed; `seat_teams` contains the teams of each seat in these games.
        """
        template = "collected" if self.stored else "teams"
        self._connection.execute(_teams(template, named=False, variants=variants, players=players))

    @contextmanager
    def sums(self, name: str, one: Count) -> Iterator[CountQueries]:
        """Yield the queries for the sums of a count."""
        if self.stored:
            yield CountQueries(
                _collected("team_found", name, "panel, label", ("x", "xx", "xy")),
                _collected("team_of", name, "of", ("n", "y", "yy")),
            )
        else:
            with _counted(self._connection, one) as queries:
                yield queries

    def curve(self, step: int) -> str:
        """Return the query for the curve: team, short, series, turn, bin, games."""
        if not self.stored:
            return _curve(f"(t.turn + 1) % {step} = 0")
        return (
            "SELECT n.team, short, series, turn, bin, sum(s.games)::BIGINT AS games FROM sums.team_curve s"
            f"{_NAMED} WHERE s.turn % {step} = 0 GROUP BY ALL"
        )


_NAMED: Final = " JOIN named_teams n ON n.part = s.part AND n.named = s.team"


def _collected(table: str, name: str, keys: str, columns: tuple[str, ...]) -> str:
    """Return the query that adds up a count's sums over parts and over players that share a cell."""
    types = {1: "BIGINT", 2: "DECIMAL(38, 0)"}
    added = ", ".join(f"sum(s.{column})::{types[len(column)]} AS {column}" for column in columns)
    query = f"SELECT n.team, {keys}, {added} FROM sums.{table} s{_NAMED}"
    return f"{query} WHERE s.name = {quoted(name)} GROUP BY ALL"


class TeamSums:
    """Sums by team for storage; they keep all players' names, because cells are chosen later."""

    name: Final = "teams"

    @property
    def version(self) -> str:
        """Text of all queries; the version of the stored sums is derived from it."""
        names = ("found", "of", "curve", "listed", "teams")
        counted = (f"{name}\n{one.by_seat}\n{one.query}" for name, one in counts(definitions()).items())
        listed = (query(name) for name in ("curve", *LISTED))
        return "\n".join(
            [
                *(source(f"dashboard/sql/teams/{name}.sql") for name in names),
                *counted,
                *listed,
                _rows("", "", ["x"], True, True, True),
                repr(_KEPT),
            ]
        )

    @contextmanager
    def queries(self, connection: duckdb.DuckDBPyConnection) -> Iterator[Mapping[str, str]]:
        """Yield the query for the rows of each table."""
        run = connection.execute
        run(_teams("teams", named=True))
        made: set[str] = set()

        def keep(table: str, query: str) -> None:
            begin = f"INSERT INTO _{table}" if table in made else f"CREATE OR REPLACE TEMP TABLE _{table} AS"
            run(f"{begin} {query}")
            made.add(table)

        try:
            # Run the queries one by one, so that the memory of each is freed before the next.
            for name, one in counts(definitions()).items():
                with _counted(connection, one) as queries:
                    for table, rows in zip(("team_found", "team_of"), queries, strict=True):
                        keep(table, f"SELECT {quoted(name)} AS name, * FROM ({rows})")
            for name, most in LISTED.items():
                of_turns = name == "costliest"
                rows = _teams("listed", query=query(name), most=most, of_turns=of_turns)
                keep("team_turns" if of_turns else "team_games", rows)
            keep("team_curve", _curve(" OR ".join(f"(t.turn + 1) % {step} = 0" for step in _STEPS)))
            yield {"teams": "FROM teams"} | {table: f"FROM _{table}" for table in sorted(made)}
        finally:
            for table in (*(f"_{table}" for table in made), "teams", "game_teams", "seat_teams"):
                run(f"DROP TABLE IF EXISTS {table}")


_KEPT: Final = (LISTED, BIN, BINS, _STEPS)

"""What the dashboard counts, summed over the games of a team: one team size, one variant, the same players.

In: a connection, and `Count`s. Out: queries with a row for each team and number, either from the rows of the
games or from sums that were kept of them (`TeamSums`, `hanalyze.store.sums`); what is made of them
(`hanalyze.report.dashboard.cube`) is the same. Teams are the finest that any cell of the dashboard is made
of; where people or agents play together often, there are far fewer of them than games.

Values are counted in units of 1 / `UNIT`, as whole numbers: their sums, squares and products are exact, so
that no digit depends on the order or the parts in which games are added up. Counts are exact anyway; a real
number, such as the cards per clue of a game, is rounded to the nearest unit, a millionth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, Protocol

from hanalyze.lazy import duckdb
from hanalyze.report.dashboard.counts import Count, counts, query
from hanalyze.report.page import render, source
from hanalyze.store.definitions import definitions
from hanalyze.store.schema import quoted

UNIT: Final = 1 << 20
"""Parts of 1 in which values are counted."""
LISTED: Final = {"costliest": 8, "best": 3, "worst": 3}
"""Rows of a list. Each cell keeps so many, so that any union of cells has its own first ones."""
BIN: Final = 0.05
"""Width of the steps in which cards per clue are counted."""
BINS: Final = 80
_STEPS: Final = (2, 5)
"""Of the turns of curves that may be asked for, each is a multiple of one of these."""

_EXACT: Final = f"exact(v) AS round(v::DOUBLE * {UNIT})::BIGINT"


class Teams(Protocol):
    """Where sums by team come from.

    `variants` and `players` are queries for their names, the most frequent first.
    """

    variants: str
    players: str

    def make(self, connection: duckdb.DuckDBPyConnection, *, variants: int, players: int) -> None:
        """Make the table `teams`: number, size, variant, party, games.

        The tables `known_variant` and `known_player` have the names that are told apart, with their numbers;
        `variants` and `players` are the numbers of the others. `team_of` has the team of each game that may
        be listed.
        """

    def sums(
        self, connection: duckdb.DuckDBPyConnection, name: str, one: Count
    ) -> AbstractContextManager[tuple[str, str]]:
        """Give the query for what was found, and that for of how much; "" and one for both, if it is one."""

    def curve(self, step: int) -> str:
        """Return the query for the curve: team, short, series, turn, bin, games."""


def _teams(name: str, **values: Any) -> str:
    return render(f"dashboard/sql/teams/{name}.sql", **values)


@contextmanager
def _counted(connection: duckdb.DuckDBPyConnection, one: Count) -> Iterator[tuple[str, str]]:
    """Give the queries that count games by team; `team_of`, `shares` say what is a team."""
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {_EXACT}")
    if not one.found:
        yield "", _teams("both", of=one.of, seated=one.seated)
        return
    connection.execute(f"CREATE OR REPLACE TEMP TABLE of_game AS {one.denominators}")
    try:
        yield _teams("found", found=one.found), _teams("of")
    finally:
        connection.execute("DROP TABLE of_game")


def _curve(turns: str) -> str:
    return _teams("curve", query=query("curve"), turns=turns, bin=BIN, bins=BINS)


class TeamsOfGames:
    """Sums by team, counted from the games."""

    variants = "SELECT variant FROM games GROUP BY ALL ORDER BY count(*) DESC, variant"
    players = "SELECT player FROM seats WHERE player IS NOT NULL GROUP BY ALL ORDER BY count(*) DESC, player"

    def make(self, connection: duckdb.DuckDBPyConnection, *, variants: int, players: int) -> None:
        """Make the tables of teams."""
        connection.execute(_teams("known", variants=variants, players=players))

    @contextmanager
    def sums(self, connection: duckdb.DuckDBPyConnection, name: str, one: Count) -> Iterator[tuple[str, str]]:
        """Give the queries for a number."""
        with _counted(connection, one) as queries:
            yield queries

    def curve(self, step: int) -> str:
        """Return the query for the curve."""
        return _curve(f"(t.turn + 1) % {step} = 0")


class TeamsOfSums:
    """Sums by team, collected from those that were kept of all parts."""

    variants = "SELECT variant FROM sums.teams GROUP BY ALL ORDER BY sum(games) DESC, variant"
    players = (
        "SELECT player FROM (SELECT unnest(party) AS player, games FROM sums.teams)"
        " GROUP BY ALL ORDER BY sum(games) DESC, player"
    )

    def make(self, connection: duckdb.DuckDBPyConnection, *, variants: int, players: int) -> None:
        """Make the tables of teams."""
        connection.execute(_teams("collected", variants=variants, players=players))

    @contextmanager
    def sums(self, connection: duckdb.DuckDBPyConnection, name: str, one: Count) -> Iterator[tuple[str, str]]:
        """Give the queries for a number."""
        if one.found:
            found = _collected("team_found", name, "panel, label", _FOUND)
            yield found, _collected("team_of", name, "of", _OF)
        elif one.seated:
            yield "", _collected("team_shares", name, "share, of", _OF + _FOUND)
        else:
            yield "", _collected("team_both", name, "of", _OF + _FOUND)

    def curve(self, step: int) -> str:
        """Return the query for the curve."""
        return (
            "SELECT n.team, short, series, turn, bin, sum(c.games)::BIGINT AS games FROM sums.team_curve c"
            " JOIN named_teams n ON n.part = c.part AND n.named = c.team"
            f" WHERE c.turn % {step} = 0 GROUP BY ALL"
        )


_FOUND: Final = ("x", "xx", "xy")
_OF: Final = ("n", "y", "yy")


def _collected(table: str, name: str, keys: str, columns: tuple[str, ...]) -> str:
    """Return the query that adds up the sums of a number over parts, and over players that share a cell."""
    types = {1: "BIGINT", 2: "DECIMAL(38, 0)"}
    added = ", ".join(f"sum(s.{column})::{types[len(column)]} AS {column}" for column in columns)
    join = "JOIN named_teams n ON n.part = s.part AND n.named = s.team"
    if table == "team_shares":
        keys = keys.replace("share", "h.player AS share")
        join += " JOIN named_shares h ON h.part = s.part AND h.named = s.team AND h.share = s.share"
    those = f"FROM sums.{table} s {join} WHERE s.name = {quoted(name)}"
    return f"SELECT n.team, {keys}, {added} {those} GROUP BY ALL"


class TeamSums:
    """Sums by team, to be kept: of all players by name, for which of them have cells is known later."""

    name: Final = "teams"

    @property
    def version(self) -> str:
        """The queries, as text."""
        names = ("found", "of", "both", "curve", "listed", "named")
        counted = (f"{name}\n{one.seated}\n{one.query}" for name, one in counts(definitions()).items())
        listed = (query(name) for name in ("curve", *LISTED))
        return "\n".join(
            [
                *(source(f"dashboard/sql/teams/{name}.sql") for name in names),
                *counted,
                *listed,
                _EXACT,
                repr(_KEPT),
            ]
        )

    @contextmanager
    def queries(self, connection: duckdb.DuckDBPyConnection) -> Iterator[Mapping[str, str]]:
        """Give by table the query for its rows."""
        run = connection.execute
        run(_teams("named"))
        made: set[str] = set()

        def keep(table: str, query: str) -> None:
            begin = f"INSERT INTO _{table}" if table in made else f"CREATE OR REPLACE TEMP TABLE _{table} AS"
            run(f"{begin} {query}")
            made.add(table)

        try:
            # One by one: what a query holds goes before the next.
            for name, one in counts(definitions()).items():
                with _counted(connection, one) as (found, of):
                    named = f"SELECT {quoted(name)} AS name, * FROM"
                    if found:
                        keep("team_found", f"{named} ({found})")
                    table = "team_of" if found else "team_shares" if one.seated else "team_both"
                    keep(table, f"{named} ({of})")
            for name, most in LISTED.items():
                of_turns = name == "costliest"
                rows = _teams("listed", query=query(name), most=most, of_turns=of_turns)
                keep("team_turns" if of_turns else "team_games", rows)
            keep("team_curve", _curve(" OR ".join(f"(t.turn + 1) % {step} = 0" for step in _STEPS)))
            teams = "SELECT team, size, variant, party, games FROM teams"
            yield {"teams": teams, **{table: f"FROM _{table}" for table in sorted(made)}}
        finally:
            for table in (*(f"_{table}" for table in made), "shares", "teams", "team_of"):
                run(f"DROP TABLE IF EXISTS {table}")


_KEPT: Final = (LISTED, BIN, BINS, _STEPS)

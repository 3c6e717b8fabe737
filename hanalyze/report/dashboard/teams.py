"""Sums of the dashboard's counts by team and by member, from games or from stored sums (`TeamSums`).

A team is a group of players at one team size and variant; its sums are over the team's games. A member is a
player at one team size and variant; its sums are over the player's games and count only that player's
decisions. Values are integers in units of 1 / `UNIT`, so that sums do not depend on the order of the games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from hanalyze.lazy import duckdb
from hanalyze.report.dashboard.counts import Count, counts, query
from hanalyze.report.page import render, source
from hanalyze.store.definitions import definitions
from hanalyze.store.schema import quoted

UNIT: Final = 1 << 20
"""Number of units per 1 in stored values."""
LISTED: Final = {"costliest": 8, "best": 3, "worst": 3}
"""Number of rows per list; each cell stores this many rows, which suffice for any union of cells."""
BIN: Final = 0.05
"""Width of a bin, in cards per clue."""
BINS: Final = 80
_STEPS: Final = (2, 5)
"""Steps between stored turns of a curve; each stored turn is a multiple of one of them."""

_EXACT: Final = f"exact(v) AS round(v::DOUBLE * {UNIT})::BIGINT"


class CountQueries(NamedTuple):
    """Queries for the sums of a count.

    `found` and `of` return rows by team; `found` is empty if `of` returns both sums. For decisions,
    `own_found` and `own_of` return the same sums by member.
    """

    found: str
    of: str
    own_found: str = ""
    own_of: str = ""


def _teams(name: str, **values: Any) -> str:
    return render(f"dashboard/sql/teams/{name}.sql", **values)


@dataclass(frozen=True)
class _Level:
    """Level of sums: teams (over their games) or members (over a player's seats in games)."""

    name: str
    key: str
    of_game: str
    of_seat: str

    def rows(self, query: str, columns: str, values: Sequence[str], by_seat: bool) -> str:
        """Return the query for the values of each game, or of each player in a game."""
        joined = self.of_seat if by_seat else self.of_game
        sums = ", ".join(f"sum({value})::BIGINT AS {value}" for value in values)
        return f"SELECT {self.name}, {self.key}, {columns}, {sums} FROM {query} JOIN {joined} GROUP BY ALL"


_TEAM: Final = _Level("team", "game_id", "team_of USING (game_id)", "team_of USING (game_id)")
_MEMBER: Final = _Level(
    "member",
    "game_id, first_seat",
    "(SELECT DISTINCT game_id, first_seat, member FROM member_of) USING (game_id)",
    "member_of USING (game_id, seat)",
)


@contextmanager
def _counted(connection: duckdb.DuckDBPyConnection, one: Count) -> Iterator[CountQueries]:
    """Yield the queries that count games, with teams and members from `team_of` and `member_of`."""
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {_EXACT}")
    made: list[str] = []

    def keep(table: str, query: str, *values: str) -> None:
        exact = ", ".join(f"exact({value}) AS {value}" for value in values)
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT * REPLACE ({exact}) FROM ({query})"
        )
        made.append(table)

    def both(level: _Level, table: str, by_seat: bool) -> str:
        rows = level.rows(table, "of", ("y", "x"), by_seat)
        return _teams("both", level=level.name, rows=rows)

    try:
        if not one.found:
            keep("of_rows", one.of, "y", "x")
            own = "of_rows"
            if one.own:
                keep(own := "own_rows", one.own, "y", "x")
            of = both(_TEAM, "of_rows", one.by_seat)
            yield CountQueries("", of, "", both(_MEMBER, own, True) if one.of_decisions else "")
            return
        keep("found_rows", one.found, "x")
        keep("of_rows", one.denominators, "y")
        described = connection.execute("FROM of_rows LIMIT 0").description or ()
        of_seats = any(column == "seat" for column, *_ in described)
        queries = []
        for level in (_TEAM, _MEMBER) if one.by_seat else (_TEAM,):
            found = level.rows("found_rows", "panel, label, of", ("x",), one.by_seat)
            of = level.rows("of_rows", "of", ("y",), of_seats)
            queries.append(_teams("found", level=level.name, key=level.key, found=found, of=of))
            queries.append(_teams("of", level=level.name, of=of))
        yield CountQueries(*queries)
    finally:
        for table in made:
            connection.execute(f"DROP TABLE {table}")


def _curve(turns: str) -> str:
    return _teams("curve", query=query("curve"), turns=turns, bin=BIN, bins=BINS)


class TeamsOfGames:
    """Sums by team, computed from the games.

    `variants` and `players` are queries for the names of variants and players, the most frequent first.
    """

    variants = "SELECT variant FROM games GROUP BY ALL ORDER BY count(*) DESC, variant"
    players = "SELECT player FROM seats WHERE player IS NOT NULL GROUP BY ALL ORDER BY count(*) DESC, player"

    def make(self, connection: duckdb.DuckDBPyConnection, *, variants: int, players: int) -> None:
        """Create the tables `teams` and `members`.

        `teams` has the columns team, size, variant, party and games; `members` has member, size, variant and
        player. The tables `known_variant` and `known_player` have the names with separate cells, and their
        numbers; all other names get the number `variants` or `players`. `team_of` has the team of each game
        that may be listed, and `member_of` has the members in the seats of these games.
        """
        connection.execute(_teams("known", variants=variants, players=players))

    def sums(
        self, connection: duckdb.DuckDBPyConnection, name: str, one: Count
    ) -> AbstractContextManager[CountQueries]:
        """Return a context manager with the queries for the sums of a count."""
        return _counted(connection, one)

    def curve(self, step: int) -> str:
        """Return the query for the curve: team, short, series, turn, bin, games."""
        return _curve(f"(t.turn + 1) % {step} = 0")


class TeamsOfSums:
    """Sums by team, added up from the stored sums of all parts of the database."""

    variants = "SELECT variant FROM sums.teams GROUP BY ALL ORDER BY sum(games) DESC, variant"
    players = (
        "SELECT player FROM (SELECT unnest(party) AS player, games FROM sums.teams)"
        " GROUP BY ALL ORDER BY sum(games) DESC, player"
    )

    def make(self, connection: duckdb.DuckDBPyConnection, *, variants: int, players: int) -> None:
        """Create the tables of `TeamsOfGames.make` from the stored sums."""
        connection.execute(_teams("collected", variants=variants, players=players))

    @contextmanager
    def sums(self, connection: duckdb.DuckDBPyConnection, name: str, one: Count) -> Iterator[CountQueries]:
        """Yield the queries for the sums of a count."""

        def collected(kind: str) -> str:
            return _collected(kind, name, *_COLLECTED[kind.partition("_")[2]])

        if one.found:
            own = (collected("member_found"), collected("member_of")) if one.of_decisions else ()
            yield CountQueries(collected("team_found"), collected("team_of"), *own)
        else:
            own_of = collected("member_both") if one.of_decisions else ""
            yield CountQueries("", collected("team_both"), "", own_of)

    def curve(self, step: int) -> str:
        """Return the query for the curve, with the columns of `TeamsOfGames.curve`."""
        return (
            "SELECT n.team, short, series, turn, bin, sum(c.games)::BIGINT AS games FROM sums.team_curve c"
            " JOIN named_teams n ON n.part = c.part AND n.named = c.team"
            f" WHERE c.turn % {step} = 0 GROUP BY ALL"
        )


_FOUND: Final = ("x", "xx", "xy")
_OF: Final = ("n", "y", "yy")
_COLLECTED: Final = {"found": ("panel, label", _FOUND), "of": ("of", _OF), "both": ("of", _OF + _FOUND)}
"""Keys and sums of the stored tables, by the ending of the table's name."""


def _collected(table: str, name: str, keys: str, columns: tuple[str, ...]) -> str:
    """Return the query that adds up a count's sums over parts and over players that share a cell."""
    types = {1: "BIGINT", 2: "DECIMAL(38, 0)"}
    added = ", ".join(f"sum(s.{column})::{types[len(column)]} AS {column}" for column in columns)
    level = table.partition("_")[0]
    join = f"JOIN named_{level}s n ON n.part = s.part AND n.named = s.{level}"
    return (
        f"SELECT n.{level}, {keys}, {added} FROM sums.{table} s {join}"
        f" WHERE s.name = {quoted(name)} GROUP BY ALL"
    )


Teams: TypeAlias = TeamsOfGames | TeamsOfSums


class TeamSums:
    """Sums by team for storage; they keep all players' names, because cells are chosen later."""

    name: Final = "teams"

    @property
    def version(self) -> str:
        """Text of all queries, from which the version of the stored sums is derived."""
        names = ("found", "of", "both", "curve", "listed", "named")
        counted = (f"{name}\n{one.by_seat}\n{one.query}" for name, one in counts(definitions()).items())
        listed = (query(name) for name in ("curve", *LISTED))
        return "\n".join(
            [
                *(source(f"dashboard/sql/teams/{name}.sql") for name in names),
                *counted,
                *listed,
                _EXACT,
                repr((_TEAM, _MEMBER, *_KEPT)),
            ]
        )

    @contextmanager
    def queries(self, connection: duckdb.DuckDBPyConnection) -> Iterator[Mapping[str, str]]:
        """Yield the query for the rows of each table."""
        run = connection.execute
        run(_teams("named"))
        made: set[str] = set()

        def keep(table: str, query: str) -> None:
            begin = f"INSERT INTO _{table}" if table in made else f"CREATE OR REPLACE TEMP TABLE _{table} AS"
            run(f"{begin} {query}")
            made.add(table)

        try:
            # Run the queries one by one, so that the memory of each is freed before the next.
            for name, one in counts(definitions()).items():
                named = f"SELECT {quoted(name)} AS name, * FROM"
                with _counted(connection, one) as queries:
                    for level, found, of in (
                        (_TEAM, queries.found, queries.of),
                        (_MEMBER, queries.own_found, queries.own_of),
                    ):
                        if found:
                            keep(f"{level.name}_found", f"{named} ({found})")
                        if of:
                            keep(f"{level.name}_{'of' if found else 'both'}", f"{named} ({of})")
            for name, most in LISTED.items():
                of_turns = name == "costliest"
                for level in (_TEAM, _MEMBER) if of_turns else (_TEAM,):
                    rows = _teams(
                        "listed",
                        query=query(name),
                        most=most,
                        of_turns=of_turns,
                        level=level.name,
                        groups=level.of_seat,
                    )
                    keep(f"{level.name}_{'turns' if of_turns else 'games'}", rows)
            keep("team_curve", _curve(" OR ".join(f"(t.turn + 1) % {step} = 0" for step in _STEPS)))
            tables = {table: f"FROM _{table}" for table in sorted(made)}
            yield {"teams": "FROM teams", "members": "FROM members"} | tables
        finally:
            for table in (*(f"_{table}" for table in made), "members", "member_of", "teams", "team_of"):
                run(f"DROP TABLE IF EXISTS {table}")


_KEPT: Final = (LISTED, BIN, BINS, _STEPS)

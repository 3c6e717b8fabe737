"""Counts of the dashboard by lineup and seat, from turns or stored (`GameCounts`), and their sums by team.

A team is a group of players at one team size and variant; its sums are over the team's games. Each player is
also a team of its own, whose sums count only that player's decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any, Final

from hanalyze.lazy import Connection
from hanalyze.report.dashboard.counts import COSTLIEST, LISTED, Count, counts, query
from hanalyze.report.page import render, source
from hanalyze.store.definitions import definitions

UNIT: Final = 1 << 20
"""Fractions are added up in units of 1 / `UNIT`, so that the order of the games does not matter."""

_SEATS: Final = range(6)  # the most players of a game


def _teams(name: str, /, **values: Any) -> str:
    return render(f"dashboard/sql/teams/{name}.sql", **values)


@contextmanager
def _counted(connection: Connection, one: Count, own: bool) -> Iterator[str]:
    """Provide a table with the rows of a count, or of its query `own`; number its values in `measures`.

    The columns are measure, lineup, games, and x0 to x5 and y0 to y5 by seat, x and y without a seat.
    """
    name, table = _name(one, own), f"counted_rows{'_own' * own}"
    found_seat, of_seat = ("seat" if seats else "NULL" for seats in (one.by_seat, own or one.of_seats))
    of = one.own if own else one.of
    counted = _teams("counted", found=one.found, of=of, found_seat=found_seat, of_seat=of_seat)
    try:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE counted AS\n{counted}")
        connection.execute(_teams("measures", name=name))
        [(most,)] = connection.execute("SELECT coalesce(max(seat) + 1, 0) FROM seats").fetchall()
        rows = _teams("rows", name=name, seats=_SEATS, most_seats=most)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS\n{rows}")
        connection.execute("DROP TABLE counted")
        yield table
    finally:
        for done in ("counted", table):
            connection.execute(f"DROP TABLE IF EXISTS {done}")


def _name(one: Count, own: bool) -> str:
    return f"{one.name} by seat" if own else one.name


class Teams:
    """Sums by team, seen by a connection, over the rows of all games: stored, or counted from the turns."""

    def __init__(self, connection: Connection, *, stored: bool) -> None:
        self._connection, self.stored = connection, stored
        for name in ("stored" if stored else "begin", "seats"):
            connection.execute(_teams(name))
        self.costliest = query("costliest")
        if stored:
            place = f"row_number() OVER (ORDER BY {COSTLIEST}) AS place"
            self.costliest = f"SELECT * EXCLUDE (part), {place} FROM sums.costliest"

    def names(self, kind: str) -> list[str]:
        """Return the names of the variants or the players, the most frequent first; `kind` is the column."""
        names = "SELECT variant AS name, games FROM lineups"
        if kind == "player":
            names = "SELECT name, games FROM lineup_seats JOIN lineups USING (lineup)"
        query = f"SELECT name FROM ({names}) GROUP BY name ORDER BY sum(games) DESC, name"
        return [str(name) for (name,) in self._connection.execute(query).fetchall()]

    def make(self, *, variants: int, players: int) -> None:
        """Create the table `teams`: team, own (whether it is a player's own), size, variant, party, games.

        The tables `known_variant` and `known_player` number the names with separate cells; all other names
        get the number `variants` or `players`. `lineup_teams` contains the teams of each lineup; `seat_teams`
        contains the teams of each seat in it.
        """
        self._connection.execute(_teams("teams", variants=variants, players=players, seats=_SEATS))
        query = "SELECT coalesce(max(size), 0) FROM teams"
        [(self._most_seats,)] = self._connection.execute(query).fetchall()

    @contextmanager
    def sums(self, one: Count) -> Iterator[int]:
        """Provide the table `team_sums` of a count; return the unit of its values.

        Its columns are team, measure (a number in `measures`), n, x, xx, xy, y and yy.
        """
        unit, exact = (UNIT, f"round(({{}}) * {UNIT})::HUGEINT") if one.fractions else (1, "({})")
        x, y = (" + ".join(f"r.{letter}{seat}" for seat in ("", *_SEATS)) for letter in "xy")
        own_y = "r.y{}" if one.own or one.of_seats else "r.y"
        seats = range(self._most_seats) if one.of_decisions else ()
        with ExitStack() as stack:
            rows = stack.enter_context(self._rows(one))
            query = _teams(
                "sums",
                rows=rows,
                own_rows=stack.enter_context(self._rows(one, own=True)) if one.own else rows,
                exact=exact,
                x=x,
                y=y,
                own=[(seat, f"r.x{seat}", own_y.format(seat)) for seat in seats],
            )
            self._connection.execute(f"CREATE OR REPLACE TEMP TABLE team_sums AS\n{query}")
        try:
            yield unit
        finally:
            self._connection.execute("DROP TABLE team_sums")

    def _rows(self, one: Count, own: bool = False) -> AbstractContextManager[str]:
        if self.stored:
            return nullcontext(f"({_teams('stored_rows', name=_name(one, own))})")
        return _counted(self._connection, one, own)


class GameCounts:
    """The rows of all counts, and the costliest turns, for storage (a `Maker`)."""

    name: Final = "counts"

    @property
    def version(self) -> str:
        """The text of all queries; the version of the stored sums is derived from it."""
        counted = (f"{name}\n{one.by_seat}\n{one.query}" for name, one in counts(definitions()).items())
        stored = (source(f"dashboard/sql/teams/{name}.sql") for name in _STORED)
        return "\n".join([*stored, *counted, _costliest()])

    @contextmanager
    def queries(self, connection: Connection) -> Iterator[Mapping[str, str]]:
        """Provide the query for the rows of each table."""
        run = connection.execute
        run(_teams("begin"))
        run(_teams("seats"))
        kept = "CREATE OR REPLACE TEMP TABLE _counts AS"
        try:
            for one in counts(definitions()).values():
                for own in (False, True)[: 1 + bool(one.own)]:
                    with _counted(connection, one, own) as rows:
                        run(f"{kept} {_teams('kept', rows=rows)}")
                        kept = "INSERT INTO _counts"
            yield {
                "lineups": "FROM lineups",
                "lineup_games": "FROM lineup_games",
                "measures": "SELECT measure AS number, * EXCLUDE (measure) FROM measures",
                "counts": "FROM _counts",
                "costliest": _costliest(),
            }
        finally:
            for table in ("lineups", "lineup_games", "lineup_seats", "repeated_seats", "measures", "_counts"):
                run(f"DROP TABLE IF EXISTS {table}")


def _costliest() -> str:
    """Return the query for the turns that may be listed: the first of each seat in a lineup."""
    return (
        f"SELECT * EXCLUDE (lineup, place) FROM ({query('costliest')}) JOIN lineup_games USING (game_id)"
        f" QUALIFY row_number() OVER (PARTITION BY lineup, seat ORDER BY place) <= {LISTED['costliest']}"
    )


_STORED: Final = ("begin", "seats", "counted", "measures", "rows", "kept")

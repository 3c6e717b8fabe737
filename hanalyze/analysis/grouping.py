"""Groupings by player, team, date, turn and so on, with the SQL expressions of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.errors import UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.text import nearest

SCORES: Final = ("perfect", "90%+", "75-90%", "50-75%", "below 50%")
"""Bands of the final score as a share of the full score."""
PHASES: Final = ("early", "middle", "late")
NO_DATE: Final = "no date"
"""Group of the games whose log has no readable date."""
PLAYED_AT: Final = "coalesce(try_cast({0}.started AS TIMESTAMP), try_cast({0}.finished AS TIMESTAMP))"
"""SQL for the start time of a game in the table `{0}`, else its end time; null if neither is readable."""

SUITS_IN_NAME: Final = r" \(.*\)$"
"""Pattern of the part of a variant's name that the name of its family omits, for Python and SQL."""

_TURNS: Final = 10
"""Number of turns in each group of the grouping `turn`."""


class By(NamedTuple):
    """A grouping of rows of a table `d` with a column `game_id`; `name` is None for a single group.

    `expressions` are the SQL of the group columns; `joins` and `where` are the SQL clauses that they need.
    """

    name: str | None
    columns: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    joins: str = ""
    where: str = ""
    by_turn: bool = False
    """Whether decisions of a player within one game may belong to different groups."""
    by_seat: bool = False
    """Whether players of a game belong to different groups, unless they have the same name."""

    @property
    def whole(self) -> bool:
        """Whether each decision belongs to exactly one group."""
        return not self.where and "partner" not in self.columns

    @property
    def selected(self) -> str:
        """SQL that selects the group columns from `d`, each followed by a comma."""
        pairs = zip(self.columns, self.expressions, strict=True)
        return "".join(f'{expression} AS "{column}", ' for column, expression in pairs)

    @property
    def named(self) -> str:
        """SQL with the names of the group columns, each followed by a comma."""
        return "".join(f'"{column}", ' for column in self.columns)

    def combined(self, other: By) -> By:
        """Return the grouping by both: a group for each pair of groups.

        >>> DECISIONS["player"].combined(DECISIONS["month"]).columns
        ('player', 'month')
        """
        new = [number for number, column in enumerate(other.columns) if column not in self.columns]
        joins = self.joins if other.joins in self.joins else self.joins + other.joins
        if _SEATED in joins and _SEATED_PAIRS in joins:
            joins = joins.replace(_SEATED, "")
        if _PLAYERS in joins and _PAIRS in joins:
            joins = joins.replace(_PLAYERS, "")
        return By(
            f"{self.name},{other.name}",
            (*self.columns, *(other.columns[number] for number in new)),
            (*self.expressions, *(other.expressions[number] for number in new)),
            joins,
            self.where + (other.where.replace(" WHERE ", " AND ") if self.where else other.where),
            self.by_turn or other.by_turn,
            self.by_seat or other.by_seat,
        )


def one_column(name: str, expression: str, joins: str = "", **more: Any) -> By:
    """Return a grouping by one column with the same name; `more` are further fields of `By`."""
    return By(name, (name,), (expression,), joins, **more)


_SEATED: Final = " JOIN seats s ON s.game_id = d.game_id AND s.seat = d.seat"
_SEATED_PAIRS: Final = (
    " JOIN (SELECT DISTINCT s.game_id, s.seat, s.player, o.player AS partner FROM seats s"
    " JOIN seats o ON o.game_id = s.game_id AND o.seat <> s.seat) s"
    " ON s.game_id = d.game_id AND s.seat = d.seat"
)
# Two seats of a game may have the same name; the game counts once for this name.
_PLAYERS: Final = " JOIN (SELECT DISTINCT game_id, player FROM seats) s ON s.game_id = d.game_id"
_PAIRS: Final = (
    " JOIN (SELECT DISTINCT s.game_id, s.player, o.player AS partner FROM seats s"
    " JOIN seats o ON o.game_id = s.game_id AND o.seat <> s.seat) s ON s.game_id = d.game_id"
)
_SCORE: Final = one_column(
    "score",
    "CASE WHEN d.score >= d.full_score THEN 0 WHEN d.score >= 0.9 * d.full_score THEN 1"
    " WHEN d.score >= 0.75 * d.full_score THEN 2 WHEN d.score >= 0.5 * d.full_score THEN 3 ELSE 4 END",
)


def _dated(name: str, form: str) -> By:
    time = f"coalesce(strftime({PLAYED_AT.format('g')}, '{form}'), '{NO_DATE}')"
    alias = f"in_{name}"
    joins = f" JOIN (SELECT g.game_id, {time} AS played FROM games g) {alias} ON {alias}.game_id = d.game_id"
    return one_column(name, f"{alias}.played", joins)


NAME_IN_TEAM: Final = (
    "CASE WHEN contains(player, ',') OR starts_with(player, '\"')"
    " THEN to_json(player)::VARCHAR ELSE player END"
)
"""SQL for a player's name as a part of a team's name. A name with a comma, or with a quotation mark at
its start, is quoted, so that two teams never have the same text."""
_TEAM: Final = one_column(
    "team",
    "together.team",
    f" JOIN (SELECT game_id, string_agg({NAME_IN_TEAM}, ', ' ORDER BY player) AS team"
    " FROM seats GROUP BY game_id) together ON together.game_id = d.game_id",
)


def _neighbour(name: str, step: int) -> By:
    """Return the grouping by the player who acts before (`step` -1) or after the player of a decision."""
    joins = (
        f" JOIN seats acts_{name} ON acts_{name}.game_id = d.game_id"
        f" AND acts_{name}.seat = (d.seat + {step} + d.players) % d.players"
    )
    return one_column(name, f"acts_{name}.player", joins, by_seat=True)


_COMMON: Final = (
    By(None),
    *(one_column(name, f"d.{name}") for name in ("players", "variant", "edition")),
    _TEAM,
    _dated("date", "%Y-%m-%d"),
    _dated("month", "%Y-%m"),
    _dated("year", "%Y"),
    one_column("family", f"regexp_replace(d.variant, '{SUITS_IN_NAME}', '')"),
)
BY_GAME: Final = tuple(by.name for by in _COMMON if by.name is not None)
"""Names of the groupings, except `score`, in which a whole game belongs to one group."""

DECISIONS: Final = {
    by.name: by
    for by in (
        *_COMMON,
        one_column("player", "s.player", _SEATED, by_seat=True),
        By("partner", ("player", "partner"), ("s.player", "s.partner"), _SEATED_PAIRS, by_seat=True),
        one_column("seat", "d.seat", by_seat=True),
        one_column("turn", f"d.turn // {_TURNS}", by_turn=True),
        one_column("rank", "d.rank", where=" WHERE d.rank IS NOT NULL", by_turn=True),
        one_column("suit", "d.suit", where=" WHERE d.suit IS NOT NULL", by_turn=True),
        one_column("phase", "d.phase", by_turn=True),
        _SCORE,
        _neighbour("before", -1),
        _neighbour("after", 1),
    )
}
"""Groupings of rows that have a seat and a turn; `rank` and `suit` leave out rows without a card."""

_PLAYER: Final = one_column("player", "s.player", _PLAYERS)
_PARTNER: Final = By("partner", ("player", "partner"), ("s.player", "s.partner"), _PAIRS)
GAMES: Final = {by.name: by for by in (*_COMMON, _PLAYER, _PARTNER, _SCORE)}
"""Groupings of games; by player or partner, a game counts for each player or pair of players."""


Groups = str | Sequence[str] | None
"""Values of `by`: the name of a grouping, two in a list or joined by a comma, or None."""


def joined_names(by: Groups) -> str | None:
    """Return the names of groupings joined by commas; None without groupings.

    >>> joined_names(["player", "phase"]), joined_names([])
    ('player,phase', None)
    """
    if isinstance(by, Sequence) and not isinstance(by, str):
        return ",".join(map(str, by)) or None
    return None if by is None else str(by)


def by_name(name: Groups, known: dict[str | None, By], allowed: Sequence[str], *, two: bool = False) -> By:
    """Return an allowed grouping by its name; None (no groups) is always allowed.

    With `two`, a name may also be two groupings, such as "player,phase". Raises `UnknownName`.
    """
    name = joined_names(name)
    if name is None or name in allowed:
        return known[name]
    first, *others = name.split(",")
    if two and len(others) == 1:
        plain = [other for other in allowed if other in known]
        return by_name(first.strip(), known, plain).combined(by_name(others[0].strip(), known, plain))
    names = ", ".join(allowed)
    if not allowed:
        raise UnknownName("grouping", name, advice="leave it out: this table has no groupings")
    if others:
        raise UnknownName("grouping", name, advice=f"give {'one or two' if two else 'only one'} of: {names}")
    raise UnknownName("grouping", name, nearest(first, allowed, 1), advice=f"one of: {names}")


def number_groups(frame: pl.DataFrame, by: By) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """Return the sorted groups of a frame with their numbers as `_group`, and each row's group number."""
    columns = list(by.columns)
    if not columns:
        return pl.DataFrame({"_group": [0]}, {"_group": pl.Int64}), np.zeros(frame.height, np.int64)
    order = [pl.col(name).cast(pl.Enum(PHASES)) if name == "phase" else pl.col(name) for name in columns]
    groups = frame.select(columns).unique().sort(order)
    groups = groups.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias("_group"))
    numbers = frame.select(columns).join(
        groups, on=columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return groups.select("_group", *map(_shown, columns)), numbers["_group"].to_numpy()


def _shown(name: str) -> pl.Expr:
    """Return the displayed values of a column that a query returns as numbers or plain text."""
    column = pl.col(name)
    if name == "phase":
        return column.cast(pl.Enum(PHASES))
    if name == "score":
        return column.replace_strict(list(range(len(SCORES))), SCORES, return_dtype=pl.Enum(SCORES))
    if name == "turn":
        first = column.cast(pl.Int64) * _TURNS
        return pl.format("{}-{}", first, first + _TURNS - 1).alias(name)
    return column

"""Filters of games, and their translation to SQL conditions.

A filter such as `player=Alice, players=3 and score>=20`, or a list of game keys, becomes an SQL condition on
a row `g` of `games` with bound values. No text of the filter enters the query.

    filter     = condition {("," | "and") condition}
    condition  = column operator value {"|" value}       any of several values
    operator   = "=" | "!=" | "<" | "<=" | ">" | ">="    text and truth values have = and != only
    value      = words without , and |, or text in "double" or 'single' quotes (doubled inside the text)

A column is one of the table `games`, or `player` (the name of any player at the table), or `convention` (a
convention found in the game by `Database.read_conventions`). A null satisfies only `!=`.

A filter is not SQL, because it may come from untrusted users. For other conditions, select the keys with SQL:
`a=db.sql("SELECT game_id FROM games WHERE ...")["game_id"]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, TypeAlias

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.tables.column import Column
from hanalyze.tables.store import TABLES
from hanalyze.text import nearest, shorten
from hanalyze.words import named_convention

Where: TypeAlias = "str | Iterable[int] | pl.Series | None"
"""A filter, the keys of games, or None for all games."""

FIELDS: Final = ("player", "convention", *(column.name for column in TABLES["games"]))

_NAMED: Final = ("player", *(one.name for one in TABLES["games"] if one.type == "str" and not one.words))
_COLUMNS: Final = {column.name: column for column in TABLES["games"]}
_VALUE: Final = r"""(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s,|"'<>=!](?:[^,|])*?)"""
_CONDITION: Final = re.compile(
    rf"\s*(?P<name>\w+)\s*(?P<operator><=|>=|!=|=|<|>)\s*(?P<values>{_VALUE}(?:\s*\|\s*{_VALUE})*)"
    r"\s*(?P<end>,|(?<=\s)and(?=\s)|$)",
    re.IGNORECASE,
)
_ONE: Final = re.compile(rf"\s*({_VALUE})\s*(?:\||$)")
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Condition(NamedTuple):
    """A condition on a row `g` of `games`, and the values of its parameters.

    `names` are pairs of a column (`player`, or a text column of `games`) and a name that at least one game
    should have. `conventions` are the conventions in the condition; they need games that were read for
    conventions.
    """

    sql: str
    values: dict[str, Any]
    names: tuple[tuple[str, str], ...] = ()
    conventions: tuple[str, ...] = ()


def condition(where: Where) -> Condition:
    """Return the condition of a filter or of a list of game keys; None chooses all games.

    Raises `UnknownName` for an unknown column or value, and `HanalyzeError` (rule `bad_filter`) for text that
    is not a filter.

    >>> three = condition('players=3 and variant!="No Variant"')
    >>> three.sql
    'g."players" IN ($f0_0) AND NOT coalesce(g."variant" IN ($f1_0), false)'
    >>> three.values
    {'f0_0': 3, 'f1_0': 'No Variant'}
    """
    if where is None:
        return Condition("true", {})
    if not isinstance(where, str):
        keys = [int(key) for key in where]
        return Condition("g.game_id IN (SELECT unnest($keys::BIGINT[]))", {"keys": keys})
    terms: list[str] = []
    values: dict[str, Any] = {}
    names: list[tuple[str, str]] = []
    conventions: list[str] = []
    at = 0
    while True:
        match = _CONDITION.match(where, at)
        if match is None:
            raise _broken(where[at:] or where)
        sql, bound = _term(match["name"], match["operator"], match["values"], len(terms))
        terms.append(sql)
        values.update(bound)
        field = match["name"].lower()
        if field == "convention":
            conventions += [name for name in bound.values() if name not in conventions]
        if field in _NAMED:
            names += [(field, name) for name in bound.values()]
        at = match.end()
        if not match["end"]:
            return Condition(" AND ".join(terms), values, tuple(names), tuple(conventions))


_STEPS: Final = {
    "convention_games": ("not_read", "read for conventions", "hanalyze conventions DB", "read_conventions()"),
    "solved_games": ("not_solved", "solved", "hanalyze solve DB", "solve()"),
}
"""For each table: the rule of its error, the missing step, and the command and method that run this step."""


def check_filled(db: Database, table: str) -> None:
    """Raise `HanalyzeError` (rules `no_game`, `not_read`, `not_solved`) if a table of `_STEPS` is empty."""
    if not db.count("games"):
        raise HanalyzeError("the database has no games", rule="no_game", file=db.file)
    if not db.count(table):
        rule, step, command, call = _STEPS[table]
        advice = f"run `{command}`, or call {call}"
        raise HanalyzeError(f"the games were not {step}", rule=rule, file=db.file, advice=advice)


def _broken(rest: str, why: str = "not a filter") -> HanalyzeError:
    advice = 'write it like player=Alice, players=3, variant="No Variant" or score>=20'
    return HanalyzeError(f'{why}: "{shorten(rest.strip())}"', rule="bad_filter", advice=advice)


def _term(name: str, operator: str, text: str, number: int) -> tuple[str, dict[str, Any]]:
    field = name.lower()
    if field not in FIELDS:
        advice = "use player, convention, or a column of games"
        raise UnknownName("column of games", name, nearest(field, FIELDS), advice=advice)
    column = _COLUMNS.get(field)
    values = [_value(column, field, one) for one in _ONE.findall(text)]
    if operator in ("=", "!="):
        bound = {f"f{number}_{i}": value for i, value in enumerate(values)}
        listed = ", ".join(f"${key}" for key in bound)
        if field == "convention":
            bound = {key: named_convention(str(value)).label for key, value in bound.items()}
            sql = (
                "EXISTS (SELECT 1 FROM conventions c WHERE c.game_id = g.game_id"
                f" AND c.convention::VARCHAR IN ({listed}))"
            )
        elif column is None:
            sql = f"EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.game_id AND s.player IN ({listed}))"
        else:
            sql = f"{_shown(column)} IN ({listed})"
        return (sql if operator == "=" else f"NOT coalesce({sql}, false)"), bound
    if column is None or column.words or column.type in ("str", "bool"):
        raise _broken(f"{name}{operator}{text}", f"{field} has no order; use = or !=")
    if len(values) > 1:
        raise _broken(f"{name}{operator}{text}", f"{operator} takes one value")
    return f"{_shown(column)} {operator} $f{number}_0", {f"f{number}_0": values[0]}


def _shown(column: Column) -> str:
    return f'g."{column.name}"' + ("::VARCHAR" if column.words else "")


def _value(column: Column | None, field: str, text: str) -> Any:
    """Return the value of a column from its text. Raises the errors of `condition`."""
    quote = text[0] if text[0] in "\"'" else ""
    plain = text[1:-1].replace(quote * 2, quote) if quote else text
    if column is None or column.type == "str":
        return plain
    if column.words:
        if plain not in column.words:
            near = nearest(plain, column.words, 1)
            raise UnknownName(field, plain, near, advice="one of: " + ", ".join(column.words))
        return plain
    if column.type == "bool":
        if plain.lower() not in _TRUTH:
            raise _broken(f"{field}={text}", f"{field} must be true or false")
        return _TRUTH[plain.lower()]
    if _NUMBER.fullmatch(plain) is None:
        raise _broken(f"{field}={text}", f"{field} must be a number")
    return int(plain) if "." not in plain else float(plain)

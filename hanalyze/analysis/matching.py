"""Two groups of games, and their exact matching into weighted strata of similar games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, NamedTuple

from hanalyze.analysis.filters import Condition, Where, check_filled, condition
from hanalyze.analysis.queries import sql_text
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.listings import check_name
from hanalyze.text import nearest

MATCH: Final = {
    "players": "the number of players",
    "variant": "the variant, the edition and the options that change the rules",
    "difficulty": "identical deals, then deals of similar difficulty: how late playable cards are drawn",
    "deal": "identical deals only",
}

_IN_A_BAND: Final = 10
"""Minimum number of games in a band of difficulty; in smaller bands many games would lack a counterpart."""

RULES: Final = (
    *("variant", "edition", "speedrun", "card_cycle", "deck_plays", "empty_clues"),
    *("one_extra_card", "one_less_card", "all_or_nothing"),
)
"""The columns of `games` with the rules of a game."""

_COLUMNS: Final = {"players": ("players",), "variant": RULES}
"""The columns of `games` that a word of `MATCH` stands for."""


def games_query(condition: str) -> str:
    """Return the query for the games that satisfy a condition on `g`, with the columns used for matching.

    The columns are `game_id`, `players`, the rules (variant, edition and options), `deck` (a hash of the
    cards in order, the starting seat and the team size) and `late` (see `sql/deals.sql`). Each game with a
    partly unknown deck counts as a separate deal, and its `late` is null.
    """
    return sql_text("deals").format(condition=condition, rules=", ".join(f"g.{name}" for name in RULES))


class Groups(NamedTuple):
    """Two groups of games with the columns of `games_query`.

    Games in both groups are left out; `common` is their number. `conventions` are the conventions in the
    filters.
    """

    games: tuple[pl.DataFrame, pl.DataFrame]
    common: int
    conventions: tuple[str, ...]


def choose_games(db: Database, chosen: Condition) -> pl.DataFrame:
    """Return the games that satisfy a condition. Raises `HanalyzeError` (rules `no_game`, `not_read`)."""
    if chosen.conventions:
        check_filled(db, "convention_games")
    return db.sql(games_query(chosen.sql), chosen.values or None)


def choose_groups(
    databases: tuple[Database, Database], filters: tuple[Where, Where], names: tuple[str, str]
) -> Groups:
    """Return two groups of games, from two databases or from two filters on one database.

    If only one of two filters on one database is None, its group has all games outside the other group.
    Raises `HanalyzeError` (rules `bad_filter`, `no_game`, `no_games`, `not_read`), and `UnknownName` for a
    name that is not in any game.
    """
    conditions = [condition(where) for where in filters]
    games = [choose_games(db, one) for db, one in zip(databases, conditions, strict=True)]
    a, b = filters
    if databases[0] is databases[1] and (a is None) != (b is None):
        of, rest = (0, 1) if b is None else (1, 0)
        games[rest] = games[rest].join(games[of], on="game_id", how="anti")
    for db, one, mine, name in zip(databases, conditions, games, names, strict=True):
        advice = "loosen its filter; `hanalyze info` describes the games of the database"
        if one.sql == "true":
            advice = "all games are in the other group"
        try:
            check_names(db, one)
        except UnknownName as error:
            if mine.height:
                raise
            advice = str(error)
        if not mine.height:
            raise HanalyzeError(f"there are no games in group {name}", rule="no_games", advice=advice)
    common = games[0].join(games[1], on="game_id", how="semi")
    first, second = (mine.join(common, on="game_id", how="anti") for mine in games)
    conventions = tuple(dict.fromkeys(name for condition in conditions for name in condition.conventions))
    return Groups((first, second), common.height, conventions)


def check_names(db: Database, chosen: Condition) -> None:
    """Raise `UnknownName` if a name of a condition is not in any game."""
    for column, name in chosen.names:
        check_name(db.connection, column, name)


def group_names(databases: tuple[Database, Database], filters: tuple[Where, Where]) -> tuple[str, str]:
    """Return the groups' names: their filters ("the others" for None), else their files, else a and b."""
    same = databases[0] is databases[1]
    # Filters that are keys of games are compared by identity, not by element.
    apart = filters[0] is not filters[1] and (not isinstance(filters[0], str) or filters[0] != filters[1])

    def name(db: Database, where: Where, letter: str) -> str:
        if where is None and same and apart:
            return "the others"
        if isinstance(where, str) and (same or apart):
            return where.strip()
        return os.path.basename(db.file) if not same and db.file else letter

    a, b = name(databases[0], filters[0], "a"), name(databases[1], filters[1], "b")
    return (a, b) if a != b else ("a", "b")


def match_words(match: str | Sequence[str]) -> tuple[str, ...]:
    """Return the properties to match by, in the order of `MATCH`. Raises `UnknownName`.

    >>> match_words(["difficulty", "players"])
    ('players', 'difficulty')
    >>> match_words("deal")
    ('deal',)
    """
    match = [match] if isinstance(match, str) else match
    for word in match:
        if word not in MATCH:
            raise UnknownName("matching", word, nearest(word, MATCH, 1), advice="one of: " + ", ".join(MATCH))
    return tuple(word for word in MATCH if word in match)


def default_match(games: pl.DataFrame) -> tuple[str, ...]:
    """Return the properties to match by if none are given, for two groups of games as in `match_games`.

    They are players, variant and difficulty, except properties in which no game of one group agrees with any
    game of the other, such as the team size of groups that were chosen by team size.
    """
    fixed = {
        word
        for word, columns in _COLUMNS.items()
        if games.select(columns).n_unique() == games.select("group", *columns).n_unique()
    }
    return tuple(word for word in ("players", "variant", "difficulty") if word not in fixed)


class Matching(NamedTuple):
    """The games that have a counterpart in the other group.

    `games` has the columns `group` (0 or 1), `game_id`, `stratum` (from 0, in order), `deal` (the same number
    for games of the same deal) and `weight`, with the same sum in both groups of a stratum. `paired` has a
    value for each stratum: whether it is a single deal. `lone` is the number of strata that were left out
    because one group has no game in them.
    """

    games: pl.DataFrame
    paired: pl.Series
    lone: int


def match_games(games: pl.DataFrame, match: Sequence[str], bands: int = 3) -> Matching:
    """Return the strata of two groups of games (exact matching: Stuart 2010).

    `games` has the columns of `games_query` and `group`, 0 or 1. Games are in the same stratum if they agree
    in all properties `match` (words of `MATCH`). With difficulty or deal, each deal that both groups played
    is a separate stratum. With difficulty, all other games form bands by the lateness of their deal (Iacus,
    King & Porro 2012), for each team size and variant: up to `bands` bands of equal size with at least ten
    games each, and another band for unknown deals.

    A stratum with m games of one group and n games of the other group has the weight m n / (m + n), in
    proportion to the precision of its estimate (Mantel & Haenszel 1959). Raises `HanalyzeError` (rule
    `bad_number`) for `bands` below 1.
    """
    if bands < 1:
        raise HanalyzeError(f"{bands} bands of difficulty", rule="bad_number", advice="give 3, for example")
    keys: list[str] = []
    for word in match:
        keys += _COLUMNS.get(word, ())
    frame = games.sort("group", "game_id").with_columns(pl.lit(0).alias("_all"))
    both = pl.col("deck").is_not_null() & (pl.col("group").n_unique().over([*keys, "deck"]) == 2)
    by_deal = "deal" in match or "difficulty" in match
    frame = frame.with_columns((both if by_deal else pl.lit(False)).alias("paired"))
    deck = pl.when(pl.col("paired") | pl.lit("deal" in match)).then(pl.col("deck"))
    band = pl.lit(None, pl.Int64)
    if "difficulty" in match and "deal" not in match:
        place = pl.col("late").rank("average").over("players", "variant", "paired") - 0.5
        among = pl.col("late").count().over("players", "variant", "paired")
        band = (place / among * (among // _IN_A_BAND).clip(1, bands)).floor().cast(pl.Int64)
        band = pl.when(~pl.col("paired")).then(band)
    frame = frame.with_columns(deck.alias("_deck"), band.alias("_band"))
    by = [*keys, "paired", "_deck", "_band", "_all"]
    numbers = frame.select(by).unique(maintain_order=True).with_row_index("stratum")
    frame = frame.join(numbers, on=by, nulls_equal=True, maintain_order="left").with_columns(
        *((pl.col("group") == side).sum().over("stratum").alias(f"n{side}") for side in (0, 1)),
        deal=pl.coalesce("deck", pl.col("game_id").cast(pl.UInt64)),
    )
    strata = frame["stratum"].n_unique()
    matched = frame.filter((pl.col("n0") > 0) & (pl.col("n1") > 0))
    mine = pl.when(pl.col("group") == 0).then("n0").otherwise("n1")
    weight = pl.col("n0") * pl.col("n1") / (pl.col("n0") + pl.col("n1")) / mine
    matched = matched.with_columns(pl.col("stratum").rank("dense").cast(pl.Int64) - 1, weight.alias("weight"))
    matched = matched.sort("stratum", "group", "game_id")
    paired = matched.group_by("stratum", maintain_order=True).agg(pl.col("paired").first())["paired"]
    matched = matched.select("group", "game_id", "stratum", "deal", "weight")
    return Matching(matched, paired, strata - len(paired))

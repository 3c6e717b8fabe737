"""Two groups of games, and their exact matching into weighted strata of alike games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from hanalyze.analysis.filters import Condition, Where, check_filled, condition
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.rules import EndCondition
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.listings import check_name

MATCH: Final = {
    "players": "the number of players",
    "variant": "the variant, the edition and the options that change the rules",
    "difficulty": "identical deals, then deals of similar difficulty: how late playable cards are drawn",
    "deal": "identical deals and nothing else",
}

_IN_A_BAND: Final = 10
"""Games that a band of difficulty has at least: narrower bands would leave many without a counterpart."""

RULES: Final = (
    "variant",
    "edition",
    "speedrun",
    "card_cycle",
    "deck_plays",
    "empty_clues",
    "one_extra_card",
    "one_less_card",
    "all_or_nothing",
)
"""The columns of `games` with the rules of a game."""

_FIRST: Final = ", ".join(f'min("order") FILTER (rank = {rank})::INTEGER AS r{rank}' for rank in range(1, 6))
_REACH: Final = " + ".join(
    f"coalesce(greatest({', '.join(f'r{low}' for low in range(1, rank + 1))}), 0)" for rank in range(1, 6)
)
_COUNT: Final = " + ".join(f"(r{rank} IS NOT NULL)::INTEGER" for rank in range(1, 6))


def games_query(condition: str) -> str:
    """Return the query for the games of a condition on `g`, with the columns that they can be matched by.

    Columns: `game_id`; `players`; the rules: variant, edition and options; `deck`, a hash of the cards in
    order and the starting seat; `late`, how late the deal is: the mean, over the cards that a stack takes, of
    the place in the deck at which the first copies of it and of all lower ranks of its suit have come;
    `struck`, 1 where strikes ended the game, else 0. A deck that is only partly known is a deal of its own,
    and its `late` is null. (`min_efficiency` is the same for all deals of a variant and a team size.)
    """
    rules = ", ".join(f"g.{name}" for name in RULES)
    return f"""
WITH chosen AS (SELECT g.* FROM games g WHERE {condition}),
suits AS (
    SELECT game_id, suit, bit_xor(hash("order"::BIGINT * 100 + suit * 10 + rank)) AS deck, {_FIRST}
    FROM cards WHERE game_id IN (SELECT game_id FROM chosen) GROUP BY game_id, suit
),
deals AS (
    SELECT game_id, bit_xor(deck) AS deck, sum({_REACH}) / nullif(sum({_COUNT}), 0) AS late
    FROM suits GROUP BY game_id
)
SELECT g.game_id, g.players, {rules}, CASE WHEN coalesce(g.deck_known, -1) < 0 THEN d.late END AS late,
    CASE WHEN coalesce(g.deck_known, -1) < 0
        THEN xor(d.deck, hash(coalesce(g.starting_player, 0)::BIGINT * 10 + g.players))
        ELSE hash(g.game_id) END AS deck,
    coalesce(g.end_condition = '{EndCondition.STRIKEOUT.label}', false)::INTEGER AS struck
FROM chosen g LEFT JOIN deals d USING (game_id)
ORDER BY g.game_id
"""


class Groups(NamedTuple):
    """The games of two groups, as `games_query` has them, without the games of both, which are `common`.

    `conventions` by which the games were chosen.
    """

    games: tuple[pl.DataFrame, pl.DataFrame]
    common: int
    conventions: tuple[str, ...]


def choose_games(db: Database, chosen: Condition) -> pl.DataFrame:
    """Return the games of a condition. Raises `HanalyzeError` (rule `not_read`)."""
    if chosen.conventions:
        check_filled(db, "convention_games")
    return db.sql(games_query(chosen.sql), chosen.values or None)


def choose_groups(
    databases: tuple[Database, Database], filters: tuple[Where, Where], names: tuple[str, str]
) -> Groups:
    """Return two groups; within one database a group without a filter has the games that the other leaves.

    Raises `HanalyzeError` (rules `no_games`, `not_read`), and `UnknownName` where a name is in no game.
    """
    chosen = [condition(where) for where in filters]
    games = [choose_games(db, one) for db, one in zip(databases, chosen, strict=True)]
    a, b = filters
    if databases[0] is databases[1] and (a is None) != (b is None):
        of, rest = (0, 1) if b is None else (1, 0)
        games[rest] = games[rest].join(games[of], on="game_id", how="anti")
    for db, one, mine, name in zip(databases, chosen, games, names, strict=True):
        advice = "loosen its filter; `hanalyze info` lists what the database has"
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
    conventions = tuple(dict.fromkeys(name for one in chosen for name in one.conventions))
    return Groups((first, second), common.height, conventions)


def check_names(db: Database, chosen: Condition) -> None:
    """Raise `UnknownName` where a name of a condition is in no game."""
    for column, name in chosen.names:
        check_name(db.connection, column, name)


def group_names(databases: tuple[Database, Database], filters: tuple[Where, Where]) -> tuple[str, str]:
    """Return the names of the groups: what differs between them."""
    one = databases[0] is databases[1]
    # Keys of games are not compared, element by element.
    apart = filters[0] is not filters[1] and (not isinstance(filters[0], str) or filters[0] != filters[1])

    def name(db: Database, where: Where, letter: str) -> str:
        if where is None and one and apart:
            return "the others"
        if isinstance(where, str) and (one or apart):
            return where.strip()
        return os.path.basename(db.file) if not one and db.file else letter

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
            near = tuple(get_close_matches(word[:100], MATCH, n=1, cutoff=0.6))
            raise UnknownName("matching", word, near, advice="one of: " + ", ".join(MATCH))
    return tuple(word for word in MATCH if word in match)


class Matching(NamedTuple):
    """The games that have a counterpart.

    `games`: `group` (0 or 1), `game_id`, `stratum` (from 0, in order), `deal` (which games have one deal),
    `weight` of the game, with the same sum in both groups of a stratum. `paired`: by stratum, whether it is
    one deal. `lone`: the number of strata with games of one group only, which were left out.
    """

    games: pl.DataFrame
    paired: pl.Series
    lone: int


def match_games(games: pl.DataFrame, match: Sequence[str], bands: int = 3) -> Matching:
    """Return the strata of two groups of games.

    `games` has the columns of `games_query` and `group`, 0 or 1. Games are in one stratum where all words of
    `match` (of `MATCH`) agree. With difficulty, or deal, games of a deal that both groups played make a
    stratum of their own; with difficulty the others form bands by how late their deal is, for each team size
    and variant: `bands` bands of equally many games, or fewer, of at least ten games, and one more of unknown
    deals.

    A stratum with a games of the one group and b of the other weighs a b / (a + b), in proportion to the
    precision of its estimate (Mantel & Haenszel 1959): a deal that each played once weighs 1/2.
    """
    if bands < 1:
        raise HanalyzeError(f"{bands} bands of difficulty", rule="bad_number", advice="give 3, for example")
    keys: list[str] = []
    for word in match:
        keys += {"players": ["players"], "variant": list(RULES)}.get(word, [])
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
        pl.coalesce("deck", pl.col("game_id").cast(pl.UInt64)).alias("deal"),
    )
    frame = frame.with_columns(
        (pl.col("group") == side).sum().over("stratum").alias(f"n{side}") for side in (0, 1)
    )
    strata = frame["stratum"].n_unique()
    kept = frame.filter((pl.col("n0") > 0) & (pl.col("n1") > 0))
    mine = pl.when(pl.col("group") == 0).then("n0").otherwise("n1")
    weight = pl.col("n0") * pl.col("n1") / (pl.col("n0") + pl.col("n1")) / mine
    kept = kept.with_columns(pl.col("stratum").rank("dense").cast(pl.Int64) - 1, weight.alias("weight"))
    kept = kept.sort("stratum", "group", "game_id")
    paired = kept.group_by("stratum", maintain_order=True).agg(pl.col("paired").first())["paired"]
    return Matching(
        kept.select("group", "game_id", "stratum", "deal", "weight"), paired, strata - len(paired)
    )

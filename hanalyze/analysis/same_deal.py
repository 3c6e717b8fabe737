"""Duplicate Hanabi: games of the same deal compared by paired differences (Student 1908) and matchpoints.

Games have the same deal if the hashes of their card orders, the number of players, the starting player and
the rules agree; seeds are not needed. Each game with a partly unknown deck counts as a separate deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hanalyze.analysis.columns import select_columns
from hanalyze.analysis.filters import Where, condition
from hanalyze.analysis.matching import RULES, check_names, choose_games, choose_groups, group_names
from hanalyze.analysis.measures import Measure, measures, of_all_games
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.statistics.intervals import Sums, check_confidence, mean_of_sums
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES, Folder

MISTAKES: Final = "mistakes"
"""Name of a further measure: decisions with a mistake blamed on a player, summed over the families."""
SAME_DEAL: Final = ("score", "efficiency", MISTAKES)


def _with_key(games: pl.DataFrame) -> pl.DataFrame:
    """Return the games of `games_query` with keys of their deals; keys are comparable between databases."""
    parts = pl.col("deck", *RULES).cast(pl.String).fill_null("")
    return games.select("game_id", pl.concat_str(parts, separator="|").alias("key"))


def _deals(db: Database) -> pl.DataFrame:
    """Return `game_id`, `deal` (from 1, in the order of first games), `score` and `seed` of all games."""
    games = _with_key(choose_games(db, condition(None)))
    deals = games.select("key").unique(maintain_order=True).with_row_index("deal", 1)
    games = games.join(deals.cast({"deal": pl.Int64}), on="key", maintain_order="left").drop("key")
    return games.join(db.sql("SELECT game_id, score, seed FROM games"), on="game_id", maintain_order="left")


def deal_results(db: Database) -> pl.DataFrame:
    """Return the rank of each game among all games of its deal, one row per game.

    `matchpoints` rank the games of a deal by score, as on hanabi-competitions.com, where the number of turns
    breaks ties; here games of equal score tie. `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = deal_results(db)
    >>> found.filter(found["deal"] == 1)["matchpoints"].to_list()
    [2, 0]
    """
    counts = db.sql(f"FROM ({sql_text('bottom_deck')}) LEFT JOIN ({sql_text('turns_left')}) USING (game_id)")
    frame = _deals(db).join(counts, on="game_id", how="left").sort("deal", "game_id")
    games, level = pl.len().over("deal"), pl.len().over("deal", "score")
    frame = frame.with_columns(
        games.cast(pl.Int64).alias("games"),
        (pl.col("score").rank("min").over("deal").cast(pl.Int64) - 1).alias("beaten"),
        (level.cast(pl.Int64) - 1).alias("tied"),
    ).with_columns((2 * pl.col("beaten") + pl.col("tied")).alias("matchpoints"))
    most = pl.when(pl.col("games") > 1).then(2 * (pl.col("games") - 1))
    return select_columns(frame.with_columns(percentile=pl.col("matchpoints") / most), "deal_results")


def partings(db: Database, *, a: Where = None, b: Where = None) -> pl.DataFrame:
    """Return the first turn with different actions for each pair of games of one deal.

    `a` and `b` choose games as in `compare`; a pair then has one game of each group. `FRAMES` lists the
    columns; deals have the numbers of `deal_results`. Raises `UnknownName`, and `HanalyzeError` (rules
    `bad_filter`, `no_game`, `not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     partings(db).height
    2
    """
    groups: list[list[int]] = []
    for chosen in map(condition, (a, b)):
        groups.append(choose_games(db, chosen)["game_id"].to_list())
        if not groups[-1]:
            check_names(db, chosen)  # probably a misspelt name
    deals = _deals(db)
    shared = deals.filter(pl.len().over("deal") > 1)
    values = {"games": shared["game_id"].to_list(), "deals": shared["deal"].to_list()}
    pairs = db.sql(sql_text("partings"), values)
    straight = pl.col("game_a").is_in(groups[0]) & pl.col("game_b").is_in(groups[1])
    crossed = pl.col("game_b").is_in(groups[0]) & pl.col("game_a").is_in(groups[1])
    pairs = pairs.filter(straight | crossed).with_columns(
        game_a=pl.when(straight).then("game_a").otherwise("game_b"),
        game_b=pl.when(straight).then("game_b").otherwise("game_a"),
    )
    for letter in "ab":
        scores = deals.select(**{f"game_{letter}": "game_id", f"score_{letter}": "score"})
        pairs = pairs.join(scores, on=f"game_{letter}", maintain_order="left")
    return select_columns(pairs, "partings")


def _mistakes(db: Database, folder: Folder) -> str:
    families = " UNION ALL ".join(
        f"SELECT game_id, found FROM ({one.sql(db, folder)})"
        for one in measures(list(FAMILIES), folder=folder)
    )
    return of_all_games(f"SELECT game_id, sum(found) AS found FROM ({families}) GROUP BY ALL")


def same_deal(
    database: Database,
    other: Database | None = None,
    /,
    *,
    a: Where = None,
    b: Where = None,
    measure: Sequence[str] = SAME_DEAL,
    confidence: float = 0.95,
    folder: Folder = None,
) -> pl.DataFrame:
    """Return the differences of two groups on the deals that both played, one row per measure.

    `a`, `b` and a second database choose the groups as in `compare`. Within one database, a group without a
    filter has all other games; games in both groups are left out. `measure` has names of `measures`, or
    `mistakes` for decisions with a blamed mistake. All deals have the same weight. The interval uses
    Student's t over deals; it is null for fewer than 20 deals (200 for means that include struck-out games).
    `FRAMES` lists the columns.

    Raises `UnknownName`, and `HanalyzeError` (rules `bad_filter`, `bad_number`, `no_game`, `no_games`,
    `not_read`, and `no_overlap` if no deal was played by both groups).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = same_deal(db, a='source="hanalyze simulate, cautious"', measure=["score"])
    >>> found["deals"].item(), found["difference"].item() > 5
    (2, True)
    """
    check_confidence(confidence)
    own = Measure(MISTAKES, "decisions with a mistake", "mistakes/game", _mistakes)
    selected = [own if name == MISTAKES else measures([name], folder=folder)[0] for name in measure]
    databases = database, database if other is None else other
    chosen = choose_groups(databases, (a, b), group_names(databases, (a, b)))
    groups = [_with_key(games) for games in chosen.games]
    shared = groups[0].join(groups[1], on="key", how="semi").select("key").unique()
    if not shared.height:
        problem, advice = "no deal was played by both groups", "compare without --same-deal"
        raise HanalyzeError(problem, rule="no_overlap", advice=advice)
    rows = []
    for one in selected:
        means = []
        for db, games in zip(databases, groups, strict=True):
            values = db.sql(one.sql(db, folder), temporary=True).filter(pl.col("opportunities") > 0)
            value = pl.col("found").cast(pl.Float64) / pl.col("opportunities").cast(pl.Float64)
            mine = games.join(shared, on="key", how="semi").join(values, on="game_id")
            means.append(mine.group_by("key").agg(value.mean().alias("mean")))
        paired = means[0].join(means[1], on="key", suffix="_b").sort("key")
        rows.append(_row(one, paired["mean"].to_numpy(), paired["mean_b"].to_numpy(), confidence))
    return select_columns(pl.DataFrame(rows, infer_schema_length=None), "same_deal")


def _row(one: Measure, a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], confidence: float) -> dict[str, Any]:
    differences = a - b
    deals = len(differences)
    sums = Sums.of(differences, np.ones(deals))
    low, high = mean_of_sums(sums, deals, confidence, signed=True, fewest=one.fewest)
    return {
        "measure": one.name,
        "unit": one.unit,
        "deals": deals,
        "a": float(a.mean()) if deals else None,
        "b": float(b.mean()) if deals else None,
        "difference": sums.f / deals if deals else None,
        "low": None if np.isnan(low) else low,
        "high": None if np.isnan(high) else high,
        "a_higher": int((differences > 0).sum()),
        "b_higher": int((differences < 0).sum()),
    }

"""Duplicate Hanabi: games of the same deal compared, by paired differences (Student 1908) and matchpoints.

A deal is a deck, card by card (by its hash), with the number of players, the starting player and the rules;
seeds are not needed. A deck that is only partly known is a deal of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from hanalyze.analysis.columns import select_columns
from hanalyze.analysis.filters import Where, condition
from hanalyze.analysis.matching import RULES, check_names, choose_games, choose_groups, group_names
from hanalyze.analysis.measures import BOTTOM_DECK, TURNS_LEFT, Measure, measures
from hanalyze.analysis.rates import Folder
from hanalyze.analysis.statistics.intervals import Sums, check_confidence, mean_of_sums
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES

MISTAKES: Final = "mistakes"
"""Decisions with a mistake for which somebody is to blame, of all families together."""
SAME_DEAL: Final = ("score", "efficiency", MISTAKES)
"""The measures by default."""


def _with_key(games: pl.DataFrame) -> pl.DataFrame:
    """Return games of `games_query` with the key of their deal, which is the same in every database."""
    parts = pl.col("deck", *RULES).cast(pl.String).fill_null("")
    return games.select("game_id", pl.concat_str(parts, separator="|").alias("key"))


def _deals(db: Database) -> pl.DataFrame:
    """Return all games: `game_id`, `score`, `seed` and the number of their deal, from 1 in their order."""
    games = _with_key(choose_games(db, condition(None)))
    deals = games.select("key").unique(maintain_order=True).with_row_index("deal", 1)
    games = games.join(deals.cast({"deal": pl.Int64}), on="key", maintain_order="left").drop("key")
    facts = db.sql("SELECT game_id, score, seed FROM games")
    return games.join(facts, on="game_id", maintain_order="left")


def deal_results(db: Database) -> pl.DataFrame:
    """Return the rank of each game among all games of its deal, one row per game.

    Columns: those of `FRAMES`. A game gets two matchpoints for each game of its deal that it beats and one
    for each that it ties with; `percentile` is that as a share of what beating all would give. `bottom_deck`
    and `turns_left` are the tie-breakers of competitions.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = deal_results(db)
    >>> found.filter(found["deal"] == 1)["matchpoints"].to_list()
    [2, 0]
    """
    beside = db.sql(f"SELECT * FROM ({BOTTOM_DECK}) LEFT JOIN ({TURNS_LEFT}) USING (game_id)")
    frame = _deals(db).join(beside, on="game_id", how="left").sort("deal", "game_id")
    games, level = pl.len().over("deal"), pl.len().over("deal", "score")
    frame = frame.with_columns(
        games.cast(pl.Int64).alias("games"),
        (pl.col("score").rank("min").over("deal").cast(pl.Int64) - 1).alias("beaten"),
        (level.cast(pl.Int64) - 1).alias("tied"),
    ).with_columns((2 * pl.col("beaten") + pl.col("tied")).alias("matchpoints"))
    most = pl.when(pl.col("games") > 1).then(2 * (pl.col("games") - 1))
    return select_columns(frame.with_columns(percentile=pl.col("matchpoints") / most), "deal_results")


def _actions(db: Database, games: Sequence[int]) -> dict[int, np.ndarray[Any, Any]]:
    """Return by game its actions as numbers, in order."""
    rows = db.sql(
        """
SELECT game_id, list(enum_code(action)::INTEGER * 10000 + coalesce("order", receiver, 99)::INTEGER * 10
    + coalesce(clue_value, 0)::INTEGER ORDER BY turn) AS actions
FROM turns WHERE game_id IN (SELECT unnest(?)) GROUP BY game_id
""",
        [list(games)],
    )
    return {game: np.array(actions, np.int64) for game, actions in rows.iter_rows()}


def _parting(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> int | None:
    """Return the first turn with different actions, or with an action in one game only; else None."""
    both = min(len(one), len(other))
    differs = np.flatnonzero(one[:both] != other[:both])
    if len(differs):
        return int(differs[0])
    return None if len(one) == len(other) else both


def partings(db: Database, *, a: Where = None, b: Where = None) -> pl.DataFrame:
    """Return the turn at which each two games of one deal part, one row per pair.

    `a` and `b` choose games, as those of `compare`: pairs are then of one game of each group. Columns: those
    of `FRAMES`; the deals have the numbers of `deal_results`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     partings(db).height
    2
    """
    groups: list[set[int]] = []
    for chosen in map(condition, (a, b)):
        groups.append(set(choose_games(db, chosen)["game_id"]))
        if not groups[-1]:
            check_names(db, chosen)  # a misspelt name is the likely reason
    shared = _deals(db).filter(pl.len().over("deal") > 1).sort("deal", "game_id")
    actions = _actions(db, shared["game_id"].to_list())
    nothing = np.zeros(0, np.int64)

    def pairs() -> Iterator[tuple[int, int, int, int | None, int, int]]:
        for [deal], games in shared.group_by("deal", maintain_order=True):
            rows = list(games.select("game_id", "score").iter_rows())
            for place, (one, score) in enumerate(rows):
                for other, its_score in rows[place + 1 :]:
                    swapped = not (one in groups[0] and other in groups[1])
                    if swapped and not (other in groups[0] and one in groups[1]):
                        continue
                    turn = _parting(actions.get(one, nothing), actions.get(other, nothing))
                    first, second = (other, one) if swapped else (one, other)
                    scores = (its_score, score) if swapped else (score, its_score)
                    yield int(str(deal)), first, second, turn, *scores

    names = ("deal", "game_a", "game_b", "turn", "score_a", "score_b")
    frame = pl.DataFrame(list(pairs()), dict.fromkeys(names, pl.Int64), orient="row")
    return select_columns(frame, "partings")


def _mistakes(db: Database, folder: Folder) -> str:
    """Return the query for the mistakes of all families in each game."""
    found = " UNION ALL ".join(
        f"SELECT game_id, found FROM ({one.sql(db, folder)})"
        for one in measures(list(FAMILIES), folder=folder)
    )
    return (
        "SELECT g.game_id, coalesce(m.found, 0) AS found, 1 AS opportunities FROM games g"
        f" LEFT JOIN (SELECT game_id, sum(found) AS found FROM ({found}) GROUP BY ALL) m USING (game_id)"
    )


def _measures(names: Sequence[str], folder: Folder) -> list[Measure]:
    mine = Measure(MISTAKES, "decisions with a mistake", "mistakes/game", _mistakes)
    return [mine if name == MISTAKES else measures([name], folder=folder)[0] for name in names]


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

    `a`, `b` and a second database choose the groups as for `compare`: a group without a filter has, within
    one database, all other games; games of both groups are left out. `measure`: names of `measures`, and
    `mistakes`, decisions with a mistake for which somebody is to blame. On each deal the mean over group b's
    games is taken from that over group a's; all deals count the same. The interval is Student's over deals;
    below 20 deals there is none. Columns: those of `FRAMES`.

    Raises `UnknownName`, and `HanalyzeError` (rules `bad_filter`, `bad_number`, `no_overlap`: no deal was
    played by both).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = same_deal(db, a='source="hanalyze simulate, cautious"', measure=["score"])
    >>> found["deals"].item(), found["difference"].item() > 5
    (2, True)
    """
    check_confidence(confidence)
    wanted = _measures(measure, folder)
    databases = database, database if other is None else other
    chosen = choose_groups(databases, (a, b), group_names(databases, (a, b)))
    groups = [_with_key(games) for games in chosen.games]
    shared = groups[0].join(groups[1], on="key", how="semi").select("key").unique()
    if not shared.height:
        raise HanalyzeError(
            "no deal was played by both groups", rule="no_overlap", advice="compare without --same-deal"
        )
    rows = []
    for one in wanted:
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
    """Return the row of a measure from its means by deal."""
    differences = a - b
    deals = len(differences)
    total, squares = float(differences.sum()), float((differences * differences).sum())
    low, high = mean_of_sums(Sums(total, deals, squares, total, deals), deals, confidence, signed=True)
    return {
        "measure": one.name,
        "unit": one.unit,
        "deals": deals,
        "a": float(a.mean()) if deals else None,
        "b": float(b.mean()) if deals else None,
        "difference": total / deals if deals else None,
        "low": None if np.isnan(low) else low,
        "high": None if np.isnan(high) else high,
        "a_higher": int((differences > 0).sum()),
        "b_higher": int((differences < 0).sum()),
    }

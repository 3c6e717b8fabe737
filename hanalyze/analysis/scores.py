"""What games came to: scores, and where the points went that a full score would have had.

In: a database. Out: frames, a row for each group, or for each group and reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hanalyze.analysis.grouping import GAMES, by_name, number_groups
from hanalyze.analysis.intervals import check_confidence, wilson
from hanalyze.analysis.rates import Folder
from hanalyze.analysis.ratios import ratio_columns, ratios
from hanalyze.game.rules import EndCondition
from hanalyze.store import Database

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FORFEITED", "SCORES_BY", "UNPLAYED", "losses", "scores"]

SCORES_BY: Final = tuple(name for name in GAMES if name is not None)
"""The names of the groupings of games."""

FORFEITED: Final = "forfeited"
UNPLAYED: Final = "unplayed"
"""Names of what is no mistake: see `losses`."""


def scores(db: Database, by: str | None = "players", *, confidence: float = 0.95) -> pl.DataFrame:
    """Return what games came to, a row a group; `by` is one of `SCORES_BY`, or None for all together.

    A game counts for each of its players (`player`), and for each pair of them (`partner`).

    Columns: that of the group; `games`; `mean`, in points, with `mean_low` and `mean_high`, a bootstrap
    interval over games (Efron & Tibshirani 1993; null for a single game); `median`; `perfect_games`, those
    with the full score; `perfect`, their share, with `perfect_low` and `perfect_high`, Wilson's interval
    (Wilson 1927); and for each end condition the share of games that ended so: `ended_normal`,
    `ended_strikeout` and so on. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     row = scores(db, by=None).row(0, named=True)
    >>> row["games"], row["mean_low"] <= row["mean"] <= row["mean_high"]
    (6, True)
    """
    import polars as pl

    check_confidence(confidence)
    grouping = by_name(by, GAMES, SCORES_BY)
    ends = [end.label for end in EndCondition]
    shares = ", ".join(f"(d.end_condition = '{end}')::INTEGER AS ended_{end}" for end in ends)
    rows = db.sql(
        f"SELECT d.game_id, {grouping.selected}d.score AS _score, d.score >= d.full_score AS _perfect,"
        f" {shares} FROM games d{grouping.joins}{grouping.where}"
    )
    groups, group = number_groups(rows, grouping)
    score = rows["_score"].to_numpy().astype(np.float64)
    [result] = ratios(
        group,
        groups.height,
        rows["game_id"].to_numpy(),
        [score],
        [np.ones(len(score))],
        confidence=confidence,
        shares=False,
    )
    perfect = np.bincount(group, rows["_perfect"].to_numpy(), groups.height)
    sure = [wilson(*pair, confidence) for pair in zip(perfect.tolist(), result.games.tolist(), strict=True)]
    rows = rows.with_columns(pl.Series("_group", group))
    by_group = rows.group_by("_group").agg(
        pl.col("_score").median().alias("median"), *(pl.col(f"ended_{end}").mean() for end in ends)
    )
    frame = groups.with_columns(
        pl.Series("games", result.games),
        *ratio_columns("mean", result),
        pl.Series("perfect_games", perfect).cast(pl.Int64),
        pl.Series("perfect_low", [one.low for one in sure], pl.Float64),
        pl.Series("perfect_high", [one.high for one in sure], pl.Float64),
    ).filter(pl.col("games") > 0)
    return (
        frame.join(by_group, on="_group")
        .sort("_group")
        .select(
            *grouping.columns,
            "games",
            "mean",
            "mean_low",
            "mean_high",
            "median",
            "perfect_games",
            (pl.col("perfect_games") / pl.col("games")).alias("perfect"),
            "perfect_low",
            "perfect_high",
            *(f"ended_{end}" for end in ends),
        )
    )


def losses(
    db: Database, by: str | None = "players", *, confidence: float = 0.95, folder: Folder = None
) -> pl.DataFrame:
    """Return where the points went, a row for each group and reason; `by` is one of `SCORES_BY`, or None.

    All that a game lost counts for its group, whoever at the table lost it.

    Columns: that of the group; `kind`, a kind of mistake (all severities, those too that nobody is to blame
    for) that lost points somewhere in the database, or `forfeited`: points that were on the stacks and do not
    count because the game was lost (raw_score - score), or `unplayed`: points that were still possible at the
    end (max_score - raw_score); `games`, all of the group; `points` in all; `per_game`, points per game, with
    `low` and `high`, a bootstrap interval over games (Field & Welsh 2007; null for a single game).

    Over the kinds of a group `per_game` adds up to the mean of full_score - score. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     lost = losses(db, by=None)["points"].sum()
    ...     lost == db.sql("SELECT sum(full_score - score) FROM games").item()
    True
    """
    import polars as pl

    grouping = by_name(by, GAMES, SCORES_BY)
    # Kinds are not written into the query: with a folder they may be anything that a file is called.
    points = db.sql(
        "SELECT game_id, kind, sum(points)::INTEGER AS points FROM mistakes WHERE points <> 0 GROUP BY ALL",
        folder=folder,
    )
    rows = db.sql(
        f"SELECT d.game_id, {grouping.selected}(d.raw_score - d.score)::INTEGER AS _forfeited,"
        f" (d.max_score - d.raw_score)::INTEGER AS _unplayed FROM games d{grouping.joins}{grouping.where}"
    )
    groups, group = number_groups(rows, grouping)
    game = rows["game_id"].to_numpy()
    kinds = sorted(points["kind"].unique().to_list())
    lost = []
    for kind in kinds:
        mine = points.filter(pl.col("kind") == kind)
        by_game = rows.select("game_id").join(mine, on="game_id", how="left", maintain_order="left")
        lost.append(by_game["points"].fill_null(0))
    lost += [rows["_forfeited"], rows["_unplayed"]]
    results = ratios(
        group,
        groups.height,
        game,
        [values.to_numpy().astype(np.float64) for values in lost],
        [np.ones(rows.height)] * len(lost),
        confidence=confidence,
        shares=False,
    )
    parts = []
    for number, (kind, result) in enumerate(zip([*kinds, FORFEITED, UNPLAYED], results, strict=True)):
        rate, low, high = ratio_columns("per_game", result)
        parts.append(
            groups.with_columns(
                pl.lit(kind).alias("kind"),
                pl.Series("games", result.games),
                pl.Series("points", result.found).cast(pl.Int64),
                rate,
                low.alias("low"),
                high.alias("high"),
                pl.lit(number).alias("_kind"),
            )
        )
    frame = pl.concat(parts).filter(pl.col("games") > 0).sort("_group", "_kind")
    return frame.drop("_group", "_kind")

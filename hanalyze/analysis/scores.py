"""Scores of games, and the points short of the full score by kind of loss."""

from __future__ import annotations

from typing import Final

from hanalyze.analysis.columns import select_columns
from hanalyze.analysis.decision_cache import decision_tables
from hanalyze.analysis.group_sums import Fraction, grouped_rows, per_game, ratio_columns
from hanalyze.analysis.grouping import GAMES, Groups, by_name
from hanalyze.analysis.statistics.intervals import FEWEST_MIXED, benjamini_hochberg, check_confidence
from hanalyze.game.editions import EndCondition
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import Folder

SCORES_BY: Final = tuple(name for name in GAMES if name is not None)

FORFEITED: Final = "forfeited"
UNPLAYED: Final = "unplayed"
"""Kinds of losses that are not mistakes; `points_short` describes them."""


def scores(db: Database, by: Groups = "players", *, confidence: float = 0.95) -> pl.DataFrame:
    """Return scores and endings of games, one row per group.

    `by` is one of `SCORES_BY`, a list of two of them, or None. By `player` a game counts for each of
    its players, and by `partner` for each pair of players. The columns are those of the groups and of
    `FRAMES`. `mean` has no interval for fewer than 200 games, because a few strikeouts dominate it
    (`FEWEST_MIXED`); intervals are those of `mean_below`, which suit scores near the full score. Use
    `q_value`, not overlap of intervals, to decide whether a mean differs from that of all other games
    (`hanalyze.analysis.statistics.ratios.against_other_groups`). Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     row = scores(db, by=None).row(0, named=True)
    >>> row["games"], row["mean_low"], row["perfect_low"] <= row["perfect"] <= row["perfect_high"]
    (6, None, True)
    """
    check_confidence(confidence)
    grouping = by_name(by, GAMES, SCORES_BY, two=True)
    ends = [end.label for end in EndCondition]
    shares = ", ".join(f"(d.end_condition = '{end}')::INTEGER AS ended_{end}" for end in ends)
    query = (
        f"SELECT d.game_id, {grouping.selected}d.score AS _score, d.full_score AS _full,"
        f" (d.score >= d.full_score)::INTEGER AS _perfect, {shares}"
        f" FROM games d{grouping.joins}{grouping.where}"
    )
    normal, struck = EndCondition.NORMAL.label, EndCondition.STRIKEOUT.label
    games = "(SELECT game_id, score AS _score FROM games)"
    with grouped_rows(db, query, grouping, games=games) as rows:
        [tested] = rows.ratios([Fraction("r._score", share=False)], confidence=confidence, compare=True)
        fractions = [
            Fraction("r._score", share=False, fewest=FEWEST_MIXED, full="r._full"),
            Fraction("r._score", f"r.ended_{normal}", share=False, full="r._full"),
            Fraction("r._perfect"),
            Fraction(f"r.ended_{struck}"),
        ]
        mean, finished, perfect, lost = rows.ratios(fractions, confidence=confidence)
        means = ", ".join(f"avg(r.ended_{end}) AS ended_{end}" for end in ends if end != struck)
        by_group = rows.frame(f"median(r._score)::DOUBLE AS median, {means}")
    frame = rows.groups.with_columns(
        pl.Series("games", mean.games),
        *ratio_columns("mean", mean),
        pl.Series("p_value", tested.p_value).fill_nan(None),
        pl.Series("q_value", benjamini_hochberg(tested.p_value), pl.Float64).fill_nan(None),
        pl.Series("finished_games", finished.games),
        *ratio_columns("finished", finished),
        pl.Series("perfect_games", perfect.found).cast(pl.Int64),
        *ratio_columns("perfect", perfect),
        *ratio_columns(f"ended_{struck}", lost, "strikeout_"),
    ).filter(pl.col("games") > 0)
    frame = frame.join(by_group, on="_group").sort("_group")
    return select_columns(frame, "scores", grouping.columns)


def points_short(
    db: Database, by: Groups = "players", *, confidence: float = 0.95, folder: Folder = None
) -> pl.DataFrame:
    """Return the points short of the full score, one row per group and kind of loss.

    `by` is one of `SCORES_BY`, a list of two of them, or None. All points that a game lost count for
    its group, whoever lost them. The columns are those of the groups and of `FRAMES`. A `kind` is one of
    these:

    - a kind of mistake (all severities, including blameless ones) that lost points in at least one game;
    - `forfeited`: in a game lost by strikes, the points that were on the stacks or still possible (max_score
      - score); in other games, points on the stacks that do not count (raw_score - score);
    - `unplayed`: in a game not lost by strikes, points still possible at the end that are not charged to a
      mistake.

    Intervals are null for fewer than 20 games, or if no game has such a loss. The sum of `per_game` over the
    kinds of a group is the mean of full_score - score. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     short = points_short(db, by=None)["points"].sum()
    ...     short == db.sql("SELECT sum(full_score - score) FROM games").item()
    True
    """
    grouping = by_name(by, GAMES, SCORES_BY, two=True)
    tables = decision_tables(db, folder)
    found = db.sql(f"SELECT DISTINCT number FROM {tables.lost} WHERE points <> 0", temporary=True)["number"]
    numbers = {kind: tables.measures[kind][0] for kind in sorted(tables.kinds)}
    columns = {kind: f"p{number}" for kind, number in numbers.items() if number in found}
    sums = "".join(
        f", coalesce(sum(points) FILTER (number = {numbers[kind]}), 0)::INTEGER AS {column}"
        for kind, column in columns.items()
    )
    query = f"""
WITH sums AS (SELECT game_id, sum(points) AS lost{sums} FROM {tables.lost} GROUP BY game_id),
d AS (SELECT games.*, sums.* EXCLUDE (game_id) FROM games LEFT JOIN sums USING (game_id))
SELECT d.game_id, {grouping.selected}{"".join(f"d.{column}, " for column in columns.values())}
    if(d.end_condition = '{EndCondition.STRIKEOUT.label}', d.max_score, d.raw_score) - d.score AS forfeited,
    d.full_score - d.score - coalesce(d.lost, 0) - forfeited AS unplayed
FROM d{grouping.joins}{grouping.where}
"""
    losses = (*columns.values(), FORFEITED, UNPLAYED)
    fractions = [Fraction(f"coalesce(r.{column}, 0)", share=False) for column in losses]
    with grouped_rows(db, query, grouping) as rows:
        results = rows.ratios(fractions, confidence=confidence)
    points = [pl.Series("points", result.found) for result in results]
    frame = per_game(rows.groups, [*columns, FORFEITED, UNPLAYED], results, points)
    return select_columns(frame, "points_short", grouping.columns)

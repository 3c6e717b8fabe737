"""Clues and efficiency: gains per clue, efficiency by turn, origins of played cards, wasted tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hanalyze.analysis.columns import QUANTILES, select_columns
from hanalyze.analysis.decision_cache import decision_tables
from hanalyze.analysis.group_sums import Fraction, grouped_rows, per_game, ratio_columns
from hanalyze.analysis.grouping import (
    BY_GAME,
    DECISIONS,
    GAMES,
    By,
    Groups,
    by_name,
    number_groups,
    one_column,
)
from hanalyze.analysis.queries import sql_text
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import Folder

CLUES_BY: Final = ("player", *BY_GAME, "turn", "phase", "kind", "score")
CURVE_BY: Final = ("player", *BY_GAME, "score")
CARDS_BY: Final = ("player", *BY_GAME, "rank", "suit", "seat", "score")


def _ratio_frame(
    name: str,
    db: Database,
    query: str,
    by: By,
    count: str,
    measures: Mapping[str, Fraction],
    minimum: int,
    confidence: float,
) -> pl.DataFrame:
    """Return ratios by group, null if the first ratio's denominator (column `count`) is below `minimum`."""
    with grouped_rows(db, query, by) as rows:
        results = rows.ratios(list(measures.values()), confidence=confidence)
    columns = [pl.Series(count, results[0].opportunities), pl.Series("games", results[0].games)]
    few = pl.Series(results[0].opportunities < minimum)
    for measure, result in zip(measures, results, strict=True):
        columns += [column.set(few, None) for column in ratio_columns(measure, result)]
    frame = rows.groups.sort("_group").with_columns(columns).filter(pl.col(count) > 0)
    return select_columns(frame, name, by.columns)


def clue_values(
    db: Database, by: Groups = None, *, minimum: int = 30, confidence: float = 0.95
) -> pl.DataFrame:
    """Return the value of clues, one row per group.

    `by` is one of `CLUES_BY` (player: the giver), a list of two of them, or None. The columns are
    those of the groups and of `FRAMES`. A group with fewer than `minimum` clues has counts only. Ratios
    divide sums over all games; `hanalyze.analysis.statistics.intervals` describes the intervals. Raises
    `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     frame = clue_values(db, by="kind")
    >>> frame["kind"].to_list(), frame.columns[1:6]
    (['colour', 'rank'], ['clues', 'games', 'gotten', 'gotten_low', 'gotten_high'])
    """
    grouping = by_name(by, {**DECISIONS, "kind": one_column("kind", "d.kind")}, CLUES_BY, two=True)
    columns = "game_id, players, variant, edition, score, full_score"
    source = f"(SELECT {columns} FROM games) t ON t.game_id = c.game_id"
    if "phase" in grouping.columns:
        db.prepare_decisions()
        source = (
            f"(SELECT {columns}, turn AS at, phase FROM decisions) t"
            " ON t.game_id = c.game_id AND t.at = c.turn"
        )
    query = sql_text("clue_values").format(by=grouping, source=source)
    measures = {
        "gotten": Fraction("r.gotten", "r.clues", share=False),
        "followed": Fraction("r.followed", "r.clues", share=False),
        "saves": Fraction("r.saves", "r.clues"),
        "bits": Fraction("r.bits", "r.clues", share=False),
        "bad_touch": Fraction("r.bad", "r.touched"),
    }
    return _ratio_frame("clue_values", db, query, grouping, "clues", measures, minimum, confidence)


def card_origins(
    db: Database, by: Groups = None, *, minimum: int = 30, confidence: float = 0.95
) -> pl.DataFrame:
    """Return how often played cards had been clued, one row per group.

    `by` is one of `CARDS_BY`, a list of two of them, or None. The columns are those of the groups and
    of `FRAMES`; `blind`, `once` and `more` add up to 1. A group with fewer than `minimum` cards has counts
    only. `hanalyze.analysis.statistics.intervals` describes the intervals. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     row = card_origins(db).row(0, named=True)
    >>> round(row["blind"] + row["once"] + row["more"], 6)
    1.0
    """
    grouping = by_name(by, DECISIONS, CARDS_BY, two=True)
    query = sql_text("card_origins").format(by=grouping)
    measures = {
        "blind": Fraction("r.blind", "r.cards"),
        "known": Fraction("r.known", "r.blind"),
        "once": Fraction("r.once", "r.cards"),
        "more": Fraction("r.more", "r.cards"),
    }
    return _ratio_frame("card_origins", db, query, grouping, "cards", measures, minimum, confidence)


def efficiency_curve(db: Database, by: Groups = None) -> pl.DataFrame:
    """Return efficiency by turn, one row per group and turn; `by` is one of `CURVE_BY`, or None.

    The columns are that of the group and those of `FRAMES`. Efficiency is that shown by Hanab Live. Achieved
    efficiency is null until a clue is given or lost, needed efficiency once the deck is empty or no clue is
    left. Quantiles are over the games that reached the turn and have a value, so late turns describe only
    long games; they use linear interpolation (Hyndman & Fan 1996, type 7). By player, a game counts for each
    of its players. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     frame = efficiency_curve(db)
    >>> frame["turn"][0], frame["games"][0], frame["achieved_median"][0] is not None
    (0, 6, True)
    """
    grouping = by_name(by, GAMES, CURVE_BY)
    rows = db.sql(sql_text("efficiency_curve").format(by=grouping))
    groups, group = number_groups(rows, grouping)
    rows = rows.with_columns(pl.Series("_group", group)).drop(grouping.columns)
    frame = rows.group_by("_group", "turn").agg(pl.col("games").sum())
    for name in ("achieved", "needed"):
        frame = frame.join(_quantiles(rows, name), on=["_group", "turn"], how="left")
    frame = frame.join(groups, on="_group").sort("_group", "turn")
    return select_columns(frame, "efficiency_curve", grouping.columns)


def _quantiles(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the quantiles of a value by group and turn; each row counts for its number of games."""
    keys = ["_group", "turn"]
    values = rows.drop_nulls(name).group_by(*keys, name).agg(pl.col("games").sum()).sort(*keys, name)
    values = values.with_columns(pl.col("games").cum_sum().over(keys).alias("upto"))
    last = pl.col("games").sum() - 1
    quantiles = []
    for quantile, level in QUANTILES.items():
        low, high = (
            pl.col(name).filter(pl.col("upto") > place).first()
            for place in ((last * level).floor(), (last * level).ceil())
        )
        share = last * level - (last * level).floor()
        quantiles.append((low + (high - low) * share).alias(f"{name}_{quantile}"))
    return values.group_by(keys).agg(quantiles)


def wasted_tokens(
    db: Database, by: Groups = None, *, confidence: float = 0.95, folder: Folder = None
) -> pl.DataFrame:
    """Return the clue tokens lost to mistakes, one row per group and kind.

    `by` is one of `hanalyze.analysis.scores.SCORES_BY`, or None. The columns are that of the group and those
    of `FRAMES`. The kinds are those that cost tokens in at least one game, and `any`. Blameless mistakes do
    not count. Intervals are score intervals, null for fewer than 20 games. `folder` contains further
    definitions of mistakes. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     frame = wasted_tokens(db)
    >>> frame["kind"][-1], frame["games"][-1]
    ('any', 6)
    """
    grouping = by_name(by, GAMES, [name for name in GAMES if name is not None])
    tables = decision_tables(db, folder)
    kinds = tables.kinds
    numbers = range(len(kinds) + 1)
    counts = ", ".join(
        f"count_if(number = {number})::UINTEGER AS f{number},"
        f" coalesce(sum(tokens) FILTER (number = {number}), 0)::DOUBLE AS t{number}"
        for number in numbers
    )
    query = f"""
WITH costs AS (
    SELECT game_id, number, tokens FROM {tables.lost} WHERE blamed AND tokens > 0
    UNION ALL
    SELECT game_id, {len(kinds)}, max(tokens) FROM {tables.lost} WHERE blamed AND tokens > 0
    GROUP BY game_id, turn
),
sums AS (SELECT game_id, {counts} FROM costs GROUP BY game_id),
d AS (SELECT games.*, sums.* EXCLUDE (game_id) FROM games LEFT JOIN sums USING (game_id))
SELECT d.game_id, {grouping.selected}COLUMNS('^[ft][0-9]+$')
FROM d{grouping.joins}{grouping.where}
"""
    with grouped_rows(db, query, grouping) as rows:
        sums = rows.frame(", ".join(f"sum(r.f{n})::BIGINT AS f{n}, sum(r.t{n}) AS t{n}" for n in numbers))
        costly = [number for number in numbers if sums[f"t{number}"].sum() or number == len(kinds)]
        fractions = [Fraction(f"coalesce(r.t{number}, 0)", share=False) for number in costly]
        results = rows.ratios(fractions, confidence=confidence)
    names = [*kinds, "any"]
    found = [sums[f"f{number}"].fill_null(0).alias("found") for number in costly]
    tokens = [pl.Series("tokens", result.found) for result in results]
    frame = per_game(rows.groups, [names[number] for number in costly], results, found, tokens)
    return select_columns(frame, "wasted_tokens", grouping.columns)

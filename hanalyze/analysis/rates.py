"""Rates of mistakes: mistakes per opportunity, by player, date, turn and other groups.

An opportunity is a decision that satisfies the definition's condition or contains the mistake. A decision
with one sensible choice (`one_choice`) counts only if it contains a mistake whose definition is not
`weighs_forced`. Misplays with nothing to lose are not opportunities. Blameless mistakes
(`hanalyze.store.mistakes.BLAMELESS`) do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from hanalyze.analysis.columns import select_columns
from hanalyze.analysis.decision_cache import DecisionTables, decision_tables
from hanalyze.analysis.group_sums import Fraction, grouped_rows, kind_rows, ratio_columns
from hanalyze.analysis.grouping import DECISIONS, By, Groups, by_name, joined_names
from hanalyze.analysis.statistics.intervals import Floats, Ints, benjamini_hochberg
from hanalyze.analysis.statistics.multiplicity import empirical_bayes
from hanalyze.analysis.statistics.ratios import GroupSums, Ratios
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES, Folder, chosen, definitions
from hanalyze.store.mistakes import SEVERITIES

BY: Final = (*(name for name in DECISIONS if name is not None), "severity")


def rates(
    db: Database,
    *kinds: str,
    by: Groups = "player",
    minimum: int = 30,
    confidence: float = 0.95,
    folder: Folder = None,
) -> pl.DataFrame:
    """Return how often mistakes were made, one row per group and kind.

    A family (discard, play, clue) means all its kinds. `by` is None for all decisions together, one of `BY`,
    or two of them, such as "player,phase":

    - player, seat, or partner (pairs: each decision of a player counts for each partner at the table);
    - before or after: the player who acts before or after the player of the decision;
    - players (team size), variant, family (of variants), edition, team, date, month, year;
    - turn (bands of ten turns), phase, and rank or suit of the played or discarded card (excludes clues);
    - score (bands of the final score as a share of the full score);
    - severity: the share of each severity among the mistakes of a kind, including blameless ones.

    The columns are those of the group and those of `FRAMES`. A group with fewer than `minimum` opportunities
    has counts and points only, and a kind without any opportunity has no row. Most decisions with only one
    sensible choice do not count, so `Database.mistakes` may list more mistakes than are counted here.

    Intervals (null for a single game) are those of `hanalyze.analysis.statistics.intervals`, p-values (null
    for groups of one game, and for a single group) those of
    `hanalyze.analysis.statistics.ratios.against_other_groups`. `folder` contains further definitions of
    mistakes. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     frame = rates(db, "misplay", by=None, minimum=10)
    >>> frame["rate"].item() == frame["found"].item() / frame["opportunities"].item()
    True
    """
    by = joined_names(by)
    grouping = by_name(None if by == "severity" else by, DECISIONS, BY, two=True)
    kind_names = chosen(kinds, folder)
    if by == "severity":
        return _severities(db, kind_names, minimum, confidence, folder)
    return _rates(db, list(kind_names), grouping, minimum, confidence, folder)


def family_rates(
    db: Database,
    *,
    by: Groups = "player",
    minimum: int = 30,
    confidence: float = 0.95,
    folder: Folder = None,
) -> pl.DataFrame:
    """Return the rate of decisions with any mistake of a family; `kind` is one of `FAMILIES`.

    `found` counts decisions with at least one mistake of the family, and `opportunities` decisions in which
    at least one was possible. Columns, intervals and groupings are those of `rates`, without severity.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     family_rates(db, by=None)["kind"].to_list()
    ['discard', 'play', 'clue']
    """
    grouping = by_name(by, DECISIONS, [name for name in BY if name != "severity"], two=True)
    return _rates(db, FAMILIES, grouping, minimum, confidence, folder)


def _counts_query(numbers: Sequence[int], by: By, tables: DecisionTables) -> str:
    """Return the query for counts by game and group: opportunities `o0` and finds `f0`, `o1` and `f1` ..."""
    names = [f"{letter}{number}" for number in numbers for letter in "of"]
    plain = ", ".join(f"d.{name}" for name in names)
    if by.by_turn and tables.decisions is not None:
        masks = dict(tables.measures.values())
        column = {"o": "chances", "f": "found"}
        terms = [f"count_if(d.{column[name[0]]} & {masks[int(name[1:])]} <> 0)" for name in names]
        source = tables.decisions
    else:
        terms = [f"sum(d.{name})" for name in names]
        source = tables.seats if by.by_seat else tables.games
    counts = ", ".join(f"{term}::USMALLINT AS {name}" for term, name in zip(terms, names, strict=True))
    rows, summed = (f"SELECT d.game_id, {by.selected}{listed} FROM d{by.joins}" for listed in (plain, counts))
    if by.by_seat and not by.by_turn:
        # Only games with a repeated name need sums; sums of so many columns take much memory.
        query = f"""{rows} WHERE d.game_id NOT IN (FROM repeated)
UNION ALL
{summed} WHERE d.game_id IN (FROM repeated) GROUP BY ALL"""
    else:
        query = f"{summed}{by.where} GROUP BY ALL" if by.by_turn else rows
    return f"""
WITH d AS NOT MATERIALIZED (
    SELECT j.*, g.players, g.variant, g.edition, g.score, g.full_score
    FROM {source} j JOIN games g USING (game_id)
),
repeated AS (SELECT game_id FROM seats GROUP BY game_id HAVING count(DISTINCT player) < count(*))
{query}
"""


def _points_query(masks: Sequence[int], by: By, tables: DecisionTables) -> str:
    """Return the query for lost points by group and measure; its column `number` is an index into `masks`."""
    numbers = " ".join(f"WHEN 1::BIGINT << d.number & {mask} <> 0 THEN {n}" for n, mask in enumerate(masks))
    return f"""
WITH d AS NOT MATERIALIZED (
    SELECT l.*, g.players, g.variant, g.edition, g.score, g.full_score
    FROM {tables.lost} l JOIN games g USING (game_id)
)
SELECT {by.selected}CASE {numbers} END AS number, sum(d.points)::BIGINT AS points
FROM d{by.joins}{by.where or " WHERE true"} AND d.blamed AND CASE {numbers} END IS NOT NULL
GROUP BY ALL
"""


def _rates(
    db: Database, names: Sequence[str], by: By, minimum: int, confidence: float, folder: Folder
) -> pl.DataFrame:
    """Return the rates of some measures of `DecisionTables`."""
    tables = decision_tables(db, folder, decisions=by.by_turn)
    numbers = [tables.measures[name][0] for name in names]
    masks = [tables.measures[name][1] for name in names]
    lost = db.sql(_points_query(masks, by, tables), temporary=True)
    games = tables.games if by.whole else None
    with grouped_rows(db, _counts_query(numbers, by, tables), by, games=games) as rows:
        groups, fractions = rows.groups, [Fraction(f"r.f{n}", f"r.o{n}") for n in numbers]
        sums = rows.sums(fractions)
        results = rows.ratios(fractions, confidence=confidence, minimum=minimum, compare=True, sums=sums)
        group = rows.numbers(lost)
        shrunk = _shrunk(sums, results) if by.columns == ("player",) else [None] * len(names)
    points = np.zeros((len(names), groups.height), np.int64)
    points[lost["number"].to_numpy(), group] = lost["points"].to_numpy()
    return _with_q(kind_rows(groups, "kind", names, map(_columns, results, points, shrunk)), by.columns)


def _shrunk(sums: Sequence[GroupSums], results: Sequence[Ratios]) -> list[Floats]:
    """Return the shrunk rates of players for each measure.

    Each player's variance uses the common rate and the player's effective number of opportunities, because a
    player without a mistake would otherwise have variance 0. The design effect is that of all players.
    """
    shrunk = []
    for one, result in zip(sums, results, strict=True):
        common = result.found.sum() / max(result.opportunities.sum(), 1)
        several = result.games > 1
        with np.errstate(invalid="ignore", divide="ignore"):
            own = np.nan_to_num(result.found / result.opportunities)
            independent = common * (1 - common) / result.opportunities
            squares = np.maximum(one.ff - 2 * own * one.fo + own**2 * one.oo, 0)
            spread = squares * result.games / (result.games - 1)
            design = spread[several].sum() / (independent * result.opportunities**2)[several].sum()
            shrunk.append(empirical_bayes(result.rate, independent * max(float(np.nan_to_num(design)), 1.0)))
    return shrunk


def _columns(result: Ratios, points: Ints, shrunk: Floats | None = None) -> list[pl.Series]:
    return [
        pl.Series("found", result.found).cast(pl.Int64),
        pl.Series("opportunities", result.opportunities).cast(pl.Int64),
        pl.Series("games", result.games),
        *ratio_columns("rate", result, ""),
        pl.Series("p_value", result.p_value, nan_to_null=True),
        pl.Series("shrunk", np.full(len(points), np.nan) if shrunk is None else shrunk, nan_to_null=True),
        pl.Series("points", points),
    ]


def _with_q(frame: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    frame = frame.filter(pl.col("opportunities") > 0)
    q_values = pl.Series("q_value", benjamini_hochberg(frame["p_value"]), pl.Float64)
    return select_columns(frame.with_columns(q_values.fill_nan(None)), "rates", by)


def _severities(
    db: Database, kinds: Collection[str], minimum: int, confidence: float, folder: Folder
) -> pl.DataFrame:
    """Return the share of each severity among the mistakes of each kind.

    `games` counts the games with a mistake of the kind.
    """
    query = f"""
WITH found AS MATERIALIZED (
    SELECT game_id, number, severity, count(*) AS found, sum(points)::BIGINT AS points
    FROM {db.mistakes_table(folder)} GROUP BY ALL
),
of AS (SELECT game_id, number, sum(found) AS opportunities FROM found GROUP BY ALL),
severities AS (SELECT DISTINCT number, severity FROM found)
SELECT of.game_id, of.number, severities.severity, coalesce(m.found, 0)::INTEGER AS found,
    of.opportunities::INTEGER AS opportunities, coalesce(m.points, 0)::INTEGER AS points
FROM of JOIN severities ON severities.number = of.number
LEFT JOIN found m
    ON m.game_id = of.game_id AND m.number = of.number AND m.severity = severities.severity
"""
    numbers = {kind: number for number, kind in enumerate(definitions(folder)) if kind in kinds}
    by = By("severity", ("number", "severity"), ("number", "severity"))
    with grouped_rows(db, query, by) as rows:
        share = Fraction("r.found", "r.opportunities")
        [result] = rows.ratios([share], confidence=confidence, minimum=minimum)
        points = rows.frame("sum(r.points)::BIGINT AS points")["points"].to_numpy()
    frame = rows.groups.with_columns(
        pl.col("severity").cast(pl.Enum(list(SEVERITIES))), *_columns(result, points)
    ).filter(pl.col("number").is_in(list(numbers.values())))
    kind = pl.col("number").replace_strict(list(numbers.values()), list(numbers), return_dtype=pl.String)
    frame = frame.with_columns(kind.alias("kind")).sort("severity", pl.col("kind").cast(pl.Enum(list(kinds))))
    return _with_q(frame, ["severity"])

"""Luck: losses by plays and discards, compared with the average losses of such moves.

An expected loss is a sum of chances of the act layer (`hanalyze.chances`) over played and discarded cards; it
measures the risk, not its outcome.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from hanalyze.analysis.columns import RISKS, schema, select_columns
from hanalyze.analysis.group_sums import Fraction, grouped_rows, kind_rows, ratio_columns, temporary_table
from hanalyze.analysis.grouping import BY_GAME, DECISIONS, By, Groups, by_name
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.statistics.intervals import check_confidence
from hanalyze.chances.logistic import LEAST, STRAIGHT, fit_curve, logit
from hanalyze.chances.model_choice import FEWEST, FOLDS, corpus_of
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.mistakes import CHARGED_ELSEWHERE, find_missed_saves
from hanalyze.tables.chances import PLACES

LUCK_BY: Final = ("game", "player", "partner", "seat", *BY_GAME, "turn", "score")

_GROUPS: Final = {**DECISIONS, "game": By("game", ("game_id", "game"), ("d.game_id", "d.game"))}
_SAMPLE: Final = 2_000
"""Maximum number of games for calibration. Keys are digests, so the first keys are a random sample."""
_PENALTY: Final = (1.0, 10.0, 1e9)
"""Penalties of a, b and the bends, which shrink curves towards the shipped chances."""
_POINTS: Final = 10.0
"""Points added to numerator and denominator of the factor (`_curves`), so a few losses change it little."""

_ADJUSTED: Final = f"""
SELECT a.*, coalesce(c.factor, 1) AS factor, CASE
    WHEN c.a IS NULL OR a.p IN (0, 1) THEN a.p
    ELSE 1 / (1 + exp(-c.a - c.b * ln(least(greatest(a.p, {LEAST}), {1 - LEAST})
        / (1 - least(greatest(a.p, {LEAST}), {1 - LEAST})))))
END AS said
FROM ({{acts}}) a LEFT JOIN _curves c USING (loss, place, fold)
"""


def luck(db: Database, by: Groups = "player", *, confidence: float = 0.95) -> pl.DataFrame:
    """Return what plays and discards lost and what such moves lose on average, by group and risk.

    `by` is one of `LUCK_BY`, not None: with at least 10 games (`hanalyze.chances.model_choice.FEWEST`), the
    chances are calibrated on these games, so the luck of all games together is about 0. Points charged to an
    earlier move, such as a missed save, do not count: an unsaved card is not bad luck. Games that were not
    read for conventions have no chances and are left out.

    The columns are that of the group and those of `FRAMES`. The interval of `luck` uses Student's t over
    games and is null for fewer than 20 games. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     frame = luck(db, "players")
    >>> frame["risk"].to_list(), frame["method"][0], frame["model"][0]
    (['last_copy', 'misplay', 'points'], 'shipped', 'real')
    """
    check_confidence(confidence)
    grouping = by_name(by or "None", _GROUPS, LUCK_BY)  # None is not allowed
    db.prepare_decisions(names=True)
    find_missed_saves(db.connection)
    models = db.sql("SELECT chances, count(*) AS games FROM convention_games GROUP BY ALL ORDER BY games, 1")
    if models.is_empty():
        return pl.DataFrame(schema=schema("luck", grouping.columns))
    games, name = int(models["games"].sum()), models["chances"][-1]
    method = "adjusted" if games >= FEWEST else "shipped"
    acts = sql_text("luck_acts").format(folds=FOLDS, charged=CHARGED_ELSEWHERE)
    curves = list(_curves(db, acts)) if method == "adjusted" else []
    columns = "loss VARCHAR, place VARCHAR, fold BIGINT, a DOUBLE, b DOUBLE, factor DOUBLE"
    db.sql(f"CREATE OR REPLACE TEMP TABLE _curves ({columns})", temporary=True)
    for one in curves:
        db.connection.execute("INSERT INTO _curves VALUES (?, ?, ?, ?, ?, ?)", one)
    with temporary_table(db, "_acts", _ADJUSTED.format(acts=acts)):
        frame = _losses(db, grouping, confidence)
    db.sql("DROP TABLE _curves", temporary=True)
    frame = frame.filter(pl.col("games") > 0).with_columns(
        pl.lit(method).alias("method"),
        pl.lit(name).alias("model"),
        pl.lit(corpus_of(method, name, games)).alias("corpus"),
    )
    return select_columns(frame, "luck", grouping.columns)


def _curves(db: Database, acts: str) -> Iterator[tuple[str, str, int, float, float, float]]:
    """Yield (loss, place, fold, a, b, factor): the calibration of the shipped chances, fitted on other folds.

    Each logit x becomes a + b * x, and the factor scales the points that a loss costs.
    """
    sample = f"SELECT game_id FROM convention_games ORDER BY game_id LIMIT {_SAMPLE}"
    columns = "loss, place, fold, p, lost, points, act_points / p AS stake"
    query = f"SELECT {columns} FROM ({acts}) WHERE p > 0 AND p < 1 AND game_id IN ({sample})"
    rows = db.sql(query, temporary=True)
    p, fold = rows["p"].to_numpy(), rows["fold"].to_numpy()
    points, stake = rows["points"].to_numpy(), rows["stake"].to_numpy()
    is_lost = rows["lost"].cast(float).to_numpy()
    for loss in RISKS[:2]:
        for place in PLACES:
            here = ((rows["loss"] == loss) & (rows["place"] == place)).to_numpy()
            for number in range(FOLDS):
                others = np.flatnonzero(here & (fold != number))
                if len(others):
                    a, b, *_ = fit_curve(logit(p[others]), is_lost[others], STRAIGHT, _PENALTY)
                    cost, charged = points[others].sum(), (stake * is_lost)[others].sum()
                    factor = (cost + _POINTS) / (charged + _POINTS)
                    yield loss, place, number, float(a), float(b), float(factor)


def _losses(db: Database, by: By, confidence: float) -> pl.DataFrame:
    terms = [("d.lost::INTEGER", "d.said", f" FILTER (d.loss = '{loss}')") for loss in RISKS[:2]]
    terms.append(("d.points", "CASE WHEN d.p > 0 THEN d.factor * d.act_points * d.said / d.p ELSE 0 END", ""))
    sums = ", ".join(
        f"count(*){whose} AS n{number}, coalesce(sum({counted}){whose}, 0)::DOUBLE AS c{number},"
        f" coalesce(sum({expected}){whose}, 0)::DOUBLE AS e{number}"
        for number, (counted, expected, whose) in enumerate(terms)
    )
    query = f"""
WITH d AS NOT MATERIALIZED (
    SELECT a.*, g.players, g.variant, g.edition, g.score, g.full_score
    FROM _acts a JOIN games g USING (game_id)
)
SELECT d.game_id, {by.selected}{sums} FROM d{by.joins}{by.where} GROUP BY ALL
"""
    numbers = range(len(RISKS))
    with grouped_rows(db, query, by) as rows:
        fractions = [Fraction(f"r.e{n} - r.c{n}", share=False) for n in numbers]
        results = rows.ratios(fractions, confidence=confidence)
        totals = rows.frame(", ".join(f"sum(r.{x}{n}) AS {x}{n}" for n in numbers for x in "nce"))
    columns = (
        [
            pl.Series("games", result.games),
            totals[f"n{number}"].alias("decisions"),
            totals[f"c{number}"].alias("counted"),
            totals[f"e{number}"].alias("expected"),
            *ratio_columns("luck", result),
        ]
        for number, result in enumerate(results)
    )
    return kind_rows(rows.groups, "risk", RISKS, columns)

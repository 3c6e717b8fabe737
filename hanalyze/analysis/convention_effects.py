"""Effects of taking a convention instead of declining it in similar positions, with negative controls.

Turns that offered and took a convention are compared with turns that offered and declined it
(`hanalyze.analysis.statistics.doubly_robust`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from hanalyze.analysis.columns import OUTCOMES, schema, select_columns
from hanalyze.analysis.convention_offers import OFFERABLE, Estimate, chosen_games, estimates, offered_turns
from hanalyze.analysis.filters import check_filled
from hanalyze.analysis.grouping import DECISIONS, by_name
from hanalyze.analysis.negative_controls import CONTROLS, control
from hanalyze.analysis.statistics.intervals import benjamini_hochberg, check_confidence
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import needed, polars as pl, scipy_stats
from hanalyze.store import Database
from hanalyze.words import named_convention

MOST_GAMES: Final = 20_000
"""Maximum number of games; from a larger number a fixed sample is used."""
_LEVEL: Final = 0.05
"""A verdict other than "undecided" needs a q-value below this level."""


def convention_effects(
    db: Database,
    *conventions: str,
    by: str | None = None,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
    most_games: int = MOST_GAMES,
) -> pl.DataFrame:
    """Return the effect of taking each of some conventions (default all), a row for each one and outcome.

    The turns are those on which a clue could have used a convention (`convention_opportunities.available`).
    Turns that used it are compared with turns in similar positions that did something else. The estimate is
    doubly robust on `hanalyze.analysis.convention_offers.VARIABLES`, which all precede the action
    (`hanalyze.analysis.statistics.doubly_robust`). It is the effect on the turns that took the convention.
    The outcomes are points and plays of the turn and the next 6 turns, and the final score.

    A player with at least `minimum` taken and `minimum` declined turns gets an intercept, so that their turns
    are compared with each other; `within` is the share of taken turns by such players. A row has an estimate
    only with `minimum` taken and `minimum` declined turns, and taken turns in at least 20 games; otherwise
    `why` names the reason. `games` are the keys of the games to use, by default all. If there are more than
    `most_games` games, or more than 25,000 taken or declined turns, a fixed sample is used.

    `random` and `cautious` are the same estimate in games of agents
    that know no conventions (`hanalyze.analysis.negative_controls`). `p_value` is the largest p-value of the
    tests that the effect equals 0 and each control (an intersection-union test: Berger 1982);
    `q_value` is adjusted over all rows (Benjamini & Hochberg 1995). `verdict` is "more" or "less" only if q
    is below 0.05. Confounders outside the variables may remain. Each convention is estimated by itself,
    without its subtypes.

    `FRAMES` lists the columns. Raises `UnknownName`, and `HanalyzeError` (rules `not_read`, `bad_number`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     frame = convention_effects(db, "finesse")
    >>> frame["outcome"].to_list(), frame["why"].unique().to_list()
    (['points', 'plays', 'final_score'], ['few_taken'])
    """
    check_filled(db, "convention_games")
    check_confidence(confidence)
    needed("scipy.stats")
    by_name(by, DECISIONS, ())
    if minimum < 2 or most_games < 1:
        raise HanalyzeError(
            f"a minimum of {minimum} turns and at most {most_games} games",
            rule="bad_number",
            advice="use at least 2 turns and 1 game",
        )
    chosen = [named_convention(name) for name in conventions] or list(OFFERABLE)
    offerable = [one for one in chosen if one in OFFERABLE]
    with chosen_games(db, games) as table:
        turns = offered_turns(db, table, most_games)
    return _frame(estimates(turns, offerable, minimum), turns.games / max(turns.all_games, 1), confidence)


def _frame(found: Iterable[Estimate], sampled: float, confidence: float) -> pl.DataFrame:
    rows = [
        {**_row(one, number, confidence), "sampled": sampled}
        for one in found
        for number in range(len(OUTCOMES))
    ]
    frame = pl.DataFrame(rows, schema("convention_effects")).fill_nan(None)
    q_values = pl.Series("q_value", benjamini_hochberg(frame["p_value"]), pl.Float64)
    frame = frame.with_columns(q_values.fill_nan(None))
    sure = (pl.col("q_value") < _LEVEL) & (pl.col("why").is_null())
    verdict = (
        pl.when(pl.col("effect").is_null())
        .then(None)
        .when(sure & (pl.col("effect") > 0))
        .then(pl.lit("more"))
        .when(sure & (pl.col("effect") < 0))
        .then(pl.lit("less"))
        .otherwise(pl.lit("undecided"))
    )
    return select_columns(frame.with_columns(verdict.alias("verdict")), "convention_effects")


def _row(one: Estimate, outcome: int, confidence: float) -> dict[str, Any]:
    row: dict[str, Any] = {
        "convention": one.convention.label,
        "outcome": OUTCOMES[outcome],
        "taken": one.taken,
        "declined": one.declined,
        "games": one.games,
        "unadjusted": None if one.unadjusted is None else float(one.unadjusted[outcome]),
        "within": one.within,
        "why": one.why,
    }
    if one.effect is None:
        return row
    if not one.effect.error[outcome] > 0:
        return row | {"why": "no_variation"}
    degrees = one.games - 1
    value, error = float(one.effect.value[outcome]), float(one.effect.error[outcome])
    level = 0.5 + confidence / 2
    student, normal = float(scipy_stats.t.ppf(level, degrees)), float(scipy_stats.norm.ppf(level))
    row |= _with_ends("effect", value, student * error)
    row |= {name: getattr(one.effect, name) for name in ("overlap", "effective", "balance")}
    apart = [(value, error)]
    for name in CONTROLS:
        by_chance = control(name, one.convention, OUTCOMES[outcome], one.players)
        if by_chance is not None:
            row |= _with_ends(name, by_chance.value, normal * by_chance.error)
            apart.append((value - by_chance.value, math.hypot(error, by_chance.error)))
        elif name == "cautious":
            row["why"] = "no_control"
    row["p_value"] = _largest(apart, degrees)
    return row


def _largest(differences: Sequence[tuple[float, float]], degrees: int) -> float:
    """Return the largest two-sided p-value of some differences; 1 if their signs differ."""
    if len({value > 0 for value, _ in differences}) > 1:
        return 1.0
    t = scipy_stats.t
    return max(float(2 * t.sf(abs(value) / error, degrees)) for value, error in differences)


def _with_ends(name: str, value: float, half: float) -> dict[str, float]:
    return {name: value, f"{name}_low": value - half, f"{name}_high": value + half}

"""Final scores after clues that used a convention, compared with other clues in similar positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from hanalyze.analysis.columns import OUTCOMES, schema, select_columns
from hanalyze.analysis.convention_offers import (
    OFFERABLE,
    Estimate,
    OfferedTurns,
    chosen_games,
    estimates,
    offered_turns,
)
from hanalyze.analysis.filters import check_filled
from hanalyze.analysis.grouping import DECISIONS, Groups, by_name
from hanalyze.analysis.statistics.intervals import benjamini_hochberg, check_confidence, student, two_sided
from hanalyze.conventions.classes import SAVES, is_any
from hanalyze.errors import HanalyzeError
from hanalyze.game.meanings import Convention
from hanalyze.lazy import needed, polars as pl
from hanalyze.store import Database
from hanalyze.words import named_convention

MOST_GAMES: Final = 20_000
"""Maximum number of games; larger databases are sampled."""
_LEVEL: Final = 0.005
"""A verdict other than "undecided" needs a q-value below this level (Benjamin et al. 2018)."""
BALANCED: Final = 0.1
"""Largest balance with which a row gets a verdict, in standard deviations (Austin 2009)."""
BIAS: Final = 0.2
"""Points by which an estimate may be wrong because of unmeasured differences between positions.

Replays and experiments differ from estimates by up to 0.17 points (docs/statistics.md). A verdict needs a
difference that is clearly larger.
"""


def convention_effects(
    db: Database,
    *conventions: str,
    by: Groups = None,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
    most_games: int = MOST_GAMES,
) -> pl.DataFrame:
    """Return how outcomes after a convention differ from those after other clues; default: all conventions.

    The turns are those on which the player gave a clue and could have used the convention
    (`convention_opportunities.available`). Turns that used it are compared with turns in similar positions on
    which the player gave another clue. The estimate is doubly robust and describes the turns that used it
    (`hanalyze.analysis.statistics.doubly_robust.effect`). Its variables precede the action: those of
    `hanalyze.analysis.convention_offers.VARIABLES`, step functions of some of them, and the other conventions
    offered. There is a row for each clue convention and outcome: the final score and, as a description only,
    the points and plays of the turn and the next 6 turns; a save has fewer of these by design. A convention
    is estimated by itself, without its subtypes.

    A player with at least `minimum` taken and `minimum` declined turns gets an intercept. A row has an
    estimate only with `minimum` taken and `minimum` declined turns, and taken turns in at least 20 games;
    otherwise `why` names the reason. `by` must be None, because this table has no groupings. `games` are the
    keys of the games to use, by default all. If there are more than `most_games` games, or more than 25,000
    taken or declined turns, a fixed sample is used.

    Only the final score is tested, and only if the weighted turns are balanced (at most 0.1 standard
    deviations apart in any variable). Saves are not tested: without the save, the player would often have
    discarded, and other clues do not show the outcome of a discard. `p_value` tests for a difference of at
    most `BIAS` points (two-sided, least favourable case: Murphy & Myors 1999), and `q_value` is adjusted over
    the tested rows (Benjamini & Hochberg 1995). A difference is an association, not an effect.

    `FRAMES` lists the columns. Raises `UnknownName`, and `HanalyzeError` (rules `no_game`, `not_read`,
    `bad_number`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     frame = convention_effects(db, "finesse")
    >>> frame["outcome"].to_list(), frame["why"].unique().to_list()
    (['points', 'plays', 'final_score'], ['few_taken'])
    """
    by_name(by, DECISIONS, ())
    return _effects(db, conventions, games, minimum, confidence, most_games)


def experiment_effects(
    db: Database,
    *conventions: str,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return the effects of conventions in games of `simulate(overrides=...)`; default: of all conventions.

    The turns are those on which a coin decided between a clue of the convention and another clue
    (`hanalyze.agents.simulation`); tosses against a play or a discard do not count. The columns are those of
    `convention_effects`. `effect` compares the mean outcomes after the two sides of the coin: it is the
    effect for these agents, with a standard error clustered by game. `balance` is 0, and `p_value`
    tests for no difference. Raises the errors of `convention_effects`.

    >>> from hanalyze.agents import simulate
    >>> from hanalyze.store import connect
    >>> with connect() as db:
    ...     _ = db.add(simulate("conventional", games=4, overrides={"play_clue": 0.5}, fast=False))
    ...     _ = db.read_conventions()
    ...     frame = experiment_effects(db)
    >>> frame["convention"].unique().to_list(), frame["taken"][0] + frame["declined"][0] > 4
    (['play_clue'], True)
    """
    return _effects(db, conventions, games, minimum, confidence, None)


def _effects(
    db: Database,
    conventions: Sequence[str],
    games: Iterable[int] | None,
    minimum: int,
    confidence: float,
    most_games: int | None,
) -> pl.DataFrame:
    """Return the effects, from tosses of an experiment if `most_games` is None. Raises `HanalyzeError`."""
    check_filled(db, "convention_games")
    check_confidence(confidence)
    needed("scipy.special")
    tossed, most = most_games is None, 2**31 if most_games is None else most_games
    if minimum < 2 or most < 1:
        problem = f"a minimum of {minimum}" if minimum < 2 else f"a sample of {most} games"
        advice = "effects need at least 2 turns (--min 2) and 1 game"
        raise HanalyzeError(problem, rule="bad_number", advice=advice)
    selected = [named_convention(name) for name in conventions] or list(OFFERABLE)
    offerable = [convention for convention in selected if convention in OFFERABLE]
    with chosen_games(db, games) as table:
        turns = offered_turns(db, table, most, tossed=tossed)
    return effects_of(turns, offerable, minimum, confidence)


def effects_of(
    turns: OfferedTurns,
    conventions: Sequence[Convention] = OFFERABLE,
    minimum: int = 30,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return the frame of `convention_effects` for these turns."""
    sampled = turns.games / max(turns.all_games, 1)
    tossed = not turns.covariates.shape[1]
    rows = [
        {**_row(one, number, confidence, tossed), "sampled": sampled}
        for one in estimates(turns, conventions, minimum)
        for number in range(len(OUTCOMES))
    ]
    frame = pl.DataFrame(rows, schema("convention_effects")).fill_nan(None)
    q_values = pl.Series("q_value", benjamini_hochberg(frame["p_value"]), pl.Float64)
    frame = frame.with_columns(q_values.fill_nan(None))
    clear = pl.col("q_value") < _LEVEL
    side = pl.when(pl.col("effect") > 0).then(pl.lit("more")).otherwise(pl.lit("less"))
    found = pl.when(clear & (pl.col("effect") != 0)).then(side).otherwise(pl.lit("undecided"))
    verdict = pl.when(pl.col("p_value").is_not_null()).then(found)
    return select_columns(frame.with_columns(verdict.alias("verdict")), "convention_effects")


def _row(one: Estimate, outcome: int, confidence: float, tossed: bool) -> dict[str, Any]:
    names = ("taken", "declined", "games", "within", "why")
    row: dict[str, Any] = {
        "convention": one.convention.label,
        "outcome": OUTCOMES[outcome],
        "unadjusted": None if one.unadjusted is None else float(one.unadjusted[outcome]),
        **{name: getattr(one, name) for name in names},
    }
    if one.effect is None:
        return row
    if not one.effect.error[outcome] > 0:
        return row | {"why": "no_variation"}
    value, error = float(one.effect.value[outcome]), float(one.effect.error[outcome])
    half = student((1 + confidence) / 2, one.games - 1) * error
    row |= {"effect": value, "effect_low": value - half, "effect_high": value + half}
    row |= {name: getattr(one.effect, name) for name in ("overlap", "effective", "balance")}
    if OUTCOMES[outcome] == "final_score":
        if one.effect.balance > BALANCED:
            return row | {"why": "unbalanced"}
        if not tossed and is_any(one.convention, SAVES):
            return row | {"why": "replaces_discards"}
        row["p_value"] = two_sided(value / error, one.games - 1, 0.0 if tossed else BIAS / error)
    return row

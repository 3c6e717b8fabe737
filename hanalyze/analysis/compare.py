"""Comparison of two groups of games, matched by team size, variant and difficulty of the deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hanalyze.analysis.columns import schema
from hanalyze.analysis.decision_cache import unchanged_games
from hanalyze.analysis.filters import Where
from hanalyze.analysis.matching import choose_groups, default_match, group_names, match_games, match_words
from hanalyze.analysis.measures import Measure, measures
from hanalyze.analysis.statistics.differences import Design, Difference, differences
from hanalyze.analysis.statistics.intervals import Interval, benjamini_hochberg, check_confidence
from hanalyze.analysis.statistics.multiplicity import adjusted_intervals
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import needed, polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import Folder
from hanalyze.text import printable


@dataclass(frozen=True, slots=True)
class Note:
    """Description of a comparison; pairs have the values of group a and group b.

    * `names`: names of the groups.
    * `games`: games that the filters chose, without the `common` games, which are in both groups.
    * `matched`: games with a counterpart in the other group.
    * `deals`: identical deals that both groups played; `on_deals` are the games with these deals.
    * `strata`: strata of similar games, identical deals included; `lone_strata` were left out, because one
      group has no game in them.
    * `match`: properties in which the games of a stratum agree; `confidence`: that of the intervals.
    * `conventions`: conventions by which the filters choose games.
    """

    names: tuple[str, str]
    games: tuple[int, int]
    matched: tuple[int, int]
    common: int
    deals: int
    on_deals: tuple[int, int]
    strata: int
    lone_strata: int
    match: tuple[str, ...]
    confidence: float
    conventions: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of games without a counterpart, by group."""
        return self.games[0] - self.matched[0], self.games[1] - self.matched[1]

    def __str__(self) -> str:
        a, b = map(printable, self.names)
        by = ", ".join(self.match) if self.match else "nothing"
        parts = [
            f"matched by {by}: {self.matched[0]:,} of {self.games[0]:,} games of {a}"
            f" with {self.matched[1]:,} of {self.games[1]:,} of {b}"
        ]
        if self.deals:
            parts.append(
                f"{self.deals:,} identical deals with {self.on_deals[0]:,} and {self.on_deals[1]:,} games"
            )
        parts.append(f"{self.strata:,} strata; {self.lone_strata:,} with games of only one group left out")
        if self.common:
            parts.append(f"{self.common:,} games in both groups left out")
        return "; ".join(parts)

    @property
    def caution(self) -> str:
        """A warning if the filters select games by a convention; empty otherwise."""
        if not self.conventions:
            return ""
        which = " or ".join(self.conventions)
        return (
            f"games with {which} also differ in other ways: long games offer more turns for it (exposure),"
            " and better players may use it more often (skill), so the difference is not its effect"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of two groups of games: `frame` has one row per measure, `note` describes the groups."""

    frame: pl.DataFrame
    note: Note

    @property
    def headline(self) -> str:
        """A sentence on the first measure with a difference, and its interval if there is one.

        It is about `finished` instead of `score` if `score` has no interval and no clear difference.
        """
        a, b = self.note.names
        measures = self.frame["q_value"].count()
        rows = self.frame.drop_nulls("difference").to_dicts()
        confidence = self.note.confidence
        if len(rows) > 1 and rows[1]["measure"] == "finished" and rows[0]["low"] is None:
            rows = rows[not _is_clear(rows[0], confidence) :]
        for row in rows:
            return printable(_sentence(row, a, b, confidence, measures))
        return f"{printable(a)} and {printable(b)} cannot be compared: too few opportunities"


def _is_clear(row: dict[str, Any], confidence: float) -> bool:
    return row["q_value"] is not None and row["q_value"] <= 1 - confidence


def _sentence(row: dict[str, Any], a: str, b: str, confidence: float, measures: int) -> str:
    scale, unit, percent = (1, f" {row['unit']}", "") if row["unit"] else (100, "%", "%")
    values, ends = (
        [None if row[name] is None else f"{scale * row[name]:z.2f}" for name in names]
        for names in (("a", "b", "difference"), ("low", "high"))
    )
    which = f"{row['measure']}: {values[0]}{unit} for {a} and {values[1]}{percent} for {b}"
    difference = f", a difference of {values[2]}" if _is_clear(row, confidence) else ", no clear difference"
    if ends[0] is None:
        return f"{which}{'' if row['q_value'] is None else difference}; too little data for an interval"
    among = f", adjusted for {measures} measures" if measures > 1 else ""
    return f"{which}{difference} ({100 * confidence:g}% interval {ends[0]} to {ends[1]}{among})"


_AT_ONCE: Final = 1_000_000
"""Maximum number of values (games times measures) in memory at a time."""


def compare(
    database: Database,
    other: Database | None = None,
    /,
    *,
    a: Where = None,
    b: Where = None,
    match: str | Sequence[str] | None = None,
    measure: str | Sequence[str | Measure] | None = None,
    bands: int = 3,
    minimum: int = 30,
    confidence: float = 0.95,
    names: tuple[str, str] | None = None,
    folder: Folder = None,
) -> Comparison:
    """Compare two groups of games, from two databases or from filters on one database.

    `a` and `b` choose the games of the first and of the second group: a filter such as `player=Alice and
    score>=20` (grammar: `hanalyze.analysis.filters`), or keys of games. Games in both groups are left out and
    counted. Games are compared within strata of games that agree in the properties `match` (names from
    `MATCH`; `()` compares all games with all games; the default is that of
    `hanalyze.analysis.matching.default_match`). Difficulty has up to `bands` bands (`match_games`). Unmatched
    differences remain, such as the skill of partners; games chosen by a convention also differ in length and
    in players (`Note.caution`), so for the effect of a convention use `convention_effects`.

    `measure` is a name from `measures`, a `Measure`, or a sequence of these; the default is all measures but
    those of conventions. The frame has a row per measure, and the columns of `FRAMES`. A measure of decisions
    gets only its sums if a group has fewer than `minimum` opportunities. `names` are the names of the groups;
    `folder` contains further definitions of mistakes.

    Intervals and p-values are those of `hanalyze.analysis.statistics.differences`. A mean has no interval if
    the interval would exceed the possible range (`Measure.most`). A difference is clear if its q-value is at
    most 1 - `confidence`. `low` and `high` are adjusted for the number of measures; they exclude 0 exactly if
    the difference is clear.

    Raises `UnknownName` and `HanalyzeError` (rules `bad_filter`, `no_game`, `no_games`, `not_read`,
    `no_overlap`, `bad_number`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = compare(
    ...         db,
    ...         a='source="hanalyze simulate, cautious"',
    ...         b='source="hanalyze simulate, random"',
    ...         match=["players", "variant", "deal"],
    ...         measure=["score"],
    ...     )
    >>> found.note.matched, found.note.deals, found.frame["difference"].item() > 5
    ((2, 2), 2, True)
    """
    check_confidence(confidence)
    if minimum < 0:
        raise HanalyzeError(f"a minimum of {minimum}", rule="bad_number", advice="use at least 0")
    needed("scipy.special")  # fail before the queries if SciPy is missing
    words = None if match is None else match_words(match)
    selected = measures(measure, folder=folder)
    databases = database, database if other is None else other
    labels = names or group_names(databases, (a, b))
    groups = choose_groups(databases, (a, b), labels)
    frames = [games.with_columns(pl.lit(side).alias("group")) for side, games in enumerate(groups.games)]
    sizes = frames[0].height, frames[1].height
    all_games = pl.concat(frames)
    words = default_match(all_games) if words is None else words
    matched = match_games(all_games, words, bands)
    games = matched.games
    if not games.height:
        what = "all games are in both groups" if not all_games.height else "no game has a match"
        raise HanalyzeError(
            f"{what}: {labels[0]} and {labels[1]}",
            rule="no_overlap",
            advice="give other filters; `hanalyze me` compares a player with the others in the same games"
            if not all_games.height
            else "match on fewer properties, or on none (--match none)",
        )
    design = Design(
        games["group"].to_numpy().astype(np.int64),
        games["stratum"].to_numpy(),
        games["deal"].rank("dense").to_numpy().astype(np.int64),
        games["weight"].to_numpy(),
        matched.paired.to_numpy(),
    )
    results: list[Difference] = []
    unmatched: list[float | None] = []
    # The columns used for matching are no longer needed.
    all_games, games = all_games.select("group", "game_id"), games.select("group", "game_id", "stratum")
    common, conventions = groups.common, groups.conventions
    del frames, groups
    step = max(_AT_ONCE // games.height, 1)
    for first in range(0, len(selected), step):
        batch = selected[first : first + step]
        found, opportunities = [], []
        with unchanged_games(databases[0]), unchanged_games(databases[1]):
            for one in batch:
                values = _values(one, databases, all_games, folder)
                joined = games.join(values, on=["group", "game_id"], how="left", maintain_order="left")
                found.append(joined["found"].to_numpy())
                opportunities.append(joined["opportunities"].to_numpy())
                unmatched.append(_unmatched(values))
        results += differences(
            design,
            found,
            opportunities,
            shares=[measure.share for measure in batch],
            minimum=[0 if measure.per_game else minimum for measure in batch],
            fewest=[measure.fewest for measure in batch],
            confidence=confidence,
        )
    deals = matched.paired.sum()
    on_deals = games.filter(pl.Series(matched.paired.to_numpy()[games["stratum"].to_numpy()]))
    note = Note(
        names=labels,
        games=sizes,
        matched=_of_sides(games),
        common=common,
        deals=int(deals),
        on_deals=_of_sides(on_deals),
        strata=len(matched.paired),
        lone_strata=matched.lone,
        match=words,
        confidence=confidence,
        conventions=conventions,
    )
    return Comparison(_frame(selected, results, unmatched, confidence), note)


def _of_sides(games: pl.DataFrame) -> tuple[int, int]:
    first = int((games["group"] == 0).sum())
    return first, games.height - first


def _values(
    one: Measure, databases: tuple[Database, Database], games: pl.DataFrame, folder: Folder
) -> pl.DataFrame:
    """Return `found` and `opportunities` of the games; both are 0 for games without opportunities."""
    parts: list[pl.DataFrame] = []
    for side, db in enumerate(databases):
        if side and db is databases[0]:
            rows = parts[0].drop("group")
        else:
            numbers = pl.col("found", "opportunities").cast(pl.Float64)
            rows = db.sql(one.sql(db, folder), temporary=True).select("game_id", numbers)
        parts.append(rows.with_columns(pl.lit(side).alias("group")))
    both = games.select("group", "game_id").join(pl.concat(parts), on=["group", "game_id"], how="left")
    has_opportunity = pl.col("found").is_not_null() & (pl.col("opportunities") > 0)
    return both.with_columns(pl.when(has_opportunity).then(pl.col("found", "opportunities")).otherwise(0.0))


def _unmatched(values: pl.DataFrame) -> float | None:
    """Return the difference over all games, matched or not; None if a group has no opportunity."""
    ratios = []
    for side in (0, 1):
        own = values.filter(values["group"] == side)
        of = float(own["opportunities"].sum())
        ratios.append(float(own["found"].sum()) / of if of else None)
    return None if ratios[0] is None or ratios[1] is None else ratios[0] - ratios[1]


def _frame(
    wanted: Sequence[Measure],
    results: Sequence[Difference],
    unmatched: Sequence[float | None],
    confidence: float,
) -> pl.DataFrame:
    p_values = [result.p_value for result in results]
    q_values = benjamini_hochberg(p_values)
    ends = adjusted_intervals(
        [result.effect for result in results],
        [Interval(result.low, result.high) for result in results],
        p_values,
        q_values,
        confidence,
        [result.shares for result in results],
    )
    rows = []
    for number, (measure, result, (low, high)) in enumerate(zip(wanted, results, ends, strict=True)):
        is_possible = measure.most is None or max(-low, high) <= measure.most
        row = {
            "measure": measure.name,
            "unit": measure.unit,
            "difference": result.effect,
            "low": low if is_possible else None,
            "high": high if is_possible else None,
            "p_value": p_values[number],
            "q_value": q_values[number],
            "unmatched": None if np.isnan(result.effect) else unmatched[number],
        }
        for side, group in enumerate("ab"):
            row[group] = result.ratios[side]
            row |= {f"{name}_{group}": getattr(result, name)[side] for name in _SUMS}
        rows.append(row)
    return pl.DataFrame(rows, schema("compare")).fill_nan(None)


_SUMS: Final = ("found", "opportunities", "games")
"""Fields of `Difference` with a sum for each group."""

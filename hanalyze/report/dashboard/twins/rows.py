"""Computes the numbers of a figure from the sums of cells; `Question.rows` chooses the function.

Its twin is rows.js.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.statistics.intervals import Floats
from hanalyze.analysis.statistics.multiplicity import empirical_bayes
from hanalyze.game.meanings import Convention
from hanalyze.report.dashboard.cube import Cube, Filters
from hanalyze.report.dashboard.questions import Question
from hanalyze.report.dashboard.teams import BIN, BINS
from hanalyze.report.dashboard.twins.rates import Sum, Z, estimate, quantile

TREND: Final = "Trend"
"""Panel of trends within games; it is not drawn."""

_FEW: Final = 20
_FEW_TOGETHER: Final = 25


@dataclass(frozen=True, slots=True)
class Row:
    """A scaled number of a figure; `low` and `high` are None without an interval.

    `other` is the second player of a pair; for pairs, `x` is the higher index of the two players (the most
    frequent player has index 0). `clear` tells whether the difference is significant among all comparisons of
    the page, and `dim` whether another player is chosen. For curves, `x` is the turn, `series` is 0 for
    achieved and 1 for needed, and `p25` and `p75` are quartiles over games. For differences, `error` is the
    standard error, `freedom` its degrees of freedom (0: normal), and `shrunk` the value after shrinkage.
    """

    panel: str
    label: str
    value: float | None
    low: float | None
    high: float | None
    x: float
    y: float
    n: float
    other: str = ""
    clear: bool = False
    dim: bool = False
    series: int = 0
    p25: float = 0.0
    p75: float = 0.0
    error: float = 0.0
    freedom: float = 0.0
    shrunk: float | None = None


def rows_of(cube: Cube, question: Question, filters: Filters | None = None) -> list[Row]:
    """Return the rows of a figure in order."""
    return _KINDS[question.rows](cube, question, filters or {})


def sums_of(cube: Cube, name: str, cells: Iterable[int]) -> list[Sum]:
    """Return the sums of a tally over some cells, with one `Sum` per key."""
    totals = cube.totals(name)[list(cells)].sum(axis=0).tolist()
    keys = cube.sums(name).keys
    return [Sum(panel, label, *values) for (panel, label, _), values in zip(keys, totals, strict=True)]


def _rates(cube: Cube, question: Question, filters: Filters) -> list[Row]:
    labels, rows = cube.labels(question), []
    for one in sums_of(cube, question.counts[0], cube.chosen(filters)):
        if one.y > 0 and (not labels or one.label in labels):
            ends = estimate(one, share=question.is_share(one.panel))
            value, low, high = (None if end is None else end * question.scale for end in ends)
            rows.append(Row(one.panel, one.label, value, low, high, one.x, one.y, one.n))
    return [*rows, *_trend(cube, question, filters)]


def _trend(cube: Cube, question: Question, filters: Filters) -> list[Row]:
    """Return the trends within games for the sentence of a question; they are not drawn."""
    rows = []
    for name in question.counts[1:]:
        for one in sums_of(cube, name, cube.chosen(filters)):
            if one.y > 0 and one.n >= _FEW and one.variance > 0:
                value, error = question.scale * one.x / one.y, question.scale * math.sqrt(one.variance)
                row = Row(TREND, "", value, None, None, one.x, one.y, one.n)
                rows.append(replace(row, error=error, freedom=one.n - 1))
    return rows


def _usage(cube: Cube, question: Question, filters: Filters) -> list[Row]:
    """Return uses and successes of conventions, the most used first, then the unexplained moves.

    Uses are omitted if a convention has fewer than `question.least` uses; successes are also omitted if it
    has fewer than `question.least` settled uses.
    """
    rows = _rates(cube, question, filters)
    uses, worked = question.panels
    used = sorted(
        (r for r in rows if r.panel == uses and r.x >= question.least), key=lambda r: -(r.value or 0)
    )
    place = {row.label: number for number, row in enumerate(used)}
    settled = [r for r in rows if r.panel == worked and r.label in place and r.y >= question.least]
    settled.sort(key=lambda row: place[row.label])
    return [*used, *settled, *(row for row in rows if row.panel not in question.panels)]


class _Gap(NamedTuple):
    """A difference of two ratios in a stratum, with its weight and the two parts of its variance."""

    weight: float
    difference: float
    parts: tuple[tuple[float, float], ...]
    """Variance and degrees of freedom of each of the two ratios."""


def _gap(own_sums: Floats, other_sums: Floats, part: float = 0.0) -> _Gap | None:
    """Return the difference of two ratios in a stratum; None if a ratio has fewer than two games.

    The sums are those of `Cube.totals`. The sums of the others may include the player's own decisions, with
    `part` opportunities. Let s be their share of the opportunities. The difference from the other decisions
    alone is then the difference from all of them, divided by 1 - s. The error is also divided by 1 - s. This
    overestimates it, because the player's own variation counts on both sides: the sums do not contain the
    products of own and other decisions.

    Its variance is that of `hanalyze.analysis.statistics.ratios.against_other_groups`: the variance of each
    ratio is at least the pooled variance of one opportunity, divided by the ratio's opportunities, because
    a few games may lack the rare strikeouts by chance.
    """
    own, others = (Sum("", "", *sums.tolist()) for sums in (own_sums, other_sums))
    if not own.y > 0 or not others.y > part or own.n < 2 or others.n < 2:
        return None
    rest = 1 - part / others.y
    squares = sum(one.variance * one.y**2 * (one.n - 1) / one.n for one in (own, others))
    single = squares / (own.y + others.y)
    return _Gap(
        own.y,
        (own.x / own.y - others.x / others.y) / rest,
        tuple((max(one.variance, single / one.y) / rest**2, one.n - 1) for one in (own, others)),
    )


def _together(gaps: Sequence[_Gap]) -> tuple[float, float, float]:
    """Return the weighted mean of differences, its standard error and its degrees of freedom.

    The degrees of freedom are those of Satterthwaite (1946).
    """
    weight = sum(gap.weight for gap in gaps)
    parts = [(gap.weight**2 * variance / weight**2, games) for gap in gaps for variance, games in gap.parts]
    spread, square = sum(v for v, _ in parts), sum(v * v / games for v, games in parts)
    value = sum(gap.weight * gap.difference for gap in gaps) / weight
    return value, math.sqrt(spread), spread * spread / square if square else 0.0


def _shrunk(rows: Sequence[Row]) -> list[Row]:
    values, errors = (
        np.array(some, np.float64) for some in zip(*((r.value, r.error) for r in rows), strict=True)
    )
    return [
        replace(row, shrunk=None if math.isnan(value) else float(value))
        for row, value in zip(rows, empirical_bayes(values, errors**2), strict=True)
    ]


def _field(cube: Cube, question: Question, filters: Filters) -> list[Row]:
    """Return the difference of each player from games of the same team size and variant.

    Points are compared with those of the other games, all other numbers with those of the other players.
    """
    strata = cube.chosen({**filters, "player": None})
    who = None if filters.get("player") is None else cube.players.index(filters["player"])
    at = {tuple(row[:3]): cell for cell, row in enumerate(cube.cells.iter_rows())}
    rows = []
    for name in question.counts:
        for key, (_, title, _) in enumerate(cube.sums(name).keys):
            by_cell = cube.totals(name)[:, key]
            panel, mine = title if question.panels else "", []
            for player, label in enumerate(cube.shown_players):
                gaps, x, games = [], 0.0, 0.0
                for cell in strata:
                    own_cell = at.get((*cube.cells.row(cell)[:2], player))
                    if own_cell is None:
                        continue
                    own, whole = by_cell[own_cell], by_cell[cell]
                    n, found, of, *_ = own.tolist()
                    gap = _gap(own, whole - own) if name == "points" else _gap(own, whole, of)
                    if gap is not None:
                        gaps.append(gap)
                        x, games = x + found, games + n
                if gaps and games >= _FEW:
                    value, error, freedom = _together(gaps)
                    weight, dim = sum(gap.weight for gap in gaps), who not in (None, player)
                    value, error = value * question.scale, error * question.scale
                    row = Row(panel, label, value, None, None, x, weight, games, dim=dim)
                    mine.append(replace(row, error=error, freedom=freedom))
            rows += _shrunk(mine) if mine else []
    first = [row for row in rows if row.panel == (question.panels or ("",))[0]]
    first.sort(key=lambda row: -(row.value or 0) * question.better_in(row.panel))
    order = {row.label: place for place, row in enumerate(first)}
    return sorted((row for row in rows if row.label in order), key=lambda row: order[row.label])


def _pairs(cube: Cube, question: Question, filters: Filters) -> list[Row]:
    """Return, for pairs of players, the differences between their games together and apart.

    Games are compared within the same team size and variant.
    """
    at = {tuple(row[:3]): cell for cell, row in enumerate(cube.cells.iter_rows())}
    points = cube.totals("points")[:, 0]
    strata = {cube.cells.row(cell)[:2] for cell in cube.chosen({**filters, "player": None})}
    who = None if filters.get("player") is None else cube.players.index(filters["player"])
    games: dict[tuple[int, int], float] = {}
    gaps: dict[tuple[int, int], list[_Gap]] = {}
    for size, variant, a, b, n, x, xx in cube.pairs().iter_rows():
        if (size, variant) not in strata or (who is not None and who not in (a, b)):
            continue
        games[a, b] = games.get((a, b), 0.0) + n
        both = np.array([n, x, n, xx, x, n], np.float64)
        one, other = points[at[size, variant, a]], points[at[size, variant, b]]
        gap = _gap(both, one - both + (other - both))
        if gap is not None:
            gaps.setdefault((a, b), []).append(gap)
    judged = {key for key in gaps if games[key] >= _FEW_TOGETHER}
    rank = {player: place for place, player in enumerate(sorted({one for pair in judged for one in pair}))}
    rows = []
    for (a, b), number in games.items():
        if a not in rank or b not in rank:
            continue
        label, other_label = sorted((cube.shown_players[a], cube.shown_players[b]))
        reach = max(rank[a], rank[b])
        row = Row("", label, None, None, None, reach, number, number, other_label)
        if (a, b) in judged:
            value, error, freedom = _together(gaps[a, b])
            row = replace(row, value=value, error=error, freedom=freedom)
        rows.append(row)
    return rows


def _curve(cube: Cube, question: Question, filters: Filters) -> list[Row]:
    """Return the efficiency curves, for turns with at least 20 games and a tenth of the games of their kind.

    If all three kinds of games have curves, only the first and the last are returned.
    """
    cells = set(cube.chosen(filters))
    counts: dict[tuple[int, int, int], list[float]] = {}
    for cell, short, series, turn, bin_, games in cube.curve().iter_rows():
        if cell in cells:
            counts.setdefault((short, series, turn), [0.0] * BINS)[bin_] += games
    kinds = [0.0] * len(question.panels)
    for one in sums_of(cube, "scores", cells):
        kinds[{"0": 0, "1": 1, "2": 1}.get(one.label, 2)] += one.x
    curves: list[list[Row]] = [[] for _ in kinds]
    for (short, series, turn), bins in sorted(counts.items()):
        n = sum(bins)
        if n < _FEW or n < 0.1 * kinds[short]:
            continue
        half = Z / 2 / math.sqrt(n)
        levels = (0.5, 0.5 - half, 0.5 + half, 0.25, 0.75)
        value, low, high, p25, p75 = (quantile(bins, n, level, BIN) for level in levels)
        row = Row(question.panels[short], str(turn), value, low, high, turn, n, n)
        curves[short].append(replace(row, series=series, p25=p25, p75=p75))
    long = [rows for rows in curves if len(rows) > 2]
    return [row for rows in (long[::2] if len(long) > 2 else long) for row in rows]


def above(row: Row, other: Row) -> float:
    """Return by how many standard errors a row is above another row, or 0 if it is not above.

    The errors of both rows are added; at 1.96 standard errors, the 95% intervals touch. If `other` has no
    interval, its error counts as 0; if `row` has no interval, the result is 0.
    """
    if row.low is None or row.value is None or other.value is None or row.value <= other.value:
        return 0.0
    room = row.value - row.low + (0.0 if other.high is None else other.high - other.value)
    return Z * (row.value - other.value) / room if room > 0 else 0.0


def crossing(rows: Iterable[Row], level: float) -> tuple[int, int | None] | None:
    """Return the first and last turn of the longest stretch in which more efficiency is needed than achieved.

    The difference is at least `level` standard errors. The last turn is None if the stretch lasts to the end;
    the result is None if no stretch has two points.
    """
    by_series: tuple[dict[float, Row], ...] = ({}, {})
    for row in rows:
        by_series[row.series][row.x] = row
    both = [turn for turn in by_series[0] if turn in by_series[1]]
    longest: list[float] = []
    run: list[float] = []
    for turn in both:
        run = [*run, turn] if above(by_series[1][turn], by_series[0][turn]) >= level else []
        longest = max(longest, run, key=len)
    if len(longest) < 2:
        return None
    return int(longest[0]), None if longest[-1] == both[-1] else int(longest[-1])


def _worth(cube: Cube, question: Question, filters: Filters) -> list[Row]:
    """Return the differences in the final score by convention, the largest first, over all games.

    `x` is the number of other clues, `y` the number of clues that used the convention.
    """
    rows = [
        Row(
            "",
            Convention[one["convention"].upper()].words,
            one["effect"],
            one["effect_low"],
            one["effect_high"],
            one["declined"],
            one["taken"],
            one["games"],
            clear=one["verdict"] in ("more", "less"),
        )
        for one in cube.effects.iter_rows(named=True)
    ]
    return sorted(rows, key=lambda row: -(row.value or 0))


_KINDS: Final[Mapping[str, Callable[[Cube, Question, Filters], list[Row]]]] = {
    "rates": _rates,
    "usage": _usage,
    "field": _field,
    "pairs": _pairs,
    "curve": _curve,
    "worth": _worth,
}

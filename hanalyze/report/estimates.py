"""Rates and their intervals, from sums over games that add up over cells. The page's sums.js does the same.

In: a `Board` and filters. Out: `Row`s. Of each number there are, over n games, the sums of x (found), y (of
how much), xx, xy and yy. The interval of x / y is that of a ratio of sums over games, linearised (Cochran,
W. G. (1977), Sampling techniques, 3rd edition, chapter 6): what the bootstrap over games of
`hanalyze.analysis` tends to, and it needs no games any more. A share in which all or nothing was found, or of
one game, has Wilson's interval.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.intervals import wilson
from hanalyze.report.aggregates import BIN, BINS, Board, Filters
from hanalyze.report.questions import Question

__all__ = [
    "CurvePoint",
    "Pair",
    "Row",
    "Sum",
    "curve_rows",
    "estimate",
    "field_rows",
    "pair_rows",
    "rows_of",
    "sums",
]

_Z: Final = NormalDist().inv_cdf(0.975)
_FEW: Final = 20
_FEW_TOGETHER: Final = 25


@dataclass(frozen=True, slots=True)
class Sum:
    """The sums of one number over the games of some cells."""

    panel: str = ""
    label: str = ""
    n: float = 0.0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    xy: float = 0.0
    yy: float = 0.0

    def without(self, other: Sum) -> Sum:
        """Return the sums of the games that are not among another's."""
        return self._with(other, -1)

    def _with(self, other: Sum, sign: int) -> Sum:
        changed = {
            name: getattr(self, name) + sign * getattr(other, name)
            for name in ("n", "x", "y", "xx", "xy", "yy")
        }
        return replace(self, **changed)

    def __add__(self, other: Sum) -> Sum:
        return self._with(other, 1)

    @property
    def variance(self) -> float:
        """The variance of x / y over games; NaN below two games."""
        if self.n < 2 or not self.y:
            return math.nan
        rate = self.x / self.y
        spread = max(0.0, self.xx - 2 * rate * self.xy + rate * rate * self.yy)
        return spread * self.n / (self.n - 1) / (self.y * self.y)


@dataclass(frozen=True, slots=True)
class Row:
    """A number of a figure, scaled; low and high are None where nothing is known of them."""

    panel: str
    label: str
    value: float
    low: float | None
    high: float | None
    x: float
    y: float
    n: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players: how much better together than apart; None with too few games."""

    first: str
    second: str
    games: int
    value: float | None = None
    error: float = 0.0
    clear: bool = False


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The games of one kind at one turn: cards per clue, achieved (series 0) or needed (1)."""

    short: int
    series: int
    turn: int
    n: int
    median: float
    low: float
    high: float
    p25: float
    p75: float


def sums(board: Board, name: str, cells: Iterable[int]) -> list[Sum]:
    """Return the sums of a table over some cells, a `Sum` for each key."""
    by_cell, of_by_cell = board.rows(name)
    counts: dict[float, list[float]] = {}
    denominators: dict[float, list[float]] = {}
    for cell in cells:
        for rows, sums_of in ((by_cell, counts), (of_by_cell, denominators)):
            for number, *values in rows.get(cell, ()):
                kept = sums_of.setdefault(number, [0.0, 0.0, 0.0])
                kept[:] = [one + other for one, other in zip(kept, values, strict=True)]
    result = []
    for key, (panel, label, number) in enumerate(board.table(name).keys):
        n, y, yy = denominators.get(number, (0.0, 0.0, 0.0))
        x, xx, xy = counts.get(key, (0.0, 0.0, 0.0))
        result.append(Sum(panel, label, n, x, y, xx, xy, yy))
    return result


def estimate(one: Sum, *, share: bool, by_wilson: bool = False) -> tuple[float, float | None, float | None]:
    """Return x / y and its interval.

    >>> value, low, high = estimate(Sum(n=9, x=9, y=36, xx=15, xy=36, yy=144), share=True)
    >>> value, 0 < low < value < high < 1
    (0.25, True)
    """
    value = one.x / one.y
    variance = one.variance
    error = math.sqrt(variance) if variance > 0 else 0.0
    if by_wilson or (share and not error > 1e-9 * max(value, 1e-9)):
        low, high = wilson(min(one.x, one.y), one.y)
        return value, low, high
    if not error:
        return value, None, None
    high = value + _Z * error
    return value, max(0.0, value - _Z * error), min(1.0, high) if share else high


def _row(question: Question, one: Sum) -> Row:
    value, low, high = estimate(one, share=question.share, by_wilson=question.wilson)
    scale = question.scale
    ends = [None if end is None else end * scale for end in (low, high)]
    return Row(one.panel, one.label, value * scale, ends[0], ends[1], one.x, one.y, one.n)


def rows_of(board: Board, question: Question, filters: Filters | None = None) -> list[Row]:
    """Return the numbers of a figure, in their order."""
    cells = board.chosen(filters)
    if question.name == "perfect":
        return _perfect(board, question, cells)
    return [
        _row(question, one)
        for one in sums(board, question.tables[0], cells)
        if one.y > 0
        and (not question.labels or one.label in question.labels)
        and (not question.panels or one.panel in question.panels)
    ]


def _perfect(board: Board, question: Question, cells: Sequence[int]) -> list[Row]:
    """Return the share of perfect games by what the cells are."""
    places = {cell: board.cells.row(cell) for cell in cells}
    found = []
    for panel, column in (("Team size", 0), ("Variant", 1)):
        for value in sorted({place[column] for place in places.values()}):
            [one] = sums(board, "perfect", [cell for cell, place in places.items() if place[column] == value])
            label = f"{value} players" if column == 0 else board.shown_variants[value]
            found.append(_row(question, replace(one, panel=panel, label=label)))
    return found


def field_rows(board: Board, question: Question, filters: Filters | None = None) -> list[Row]:
    """Return how players differ from the field: team size by team size, variant by variant."""
    filters = {name: value for name, value in (filters or {}).items() if name != "player"}
    strata = board.chosen(filters)
    at = {tuple(row[:3]): cell for cell, row in enumerate(board.cells.iter_rows())}
    shown = board.shown_players
    rows = []
    numbers = [(name, key) for name in question.tables for key in range(len(board.table(name).keys))]
    for name, key in numbers:
        by_cell = {cell: sums(board, name, [cell])[key] for cell in range(board.cells.height)}
        for player, label in enumerate(shown):
            weight = difference = spread = found = games = 0.0
            for cell in strata:
                size, variant, _, _ = board.cells.row(cell)
                if (size, variant, player) not in at:
                    continue
                own, field = by_cell[at[size, variant, player]], by_cell[cell]
                if name == "points":
                    field = field.without(own)
                if not own.y > 0 or not field.y > 0 or own.n < 2 or field.n < 2:
                    continue
                difference += own.y * (own.x / own.y - field.x / field.y)
                spread += own.y**2 * (own.variance + field.variance)
                weight, found, games = weight + own.y, found + own.x, games + own.n
            if weight and games >= _FEW:
                value, half = (
                    difference / weight * question.scale,
                    _Z * math.sqrt(spread) / weight * question.scale,
                )
                panel = field.label if question.panels else ""
                rows.append(Row(panel, label, value, value - half, value + half, found, weight, games))
    first = [row for row in rows if row.panel == (question.panels[0] if question.panels else "")]
    first.sort(key=lambda row: -row.value * question.better)
    order = {row.label: place for place, row in enumerate(first)}
    return sorted((row for row in rows if row.label in order), key=lambda row: order[row.label])


def pair_rows(board: Board, filters: Filters | None = None) -> list[Pair]:
    """Return pairs of players: together against apart, in the same kind of games."""
    filters = filters or {}
    at = {tuple(row[:3]): cell for cell, row in enumerate(board.cells.iter_rows())}
    points = {cell: one for cell in range(board.cells.height) for one in sums(board, "points", [cell])}
    kept = {
        tuple(board.cells.row(cell)[:2])
        for cell in board.chosen({k: v for k, v in filters.items() if k != "player"})
    }
    who = board.players.index(filters["player"]) if filters.get("player") is not None else None
    pairs: dict[tuple[int, int], list[float]] = {}
    for size, variant, a, b, n, x, xx in board.pairs().iter_rows():
        if (size, variant) not in kept or (who is not None and who not in (a, b)):
            continue
        pair = pairs.setdefault((a, b), [0.0, 0.0, 0.0, 0.0])
        pair[0] += n
        both = Sum(n=n, x=x, xx=xx, xy=x, y=n, yy=n)
        apart = points[at[size, variant, a]].without(both) + points[at[size, variant, b]].without(both)
        if n < 2 or apart.n < 2:
            continue
        pair[1] += n
        pair[2] += n * (x / n - apart.x / apart.y)
        pair[3] += n * n * (both.variance + apart.variance)
    shown = board.shown_players
    judged = sum(games >= _FEW_TOGETHER and weight > 0 for games, weight, _, _ in pairs.values())
    z = NormalDist().inv_cdf(1 - 0.025 / max(1, judged))
    rows = []
    for (a, b), (games, weight, total, spread) in pairs.items():
        row = Pair(shown[a], shown[b], int(games))
        if games >= _FEW_TOGETHER and weight > 0:
            value, error = total / weight, math.sqrt(spread) / weight
            row = Pair(shown[a], shown[b], int(games), value, error, abs(value) > z * error)
        rows.append(row)
    return rows


def curve_rows(board: Board, filters: Filters | None = None) -> list[CurvePoint]:
    """Return the curves of efficiency: where at least 20 games, and a tenth of their kind, had the turn."""
    import polars as pl

    cells = board.chosen(filters)
    chosen = pl.Series(cells, dtype=pl.Int64).implode()
    frame = (
        board.curve()
        .filter(pl.col("cell").cast(pl.Int64).is_in(chosen))
        .group_by("short", "series", "turn", "bin")
        .agg(pl.col("games").sum())
    )
    kinds = [0.0, 0.0, 0.0]
    for one in sums(board, "scores", cells):
        kinds[0 if one.label == "0" else 1 if one.label in ("1", "2") else 2] += one.x
    rows = []
    for (short, series, turn), some in frame.group_by("short", "series", "turn"):
        bins = np.zeros(BINS)
        bins[some["bin"].to_numpy()] = some["games"].to_numpy()
        n = int(bins.sum())
        if n < _FEW or n < 0.1 * kinds[int(str(short))]:
            continue
        half = _Z / 2 / math.sqrt(n)
        levels = (0.5, 0.5 - half, 0.5 + half, 0.25, 0.75)
        found = [_quantile(bins, n, level) for level in levels]
        rows.append(CurvePoint(int(str(short)), int(str(series)), int(str(turn)), n, *found))
    return sorted(rows, key=lambda row: (row.short, row.series, row.turn))


def _quantile(bins: NDArray[np.float64], n: int, level: float) -> float:
    """Return a quantile, by linear interpolation within a step."""
    wanted = min(max(level, 0.0), 1.0) * n
    before = 0.0
    for number, games in enumerate(map(float, bins)):
        if games and before + games >= wanted:
            return (number + (wanted - before) / games) * BIN
        before += games
    return len(bins) * BIN

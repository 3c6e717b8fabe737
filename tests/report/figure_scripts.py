"""Python functions that call the dashboard's scripts in the embedded JavaScript engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hanalyze.report.dashboard.cube import Cube, Filters
from hanalyze.report.dashboard.figure_data import figure_data, places, sums_data
from hanalyze.report.dashboard.questions import QUESTIONS, Question
from hanalyze.report.dashboard.scripts import Scripts

TREND = "Trend"
Z = 1.959963984540054
NO_FILTER = {"players": None, "variant": None, "player": None}


@dataclass(frozen=True)
class Row:
    """A number of a figure, as `rowOf` of the scripts makes it."""

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


@dataclass(frozen=True)
class Sum:
    """Sums of one number over the games of some cells."""

    panel: str = ""
    label: str = ""
    n: float = 0.0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    xy: float = 0.0
    yy: float = 0.0


class Claims(NamedTuple):
    """How many comparisons there are, how many are significant, and the critical value in standard errors."""

    weighed: int
    made: int
    level: float


def run(function: str, *values: Any) -> Any:
    """Run a function of the scripts that needs no data of a database."""
    return Scripts().run(function, *values)


def rows_from(data: Mapping[str, Any], filters: Mapping[str, int | None] = NO_FILTER) -> list[Row]:
    """Return the rows of the only figure that the data declare."""
    [[_, rows]] = Scripts(data).run("askedOf", filters)
    return [Row(**row) for row in rows]


def rows_of(cube: Cube, question: Question, filters: Filters | None = None) -> list[Row]:
    return rows_from(figure_data(cube, question, filters), places(cube, filters))


def sums_of(cube: Cube, name: str, cells: Sequence[int]) -> list[Sum]:
    scripts = Scripts(sums_data(cube, [name], cells, pairs=False, curve=False))
    return [Sum(**one) for one in scripts.run("sumsOf", name, cells)]


def estimate(one: Sum, *, share: bool) -> tuple[float, float | None, float | None]:
    value, low, high = run("estimate", one, share)
    return value, low, high


def strengths(question: Question, rows: Sequence[Row]) -> list[float]:
    found: list[float] = run("strengthsOf", question, rows)
    return found


def weigh(values: Sequence[float]) -> Claims:
    return Claims(**run("weigh", values))


def claims_of(rows: Mapping[str, Sequence[Row]]) -> Claims:
    return Claims(**run("claimsOf", [[QUESTIONS[name], some] for name, some in rows.items()]))


def judged(rows: Sequence[Row], claims: Claims) -> list[Row]:
    return [Row(**row) for row in run("judged", rows, claims._asdict())]


def above(row: Row, other: Row) -> float:
    return float(run("isAboveBy", row, other))


def crossing(rows: Iterable[Row], level: float) -> tuple[int, int | None] | None:
    found = run("crossing", list(rows), level)
    return found and tuple(found)


def sentence(question: Question, rows: Sequence[Row], level: float) -> list[str]:
    parts: list[str] = run("sentenceOf", question, rows, level)
    return parts


def filled(
    chart: Mapping[str, Any],
    question: Question,
    rows: Sequence[Row],
    palette: Mapping[str, str],
    width: float,
    level: float,
) -> dict[str, Any] | None:
    drawn: dict[str, Any] | None = run("filled", chart, question, rows, palette, width, level)
    return drawn

"""Significance of all claims of a page together. Its twin is multiplicity.js.

The method is that of the tables (`hanalyze.analysis.statistics.multiplicity`): at most one in twenty claims
is expected to be false. Differences have intervals of the same level, which exclude 0 exactly for claims. The
strength of a claim is in standard errors of a normal distribution; Student's values are converted to it
(Wallace 1959).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hanalyze.analysis.statistics.multiplicity import critical_value
from hanalyze.report.dashboard.questions import Question
from hanalyze.report.dashboard.twins.rows import Row, above

_ERROR = 0.05
"""Expected share of false claims."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Number of comparisons, number of significant ones, and critical value in standard errors."""

    weighed: int
    made: int
    level: float


def normal_of(t: float, freedom: float) -> float:
    """Return the normal quantile with the same tail as Student's t (Wallace 1959); `freedom` 0: normal.

    >>> round(normal_of(2.228, 10), 2)  # 5% lie beyond
    1.96
    """
    if not freedom:
        return t
    return (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))


def student_of(z: float, freedom: float) -> float:
    """Return the quantile of Student's t with the same tail as the normal one.

    >>> round(student_of(1.96, 10), 2)
    2.23
    """
    if not freedom:
        return z
    return math.sqrt(freedom * math.expm1((z * (8 * freedom + 3) / (8 * freedom + 1)) ** 2 / freedom))


def strengths(question: Question, rows: Sequence[Row]) -> list[float]:
    """Return the strength of each comparison that the figure's sentence or its coloured marks may report."""
    values = [_strength(row) for row in rows if row.error]
    by_sentence = _BY_SENTENCE.get(question.say.get("kind", ""))
    if by_sentence is not None:
        values += by_sentence(question, rows)
    if "clear" in question.tones:
        values += [first for panel in question.highest for first in _first(_in(rows, panel))]
    return values


def _strength(row: Row) -> float:
    return normal_of(abs(row.value or 0.0) / row.error, row.freedom)


def _in(rows: Iterable[Row], panel: str | None) -> list[Row]:
    return [row for row in rows if panel in (None, row.panel)]


def _first(rows: Sequence[Row]) -> list[float]:
    """Return a list with the smallest difference of the highest row from another row, in standard errors."""
    some = sorted(rows, key=lambda row: -(row.value or 0))
    return [min(above(some[0], one) for one in some[1:])] if len(some) > 1 and some[0].x else []


def _top(question: Question, rows: Sequence[Row]) -> list[float]:
    return _first(_in(rows, question.say.get("panel")))


def _ends(question: Question, rows: Sequence[Row]) -> list[float]:
    some = [row for row in rows if row.n >= 20 and row.low is not None]
    return [max(above(some[0], some[-1]), above(some[-1], some[0]))] if len(some) > 1 else []


def _curve(question: Question, rows: Sequence[Row]) -> list[float]:
    strengths_by_turn = []
    for panel in dict.fromkeys(row.panel for row in rows):
        achieved, needed = ({row.x: row for row in _in(rows, panel) if row.series == one} for one in (0, 1))
        strengths_by_turn += [above(needed[turn], achieved[turn]) for turn in achieved if turn in needed]
    return strengths_by_turn


_BY_SENTENCE = {"top": _top, "ends": _ends, "curve": _curve}


def weigh(values: Iterable[float]) -> Claims:
    """Count the significant comparisons and find the critical value, given the strengths of all comparisons.

    >>> weigh([5.0, 3.0, 1.0]).made, weigh([2.3, 1.0]).made, weigh([]).weighed
    (2, 1, 0)
    """
    sorted_ = sorted(values, reverse=True)
    count = made = len(sorted_)
    while made and sorted_[made - 1] < critical_value(made, count, _ERROR):
        made -= 1
    return Claims(count, made, critical_value(made, count, _ERROR))


def claims_of(rows: Mapping[str, Sequence[Row]], questions: Mapping[str, Question]) -> Claims:
    """Test the claims of all figures of a page together, given each figure's rows by its name."""
    return weigh(one for name, some in rows.items() for one in strengths(questions[name], some))


def judged(rows: Sequence[Row], claims: Claims) -> list[Row]:
    """Mark rows as clear if their differences are claims, and set their intervals to match."""
    marked = []
    for row in rows:
        if not row.error or row.value is None:
            marked.append(row)
            continue
        half = student_of(claims.level, row.freedom) * row.error
        low, high, clear = row.value - half, row.value + half, _strength(row) >= claims.level
        marked.append(replace(row, low=low, high=high, clear=clear))
    return marked

"""What figures say of numbers over an ordered axis: only what the intervals of the rows named support."""

from __future__ import annotations

import pytest

from hanalyze.report.questions import QUESTIONS, Question
from hanalyze.report.twins.filling import sentence
from hanalyze.report.twins.rows import Row, crossing

KINDS = QUESTIONS["efficiency"].panels


def said(question: Question, rows: list[Row]) -> str:
    return "".join(sentence(question, rows))


def rows(*values: tuple[float, float]) -> list[Row]:
    """Return rows by turn from values and half widths of their intervals."""
    return [
        Row("Turn", f"{10 * i}-{10 * i + 9}", value, value - half, value + half, value, 100.0, 50.0)
        for i, (value, half) in enumerate(values)
    ]


TRENDS = [
    # values and half widths, words, comment
    ([(5, 1), (7, 1), (9, 1)], "become more frequent: 5.0 per 100 in turns 0-9, 9.0 in 20-29", "rises"),
    ([(9, 1), (7, 1), (5, 1)], "become less frequent: 9.0 per 100 in turns 0-9, 5.0 in 20-29", "falls"),
    (
        [(5, 1), (6, 1)],
        "No clear difference between early and late: 5.0 per 100 in turns 0-9, 6.0 in 10-19",
        "intervals overlap",
    ),
    (
        [(5, 1), (9, 1), (4, 1)],
        "most frequent in turns 10-19: 9.0 per 100; 5.0 in 0-9, 4.0 in 20-29",
        "a peak",
    ),
    ([(9, 1), (3, 1), (6, 1)], "least frequent in turns 10-19: 3.0 per 100; 9.0 in 0-9, 6.0 in", "a dip"),
    ([(5, 1), (6, 2), (5, 1)], "No clear difference", "a peak that its interval does not support"),
    ([(5, 1), (9, 1), (8, 1)], "become more frequent", "the highest does not stand out from the last"),
    ([(5, 1)], "Too few to compare.", "one row"),
]


@pytest.mark.parametrize(("values", "words", "comment"), TRENDS)
def test_trends(values: list[tuple[float, float]], words: str, comment: str) -> None:
    assert words in said(QUESTIONS["discards_by"], rows(*values)), comment


def points(achieved: list[float], needed: list[float], panel: str = KINDS[2]) -> list[Row]:
    """Return medians at turns 2, 4, 6 ... with intervals of 0.1 on either side."""
    return [
        Row(
            panel,
            "",
            value,
            value - 0.1,
            value + 0.1,
            2 * i + 2,
            100,
            100,
            series=series,
            p25=value,
            p75=value,
        )
        for series, values in enumerate((achieved, needed))
        for i, value in enumerate(values)
    ]


STRETCHES = [
    # achieved, needed, from which turn to which the need is above, comment
    ([2, 1.5, 1, 0.9], [1, 1, 1.5, 1.5], (6, None), "to the end"),
    (
        [2, 1, 1, 1, 1],
        [1, 1.5, 1.5, 1.5, 0.5],
        (4, 8),
        "not at the end: few games last so long, and those need less",
    ),
    ([1, 2, 1, 1, 1], [1.5, 1, 1.5, 1.5, 1.5], (6, None), "one point before is luck"),
    ([1, 1, 2, 1, 1, 1], [1.5, 1.5, 1, 1.5, 1.5, 1.5], (8, None), "the longer one of two"),
    ([1, 1, 1], [1.1, 1.1, 1.1], None, "the intervals overlap"),
    ([2, 1, 2], [1, 1.5, 1], None, "one point is no stretch"),
    ([2, 2], [], None, "nothing to compare"),
]


@pytest.mark.parametrize(("achieved", "needed", "stretch", "comment"), STRETCHES)
def test_when_the_need_is_above(
    achieved: list[float], needed: list[float], stretch: tuple[int, int | None] | None, comment: str
) -> None:
    rows = points(achieved, needed)
    assert crossing(rows) == stretch, comment
    text = said(QUESTIONS["efficiency"], [*points([2, 2], [1, 1], KINDS[0]), *rows])
    if stretch is None:
        assert text == "Cards per clue. Needed never clearly rose above achieved."
    elif stretch[1] is None:
        assert f"points short, needed rose above achieved around turn {stretch[0]}; in perfect games" in text
        assert text.endswith(" never clearly.")
    else:
        assert f"needed was above achieved from turn {stretch[0]} to turn {stretch[1]}; in perfect" in text

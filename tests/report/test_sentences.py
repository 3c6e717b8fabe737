"""What figures say of numbers over an ordered axis: only what the intervals of the rows named support."""

from __future__ import annotations

import pytest

from hanalyze.report.dashboard.charts import CHARTS
from hanalyze.report.dashboard.figures import COLOURS
from hanalyze.report.dashboard.questions import QUESTIONS, Question
from tests.report.figure_scripts import TREND, Row, crossing, filled, sentence

LEVEL = 1.96
"""How strong a claim must be here: 95% intervals that just do not overlap."""
KINDS = QUESTIONS["efficiency"].panels


def said(question: Question, rows: list[Row]) -> str:
    return "".join(sentence(question, rows, LEVEL))


def rows(*values: tuple[float, float]) -> list[Row]:
    """Return rows by chance from values and half widths of their intervals."""
    return [
        Row("Share", f"{10 * i}-{10 * i + 9}", value, value - half, value + half, value, 100.0, 50.0)
        for i, (value, half) in enumerate(values)
    ]


ENDS = [
    # values and half widths, words, comment
    (
        [(50, 10), (70, 10), (90, 10)],
        "looked 0-9% likely worked 50% of the time, those at 20-29%: 90%",
        "rises",
    ),
    (
        [(90, 10), (70, 10), (50, 10)],
        "looked 0-9% likely worked 90% of the time, those at 20-29%: 50%",
        "falls",
    ),
    (
        [(50, 10), (60, 10)],
        "looked 0-9% likely worked 50% of the time, those at 10-19%: 60%. The difference is not clear.",
        "intervals overlap",
    ),
    ([(50, 10)], "Too few to compare.", "one row"),
]


@pytest.mark.parametrize(("values", "words", "comment"), ENDS)
def test_ends(values: list[tuple[float, float]], words: str, comment: str) -> None:
    assert words in said(QUESTIONS["odds"], rows(*values)), comment


def test_intervals_apart_that_are_no_claim_are_explained() -> None:
    """What a page claims asks for more than 95% intervals apart: who sees them apart is told why."""
    note = " Their 95% intervals do not overlap, but among so many comparisons that is no clear difference."
    strict = 2 * LEVEL
    lost = [Row("", name, value, value - 1, value + 1, 9, 9, 50) for name, value in (("a", 5.0), ("b", 2.0))]
    losses = QUESTIONS["points_short"]
    most = "Main cause of missing points: a (5.00 a game)."
    clear = " It is clearly ahead; 95% interval: 4.00 to 6.00."
    assert "".join(sentence(losses, lost, LEVEL)) == most + clear
    assert "".join(sentence(losses, lost, strict)) == most + " It is not clearly ahead of b (2.00)." + note
    # Only what the sentence says is clearly ahead is coloured.
    for level, colours in ((LEVEL, {"bad", "plain"}), (strict, {"plain"})):
        drawn = filled(CHARTS["bars"], losses, lost, COLOURS, 900, level)
        assert drawn is not None
        assert set(drawn["data"][0]["marker"]["color"]) == {COLOURS[name] for name in colours}
    # Where they overlap there is nothing to explain, nor where the second largest does.
    near = Row("", "c", 4.0, 3.0, 5.0, 9, 9, 50)
    assert "".join(sentence(losses, [*lost, near], strict)).endswith("not clearly ahead of c (4.00).")
    shares = rows((50, 10), (90, 10))
    assert "".join(sentence(QUESTIONS["odds"], shares, strict)).endswith(
        "The difference is not clear." + note
    )
    assert note not in "".join(sentence(QUESTIONS["odds"], rows((50, 10), (60, 10)), strict))


TRENDS = [
    # change every ten turns, whether it is clear, words
    (
        1.25,
        True,
        "Within a game, they become more frequent: +1.3 per 100 every ten turns. 95% interval: 0.3 to 2.3.",
    ),
    (
        -1.25,
        True,
        "Within a game, they become less frequent: \N{MINUS SIGN}1.3 per 100 every ten turns."
        " 95% interval: \N{MINUS SIGN}2.3 to \N{MINUS SIGN}0.3.",
    ),
    (
        0.5,
        False,
        "Within a game, +0.5 per 100 every ten turns. That is no clear trend; 95% interval:"
        " \N{MINUS SIGN}0.5 to 1.5.",
    ),
]


@pytest.mark.parametrize(("value", "clear", "words"), TRENDS)
def test_trends(value: float, clear: bool, words: str) -> None:
    # How often they are by turn says nothing: games that last long are other games.
    by_turn = rows((5, 1), (9, 1))
    trend = Row(TREND, "", value, value - 1, value + 1, 9, 9, 50, clear=clear, error=0.5)
    assert said(QUESTIONS["discards_by"], [*by_turn, trend]) == words
    assert said(QUESTIONS["discards_by"], by_turn) == "Too few to compare."


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
    assert crossing(rows, LEVEL) == stretch, comment
    text = said(QUESTIONS["efficiency"], [*points([2, 2], [1, 1], KINDS[0]), *rows])
    if stretch is None:
        assert text == "Cards per clue. No clear shortfall at any turn."
    elif stretch[1] is None:
        assert f"points short, needed rose above achieved around turn {stretch[0]}; in perfect games" in text
        assert text.endswith(" never clearly.")
    else:
        assert f"needed was above achieved from turn {stretch[0]} to turn {stretch[1]}; in perfect" in text


def curves(panel: str, slope: float) -> list[Row]:
    """Return a need that rises from 1 by `slope` a turn, and 1.3 achieved; both with intervals of 0.05."""
    return [
        Row(panel, str(turn), value, value - 0.05, value + 0.05, turn, 90, 90, "", False, False, series, 1, 2)
        for series in (0, 1)
        for turn in range(40)
        for value in [1.3 if series == 0 else 1 + slope * turn]
    ]


def test_where_curves_cross_an_arrow_says_so() -> None:
    # 0.95 + 0.03 * turn is above 1.35 from turn 14; with 0.011 from turn 37, and with 0.001 never.
    question = QUESTIONS["efficiency"]
    slopes = zip(question.panels, (0.03, 0.011, 0.001), strict=True)
    rows = [row for panel, slope in slopes for row in curves(panel, slope)]
    drawn = filled(CHARTS["bands"], question, rows, COLOURS, 1160, LEVEL)
    assert drawn is not None
    arrows = [one for one in drawn["layout"]["annotations"] if one["showarrow"]]
    assert [one["visible"] for one in arrows] == [True, True, False]
    assert [one["text"].split(":")[0] for one in arrows] == ["turn 14", "turn 37", ""]
    assert [one["x"] for one in arrows[:2]] == [14, 37]
    assert [one["y"] for one in arrows[:2]] == pytest.approx([1.42, 1.407])
    # The words stand where the figure goes on.
    assert [one["ax"] > 0 for one in arrows[:2]] == [True, False]
    assert [one["xref"] for one in arrows] == ["x", "x2", "x3"]

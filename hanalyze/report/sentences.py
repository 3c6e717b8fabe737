"""What a figure says, in one sentence that its intervals support. The page's board.js says the same.

In: a question and its rows. Out: plain text. Where two intervals overlap they "cannot be told apart".
"""

from __future__ import annotations

from collections.abc import Sequence

from hanalyze.analysis.intervals import wilson
from hanalyze.report.estimates import CurvePoint, Pair, Row
from hanalyze.report.questions import Question
from hanalyze.report.rounding import rounded

__all__ = [
    "KINDS_OF_GAMES",
    "crossing",
    "curve_sentence",
    "field_sentence",
    "pair_sentence",
    "sentence",
    "shown",
]

KINDS_OF_GAMES = ("perfect games", "games 1 or 2 points short", "games 3 or more points short")


def shown(value: float | None, decimals: int) -> str:
    """Return a number as text, with a real minus.

    What is more than 0 is not shown as 0, where one or two decimals more tell it.

    >>> shown(-0.04, 1), shown(1.25, 1), shown(0.027, 0), shown(0.0001, 0)
    ('0.0', '1.3', '0.03', '0')
    """
    if value is None:
        return "\N{EN DASH}"
    texts = [rounded(value, decimals + more) for more in range(3)]
    text = next((one for one in texts if float(one) > 0), texts[0])
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def sentence(question: Question, rows: Sequence[Row]) -> str:
    """Return the sentence of a figure of `Row`s."""
    kinds = {"scores": _scores, "top": _top, "row": _one, "trend": _trend, "pool": _pool}
    if question.chart == "field":
        return field_sentence(question, rows)
    if not rows:
        return "Nothing to show here."
    return kinds[question.say["kind"]](question, rows).replace("**", "")


def _scores(question: Question, rows: Sequence[Row]) -> str:
    perfect = next(row for row in rows if row.label == "0")
    near = sum(row.x for row in rows if row.label in ("1", "2"))
    return (
        f"{shown(perfect.value, 0)}% were perfect ({shown(perfect.low, 0)} to {shown(perfect.high, 0)}),"
        f" another {shown(100 * near / perfect.y, 0)}% ended one or two points short."
        f" {perfect.y:,.0f} games, in per cent."
    )


def _top(question: Question, rows: Sequence[Row]) -> str:
    panel, decimals = question.say.get("panel"), question.decimals
    some = sorted((row for row in rows if panel in (None, row.panel)), key=lambda row: -row.value)
    if not some or not some[0].x:
        return "Nothing was found."
    first, second = some[0], some[1] if len(some) > 1 else None
    if second is None:
        return f"Nothing to compare: {first.label}, {shown(first.value, decimals)} {question.unit}."
    apart = first.low is not None and all(
        first.low > (row.value if row.high is None else row.high) for row in some[1:]
    )
    template = question.say["text" if apart else "tie"]
    return template.format(
        label=first.label,
        panel=first.panel.lower(),
        value=shown(first.value, decimals),
        low=shown(first.low, decimals),
        high=shown(first.high, decimals),
        n=f"{first.y:,.0f}",
        label2=second.label,
        panel2=second.panel.lower(),
        value2=shown(second.value, decimals),
    )


def _one(question: Question, rows: Sequence[Row]) -> str:
    row = next((row for row in rows if row.label == question.say["label"]), None)
    if row is None:
        return ""
    decimals = question.decimals
    return question.say["text" if row.x else "none"].format(
        value=shown(row.value, decimals),
        low=shown(row.low, decimals),
        high=shown(row.high, decimals),
        x=f"{row.x:,.0f}",
        y=f"{row.y:,.0f}",
    )


def _trend(question: Question, rows: Sequence[Row]) -> str:
    panel = question.say.get("panel")
    some = [row for row in rows if panel in (None, row.panel) and row.n >= 20 and row.low is not None]
    if len(some) < 2:
        return "Too few to compare."
    a, b = some[0], some[-1]
    top = max(some, key=lambda row: row.value)
    bottom = min(some, key=lambda row: row.value)
    kind, far = "tie", None
    if "peak" in question.say and _above(top, a) and _above(top, b):
        kind, far = "peak", top
    elif "dip" in question.say and _above(a, bottom) and _above(b, bottom):
        kind, far = "dip", bottom
    elif _above(b, a):
        kind = "up"
    elif _above(a, b):
        kind = "down"
    said = {"1": a, "2": b, "": far or a}
    return question.say[kind].format(
        **{f"label{end}": row.label for end, row in said.items()},
        **{f"value{end}": shown(row.value, question.decimals) for end, row in said.items()},
    )


def _above(row: Row, other: Row) -> bool:
    """Return whether an interval lies above another one."""
    return row.low is not None and other.high is not None and row.low > other.high


def _pool(question: Question, rows: Sequence[Row]) -> str:
    of = sum({row.panel: row.y for row in rows}.values())
    found = sum(row.x for row in rows if row.label == question.say["label"])
    low, high = wilson(found, of)
    return question.say["text"].format(
        value=shown(100 * found / of, 0), low=shown(100 * low, 0), high=shown(100 * high, 0)
    )


def field_sentence(question: Question, rows: Sequence[Row]) -> str:
    """Return how many players stand out."""
    above = sum(row.low is not None and row.low > 0 for row in rows)
    below = sum(row.high is not None and row.high < 0 for row in rows)
    if not rows:
        return "No player has 20 games that can be compared."
    if question.panels:
        clear = above + below
        if not clear:
            return f"None of {len(rows)} differences can be told from 0."
        return (
            f"{clear} of {len(rows)} differences are clear (filled);"
            " the rest, open circles, cannot be told from 0."
        )
    return (
        f"{above} of {len(rows)} clearly above, {below} clearly below; open circles cannot be told from 0."
        " Number: games."
    )


def pair_sentence(rows: Sequence[Pair]) -> str:
    """Return which pair stands out most."""
    judged = [(row, row.value) for row in rows if row.value is not None]
    if not judged:
        return "No pair has 25 games that can be compared."
    clear = [(abs(value) / row.error, row, value) for row, value in judged if row.clear and row.error > 0]
    if not clear:
        return (
            f"No pair of {len(judged)} can be told from 0:"
            " none does clearly better or worse together than apart."
        )
    _, row, value = max(clear, key=lambda one: one[0])
    word = "better" if value > 0 else "worse"
    return (
        f"{row.first} and {row.second} do {rounded(abs(value), 1)} points {word} together than apart"
        f" ({row.games:,} games)."
    )


def crossing(rows: Sequence[CurvePoint]) -> tuple[int, int | None] | None:
    """Return from which turn to which the need is clearly above what was achieved: the longest stretch.

    The second is None where it lasts to the end; None stands for no stretch of two points or more.
    """
    needed = {row.turn: row for row in rows if row.series == 1}
    both = [(row, needed[row.turn]) for row in rows if row.series == 0 and row.turn in needed]
    longest: list[int] = []
    run: list[int] = []
    for achieved, need in both:
        run = [*run, achieved.turn] if need.low > achieved.high else []
        longest = max(longest, run, key=len)
    if len(longest) < 2:
        return None
    return longest[0], None if longest[-1] == both[-1][0].turn else longest[-1]


def curve_sentence(panels: Sequence[tuple[int, Sequence[CurvePoint]]]) -> str:
    """Return when the need passed what was achieved."""
    turns = [(crossing(rows), KINDS_OF_GAMES[short]) for short, rows in panels]
    if not turns:
        return "Too few games."
    if all(turn is None for turn, _ in turns):
        return "Cards per clue. The need never clearly passed what was achieved."
    turns.sort(key=lambda one: one[0] is None)
    words = []
    for turn, kind in turns:
        if turn is None:
            words.append(f"in {kind} never clearly")
        elif turn[1] is None:
            words.append(f"in {kind} the need passed what was achieved around turn {turn[0]}")
        else:
            words.append(
                f"in {kind} the need was above what was achieved from turn {turn[0]} to turn {turn[1]}"
            )
    return "Cards per clue. " + "; ".join(words)[0].upper() + "; ".join(words)[1:] + "."

"""Writes the sentence of a figure from its rows; every second part is bold. Its twin is sentences.js."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from hanalyze.analysis.statistics.intervals import FEWEST_GAMES
from hanalyze.report.dashboard.questions import OF_PLAYER, SAID, Question
from hanalyze.report.dashboard.twins.rates import Z
from hanalyze.report.dashboard.twins.rows import TREND, Row, above, crossing
from hanalyze.words import rounded

_SLOT: Final = re.compile(r"\{(\w+)\}")


def plain(text: object) -> str:
    """Escape text for Plotly, which interprets HTML and, with MathJax, formulas.

    >>> plain("<b>&"), plain("$x$")
    ('&lt;b&gt;&amp;', '&#36;x&#36;')
    """
    return html.escape(str(text), quote=False).replace("$", "&#36;")


def shown(value: float | None, decimals: int) -> str:
    """Return a number as text with a true minus sign.

    A value above 0 gets up to two more decimals if it would otherwise be shown as 0.

    >>> shown(-0.04, 1), shown(1.25, 1), shown(0.027, 0), shown(0.0001, 0)
    ('0.0', '1.3', '0.03', '0')
    """
    if value is None:
        return "\N{EN DASH}"
    texts = [rounded(value, decimals + more) for more in range(3)]
    text = next((one for one in texts if float(one) > 0), texts[0])
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def in_words(pattern: str, slots: Mapping[str, Any]) -> str:
    """Fill the slots of a pattern."""
    return _SLOT.sub(lambda match: str(slots.get(match[1], "")), pattern)


def of_player(scope: str, player: str, *, shared: bool) -> str:
    """Return the sentence on a figure's scope for a chosen player; `shared`: several players in one cell.

    >>> of_player("decisions", "Ada", shared=False)
    'Only decisions of Ada are counted.'
    >>> of_player("decisions", "Other players", shared=True)
    'Only decisions of other players are counted. A game counts once for each of them.'
    """
    text = in_words(OF_PLAYER[scope], {"player": OF_PLAYER["shared"] if shared else player})
    return text + OF_PLAYER["each"] if shared and scope != "games" else text


def _interval(row: Row, numbers: Mapping[str, str]) -> str:
    """Return an interval in words, or the reason that it is missing."""
    if row.low is None:
        return f"under {FEWEST_GAMES} games" if row.n < FEWEST_GAMES else "unknown"
    return f"{numbers['low']} to {numbers['high']}"


def slots_of(question: Question, row: Row, tail: str = "") -> dict[str, str]:
    """Return the values of a row as texts by slot name; `tail` is appended to the names."""
    numbers = {
        name: shown(getattr(row, name), question.decimals)
        for name in ("value", "low", "high", "p25", "p75", "shrunk")
    }
    counts = {name: f"{getattr(row, name):,.0f}" for name in ("x", "y", "n")}
    sign = "+" if (row.value or 0) > 0 and re.search("[1-9]", numbers["value"]) else ""
    slots = {
        **numbers,
        **counts,
        "label": row.label,
        "other": row.other,
        "panel": row.panel.lower(),
        "signed": sign + numbers["value"],
        "size": shown(abs(row.value or 0), question.decimals),
        "drawn": "" if row.shrunk is None else f"<br>shrunk towards the group: {numbers['shrunk']}",
        "interval": _interval(row, numbers),
    }
    return {name + tail: text for name, text in slots.items()}


_Case = tuple[str, dict[str, Any]]
"""Case of a sentence, and values of its slots."""


def is_first(first: Row, others: Iterable[Row], level: float) -> bool:
    """Return whether a row is above all other rows by at least `level` standard errors."""
    return all(above(first, row) >= level for row in others)


def _apart(question: Question, case: str, apart: bool) -> dict[str, str]:
    """Return the sentence for a tie whose drawn intervals do not overlap; empty for other cases."""
    return {"text": question.sentence(case) + SAID["apart"]} if case == "tie" and apart else {}


def _highest(question: Question, rows: Sequence[Row]) -> list[Row]:
    """Return the rows that the sentence compares, the highest first."""
    panel = question.say.get("panel")
    return sorted((row for row in rows if panel in (None, row.panel)), key=lambda row: -(row.value or 0))


def leader(question: Question, rows: Sequence[Row], level: float) -> Row | None:
    """Return the row that the sentence calls clearly ahead, the only coloured one; None if there is none."""
    some = _highest(question, rows)
    return some[0] if some and is_first(some[0], some[1:], level) else None


def _top(question: Question, rows: Sequence[Row], level: float) -> _Case:
    some = _highest(question, rows)
    if not some or not some[0].x:
        return "none", {}
    first, others = some[0], some[1:]
    case = "alone" if not others else "clear" if is_first(first, others, level) else "tie"
    slots = {**slots_of(question, first), **slots_of(question, (others or some)[0], "2")}
    return case, slots | _apart(question, case, is_first(first, others, Z))


def _row(question: Question, rows: Sequence[Row], _level: float) -> _Case:
    panel = question.say.get("panel")
    those = (row for row in rows if row.label == question.say["label"] and panel in (None, row.panel))
    row = next(those, None)
    if row is None:
        return "absent", {}
    near = sum(one.x for one in rows if one.label in question.say.get("near", "").split())
    return "clear" if row.x else "none", {**slots_of(question, row), "near": shown(100 * near / row.y, 0)}


def _ends(question: Question, rows: Sequence[Row], level: float) -> _Case:
    some = [row for row in rows if row.n >= 20 and row.low is not None]
    if len(some) < 2:
        return "few", {}
    first, last = some[0], some[-1]
    case = "up" if above(last, first) >= level else "down" if above(first, last) >= level else "tie"
    slots = {**slots_of(question, first, "1"), **slots_of(question, last, "2")}
    return case, slots | _apart(question, case, max(above(first, last), above(last, first)) >= Z)


def _trend(question: Question, rows: Sequence[Row], _level: float) -> _Case:
    row = next((row for row in rows if row.panel == TREND), None)
    if row is None:
        return "few", {}
    case = "tie" if not row.clear else "up" if (row.value or 0) > 0 else "down"
    return case, slots_of(question, row)


def _count(question: Question, rows: Sequence[Row], _level: float) -> _Case:
    above = sum(row.clear and (row.value or 0) > 0 for row in rows)
    clear = sum(row.clear for row in rows)
    case = "none" if not rows else "tie" if not clear and "tie" in question.say else "clear"
    return case, {"above": above, "below": clear - above, "clear": clear, "count": len(rows)}


def _pairs(question: Question, rows: Sequence[Row], _level: float) -> _Case:
    judged = [row for row in rows if row.value is not None]
    clear = [row for row in judged if row.clear]
    if not clear:
        return "tie" if judged else "none", {"count": len(judged)}
    first = max(clear, key=lambda row: abs(row.value or 0) / row.error)
    return "above" if (first.value or 0) > 0 else "below", slots_of(question, first)


def _curve(question: Question, rows: Sequence[Row], level: float) -> _Case:
    clauses = []
    for panel in dict.fromkeys(row.panel for row in rows):
        stretch = crossing((row for row in rows if row.panel == panel), level)
        case = "never" if stretch is None else "crossed" if stretch[1] is None else "stretch"
        start, end = stretch or ("", "")
        clauses.append(
            (case, in_words(question.say[case], {"panel": panel.lower(), "from": start, "to": end}))
        )
    if all(case == "never" for case, _ in clauses):
        return "all" if clauses else "none", {}
    text = "; ".join(clause for _, clause in sorted(clauses, key=lambda one: one[0] == "never"))
    return "text", {"text": question.say["lead"] + text[0].upper() + text[1:] + "."}


_CASES: Final[Mapping[str, Callable[[Question, Sequence[Row], float], _Case]]] = {
    "top": _top,
    "row": _row,
    "ends": _ends,
    "trend": _trend,
    "count": _count,
    "pairs": _pairs,
    "curve": _curve,
}


def sentence(question: Question, rows: Sequence[Row], level: float) -> list[str]:
    """Return the sentence of a figure in parts; every second part is bold.

    `level` is the critical value of a claim (`hanalyze.report.dashboard.twins.multiplicity`), the same value
    that marked the rows.
    """
    case, slots = _CASES[question.say["kind"]](question, rows, level)
    also = next((row for row in rows if row.panel == question.say.get("also")), None)
    slots |= {"unit": question.unit}
    parts = [in_words(part, slots) for part in (slots.get("text") or question.sentence(case)).split("**")]
    if also is not None:
        first, *rest = (in_words(part, slots_of(question, also)) for part in question.say["rest"].split("**"))
        parts = [*parts[:-1], parts[-1] + first, *rest]
    return parts

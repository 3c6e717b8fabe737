"""Fills the slots of a chart with the rows of a figure, as Plotly values. Its twin is slots.js.

In a chart of `hanalyze.report.dashboard.charts`, `@x` is a column of a panel's rows, `$x` is a value of the
panel, and `~x` is a colour; a suffix such as `/8C` sets its opacity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from hanalyze.report.dashboard.questions import Question
from hanalyze.report.dashboard.twins.rows import Row, crossing
from hanalyze.report.dashboard.twins.sentences import in_words, is_first, leader, plain, shown, slots_of

_NARROW: Final = 560
_LETTER: Final = 6.4
"""Maximum width of a narrow page (`_NARROW`) and width of a letter (`_LETTER`), in pixels."""
Columns = list[dict[str, Any]]


def _grouped(chart: Mapping[str, Any], question: Question, rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows to draw by panel, in order."""
    rows = [row for row in rows if row.x or not {"*", row.label} & set(question.drop)]
    if question.panels:
        rows = [row for row in rows if row.panel in question.panels]
    if chart["lines"] == "names":
        rows = [row for row in rows if row.x < chart["most"]]
    if chart["lines"] == "panels":
        return {"": list(rows)} if rows else {}
    panels = question.panels or tuple(dict.fromkeys(row.panel for row in rows))
    groups = {panel: [row for row in rows if row.panel == panel] for panel in panels}
    if question.sort == "value":
        groups = {panel: sorted(some, key=lambda row: -(row.value or 0)) for panel, some in groups.items()}
    return {panel: some for panel, some in groups.items() if some}


def _lines(
    chart: Mapping[str, Any], question: Question, groups: Mapping[str, Sequence[Row]]
) -> dict[str, list[str]]:
    """Return the labels of the lines by panel; `chart["lines"]` chooses them."""
    rows = [row for some in groups.values() for row in some]
    if chart["lines"] == "own":
        return {panel: [row.label for row in some] for panel, some in groups.items()}
    if chart["lines"] == "panels":
        return {"": list(dict.fromkeys(row.panel for row in rows))}
    labels = list(dict.fromkeys(row.label for row in rows))
    if question.sort == "rate":
        sums = {
            label: [sum(v) for v in zip(*((r.x, r.y) for r in rows if r.label == label), strict=True)]
            for label in labels
        }
        labels = sorted((one for one in labels if sums[one][0]), key=lambda one: -sums[one][0] / sums[one][1])
    if chart["lines"] == "names":
        labels = sorted({name for row in rows for name in (row.label, row.other)})
    return dict.fromkeys(groups, labels)


def _line_of(chart: Mapping[str, Any], row: Row) -> str:
    return row.panel if chart["lines"] == "panels" else row.label


def _tone(question: Question, row: Row, rows: Sequence[Row], level: float, first_of_all: Row | None) -> str:
    """Return the role of a row's colour."""
    if question.chart == "field":
        good = (row.value or 0) * question.better_in(row.panel) > 0
        return "ink2" if not row.clear else "good" if good else question.low_tone
    tones = question.tones
    if row is first_of_all and row.x and "" in tones:
        return tones[""]
    first = max(rows, key=lambda one: one.value or 0)
    if row is first and row.x and "clear" in tones and row.panel in question.highest:
        others = [one for one in rows if one is not first]
        return tones["clear"] if others and is_first(first, others, level) else "plain"
    return tones.get(row.label, "plain")


def _columns(
    chart: Mapping[str, Any],
    question: Question,
    rows: Sequence[Row],
    lines: Sequence[str],
    ends: tuple[float, float],
    palette: Mapping[str, str],
    level: float,
    width: float,
    places: Mapping[int, int],
    first: Row | None,
) -> Columns:
    columns = []
    broken = dict(zip(lines, _broken(lines, width), strict=True))
    for row in rows:
        at = _line_of(chart, row)
        if at not in lines and chart["lines"] != "free":
            continue
        value = row.value or 0.0
        tone = _tone(question, row, rows, level, first)
        role = "dim" if row.dim else tone
        own = slots_of(question, row)
        escaped = {name: text if name == "drawn" else plain(text) for name, text in own.items()}
        place = plain(f"{row.panel}, ") if row.panel else ""
        slots = {**escaped, "unit": plain(question.unit), "place": place}
        # The label gives the end of an interval that the axis cuts off.
        is_cut = question.chart != "field" and row.high is not None and row.high > ends[1]
        end = min(value if row.high is None else row.high, ends[1])
        is_cramped = is_cut or (1 - end / ends[1]) * width < _LETTER * (len(slots["value"]) + 2)
        cut = f", up to {shown(row.high, question.decimals if (row.high or 0) < 10 else 0)}" * is_cut
        columns.append(
            {
                **asdict(row),
                "row": places[id(row)],
                "line": (line := lines.index(at) if at in lines else 0),
                "above": line - 0.22,
                "below": line + 0.16,
                "zero": 0,
                "expected": min(100, int(row.label.split("-")[0]) + 5) if question.chart == "odds" else None,
                "up": 0 if row.high is None else row.high - value,
                "down": 0 if row.low is None else value - row.low,
                "end": end,
                "name": plain(row.label),
                "broken": broken[at] if at in lines else "",
                "second": plain(row.other),
                "said": in_words(chart["said_none" if row.value is None else "said"], slots) + cut,
                "beside": "top left" if is_cramped else "middle right",
                "tip": in_words(chart["tip"], slots),
                "whole": shown(value, 0),
                "colour": palette[role],
                "ink": (ink := palette["ink2" if role == "plain" else role]),
                "fill": palette["panel"] if question.chart == "field" and not row.clear else ink,
                "symbol": "diamond" if question.chart == "field" and tone == question.low_tone else "circle",
            }
        )
    return columns


def _ends_of(question: Question, rows: Sequence[Row], room: float) -> tuple[float, float]:
    """Return the ends of the value axis; intervals of rows with value 0 are ignored."""
    nonzero = [row for row in rows if row.x or question.chart == "field"] or rows
    high = max(
        0.0,
        *(row.value or 0 for row in rows),
        *((row.high if row.high is not None else row.value) or 0 for row in nonzero),
    )
    low = min(0.0, *((row.low if row.low is not None else row.value) or 0 for row in rows))
    if question.chart == "field":  # leave space for the words on both sides of 0
        high, low = max(high, -0.6 * low, 1e-9), min(low, -0.6 * high, -1e-9)
    return low * (1 + room), max(high, 1e-9) * (1 + room)


def _fill(node: Any, rows: Columns, values: Mapping[str, Any], palette: Mapping[str, str]) -> Any:
    """Fill the slots in a part of a chart; slots in inserted values are not filled."""
    if isinstance(node, dict):
        return {key: _fill(one, rows, values, palette) for key, one in node.items()}
    if isinstance(node, list | tuple):
        return [_fill(one, rows, values, palette) for one in node]
    if not isinstance(node, str) or node[:1] not in "@$~" or len(node) < 2:
        return node
    if node[0] == "~":
        name, _, alpha = node[1:].partition("/")
        return palette[name] + alpha
    if node[0] == "$":
        return values[node[1:]]
    return [row[node[1:]] for row in rows]


class _Spot(NamedTuple):
    """Position of a panel: suffix of its axes, index in its row, and edges as shares of the figure.

    `width` is in pixels; `most` is the number of lines of the longest panel in the row.
    """

    tail: str
    place: int
    left: float
    right: float
    bottom: float
    top: float
    width: float
    most: int


def _spots(
    chart: Mapping[str, Any], lines: Mapping[str, Sequence[str]], width: float
) -> tuple[float, dict[str, _Spot]]:
    """Return the height of a figure and the positions of its panels, at most `across` in a row."""
    panels = list(lines)
    across = min(len(panels), chart["across"])
    grid = [panels[start : start + across] for start in range(0, len(panels), across)]
    head = chart["head"] if any(panels) else chart["bare"]
    most = [max(len(lines[panel]) for panel in line) for line in grid]
    sizes = [head + chart["foot"] + max(chart["least"], chart["line"] * length) for length in most]
    height, above = sum(sizes), 0.0
    spots: dict[str, _Spot] = {}
    for line, size, length in zip(grid, sizes, most, strict=True):
        weights = [len(lines[panel]) + 1.5 if chart["weighted"] else 1.0 for panel in line]
        # Gaps are only between panels, so that panels with the same scale have the same width.
        scale = (1 - chart["gap"] * (len(line) - 1)) / sum(weights)
        for place, panel in enumerate(line):
            left = sum(weights[:place]) * scale + chart["gap"] * place
            right = min(left + weights[place] * scale, 1.0)
            ends = 1 - (above + size - chart["foot"]) / height, 1 - (above + head) / height
            spots[panel] = _Spot(
                str(len(spots) + 1) if spots else "",
                place,
                left,
                right,
                *ends,
                (right - left) * width,
                length,
            )
        above += size
    return height, spots


def _values(
    chart: Mapping[str, Any],
    question: Question,
    panel: str,
    spot: _Spot,
    rows: Sequence[Row],
    names: Sequence[str],
    ends: tuple[float, float],
    palette: Mapping[str, str],
) -> dict[str, Any]:
    largest = slots_of(question, max(rows, key=lambda row: (row.y, row.n)))
    good = question.better_in(panel) > 0
    values: dict[str, Any] = {
        "x": f"x{spot.tail}",
        "y": f"y{spot.tail}",
        "across": f"x{spot.tail} domain",
        "upward": f"y{spot.tail} domain",
        "xdomain": [spot.left, spot.right],
        "ydomain": [spot.bottom, spot.top],
        "first": spot.place == 0,
        "low": ends[0],
        "high": ends[1],
        "last": len(names) - 0.4,
        "lines": [spot.most - 0.5, -0.5],
        "ticks": list(range(len(names))),
        "fitting": max(
            1,
            int(spot.width / (_LETTER * (_longest(_broken(names, spot.width)) + 1))),
        ),
        "names": [plain(name) for name in names],
        "stepped": _stepped(names),
        "head": f"<b>{plain(panel)}</b>{in_words(chart['headline'], largest)}" if panel else "",
        "left": f"← {question.sides[not good]}",
        "right": f"{question.sides[good]} →",
        "left_colour": palette[question.low_tone if good else "good"],
        "right_colour": palette["good" if good else question.low_tone],
    }
    if question.beside:
        counts = {_line_of(chart, row): f"{getattr(row, question.beside):,.0f}" for row in rows}
        small = "  <span style='font-size:11px'>{}</span>"
        values["names"] = [plain(name) + small.format(counts.get(name, "")) for name in names]
    for line in {names.index(_line_of(chart, row)) for row in rows if row.dim}:
        values["names"][line] = f"<span style='color:{palette['ink3']}'>{values['names'][line]}</span>"
    return values


def filled(
    chart: Mapping[str, Any],
    question: Question,
    rows: Sequence[Row],
    palette: Mapping[str, str],
    width: float,
    level: float,
) -> dict[str, Any] | None:
    """Return `data` and `layout` of a chart for a width in pixels; None if there is nothing to draw.

    `level` is the critical value of a claim, as in `sentence`.
    """
    chart = {**chart, **chart["narrow"]} if width < _NARROW else chart
    places = {id(row): place for place, row in enumerate(rows)}
    first = leader(question, rows, level)
    groups = _grouped(chart, question, rows)
    lines = _lines(chart, question, groups)
    if not any(lines.values()):
        return None
    height, spots = _spots(chart, lines, width)
    everything = [row for some in groups.values() for row in some]
    data: list[dict[str, Any]] = []
    layout = _fill(chart["layout"], [], {"axis": plain(question.axis)}, palette)
    layout |= {"height": height, "annotations": layout.get("annotations", []), "shapes": []}
    traces = [(trace.get("where"), trace) for trace in chart["data"]]
    if chart["each"]:
        traces = [
            (("label", tone), {**trace, "name": tone}) for tone in question.tones for _, trace in traces
        ]
    for panel, some in groups.items():
        names, spot = lines[panel], spots[panel]
        ends = _ends_of(question, everything if chart["scale"] == "shared" else some, chart["room"])
        columns = _columns(chart, question, some, names, ends, palette, level, spot.width, places, first)
        values = _values(chart, question, panel, spot, some, names, ends, palette)
        if chart["weighted"]:
            longest = max(len(shown(row.value, question.decimals)) for row in some)
            step = math.ceil(longest * _LETTER * len(names) / spot.width)
            for row in columns:
                row["said"] *= row["line"] % step == 0
        if question.rows == "curve":
            _mark(columns)
            values |= _crossing(question, some, level)
            values["bottom"] = max(0.0, min(row.p25 for row in everything) - 0.1)
            values["top"] = max(row.p75 for row in everything if row.x > 8 or len(everything) < 9) + 0.08
            values["last"] = max(row.x for row in everything) + 2
        for where, trace in traces:
            drawn = [row for row in columns if where is None or row[where[0]] == where[1]]
            if drawn:
                rest = {name: part for name, part in trace.items() if name != "where"}
                axes = {"xaxis": values["x"], "yaxis": values["y"]}
                data.append({**axes, **_fill(rest, drawn, values, palette)})
        for axis in ("xaxis", "yaxis"):
            layout[axis + spot.tail] = _fill(chart[axis], columns, values, palette)
        for part in ("annotations", "shapes"):
            layout[part] += _fill(chart[part], columns, values, palette)
    return {"data": data, "layout": layout}


def _stepped(names: Sequence[str]) -> list[str]:
    """Break names of two words into lines, each name lower than the previous one, to avoid overlaps."""
    two = [name for name in names if " " in name]
    return [
        "<br>" * (1 + 2 * two.index(name)) + plain(name).replace(" ", "<br>") if name in two else plain(name)
        for name in names
    ]


def _longest(names: Sequence[str]) -> int:
    """Return the length of the longest line."""
    return max((len(line) for name in names for line in name.split("<br>")), default=0)


def _broken(names: Sequence[str], width: float) -> list[str]:
    """Break names such as "R red" into two lines; if they do not fit, return only their first words."""
    broken = [plain(name).replace(" ", "<br>", 1) for name in names]
    fits = width >= _LETTER * len(names) * (_longest(broken) + 1)
    return broken if fits else [name.split("<br>")[0] for name in broken]


def _mark(columns: Columns) -> None:
    """Label the two curves at a common turn, one label above and one below."""
    by_series = [{row["x"]: row for row in columns if row["series"] == series} for series in (0, 1)]
    shared = [turn for turn in by_series[0] if turn in by_series[1]]
    spot = shared[int(len(shared) * 0.42)] if shared else None
    over = by_series[0][spot]["value"] >= by_series[1][spot]["value"] if spot is not None else True
    for row in columns:
        upper = (row["series"] == 0) == over
        row["mark"] = ("<b>achieved</b>", "<b>needed</b>")[row["series"]] if row["x"] == spot else ""
        row["side"] = "top center" if upper else "bottom center"
        row["edge"] = row["p75"] if upper else row["p25"]


def _crossing(question: Question, rows: Sequence[Row], level: float) -> dict[str, Any]:
    """Return the turn at which needed rises above achieved, and its label on the wider side."""
    start = (crossing(rows, level) or (None,))[0]
    at = next((row for row in rows if row.series == 1 and row.x == start), None)
    return {
        "crosses": at is not None,
        "crossing": in_words(question.say["mark"], {"from": start}) if at else "",
        "crossing_x": at.x if at else 0,
        "crossing_y": at.value if at else 0,
        "crossing_aside": -70 if at and at.x > 0.55 * max(row.x for row in rows) else 60,
    }

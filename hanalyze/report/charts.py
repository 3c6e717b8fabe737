"""Kinds of charts: numbers in, a Plotly figure out. The page's charts.js draws the same kinds.

In: a question and its rows. Out: `plotly.graph_objects.Figure`, in the light palette. What logs say is
escaped: Plotly reads some HTML in its texts.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, Final

from hanalyze.extras import needed
from hanalyze.report.estimates import CurvePoint, Pair, Row
from hanalyze.report.look import FONT, PALETTE
from hanalyze.report.questions import Question
from hanalyze.report.sentences import KINDS_OF_GAMES, crossing, shown

__all__ = ["WIDTH", "bands", "bars", "blank", "columns", "dots", "field", "matrix", "plain", "stack", "trend"]

_INK1, _INK2, _INK3 = (PALETTE[name][0] for name in ("ink1", "ink2", "ink3"))
_GOOD, _WARN, _BAD, _FAINT = (PALETTE[name][0] for name in ("good", "warn", "bad", "faint"))
_BAR: Final = "rgba(111,106,95,.55)"
_TONES: Final = {
    "good": _GOOD,
    "good2": "rgba(11,107,122,.55)",
    "warn": _WARN,
    "warn2": "rgba(143,98,0,.55)",
    "bad": _BAD,
    "faint": _FAINT,
}
WIDTH: Final = 900
_TOP: Final = 84
"""Room for the title and the sentence."""
_HEAD: Final = 26
"""Room for the heads of panels below them."""


def _go() -> Any:
    return needed("plotly.graph_objects")


def plain(text: object) -> str:
    """Return text that Plotly shows as it is: neither HTML, nor a formula where the page has MathJax.

    >>> plain("<b>&"), plain("$x$")
    ('&lt;b&gt;&amp;', '&#36;x&#36;')
    """
    return html.escape(str(text), quote=False).replace("$", "&#36;")


def blank(title: str, sentence: str, height: int) -> Any:
    """Return a figure with nothing in it yet but its title and its sentence."""
    figure = _go().Figure()
    figure.update_layout(
        title={
            "text": f"<b>{plain(title)}</b><br>"
            f"<span style='font-size:13px;color:{_INK2}'>{plain(sentence)}</span>",
            "x": 0.02,
            "font": {"size": 18, "color": _INK1},
        },
        width=WIDTH,
        height=height + 100,
        margin={"l": 24, "r": 24, "t": _TOP, "b": 48},
        paper_bgcolor="#FFFFFF",
        plot_bgcolor="#FFFFFF",
        font={"family": FONT, "size": 12, "color": _INK2},
        showlegend=False,
        template=None,
    )
    return figure


def _whiskers(rows: Sequence[Row], colour: str = _INK2) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if row.high is None else row.high - row.value for row in rows],
        "arrayminus": [0 if row.low is None else row.value - row.low for row in rows],
        "thickness": 1.4,
        "width": 0,
        "color": colour,
    }


def _tips(question: Question, rows: Sequence[Row]) -> list[str]:
    decimals = question.decimals
    return [
        f"<b>{plain(row.label)}</b><br>{shown(row.value, decimals)} {plain(question.unit)}<br>95%:"
        f" {shown(row.low, decimals)} to {shown(row.high, decimals)}<br>{row.x:,.0f} of {row.y:,.0f},"
        f" {row.n:,.0f} games"
        for row in rows
    ]


def _tone(question: Question, row: Row, rows: Sequence[Row]) -> str:
    if "" in question.tones:
        most = max(rows, key=lambda one: one.value)
        return _TONES[question.tones[""]] if row is most else _BAR
    return _TONES.get(question.tones.get(row.label, ""), _BAR)


def _groups(question: Question, rows: Sequence[Row]) -> dict[str, list[Row]]:
    panels = question.panels or tuple(dict.fromkeys(row.panel for row in rows))
    groups = {panel: [row for row in rows if row.panel == panel] for panel in panels}
    return {panel: some for panel, some in groups.items() if some}


def _axes(
    figure: Any, number: int, count: int, x: dict[str, Any], y: dict[str, Any], gap: float, own: bool = False
) -> dict[str, str]:
    """Lay out one of several panels side by side, and return what its traces name.

    `gap` is the room for labels, before the first panel or, where each has its `own`, before each.
    """
    tail = "" if number == 0 else str(number + 1)
    width = 1 / count - gap if own else (1 - gap) / count
    start = number / count + gap if own else gap + number * width
    domain = [start, start + width - (0.03 if count > 1 else 0)]
    common = {"zeroline": False, "showline": False, "fixedrange": True}
    figure.update_layout(
        {
            f"xaxis{tail}": {**common, "domain": domain, "anchor": f"y{tail}", "showgrid": False, **x},
            f"yaxis{tail}": {**common, "anchor": f"x{tail}", "showgrid": False, **y},
        }
    )
    return {"xaxis": f"x{tail}", "yaxis": f"y{tail}"}


def _head(figure: Any, panel: str, axes: dict[str, str], note: str = "") -> None:
    if panel:
        if figure.layout.margin.t == _TOP:
            # The heads stand between the sentence and the axes.
            figure.update_layout(margin={"t": _TOP + _HEAD}, height=figure.layout.height + _HEAD)
        figure.add_annotation(
            text=f"<b>{plain(panel)}</b>{note}",
            xref=f"{axes['xaxis']} domain",
            yref=f"{axes['yaxis']} domain",
            x=0,
            y=1,
            yshift=22,
            xanchor="left",
            showarrow=False,
            font={"size": 13, "color": _INK1},
        )


def _texts(question: Question, rows: Sequence[Row]) -> list[str]:
    return [shown(row.value, question.decimals) for row in rows]


def _most(rows: Sequence[Row]) -> float:
    return max([row.value if row.high is None else row.high for row in rows], default=1.0) or 1.0


def columns(question: Question, rows: Sequence[Row], sentence: str) -> Any:
    """Draw a distribution as upright bars."""
    rows = [row for row in rows if row.x or row.label != "broken off"]
    figure = blank(question.title, sentence, 320)
    figure.add_bar(
        x=[row.label for row in rows],
        y=[row.value for row in rows],
        marker={"color": [_tone(question, row, rows) for row in rows]},
        error_y=_whiskers(rows),
        hovertext=_tips(question, rows),
        hoverinfo="text",
    )
    for row in rows:
        if row.x:
            figure.add_annotation(
                x=row.label, y=row.high, text=_texts(question, [row])[0], yanchor="bottom", showarrow=False
            )
    figure.update_xaxes(type="category", title=question.axis, showgrid=False)
    figure.update_yaxes(visible=False, range=[0, _most(rows) * 1.15])
    return figure


def bars(question: Question, rows: Sequence[Row], sentence: str) -> Any:
    """Draw bars that lie, the longest first where the question is sorted."""
    groups = {panel: [row for row in some if row.x] for panel, some in _groups(question, rows).items()}
    lines = max([len(some) for some in groups.values()], default=1)
    figure = blank(question.title, sentence, 60 + 46 * lines)
    for number, (panel, unsorted) in enumerate(groups.items()):
        some = sorted(unsorted, key=lambda row: -row.value) if question.sort else unsorted
        y = {"visible": False, "range": [max(1, lines), -0.3]}
        axes = _axes(figure, number, len(groups), {"visible": False, "range": [0, _most(some) * 1.25]}, y, 0)
        _head(figure, panel, axes)
        figure.add_bar(
            orientation="h",
            x=[row.value for row in some],
            y=[place + 0.6 for place in range(len(some))],
            width=0.36,
            marker={"color": [_tone(question, row, some) for row in some]},
            error_x=_whiskers(some, _INK1),
            hovertext=_tips(question, some),
            hoverinfo="text",
            **axes,
        )
        for place, row in enumerate(some):
            where = {"xref": axes["xaxis"], "yref": axes["yaxis"], "showarrow": False, "xanchor": "left"}
            figure.add_annotation(x=0, y=place + 0.2, text=plain(row.label), **where)
            value = f"<b>{_texts(question, [row])[0]}</b>"
            figure.add_annotation(
                x=row.value if row.high is None else row.high, y=place + 0.6, text=value, xshift=4, **where
            )
    return figure


def _labels(rows: Sequence[Row]) -> list[str]:
    """Return the labels of rows, those with the highest rate over all panels first."""
    found: dict[str, list[float]] = {}
    for row in rows:
        sums = found.setdefault(row.label, [0.0, 0.0])
        sums[0], sums[1] = sums[0] + row.x, sums[1] + row.y
    kept = [label for label, (x, _) in found.items() if x]
    return sorted(kept, key=lambda label: -found[label][0] / found[label][1])


def dots(question: Question, rows: Sequence[Row], sentence: str) -> Any:
    """Draw dots with whiskers, rows down, panels across; of `usage` in their order, each on its scale."""
    groups = _groups(question, rows)
    shared, apart = question.name != "perfect", question.chart == "usage"
    order = (
        list(dict.fromkeys(row.label for some in groups.values() for row in some)) if apart else _labels(rows)
    )
    labels = {panel: order if shared else [row.label for row in some] for panel, some in groups.items()}
    lines = max([len(some) for some in labels.values()], default=1)
    figure = blank(question.title, sentence, 90 + 28 * lines)
    most = _most(rows) * 1.25
    for number, (panel, some) in enumerate(groups.items()):
        ticks = {
            "tickvals": list(range(len(labels[panel]))),
            "ticktext": [plain(one) for one in labels[panel]],
        }
        y = {"range": [lines - 0.5, -0.5], **(ticks if number == 0 or not shared else {"visible": False})}
        scale = _most(some) * 1.25 if apart else most
        x = {"range": [-0.03 * scale, scale], "showgrid": True, "gridcolor": _FAINT}
        y["automargin"] = True
        axes = _axes(figure, number, len(groups), x, y, 0.24 if shared else 0.22, own=not shared)
        _head(figure, panel, axes)
        kept = [row for row in some if row.label in labels[panel]]
        _dots(
            figure,
            question,
            kept,
            [labels[panel].index(row.label) for row in kept],
            axes,
            [_INK2] * len(kept),
        )
        for row in kept:
            figure.add_annotation(
                x=row.value if row.high is None else row.high,
                y=labels[panel].index(row.label),
                text=_texts(question, [row])[0],
                xref=axes["xaxis"],
                yref=axes["yaxis"],
                xanchor="left",
                xshift=4,
                showarrow=False,
            )
    return _axis_title(figure, question.axis)


def _axis_title(figure: Any, text: str) -> Any:
    figure.add_annotation(
        text=plain(text), xref="paper", yref="paper", x=0.5, y=0, yshift=-40, showarrow=False
    )
    return figure


def _dots(
    figure: Any,
    question: Question,
    rows: Sequence[Row],
    y: Sequence[float],
    axes: dict[str, str],
    colours: Sequence[str],
) -> None:
    for row, line, colour in zip(rows, y, colours, strict=True):
        is_open = question.chart in ("field", "worth") and colour == _INK2
        figure.add_scatter(
            mode="markers",
            x=[row.value],
            y=[line],
            marker={
                "size": 9,
                "color": "#FFFFFF" if is_open else colour,
                "symbol": "diamond" if colour == _BAD else "circle",
                "line": {"width": 1.6 if is_open else 0, "color": colour},
            },
            error_x=_whiskers([row], colour),
            hovertext=_tips(question, [row]),
            hoverinfo="text",
            **axes,
        )


def field(question: Question, rows: Sequence[Row], sentence: str) -> Any:
    """Draw differences from the field: open where they cannot be told from 0."""
    groups = _groups(question, rows)
    labels = list(dict.fromkeys(row.label for row in rows))
    figure = blank(question.title, sentence, 90 + 28 * len(labels))
    for number, (panel, some) in enumerate(groups.items()):
        ticks = {
            "tickvals": list(range(len(labels))),
            "ticktext": [plain(one) for one in labels],
            "automargin": True,
        }
        y = {"range": [len(labels) - 0.5, -0.5], **(ticks if number == 0 else {"visible": False})}
        axes = _axes(figure, number, len(groups), {"showgrid": True, "gridcolor": _FAINT}, y, 0.2)
        _head(figure, panel, axes)
        better = 1 if panel == "Cards per clue" else question.better
        less = _WARN if question.chart == "worth" else _BAD
        colours = [
            _INK2 if (row.low or 0) <= 0 <= (row.high or 0) else _GOOD if row.value * better > 0 else less
            for row in some
        ]
        zero = {"x0": 0, "x1": 0, "y0": 0, "y1": 1, "line": {"color": _INK3, "width": 1}}
        figure.add_shape(type="line", xref=axes["xaxis"], yref=f"{axes['yaxis']} domain", **zero)
        _dots(figure, question, some, [labels.index(row.label) for row in some], axes, colours)
    return _axis_title(figure, question.axis)


def trend(question: Question, rows: Sequence[Row], sentence: str) -> Any:
    """Draw numbers over an ordered axis, panels side by side."""
    groups = _groups(question, rows)
    figure = blank(question.title, sentence, 300)
    for number, (panel, some) in enumerate(groups.items()):
        x = {"tickvals": list(range(len(some))), "ticktext": [plain(row.label) for row in some]}
        y = {"visible": False, "range": [0, _most(rows) * 1.12]}
        axes = _axes(figure, number, len(groups), x, y, 0)
        _head(figure, panel if len(groups) > 1 else "", axes)
        figure.add_scatter(
            mode="markers+text",
            x=list(range(len(some))),
            y=[row.value for row in some],
            marker={"size": 8, "color": _INK2},
            error_y=_whiskers(some),
            text=_texts(question, some),
            textposition="middle right",
            hovertext=_tips(question, some),
            hoverinfo="text",
            **axes,
        )
    return _axis_title(figure, question.axis)


def stack(question: Question, rows: Sequence[Row], sentence: str) -> Any:
    """Draw shares of a whole, a bar for each panel."""
    panels = list(dict.fromkeys(row.panel for row in rows))
    figure = blank(question.title, sentence, 60 + 46 * len(panels))
    of = {row.panel: row.y for row in rows}
    for word, tone in question.tones.items():
        some = [row for row in rows if row.label == word]
        # The word where it fits, the number where that fits.
        wide = 4 + 0.8 * len(word)
        texts = [
            ""
            if row.value < 4
            else f"{shown(row.value, 0)} {plain(word)}"
            if row.value > wide
            else shown(row.value, 0)
            for row in some
        ]
        figure.add_bar(
            orientation="h",
            x=[row.value for row in some],
            y=[f"{plain(row.panel)}  {of[row.panel]:,.0f}" for row in some],
            name=word,
            marker={"color": _TONES.get(tone, _BAR), "line": {"width": 1, "color": "#FFFFFF"}},
            text=texts,
            textposition="inside",
            insidetextanchor="middle",
            constraintext="none",
            textangle=0,
            hovertext=_tips(question, some),
            hoverinfo="text",
        )
    figure.update_layout(
        barmode="stack", showlegend=True, legend={"orientation": "h", "traceorder": "normal"}
    )
    figure.update_xaxes(visible=False, range=[0, 100])
    figure.update_yaxes(autorange="reversed", automargin=True)
    return figure


def bands(title: str, panels: Sequence[tuple[int, Sequence[CurvePoint]]], sentence: str) -> Any:
    """Draw cards per clue achieved and needed from turn to turn: median, its interval, middle half."""
    figure = blank(title, sentence, 340)
    points = [row for _, rows in panels for row in rows if row.turn > 8]
    most = max([row.p75 for row in points], default=2.0) + 0.1
    for number, (short, rows) in enumerate(panels):
        y = {"range": [0, most], "showgrid": True, "gridcolor": _FAINT}
        axes = _axes(figure, number, len(panels), {"title": "turn"}, y, 0)
        name = KINDS_OF_GAMES[short].removeprefix("games ")
        _head(figure, name[:1].upper() + name[1:], axes, f"  {max(row.n for row in rows):,} games")
        # The names stand where both curves are, one above and one below.
        medians = [{row.turn: row.median for row in rows if row.series == series} for series in (0, 1)]
        shared = sorted(medians[0].keys() & medians[1].keys())
        named = shared[int(0.42 * len(shared))] if shared else None
        above = 0 if named is None or medians[0][named] >= medians[1][named] else 1
        for series, word, colour, rgb in (
            (0, "achieved", _GOOD, "11,107,122"),
            (1, "needed", _INK3, "111,106,95"),
        ):
            some = [row for row in rows if row.series == series]
            if not some:
                continue
            turns = [row.turn for row in some]
            for low, high, opacity in (("p25", "p75", 0.14), ("low", "high", 0.3)):
                figure.add_scatter(
                    x=[*turns, *reversed(turns)],
                    y=[*(getattr(row, low) for row in some), *(getattr(row, high) for row in reversed(some))],
                    fill="toself",
                    fillcolor=f"rgba({rgb},{opacity})",
                    line={"width": 0},
                    mode="lines",
                    hoverinfo="skip",
                    **axes,
                )
            dash = "dash" if series else "solid"
            figure.add_scatter(
                x=turns,
                y=[row.median for row in some],
                mode="lines",
                name=word,
                line={"color": colour, "width": 2.2, "dash": dash},
                **axes,
            )
            middle = next((row for row in some if row.turn == named), some[len(some) // 2])
            figure.add_annotation(
                x=middle.turn,
                y=middle.p75 if series == above else middle.p25,
                text=f"<b>{word}</b>",
                xref=axes["xaxis"],
                yref=axes["yaxis"],
                yanchor="bottom" if series == above else "top",
                showarrow=False,
                font={"color": colour},
            )
        if (stretch := crossing(rows)) is not None:
            turn, _ = stretch
            where = {"xref": axes["xaxis"], "yref": axes["yaxis"], "line": {"color": _BAD, "dash": "dot"}}
            figure.add_shape(type="line", x0=turn, x1=turn, y0=0, y1=most, **where)
    return figure


def matrix(title: str, rows: Sequence[Pair], sentence: str) -> Any:
    """Draw the pairs of players; bold is more than luck gives, a dot too few games."""
    order = sorted({name for row in rows for name in (row.first, row.second)})
    values: list[list[float | None]] = [[None] * len(order) for _ in order]
    texts = [[""] * len(order) for _ in order]
    for row in rows:
        i, j = sorted((order.index(row.first), order.index(row.second)), reverse=True)
        values[i][j] = row.value
        number = "·" if row.value is None else f"{row.value:+.1f}".replace("-", "\N{MINUS SIGN}")
        texts[i][j] = f"<b>{number}</b>" if row.clear else number
    most = max([0.5, *(abs(row.value) for row in rows if row.value is not None)])
    figure = blank(title, sentence, 80 + 32 * len(order))
    figure.add_heatmap(
        x=[plain(name) for name in order],
        y=[plain(name) for name in order],
        z=values,
        text=texts,
        texttemplate="%{text}",
        zmin=-most,
        zmax=most,
        colorscale=[[0, "#D38A9E"], [0.5, _FAINT], [1, "#85B5BC"]],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverongaps=False,
    )
    bare = {"automargin": True, "type": "category", "showgrid": False, "ticks": ""}
    figure.update_yaxes(autorange="reversed", **bare)
    figure.update_xaxes(**bare)
    return figure

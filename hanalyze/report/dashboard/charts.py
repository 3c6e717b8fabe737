"""Chart types as Plotly values, with slots that `scripts/slots.js` fills.

`CHARTS` maps each chart type to plain values. `data`, `xaxis`, `yaxis`, `annotations` and `shapes` are those
of one panel. With `each`, each label that has a colour gets its own trace, for the legend.

At most `across` panels stand in a row, and `gap` is the share of the width between two of them. With
`weighted`, a panel's width depends on its number of labels. Heights in pixels: `head` above a panel, `bare`
above a panel without a name, `foot` below a panel, `line` for each line of a panel, and `least` as the
minimum for all lines of a panel together.

`lines` says which lines a panel has: `shared`, one for each label of any panel; `own`, one for each label of
the panel; `panels`, one for each panel of the figure, all in a single panel; `names`, one for each name in a
pair, with at most `most` names; `free`, none. `scale` says whether the panels share a value axis (`shared`)
or each has its `own`. `room` is the share by which the axis extends beyond the numbers and intervals.

`narrow` has the changes for a narrow page. `said`, `said_none` (without a value), `tip` and `headline` are
templates of texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

PALETTE_ALIASES: Final = {
    "plain": ("ink3", "8C"),
    "good2": ("good", "8C"),
    "warn2": ("warn", "8C"),
    "dim": ("ink3", "59"),
}
"""Transparent colour roles, as the base role and its opacity in hexadecimal."""

# fmt: off
_BASE: Final[Mapping[str, Any]] = {
    "across": 1, "narrow": {"across": 1}, "head": 8, "bare": 8, "foot": 8, "line": 0, "least": 0,
    "lines": "shared", "scale": "shared", "gap": 0.0, "room": 0.2, "weighted": False, "each": False,
    "said": "{value}", "said_none": "·",
    "tip": "{place}<b>{label}</b><br>{value} {unit}<br>95%: {interval}<br>{x} of {y}, {n} games",
    "headline": "", "layout": {}, "data": [], "annotations": [], "shapes": [],
}
_LAYOUT: Final[Mapping[str, Any]] = {
    "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "showlegend": False,
    "dragmode": False, "hovermode": "closest", "bargap": 0.18, "margin": {"l": 8, "r": 8, "t": 0, "b": 0},
    "font": {"size": 12, "color": "~ink2"},
    "hoverlabel": {"bgcolor": "~panel", "bordercolor": "~rule", "font": {"color": "~ink1"}, "align": "left"},
}
_AXIS: Final = {"fixedrange": True, "zeroline": False, "showgrid": False, "showline": False, "ticks": ""}
_X: Final = {**_AXIS, "domain": "$xdomain", "anchor": "$y", "tickangle": 0}
_Y: Final = {**_AXIS, "domain": "$ydomain", "anchor": "$x"}
_HIDDEN: Final = {"visible": False}
_APART: Final = {"ticks": "outside", "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}  # space for half a dot
_LINES: Final = {
    "range": "$lines", "tickvals": "$ticks", "ticktext": "$names", "showticklabels": "$first",
    "tickfont": {"size": 13, "color": "~ink1"}, "automargin": True, **_APART,
}
_GRID: Final = {"showgrid": True, "gridcolor": "~faint"}
_HEAD: Final = {
    "text": "$head", "xref": "$across", "yref": "$upward", "x": 0, "y": 1, "yshift": 6, "xanchor": "left",
    "yanchor": "bottom", "align": "left", "showarrow": False, "font": {"size": 13, "color": "~ink1"},
}
_AXIS_TITLE: Final = {
    "text": "$axis", "xref": "paper", "yref": "paper", "x": 0.5, "y": 0, "yanchor": "bottom",
    "showarrow": False, "font": {"size": 12, "color": "~ink3"},
}
_TIPS: Final = {"hovertext": "@tip", "hoverinfo": "text", "customdata": "@row"}
_SILENT: Final = {"hoverinfo": "skip", "cliponaxis": False}


def _whiskers(colour: str) -> dict[str, Any]:
    return {
        "type": "data", "symmetric": False, "array": "@up", "arrayminus": "@down", "thickness": 1.4,
        "width": 0, "color": colour,
    }


def _baseline(**where: Any) -> dict[str, Any]:
    return {"type": "line", "line": {"color": "~rule", "width": 1}, **where}


def _text(
    x: str | float, y: str, text: str, position: str, size: float = 12.5, **more: Any
) -> dict[str, Any]:
    font = {"size": size, "color": more.pop("color", "@ink")}
    return {
        "type": "scatter", "mode": "markers+text",
        "marker": {"size": more.pop("clear", 8), "opacity": 0},  # keeps the text clear of its point
        "x": x, "y": y, "text": text, "textposition": position, "textfont": font, **_SILENT, **more,
    }


_ZERO: Final = {"x0": 0, "x1": 0, "y0": 0, "y1": 1, "xref": "$x", "yref": "$upward"}
_FLOOR: Final = {"x0": 0, "x1": 1, "y0": 0, "y1": 0, "xref": "$across", "yref": "$y"}

_COLUMNS: Final = {
    "least": 240, "bare": 24, "foot": 76, "lines": "own", "room": 0.1,
    "xaxis": {**_X, "type": "category", "tickvals": "$ticks", "ticktext": "$stepped"},
    "yaxis": {**_Y, **_HIDDEN, "range": [0, "$high"]}, "shapes": [_baseline(**_FLOOR)],
    "data": [
        {
            "type": "bar", "x": "@name", "y": "@value", "marker": {"color": "@colour", "cornerradius": 3},
            "error_y": _whiskers("~ink2"), "cliponaxis": False, **_TIPS,
        },
        _text("@name", "@end", "@said", "top center"),
    ],
    "layout": {"annotations": [_AXIS_TITLE]},
}

_BARS: Final = {
    "across": 2, "line": 46, "least": 46, "head": 30, "lines": "own", "scale": "own", "gap": 0.04,
    "headline": "  {n} games", "said": "<b>{value}</b>", "xaxis": {**_X, **_HIDDEN, "range": [0, "$high"]},
    "yaxis": {**_Y, **_HIDDEN, "range": "$lines"}, "annotations": [_HEAD],
    "data": [
        {
            "type": "bar", "orientation": "h", "x": "@value", "y": "@below", "width": 0.34,
            "marker": {"color": "@colour", "cornerradius": 2}, "error_x": _whiskers("~ink1"), **_TIPS,
        },
        _text("@zero", "@above", "@name", "middle right", 13, color="~ink1", clear=0),
        _text("@end", "@below", "@said", "@beside"),
    ],
}

_MARKERS: Final = {
    "type": "scatter", "mode": "markers", "x": "@value", "y": "@line",
    "marker": {
        "size": 9, "opacity": 1, "color": "@fill", "symbol": "@symbol",
        "line": {"width": 1.8, "color": "@ink"},
    },
    "cliponaxis": False,  # a dot at the end of the axis is not clipped
    **_TIPS,
}
_SPREAD: Final = {
    "type": "scatter", "mode": "markers", "x": "@value", "y": "@line",
    "marker": {"size": 1, "color": "~ink3"}, "error_x": _whiskers("~ink3"), **_SILENT,
}
_DIM_SPREAD: Final = {**_SPREAD, "marker": {"size": 1, "color": "~dim"}, "error_x": _whiskers("~dim")}

_DOTS: Final = {
    "across": 4, "line": 28, "head": 44, "foot": 42, "gap": 0.045, "room": 0.3, "headline": "<br>{y}",
    "xaxis": {**_X, **_GRID, "range": [0, "$high"], "nticks": 4}, "yaxis": {**_Y, **_LINES},
    "annotations": [_HEAD], "shapes": [_baseline(layer="below", **_ZERO)],
    "data": [{**_SPREAD, "cliponaxis": True}, _MARKERS, _text("@end", "@line", "@said", "@beside", clear=12)],
    "layout": {"annotations": [_AXIS_TITLE]},
}

_FIELD: Final = {
    **_DOTS, "head": 46, "bare": 26, "scale": "own", "room": 0.05, "headline": "",
    "xaxis": {**_X, **_GRID, "range": ["$low", "$high"], "nticks": 5},
    "annotations": [
        {**_HEAD, "yshift": 24},
        *(
            {
                "text": f"${side}", "x": 0, "y": 1, "xref": "$x", "yref": "$upward", "xanchor": anchor,
                "xshift": shift, "yanchor": "bottom", "showarrow": False,
                "font": {"size": 12, "color": f"${side}_colour"},
            }
            for side, anchor, shift in (("left", "right", -6), ("right", "left", 6))
        ),
    ],
    "shapes": [{**_baseline(**_ZERO), "line": {"color": "~ink3", "width": 1}}],
    "tip": "{place}<b>{label}</b><br>{value} {unit}<br>interval: {interval}{drawn}<br>{x} of {y}, {n} games",
    "data": [
        {**_SPREAD, "where": ("dim", False)}, {**_DIM_SPREAD, "where": ("dim", True)},
        {
            "type": "scatter", "mode": "markers", "x": "@shrunk", "y": "@line",
            "marker": {"size": 13, "symbol": "line-ns", "line": {"width": 1.8, "color": "@ink"}}, **_SILENT,
        },
        _MARKERS,
    ],
}

_TREND: Final[Mapping[str, Any]] = {
    "across": 4, "least": 170, "head": 46, "foot": 58, "lines": "own", "gap": 0.03, "weighted": True,
    "room": 0.12,
    "xaxis": {**_X, **_APART, "type": "category", "range": [-0.6, "$last"], "nticks": "$fitting"},
    "yaxis": {**_Y, **_HIDDEN, "range": [0, "$high"]}, "annotations": [_HEAD],
    "shapes": [_baseline(layer="below", **_FLOOR)],
    "data": [
        {
            "type": "scatter", "mode": "markers", "x": "@broken", "y": "@value",
            "marker": {"size": 8, "color": "@ink"}, "error_y": _whiskers("~ink2"), "cliponaxis": False,
            **_TIPS,
        },
        _text("@broken", "@end", "@said", "top center", 12, color="@ink"),
    ],
    "layout": {"annotations": [_AXIS_TITLE]},
}

_ODDS: Final = {
    **_TREND, "least": 320,
    "data": [
        {
            "type": "scatter", "mode": "lines", "x": "@broken", "y": "@expected",
            "line": {"color": "~ink3", "width": 1, "dash": "dot"}, **_SILENT,
        },
        *_TREND["data"],
    ],
}
"""Observed frequencies, with the diagonal of perfect calibration."""

_STACK: Final = {
    "lines": "panels", "line": 46, "bare": 34, "narrow": {"bare": 104}, "each": True,
    "xaxis": {**_X, **_HIDDEN, "range": [0, 100]}, "yaxis": {**_Y, **_LINES},
    "data": [
        {
            "type": "bar", "orientation": "h", "x": "@value", "y": "@line", "width": 0.5,
            "marker": {"color": "@colour", "line": {"width": 1, "color": "~panel"}}, "text": "@whole",
            "textposition": "inside", "insidetextanchor": "middle", "textangle": 0, **_TIPS,
        }
    ],
    "layout": {
        "barmode": "stack", "showlegend": True,
        "legend": {"orientation": "h", "y": 1, "yanchor": "top", "x": 0, "traceorder": "normal"},
        "uniformtext": {"minsize": 12, "mode": "hide"},
    },
}

_CURVES: Final = tuple(
    part
    for series, colour, dash in ((0, "good", "solid"), (1, "ink3", "4px,3px"))
    for part in (
        *(
            {
                "where": ("series", series), "type": "scatter", "mode": "lines", "x": "@x", "y": f"@{end}",
                "line": {"width": 0}, "fill": fill, "fillcolor": f"~{colour}/{alpha}", "hoverinfo": "skip",
            }
            for alpha, low, high in (("24", "p25", "p75"), ("4D", "low", "high"))
            for end, fill in ((low, "none"), (high, "tonexty"))
        ),
        {
            "where": ("series", series), "type": "scatter", "mode": "lines", "x": "@x", "y": "@value",
            "line": {"color": f"~{colour}", "width": 2.2, "dash": dash}, **_TIPS,
        },
        _text("@x", "@edge", "@mark", "@side", 13, color=f"~{colour}", where=("series", series)),
    )
)
_CROSSING: Final = {
    "visible": "$crosses", "text": "$crossing", "x": "$crossing_x", "y": "$crossing_y", "xref": "$x",
    "yref": "$y", "ax": "$crossing_aside", "ay": -64, "showarrow": True, "arrowhead": 0, "arrowwidth": 1,
    "arrowcolor": "~bad", "font": {"size": 12, "color": "~bad"},
}
"""Line to the point where two curves cross, with a label at its other end."""
_BANDS: Final = {
    "across": 2, "least": 230, "head": 34, "foot": 44, "lines": "free", "gap": 0.06, "room": 0.04,
    "headline": "  {n} games",
    "tip": "turn {label}: <b>{value}</b> {unit}<br>95%: {interval}<br>middle half: {p25} to {p75}"
    "<br>{n} games", "xaxis": {**_X, "range": [0, "$last"], "nticks": 8},
    "yaxis": {
        **_Y, **_GRID, "range": ["$bottom", "$top"], "nticks": 6, "tickformat": ".1f", "automargin": True,
    },
    "annotations": [_HEAD, _CROSSING],
    # The label does not fit; the sentence below the chart names the turn.
    "narrow": {"across": 1, "annotations": [_HEAD]}, "data": _CURVES,
    "layout": {"annotations": [_AXIS_TITLE]},
}

_NAMES: Final = {
    "type": "category", "categoryorder": "array", "categoryarray": "$names", "dtick": 1, "automargin": True,
}
_MATRIX: Final = {
    "lines": "names", "most": 14, "narrow": {"most": 10}, "line": 28, "least": 200, "foot": 60,
    "said": "{signed}",
    "tip": "<b>{label}, {other}</b><br>{signed} {unit}<br>interval: {interval}<br>{n} games",
    "xaxis": {**_X, **_NAMES, "tickangle": -45}, "yaxis": {**_Y, **_NAMES, "autorange": "reversed"},
    "data": [
        {
            "type": "heatmap", "x": "@name", "y": "@second", "z": "@value", "zmid": 0,
            "colorscale": [[0, "~bad/80"], [0.5, "~faint"], [1, "~good/80"]], "showscale": False,
            "hoverongaps": False, "xgap": 2, "ygap": 2, **_TIPS,
        },
        _text("@name", "@second", "@said", "middle center", 12, color="~ink1"),
    ],
}

_OWN_DOTS: Final = {
    **_DOTS, "across": 2, "lines": "own", "line": 40, "gap": 0.05, "headline": "", "head": 30,
    "yaxis": {**_Y, **_HIDDEN, "range": "$lines"},
    "data": [
        {**_SPREAD, "y": "@below"}, {**_MARKERS, "y": "@below"},
        _text("@end", "@below", "@said", "@beside"),
        _text("@zero", "@above", "@name", "middle right", 13, color="~ink1", clear=0),
    ],
}

_KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "columns": _COLUMNS, "bars": _BARS, "dots": _DOTS, "game_dots": {**_DOTS, "headline": "<br>{n} games"},
    "apart_dots": {**_DOTS, "across": 2, "scale": "own", "head": 30, "headline": ""}, "own_dots": _OWN_DOTS,
    "field": _FIELD, "trend": _TREND, "odds": _ODDS, "stack": _STACK, "bands": _BANDS, "matrix": _MATRIX,
}

CHARTS: Final = {
    name: {**_BASE, **chart, "layout": {**_LAYOUT, **chart.get("layout", {})}}
    for name, chart in _KINDS.items()
}
# fmt: on

"""Figure `calibration`: predicted chances compared with observed frequencies.

The figure is not on the dashboard, because its chances need the games themselves, not only their sums.
"""

from __future__ import annotations

from typing import Any, Final

from hanalyze.analysis.calibration import calibration_of
from hanalyze.errors import HanalyzeError
from hanalyze.report.dashboard.cube import Filters
from hanalyze.store import Database
from hanalyze.words import ENOUGH_CARDS

NAME: Final = "calibration"
TITLE: Final = "Were the predicted chances right?"

_PANELS: Final = {
    "chop_critical": "Chop: critical",
    "clued_playable": "Clued card: playable",
    "discarded_chop_critical": "Discarded chop: critical",
    "played_clued_playable": "Played clued card: playable",
}
_HEIGHT: Final = 300
_GAP: Final = 0.05

# fmt: off
_LEGEND: Final = {"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"}
_HEAD: Final = {
    "y": 1.02, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False,
}
_HONEST: Final = {
    "type": "scatter", "mode": "lines", "x": [0, 100], "y": [0, 100], "hoverinfo": "skip",
    "showlegend": False,
}
_POINTS: Final = {
    "type": "scatter", "mode": "markers",
    "hovertemplate": "predicted %{x:.0f}%, observed %{y:.0f}%, %{customdata} cards<extra></extra>",
}
# fmt: on


def calibration_chart(
    db: Database, filters: Filters, colours: dict[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """Return Plotly's data and layout, and a sentence in parts; every second part is bold.

    `colours` are the palette's colours by name. Raises `HanalyzeError` if no game matches, or conventions are
    defined for none of them (rule `no_game`).
    """
    rows = calibration_of(db, _games(db, filters)).to_dicts()
    if not rows:
        what = "no conventions are defined for any of these games, so there are no chances to judge"
        raise HanalyzeError(what, rule="no_game", file=db.file)
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"height": _HEIGHT, "annotations": [], "showlegend": True, "legend": _LEGEND}
    width = (1 - _GAP * (len(_PANELS) - 1)) / len(_PANELS)
    for number, (question, title) in enumerate(_PANELS.items()):
        axis = str(number + 1) if number else ""
        left = number * (width + _GAP)
        range_ = {"range": [-4, 104], "gridcolor": colours["faint"], "zeroline": False, "ticksuffix": "%"}
        layout[f"xaxis{axis}"] = {"domain": [left, left + width], "anchor": f"y{axis}", **range_}
        layout[f"yaxis{axis}"] = {"anchor": f"x{axis}", "showticklabels": not number, **range_}
        layout["annotations"].append({"text": title, "x": left, **_HEAD})
        own = [
            row
            for row in rows
            if row["question"] == question and row["tenth"] is not None and row["cards"] >= ENOUGH_CARDS
        ]
        data += _traces(own, axis, number == 0, colours)
    return {"data": data, "layout": layout}, _sentence(rows)


def _games(db: Database, filters: Filters) -> Any:
    query = """SELECT DISTINCT g.game_id FROM games g JOIN seats s USING (game_id)
        WHERE ($players IS NULL OR g.players = $players) AND ($variant IS NULL OR g.variant = $variant)
        AND ($player IS NULL OR s.player = $player) ORDER BY g.game_id"""
    wanted = {name: filters.get(name) for name in ("players", "variant", "player")}
    ids = db.sql(query, wanted)["game_id"].to_numpy()
    if not len(ids):
        raise HanalyzeError("no game matches these filters", rule="no_game", file=db.file)
    return ids


def _traces(
    rows: list[dict[str, Any]], axis: str, in_legend: bool, colours: dict[str, str]
) -> list[dict[str, Any]]:
    """Return the traces of a panel: the diagonal, and the points by card counting and by the model."""
    place = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    line = {"color": colours["ink3"], "width": 1, "dash": "dot"}
    traces: list[dict[str, Any]] = [{**_HONEST, "line": line, **place}]
    for name, columns, colour, symbol in (
        ("predicted by card counting", ("said_cards",), colours["ink3"], "circle-open"),
        ("predicted by the model", ("said_act", "said_state"), colours["good"], "circle"),
    ):
        chances = [next(row[one] for one in columns if row[one] is not None) for row in rows]
        errors = [200 * row["standard_error"] for row in rows]
        whiskers = {"type": "data", "array": errors, "thickness": 1, "width": 0, "color": colour}
        trace = {
            **_POINTS,
            **{"name": name, "legendgroup": name, "showlegend": in_legend},
            "x": [100 * chance for chance in chances],
            "y": [100 * row["was"] for row in rows],
            "error_y": whiskers,
            "marker": {"color": colour, "symbol": symbol, "size": 8},
            "customdata": [row["cards"] for row in rows],
            **place,
        }
        traces.append(trace)
    return traces


def _sentence(rows: list[dict[str, Any]]) -> list[str]:
    whole = {row["question"]: row for row in rows if row["tenth"] is None}
    parts: list[str] = []
    for question, words in (
        ("chop_critical", "Chops that were critical"),
        ("discarded_chop_critical", "Discarded chops that were critical"),
    ):
        row = whole.get(question)
        if row is None:
            continue
        chance = row["said_act"] if row["said_act"] is not None else row["said_state"]
        begin = (parts.pop() + " " if parts else "") + f"{words}: {_percent(row['said_cards'])} by card"
        parts += [f"{begin} counting, {_percent(chance)} by the model, in fact ", _percent(row["was"]), "."]
    first = rows[0]
    parts.append(
        (parts.pop() if parts else "")
        + f" Each point: the cards in a range of 10% of the model's chance, at least {ENOUGH_CARDS},"
        " ± 2 standard errors."
        f" Model: {first['method']}, {first['corpus']}."
    )
    return parts


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.095 else f"{100 * share:.1f}%"

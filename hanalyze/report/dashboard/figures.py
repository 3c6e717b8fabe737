"""The figures of the dashboard, and `calibration`, by name: a database and filters in, a Plotly figure out.

In: an open database; filters, a mapping with any of `players` (team size), `variant` and `player`. Out:
`plotly.graph_objects.Figure`, filled as the page fills its own.

    with hanalyze.connect("games.duckdb", read_only=True) as db:
        hanalyze.figure("scores", db, {"players": 3}).write_html("scores.html")
"""

from __future__ import annotations

import os
import textwrap
from difflib import get_close_matches
from typing import Any, Final

from hanalyze.analysis.effectiveness import check_read
from hanalyze.analysis.points_lost import check_solved
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.lazy import needed
from hanalyze.report.dashboard import calibration
from hanalyze.report.dashboard.charts import CHARTS, PALETTE_ALIASES
from hanalyze.report.dashboard.cube import Cube, Filters, names
from hanalyze.report.dashboard.lists import listed
from hanalyze.report.dashboard.questions import QUESTIONS, Question
from hanalyze.report.dashboard.twins.multiplicity import claims_of, judged
from hanalyze.report.dashboard.twins.rows import rows_of
from hanalyze.report.dashboard.twins.sentences import of_player, plain, sentence
from hanalyze.report.dashboard.twins.slots import filled
from hanalyze.report.theme import FONT, PALETTE
from hanalyze.store import Database

FIGURES: Final = (*QUESTIONS, calibration.NAME)
"""The names of all figures: those of the dashboard, then those that stand alone."""

_WIDTH: Final = 900
_TOP: Final = 84
"""Room for the title and the sentence."""
_LIGHT: Final = {name: light for name, (light, _) in PALETTE.items()}
_NOTHING: Final = {
    "data": [],
    "layout": {"height": 0, "xaxis": {"visible": False}, "yaxis": {"visible": False}},
}
COLOURS: Final = {**_LIGHT, **{name: _LIGHT[one] + alpha for name, (one, alpha) in PALETTE_ALIASES.items()}}


def figure(
    name: str,
    db: Database,
    filters: Filters | None = None,
    *,
    mistakes: str | os.PathLike[str] | None = None,
) -> Any:
    """Return a figure by name, a `plotly.graph_objects.Figure`.

    `filters`: `players` (team size), `variant`, `player`. Of a player's games, figures about decisions count
    the player's own, the others count the games. `mistakes` is a folder with more definitions of mistakes.
    On its own a figure has fewer claims to weigh than among those of the dashboard, and may make one more.
    Raises `UnknownName`, and `HanalyzeError` if no game matches (rule `no_game`), if the figure is about
    conventions and no game was read for them (`not_read`), or about solved games and none was solved
    (`not_solved`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     figure("scores", db).layout.title.text.split("<br>")[0]
    '<b>How close the games came</b>'
    """
    if name not in FIGURES:
        near = tuple(get_close_matches(name[:100], FIGURES, n=1, cutoff=0.6))
        raise UnknownName("figure", name, near, advice="one of: " + ", ".join(FIGURES))
    kept = {key: value for key, value in (filters or {}).items() if value is not None}
    if name == calibration.NAME:
        drawn, said = calibration.calibration_chart(db, kept, _LIGHT)
        return _framed(calibration.TITLE, drawn, _with_scope(said, "games", kept.get("player")))
    if QUESTIONS[name].read:
        check_read(db)
    if QUESTIONS[name].solved:
        check_solved(db)
    with Cube(db, kept, mistakes) as cube:
        if not cube.chosen(kept):
            sizes = sorted(cube.cells["size"].unique().to_list())
            advice = None
            if kept.get("players", sizes[0]) not in sizes:
                advice = "there are games of " + ", ".join(map(str, sizes)) + " players"
            raise HanalyzeError("no game matches these filters", rule="no_game", file=db.file, advice=advice)
        return draw(cube, QUESTIONS[name], kept)


def draw(cube: Cube, question: Question, filters: Filters | None = None) -> Any:
    """Return the figure of a question about a cube; what it claims is judged by what it could claim alone."""
    if question.rows == "list":
        drawn, said = _table(*listed(cube, question, filters))
    else:
        rows = rows_of(cube, question, filters)
        claims = claims_of({question.name: rows}, QUESTIONS)
        rows = judged(rows, claims)
        drawn = filled(CHARTS[question.chart], question, rows, COLOURS, _WIDTH - 48, claims.level) or _NOTHING
        said = sentence(question, rows, claims.level)
    player = (filters or {}).get("player")
    shared = player is not None and cube.player_keys[cube.players.index(player)] is None
    said = _with_scope(said, cube.scope(question), player, shared=shared)
    return _framed(question.title, drawn, said)


def _with_scope(said: list[str], scope: str, player: str | None, *, shared: bool = False) -> list[str]:
    """Return what is said of a figure, and what it counts of the games of the chosen player."""
    if player is None or not scope:
        return said
    [name] = names([player])
    return [*said[:-1], f"{said[-1]} {of_player(scope, name, shared=shared)}"]


def _framed(title: str, drawn: dict[str, Any], said: list[str]) -> Any:
    """Return Plotly's figure of what is drawn, with its title and what is said of it."""
    layout = dict(drawn["layout"])
    words = "".join(f"<b>{plain(part)}</b>" if place % 2 else plain(part) for place, part in enumerate(said))
    lines = textwrap.wrap(words, 130, break_long_words=False, break_on_hyphens=False)
    top = _TOP + 18 * max(0, len(lines) - 1)
    layout |= {
        "title": {
            "text": f"<b>{plain(title)}</b><br>"
            f"<span style='font-size:13px;color:{_LIGHT['ink2']}'>{'<br>'.join(lines)}</span>",
            "x": 0.02,
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 20},
            "font": {"size": 18, "color": _LIGHT["ink1"]},
        },
        "width": _WIDTH,
        "height": layout["height"] + top + 24,
        "margin": {"l": 24, "r": 24, "t": top, "b": 24},
        "paper_bgcolor": _LIGHT["panel"],
        "plot_bgcolor": _LIGHT["panel"],
        "font": {"family": FONT, "size": 12, "color": _LIGHT["ink2"]},
        "template": None,
    }
    return needed("plotly.graph_objects").Figure({"data": drawn["data"], "layout": layout})


def _table(head: list[str], rows: list[list[str]], said: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Return a list as a table whose columns are as wide as their words ask for."""
    lengths = [max(len(cell) for cell in (name, *cells)) for name, *cells in zip(head, *rows, strict=True)]
    shares = [min(length, 40) + 3 for length in lengths]
    lines = [
        max(-(-len(cell) * sum(shares) // (share * 130)) for cell, share in zip(row, shares, strict=True))
        for row in rows
    ]
    line, faint = {"color": _LIGHT["rule"]}, {"color": _LIGHT["faint"]}
    white = {"color": _LIGHT["panel"]}
    cells = [[plain(row[number]) for row in rows] for number in range(len(head))]
    data = {
        "type": "table",
        "columnwidth": shares,
        "header": {"values": head, "align": "left", "fill": white, "line": line},
        "cells": {"values": cells, "align": "left", "height": 28, "fill": white, "line": faint},
    }
    return {"data": [data], "layout": {"height": 40 + sum(14 + 16 * max(1, count) for count in lines)}}, said

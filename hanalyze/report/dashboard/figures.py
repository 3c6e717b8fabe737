"""Dashboard figures and the figure `calibration`, as Plotly figures.

For example, `hanalyze.figure("scores", db).write_html("scores.html")` writes a figure of an open
database `db` to a file.
"""

from __future__ import annotations

import html
import os
import textwrap
from typing import Any, Final

from hanalyze.analysis.filters import check_filled
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.lazy import needed
from hanalyze.report.dashboard import calibration
from hanalyze.report.dashboard.charts import CHARTS, PALETTE_ALIASES
from hanalyze.report.dashboard.cube import NAME_WIDTH, Cube, Filters
from hanalyze.report.dashboard.figure_data import figure_data, places
from hanalyze.report.dashboard.lists import listed
from hanalyze.report.dashboard.questions import QUESTIONS, Question
from hanalyze.report.dashboard.scripts import Scripts
from hanalyze.report.theme import FONT, PALETTE
from hanalyze.store import Database
from hanalyze.text import apart, nearest

FIGURES: Final = (*QUESTIONS, calibration.NAME)
"""Names of all figures: the dashboard's figures, then `calibration`."""

_WIDTH: Final = 900
_TOP: Final = 84
"""Height for the title and a one-line sentence, in pixels."""
_LIGHT: Final = {name: light for name, (light, _) in PALETTE.items()}
_NOTHING: Final = {
    "data": [],
    "layout": {"height": 0, "xaxis": {"visible": False}, "yaxis": {"visible": False}},
}
COLOURS: Final = {**_LIGHT, **{name: _LIGHT[one] + alpha for name, (one, alpha) in PALETTE_ALIASES.items()}}


def figure(
    name: str, db: Database, filters: Filters | None = None, *, mistakes: str | os.PathLike[str] | None = None
) -> Any:
    """Return a figure by name, a `plotly.graph_objects.Figure`.

    `filters` has `players` (team size), `variant` and `player`. For a chosen player, figures about decisions
    count only the player's decisions; other figures count all the player's games. `mistakes` is a folder with
    additional definitions of mistakes. A single figure tests fewer comparisons than the whole dashboard, so
    it may show a difference as significant that the dashboard does not. Raises `UnknownName` for an unknown
    figure or filter value, and `HanalyzeError` if QuickJS, Plotly or SciPy is needed but not installed (rule
    `no_quickjs` and so on), if no game matches (`no_game`), or if the figure needs games that were read for
    conventions (`not_read`) or solved (`not_solved`), and there are none.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     figure("scores", db).layout.title.text.split("<br>")[0]
    '<b>How close the games came to the full score</b>'
    """
    name = {"losses": "points_short", "tokens": "wasted_tokens"}.get(name, name)  # former names
    if name not in FIGURES:
        raise UnknownName("figure", name, nearest(name, FIGURES, 1), advice="one of: " + ", ".join(FIGURES))
    needed("_quickjs")  # fail before the games are counted
    given = {key: value for key, value in (filters or {}).items() if value is not None}
    if name == calibration.NAME:
        chart, text = calibration.calibration_chart(db, given, _LIGHT)
        return _framed(calibration.TITLE, chart, _with_scope(text, "games", given.get("player")))
    if QUESTIONS[name].read:
        check_filled(db, "convention_games")
    if QUESTIONS[name].solved:
        check_filled(db, "solved_games")
    with Cube(db, given, mistakes) as cube:
        if not cube.chosen(given):
            sizes = sorted(cube.cells["size"].unique().to_list())
            advice = None
            if given.get("players", sizes[0]) not in sizes:
                advice = "there are games of " + ", ".join(map(str, sizes)) + " players"
            raise HanalyzeError("no game matches these filters", rule="no_game", file=db.file, advice=advice)
        return draw(cube, cube.worded(QUESTIONS[name]), given)


def draw(cube: Cube, question: Question, filters: Filters | None = None) -> Any:
    """Return the figure of a question; only the claims of this figure are tested together."""
    if question.rows == "list":
        chart, text = _table(*listed(cube, question, filters))
    else:
        scripts = Scripts(figure_data(cube, question, filters))
        [[asked, rows]] = scripts.run("askedOf", places(cube, filters))
        claims = scripts.run("claimsOf", [[asked, rows]])
        rows, level = scripts.run("judged", rows, claims), claims["level"]
        drawn = scripts.run("filled", CHARTS[question.chart], asked, rows, COLOURS, _WIDTH - 48, level)
        chart, text = drawn or _NOTHING, scripts.run("sentenceOf", asked, rows, level)
    player = (filters or {}).get("player")
    shared = player is not None and cube.player_keys[cube.players.index(player)] is None
    text = _with_scope(text, cube.scope(question), player, shared=shared)
    return _framed(question.title, chart, text)


def _with_scope(text: list[str], scope: str, player: str | None, *, shared: bool = False) -> list[str]:
    """Return the sentence of a figure, followed by its scope for the chosen player."""
    if player is None or not scope:
        return text
    [name] = apart([player], NAME_WIDTH)
    return [*text[:-1], f"{text[-1]} {Scripts().run('ofPlayer', scope, name, shared)}"]


def plain(text: str) -> str:
    """Escape text for Plotly, which interprets HTML and, with MathJax, formulas.

    >>> plain("<b>&"), plain("$x$")
    ('&lt;b&gt;&amp;', '&#36;x&#36;')
    """
    return html.escape(text, quote=False).replace("$", "&#36;")


def _framed(title: str, chart: dict[str, Any], text: list[str]) -> Any:
    layout = dict(chart["layout"])
    words = "".join(f"<b>{plain(part)}</b>" if place % 2 else plain(part) for place, part in enumerate(text))
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
    return needed("plotly.graph_objects").Figure({"data": chart["data"], "layout": layout})


def _table(head: list[str], rows: list[list[str]], text: list[str]) -> tuple[dict[str, Any], list[str]]:
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
    return {"data": [data], "layout": {"height": 40 + sum(14 + 16 * max(1, count) for count in lines)}}, text

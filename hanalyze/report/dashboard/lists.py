"""Lists of the dashboard: the costliest turns, and the most and least efficient games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.report.dashboard.cube import Cube, Filters, stored_suit_names
from hanalyze.report.dashboard.questions import Question
from hanalyze.report.dashboard.teams import LISTED
from hanalyze.report.page import game_titles
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import SEVERITIES
from hanalyze.text import shorten
from hanalyze.words import percent, rounded

HEADS: Final = {
    "turns": ["Points", "What happened", "The holder", "Odds, as the holder saw them", "Game"],
    "ranking": ["Cards per clue", "Needed from the start", "Score", "Players", "Game"],
}
LISTS: Final = {"turns": ("costliest",), "ranking": ("best", "worst")}
"""Lists of each chart; a second list is reversed and omits the games of the first list."""

SUITS: Final = (
    *("Red", "Yellow", "Green", "Blue", "Purple", "Teal", "Pink", "White", "Black", "Brown"),
    *("Rainbow", "Omni", "Null", "Prism", "Gray"),
)
"""Suits whose cards are shown in colour."""

_MOVES: Final = {
    "discard_last_copy": ("discards the last {card}", "p_critical", "{p}% likely to be the last copy"),
    "misplay": ("misplays the last {card}", "p_playable", "{p}% likely to be playable"),
    "play_narrows": ("plays {card} and lowers the maximum score", None, "one of the playable cards"),
}
"""Move, column of the chance, and wording of the chance, by kind of mistake."""


def turn_words(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the move, the severity and the chance in words ("" for a kind without a chance).

    >>> turn_words({"kind": "misplay", "severity": "gamble", "card": "r4", "p_playable": 0.25})
    ('misplays the last R4', 'gamble', '25% likely to be playable')
    """
    kind, severity = row["kind"], row["severity"]
    ours = definitions().get(kind)
    move, column, odds = _MOVES.get(kind, (ours.label if ours else kind, None, ""))
    if column is not None:
        odds = "" if row[column] is None else odds.format(p=percent(row[column]))
    return (
        move.format(card=(row["card"] or "?").upper()),
        SEVERITIES[severity].short if severity in SEVERITIES else severity,
        odds,
    )


def _turn(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    move, severity, odds = turn_words(row)
    player = shorten(row["name"] or f"seat {row['seat'] + 1}", 24)
    game = f"{name}, turn {row['turn'] + 1}"
    return {
        "cells": [f"\N{MINUS SIGN}{row['points']}", f"{player} {move}", severity, odds, game],
        "turn": row["turn"] + 1,
        "player": player,
        "card": (row["card"] or "?").upper(),
        "suit": _suit(row["variant"], row["edition"], row["suit"]),
        "what": move,
    }


def _ranked(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    party = ", ".join(shorten(name or "?", 14) for name in row["names"])
    values = [row["efficiency"], row["min_efficiency"]]
    return {
        "cells": [
            *(rounded(value, 2) for value in values),
            f"{row['score']} of {row['full_score']}",
            party,
            name,
        ],
        "meter": [round(value, 4) for value in values],
    }


def _names(cube: Cube, chart: str) -> dict[int, str]:
    columns = "game_id", "source_id", "seed"
    return game_titles(pl.concat(cube.listed(name).select(columns) for name in LISTS[chart]))


def entries(
    cube: Cube,
    chart: str,
    name: str,
    pages: Mapping[int, str] | None = None,
    sites: Mapping[int, str] | None = None,
) -> list[dict[str, Any]]:
    """Return the rows of a list for all cells, each with texts, the cells that show it, and links.

    `pages` maps `game_id` to addresses of review pages, `sites` to addresses on hanab.live.
    """
    rows, names = [], _names(cube, chart)
    texts = _turn if chart == "turns" else _ranked
    for row in cube.listed(name).iter_rows(named=True):
        key = row["game_id"]
        links = {"site": (sites or {}).get(key), "page": (pages or {}).get(key)}
        rows.append({"game": str(key), "in": row["cells"], **texts(row, f"Game {names[key]}"), **links})
    return rows


def listed(
    cube: Cube, question: Question, filters: Filters | None
) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the list of a question for some filters: column heads, rows, and its sentence in parts."""
    chosen = set(cube.chosen(filters))
    rows: dict[str, list[str]] = {}
    for name in LISTS[question.chart]:
        some = [one for one in entries(cube, question.chart, name) if chosen & set(one["in"])][: LISTED[name]]
        for one in reversed(some) if name == "worst" else some:
            key = one["cells"][-1] if question.chart == "turns" else one["game"]
            rows.setdefault(key, one["cells"])
    cells = list(rows.values())
    template = question.say["clear" if cells else "none"]
    first = cells[0] if cells else ["", ""]
    parts = [part.format(value=first[0], need=first[1]) for part in template.split("**")]
    return HEADS[question.chart], cells, parts


def _suit(variant: str, edition: str, suit: int | None) -> int | None:
    try:
        return None if suit is None else SUITS.index(stored_suit_names(variant, edition)[suit])
    except (HanalyzeError, IndexError, ValueError):  # an unknown variant, or a suit that is not in `SUITS`
        return None

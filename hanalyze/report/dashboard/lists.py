"""Lists of the dashboard: the costliest turns, and the most and least efficient games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.report.dashboard.counts import LISTED
from hanalyze.report.dashboard.cube import Cube, Filters, stored_suit_names
from hanalyze.report.dashboard.questions import Question
from hanalyze.report.page import game_titles
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import SEVERITY_WORDS
from hanalyze.store.wording import said_in_games
from hanalyze.text import shorten
from hanalyze.words import percent, rounded, with_minus

HEADS: Final = {
    "turns": ["Points", "What happened", "The player", "Odds, as the player saw them", "Game"],
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
    "discard_last_copy": "discards the last {card}",
    "discard_out_of_pace": "loses a turn that was needed",
    "discard_unsaved": "left {holder}\N{RIGHT SINGLE QUOTATION MARK}s {card} unsaved",
    "misplay": "misplays the last {card}",
    "play_narrows": "plays {card} and lowers the maximum score",
    "strike_caused": "leads a teammate to misplay {card}",
}
_ODDS: Final = {
    "discard_last_copy": ("p_critical", "likely to be the last copy"),
    "misplay": ("p_playable", "likely to be playable"),
}
"""Column and wording of the chance, by kind of mistake."""


def turn_words(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the move, the severity and the chance in words ("" for a kind without a chance).

    >>> row = {"kind": "misplay", "severity": "gamble", "card": "r4", "names": ["Al"], "holder": 0}
    >>> turn_words(row | {"p_playable": 0.25, "p_playable_in_games": None})
    ('misplays the last R4', 'gamble', '25% likely to be playable')
    """
    kind, severity = row["kind"], row["severity"]
    ours = definitions().get(kind)
    move = _MOVES.get(kind, ours.label if ours else kind)
    return (
        move.format(card=(row["card"] or "?").upper(), holder=_player(row, row["holder"])),
        SEVERITY_WORDS.get(severity, severity),
        "one of the playable cards" if kind == "play_narrows" else _odds(row),
    )


def _odds(row: Mapping[str, Any]) -> str:
    """Return the chance by which the turn was judged; if calibrated, that by card counting follows."""
    column, likely = _ODDS.get(row["kind"], ("", ""))
    if not column or row[column] is None:
        return ""
    alone, in_games = f"{percent(row[column])}%", row[f"{column}_in_games"]
    if in_games in (None, 0, 1) or (row["kind"] == "misplay" and row["card_place"] != "clued"):
        return f"{alone} {likely}"
    said = said_in_games(f"{column}_in_games", in_games, row["model"], row["features"], row["card_place"])
    return f"{said} {likely} ({alone} by card counting)"


def _player(row: Mapping[str, Any], seat: int) -> str:
    return shorten(row["names"][seat] or f"seat {seat + 1}", 24)


def _turn(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    move, severity, odds = turn_words(row)
    player = _player(row, row["seat"])
    game = f"{name}, turn {row['turn'] + 1}"
    return {
        "cells": [with_minus(f"-{row['points']}"), f"{player} {move}", severity, odds, game],
        "turn": row["turn"] + 1,
        "player": player,
        "card": (row["card"] or "").upper(),
        "suit": _suit(row["variant"], row["edition"], row["suit"]),
        "what": move,
    }


def _ranked(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    party = ", ".join(shorten(name or "?", 14) for name in row["names"])
    values = [row["efficiency"], row["min_efficiency"]]
    shown = [rounded(value, 2) for value in values]
    return {
        "cells": [*shown, f"{row['score']} of {row['full_score']}", party, name],
        "meter": [round(value, 4) for value in values],
    }


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
    columns = "game_id", "source_id", "seed"
    names = game_titles(pl.concat(cube.listed(one).select(columns) for one in LISTS[chart]))
    rows = []
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

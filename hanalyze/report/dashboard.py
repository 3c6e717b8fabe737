"""The dashboard: one HTML file about many games, with all that it needs in it.

In: a database, and where there are pages of single games. Out: HTML. The page draws its figures itself, from
the sums of `hanalyze.report.aggregates`, so that it can filter without a server.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.errors import HanalyzeError
from hanalyze.extras import needed
from hanalyze.logs.site import compact_address, numbered_address
from hanalyze.report.aggregates import BIN, BINS, LISTED, Board
from hanalyze.report.convention_counts import BANDS, CLUE_LABELS, WORTH
from hanalyze.report.convention_worth import worth_sums
from hanalyze.report.costly import turn_words
from hanalyze.report.look import look_of, suit_css, theme_css
from hanalyze.report.plotly_page import plotly_policy, plotly_script
from hanalyze.report.questions import QUESTIONS, Question
from hanalyze.report.review import embedded_json
from hanalyze.report.tables import CURVE
from hanalyze.store import Database
from hanalyze.store.batches import stored_deals
from hanalyze.text import printable, shorten
from hanalyze.version import __version__

__all__ = ["Made", "dashboard", "needed_pages"]

_MOST: Final = 9_500_000
"""Characters of data that a page may hold besides Plotly."""

_NARROWER: Final = ((12, 24), (12, 12), (6, 6))
"""How many variants and players are kept apart where a page would hold more than that."""


class Made(NamedTuple):
    """A page, how many games it is about, and which names share a line of it, as `_not_apart` says.

    `read` is how many of the games were read for conventions; without any, the page has nothing about them.
    """

    text: str
    games: int
    not_apart: str
    read: int


@cache
def _part(name: str) -> str:
    return (files("hanalyze.report") / "board_page" / name).read_text("utf-8")


def dashboard(db: Database, *, pages: Mapping[int, str] | None = None) -> Made:
    """Return the dashboard of a database.

    `pages` has the addresses of pages of single games, by `game_id`; the turns listed link to them. Raises
    `HanalyzeError` where there is no game (rule `no_game`) or no Plotly (`no_plotly`).
    """
    needed("plotly")  # where it is missing, nobody waits to hear it
    with Board(db) as board:
        data = embedded_json(_data(board, pages or {}))
        for variants, players in _NARROWER:
            if len(data) <= _MOST:
                break
            board.narrow(variants, players)
            data = embedded_json(_data(board, pages or {}))
        rest = _not_apart(board)
        return Made(_page(board, data, rest), board.games, rest, board.read)


def needed_pages(db: Database, most: int) -> list[int]:
    """Return the games of the costliest turns, at most so many, the costliest first.

    First those of the whole, then those that the filters show.
    """
    with Board(db) as board:
        rows = board.listed("costliest")
    ids: list[int] = rows["game_id"].to_list()
    return list(dict.fromkeys(ids))[:most]


def _not_apart(board: Board) -> str:
    """Say which players and variants are only shown together, the rare ones; "" where each is apart."""
    parts = []
    if board.other_players:
        parts.append(f"{_counted(board.other_players, 'player')} (together as “{board.shown_players[-1]}”)")
    if board.other_variants:
        parts.append(
            f"{_counted(board.other_variants, 'variant')} (together as “{board.shown_variants[-1]}”)"
        )
    return ", ".join(parts)


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one if number == 1 else one + 's'}"


def _page(board: Board, data: str, rest: str) -> str:
    looks = [look_of(name) for name in _SUITS]
    suits = "".join(
        f".card[data-suit='{i}']{{background:var(--s{i}-tint);color:var(--s{i}-ink);border-color:transparent}}\n"
        for i in range(len(looks))
    )
    sizes = sorted(board.cells["size"].unique().to_list())
    table = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    players = len(board.players) - bool(board.other_players) + board.other_players
    variants = len(board.variants) - bool(board.other_variants) + board.other_variants
    intro = (
        f"{_counted(board.games, 'game')} of {_counted(players, 'player')}, {table} at the table,"
        f" {_counted(variants, 'variant')}."
        " Pick a team size, a variant or a player; every figure below follows."
    )
    footer = "".join(f"<p>{html.escape(line)}</p>" for line in _footer(board, rest))
    scripts = {
        "PLOTLY": plotly_script(),
        "SCRIPT": "\n".join(_part(name) for name in ("sums.js", "charts.js", "conventions.js", "board.js")),
    }
    parts = {
        **scripts,
        "STYLE": theme_css() + suit_css(looks) + _part("board.css") + suits,
        "POLICY": plotly_policy(*scripts.values()),
        "INTRO": html.escape(intro),
        "FOOTER": footer,
        "DATA": data,
    }
    page = _part("board.html")
    # The pieces are put together once: nothing in one of them can stand for another.
    pieces = []
    for piece in page.split("/*"):
        name, found, rest = piece.partition("*/")
        pieces.append(parts[name] + rest if found and name in parts else piece)
    return "".join(pieces)


def _footer(board: Board, rest: str) -> list[str]:
    versions = board.frame(
        "SELECT DISTINCT rules_version, tables_version, package_version FROM games ORDER BY ALL LIMIT 4"
    ).rows()
    stored = "; ".join(f"hanalyze {printable(p)}, rules {r}, tables {t}" for r, t, p in versions)
    return [
        "95% intervals throughout. Every figure is a query; its text stands behind “What is counted” and runs"
        " as it is with hanalyze sql.",
        f"{_counted(board.games, 'game')}, stored by {stored}; page made by hanalyze {__version__}."
        + (f" Not shown apart: {rest}." if rest else ""),
    ]


def _data(board: Board, pages: Mapping[int, str]) -> dict[str, Any]:
    questions = [one for one in QUESTIONS.values() if board.read or not one.read]
    used = dict.fromkeys(name for question in questions for name in question.tables)
    used.update(dict.fromkeys(("struck", "short", "efficiency", "needed", "perfect", "scores", "points")))
    tables = {}
    for name in used:
        sums = board.table(name)
        tables[name] = {
            "keys": sums.keys,
            "found": [_plain(column.to_list()) for column in sums.found.get_columns()],
            "of": [_plain(column.to_list()) for column in sums.of.get_columns()],
        }
    places = _places(board, pages)
    return {
        "games": board.games,
        "sizes": sorted(board.cells["size"].unique().to_list()),
        "variants": board.shown_variants,
        "players": board.shown_players,
        "keys": {"variant": board.variant_keys, "player": board.player_keys},
        "cells": [_plain(row) for row in board.cells.iter_rows()],
        "tables": tables,
        "pairs": [_plain(row) for row in board.pairs().iter_rows()],
        "curve": list(_curve(board)),
        "bin": BIN,
        "bins": BINS,
        "listed": LISTED,
        "lists": {
            "costliest": [_turn(row, places) for row in board.listed("costliest").iter_rows(named=True)],
            **{
                name: [_game(row, places) for row in board.listed(name).iter_rows(named=True)]
                for name in ("best", "worst")
            },
        },
        "questions": [{**asdict(one), "queries": _queries(board, one)} for one in questions],
        **({"worth": _worth(board)} if board.read else {}),
    }


def _worth(board: Board) -> dict[str, Any]:
    """Return what clues brought in by convention and need, for the page."""
    sums = {
        name: [_plain(column.to_list()) for column in frame.get_columns()]
        for name, frame in worth_sums(board)._asdict().items()
    }
    return {"labels": CLUE_LABELS, "bands": len(BANDS), "sums": sums}


def _plain(values: Sequence[Any]) -> list[Any]:
    """Return numbers without needless digits."""
    return [
        int(value)
        if isinstance(value, float) and value.is_integer()
        else round(value, 4)
        if isinstance(value, float)
        else value
        for value in values
    ]


def _queries(board: Board, question: Question) -> list[dict[str, str]]:
    """Return the queries behind a figure, as they can be run."""
    found = [{"name": name, "text": board.question(name).query} for name in question.tables]
    if question.chart == "worth":
        found.append({"name": "convention_worth", "text": WORTH.strip()})
    elif question.chart == "bands":
        found.append({"name": "efficiency_curve", "text": CURVE.strip()})
    elif question.chart == "ranking":
        found.append({"name": "efficient_games", "text": board.list_query("best")})
    elif question.chart == "turns":
        found.append({"name": "costliest_turns", "text": board.list_query("costliest")})
    return found


def _curve(board: Board) -> list[list[int]]:
    """Return for each cell, kind of game, series and turn the first bin, and the games from there on."""
    rows: list[list[int]] = []
    last: tuple[int, ...] = ()
    for *place, bin_, games in board.curve().iter_rows():
        if tuple(place) != last:
            last = tuple(place)
            rows.append([*place, bin_])
        row = rows[-1]
        row.extend([0] * (bin_ - row[4] - (len(row) - 5)))
        row.append(games)
    return rows


_SUITS: Final = (
    "Red",
    "Yellow",
    "Green",
    "Blue",
    "Purple",
    "Teal",
    "Pink",
    "White",
    "Black",
    "Brown",
    "Rainbow",
    "Omni",
    "Null",
    "Prism",
    "Gray",
)


@cache
def _suits_of(variant: str) -> tuple[str, ...]:
    from hanalyze.game.variants import variant as find_variant

    try:
        return tuple(suit.name for suit in find_variant(variant).suits)
    except HanalyzeError:
        return ()


def _suit(variant: str, suit: int | None) -> int | None:
    """Return the number of a suit's look."""
    suits = _suits_of(variant)
    if suit is None or suit >= len(suits) or suits[suit] not in _SUITS:
        return None
    return _SUITS.index(suits[suit])


class _Places(NamedTuple):
    """Where games can be looked at, by `game_id`: pages beside this one, and the site."""

    pages: Mapping[int, str]
    site: Mapping[int, str]


def _places(board: Board, pages: Mapping[int, str]) -> _Places:
    """Find where the listed games can be looked at."""
    site: dict[int, str] = {}
    without = set()
    for name in LISTED:
        for row in board.listed(name).iter_rows(named=True):
            address = numbered_address(row["source_id"], row["source"])
            if address is not None:
                site[row["game_id"]] = address
            elif not row["defects"]:
                without.add(row["game_id"])
    for key, deal in stored_deals(board.db.connection, np.array(sorted(without), np.int64), 1000):
        address = compact_address(deal.record)
        if address is not None:
            site[key] = address
    return _Places(pages, site)


def _links(row: Mapping[str, Any], places: _Places) -> dict[str, Any]:
    number = row["source_id"]
    return {
        "cells": row["cells"],
        "game": f"Game {number if number is not None else shorten(row['seed'] or str(row['game_id']), 24)}",
        "site": places.site.get(row["game_id"]),
        "page": places.pages.get(row["game_id"]),
    }


def _turn(row: Mapping[str, Any], places: _Places) -> dict[str, Any]:
    what, severity, odds = turn_words(row)
    return {
        **_links(row, places),
        "points": row["points"],
        "turn": row["turn"],
        "player": shorten(row["name"] or f"seat {row['seat'] + 1}", 24),
        "card": (row["card"] or "?").upper(),
        "suit": _suit(row["variant"], row["suit"]),
        "what": what,
        "kind": severity,
        "odds": odds,
    }


def _game(row: Mapping[str, Any], places: _Places) -> dict[str, Any]:
    party = [shorten(name or "?", 14) for name in row["names"]]
    return {
        **_links(row, places),
        "key": str(row["game_id"]),
        "place": str(row["game_id"]),
        "efficiency": round(row["efficiency"], 4),
        "needed": round(row["min_efficiency"], 4),
        "score": row["score"],
        "full": row["full_score"],
        "party": ", ".join(party),
    }

"""Data that a page embeds for the scripts of the dashboard: sums by cell, and declarations of figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, asdict, fields
from typing import Any, Final

from hanalyze.lazy import polars as pl
from hanalyze.report.dashboard.charts import CHARTS
from hanalyze.report.dashboard.cube import BIN, BINS, Cube, Filters
from hanalyze.report.dashboard.questions import CLAIMED, OF_PLAYER, SAID, Question

PYTHON_ONLY: Final = ("definition", "section", "span", "kinds", "family", "read", "solved", "query")
"""Fields of a `Question` that the scripts do not use."""

_DEFAULTS: Final = {
    one.name: one.default
    for one in fields(Question)
    if one.default is not MISSING and one.name not in PYTHON_ONLY
}


def places(cube: Cube, filters: Filters | None) -> dict[str, int | None]:
    """Return filters for the scripts (None: any), with variant and player as their numbers in the cells."""
    given = {"players": None, "variant": None, "player": None, **(filters or {})}
    names = {"variant": cube.variants, "player": cube.players}
    return {
        name: names[name].index(value) if value is not None and name in names else value
        for name, value in given.items()
    }


def sums_data(
    cube: Cube,
    names: Iterable[str],
    cells: Sequence[int] | None = None,
    *,
    pairs: bool = True,
    curve: bool = True,
) -> dict[str, Any]:
    """Return a cube's cells, and its sums of the counts `names`, of pairs and of the curve, if wanted.

    Sums of counts and the curve are those of the cells `cells` (None: all).
    """

    def of_cells(frame: pl.DataFrame) -> pl.DataFrame:
        return frame if cells is None else frame.filter(pl.col("cell").is_in(cells))

    return {
        "games": cube.games,
        "sizes": sorted(cube.cells["size"].unique().to_list()),
        "variants": cube.shown_variants,
        "players": cube.shown_players,
        "keys": {"variant": cube.variant_keys, "player": cube.player_keys},
        "cells": [_plain(row) for row in cube.cells.iter_rows()],
        "sums": {
            name: {
                "keys": sums.keys,
                "found": _columns(of_cells(sums.found)),
                "of": _columns(of_cells(sums.of)),
            }
            for name, sums in ((name, cube.sums(name)) for name in names)
        },
        "pairs": [_plain(row) for row in cube.pairs().iter_rows()] if pairs else [],
        "curve": curve_rows(of_cells(cube.curve())) if curve else [],
        "bin": BIN,
        "bins": BINS,
    }


def questions_data(cube: Cube, questions: Sequence[Question], **more: Any) -> dict[str, Any]:
    """Return the declarations of figures and the texts that they share, and `more` data."""
    return {
        "charts": {
            name: CHARTS[name] for name in dict.fromkeys(one.chart for one in questions) if name in CHARTS
        },
        "said": SAID,
        "of_player": OF_PLAYER,
        "claimed": CLAIMED,
        **more,
        "defaults": {**_DEFAULTS, "better": {}, "tones": {}, "labels": [], "scope": ""},
        "questions": [_question(cube, one) for one in questions],
    }


def figure_data(cube: Cube, question: Question, filters: Filters | None = None) -> dict[str, Any]:
    """Return the data that the scripts need for one figure; pairs and the curve only if it shows them."""
    kind = question.rows
    names = dict.fromkeys((*question.counts, *{"pairs": ("points",), "curve": ("scores",)}.get(kind, ())))
    cells = None if kind in ("field", "pairs") else cube.chosen(filters)
    return {
        **sums_data(cube, names, cells, pairs=kind == "pairs", curve=kind == "curve"),
        **questions_data(cube, [question]),
        "worth": cube.worth if kind == "worth" else [],
    }


def _question(cube: Cube, question: Question) -> dict[str, Any]:
    """Return the values of a question that the scripts need; default values are omitted."""
    values = {**asdict(question), "labels": sorted(cube.labels(question)), "scope": cube.scope(question)}
    return {
        name: value
        for name, value in values.items()
        if name not in PYTHON_ONLY and value not in ({}, [], _DEFAULTS.get(name, {}))
    }


def _columns(frame: pl.DataFrame) -> list[list[Any]]:
    return [_plain(column.to_list()) for column in frame.get_columns()]


def _plain(values: Sequence[Any]) -> list[Any]:
    """Round numbers to six decimals; whole numbers become integers."""
    rounded = (round(value, 6) if isinstance(value, float) else value for value in values)
    return [int(one) if isinstance(one, float) and one.is_integer() else one for one in rounded]


def curve_rows(frame: pl.DataFrame) -> list[list[int]]:
    """Return rows of cell, kind of game, series, turn, first bin, and games in each bin from the first."""
    rows: list[list[int]] = []
    last: tuple[int, ...] = ()
    for *place, bin_, games in frame.iter_rows():
        if tuple(place) != last:
            last = tuple(place)
            rows.append([*place, bin_])
        row = rows[-1]
        row.extend([0] * (bin_ - row[4] - (len(row) - 5)))
        row.append(games)
    return rows

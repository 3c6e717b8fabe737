"""The numbers of the figures about conventions, from sums over the cells that filters leave.

In: a `Board` and filters. Out: `Row`s. The page's conventions.js does the same.

What a convention's clues brought in more than others: over its uses, the cards gotten less the mean of all
other clues where as much was needed (of the same games that the filters leave). That mean is taken as it is;
the interval is that of a ratio of sums over games, as everywhere (`hanalyze.report.estimates`).
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Final

import numpy as np

from hanalyze.report.aggregates import Board, Filters
from hanalyze.report.convention_counts import BANDS, CLUE_LABELS, UNEXPLAINED, USES
from hanalyze.report.convention_worth import worth_sums
from hanalyze.report.estimates import Row, rows_of
from hanalyze.report.questions import Question
from hanalyze.report.sentences import shown

__all__ = ["usage_rows", "usage_sentence", "worth_rows", "worth_sentence"]

_Z: Final = NormalDist().inv_cdf(0.975)


def usage_rows(board: Board, question: Question, filters: Filters | None = None) -> list[Row]:
    """Return how often each convention is used and works, the most used first; at the end the unexplained.

    What is used less than `question.least` times is left out, and so is a success of fewer settled uses.
    """
    rows = rows_of(board, replace(question, panels=()), filters)
    kept = [row for row in rows if row.panel == USES and row.x >= question.least]
    kept.sort(key=lambda row: -row.value)
    place = {row.label: number for number, row in enumerate(kept)}
    worked = [
        row
        for row in rows
        if row.panel not in (USES, UNEXPLAINED) and row.label in place and row.y >= question.least
    ]
    worked.sort(key=lambda row: place[row.label])
    return [*kept, *worked, *(row for row in rows if row.panel == UNEXPLAINED)]


def worth_rows(board: Board, question: Question, filters: Filters | None = None) -> list[Row]:
    """Return how many cards more each convention's clues brought in per token, the most first."""
    chosen = board.chosen(filters)
    sums = worth_sums(board)
    shape = len(CLUE_LABELS), len(BANDS)
    uses, worth, both = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    pairs = np.zeros((*shape, len(BANDS)))
    games, squares = np.zeros(shape[0]), np.zeros(shape[0])
    cells = set(chosen)
    for cell, key, band, u, w, uw in sums.bands.iter_rows():
        if cell in cells:
            uses[key, band] += u
            worth[key, band] += w
            both[key, band] += uw
    for cell, key, a, b, uu in sums.pairs.iter_rows():
        if cell in cells:
            pairs[key, a, b] += uu
            if a != b:
                pairs[key, b, a] += uu
    for cell, key, n, ww in sums.games.iter_rows():
        if cell in cells:
            games[key] += n
            squares[key] += ww
    rows = []
    for key, label in enumerate(CLUE_LABELS):
        mine = uses[key].sum()
        others = uses.sum(0) - uses[key]
        gotten = worth.sum(0) - worth[key]
        if mine < max(question.least, 1) or not others.sum():
            continue
        mean = np.where(others > 0, gotten / np.maximum(others, 1), gotten.sum() / others.sum())
        more = float((worth[key].sum() - uses[key] @ mean) / mine)
        each = mean + more
        spread = float(squares[key] - 2 * each @ both[key] + each @ pairs[key] @ each)
        half = None
        if games[key] > 1 and spread > 1e-9 * max(float(squares[key]), 1.0):
            half = _Z * math.sqrt(spread * games[key] / (games[key] - 1)) / float(mine)
        low, high = (None, None) if half is None else (more - half, more + half)
        rows.append(Row("", label, more, low, high, float(worth[key].sum()), float(mine), float(games[key])))
    return sorted(rows, key=lambda row: -row.value)


def usage_sentence(question: Question, rows: list[Row]) -> str:
    """Return which convention is used most, and how much none explains."""
    used = [row for row in rows if row.panel == USES]
    rest = [_filled(question, "rest", row) for row in rows if row.panel == UNEXPLAINED]
    return " ".join([_most_used(question, used), *rest]).replace("**", "")


def _most_used(question: Question, used: list[Row]) -> str:
    if not used:
        return question.say["none"].format(least=question.least)
    first, *rest = used
    clear = first.low is not None and all(
        first.low > (row.value if row.high is None else row.high) for row in rest
    )
    return _filled(question, "text" if clear else "tie", first, rest[0] if rest else first)


def _filled(question: Question, kind: str, row: Row, second: Row | None = None) -> str:
    decimals = question.decimals
    return question.say[kind].format(
        label=row.label,
        value=shown(row.value, decimals),
        low=shown(row.low, decimals),
        high=shown(row.high, decimals),
        label2="" if second is None else second.label,
        value2="" if second is None else shown(second.value, decimals),
    )


def worth_sentence(question: Question, rows: list[Row]) -> str:
    """Return how many conventions bring in more than other clues, and how many less."""
    if not rows:
        return question.say["none"].format(least=question.least)
    above = sum(row.low is not None and row.low > 0 for row in rows)
    below = sum(row.high is not None and row.high < 0 for row in rows)
    return question.say["text"].format(above=above, below=below, n=len(rows)).replace("**", "")

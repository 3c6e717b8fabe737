"""Page of research metrics, as a single HTML file without scripts.

Matrices are heat maps of HTML cells; each cell states its number, and its shade depends on this number.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

from hanalyze import analysis
from hanalyze.analysis.research import cross_play_means
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.report.page import policy, render, source
from hanalyze.report.theme import theme_css
from hanalyze.store import Database
from hanalyze.text import plural, printable, shorten

_STEPS: Final = 10
"""Number of shades above 0."""
_FEW: Final = 100
"""Minimum number of pairs of actions for a matrix to be drawn."""
_NAMES: Final = 24
"""Maximum number of names in a cross-play matrix."""
_GROUPS: Final = {"P": "Play", "D": "Discard", "C": "Colour", "R": "Rank"}


class Cell(NamedTuple):
    """A cell with a shade from 0 to 10 (None without data), a description, and a number to print."""

    shade: int | None
    text: str
    number: str = ""


class HeatMap(NamedTuple):
    """A matrix as a heat map.

    `groups` contains each group's heading and number of columns (and rows). `columns` contains short column
    headings. Each entry of `rows` contains the group's heading (in the first row of a group), the row's
    heading and the cells. `top` is the value of the darkest shade.
    """

    groups: list[tuple[str, int]]
    columns: list[str]
    rows: list[tuple[str, str, list[Cell]]]
    top: float


def _shade(share: float) -> int:
    """Return the shade of a share from 0 to 1, at least 1 for a share above 0.

    >>> [_shade(share) for share in (0, 0.01, 0.5, 1)]
    [0, 1, 5, 10]
    """
    return 0 if share <= 0 else min(_STEPS, max(1, round(share * _STEPS)))


def _labels(matrix: pl.DataFrame) -> list[tuple[str, list[str]]]:
    """Return the actions of a matrix in groups: plays, discards, colour and rank clues by receiver."""
    seen = {*matrix["action"].to_list(), *matrix["next_action"].to_list()}
    groups: dict[tuple[int, int], list[str]] = {}
    for name in seen:
        kind, ahead = name[0], int(name.partition("+")[2] or 0)
        groups.setdefault(("PDCR".index(kind), ahead), []).append(name)
    labels = []
    for (kind, ahead), names in sorted(groups.items()):
        numbers = [int(name[1:].partition("+")[0]) for name in names]
        behind = f"+{ahead}" if ahead else ""
        every = [f"{'PDCR'[kind]}{number}{behind}" for number in range(min(numbers), max(numbers) + 1)]
        labels.append(("PDCR"[kind] + behind, every))
    return labels


def action_map(matrix: pl.DataFrame) -> HeatMap:
    """Return the conditional action matrix of one team size, from rows of `action_matrix`.

    Rows are actions, columns are the next player's actions, and shades are P(next | action). The darkest
    shade is the highest probability, rounded up to a multiple of 5%. An action without data has an empty row.

    >>> import polars as pl
    >>> rows = {"action": ["P1", "P1"], "next_action": ["P1", "D2"], "pairs": [1, 3]}
    >>> drawn = action_map(pl.DataFrame({**rows, "probability": [0.25, 0.75]}))
    >>> drawn.groups, drawn.columns, [cell.text for cell in drawn.rows[0][2]][1]
    ([('P', 1), ('D', 1)], ['1', '2'], 'D2 after P1: 75%, 3 of 4')
    """
    grouped = _labels(matrix)
    names = [name for _, some in grouped for name in some]
    columns = matrix.select("action", "next_action", "pairs", "probability")
    pairs = {(one, other): (count, share) for one, other, count, share in columns.iter_rows()}
    top = math.ceil(20 * max((share for _, share in pairs.values()), default=1.0) - 1e-9) / 20
    totals = dict(matrix.group_by("action").agg(pl.col("pairs").sum()).iter_rows())
    begins = {some[0]: name for name, some in grouped}
    rows = []
    for one in names:
        cells = []
        for other in names:
            count, share = pairs.get((one, other), (0, 0.0))
            text = f"{other} after {one}: {share:.0%}, {count:,} of {totals.get(one, 0):,}"
            cells.append(Cell(_shade(share / top) if one in totals else None, text))
        rows.append((begins.get(one, ""), one[1:].partition("+")[0], cells))
    return HeatMap([(name, len(some)) for name, some in grouped], [row[1] for row in rows], rows, top)


def cross_play_map(matrix: pl.DataFrame, full: float) -> HeatMap:
    """Return a cross-play matrix: rows are players in seat 0, columns in seat 1; `full` is the top score."""
    names = sorted({*matrix["first"].to_list(), *matrix["second"].to_list()})
    means = {(row["first"], row["second"]): row for row in matrix.iter_rows(named=True)}
    rows = []
    for number, first in enumerate(names, 1):
        cells = []
        for second in names:
            row = means.get((first, second))
            pair = f"{printable(first)} before {printable(second)}"
            if row is None:
                cells.append(Cell(None, f"{pair}: no games"))
                continue
            error = "" if row["sem"] is None else f", standard error {row['sem']:.2f}"
            text = f"{pair}: {row['mean']:.2f} points{error}, {plural(row['games'], 'game')}"
            cells.append(Cell(_shade(row["mean"] / full), text, f"{row['mean']:.1f}"))
        rows.append((str(number), shorten(first, 40), cells))
    return HeatMap([], [str(number) for number in range(1, len(names) + 1)], rows, full)


def _strongest(matrix: pl.DataFrame) -> str:
    """Return a sentence on the most predictable next action; "" if all actions are too rare."""
    often = matrix.with_columns(pl.col("pairs").sum().over("action").alias("of"))
    often = often.filter(pl.col("of") >= max(_FEW, int(matrix["pairs"].sum()) // 100))
    if often.is_empty():
        return ""
    often = often.sort("probability", "action", "next_action", descending=[True, False, False])
    row = often.row(0, named=True)
    return (
        f"After {_worded(row['action'])}, {row['probability']:.0%} of the next moves were"
        f" {_worded(row['next_action'])} ({row['pairs']:,} of {row['of']:,})."
    )


def _worded(name: str) -> str:
    """Return an action in words.

    >>> _worded("P1"), _worded("R5+2")
    ('a play of slot 1', 'a clue of rank 5 to the player 2 seats on')
    """
    number, _, ahead = name[1:].partition("+")
    if name[0] in "PD":
        return f"a {_GROUPS[name[0]].lower()} of slot {number}"
    whom = "the next player" if ahead == "1" else f"the player {ahead} seats on"
    return f"a clue of {_GROUPS[name[0]].lower()} {number} to {whom}"


def _score_rows(scores: pl.DataFrame) -> list[list[str]]:
    def number(value: float | None, error: float | None) -> str:
        spread = "" if error is None else f" ± {error:.2f}"
        return "" if value is None else f"{value:.2f}{spread}"

    return [
        [
            str(row["players"]),
            f"{row['games']:,}",
            number(row["strict"], row["strict_sem"]),
            number(row["kept"], row["kept_sem"]),
            f"{row['perfect']:.1%}",
            f"{row['bomb_out']:.1%}",
        ]
        for row in scores.iter_rows(named=True)
    ]


def research_page(db: Database) -> str:
    """Return the research page of a database.

    Raises `HanalyzeError` if it has no games (rule `no_game`) or without Jinja2 (`no_jinja2`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     page = research_page(db)
    >>> "The next move after each move" in page, "<script" in page
    (True, False)
    """
    scores = analysis.research_scores(db)
    if scores.is_empty():
        raise HanalyzeError("there is no game", rule="no_game", file=db.file)
    matrix = analysis.action_matrix(db)
    information = {row["players"]: row for row in analysis.action_information(db).iter_rows(named=True)}
    maps: list[dict[str, Any]] = []
    for players in sorted(matrix["players"].unique().to_list()):
        mine = matrix.filter(pl.col("players") == players)
        pairs, bits = int(mine["pairs"].sum()), information[players]["corrected"]
        if pairs < _FEW:
            lead = f"{plural(pairs, 'pair')} of moves: too few to draw."
            maps.append({"players": players, "lead": lead, "map": None})
            continue
        lead = f"{_strongest(mine)} Overall, a move tells {bits:.2f} bits about the next ({pairs:,} pairs)."
        maps.append({"players": players, "lead": lead.strip(), "map": action_map(mine)})
    cross = analysis.cross_play(db)
    style = theme_css() + source("dashboard/page/research.css")
    return render(
        "dashboard/page/research.html",
        policy=policy((), (style,)),
        style=style,
        games=f"{scores['games'].sum():,}",
        scores=_score_rows(scores),
        maps=maps,
        cross=_cross(db, cross),
    )


def _cross(db: Database, cross: pl.DataFrame) -> dict[str, Any] | None:
    """Return the cross-play matrix and its sentence; None for fewer than 2 or more than `_NAMES` names."""
    names = {*cross["first"].to_list(), *cross["second"].to_list()}
    if not 2 <= len(names) <= _NAMES:
        return None
    full = db.sql("SELECT max(full_score) AS full FROM games WHERE players = 2")["full"].item()
    means = cross_play_means(cross)
    parts = [
        f"{text} {value:.1f} points"
        for name, text in (("self_play", "with themselves"), ("cross_play", "with each other"))
        if (value := means[name]) is not None
    ]
    lead = f"On average, pairs score {' and '.join(parts)}." if parts else ""
    return {"map": cross_play_map(cross, float(full)), "lead": lead}

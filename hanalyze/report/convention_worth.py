"""What clues brought in, by convention and need: sums over the games of a board.

In: a `Board`. Out: `WorthSums`, from which rates follow (`hanalyze.report.convention_rows`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hanalyze.report.aggregates import Board
from hanalyze.report.convention_counts import BANDS, CLUE_LABELS, WORTH

if TYPE_CHECKING:
    import polars as pl

__all__ = ["WorthSums", "worth_sums"]


class WorthSums(NamedTuple):
    """Sums by cell and convention, the place of its label in `CLUE_LABELS`; bands by their place in `BANDS`.

    `bands`: cell, key, band, uses, worth, and over games the products of the uses there and the whole worth.
    `pairs`: cell, key, two bands (the first not after the second), the products of the uses in both.
    `games`: cell, key, games with a use, the squares of their worth.
    """

    bands: pl.DataFrame
    pairs: pl.DataFrame
    games: pl.DataFrame


def worth_sums(board: Board) -> WorthSums:
    """Return what clues brought in, by convention and need; made once for a board."""
    labels = (label.replace("'", "''") for label in CLUE_LABELS)
    number = " ".join(f"WHEN '{label}' THEN {place}" for place, label in enumerate(labels))
    made = board.once(
        "worth",
        f"""
CREATE OR REPLACE TEMP TABLE worth AS
SELECT game_id, team, CASE label {number} END::UTINYINT AS key, (need - {BANDS[0]})::UTINYINT AS band,
    uses::DOUBLE AS uses, worth::DOUBLE AS worth,
    sum(worth) OVER (PARTITION BY game_id, label)::DOUBLE AS whole
FROM ({WORTH}) JOIN team_of USING (game_id)""",
        """
SELECT cell, key, band, sum(u)::DOUBLE AS uses, sum(w)::DOUBLE AS worth, sum(uw)::DOUBLE AS products
FROM (SELECT team, key, band, sum(uses) AS u, sum(worth) AS w, sum(uses * whole) AS uw
    FROM worth GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL""",
        """
SELECT cell, key, a, b, sum(uu)::DOUBLE AS products
FROM (SELECT one.team, key, one.band AS a, other.band AS b, sum(one.uses * other.uses) AS uu
    FROM worth one JOIN worth other USING (game_id, key) WHERE a <= b GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL""",
        """
SELECT cell, key, sum(n)::DOUBLE AS games, sum(ww)::DOUBLE AS squares
FROM (SELECT team, key, count(*) AS n, sum(whole * whole) AS ww
    FROM (SELECT DISTINCT game_id, team, key, whole FROM worth) GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL""",
    )
    return WorthSums(*made)

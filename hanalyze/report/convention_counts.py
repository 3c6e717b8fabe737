"""What the dashboard counts of conventions: how often each is used and works, and what its clues bring in.

In: games that were read for conventions. Out: `convention_counts`, queries as in `hanalyze.report.tables`;
`worth_sums`, which add up over cells as all sums of the dashboard do.

What a convention's clues bring in is compared with other clues where as many cards per clue were needed. What
the others would have brought depends on the filters, so a convention's interval cannot come from sums of one
number: it wants, over games, the products of its uses in each two bands of need.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from hanalyze.analysis.effectiveness import NEED
from hanalyze.analysis.settled import SETTLED
from hanalyze.conventions.classes import CLUES, MESSAGES, conventions_in, is_any
from hanalyze.game.meanings import Convention
from hanalyze.report.tables import Counted

if TYPE_CHECKING:
    import polars as pl

    from hanalyze.report.aggregates import Board

__all__ = ["BANDS", "CLUE_LABELS", "UNEXPLAINED", "USES", "WORKED", "WORTH", "WorthSums"]
__all__ += ["convention_counts", "worth_sums"]

USES: Final = "Uses per 100 actions"
WORKED: Final = "Success, % of settled"
UNEXPLAINED: Final = "Unexplained"
"""The panels of the table `conventions`; the last is no convention, and has no place in the figure."""

BANDS: Final = tuple(range(-1, 9))
"""The bands of need that `hanalyze.analysis.effectiveness.NEED` gives."""

CLUE_LABELS: Final = tuple(one.words for one in conventions_in(CLUES))
"""The conventions that are given by clues, as they are shown."""

_WORDS: Final = "replace(replace(convention::VARCHAR, '_', ' '), 'gentlemans', 'gentleman''s')"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


WORTH: Final = f"""
SELECT f.game_id, {_WORDS} AS label, {NEED} AS need,
    count(*)::INTEGER AS uses, sum(f.worth)::INTEGER AS worth
FROM conventions f JOIN turns t USING (game_id, turn)
WHERE f.convention IN ({_listed(one.label for one in conventions_in(CLUES))})
GROUP BY ALL"""
"""Of each game and convention that clues give, by the need before: tokens, and cards newly gotten."""


def convention_counts() -> dict[str, Counted]:
    """Return what is counted of conventions, by name."""
    messages = [one for one in Convention if is_any(one, MESSAGES)]
    chosen = (
        f"convention NOT IN ({_listed(sorted(one.label for one in Convention if not is_any(one, MESSAGES)))})"
    )
    table = Counted(
        "conventions",
        f"""
SELECT game_id, '{USES}' AS panel, {_WORDS} AS label, 'actions' AS of, count(*) AS x
FROM findings WHERE {chosen} GROUP BY ALL
UNION ALL
SELECT game_id, '{WORKED}', {_WORDS} AS label, label || '|settled', count(*)
FROM findings WHERE {chosen} AND status = 'success' GROUP BY ALL
UNION ALL
SELECT game_id, '{UNEXPLAINED}', 'unexplained', 'main meanings', count(*)
FROM findings WHERE convention = 'unexplained' AND number = 0 GROUP BY ALL""",
        f"""
SELECT game_id, 'actions' AS of, count(*) AS y FROM convention_opportunities GROUP BY ALL
UNION ALL
SELECT game_id, 'main meanings', count(*) FROM findings WHERE number = 0 GROUP BY ALL
UNION ALL
SELECT game_id, {_WORDS} || '|settled' AS of, count(*) AS y
FROM findings WHERE {chosen} AND status IN ({_listed(SETTLED)}) GROUP BY ALL""",
        (
            *((USES, one.words, "actions") for one in messages),
            *((WORKED, one.words, f"{one.words}|settled") for one in messages),
            (UNEXPLAINED, "unexplained", "main meanings"),
        ),
    )
    return {table.name: table}


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
    number = " ".join(f"WHEN '{label}' THEN {place}" for place, label in enumerate(_quoted()))
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


def _quoted() -> list[str]:
    return [label.replace("'", "''") for label in CLUE_LABELS]

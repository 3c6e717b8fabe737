"""What the dashboard counts of conventions: how often each is used and works, and what its clues bring in.

In: games that were read for conventions. Out: `convention_counts`, queries as in `hanalyze.report.tables`,
and the query `WORTH`, whose sums are in `hanalyze.report.convention_worth`.

What a convention's clues bring in is compared with other clues where as many cards per clue were needed. What
the others would have brought depends on the filters, so a convention's interval cannot come from sums of one
number: it wants, over games, the products of its uses in each two bands of need.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hanalyze.analysis.effectiveness import NEED
from hanalyze.analysis.settled import SETTLED
from hanalyze.conventions.classes import CLUES, MESSAGES, conventions_in, is_any
from hanalyze.game.meanings import Convention
from hanalyze.report.tables import Counted

__all__ = ["BANDS", "CLUE_LABELS", "UNEXPLAINED", "USES", "WORKED", "WORTH", "convention_counts"]

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
    messages = conventions_in(MESSAGES)
    others = sorted(one.label for one in Convention if not is_any(one, MESSAGES))
    chosen = f"convention NOT IN ({_listed(others)})"
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

"""What happened in a turn that cost points, in the words of the list of the costliest turns.

In: a row of that list (`hanalyze.report.aggregates`). Out: plain text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hanalyze.report.rounding import percent
from hanalyze.report.tables import KINDS

__all__ = ["turn_words"]

_HAPPENED: Final = {
    "discard_last_copy": ("discards the last {card}", "p_critical", "{p}% that it was the last copy"),
    "misplay": ("misplays the last {card}", "p_playable", "{p}% that it fitted"),
    "play_narrows": ("plays {card}, and closes a stack", None, "one of the cards that fitted"),
}
"""By kind: what was done, the column of its odds, and what they are the odds of."""

_SEVERITIES: Final = {
    "knew": "knew",
    "could_tell": "could tell",
    "gamble": "took a chance",
    "misled": "was misled by a clue",
    "could_not_know": "could not know",
    "forced": "had no choice",
    "nothing_to_lose": "had nothing to lose",
}


def turn_words(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return what was done, what could be known, and the odds ("" for a kind without any).

    >>> turn_words({"kind": "misplay", "severity": "gamble", "card": "r4", "p_playable": 0.25})
    ('misplays the last R4', 'took a chance', '25% that it fitted')
    """
    kind, severity = row["kind"], row["severity"]
    done, column, odds = _HAPPENED.get(kind, (KINDS.get(kind, kind), None, ""))
    if column is not None:
        odds = "" if row[column] is None else odds.format(p=percent(row[column]))
    done = done.format(card=(row["card"] or "?").upper())
    return done, _SEVERITIES.get(severity, severity), odds

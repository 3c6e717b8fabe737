"""What the actions of one game meant, as the values that its page shows.

In: a `Replay`. Out: per turn the findings of `hanalyze.conventions`, with what became of them, as words;
cards come in parts, as in `hanalyze.report.game_view`, so that a page can hide a card from its holder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hanalyze.conventions.classes import SILENT_MOVES, is_any
from hanalyze.conventions.records import read_records
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.conventions.wording import meaning_parts, outcome_words, reason_words
from hanalyze.game.meanings import Convention, OutcomeKind

if TYPE_CHECKING:
    from hanalyze.replaying import Replay

__all__ = ["meanings"]


def meanings(replay: Replay, level: int = HIGHEST_LEVEL) -> dict[int, list[dict[str, Any]]]:
    """Return what actions meant, by turn, read up to a level of the H-Group; plain moves have no entry.

    Each has `name`, `level`, `definition`, `parts` (what it meant), `why` (what speaks against it, or
    explains it), `outcome`, and `legal`.
    """
    output = read_records([replay.record], level=level, fast=False)
    holders = [card["holder"] for card in replay.card_rows()]
    columns = {**output.findings, **output.outcomes}
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    found: dict[int, list[dict[str, Any]]] = {}
    for values in rows:
        row = dict(zip(columns, values, strict=True))
        convention = Convention(row["convention"])
        if is_any(convention, SILENT_MOVES) and row["legal"] and not row["reasons"]:
            continue
        row |= {
            "convention": convention.label,
            "outcome": OutcomeKind(row["outcome"]).label,
            "focus": None if row["focus"] < 0 else row["focus"],
            "closed_turn": None if row["closed_turn"] < 0 else row["closed_turn"],
        }
        found.setdefault(row["turn"], []).append(
            {
                "name": convention.label,
                "level": convention.level,
                "definition": convention.definition,
                "parts": _parts(meaning_parts(row), replay, holders),
                "why": reason_words(row),
                "outcome": outcome_words(row),
                "legal": bool(row["legal"]),
            }
        )
    return found


def _parts(words: list[str | int], replay: Replay, holders: list[int | None]) -> list[Any]:
    """Return words and orders as parts: an order is whose card it is, and which."""
    parts: list[Any] = []
    for word in words:
        if isinstance(word, str):
            parts.append(word)
            continue
        if (holder := holders[word]) is not None:
            parts += [{"seat": holder}, "\N{RIGHT SINGLE QUOTATION MARK}s "]
        parts.append({"card": list(replay.deck[word]), "orders": [word]})
    return parts

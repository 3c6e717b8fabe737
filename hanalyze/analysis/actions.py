"""Actions as numbers and as short labels, relative to who acts: what matrices of actions are made of.

In: rows of `turns t` and `games g`. Out: an SQL expression for an action's number; its label.
"""

from __future__ import annotations

from typing import Final

CODE: Final = """CASE t.action
        WHEN 'play' THEN t.slot WHEN 'discard' THEN 1000 + t.slot
        WHEN 'colour_clue' THEN 2000 + t.clue_value + 1
            + 100 * ((t.receiver - t.seat + g.players) % g.players)::INTEGER
        WHEN 'rank_clue' THEN 3000 + t.clue_value
            + 100 * ((t.receiver - t.seat + g.players) % g.players)::INTEGER
        END"""
"""The number of an action: kind * 1000 + seats further * 100 + slot or value; null for the end of a game."""


def label(code: int) -> str:
    """Return an action's name.

    >>> [label(code) for code in (1, 1004, 2103, 3205)]
    ['P1', 'D4', 'C3+1', 'R5+2']
    """
    kind, rest = divmod(code, 1000)
    ahead, number = divmod(rest, 100)
    return f"{'PDCR'[kind]}{number}" + (f"+{ahead}" if kind > 1 else "")

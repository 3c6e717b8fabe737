"""A play stack in a few characters.

In: the cards on it, bottom first. Out: the top card's rank, and what else a player needs to know of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hanalyze.game.cards import START, rank_letter
from hanalyze.game.variants import Variant


def stack_text(ranks: Sequence[int], variant: Variant) -> str:
    """Return a stack by its ranks, bottom first: the top one, 0 for none.

    In Up or Down with the direction once it is known, in Sudoku with the rank that it began with.

    >>> from hanalyze.game.variants import variant
    >>> stack_text([1, 2, 3], variant("No Variant")), stack_text([], variant("No Variant"))
    ('3', '0')
    >>> stack_text([7, 4], variant("Up or Down (5 Suits)"))
    '4↓'
    >>> stack_text([3, 4, 5, 1], variant("Sudoku (5 Suits)"))
    '3-1'
    """
    if not ranks:
        return "0"
    top = rank_letter(ranks[-1])
    if variant.sudoku and len(ranks) > 1:
        return f"{ranks[0]}-{top}"
    if variant.up_or_down and ranks != [START]:
        goes_up = ranks[0] == 1 or ranks[:2] == [START, 2]
        return top + ("↑" if goes_up else "↓")
    return top

"""Variants and rules as rows of numbers: what the engine looks up while it plays.

In: a variant, or rules. Out: an array that `deal` copies into the array of a running game, in the order of
`hanalyze.engine.state`.
"""

from __future__ import annotations

import functools

import numpy as np

from hanalyze.engine import state as at
from hanalyze.engine.state import Ints
from hanalyze.game.cards import RANK_SLOTS, mask_of
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant

__all__ = ["rules_row", "variant_row"]


@functools.lru_cache(maxsize=4096)
def variant_row(variant: Variant) -> Ints:
    """Return the numbers of a variant, int64, from `at.VARIANT` up to `at.VARIANT_END`.

    >>> from hanalyze.game.variants import variant
    >>> int(variant_row(variant("6 Suits"))[at.SUITS - at.VARIANT])
    6
    """
    row = np.zeros(at.VARIANT_END, np.int64)
    row[at.SUITS] = len(variant.suits)
    row[at.STACK_SIZE] = variant.stack_size
    row[at.COLOURS] = len(variant.clue_colours)
    row[at.STACK_KIND] = at.UP_OR_DOWN if variant.up_or_down else at.SUDOKU if variant.sudoku else at.PLAIN
    row[at.FLAGS] = (
        at.HOLE * variant.throw_it_in_a_hole
        + at.ALTERNATING * variant.alternating_clues
        + at.INVERTED * any(suit.inverted for suit in variant.suits)
        + at.COLOURS_TOUCH_NOTHING * variant.colour_clues_touch_nothing
        + at.RANKS_TOUCH_NOTHING * variant.rank_clues_touch_nothing
        + at.SILENT * (variant.cow_and_pig or variant.duck)
    )
    row[at.TOKEN_UNIT] = 2 if variant.clue_starved else 1
    row[at.REVERSED] = sum(suit.reversed << index for index, suit in enumerate(variant.suits))
    row[at.CLUE_RANKS] = sum(1 << rank for rank in variant.clue_ranks)
    for card in variant.deck:
        row[at.COPIES + card.suit * RANK_SLOTS + card.rank] += 1
    for copies in range(3):
        row[at.EVERYTHING + copies] = mask_of(
            card for card in variant.deck if row[at.COPIES + card.suit * RANK_SLOTS + card.rank] > copies
        )
    for colour, mask in enumerate(variant.colour_touch):
        row[at.COLOUR_TOUCH + colour] = mask
    for rank, mask in zip(variant.clue_ranks, variant.rank_touch, strict=True):
        row[at.RANK_TOUCH + rank] = mask
    return row[at.VARIANT :]


@functools.lru_cache(maxsize=4096)
def rules_row(rules: Rules) -> Ints:
    """Return the numbers of rules, int64, from `at.RULES` up to `at.RULES_END`.

    >>> int(rules_row(Rules(strikes=2))[at.STRIKES_TO_LOSE - at.RULES])
    2
    """
    row = np.zeros(at.RULES_END, np.int64)
    row[at.CLUE_TOKENS] = rules.clue_tokens
    row[at.STRIKES_TO_LOSE] = rules.strikes
    row[at.ZERO_WHEN_LOST] = rules.zero_when_lost
    row[at.EMPTY_CLUES] = rules.empty_clues
    row[at.DISCARD_AT_FULL_TOKENS] = rules.discard_at_full_tokens
    row[at.CLUE_TO_SELF] = rules.clue_to_self
    row[at.ENDS_WHEN_STUCK] = rules.ends_when_stuck
    row[at.ALL_OR_NOTHING] = rules.all_or_nothing
    row[at.SPEEDRUN] = rules.speedrun
    row[at.DECK_PLAYS] = rules.deck_plays
    row[at.CARD_CYCLE] = rules.card_cycle
    return row[at.RULES :]

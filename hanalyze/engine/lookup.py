"""Variants and rules as records: what the engine looks up while it plays.

In: a variant, or rules. Out: the record that `deal` makes part of a running game.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.game import (
    ALTERNATING,
    COLOURS_TOUCH_NOTHING,
    HOLE,
    INVERTED,
    PLAIN,
    RANKS_TOUCH_NOTHING,
    SILENT,
    SUDOKU,
    UP_OR_DOWN,
    RulesTable,
    VariantTable,
)
from hanalyze.game.cards import RANK_SLOTS, mask_of
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant
from hanalyze.kernels.record import Record, dtype_of, packed

__all__ = ["laid_out", "rules_table", "variant_table"]


@functools.lru_cache(maxsize=4096)
def variant_table(variant: Variant) -> VariantTable:
    """Return what a variant lays down. It is shared by the games that are played in it.

    >>> from hanalyze.game.variants import variant
    >>> variant_table(variant("6 Suits")).suits
    6
    """
    table = VariantTable()
    table.suits = len(variant.suits)
    table.stack_size = variant.stack_size
    table.colours = len(variant.clue_colours)
    table.stack_kind = UP_OR_DOWN if variant.up_or_down else SUDOKU if variant.sudoku else PLAIN
    table.flags = (
        HOLE * variant.throw_it_in_a_hole
        + ALTERNATING * variant.alternating_clues
        + INVERTED * any(suit.inverted for suit in variant.suits)
        + COLOURS_TOUCH_NOTHING * variant.colour_clues_touch_nothing
        + RANKS_TOUCH_NOTHING * variant.rank_clues_touch_nothing
        + SILENT * (variant.cow_and_pig or variant.duck)
    )
    table.token_unit = 2 if variant.clue_starved else 1
    table.reversed = sum(suit.reversed << index for index, suit in enumerate(variant.suits))
    table.clue_ranks = sum(1 << rank for rank in variant.clue_ranks)
    for card in variant.deck:
        table.copies[card.suit * RANK_SLOTS + card.rank] += 1
    for copies in range(3):
        table.everything[copies] = mask_of(
            card for card in variant.deck if table.copies[card.suit * RANK_SLOTS + card.rank] > copies
        )
    for colour, mask in enumerate(variant.colour_touch):
        table.colour_touch[colour] = mask
    for rank, mask in zip(variant.clue_ranks, variant.rank_touch, strict=True):
        table.rank_touch[rank] = mask
    return table


@functools.lru_cache(maxsize=4096)
def rules_table(rules: Rules) -> RulesTable:
    """Return what rules lay down. It is shared by the games that are played by them.

    >>> rules_table(Rules(strikes=2)).strikes_to_lose
    2
    """
    table = RulesTable()
    table.clue_tokens = rules.clue_tokens
    table.strikes_to_lose = rules.strikes
    table.zero_when_lost = int(rules.zero_when_lost)
    table.empty_clues = int(rules.empty_clues)
    table.discard_at_full_tokens = int(rules.discard_at_full_tokens)
    table.clue_to_self = int(rules.clue_to_self)
    table.ends_when_stuck = int(rules.ends_when_stuck)
    table.all_or_nothing = int(rules.all_or_nothing)
    table.speedrun = int(rules.speedrun)
    table.deck_plays = int(rules.deck_plays)
    table.card_cycle = int(rules.card_cycle)
    return table


@functools.lru_cache(maxsize=8192)
def _packed(table: Record) -> Any:
    # Tables are shared and never change, so one that was packed is known by its identity.
    return packed(type(table), [table])[0]


def laid_out(kind: type[Record], tables: Sequence[Record]) -> NDArray[np.void]:
    """Return tables of one kind as an array for compiled code; each is packed once."""
    return np.array([_packed(table) for table in tables], dtype_of(kind))

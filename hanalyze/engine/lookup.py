"""Variants and rules as arrays: what the engine looks up while it plays.

In: the variants and rules of a batch. Out: tables with a row for each, all of 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from hanalyze.engine.state import Ints
from hanalyze.game.cards import IDENTITIES, MAX_SUITS, RANK_SLOTS, mask_of
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant

KIND_PLAIN: Final = 0
KIND_UP_OR_DOWN: Final = 1
KIND_SUDOKU: Final = 2

# Bits of `VariantTable.flags`.
HOLE: Final = 1
"""Throw It in a Hole: a completed stack gives no token."""
ALTERNATING: Final = 2
"""Clues must alternate between colour and rank."""
INVERTED: Final = 4
"""A suit is inverted: cards may be discarded with all tokens there."""
COLOURS_TOUCH_NOTHING: Final = 8
RANKS_TOUCH_NOTHING: Final = 16
SILENT: Final = 32
"""Players do not learn what a clue meant (Cow & Pig, Duck)."""


class VariantTable(NamedTuple):
    """The variants of a batch, a row each.

    By variant: `suits`, `stack_size`, `colours` (clue colours), `kind`, `flags`, `token_unit` (units to a
    clue token: 2 in Clue Starved), `reversed` (mask of suits), `ranks` (mask of ranks that can be named),
    `everything` (mask of all identities). `copies` (variants, identities), `colour_touch` (variants, colours)
    and `rank_touch` (variants, ranks): masks of the identities that a clue touches.
    """

    suits: Ints
    stack_size: Ints
    colours: Ints
    kind: Ints
    flags: Ints
    token_unit: Ints
    reversed: Ints
    ranks: Ints
    everything: Ints
    copies: Ints
    colour_touch: Ints
    rank_touch: Ints


class RulesTable(NamedTuple):
    """The rules of a batch, a row each; the fields of `Rules` as numbers."""

    clue_tokens: Ints
    strikes: Ints
    zero_when_lost: Ints
    empty_clues: Ints
    discard_at_full_tokens: Ints
    clue_to_self: Ints
    ends_when_stuck: Ints
    all_or_nothing: Ints
    speedrun: Ints
    deck_plays: Ints
    card_cycle: Ints
    hand_size_change: Ints


def variant_table(variants: Sequence[Variant]) -> VariantTable:
    """Return the rows of `variants`."""
    count = len(variants)

    def zeros(*shape: int) -> Ints:
        return np.zeros((count, *shape), np.int64)

    table = VariantTable(
        suits=zeros(),
        stack_size=zeros(),
        colours=zeros(),
        kind=zeros(),
        flags=zeros(),
        token_unit=zeros(),
        reversed=zeros(),
        ranks=zeros(),
        everything=zeros(),
        copies=zeros(IDENTITIES),
        colour_touch=zeros(MAX_SUITS),
        rank_touch=zeros(RANK_SLOTS),
    )
    for row, variant in enumerate(variants):
        table.suits[row] = len(variant.suits)
        table.stack_size[row] = variant.stack_size
        table.colours[row] = len(variant.clue_colours)
        table.kind[row] = (
            KIND_UP_OR_DOWN if variant.up_or_down else KIND_SUDOKU if variant.sudoku else KIND_PLAIN
        )
        table.flags[row] = (
            HOLE * variant.throw_it_in_a_hole
            + ALTERNATING * variant.alternating_clues
            + INVERTED * any(suit.inverted for suit in variant.suits)
            + COLOURS_TOUCH_NOTHING * variant.colour_clues_touch_nothing
            + RANKS_TOUCH_NOTHING * variant.rank_clues_touch_nothing
            + SILENT * (variant.cow_and_pig or variant.duck)
        )
        table.token_unit[row] = 2 if variant.clue_starved else 1
        table.reversed[row] = sum(suit.reversed << index for index, suit in enumerate(variant.suits))
        table.ranks[row] = sum(1 << rank for rank in variant.clue_ranks)
        table.everything[row] = mask_of(variant.deck)
        for card in variant.deck:
            table.copies[row, card.suit * RANK_SLOTS + card.rank] += 1
        for colour, mask in enumerate(variant.colour_touch):
            table.colour_touch[row, colour] = mask
        for rank, mask in zip(variant.clue_ranks, variant.rank_touch, strict=True):
            table.rank_touch[row, rank] = mask
    return table


def rules_table(rules: Sequence[Rules]) -> RulesTable:
    """Return the rows of `rules`."""
    return RulesTable(
        *(np.array([int(getattr(row, field)) for row in rules], np.int64) for field in RulesTable._fields)
    )

"""Variants and rules as records that become part of a running game."""

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
    RulesLookup,
    VariantLookup,
)
from hanalyze.game.cards import identity, mask_of
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant
from hanalyze.kernels.record import Record, dtype_of, packed


@functools.lru_cache(maxsize=4096)
def variant_lookup(variant: Variant) -> VariantLookup:
    """Return the parameters of a variant, shared by its games.

    >>> from hanalyze.game.variants import variant
    >>> variant_lookup(variant("6 Suits")).suits
    6
    """
    lookup = VariantLookup()
    lookup.suits = len(variant.suits)
    lookup.stack_size = variant.stack_size
    lookup.colours = len(variant.clue_colours)
    lookup.stack_kind = UP_OR_DOWN if variant.up_or_down else SUDOKU if variant.sudoku else PLAIN
    lookup.flags = (
        HOLE * variant.throw_it_in_a_hole
        + ALTERNATING * variant.alternating_clues
        + INVERTED * any(suit.inverted for suit in variant.suits)
        + COLOURS_TOUCH_NOTHING * variant.colour_clues_touch_nothing
        + RANKS_TOUCH_NOTHING * variant.rank_clues_touch_nothing
        + SILENT * (variant.cow_and_pig or variant.duck)
    )
    lookup.token_unit = 2 if variant.clue_starved else 1
    lookup.reversed = sum(suit.reversed << index for index, suit in enumerate(variant.suits))
    lookup.clue_ranks = sum(1 << rank for rank in variant.clue_ranks)
    for card in variant.deck:
        lookup.copies[identity(*card)] += 1
    for copies in range(3):
        lookup.everything[copies] = mask_of(
            card for card in variant.deck if lookup.copies[identity(*card)] > copies
        )
    for colour, mask in enumerate(variant.colour_touch):
        lookup.colour_touch[colour] = mask
    for rank, mask in zip(variant.clue_ranks, variant.rank_touch, strict=True):
        lookup.rank_touch[rank] = mask
    return lookup


@functools.lru_cache(maxsize=4096)
def rules_lookup(rules: Rules) -> RulesLookup:
    """Return the parameters of rules, shared by their games.

    >>> rules_lookup(Rules(strikes=2)).strikes_to_lose
    2
    """
    lookup = RulesLookup()
    for name in lookup.__slots__:
        setattr(lookup, name, int(getattr(rules, "strikes" if name == "strikes_to_lose" else name)))
    return lookup


@functools.lru_cache(maxsize=8192)
def _packed(lookup: Record) -> Any:
    # Lookups are shared and never change, so one that was packed is known by its identity.
    return packed(type(lookup), [lookup])[0]


def laid_out(kind: type[Record], lookups: Sequence[Record]) -> NDArray[np.void]:
    """Return lookups of one kind as an array for compiled code; each is packed once."""
    return np.array([_packed(lookup) for lookup in lookups], dtype_of(kind))

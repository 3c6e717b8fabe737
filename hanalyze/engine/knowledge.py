"""What the holder of a hand can know of it (empathy).

In: a running game and a seat. Out: for each card of the hand the mask of identities that its holder must
still allow for, from the clues, from every card that the holder sees, and from the cards of the hand taken
together. The definition is hanab.live's, without the site's shortcut during the first deal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanalyze.engine.compile import kernel
from hanalyze.engine.lookup import VariantTable
from hanalyze.engine.state import DRAWN, MAX_HAND, VARIANT, Ints, State
from hanalyze.game.cards import IDENTITIES

__all__ = ["Scratch", "new_scratch", "popcount", "possibilities", "unseen_copies"]


class Scratch(NamedTuple):
    """Room to work in: `free` (identities), `union` (sets of cards of a hand), `masks` (hand)."""

    free: Ints
    union: Ints
    masks: Ints


def new_scratch() -> Scratch:
    """Return room for one hand after the other."""
    return Scratch(
        np.zeros(IDENTITIES, np.int64), np.zeros(1 << MAX_HAND, np.int64), np.zeros(MAX_HAND, np.int64)
    )


@kernel
def popcount(mask: int) -> int:
    """Return the number of bits set in a mask of at most 62 bits."""
    mask = mask - ((mask >> 1) & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    mask += mask >> 8
    mask += mask >> 16
    return (mask + (mask >> 32)) & 0x7F


@kernel
def unseen_copies(state: State, variants: VariantTable, seat: int, free: Ints) -> int:
    """Fill `free` with the copies of each identity that `seat` does not see; return the mask of those left.

    Seen are the play stacks, the discard pile and the other hands.
    """
    v = state.n[VARIANT]
    everything = variants.everything[v]
    for number in range(IDENTITIES):
        free[number] = variants.copies[v, number]
    for order in range(state.n[DRAWN]):
        if state.place[order] != seat:
            free[state.identity[order]] -= 1
    left = 0
    for number in range(IDENTITIES):
        if free[number] > 0:
            left |= 1 << number
    return left & everything


@kernel
def possibilities(state: State, variants: VariantTable, seat: int, scratch: Scratch) -> int:
    """Fill `scratch.masks` with the possibilities of each card of `seat`, the oldest first; return their number.

    A card may be x if the holder can lay out this card as x and all the other cards of the hand that were
    ever given a clue, each as something that its clues allow, with the copies that the holder does not see.
    By Hall's theorem x is out exactly when some set of those other cards needs all the free copies of all it
    can be, x among them. Cards that were never given a clue say nothing about the others.
    """
    left = unseen_copies(state, variants, seat, scratch.free)
    size = state.hand_len[seat]
    informed = 0
    smallest = IDENTITIES
    for i in range(size):
        order = state.hand[seat, i]
        scratch.masks[i] = state.possible[order] & left
        if state.informed[order]:
            informed += 1
            smallest = min(smallest, popcount(scratch.masks[i]))
    # A set of k cards matters only if together they can be at most k identities.
    if smallest > informed:
        return int(size)
    scratch.union[0] = 0
    members = 1 << size
    for group in range(1, members):
        lowest = 0
        while not group >> lowest & 1:
            lowest += 1
        before = scratch.union[group & (group - 1)]
        order = state.hand[seat, lowest]
        if before < 0 or not state.informed[order]:
            scratch.union[group] = -1
            continue
        union = before | state.possible[order] & left
        scratch.union[group] = union
        cards = popcount(group)
        if popcount(union) > cards:
            continue
        copies = 0
        for number in range(IDENTITIES):
            if union >> number & 1:
                copies += scratch.free[number]
        if copies == cards:
            for i in range(size):
                if not group >> i & 1:
                    scratch.masks[i] &= ~union
    return int(size)

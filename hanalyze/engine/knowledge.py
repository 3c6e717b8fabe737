"""What the holder of a hand can know of it (empathy).

In: a running game and a seat. Out: for each card of the hand the mask of identities that its holder must
still allow for, from the clues, from every card that the holder sees, and from the cards of the hand taken
together. The definition is hanab.live's, without the site's shortcut during the first deal.
"""

from __future__ import annotations

from hanalyze.engine import state as at
from hanalyze.engine.compile import kernel
from hanalyze.engine.state import Ints, in_hand
from hanalyze.game.cards import IDENTITIES

__all__ = ["popcount", "possibilities"]


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
def _unseen(s: Ints, seat: int) -> int:
    """Fill `FREE` with the copies of each identity that `seat` does not see; return the mask of those left.

    Unseen are the deck and the own hand.
    """
    left = s[at.STOCK_MASK]
    for number in range(IDENTITIES):
        s[at.FREE + number] = s[at.STOCK + number]
    for i in range(s[at.HAND_LEN + seat]):
        number = s[at.IDENTITY + s[in_hand(seat, i)]]
        s[at.FREE + number] += 1
        left |= 1 << number
    return int(left)


@kernel
def possibilities(s: Ints, seat: int) -> int:
    """Fill `MASKS` with the possibilities of each card of `seat`, the oldest first; return their number.

    A card may be x if the holder can lay out this card as x and all the other cards of the hand that were
    ever given a clue, each as something that its clues allow, with the copies that the holder does not see.
    By Hall's theorem x is out exactly when some set of those other cards needs all the free copies of all it
    can be, x among them. Cards that were never given a clue say nothing about the others.
    """
    left = _unseen(s, seat)
    size = s[at.HAND_LEN + seat]
    informed = 0
    smallest = IDENTITIES
    for i in range(size):
        order = s[in_hand(seat, i)]
        s[at.MASKS + i] = s[at.POSSIBLE + order] & left
        if s[at.INFORMED + order]:
            informed += 1
            smallest = min(smallest, popcount(s[at.MASKS + i]))
    # A set of k cards matters only if together they can be at most k identities.
    if smallest > informed:
        return int(size)
    s[at.UNION] = 0
    for group in range(1, 1 << size):
        lowest = 0
        while not group >> lowest & 1:
            lowest += 1
        before = s[at.UNION + (group & (group - 1))]
        order = s[in_hand(seat, lowest)]
        if before < 0 or not s[at.INFORMED + order]:
            s[at.UNION + group] = -1
            continue
        union = before | (s[at.POSSIBLE + order] & left)
        s[at.UNION + group] = union
        cards = popcount(group)
        if popcount(union) > cards:
            continue
        copies = 0
        for number in range(IDENTITIES):
            if union >> number & 1:
                copies += s[at.FREE + number]
        if copies == cards:
            for i in range(size):
                if not group >> i & 1:
                    s[at.MASKS + i] &= ~union
    return int(size)

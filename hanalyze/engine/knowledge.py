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

__all__ = ["copies_unseen", "look_around", "popcount", "possibilities", "read_hands"]


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
def copies_unseen(s: Ints, mask: int) -> int:
    """Return how many cards that are in `mask` the player does not see of whom `FREE` speaks."""
    return popcount(mask & s[at.FREE]) + popcount(mask & s[at.FREE + 1]) + popcount(mask & s[at.FREE + 2])


@kernel
def look_around(s: Ints, seat: int) -> int:
    """Fill `FREE` with the copies that `seat` does not see, in the deck and in the own hand.

    Returns the mask of identities of which there are any.
    """
    for copies in range(3):
        s[at.FREE + copies] = s[at.STOCK + copies]
    for i in range(s[at.HAND_LEN + seat]):
        bit = 1 << s[at.IDENTITY + s[in_hand(seat, i)]]
        # One copy more: into the first of the masks that it is not in.
        for copies in range(3):
            if not s[at.FREE + copies] & bit:
                s[at.FREE + copies] |= bit
                break
    return int(s[at.FREE])


@kernel
def possibilities(s: Ints, seat: int) -> int:
    """Fill `MASKS` with the possibilities of each card of `seat`, the oldest first; return their number.

    A card may be x if the holder can lay out this card as x and all the other cards of the hand that were
    ever given a clue, each as something that its clues allow, with the copies that the holder does not see.
    By Hall's theorem x is out exactly when some set of those other cards needs all the free copies of all it
    can be, x among them. Cards that were never given a clue say nothing about the others.
    """
    left = look_around(s, seat)
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
        if popcount(union) <= cards and copies_unseen(s, union) == cards:
            for i in range(size):
                if not group >> i & 1:
                    s[at.MASKS + i] &= ~union
    return int(size)


@kernel
def read_hands(s: Ints) -> None:
    """Bring `KNOWN` up to date for every seat whose view has changed."""
    for seat in range(s[at.SEATS]):
        if s[at.UNREAD] >> seat & 1:
            for i in range(possibilities(s, seat)):
                s[at.KNOWN + seat * at.MAX_HAND + i] = s[at.MASKS + i]
    s[at.UNREAD] = 0

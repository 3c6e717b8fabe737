"""What the holder of a hand can know of it (empathy).

In: a running game and a seat. Out: for each card of the hand the mask of identities that its holder must
still allow for, from the clues, from every card that the holder sees, and from the cards of the hand taken
together. The definition is hanab.live's, without the site's shortcut during the first deal.
"""

from __future__ import annotations

from hanalyze.engine import state as at
from hanalyze.engine.bits import popcount
from hanalyze.engine.compile import kernel
from hanalyze.engine.state import Ints, in_hand

__all__ = ["copies_unseen", "look_around", "possibilities", "read_hands"]


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
    cards = 0
    for i in range(size):
        order = s[in_hand(seat, i)]
        s[at.MASKS + i] = s[at.POSSIBLE + order] & left
        if s[at.INFORMED + order]:
            s[at.MEMBERS + cards] = s[at.MASKS + i]
            s[at.MEMBER_INDEX + cards] = i
            cards += 1
    # A set of k cards says something only if there are but k copies for them: a card that could be any of
    # more copies than there are cards to consider is in no such set.
    considered = cards + 1
    while 0 < cards < considered:
        considered = cards
        cards = 0
        for member in range(considered):
            mask = s[at.MEMBERS + member]
            if copies_unseen(s, mask) <= considered:
                s[at.MEMBERS + cards] = mask
                s[at.MEMBER_INDEX + cards] = s[at.MEMBER_INDEX + member]
                cards += 1
    s[at.UNION] = 0
    s[at.INDICES] = 0
    for group in range(1, 1 << cards):
        member = 0
        while not group >> member & 1:
            member += 1
        rest = group & (group - 1)
        union = s[at.UNION + rest] | s[at.MEMBERS + member]
        indices = s[at.INDICES + rest] | 1 << s[at.MEMBER_INDEX + member]
        s[at.UNION + group] = union
        s[at.INDICES + group] = indices
        together = popcount(group)
        if copies_unseen(s, union) == together:
            for i in range(size):
                if not indices >> i & 1:
                    s[at.MASKS + i] &= ~union
    return int(size)


@kernel
def _says_something(s: Ints, seat: int, number: int) -> bool:
    """Return whether it can matter to `seat` to see one more copy of an identity.

    It does if that was the last unseen one, or if a card that can say something about the others (see
    `possibilities`) can be of that identity: its set has one free copy less.
    """
    left = look_around(s, seat)
    if not left >> number & 1:
        return True
    size = s[at.HAND_LEN + seat]
    for i in range(size):
        order = s[in_hand(seat, i)]
        possible = s[at.POSSIBLE + order]
        if s[at.INFORMED + order] and possible >> number & 1 and copies_unseen(s, possible) <= size:
            return True
    return False


@kernel
def read_hands(s: Ints) -> None:
    """Bring `KNOWN` up to date for every seat whose view has changed."""
    for seat in range(s[at.SEATS]):
        unread = s[at.UNREAD] >> seat & 1
        if not unread and s[at.UNSURE] >> seat & 1:
            unread = _says_something(s, seat, s[at.IDENTITY + s[at.NEW_CARD]])
        if unread:
            for i in range(possibilities(s, seat)):
                s[at.KNOWN + seat * at.MAX_HAND + i] = s[at.MASKS + i]
    s[at.UNREAD] = 0
    s[at.UNSURE] = 0

"""What the holder of a hand can know of it (empathy).

In: a running game and a seat. Out: for each card of the hand the mask of identities that its holder must
still allow for, from the clues, from every card that the holder sees, and from the cards of the hand taken
together. The definition is hanab.live's, without the site's shortcut during the first deal.
"""

from __future__ import annotations

from hanalyze.engine import state as at
from hanalyze.engine.state import Ints, in_hand
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, popcount

__all__ = ["copies_unseen", "possibilities", "read_hands"]


@kernel
def copies_unseen(s: Ints, seat: int, mask: int) -> int:
    """Return how many cards that are in `mask` the player of `seat` does not see."""
    unseen = at.UNSEEN + 3 * seat
    return popcount(mask & s[unseen]) + popcount(mask & s[unseen + 1]) + popcount(mask & s[unseen + 2])


@kernel
def _copies(mask: int, once: int, twice: int, thrice: int) -> int:
    """Return how many copies there are of the identities in `mask`; see `UNSEEN` for the other masks."""
    return popcount(mask & once) + popcount(mask & twice) + popcount(mask & thrice)


@kernel
def possibilities(s: Ints, seat: int) -> int:
    """Find `KNOWN` for each card of `seat`, the oldest first, and `CERTAIN`; return the number of cards.

    A card may be x if the holder can lay out this card as x and all the other cards of the hand that were
    ever given a clue, each as something that its clues allow, with the copies that the holder does not see.
    Cards that were never given a clue say nothing about the others.
    """
    known = at.KNOWN + seat * at.MAX_HAND
    size = s[at.HAND_LEN + seat]
    # The copies that are left for the cards of which more than one identity is possible.
    once = s[at.UNSEEN + 3 * seat]
    twice = s[at.UNSEEN + 3 * seat + 1]
    thrice = s[at.UNSEEN + 3 * seat + 2]
    before = -1
    certain = 0
    taken = 0
    few = 0
    # A card that can be but one thing takes its copy away from the others, which may make them certain, too.
    while once != before:
        before = once
        few = 0
        for i in range(size):
            if taken >> i & 1:
                continue
            order = s[in_hand(seat, i)]
            mask = s[at.POSSIBLE + order] & once
            s[known + i] = mask
            certain |= is_one(mask) << i
            if s[at.INFORMED + order]:
                if is_one(mask):
                    taken |= 1 << i
                    third = mask & thrice
                    second = mask & ~third & twice
                    thrice &= ~third
                    twice &= ~second
                    once &= ~(mask & ~third & ~second)
                elif popcount(mask) <= size:
                    few |= 1 << i
    s[at.CERTAIN + seat] = certain
    if not is_one(few):
        _exclude_by_groups(s, seat, taken, few, once, twice, thrice)
    return int(size)


@kernel
def _exclude_by_groups(s: Ints, seat: int, taken: int, few: int, once: int, twice: int, thrice: int) -> None:
    """Take from `KNOWN` what some cards of a hand, taken together, need for themselves.

    `taken` are the indices of the cards that can be but one thing, whose copies are no longer in `once`,
    `twice` and `thrice`; `few` those of the others that can be few things. By Hall's theorem x is out for a
    card exactly when some set of the others needs all the copies of all it can be, x among them.
    """
    known = at.KNOWN + seat * at.MAX_HAND
    size = s[at.HAND_LEN + seat]
    # A set of k cards says something only if there are but k copies for them: a card that could be any of
    # more copies than there are cards to consider is in no such set.
    considered = at.MAX_HAND + 1
    cards = popcount(few)
    while cards < considered:
        considered = cards
        cards = 0
        for i in range(size):
            if few >> i & 1:
                if _copies(s[known + i], once, twice, thrice) <= considered:
                    s[at.MEMBERS + cards] = s[known + i]
                    s[at.MEMBER_INDEX + cards] = i
                    cards += 1
                else:
                    few ^= 1 << i
    if cards < 2:
        return
    s[at.UNION] = 0
    s[at.INDICES] = 0
    for group in range(1, 1 << cards):
        member = 0
        while not group >> member & 1:
            member += 1
        rest = drop_lowest(group)
        union = s[at.UNION + rest] | s[at.MEMBERS + member]
        indices = s[at.INDICES + rest] | 1 << s[at.MEMBER_INDEX + member]
        s[at.UNION + group] = union
        s[at.INDICES + group] = indices
        if _copies(union, once, twice, thrice) == popcount(group):
            for i in range(size):
                if not (indices | taken) >> i & 1:
                    s[known + i] &= ~union
                    s[at.CERTAIN + seat] |= is_one(s[known + i]) << i


@kernel
def _says_something(s: Ints, seat: int, number: int) -> bool:
    """Return whether it can matter to `seat` to have seen one more copy of an identity.

    It does if that was the last unseen one, or if a card that can say something about the others (see
    `possibilities`) can be of that identity: its set has one free copy less.
    """
    if not s[at.UNSEEN + 3 * seat] >> number & 1:
        return True
    size = s[at.HAND_LEN + seat]
    for i in range(size):
        order = s[in_hand(seat, i)]
        possible = s[at.POSSIBLE + order]
        if possible >> number & 1 and s[at.INFORMED + order] and copies_unseen(s, seat, possible) <= size:
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
            possibilities(s, seat)
            s[at.READ] |= 1 << seat
    s[at.UNREAD] = 0
    s[at.UNSURE] = 0

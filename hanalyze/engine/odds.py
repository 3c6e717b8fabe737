"""Joint odds of a hand: every way to lay out the whole hand with unseen cards is equally likely.

A way, or layout, assigns a different unseen copy to each card of the hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from hanalyze.engine.game import Game, WeighedHand
from hanalyze.engine.knowledge import copies_of
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest


@kernel
def weigh_hand(game: Game, seat: int) -> None:
    """Set `game.weighed` to the hand of `seat`; `game.know` must be up to date."""
    hand = game.weighed
    hand.size = game.hand_len[seat]
    for i in range(hand.size):
        hand.known[i] = game.know.known[seat][i]
    for n in range(3):
        hand.unseen[n] = game.know.unseen[seat][n]
    _weigh(hand)


def weighed(known: Sequence[int], unseen: Sequence[int]) -> WeighedHand:
    """Return the weighed hand of a player.

    `known` is the mask of the possible identities of each card, `unseen` the mask of the identities with more
    than n unseen copies, for n from 0 to 2. The identities of two cards must be nested or disjoint, as in any
    game.

    >>> hand = weighed([0b011, 0b111], [0b111, 0b100, 0])  # copies: one, one and two
    >>> share(hand, 1, 0b111, 0b100)  # 4 of the 2 x 3 layouts; by copies alone, 2 of 4
    0.6666666666666666
    """
    hand = WeighedHand.new(fast=False)
    hand.size = len(known)
    hand.known[: len(known)] = known
    hand.unseen[:] = unseen
    _weigh(hand)
    return hand


@kernel
def _weigh(hand: WeighedHand) -> None:
    """Find the classes of a hand, and whether there is a layout.

    Known cards and their copies are removed first. The identities of two cards are nested or disjoint (see
    `hanalyze.engine.knowledge`), so cards can be laid out one after the other, those with the fewest
    identities first: each has as many choices as copies are possible for it, minus the number of cards laid
    out earlier that have only identities among its own.
    """
    once = hand.unseen[0]
    twice = hand.unseen[1]
    thrice = hand.unseen[2]
    layouts = 1
    several = 0
    for i in range(hand.size):
        hand.class_of[i] = 0
        mask = hand.known[i]
        is_known = is_one(mask)
        several |= (not is_known) << i
        if is_known and not mask & once:
            layouts = 0
        mask = mask & once if is_known else 0
        third = mask & thrice
        second = mask & ~third & twice
        thrice &= ~third
        twice &= ~second
        once &= ~(mask & ~third & ~second)
    hand.left[0] = once
    hand.left[1] = twice
    hand.left[2] = thrice
    classes = 0
    for i in range(hand.size):
        if several >> i & 1:
            mask = hand.known[i] & once
            k = 0
            while k < classes and hand.ids[k] != mask:
                k += 1
            if k == classes:
                hand.ids[k] = mask
                hand.cards[k] = 0
                classes += 1
            hand.class_of[i] = k
            hand.cards[k] += 1
    for k in range(classes):
        mask = hand.ids[k]
        own = mask
        within = 0
        room = copies_of(mask, once, twice, thrice)
        for other in range(classes):
            if other != k and hand.ids[other] & ~mask == 0:
                within |= 1 << other
                own &= ~hand.ids[other]
                room -= hand.cards[other]
        hand.within[k] = within
        hand.own[k] = own
        hand.room[k] = room
        if room < hand.cards[k]:
            layouts = 0
    hand.layouts = layouts


@kernel
def _weight(hand: WeighedHand, within: int, ids: int) -> int:
    """Return the weight of a copy with identity among `ids`; the card's class contains the classes `within`.

    If the card takes the copy, the classes of `within` that can have it lose a copy. The n cards of such a
    class then have (room - n) / room times as many ways; the weight is the product of these fractions, times
    the `room` of every class of `within`.
    """
    weight = 1
    while within:
        k = lowest(within)
        within = drop_lowest(within)
        weight *= hand.room[k] - (hand.cards[k] if ids & ~hand.ids[k] == 0 else 0)
    return weight


@kernel
def odds(
    hand: WeighedHand, index: int, mask: int, playable: int, needed: int, critical: int
) -> tuple[float, float, float]:
    """Return the probabilities that a card with an identity in `mask` is playable, trash and critical.

    The card has hand index `index` (0: oldest). `playable`, `needed` and `critical` are masks of identities;
    an identity that is not `needed` is trash. `mask` contains identities that the holder considers possible,
    with at least one unseen copy. If no layout is possible, as in a log with an incomplete deck, the weight
    of an identity is its number of unseen copies.
    """
    fits = mask & playable
    useless = mask & ~needed
    last = mask & critical
    if is_one(mask):
        return 1.0 if fits else 0.0, 1.0 if useless else 0.0, 1.0 if last else 0.0
    once = hand.left[0]
    twice = hand.left[1]
    thrice = hand.left[2]
    ways = 0
    ways_fits = 0
    ways_useless = 0
    ways_last = 0
    within = hand.within[hand.class_of[index]]
    classes = 1 << hand.class_of[index] | within if hand.layouts else 0
    while classes:
        k = lowest(classes)
        classes = drop_lowest(classes)
        ids = hand.own[k]
        weight = _weight(hand, within, hand.ids[k])
        ways += weight * copies_of(ids & mask, once, twice, thrice)
        ways_fits += weight * copies_of(ids & fits, once, twice, thrice)
        ways_useless += weight * copies_of(ids & useless, once, twice, thrice)
        ways_last += weight * copies_of(ids & last, once, twice, thrice)
    if ways <= 0:
        once = hand.unseen[0]
        twice = hand.unseen[1]
        thrice = hand.unseen[2]
        ways = copies_of(mask, once, twice, thrice)
        ways_fits = copies_of(fits, once, twice, thrice)
        ways_useless = copies_of(useless, once, twice, thrice)
        ways_last = copies_of(last, once, twice, thrice)
    return ways_fits / ways, ways_useless / ways, ways_last / ways


@kernel
def share(hand: WeighedHand, index: int, mask: int, part: int) -> float:
    """Return the probability that a card with an identity in `mask` has one in `part`; see `odds`."""
    return odds(hand, index, mask, part, 0, 0)[0]

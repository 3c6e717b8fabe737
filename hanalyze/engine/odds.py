"""Joint odds of a hand: every way to lay out the whole hand with unseen cards is equally likely.

A way, or layout, assigns a different unseen copy to each card of the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hanalyze.engine.game import Game, WeighedHand
from hanalyze.engine.knowledge import copies_of
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one, lowest, popcount

_BLOCK_FACTORS: Final = (0, 1, -1, 2, -6, 24, -120)
"""The factor (-1)^(n - 1) (n - 1)! of a block of n cards, indexed by n."""


@kernel
def weigh_hand(game: Game, seat: int) -> None:
    """Count the layouts of the hand of `seat` into `game.weighed`; `game.know` must be up to date."""
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
    than n unseen copies, for n from 0 to 2.

    >>> hand = weighed([0b011, 0b111], [0b111, 0b100, 0])  # copies: one, one and two
    >>> share(hand, 1, 0b111, 0b100)  # of 2 x 3 ways four; by the card alone it would be two of four
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
    """Find the bound cards and their blocks, and count the layouts of each set of bound cards.

    Known cards and their copies are removed first. Of the other cards, those that can be any copy left are
    free: their number of choices does not depend on other cards. The rest are bound. A block is a set of
    bound cards that can all be the same identity. Moebius inversion on the lattice of partitions (Rota 1964)
    counts the layouts without listing them:

        ways(cards) = sum over blocks B with the last card of
                      (-1)^(|B| - 1) (|B| - 1)! copies(B) ways(cards without B),

    where `copies(B)` is the number of copies that are possible for every card of B.
    """
    once = hand.unseen[0]
    twice = hand.unseen[1]
    thrice = hand.unseen[2]
    several = 0
    ways = 1
    for i in range(hand.size):
        mask = hand.known[i]
        if not is_one(mask):
            several |= 1 << i
        elif mask & once:
            third = mask & thrice
            second = mask & ~third & twice
            thrice &= ~third
            twice &= ~second
            once &= ~(mask & ~third & ~second)
        else:
            ways = 0
    bound = 0
    for i in range(hand.size):
        if several >> i & 1 and once & ~hand.known[i]:
            bound |= 1 << i
    hand.left[0] = once
    hand.left[1] = twice
    hand.left[2] = thrice
    hand.bound = bound
    hand.common[0] = once
    hand.ways[0] = ways
    blocks = 0
    first = 0
    last_card = 0
    cards = -bound & bound
    while cards:
        if is_one(cards):
            last_card = cards
            first = blocks
        common = hand.common[cards ^ last_card] & hand.known[lowest(last_card)]
        hand.common[cards] = common
        if common:
            hand.blocks[blocks] = cards
            hand.terms[blocks] = _BLOCK_FACTORS[popcount(cards)] * copies_of(common, once, twice, thrice)
            blocks += 1
        total = 0
        for n in range(first, blocks):
            if hand.blocks[n] & ~cards == 0:
                total += hand.terms[n] * hand.ways[cards ^ hand.blocks[n]]
        hand.ways[cards] = total
        cards = (cards - bound) & bound
    hand.block_count = blocks


@kernel
def odds(
    hand: WeighedHand, index: int, mask: int, playable: int, needed: int, critical: int
) -> tuple[float, float, float]:
    """Return the probabilities that a card with an identity in `mask` is playable, trash and critical.

    The card has hand index `index` (0: oldest). `mask` contains identities that the holder considers
    possible, with at least one unseen copy. If no layout is possible, as in a log with an incomplete deck,
    the weight of an identity is its number of unseen copies.
    """
    fits = mask & playable
    useless = mask & ~needed
    last = mask & critical
    if is_one(mask):
        return 1.0 if fits else 0.0, 1.0 if useless else 0.0, 1.0 if last else 0.0
    once = hand.left[0]
    twice = hand.left[1]
    thrice = hand.left[2]
    bound = hand.bound >> index & 1
    ways = 0
    ways_fits = 0
    ways_useless = 0
    ways_last = 0
    layouts = hand.ways[hand.bound]
    if layouts and not bound:
        ways = layouts * copies_of(mask, once, twice, thrice)
        ways_fits = layouts * copies_of(fits, once, twice, thrice)
        ways_useless = layouts * copies_of(useless, once, twice, thrice)
        ways_last = layouts * copies_of(last, once, twice, thrice)
    for n in range(hand.block_count if layouts else 0):
        block = hand.blocks[n]
        if block >> index & 1 == bound:
            shared = hand.common[block]
            weight = _BLOCK_FACTORS[popcount(block) + 1 - bound] * hand.ways[hand.bound ^ block]
            ways += weight * copies_of(shared & mask, once, twice, thrice)
            ways_fits += weight * copies_of(shared & fits, once, twice, thrice)
            ways_useless += weight * copies_of(shared & useless, once, twice, thrice)
            ways_last += weight * copies_of(shared & last, once, twice, thrice)
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

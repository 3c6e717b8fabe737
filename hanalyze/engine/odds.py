"""The odds of what a card in a hand is, by the cards alone: every hand that fits is as likely as any other.

In: a running game whose `know` is up to date, and a seat. Out: in how many ways the hand can be made of the
cards that its holder does not see, and in how many of them a card is one of some identities. That is the
whole hand at once: a card that is known takes its copy from the odds of the others.

Copies are told apart, so a way gives each card of the hand a copy of its own. How many ways there are is
counted without listing them: as if cards could share a copy, less what that counts too much. Over the ways
to divide the hand into blocks that share one, by Moebius inversion on the lattice of partitions (Rota 1964),

    ways(hand) = sum over blocks B with the first card of (-1)^(|B| - 1) (|B| - 1)! copies(B) ways(rest),

where `copies(B)` are the copies that each card of the block could be. Cards that can be but one thing are not
in it, since their copies are taken away first; nor are cards that could be any copy that is left, which have
as many choices whatever the others are. In most hands that leaves few.
"""

from __future__ import annotations

from typing import Final

from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import copies_of, copies_unseen
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one, lowest, popcount

__all__ = ["odds", "share", "weigh_hand"]

_SIGNED: Final = (0, 1, -1, 2, -6, 24, -120)
"""By the size of a block, (-1)^(n - 1) (n - 1)!."""


@kernel
def weigh_hand(game: Game, seat: int) -> None:
    """Count for each set of the cards that bear on each other in how many ways they can be what they may be.

    Written to `know`: `bound`, those cards, `left`, the copies that are left for them, `common` and `ways`.
    """
    know = game.know
    known = know.known[seat]
    once = know.unseen[seat][0]
    twice = know.unseen[seat][1]
    thrice = know.unseen[seat][2]
    size = game.hand_len[seat]
    open_cards = 0
    ways = 1
    for i in range(size):
        mask = known[i]
        if not is_one(mask):
            open_cards |= 1 << i
        elif mask & once:
            third = mask & thrice
            second = mask & ~third & twice
            thrice &= ~third
            twice &= ~second
            once &= ~(mask & ~third & ~second)
        else:
            ways = 0
    bound = 0
    while open_cards:
        i = lowest(open_cards)
        open_cards &= open_cards - 1
        if once & ~known[i]:
            bound |= 1 << i
    know.bound = bound
    know.left[0] = once
    know.left[1] = twice
    know.left[2] = thrice
    know.common[0] = once
    know.ways[0] = ways
    cards = -bound & bound
    while cards:
        others = cards & (cards - 1)
        common = know.common[others] & known[lowest(cards)]
        know.common[cards] = common
        know.copies[cards] = copies_of(common, once, twice, thrice)
        total = 0
        rest = others
        while True:
            block = cards ^ rest
            if know.copies[block]:
                total += _SIGNED[popcount(block)] * know.copies[block] * know.ways[rest]
            if rest == 0:
                break
            rest = (rest - 1) & others
        know.ways[cards] = total
        cards = (cards - bound) & bound


@kernel
def odds(
    game: Game, seat: int, index: int, mask: int, needed: int, critical: int
) -> tuple[float, float, float]:
    """Return the odds that a card which is one of `mask` is playable, trash and critical.

    The hand was weighed; `mask` is what its holder allows for, or a part of that. Where no hand fits, as in a
    log whose deck is not known in full, each identity weighs as many copies as the player does not see.
    """
    know = game.know
    once = know.left[0]
    twice = know.left[1]
    thrice = know.left[2]
    playable = mask & game.playable
    useless = mask & ~needed
    last = mask & critical
    ways = 0
    ways_playable = 0
    ways_useless = 0
    ways_last = 0
    if not is_one(mask):
        others = know.bound & ~(1 << index)
        rest = others
        while True:
            block = others ^ rest
            shared = know.common[block]
            weight = _SIGNED[popcount(block) + 1] * know.ways[rest]
            ways += weight * copies_of(shared & mask, once, twice, thrice)
            ways_playable += weight * copies_of(shared & playable, once, twice, thrice)
            ways_useless += weight * copies_of(shared & useless, once, twice, thrice)
            ways_last += weight * copies_of(shared & last, once, twice, thrice)
            if rest == 0:
                break
            rest = (rest - 1) & others
    if ways <= 0:
        ways = copies_unseen(game, seat, mask)
        ways_playable = copies_unseen(game, seat, playable)
        ways_useless = copies_unseen(game, seat, useless)
        ways_last = copies_unseen(game, seat, last)
    return ways_playable / ways, ways_useless / ways, ways_last / ways


@kernel
def share(game: Game, seat: int, index: int, mask: int, part: int) -> float:
    """Return how likely a card that is one of `mask` is one of `part`, a part of it; see `odds`."""
    return odds(game, seat, index, mask, ~part, 0)[1]

"""The odds of what a card in a hand is, by the cards alone: every hand that fits is as likely as any other.

In: a running game whose `know` is up to date, and a seat. Out: in how many ways the hand can be made of the
cards that its holder does not see, and in how many of them a card is one of some identities. That is the
whole hand at once: a card that is known takes its copy from the odds of the others.

Copies are told apart, so a way gives each card of the hand a copy of its own. How many ways there are is
counted without listing them: as if cards could share a copy, less what that counts too much. Over the ways
to divide the hand into blocks that share one, by Moebius inversion on the lattice of partitions (Rota 1964),

    ways(hand) = sum over blocks B with the first card of (-1)^(|B| - 1) (|B| - 1)! copies(B) ways(rest),

where `copies(B)` are the copies that each card of the block could be.
"""

from __future__ import annotations

from typing import Final

from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import copies_unseen
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import lowest, popcount

__all__ = ["odds", "share", "weigh_hand"]

_SIGNED: Final = (0, 1, -1, 2, -6, 24, -120)
"""By the size of a block, (-1)^(n - 1) (n - 1)!."""


@kernel
def weigh_hand(game: Game, seat: int) -> None:
    """Count for each set of cards in a hand in how many ways these can be what they may be: `know.ways`."""
    know = game.know
    size = game.hand_len[seat]
    know.common[0] = -1
    know.ways[0] = 1
    for cards in range(1, 1 << size):
        first = cards & -cards
        others = cards ^ first
        know.common[cards] = know.common[others] & know.known[seat][lowest(first)]
        know.copies[cards] = copies_unseen(game, seat, know.common[cards]) if know.common[cards] else 0
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


@kernel
def _ways(game: Game, seat: int, index: int, mask: int) -> int:
    """Return in how many ways a card of a hand that was weighed is one of `mask`, which it may all be."""
    know = game.know
    card = 1 << index
    others = (1 << game.hand_len[seat]) - 1 ^ card
    total = 0
    rest = others
    while True:
        block = card | others ^ rest
        shared = know.common[block] & mask
        if shared:
            total += _SIGNED[popcount(block)] * copies_unseen(game, seat, shared) * know.ways[rest]
        if rest == 0:
            return total
        rest = (rest - 1) & others


@kernel
def share(game: Game, seat: int, index: int, mask: int, part: int) -> float:
    """Return how likely a card that is one of `mask` is one of `part`, a part of it, by the whole hand.

    The hand was weighed. Where no hand fits, as in a log whose deck is not known in full, each identity
    weighs as many copies as the player does not see.
    """
    ways = _ways(game, seat, index, mask)
    if ways > 0:
        return _ways(game, seat, index, part) / ways
    return copies_unseen(game, seat, part) / copies_unseen(game, seat, mask)


@kernel
def odds(
    game: Game, seat: int, index: int, mask: int, needed: int, critical: int
) -> tuple[float, float, float]:
    """Return the odds that a card which is one of `mask` is playable, trash and critical.

    The hand was weighed; `mask` is what its holder allows for, or a part of that.
    """
    return (
        share(game, seat, index, mask, mask & game.playable),
        share(game, seat, index, mask, mask & ~needed),
        share(game, seat, index, mask, mask & critical),
    )

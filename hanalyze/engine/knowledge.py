"""Empathy: the identities that the holder of a card must consider possible.

The definition is that of hanab.live, without the site's shortcut during the initial deal.
"""

from __future__ import annotations

from hanalyze.engine.game import Game
from hanalyze.game.cards import MAX_CARDS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import drop_lowest, is_one, lowest, popcount

kernel_module(__name__)


def copies_unseen(game: Game, seat: int, mask: int) -> int:
    """Return the number of cards with identities in `mask` that the player of `seat` does not see."""
    unseen = game.know.unseen[seat]
    return popcount(mask & unseen[0]) + popcount(mask & unseen[1]) + popcount(mask & unseen[2])


def copies_of(mask: int, once: int, twice: int, thrice: int) -> int:
    """Return the number of copies of the identities in `mask`.

    `once`, `twice` and `thrice` are the masks of the identities with at least 1, 2 and 3 copies.
    """
    return popcount(mask & once) + popcount(mask & twice) + popcount(mask & thrice)


def possibilities(game: Game, seat: int) -> int:
    """Compute `known` for each card of `seat`, oldest first, and `certain`; return the number of cards.

    Identity x is possible for a card if the unseen copies suffice to assign x to this card and, to each other
    informed card of the hand, an identity that its clues allow. A card is informed if a clue was given to the
    hand while the card was in it, even if the clue did not touch it. Uninformed cards exclude nothing.
    """
    known = game.know.known[seat]
    hand = game.hands[seat]
    size = game.hand_len[seat]
    # Copies left for the cards with more than one possible identity.
    once = game.know.unseen[seat][0]
    twice = game.know.unseen[seat][1]
    thrice = game.know.unseen[seat][2]
    certain = 0
    informed = 0
    for i in range(size):
        order = hand[i]
        known[i] = game.possible[order] & once
        certain |= is_one(known[i]) << i
        informed |= (game.informed >> order & 1) << i
    # A card with one possible identity uses up a copy, which may leave another card one possible identity.
    others = informed
    while certain & others:
        i = lowest(certain & others)
        others &= ~(1 << i)
        mask = known[i]
        third = mask & thrice
        second = mask & ~third & twice
        thrice &= ~third
        twice &= ~second
        once &= ~(mask & ~third & ~second)
        taken = informed & ~others
        for j in range(size):
            known[j] &= once | -(taken >> j & 1)
            certain |= is_one(known[j]) << j
    game.know.certain[seat] = certain
    most = popcount(others)
    few = 0
    for i in range(size):
        few |= (copies_of(known[i], once, twice, thrice) <= most) << i
    few &= others
    if not is_one(few):
        _exclude_by_groups(game, seat, informed & ~others, few, once, twice, thrice)
    return size


def _exclude_by_groups(
    game: Game, seat: int, taken: int, few: int, once: int, twice: int, thrice: int
) -> None:
    """Exclude identities whose copies are all needed by a group of other cards.

    `taken` is the mask of the informed cards with one possible identity, whose copies are no longer in
    `once`, `twice` and `thrice`; `few` is the mask of those other informed cards whose identities have at
    most as many copies as there are other informed cards. By Hall's theorem, x is impossible for a card
    exactly when k other cards can have only identities, x among them, of which there are k copies in total.
    The identities of two cards are nested or disjoint, because both cards were in the hand for all clues
    since the newer one was drawn. Therefore it is enough to check, for each card, the set of the cards whose
    identities are all among its own.
    """
    known = game.know.known[seat]
    group = game.know.group
    size = game.hand_len[seat]
    for i in range(size):
        group[i] = known[i]
    rest = few
    while rest:
        i = lowest(rest)
        rest = drop_lowest(rest)
        indices = 0
        for j in range(size):
            indices |= (group[j] & ~group[i] == 0) << j
        indices &= few
        if copies_of(group[i], once, twice, thrice) == popcount(indices):
            for j in range(size):
                known[j] &= ~group[i] | -((indices | taken) >> j & 1)
                game.know.certain[seat] |= is_one(known[j]) << j


def _see_copy(game: Game, seat: int, number: int) -> bool:
    """Exclude an identity from `known` of `seat` if the player has just seen its last unseen copy.

    Return whether `known` must be recomputed, because a group of cards that can have this identity (see
    `_exclude_by_groups`) may need all its copies.
    """
    known = game.know.known[seat]
    hand = game.hands[seat]
    seen_all = (~game.know.unseen[seat][0] >> number & 1) << number
    informed = 0
    least = MAX_CARDS
    for i in range(game.hand_len[seat]):
        is_informed = game.informed >> hand[i] & 1
        informed += is_informed
        copies = copies_unseen(game, seat, known[i])
        least = min(least, copies if is_informed & known[i] >> number else MAX_CARDS)
        known[i] &= ~seen_all
        game.know.certain[seat] |= is_one(known[i]) << i
    game.know.read |= (seen_all != 0) << seat
    return least <= informed


def unsee_hand(game: Game, seat: int, shown: int) -> None:
    """Hide the hand of `seat` from the other players, except the card with order `shown`.

    Afterwards the `known` of the other players is out of date.
    """
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        if order == shown:
            continue
        bit = 1 << game.identity[order]
        for other in range(game.seats):
            if other == seat:
                continue
            # The other player sees one copy fewer: set the bit in the first mask that does not have it.
            unseen = game.know.unseen[other]
            for copies in range(3):
                if not unseen[copies] & bit:
                    unseen[copies] |= bit
                    break


def read_hands(game: Game) -> None:
    """Recompute `known` and `certain` of seats for which they may have changed; add these seats to `read`."""
    unread = game.know.unread
    unsure = game.know.unsure & ~unread
    while unsure:
        seat = lowest(unsure)
        unsure = drop_lowest(unsure)
        unread |= _see_copy(game, seat, game.identity[game.know.new_card]) << seat
    game.know.read |= unread
    while unread:
        possibilities(game, lowest(unread))
        unread = drop_lowest(unread)
    game.know.unread = 0
    game.know.unsure = 0

"""Empathy: the identities that the holder of a hand must still allow for.

The definition is hanab.live's, without the site's shortcut during the first deal.
"""

from __future__ import annotations

from hanalyze.engine.game import MAX_HAND, Game
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import drop_lowest, is_one, popcount

kernel_module(__name__)


def copies_unseen(game: Game, seat: int, mask: int) -> int:
    """Return the number of unseen cards with identities in `mask`, for the player of `seat`."""
    unseen = game.know.unseen[seat]
    return popcount(mask & unseen[0]) + popcount(mask & unseen[1]) + popcount(mask & unseen[2])


def copies_of(mask: int, once: int, twice: int, thrice: int) -> int:
    """Return how many copies there are of the identities in `mask`; see `unseen` for the other masks."""
    return popcount(mask & once) + popcount(mask & twice) + popcount(mask & thrice)


def possibilities(game: Game, seat: int) -> int:
    """Compute `known` for each card of `seat`, oldest first, and `certain`; return the number of cards.

    A card may be x if the holder can lay out this card as x and all the other cards of the hand that were
    ever given a clue, each as something that its clues allow, with the copies that the holder does not see.
    Cards that were never given a clue say nothing about the others.
    """
    known = game.know.known[seat]
    size = game.hand_len[seat]
    # The copies that are left for the cards of which more than one identity is possible.
    once = game.know.unseen[seat][0]
    twice = game.know.unseen[seat][1]
    thrice = game.know.unseen[seat][2]
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
            order = game.hands[seat][i]
            mask = game.possible[order] & once
            known[i] = mask
            certain |= is_one(mask) << i
            if game.informed[order]:
                if is_one(mask):
                    taken |= 1 << i
                    third = mask & thrice
                    second = mask & ~third & twice
                    thrice &= ~third
                    twice &= ~second
                    once &= ~(mask & ~third & ~second)
                elif popcount(mask) <= size:
                    few |= 1 << i
    game.know.certain[seat] = certain
    if not is_one(few):
        _exclude_by_groups(game, seat, taken, few, once, twice, thrice)
    return size


def _exclude_by_groups(
    game: Game, seat: int, taken: int, few: int, once: int, twice: int, thrice: int
) -> None:
    """Exclude identities whose copies are all needed by a group of other cards (Hall's theorem).

    `taken` are the indices of the known cards, whose copies are no longer in `once`, `twice` and `thrice`;
    `few` those of the others with few possible identities. By Hall's theorem x is out for a card exactly when
    some set of the others needs all the copies of all it can be, x among them.
    """
    known = game.know.known[seat]
    size = game.hand_len[seat]
    # A set of k cards says something only if there are but k copies for them: a card that could be any of
    # more copies than there are cards to consider is in no such set.
    considered = MAX_HAND + 1
    cards = popcount(few)
    while cards < considered:
        considered = cards
        cards = 0
        for i in range(size):
            if few >> i & 1:
                if copies_of(known[i], once, twice, thrice) <= considered:
                    game.know.members[cards] = known[i]
                    game.know.member_index[cards] = i
                    cards += 1
                else:
                    few ^= 1 << i
    if cards < 2:
        return
    game.know.union[0] = 0
    game.know.indices[0] = 0
    for group in range(1, 1 << cards):
        member = 0
        while not group >> member & 1:
            member += 1
        rest = drop_lowest(group)
        union = game.know.union[rest] | game.know.members[member]
        indices = game.know.indices[rest] | 1 << game.know.member_index[member]
        game.know.union[group] = union
        game.know.indices[group] = indices
        if copies_of(union, once, twice, thrice) == popcount(group):
            for i in range(size):
                if not (indices | taken) >> i & 1:
                    known[i] &= ~union
                    game.know.certain[seat] |= is_one(known[i]) << i


def _says_something(game: Game, seat: int, number: int) -> bool:
    """Return whether seeing one more copy of an identity can change what `seat` knows.

    It can if that was the last unseen copy, or if a card that constrains the others (see
    `possibilities`) can be of that identity: its set has one free copy less.
    """
    if not game.know.unseen[seat][0] >> number & 1:
        return True
    size = game.hand_len[seat]
    for i in range(size):
        order = game.hands[seat][i]
        possible = game.possible[order]
        if possible >> number & 1 and game.informed[order] and copies_unseen(game, seat, possible) <= size:
            return True
    return False


def unsee_hand(game: Game, seat: int, shown: int) -> None:
    """Hide the hand of `seat` from the other players, except the card of order `shown`.

    Their `known` is then out of date.
    """
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        if order == shown:
            continue
        bit = 1 << game.identity[order]
        for other in range(game.seats):
            if other == seat:
                continue
            # One copy more that the other does not see: into the first of the masks that it is not in.
            unseen = game.know.unseen[other]
            for copies in range(3):
                if not unseen[copies] & bit:
                    unseen[copies] |= bit
                    break


def read_hands(game: Game) -> None:
    """Update `known` for every seat whose view has changed."""
    for seat in range(game.seats):
        unread = game.know.unread >> seat & 1
        if not unread and game.know.unsure >> seat & 1:
            unread = _says_something(game, seat, game.identity[game.know.new_card])
        if unread:
            possibilities(game, seat)
            game.know.read |= 1 << seat
    game.know.unread = 0
    game.know.unsure = 0

"""A slow second implementation of a player's knowledge, for the page without spoilers.

From what a player sees of a game (`Sight`), it derives the identities of each card in each hand that the
holder must consider possible, as far as that player can tell.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hanalyze.game.variants import Variant
from tests.slow_rules import Pair, SlowGame

Choice = tuple[set[Pair], bool]
"""The identities that a card may have, and whether it is in the player's own hand."""


@dataclass
class Sight:
    """What a player sees: the places of all cards, and the identities of other players' cards."""

    variant: Variant
    seat: int
    copies: Counter[Pair]
    public: Counter[Pair]
    """Cards on the stacks, discarded and misplayed."""
    hands: list[list[int]]
    faces: dict[int, Pair]
    """The cards in the other hands."""
    clues: dict[int, list[tuple[str | int, bool]]]


def sight_of(game: SlowGame, seat: int) -> Sight:
    """Return the `Sight` of a player in a running game."""
    public = Counter(game.gone)
    public.update((suit, rank) for suit, stack in enumerate(game.stacks) for rank in stack)
    others = [order for other, hand in enumerate(game.hands) if other != seat for order in hand]
    silent = game.variant.cow_and_pig or game.variant.duck
    return Sight(
        variant=game.variant,
        seat=seat,
        copies=Counter(game.copies),
        public=public,
        hands=[list(hand) for hand in game.hands],
        faces={order: game.deck[order] for order in others},
        clues={order: [] if silent else game.clues[order] for hand in game.hands for order in hand},
    )


def _by_clues(sight: Sight, order: int) -> set[Pair]:
    touches = sight.variant.touches
    return {
        card for card in sight.copies if all(touches(clue, card) is yes for clue, yes in sight.clues[order])
    }


def _can_lay_out(choices: list[Choice], free: Counter[Pair], own: Counter[Pair]) -> bool:
    """Return whether `free` has a different card for each choice; for the player's own cards, also `own`."""
    if not choices:
        return True
    cards, is_own = choices[0]
    for card in cards:
        if free[card] > 0 and (own[card] > 0 or not is_own):
            free[card] -= 1
            own[card] -= is_own
            found = _can_lay_out(choices[1:], free, own)
            free[card] += 1
            own[card] += is_own
            if found:
                return True
    return False


def allowed(sight: Sight, seat: int) -> list[set[Pair]]:
    """Return for each card in a hand, oldest first, the identities that its holder must consider possible.

    The holder sees all hands except their own. The player of `sight` does not see the own hand either, so an
    identity counts if the holder could not exclude it for at least one hand that this player may hold. As on
    hanab.live, only clued cards constrain other cards.
    """
    unseen = sight.copies - sight.public
    for other, hand in enumerate(sight.hands):
        if other not in (seat, sight.seat):
            unseen -= Counter(sight.faces[order] for order in hand)
    own = unseen - Counter(sight.faces[order] for order in sight.hands[seat] if seat != sight.seat)
    mine = [] if seat == sight.seat else sight.hands[sight.seat]
    found = []
    for order in sight.hands[seat]:
        others = [
            (_by_clues(sight, one), False) for one in sight.hands[seat] if one != order and sight.clues[one]
        ]
        others += [(_by_clues(sight, one), True) for one in mine if sight.clues[one]]
        others.sort(key=lambda choice: len(choice[0]))
        found.append(
            {
                card
                for card in _by_clues(sight, order)
                if _can_lay_out([({card}, False), *others], Counter(unseen), Counter(own))
            }
        )
    return found

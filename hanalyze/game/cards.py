"""Cards, their identities, and sets of identities.

An identity is the number `suit * 8 + rank`. A set of identities is a mask with one bit per identity, bits 0
to 47 for six suits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

START: Final = 7  # rank of the START card of Up or Down, which begins a stack in either direction
RANK_SLOTS: Final = 8  # identities per suit in the numbering (ranks 0 to 7; 0 and 6 are never used)
MAX_SUITS: Final = 6
IDENTITIES: Final = MAX_SUITS * RANK_SLOTS  # length of an array with an entry per identity: 48
MAX_CARDS: Final = 60  # number of cards in the largest deck of any variant
LETTERS: Final = ("r", "y", "g", "b", "p", "t")  # letters of the suits of No Variant, and of a sixth suit


class Card(NamedTuple):
    """A card: the index of its suit in the variant (0 to 5), and its rank (1 to 5, 7 for START).

    `str()` uses the suit letters of No Variant (t for a sixth suit); `card_name` takes any letters.

    >>> Card(suit=3, rank=5), str(Card(suit=3, rank=5))
    (Card(suit=3, rank=5), 'b5')
    """

    suit: int
    rank: int

    def __str__(self) -> str:
        return card_name(self, LETTERS)


def rank_letter(rank: int) -> str:
    """Return the text of a rank: its digit, or "S" for START.

    >>> rank_letter(3), rank_letter(START)
    ('3', 'S')
    """
    return "S" if rank == START else str(rank)


def card_name(card: tuple[int, int], letters: Sequence[str]) -> str:
    """Return a card as players write it; `letters` has one letter per suit.

    >>> card_name(Card(3, 5), "rygbp"), card_name(Card(0, START), "rygbp")
    ('b5', 'rS')
    """
    suit, rank = card
    return letters[suit] + rank_letter(rank)


def card_named(name: str, letters: Sequence[str]) -> Card | None:
    """Return the card for which `card_name` returns `name`, None if no card has that name.

    >>> card_named("b5", "rygbp"), card_named("b6", "rygbp")
    (Card(suit=3, rank=5), None)
    """
    cards = (Card(suit, rank) for suit in range(len(letters)) for rank in (1, 2, 3, 4, 5, START))
    return next((card for card in cards if card_name(card, letters) == name), None)


def identity(suit: int, rank: int) -> int:
    """Return the number of an identity, 0 to 47.

    >>> identity(3, 5)
    29
    """
    return suit * RANK_SLOTS + rank


def card_of(number: int) -> Card:
    """Return the card with identity `number`.

    >>> card_of(29)
    Card(suit=3, rank=5)
    """
    return Card(number // RANK_SLOTS, number % RANK_SLOTS)


def mask_of(cards: Iterable[tuple[int, int]]) -> int:
    """Return the mask of the cards, given as (suit, rank) pairs.

    >>> hex(mask_of([(0, 1), (3, 5)]))
    '0x20000002'
    """
    mask = 0
    for suit, rank in cards:
        mask |= 1 << identity(suit, rank)
    return mask


def cards_in(mask: int) -> Iterator[Card]:
    """Yield the cards of a mask in order of suit, then rank.

    >>> list(cards_in(0x20000002))
    [Card(suit=0, rank=1), Card(suit=3, rank=5)]
    """
    while mask:
        lowest = mask & -mask
        yield card_of(lowest.bit_length() - 1)
        mask ^= lowest


@dataclass(frozen=True, slots=True)
class IdentitySet:
    """A set of identities, stored as a mask and printed as players write cards.

    `letters` has one letter for each suit. Iteration yields the cards in order of suit, then
    rank; START is printed as S.

    >>> cards = IdentitySet(mask_of([(0, 1), (3, 5)]))
    >>> cards, len(cards), Card(3, 5) in cards
    (IdentitySet("r1 b5"), 2, True)
    """

    mask: int
    letters: tuple[str, ...] = LETTERS

    def __iter__(self) -> Iterator[Card]:
        return cards_in(self.mask)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return any(card == member for member in self)

    def __str__(self) -> str:
        return " ".join(card_name(card, self.letters) for card in self)

    def __repr__(self) -> str:
        return f'IdentitySet("{self}")'

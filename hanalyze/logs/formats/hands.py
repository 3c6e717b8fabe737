"""Converts places in a hand to indices in the deck (orders), and back."""

from __future__ import annotations

from hanalyze.game.rules import Rules


class Hands:
    """Hands as lists of orders, the oldest card first; seat 0 is dealt its whole hand first.

    `size` is that of the plain game unless given.

    >>> hands = Hands(2, 50)
    >>> hands.take(1, 0), hands.of(1)
    (5, [6, 7, 8, 9, 10])
    """

    def __init__(self, players: int, cards: int, size: int | None = None) -> None:
        size = Rules().hand_size(players) if size is None else size
        self._hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(players)]
        self._next = players * size
        self._cards = cards

    def of(self, seat: int) -> list[int]:
        """Return the orders of a hand, the oldest card first."""
        return list(self._hands[seat])

    def take(self, seat: int, place: int) -> int:
        """Take the card at a place, from 0, the oldest, and draw another. Raises `IndexError`."""
        if place < 0:
            raise IndexError(place)
        order = self._hands[seat].pop(place)
        if self._next < self._cards:
            self._hands[seat].append(self._next)
            self._next += 1
        return order

    def place_of(self, seat: int, order: int) -> int:
        """Return the place of a card. Raises `ValueError` where it is not in this hand."""
        return self._hands[seat].index(order)

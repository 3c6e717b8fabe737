"""Everything on the table before a turn: what `Replay.state` returns.

In: nothing; `hanalyze.replaying` fills it in. Out: `Position`, its cards in hands, and their clue marks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hanalyze.engine.game import WeighedHand
from hanalyze.engine.odds import odds, share, weighed
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import Card, IdentitySet


@dataclass(frozen=True, slots=True)
class ClueMark:
    """A clue that was given to a hand while a card was in it.

    `touched`: whether it touched the card; if not, the card knows what it is not. `value` is the rank, or the
    index among the variant's clue colours.
    """

    turn: int
    giver: int
    kind: ActionKind
    value: int
    touched: bool


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand: its order, what it is, and the clues that it has been given."""

    order: int
    card: Card
    clues: tuple[ClueMark, ...]

    @property
    def clued(self) -> bool:
        """Whether any clue touched it."""
        return any(mark.touched for mark in self.clues)


@dataclass(frozen=True, slots=True)
class Position:
    """Everything on the table before a turn.

    `hands`: by seat, the oldest card first. `stacks`: by suit, the cards on it, bottom first. `discards`: in
    order of discarding. `clue_tokens` may have halves in Clue Starved; `pace` is None once the deck is empty
    or the game is over. `players` are the names by seat, `letters` those of the variant's suits.

    `possible`: by seat and card, the identities still possible for its holder, exact for clues, visible cards
    and the hand as a whole. `unseen`: by seat, the identities with at least one, two and three copies that
    the player does not see. `playable`, `needed` and `critical` are true of the table, whether or not anybody
    knows. `cards_gotten`, `clues_lost` (halves in Clue Starved) and `future_efficiency` (cards still to get
    per clue left, None if no clue is left) are hanab.live's.

    >>> from hanalyze import replay
    >>> from hanalyze.logs import GameRecord
    >>> position = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
    >>> position.playable, len(position.possible[0][0])
    (IdentitySet("r1 y1 g1 b1 p1"), 25)
    """

    turn: int
    seat: int
    players: tuple[str, ...]
    letters: tuple[str, ...]
    hands: tuple[tuple[HeldCard, ...], ...]
    stacks: tuple[tuple[Card, ...], ...]
    discards: tuple[Card, ...]
    clue_tokens: float
    strikes: int
    deck: int
    score: int
    max_score: int
    pace: int | None
    end_condition: str
    possible: tuple[tuple[IdentitySet, ...], ...] = field(repr=False)
    unseen: tuple[tuple[IdentitySet, ...], ...] = field(repr=False)
    playable: IdentitySet = field(repr=False)
    needed: IdentitySet = field(repr=False)
    critical: IdentitySet = field(repr=False)
    cards_gotten: int = field(repr=False)
    clues_lost: float = field(repr=False)
    future_efficiency: float | None = field(repr=False)

    def chance(self, order: int, identities: IdentitySet, among: IdentitySet | None = None) -> float:
        """Return how likely a card in a hand is one of some identities, as its holder sees it.

        By the cards alone, 0 to 1: of the ways to lay out the whole hand with cards that the holder does not
        see, the share in which it is. With `among`, of those in which the card is one of these; 0 where it
        cannot be. Raises `ValueError` for a card that is in no hand.

        >>> from hanalyze import replay
        >>> from hanalyze.logs import GameRecord
        >>> position = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
        >>> round(45 * position.chance(0, position.playable))  # of 45 cards that Alice does not see
        13
        """
        seat, index = self._place(order)
        mask = self.possible[seat][index].mask & (among.mask if among is not None else -1)
        if not mask & self.unseen[seat][0].mask:
            return 0.0
        return share(self._weighed(seat), index, mask, identities.mask)

    def odds(self, seat: int) -> list[tuple[float, float, float]]:
        """Return by card of a hand, the oldest first, the chances that it is playable, trash and critical.

        As `chance` has them, 0 to 1.

        >>> from hanalyze import replay
        >>> from hanalyze.logs import GameRecord
        >>> position = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
        >>> playable, trash, critical = position.odds(0)[0]
        >>> round(45 * playable), trash, round(45 * critical)
        (13, 0.0, 5)
        """
        hand, masks = self._weighed(seat), (self.playable.mask, self.needed.mask, self.critical.mask)
        return [odds(hand, i, cards.mask, *masks) for i, cards in enumerate(self.possible[seat])]

    def _place(self, order: int) -> tuple[int, int]:
        for seat, hand in enumerate(self.hands):
            for index, held in enumerate(hand):
                if held.order == order:
                    return seat, index
        raise ValueError(f"card {order} is in no hand on turn {self.turn}")

    def _weighed(self, seat: int) -> WeighedHand:
        return weighed(
            [cards.mask for cards in self.possible[seat]], [cards.mask for cards in self.unseen[seat]]
        )

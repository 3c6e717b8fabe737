"""Everything on the table before a turn: what `Replay.state` returns.

In: nothing; `hanalyze.replaying` fills it in. Out: `Position`, its cards in hands, and their clue marks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import Card, IdentitySet

__all__ = ["ClueMark", "HeldCard", "Position"]


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

"""A position as detectors see it: hands, stacks, what cards can be, what messages said of them.

In: the arrays of a game and of its messages, in which nothing stands that the eye they were made for does not
see (`hanalyze.detectors.watching`). Out: `View`, `SeenCard`, `Call`, `Meaning`: plain values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from hanalyze.conventions.reading import Reading
from hanalyze.conventions.rows import FINDING
from hanalyze.engine.game import IN_DISCARD, ON_STACK, Game, Ints
from hanalyze.engine.measure import pace, score
from hanalyze.game.cards import Card, IdentitySet, card_of
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.game.rules import EndCondition
from hanalyze.tables import PACE_NULL

STEP_WORDS: Final = tuple(kind.label for kind in StepKind)
"""What a step of a call asks of a card."""


def orders_in(mask: int) -> tuple[int, ...]:
    """Return the orders of a mask, the lowest first.

    >>> orders_in(0b1001)
    (0, 3)
    """
    return tuple(order for order in range(mask.bit_length()) if mask >> order & 1)


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card in a hand, as one eye sees it.

    `order` is its index in the deck, `slot` its place in the hand, 1 the newest. `card` is None where this
    eye does not see it. `possible` is what its holder must allow for by clues and by the cards that are seen,
    `inferred` what messages leave of that. `clued`: a clue touched it; `gotten`: clued, called to be played
    blind or named by a discard; `called`: it is to be played blind; `plays`: its holder may play it now by
    all that was said; `known_trash`: its holder knows it to be useless; `chop_moved`: a message keeps it.
    """

    order: int
    slot: int
    card: Card | None
    possible: IdentitySet
    inferred: IdentitySet
    clued: bool
    gotten: bool
    called: bool
    plays: bool
    known_trash: bool
    chop_moved: bool


@dataclass(frozen=True, slots=True)
class CallStep:
    """A card that a call asks for: whose (`seat`), which (`order`), how (`STEP_WORDS`), and as what."""

    seat: int
    order: int
    kind: str
    identities: IdentitySet


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is open: what an earlier action still expects.

    `turn` and `giver` are of the action that made it, `focus` is the order of the card that it is about, if
    any; `steps` are the plays that it asks for before the focus, of which `done` are behind us.
    """

    convention: Convention
    turn: int
    giver: int
    receiver: int | None
    focus: int | None
    steps: tuple[CallStep, ...]
    done: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an action means, or a clue would mean, by the built-in reader.

    `certainty` is in percent; `reasons` speak against it or explain it; `cards` are the orders of the steps,
    `steps` many, then those that are moved or named; `readings` what the receiver must allow for of the
    focus; `worth` and `bad_touch` count cards.

    >>> from hanalyze.game.meanings import Convention
    >>> Meaning(Convention.BLUFF, 100, 2, 7, (3,), IdentitySet(1 << 2), True, (), 2, 0, 1).label
    'bluff'
    """

    convention: Convention
    certainty: int
    receiver: int | None
    focus: int | None
    cards: tuple[int, ...]
    readings: IdentitySet
    legal: bool
    reasons: tuple[Reason, ...]
    worth: int
    bad_touch: int
    steps: int

    @property
    def label(self) -> str:
        """The convention as a word, one of `hanalyze.tables.conventions.CONVENTION_WORDS`."""
        return self.convention.label


def meanings_of(found: Ints, letters: tuple[str, ...]) -> tuple[Meaning, ...]:
    """Return what the columns of one action say, a meaning a column."""

    def meaning(row: int) -> Meaning:
        cards = found[FINDING.cards : FINDING.cards + 6, row].tolist()
        focus, receiver = int(found[FINDING.focus, row]), int(found[FINDING.receiver, row])
        return Meaning(
            convention=Convention(int(found[FINDING.convention, row])),
            certainty=int(found[FINDING.certainty, row]),
            receiver=receiver if receiver >= 0 else None,
            focus=focus if focus >= 0 else None,
            cards=tuple(order for order in cards if order >= 0),
            readings=IdentitySet(int(found[FINDING.readings, row]), letters),
            legal=bool(found[FINDING.legal, row]),
            reasons=Reason.among(int(found[FINDING.reasons, row])),
            worth=int(found[FINDING.worth, row]),
            bad_touch=int(found[FINDING.bad_touch, row]),
            steps=int(found[FINDING.steps, row]),
        )

    return tuple(meaning(row) for row in range(found.shape[1]))


class View:
    """Everything on the table at one time that one eye sees, with what all know by messages.

    The fields of `hanalyze.Position`, by the same names: `turn`, `seat` (to move), `players`, `letters`,
    `hands` (by seat, the oldest card first), `stacks` (by suit, bottom first), `discards` (in order of their
    going), `clue_tokens`, `strikes`, `deck` (cards left), `score`, `max_score`, `pace`, `end_condition`.
    More: `chops` and `finesse_positions` (by seat, orders or None), `gotten` (orders), `playable`, `needed`
    and `critical` (identities), `calls`, `phase` and `stall_severity`.
    """

    def __init__(
        self,
        game: Game,
        reading: Reading,
        gone: tuple[int, ...],
        players: tuple[str, ...],
        letters: tuple[str, ...],
    ) -> None:
        """Take records that are this view's own, and the orders that left hands, in order."""
        self._game = game
        self._reading = reading
        self._gone = gone
        self.players = players
        self.letters = letters
        self.turn = int(game.turn)
        self.seat = int(game.seat)
        self.strikes = int(game.strikes)
        self.deck = int(game.cards - game.drawn)
        self.score = score(game)
        self.max_score = int(game.max_score)
        self.stall_severity = int(reading.look.stall_severity)
        """How badly the player to move must stall, 0 to 4."""

    def __repr__(self) -> str:
        return f"<View before turn {self.turn}, seat {self.seat} to move>"

    def _set(self, mask: Any) -> IdentitySet:
        return IdentitySet(int(mask), self.letters)

    def _hand(self, seat: int) -> tuple[SeenCard, ...]:
        game, told, look = self._game, self._reading.told, self._reading.look
        size = int(game.hand_len[seat])
        cards = []
        for i in range(size):
            order = int(game.hands[seat][i])
            number = int(game.identity[order])

            def among(cards: int, order: int = order) -> bool:
                return bool(cards >> order & 1)

            cards.append(
                SeenCard(
                    order=order,
                    slot=size - i,
                    card=card_of(number) if number >= 0 else None,
                    possible=self._set(game.know.known[seat][i]),
                    inferred=self._set(look.sees[order]),
                    clued=among(game.clued),
                    gotten=among(look.gotten),
                    called=among(told.blind),
                    plays=among(look.playable_now | told.blind & look.called),
                    known_trash=among(look.known_trash),
                    chop_moved=among(told.chop_moved),
                )
            )
        return tuple(cards)

    @cached_property
    def hands(self) -> tuple[tuple[SeenCard, ...], ...]:
        """By seat, the cards in hand, the oldest first."""
        return tuple(self._hand(seat) for seat in range(len(self.players)))

    def card(self, order: int) -> SeenCard | None:
        """Return a card that is in a hand, None if it is in none."""
        return next((card for hand in self.hands for card in hand if card.order == order), None)

    @cached_property
    def stacks(self) -> tuple[tuple[Card, ...], ...]:
        """By suit, the cards on the play stacks, bottom first."""
        stacks: list[list[Card]] = [[] for _ in range(int(self._game.variant.suits))]
        for order in self._gone:
            if self._game.place[order] == ON_STACK:
                card = card_of(int(self._game.identity[order]))
                stacks[card.suit].append(card)
        return tuple(tuple(stack) for stack in stacks)

    @cached_property
    def discards(self) -> tuple[Card, ...]:
        """The cards discarded and misplayed, in order of their going."""
        return tuple(
            card_of(int(self._game.identity[order]))
            for order in self._gone
            if self._game.place[order] == IN_DISCARD
        )

    @cached_property
    def clue_tokens(self) -> float:
        """Clue tokens; halves only in Clue Starved."""
        tokens = int(self._game.tokens) / int(self._game.variant.token_unit)
        return int(tokens) if tokens == int(tokens) else tokens

    @cached_property
    def pace(self) -> int | None:
        """Discards that the maximum score still allows; None once the deck is empty or the game over."""
        now = pace(self._game)
        return None if now == PACE_NULL else now

    @cached_property
    def end_condition(self) -> str:
        """How the game is over, or `unfinished`."""
        return EndCondition(int(self._game.end_condition)).label

    @cached_property
    def phase(self) -> str:
        """`early_game` until an unknown card is discarded, `end_game` once pace is short, or `mid_game`."""
        if self._reading.look.end_phase:
            return "end_game"
        return "early_game" if self._reading.told.early else "mid_game"

    def _by_seat(self, orders: Sequence[int]) -> tuple[int | None, ...]:
        return tuple(order if order >= 0 else None for order in orders[: len(self.players)])

    @cached_property
    def chops(self) -> tuple[int | None, ...]:
        """By seat, the order of the card that would be discarded next, None for a locked hand."""
        return self._by_seat(self._reading.look.chop)

    @cached_property
    def finesse_positions(self) -> tuple[int | None, ...]:
        """By seat, the order of the newest card that is not gotten, None if there is none."""
        return self._by_seat(self._reading.look.first)

    @cached_property
    def gotten(self) -> frozenset[int]:
        """The orders in hands that are clued, called to be played blind, or named by a discard."""
        return frozenset(card.order for hand in self.hands for card in hand if card.gotten)

    @cached_property
    def playable(self) -> IdentitySet:
        """The identities that fit a stack now."""
        return self._set(self._game.playable)

    @cached_property
    def needed(self) -> IdentitySet:
        """The identities that a stack can still come to need; all others are trash."""
        return self._set(self._reading.look.needed)

    @cached_property
    def critical(self) -> IdentitySet:
        """The needed identities with one copy left."""
        return self._set(self._reading.look.critical)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls that are open, the oldest first."""
        found = []
        for call in self._reading.calls:
            if not call.is_open:
                continue
            found.append(
                Call(
                    convention=Convention(call.kind),
                    turn=call.turn,
                    giver=call.giver,
                    receiver=call.receiver if call.receiver >= 0 else None,
                    focus=call.focus if call.focus >= 0 else None,
                    steps=tuple(
                        CallStep(step.seat, step.order, StepKind(step.kind).label, self._set(step.ids))
                        for step in call.steps[: call.length]
                    ),
                    done=call.done,
                )
            )
        return tuple(sorted(found, key=lambda call: call.turn))

"""One game as its verdicts ask for it: what every turn was, what was known, told and found.

In: a `Replay` with the values of its page, its decisions and mistakes, and what its moves meant. Out: `Case`,
with the questions that several parts of a verdict ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hanalyze.conventions.game_reading import GameReading
from hanalyze.game.cards import IdentitySet
from hanalyze.game.meanings import Convention, Fault, FaultRule, OutcomeKind
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import Part, Parts, card, owner
from hanalyze.report.names import Names
from hanalyze.store.definitions import Definition
from hanalyze.words import listed

if TYPE_CHECKING:
    from hanalyze.position import Position
    from hanalyze.replaying import Replay

NOTHING_SAID: Final[Mapping[int, str]] = {}
MOST_LISTED: Final = 6
"""Identities that are listed at most."""


def bits_of(mask: int) -> list[int]:
    """Return the bits that are set.

    >>> bits_of(0b1010)
    [1, 3]
    """
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


@dataclass(slots=True)
class Case:
    """A game: `positions` and `actions` are those of the page; decisions, mistakes and findings by turn.

    `states` are the positions that `positions` come from.
    """

    replay: Replay
    names: Names
    states: list[Position]
    positions: list[Row]
    actions: list[Row]
    decisions: dict[int, Row]
    mistakes: dict[int, list[Row]]
    reading: GameReading
    kinds: Mapping[str, Definition]
    findings: dict[int, list[Row]] = field(default_factory=dict)
    fates: list[int | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Sort the findings by turn, with words for numbers."""
        for row in self.reading.findings:
            self.findings.setdefault(row["turn"], []).append(_in_words(row))
        self.fates = [one["fate_turn"] for one in self.replay.card_rows()]

    def mover(self, turn: int) -> int:
        """Return the seat that acted on a turn."""
        return int(self.positions[turn]["seat"])

    def card(self, order: int) -> Part:
        """Return a card of the deck, which its holder does not see."""
        return card(self.replay.deck[order], [order])

    def place(self, order: int, turn: int) -> tuple[int, int] | None:
        """Return who holds a card before a turn, and in which slot."""
        for seat, hand in enumerate(self.positions[turn]["hands"]):
            if order in hand:
                return seat, len(hand) - hand.index(order)
        return None

    def main(self, turn: int) -> Row | None:
        """Return what an action mainly meant."""
        rows = self.findings.get(turn)
        return rows[0] if rows else None

    def chance(self, turn: int, order: int, good: int, among: int = -1) -> float:
        """Return the chance that a card is in `good` as its holder sees it, of the identities `among`."""
        state = self.states[turn]
        if self.place(order, turn) is None:
            return 0.0
        return state.chance(order, IdentitySet(good), IdentitySet(among))

    def identities(self, turn: int, mask: int, said: Mapping[int, str] = NOTHING_SAID) -> Parts:
        """Return identities that a card was told to be: those that fit, then those that will.

        What is `said` of an identity stands behind it.
        """
        playable = self.positions[turn]["playable"]
        if mask.bit_count() > MOST_LISTED:
            return [f"one of {mask.bit_count()} cards"]
        more = {bit: [f" ({said[bit]})"] if bit in said else [] for bit in bits_of(mask)}
        now = [[card(divmod(bit, 8)), *more[bit]] for bit in bits_of(mask & playable)]
        later = [
            [card(divmod(bit, 8)), *self._waits(turn, bit), *more[bit]] for bit in bits_of(mask & ~playable)
        ]
        parts: Parts = []
        for one in listed([*now, *later], " or "):
            parts += one if isinstance(one, list) else [one]
        return parts

    def _waits(self, turn: int, bit: int) -> Parts:
        """Say what has to be played before an identity, where a told card in a hand is just that."""
        suit, rank = divmod(bit, 8)
        position = self.positions[turn]
        stack = position["stacks"][suit]
        marks = self.reading.marks[turn]
        if not position["needed"] >> bit & 1 or (stack[-1] if stack else 0) != rank - 2:
            return []
        for seat, hand in enumerate(position["hands"]):
            for order in hand:
                told = order in marks and marks[order].word == "called"
                if told and tuple(self.replay.deck[order]) == (suit, rank - 1):
                    return [" once ", {"seat": seat}, " has played ", self.card(order)]
        return []

    def stack(self, turn: int, suit: int) -> str:
        """Say how far a stack is."""
        stack = self.positions[turn]["stacks"][suit]
        name = self.names.suits[suit].lower()
        return f"{name} is at {stack[-1]}" if stack else f"{name} is empty"

    def slot(self, order: int, turn: int) -> Parts:
        """Return whose card something is, and where, before a turn."""
        place = self.place(order, turn)
        return [*owner(place[0]), f"slot {place[1]}"] if place else ["a card"]


def _in_words(row: dict[str, Any]) -> Row:
    """Return a finding with words for the numbers of its enumerations, as `hanalyze.store` has them."""
    return {
        **row,
        "convention": Convention(row["convention"]).label,
        "outcome": OutcomeKind(row["outcome"]).label,
        "fault": Fault(row["fault"]).label,
        "fault_rule": FaultRule(row["fault_rule"]).label,
        **{name: None if row[name] < 0 else row[name] for name in ("focus", "closed_turn", "receiver")},
    }

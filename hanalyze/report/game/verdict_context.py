"""Data for the verdicts on one game: positions, actions, decisions, mistakes and meanings of moves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hanalyze.conventions.classes import SILENT_MOVES, is_any
from hanalyze.conventions.game_reading import GameReading
from hanalyze.game.cards import IdentitySet
from hanalyze.game.meanings import Convention, Fault, FaultRule, OutcomeKind
from hanalyze.position import Position
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.positions import Names
from hanalyze.report.game.sentence_parts import Part, Parts, card, listed_parts, owner
from hanalyze.store.definitions import Definition

MOST_LISTED: Final = 6
"""Maximum number of identities listed for a card."""


def bits_of(mask: int) -> list[int]:
    """Return the indices of the bits set in a mask.

    >>> bits_of(0b1010)
    [1, 3]
    """
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def evidence_value(mark: Row, name: str) -> Any:
    """Return a named value from the evidence of a mistake; None if the evidence lacks it."""
    values = json.loads(mark["evidence_values"] or "{}")
    return values.get(name) if isinstance(values, dict) else None


@dataclass(slots=True)
class VerdictContext:
    """Data of one game: lists by turn (from 0), and dicts by turn for decisions, mistakes and findings.

    `fates` has, by order, the turn on which a card was played or discarded; None for other cards.
    """

    replay: Replay
    names: Names
    states: list[Position]
    positions: list[Row]
    actions: list[Row]
    decisions: dict[int, Row]
    mistakes: dict[int, list[Row]]
    conventions: GameReading
    kinds: Mapping[str, Definition]
    findings: dict[int, list[Row]] = field(default_factory=dict)
    fates: list[int | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        for row in self.conventions.findings:
            self.findings.setdefault(row["turn"], []).append(_with_labels(row))
        self.fates = [one["fate_turn"] for one in self.replay.card_rows()]

    def mover(self, turn: int) -> int:
        """Return the seat that acted on a turn."""
        return int(self.positions[turn]["seat"])

    def card(self, order: int) -> Part:
        """Return a card as a part of a sentence; the page hides the part from the card's holder."""
        return card(self.replay.deck[order], [order])

    def place(self, order: int, turn: int) -> tuple[int, int] | None:
        """Return the seat and slot (from 1) of a card before a turn; None if the card is not in a hand."""
        for seat, hand in enumerate(self.positions[turn]["hands"]):
            if order in hand:
                return seat, len(hand) - hand.index(order)
        return None

    def main(self, turn: int) -> Row | None:
        """Return the main finding on an action; None without findings."""
        rows = self.findings.get(turn)
        return rows[0] if rows else None

    def is_quiet(self, turn: int) -> bool:
        """Return whether an action sends no message under the conventions."""
        main = self.main(turn)
        return main is None or is_any(main["convention"], SILENT_MOVES)

    def chance_playable(self, turn: int, order: int, among: int = -1) -> float:
        """Return the holder's chance that a card, one of the mask `among`, is playable; 0.0 if in no hand."""
        if self.place(order, turn) is None:
            return 0.0
        playable = IdentitySet(self.positions[turn]["playable"])
        return self.states[turn].chance(order, playable, IdentitySet(among))

    def fault_turn(self, turn: int) -> int | None:
        """Return the turn to blame for a misplay; None if no mistake of the misplay's turn names one."""
        turns = (mark.get("fault_turn") for mark in self.mistakes.get(turn, []))
        return next((one for one in turns if one is not None), None)

    def message_ids(self, turn: int, order: int) -> int:
        """Return the mask of identities that a turn's message told a card's holder; 0 without a message."""
        messages = (one for one in self.conventions.messages[turn] if one.order == order and one.holder_knows)
        return next((one.identities for one in messages), 0)

    def identities(self, turn: int, mask: int, remarks: Mapping[int, str] | None = None) -> Parts:
        """Return a card's identities in words, playable ones first, with remarks; if many, their number."""
        playable = self.positions[turn]["playable"]
        if mask.bit_count() > MOST_LISTED:
            return [f"one of {mask.bit_count()} cards"]
        remarks = remarks or {}
        more = {bit: [f" ({remarks[bit]})"] if bit in remarks else [] for bit in bits_of(mask)}
        now = [[card(divmod(bit, 8)), *more[bit]] for bit in bits_of(mask & playable)]
        later = [
            [card(divmod(bit, 8)), *self.waits(turn, bit), *more[bit]] for bit in bits_of(mask & ~playable)
        ]
        return listed_parts([*now, *later], " or ")

    def waits(self, turn: int, bit: int) -> Parts:
        """Return a text on the called card that comes just before an identity; empty without such a card."""
        suit, rank = divmod(bit, 8)
        position = self.positions[turn]
        stack = position["stacks"][suit]
        marks = self.conventions.marks[turn]
        if not position["needed"] >> bit & 1 or (stack[-1] if stack else 0) != rank - 2:
            return []
        for seat, hand in enumerate(position["hands"]):
            for order in hand:
                is_called = order in marks and marks[order].word == "called"
                if is_called and tuple(self.replay.deck[order]) == (suit, rank - 1):
                    return [" once ", {"seat": seat}, " has played ", self.card(order)]
        return []

    def stack(self, turn: int, suit: int) -> str:
        """Return a text on the height of a stack."""
        stack = self.positions[turn]["stacks"][suit]
        name = self.names.suits[suit].lower()
        return f"{name} is at {stack[-1]}" if stack else f"{name} is empty"

    def slot(self, order: int, turn: int) -> Parts:
        """Return the holder and slot of a card before a turn, in words; "a card" if it is in no hand."""
        place = self.place(order, turn)
        return [*owner(place[0]), f"slot {place[1]}"] if place else ["a card"]


_NULLABLE: Final = ("focus", "closed_turn", "receiver", "unfixed_seat")


def _with_labels(row: dict[str, Any]) -> Row:
    """Return a finding with labels instead of numbers (`convention`: an enum) and with None instead of -1."""
    return {
        **row,
        "convention": Convention(row["convention"]),
        "outcome": OutcomeKind(row["outcome"]).label,
        "fault": Fault(row["fault"]).label,
        "fault_rule": FaultRule(row["fault_rule"]).label,
        **{name: None if row[name] < 0 else row[name] for name in _NULLABLE},
    }

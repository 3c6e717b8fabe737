"""Judged moves: the rows of `tests/cases/conventions/*.csv`, their logs, and how they are read.

In: tables of small logs with what one move of each means. Out: `Position`s, their `GameRecord`s, and what
`hanalyze.conventions.run` says of each action (`read`).

A row gives the hands at the start of the position, players A, B, C ... in turn order, A to move, each hand
from the newest card to the oldest: `r1 y4 g3 b3 p4/...`. What happened before is `before`: one word a turn,
made with the oldest card of the player to move (who draws, so that the hands come about): `r1` plays it,
`-r1` discards it, `xr1` misplays it, `Br` or `B5` clues the hand of B. `draws` are the next cards of the
deck. The actions are `A clue B 5`, `B play r3` (the newest r3 in hand), `B play slot 2`, `C discard chop`,
separated by semicolons; the judged one has a `!` behind it, or is the last.

What is expected: `convention` is the main one (several with `|` where the definitions do not decide), `also`
and `without` are conventions that must (not) be there, `focus` and `cards` are cards by name, or as `B2` by
slot, `-` for none, `receiver` is a player, `readings` a set of identities, `reasons` those that must (or with
a minus must not) be there, `outcome` the outcome of the main finding after the further actions, `fault` who
answers for a misplay with the number of the rule, `fields` further columns as `stall_severity=2`. `told`,
which a table may lack, says what holders take cards for after the judged action, `D2=r3 C1=r2 r4`: D's slot
2 for r3, C's slot 1 for r2 or r4.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_action
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.run import read_games
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.engine.batch import deal_records, make_batch, rules_of
from hanalyze.engine.game import Game as State
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.game.meanings import Fault, FaultRule
from hanalyze.game.variants import variant as variant_named
from hanalyze.logs.record import GameRecord
from tests.building import NAMES, cards

FOLDER = Path(__file__).parents[1] / "cases/conventions"
COLUMNS = (
    *("name", "variant", "edition", "level", "before", "hands", "draws", "actions"),
    *("convention", "also", "without", "receiver", "focus", "cards", "readings", "legal", "reasons"),
    *("outcome", "fault", "fields", "comment"),
)
SEATS = "ABCDEF"
FILLER = {4: 0, 3: 1, 2: 2, 1: 3, 5: 4}
"""In which order the ranks follow in the deck after the cards that a row names."""


@dataclass(frozen=True)
class Position:
    """A row of a table."""

    family: str
    row: dict[str, str] = field(hash=False)

    @property
    def name(self) -> str:
        return self.row["name"]

    def __getitem__(self, column: str) -> str:
        return self.row[column]

    @property
    def told(self) -> dict[str, str]:
        """What holders take cards for after the judged turn: per card, as `D2`, the identities."""
        found: dict[str, list[str]] = {}
        for word in self.row.get("told", "").split():
            card, _, identity = word.rpartition("=")
            found.setdefault(card or list(found)[-1], []).append(identity)
        return {card: " ".join(words) for card, words in found.items()}

    @property
    def level(self) -> int:
        return int(self.row["level"])


@dataclass(frozen=True)
class Game:
    """The log of a row: its record, the judged turn, and the hands before that turn."""

    record: GameRecord
    turn: int
    first_seat: int
    """Seat of player A."""
    hands: tuple[tuple[int, ...], ...]
    """Per seat the orders in hand before the judged turn, newest first."""
    touched: frozenset[int]
    """Orders that a clue touched before the judged turn."""

    @property
    def players(self) -> int:
        return len(self.hands)

    def seat(self, player: str) -> int:
        """Return the seat of player A, B, ..."""
        return (SEATS.index(player) + self.first_seat) % self.players

    def name(self, order: int) -> str:
        """Return the name of a card, as `r1`."""
        card = (self.record.deck or [])[order]
        return f"{variant_named(self.record.variant).letters[card.suit]}{card.rank}"


def positions() -> list[Position]:
    """Return the rows of all tables."""
    found = []
    for path in sorted(FOLDER.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            found += [Position(path.stem, row) for row in csv.DictReader(file)]
    return found


def _before(word: str) -> tuple[str, str]:
    """Return what a word of `before` does, and with what: (`r1`: play), `-r1`, `xr1`, `Br`."""
    if word[0] in SEATS:
        return "clue", word
    if word[0] in "-x":
        return {"-": "discard", "x": "misplay"}[word[0]], word[1:]
    return "play", word


class _Table:
    """Hands as orders, oldest first, while a log is written."""

    def __init__(self, record: GameRecord, size: int) -> None:
        self.record = record
        self.variant = variant_named(record.variant)
        self.deck = record.deck or []
        self.players = len(record.players)
        self.hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(self.players)]
        self.drawn = size * self.players
        self.touched: set[int] = set()

    def turn(self) -> int:
        return len(self.record.actions)

    def leave(self, kind: ActionKind, order: int) -> None:
        own = self.hands[self.turn() % self.players]
        own.remove(order)
        if self.drawn < len(self.deck):
            own.append(self.drawn)
            self.drawn += 1
        self.record.actions.append(Action(kind, order, 0))

    def clue(self, seat: int, what: str) -> None:
        if what.isdecimal():
            kind, value, clue = ActionKind.RANK_CLUE, int(what), int(what)
        else:
            names = list(self.variant.clue_colours)
            letters = [
                "k" if name == "Black" else "i" if name == "Pink" else name[0].lower() for name in names
            ]
            kind, value, clue = ActionKind.COLOUR_CLUE, letters.index(what), names[letters.index(what)]
        self.touched |= {order for order in self.hands[seat] if self.variant.touches(clue, self.deck[order])}
        self.record.actions.append(Action(kind, seat, value))

    def named(self, seat: int, words: list[str]) -> int:
        """Return the card that `r3`, `slot 2` or `chop` means."""
        newest_first = self.hands[seat][::-1]
        if words[0] == "slot":
            return newest_first[int(words[1]) - 1]
        if words[0] == "chop":
            return next(order for order in self.hands[seat] if order not in self.touched)
        (wanted,) = cards(words[0], self.record.variant)
        return next(order for order in newest_first if self.deck[order] == wanted)


def _deck(position: Position, hands: list[list[Card]], size: int) -> list[Card]:
    """Return a deck that leads to the hands by way of the turns before."""
    players = len(hands)
    variant = position["variant"]
    before = [_before(word) for word in position["before"].split()]
    first = len(before) % players
    queues: list[list[Card]] = [[] for _ in range(players)]
    for turn, (kind, what) in enumerate(before):
        if kind != "clue":
            queues[turn % players] += cards(what, variant)
    left = [len(queue) for queue in queues]
    for player, hand in enumerate(hands):
        queues[(player + first) % players] += hand[::-1]
    start = [card for queue in queues for card in queue[:size]]
    drawn = [size] * players
    for turn, (kind, _) in enumerate(before):
        if kind != "clue":
            seat = turn % players
            start.append(queues[seat][drawn[seat]])
            drawn[seat] += 1
    assert [number - size for number in drawn] == left
    start += cards(position["draws"], variant)
    rest = sorted(variant_named(variant).deck, key=lambda card: (FILLER.get(card.rank, 5), card.suit))
    for card in start:
        rest.remove(card)
    return start + rest


@cache
def game(position: Position) -> Game:
    """Return the log that a row stands for."""
    variant = position["variant"]
    hands = [cards(hand, variant) for hand in position["hands"].split("/")]
    blank = GameRecord(
        players=NAMES[: len(hands)], deck=[], variant=variant, edition=position["edition"] or None
    )
    size = rules_of(blank).hand_size(len(hands))
    assert [len(hand) for hand in hands] == [size] * len(hands), position.name
    record = GameRecord(
        players=blank.players,
        deck=_deck(position, hands, size),
        variant=variant,
        edition=blank.edition,
    )
    table = _Table(record, size)
    before = position["before"].split()
    first = len(before) % len(hands)
    seat_of = {player: (number + first) % len(hands) for number, player in enumerate(SEATS[: len(hands)])}
    for word in before:
        kind, what = _before(word)
        if kind == "clue":
            table.clue(seat_of[what[0]], what[1:])
        else:
            order = table.hands[table.turn() % len(hands)][0]
            table.leave(ActionKind.DISCARD if kind == "discard" else ActionKind.PLAY, order)
    judged: Game | None = None
    words = [word.strip() for word in position["actions"].split(";")]
    for word in words:
        if word.endswith("!") or (word == words[-1] and judged is None):
            laid = tuple(tuple(hand[::-1]) for hand in table.hands)
            judged = Game(record, table.turn(), first, laid, frozenset(table.touched))
        player, verb, *rest = word.removesuffix("!").split()
        seat = seat_of[player]
        assert seat == table.turn() % len(hands), f"{position.name}: not {player}'s turn"
        if verb == "clue":
            table.clue(seat_of[rest[0]], rest[1])
        else:
            kind = {"play": ActionKind.PLAY, "discard": ActionKind.DISCARD}[verb]
            table.leave(kind, table.named(seat, rest))
    assert judged is not None
    return judged


# --- The one place where the package is asked.


@dataclass(frozen=True)
class Reading:
    """What the package says of one log: rows by turn, the main finding first."""

    findings: dict[int, list[dict[str, Any]]]
    outcomes: dict[int, list[dict[str, Any]]]
    opportunities: dict[int, dict[str, Any]]
    faults: dict[int, str]
    """Per misplay who answers for it, and the rule, as `giver 4`."""


def read(record: GameRecord, level: int) -> Reading:
    """Return what every action of a log meant."""
    output = read_games(make_batch(deal_records([record])), level=level, fast=False)
    tables = [_rows(table) for table in (output.findings, output.outcomes, output.opportunities)]
    findings, outcomes, opportunities = tables
    faults = {row["turn"]: _fault(row) for row in outcomes if row["fault"]}
    offered = {int(row["turn"]): row for row in opportunities}
    return Reading(_by_turn(findings), _by_turn(outcomes), offered, faults)


def told_after(record: GameRecord, level: int, turn: int) -> dict[int, int]:
    """Return by order what the holders allow for of their cards after the action of a turn, as masks."""
    batch = make_batch(deal_records([record])).laid_out(fast=False)
    running, state, rows = State(), ConventionState(), room_for(4 * len(record.actions) + 4)
    start_game(running, batch, 0)
    begin(running, state, level)
    for index in range(turn + 1):
        next_action(running, batch, index)
        kind, target, value = running.action.kind, running.action.target, running.action.value
        begin_turn(running, state)
        find_opportunities(running, state)
        read_action(running, state, rows, kind, target, value)
        apply_action(running, kind, target, value)
    begin_turn(running, state)
    hands = [running.hands[seat][i] for seat in range(running.seats) for i in range(running.hand_len[seat])]
    return {int(order): int(state.turn_view.belief[order]) for order in hands}


def _fault(row: dict[str, Any]) -> str:
    return f"{Fault(row['fault']).label} {FaultRule(row['fault_rule']).number}"


def _rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    size = len(table["turn"])
    return [{name: values[row].tolist() for name, values in table.items()} for row in range(size)]


def _by_turn(rows: list[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["turn"], []).append(row)
    return found

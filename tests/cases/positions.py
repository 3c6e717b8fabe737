"""Judged positions: the rows of `mistakes.csv`, and the logs that they are about.

In: a table of cases in compact notation. Out: `Case`s and their `GameRecord`s. A deck is written as in
`tests.building`: its first cards, the others follow by rank. An action is `p3` or `d1` (play or discard the
card of a slot, 1 the newest, 0 the deck), `c1:r` (a colour clue to seat 1, the colour by its letter, k for
black) or `c2:5` (a rank clue to seat 2).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from hanalyze.engine.batch import rules_of
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.variants import Variant, variant as variant_named
from hanalyze.logs.record import GameRecord, Options
from tests.building import NAMES, deck_starting

CASES = Path(__file__).with_name("mistakes.csv")


@dataclass(frozen=True)
class Log:
    """A game in the notation of the table."""

    players: int
    variant: str
    edition: str
    options: str
    deck: str
    actions: str


@dataclass(frozen=True)
class Case:
    """A turn of a log, and all mistakes on this turn as pairs of kind and severity."""

    name: str
    log: Log
    turn: int
    found: frozenset[tuple[str, str]]
    comment: str


def cases(path: Path = CASES) -> list[Case]:
    """Return the cases of a table, in order."""
    with path.open(newline="", encoding="utf-8") as file:
        return [_case(row) for row in csv.DictReader(file)]


def _case(row: dict[str, str]) -> Case:
    log = Log(
        int(row["players"]), row["variant"], row["edition"], row["options"], row["deck"], row["actions"]
    )
    found = frozenset(_finding(word) for word in row["found"].split())
    return Case(row["case"], log, int(row["turn"]), found, row["comment"])


def _finding(word: str) -> tuple[str, str]:
    kind, severity = word.split(":")
    return kind, severity


def record(log: Log, number: int | None = None) -> GameRecord:
    """Return the record of a log; `number` becomes its id."""
    named = GameRecord(
        players=NAMES[: log.players],
        deck=deck_starting(log.deck, log.variant),
        variant=log.variant,
        options=Options(**dict.fromkeys(log.options.split(), True)),
        edition=log.edition or None,
        id=number,
    )
    named.actions.extend(_actions(log, named))
    return named


def _actions(log: Log, named: GameRecord) -> list[Action]:
    """Return the actions, with slots converted to orders by following the hands."""
    rules = rules_of(named)
    variant = variant_named(log.variant)
    deck = named.deck or []
    size = rules.hand_size(log.players)
    # The oldest card first.
    hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(log.players)]
    drawn = size * log.players
    touched: set[int] = set()
    actions = []
    for turn, word in enumerate(log.actions.split()):
        own = hands[turn % log.players]
        if word[0] == "c":
            receiver, _, what = word[1:].partition(":")
            action, clue = _clue(variant, int(receiver), what)
            touched |= {order for order in hands[int(receiver)] if variant.touches(clue, deck[order])}
            chop = next((order for order in own if order not in touched), None)
            if rules.card_cycle and chop is not None:
                own.remove(chop)
                own.append(chop)
        else:
            kind = {"p": ActionKind.PLAY, "d": ActionKind.DISCARD}[word[0]]
            slot = int(word[1:])
            if slot == 0:
                own.append(drawn)
                drawn += 1
            action = Action(kind, own.pop(-max(slot, 1)), 0)
            if drawn < len(deck):
                own.append(drawn)
                drawn += 1
        actions.append(action)
    return actions


def _clue(variant: Variant, seat: int, what: str) -> tuple[Action, str | int]:
    """Return a clue as an action, and as `Variant.touches` takes it."""
    if what.isdecimal():
        return Action(ActionKind.RANK_CLUE, seat, int(what)), int(what)
    letters = ["k" if colour == "Black" else colour[0].lower() for colour in variant.clue_colours]
    index = letters.index(what)
    return Action(ActionKind.COLOUR_CLUE, seat, index), variant.clue_colours[index]

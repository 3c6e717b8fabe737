"""The conventions against moves judged by hand from the definitions: `tests/cases/conventions/*.csv`.

In: the tables of positions. Out: for each judged move, that the package says what the row says; and that
the tables are sound: logs by the rules, known names, enough rows for and against each convention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.game.meanings import Convention, OutcomeKind, Reason
from tests.building import defects
from tests.conventions.positions import SEATS, Game, Position, Reading, game, positions, read, told_after

POSITIONS = positions()
NAMES = {convention.label for convention in Convention}
NEVER_DENIED = {"play_clue", "unexplained"}
"""Conventions for which a row that expects another one is denial enough."""


@cache
def reading(position: Position) -> Reading:
    return read(game(position).record, position.level)


def _card(word: str, laid: Game, order: int) -> bool:
    """Return whether a card is what a word (`r1`, `B2`, `-`) says."""
    if word == "-":
        return order < 0
    if order < 0:
        return False
    if word[0] in SEATS:
        return laid.hands[laid.seat(word[0])][int(word[1:]) - 1] == order
    return laid.name(order) == word


def _cards(text: str, laid: Game, orders: list[int]) -> bool:
    """Return whether cards are what a text says: in order, or in braces in any order."""
    words = text.strip("{}").split()
    if len(words) != len(orders):
        return False
    if not text.startswith("{"):
        return all(_card(word, laid, order) for word, order in zip(words, orders, strict=True))
    return all(any(_card(word, laid, order) for order in orders) for word in words)


def _identities(bits: int, letters: str) -> list[str]:
    names = [f"{letter}{rank}" for letter in letters for rank in range(1, 6)]
    return [name for name in names if bits >> (letters.index(name[0]) * 8 + int(name[1])) & 1]


def _unmet_reasons(text: str, reasons: set[Reason]) -> Iterator[str]:
    for word in text.split():
        wanted = [Reason[one] for one in word.removeprefix("-").split("/")]
        there = any(one in reasons for one in wanted)
        if there == word.startswith("-"):
            yield f"reasons {sorted(one.label for one in reasons)}, expected {word}"


def _same_number(value: Any, wanted: str) -> bool:
    return int(value) == int(wanted)


def disagreements(position: Position, laid: Game, said: Reading) -> list[str]:
    """Return what the package says otherwise than the row, in words; the fault apart."""
    found = said.findings.get(laid.turn, [])
    if not found:
        return ["nothing was found"]
    main = found[0]
    labels = [Convention(row["convention"]).label for row in found]
    wrong = []
    if position["convention"] and labels[0] not in position["convention"].split("|"):
        wrong.append(f"{labels}, expected {position['convention']}")
    wrong += [f"{labels} without {label}" for label in position["also"].split() if label not in labels]
    wrong += [f"{labels} with {label}" for label in position["without"].split() if label in labels]
    if position["receiver"] and main["receiver"] != laid.seat(position["receiver"]):
        wrong.append(f"receiver is seat {main['receiver']}, expected {laid.seat(position['receiver'])}")
    if position["focus"] and not _card(position["focus"], laid, main["focus"]):
        wrong.append(f"focus is {_told(laid, main['focus'])}, expected {position['focus']}")
    orders = [order for order in main["cards"] if order >= 0]
    if position["cards"] and not _cards(position["cards"], laid, orders):
        wrong.append(f"cards are {[_told(laid, order) for order in orders]}, expected {position['cards']}")
    if position["readings"]:
        letters = "".join(hz.variant(position["variant"]).letters)
        there = _identities(main["readings"], letters)
        if sorted(there) != sorted(position["readings"].split()):
            wrong.append(f"readings are {there}, expected {position['readings']}")
    if position["legal"] and bool(main["legal"]) != (position["legal"] == "yes"):
        wrong.append(f"legal is {bool(main['legal'])}, expected {position['legal']}")
    reasons = {reason for row in found for reason in Reason.among(row["reasons"])}
    wrong += _unmet_reasons(position["reasons"], reasons)
    outcome = said.outcomes[laid.turn][0]
    if position["outcome"] and OutcomeKind(outcome["outcome"]).label not in position["outcome"].split("|"):
        wrong.append(f"outcome is {OutcomeKind(outcome['outcome']).label}, expected {position['outcome']}")
    tables = {"outcome": outcome, "opportunity": said.opportunities[laid.turn]}
    for word in position["fields"].split():
        name, value = word.split("=")
        table, _, column = name.rpartition(".")
        there = tables.get(table, main)[column]
        if not _same_number(there, value):
            wrong.append(f"{name} is {there}, expected {value}")
    return wrong


def _told(laid: Game, order: int) -> str:
    for player in SEATS[: laid.players]:
        hand = laid.hands[laid.seat(player)]
        if order in hand:
            return f"{player}{hand.index(order) + 1} ({laid.name(order)})"
    return str(order)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: f"{position.family}-{position.name}")
def test_the_move_means_what_the_row_says(position: Position) -> None:
    wrong = disagreements(position, game(position), reading(position))
    assert wrong == [], position["comment"]


@pytest.mark.parametrize("position", [one for one in POSITIONS if one.told], ids=lambda one: one.name)
def test_what_the_holders_take_their_cards_for(position: Position) -> None:
    laid = game(position)
    letters = "".join(hz.variant(position["variant"]).letters)
    told = told_after(laid.record, position.level, laid.turn)
    for word, identities in position.told.items():
        order = laid.hands[laid.seat(word[0])][int(word[1:]) - 1]
        assert " ".join(_identities(told[order], letters)) == identities, position["comment"]


@pytest.mark.parametrize("position", [one for one in POSITIONS if one["fault"]], ids=lambda one: one.name)
def test_who_answers_for_a_misplay(position: Position) -> None:
    assert reading(position).faults.get(game(position).turn) == position["fault"], position["comment"]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_every_log_goes_by_the_rules(position: Position) -> None:
    record = game(position).record
    played = hz.replay(record)
    assert defects(played) == []
    assert played.turn_count == len(record.actions)
    # What came before is what its words say: only an `x` is a strike.
    before = position["before"].split()
    strikes = [row["result"] == "misplayed" for row in played.facts()]
    assert strikes[: len(before)] == [word[0] == "x" for word in before]


def test_there_are_enough_rows_and_each_has_its_name() -> None:
    assert len(POSITIONS) >= 160
    names = Counter(position.name for position in POSITIONS)
    assert [name for name, count in names.items() if count > 1] == []
    assert [position.name for position in POSITIONS if not position["comment"]] == []


def test_the_rows_use_known_names() -> None:
    for position in POSITIONS:
        assert {*_expected(position), *position["without"].split()} <= NAMES, position.name
        assert set(position["outcome"].split("|")) - {""} <= {outcome.label for outcome in OutcomeKind}
        words = position["reasons"].replace("-", "").replace("/", " ").split()
        assert set(words) <= {reason.name for reason in Reason}, position.name


def _expected(position: Position) -> list[str]:
    return f"{position['convention']} {position['also']}".replace("|", " ").split()


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_convention_has_rows_for_and_against_it(name: str) -> None:
    there = [one for one in POSITIONS if name in _expected(one)]
    denied = [one for one in POSITIONS if name in one["without"].split()]
    assert len(there) >= 2
    assert denied or name in NEVER_DENIED

"""The labelled moves of `../shared/cases`: set up in mid-game, then read step by step.

In: positions with clue marks and flags, and the moves that follow. Out: for each move, what `hanalyze` says
that it meant, beside the label. Unknown cards in the hand of the observer have identity -1; those that the
move touches have the one by which the case was labelled, where it is seen later.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_clue, read_leaving
from hanalyze.conventions.rows import FINDING, Rows, room_for
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.engine.batch import rules_lookup, variant_lookup
from hanalyze.engine.game import IN_DECK, Game
from hanalyze.engine.rules import deal
from hanalyze.engine.stacks import grow_stack, lose_card, set_up_stacks
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE
from hanalyze.game.cards import IDENTITIES, identity
from hanalyze.game.editions import Rules
from hanalyze.game.meanings import Convention
from hanalyze.game.variants import variant

LETTERS = "rygbp"
VARIANT = variant("No Variant")
RULES = Rules()
HIDDEN = -1


@dataclass(frozen=True)
class Read:
    """A labelled move, and what was found: the conventions (the main one first), the focus, reasons."""

    case: dict[str, Any]
    found: tuple[Convention, ...]
    focus: int
    reasons: int
    readings: int
    cards: tuple[int, ...]

    @property
    def measured(self) -> bool:
        """Whether the case belongs to the half that rules are not developed on."""
        return is_measured(self.case["case"])


def is_measured(name: str) -> bool:
    """Return whether a case is of the measured half: by the hash of its sequence's name."""
    return int(hashlib.sha256(name.partition("#")[0].encode()).hexdigest(), 16) % 2 == 1


def number_of(card: str) -> int:
    """Return the identity that a text like `r3` names, -1 for an unknown card."""
    return HIDDEN if card == "xx" else identity(LETTERS.index(card[0]), int(card[1]))


def sequences(path: Path) -> list[list[dict[str, Any]]]:
    """Return the cases of a file, those of one start together, in order."""
    found: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            found.setdefault(case["case"].split("#")[0], []).append(case)
    return list(found.values())


def _mark(mark: list[Any]) -> tuple[int, int, int, int]:
    kind, value, giver, turn = mark
    if kind in ("color", "colour", "c"):
        colour = value if isinstance(value, int) else LETTERS.index(value)
        return COLOUR_CLUE, colour, giver, turn
    return RANK_CLUE, int(value), giver, turn


def _touch(kind: int, value: int) -> int:
    if kind == COLOUR_CLUE:
        return VARIANT.colour_touch[value]
    return VARIANT.rank_touch[VARIANT.clue_ranks.index(value)]


def set_up(
    position: dict[str, Any], first_seen: dict[int, int], later: dict[str, str], until: int | None = None
) -> Game:
    """Return a running game in a position; clue marks from turn `until` on are left out."""
    game = Game()
    hands = position["hands"]
    seats = len(hands)
    deck = [identity(*card) for card in VARIANT.deck]
    game.variant, game.rules = variant_lookup(VARIANT), rules_lookup(RULES)
    game.seats, game.cards = seats, len(deck)
    deal(game, deck, RULES.hand_size(seats), 0)
    set_up_stacks(game)
    seen = np.zeros(IDENTITIES, np.int64)
    for suit, height in enumerate(position["play_stacks"]):
        for rank in range(1, height + 1):
            grow_stack(game, identity(suit, rank))
            seen[identity(suit, rank)] += 1
            game.raw_score += 1
    for card in position["discards"]:
        lose_card(game, number_of(card))
        seen[number_of(card)] += 1
    game.tokens = position["clue_tokens"]
    game.strikes = position["strikes"]
    game.drawn = game.cards - position["cards_left"]
    game.seat = position["to_move"]
    game.turn = position["turn"] - 1
    game.clued = 0
    for order in range(60):
        game.place[order] = IN_DECK
        game.possible[order] = game.variant.everything[0]
    for seat, hand in enumerate(hands):
        _lay_hand(game, seat, hand, first_seen, later, until)
    for seat in range(seats):
        for copies in range(3):
            game.know.unseen[seat][copies] = 0
        visible = seen.copy()
        for other, hand in enumerate(hands):
            for card in hand:
                if other != seat and card["id"] != "xx":
                    visible[number_of(card["id"])] += 1
        for number in range(IDENTITIES):
            for copies in range(3):
                if game.variant.copies[number] - visible[number] > copies:
                    game.know.unseen[seat][copies] |= 1 << number
    game.know.unread = (1 << seats) - 1
    game.know.unsure = 0
    return game


def _lay_hand(
    game: Game,
    seat: int,
    hand: list[dict[str, Any]],
    first_seen: dict[int, int],
    later: dict[str, str],
    until: int | None,
) -> None:
    game.hand_len[seat] = len(hand)
    marks = {tuple(_mark(mark)) for card in hand for mark in card["clues"]}
    for i, card in enumerate(reversed(hand)):
        order = card["order"]
        game.hands[seat][i] = order
        game.place[order] = seat
        game.identity[order] = number_of(later.get(str(order), card["id"]))
        own = {tuple(_mark(mark)) for mark in card["clues"]}
        for kind, value, giver, turn in sorted(marks):
            if until is not None and turn >= until:
                continue
            if (kind, value, giver, turn) in own:
                game.clued |= 1 << order
                game.possible[order] &= _touch(kind, value)
                (game.colour_clues if kind == COLOUR_CLUE else game.rank_clues)[order] += 1
                game.informed |= 1 << order
            elif first_seen.get(order, 0) <= turn:
                game.possible[order] &= ~_touch(kind, value)
                game.informed |= 1 << order


def _seen_later(case: dict[str, Any]) -> dict[str, str]:
    """Return the later identities of the hidden cards that the move touches."""
    touched = case["action"].get("list", ())
    return {order: card for order, card in case["later_identities"].items() if int(order) in touched}


def _take_over_flags(state: ConventionState, position: dict[str, Any]) -> None:
    """Take what the start of a sequence says of chop moved and called cards."""
    for hand in position["hands"]:
        for card in hand:
            flags = card.get("flags", ())
            if "chop_moved" in flags:
                state.common.chop_moved |= 1 << card["order"]
            if "finessed" in flags:
                state.common.blind |= 1 << card["order"]


def _clue_of(action: dict[str, Any]) -> tuple[int, int, int, int]:
    clue = action["clue"]
    kind = COLOUR_CLUE if clue["k"] in ("color", "colour") else RANK_CLUE
    value = LETTERS.index(clue["v"]) if kind == COLOUR_CLUE else int(clue["v"])
    touched = sum(1 << order for order in action["list"])
    return kind, action["target"], value, touched


def read_sequence(cases: list[dict[str, Any]]) -> Iterator[Read]:
    """Yield what is found in the labelled moves of one start, in order."""
    state = ConventionState()
    rows = room_for(256)
    first_seen: dict[int, int] = {}
    facts: dict[int, int] = {}
    seats = len(cases[0]["position"]["hands"])
    before: dict[str, Any] | None = None
    for case in cases:
        position = case["position"]
        level = case["level"]
        turn = position["turn"]
        for hand in position["hands"]:
            for card in hand:
                starting = card["order"] < seats * RULES.hand_size(seats)
                first_seen.setdefault(card["order"], 0 if starting else turn)
        if before is None:
            game = set_up(position, first_seen, _seen_later(case))
            begin(game, state, level)
            state.common.starting_cards = (1 << (seats * RULES.hand_size(seats))) - 1
        # The first labelled move may come after clues that have no label.
        since = 0 if before is None else before["position"]["turn"]
        for missing in range(since + 1, turn):
            _catch_up(state, rows, before or case, case, missing, first_seen)
        if before is None:
            _take_over_flags(state, position)
        game = set_up(position, first_seen, _seen_later(case))
        _keep_facts(game, facts)
        state.common.early = position["early_game"]
        yield _read(game, state, rows, case)
        if case["action"]["type"] == "clue":
            _note_facts(game, case["action"], facts)
        before = case


def _keep_facts(game: Game, facts: dict[int, int]) -> None:
    """Exclude what earlier clues excluded, also those whose touched cards have all left the hand."""
    for seat in range(game.seats):
        for order in game.hands[seat][: game.hand_len[seat]]:
            game.possible[order] &= facts.get(order, -1)


def _note_facts(game: Game, action: dict[str, Any], facts: dict[int, int]) -> None:
    """Record what a clue tells about the cards of its receiver."""
    kind, target, value, touched = _clue_of(action)
    touch = _touch(kind, value)
    for order in game.hands[target][: game.hand_len[target]]:
        facts[order] = game.possible[order] & (touch if touched >> order & 1 else ~touch)


def _read(game: Game, state: ConventionState, rows: Rows, case: dict[str, Any]) -> Read:
    action = case["action"]
    begin_turn(game, state)
    find_opportunities(game, state)
    row = state.row
    if action["type"] == "clue":
        kind, target, value, touched = _clue_of(action)
        read_clue(game, state, rows, kind, target, value, touched)
    else:
        order = action["order"]
        if action.get("suitIndex", -1) < 0:
            return Read(case, (), -1, 0, 0, ())
        game.identity[order] = identity(action["suitIndex"], action["rank"])
        play = action["type"] == "play" or action.get("failed")
        read_leaving(game, state, rows, PLAY if play else DISCARD, order)
    new = range(row, state.row)
    found = rows.findings
    cards = tuple(int(found[FINDING.cards + i, row]) for i in range(6) if found[FINDING.cards + i, row] >= 0)
    return Read(
        case,
        tuple(Convention(int(found[FINDING.convention, one])) for one in new),
        int(found[FINDING.focus, row]),
        int(found[FINDING.reasons, row]),
        int(found[FINDING.readings, row]),
        cards,
    )


def _catch_up(
    state: ConventionState,
    rows: Rows,
    before: dict[str, Any],
    after: dict[str, Any],
    turn: int,
    first_seen: dict[int, int],
) -> None:
    """Read an action between two labelled moves, as far as the later position shows it."""
    seats = len(after["position"]["hands"])
    seat = (before["position"]["to_move"] + turn - before["position"]["turn"]) % seats
    for receiver, hand in enumerate(after["position"]["hands"]):
        marks = [(card["order"], _mark(mark)) for card in hand for mark in card["clues"]]
        given = [(order, mark) for order, mark in marks if mark[3] == turn]
        if given:
            game = set_up(after["position"], first_seen, _seen_later(after), until=turn)
            game.seat = seat
            game.turn = turn - 1
            begin_turn(game, state)
            kind, value = given[0][1][:2]
            read_clue(game, state, rows, kind, receiver, value, sum(1 << order for order, _ in given))
            return
    held = {card["order"] for card in after["position"]["hands"][seat]}
    left = [card for card in before["position"]["hands"][seat] if card["order"] not in held]
    known = {int(order): card for order, card in after["later_identities"].items()}
    for card in left:
        number = number_of(known.get(card["order"], card["id"]))
        if number >= 0:
            game = set_up(before["position"], first_seen, _seen_later(after))
            game.seat = seat
            game.turn = turn - 1
            game.identity[card["order"]] = number
            begin_turn(game, state)
            discards = after["position"]["discards"].count(card["id"])
            lost = discards > before["position"]["discards"].count(card["id"])
            read_leaving(game, state, rows, DISCARD if lost else PLAY, card["order"])

"""What a chance is judged by must not know the card: another one in its place, and nothing may change.

A card in the hand to move is exchanged for one of the deck that its holder cannot tell from it, and the same
actions are played again. Of a chop, and of any unclued card, a row must stay the same but for what the card
is. Of a clued card the columns that messages fill may change, since the reader sees what the giver saw; all
others must not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace as changed

from hanalyze.agents import simulate
from hanalyze.chances.model import read_hand_cards
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.game.cards import Card
from hanalyze.logs import GameRecord
from hanalyze.replaying import Replay, replay
from hanalyze.tables.chances import HAND_CARDS, PLACES

FACTS = {"critical", "playable", "trash"}
BY_MESSAGES = {
    "read_critical",
    "read_playable",
    "read_trash",
    "plays",
    "known_trash",
    "chop_moved",
    "focused",
    "other_trash",
}


def records() -> list[GameRecord]:
    found: list[GameRecord] = []
    for players in (2, 3, 4):
        found += simulate("conventional", players=players, games=4, seed=20, fast=False)
    return found


def exchanged(result: Replay, turn: int, index: int, chance: random.Random) -> Iterator[GameRecord]:
    """Yield the log up to a turn with the card at an index of the hand exchanged for one of the deck."""
    record = result.record
    position = result.state(turn)
    order = position.hands[position.seat][index].order
    deck = list(result.deck)
    drawn = len(deck) - position.deck
    others = [
        other
        for other in range(drawn, len(deck))
        if deck[other] != deck[order] and deck[other] in position.possible[position.seat][index]
    ]
    if others:
        other = chance.choice(others)
        deck[order], deck[other] = deck[other], deck[order]
        actions = record.actions[: turn + 1]
        cards = [Card(*card) for card in deck]
        yield changed(record, deck=cards, seed=None, actions=actions)


def rows_of(record: GameRecord, turn: int, order: int) -> dict[str, object]:
    columns = read_hand_cards(make_batch(deal_records([record])), fast=False).columns
    [row] = np.flatnonzero((columns["turn"] == turn) & (columns["order"] == order)).tolist()
    return {column.name: columns[column.name][row].item() for column in HAND_CARDS}


@pytest.mark.heavy
def test_a_row_does_not_know_the_card() -> None:
    chance = random.Random(4)
    compared: Counter[str] = Counter()
    leaked: Counter[str] = Counter()
    for record in records():
        result = replay(record)
        for turn in chance.sample(range(result.turn_count), 12):
            position = result.state(turn)
            for index in range(len(position.hands[position.seat])):
                order = position.hands[position.seat][index].order
                for other in exchanged(result, turn, index, chance):
                    before = rows_of(changed(record, actions=other.actions), turn, order)
                    after = rows_of(other, turn, order)
                    differs = {name for name in before if before[name] != after[name]} - FACTS
                    place = PLACES[int(str(before["place"]))]
                    compared[place] += 1
                    assert differs <= BY_MESSAGES, (record.seed, turn, order, differs)
                    for name in differs:
                        leaked[f"{place} {name}"] += 1
                    leaked[place] += bool(differs)
    assert min(compared.values()) >= 80
    assert leaked["chop"] == 0
    assert leaked["unclued"] == 0
    assert leaked["clued"] <= 0.25 * compared["clued"]

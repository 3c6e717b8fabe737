"""The engine against games with known values: of hanab.live, of two other programs, and our own.

`tests/golden/games.jsonl.gz` is there for everybody; the others are too big for the project, and their tests
are skipped where they are missing.
"""

from __future__ import annotations

import ast
import functools
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace as changed

from hanalyze.decks import deck as deal
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import possibilities
from hanalyze.engine.measure import critical_cards, needed_cards
from hanalyze.engine.run import play
from hanalyze.game.actions import Action
from hanalyze.game.cards import Card
from hanalyze.game.variants import Variant
from hanalyze.logs import GameRecord, parse
from hanalyze.replaying import Replay, replay, replay_many
from tests.golden.make import PATH, turns
from tests.shared import golden, shared

# By hanab.live's number.
ENDS = (
    "unfinished",
    "normal",
    "strikeout",
    "timeout",
    "terminated_by_player",
    "speedrun_fail",
    "idle_timeout",
    "character_softlock",
    "all_or_nothing_fail",
    "all_or_nothing_softlock",
    "terminated_by_vote",
)
OUR_OWN = "our own"
COUNTS = {OUR_OWN: 61, "variants": 607, "real-3p": 111}
COLUMNS = ("score", "max_score", "clue_tokens", "strikes", "deck", "pace", "pace_risk")
EFFICIENCY = ("cards_gotten", "clues_lost", "clues_left", "future_efficiency")
PART = 70
PARTS = [(name, first) for name, count in COUNTS.items() for first in range(0, count, PART)]

# This real game goes on after nothing can be played any more: see `Defect.ACTION_AFTER_END`.
GOES_ON = "g0023"


def own_games() -> list[dict[str, Any]]:
    with gzip.open(PATH, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@functools.cache
def games(name: str) -> list[tuple[dict[str, Any], Replay]]:
    """Return each line of a golden file with the replay of its game."""
    lines = own_games() if name == OUR_OWN else golden(name)
    records = [parse(json.dumps(line["game"]).encode()) for line in lines]
    return list(zip(lines, replay_many(records, fast=False), strict=True))


@pytest.mark.parametrize("name", COUNTS)
def test_endings(name: str) -> None:
    assert len(games(name)) == COUNTS[name]
    for line, result in games(name):
        end = line["end_condition"]
        assert result.end_condition == (end if name == OUR_OWN else ENDS[end]), line["name"]
        assert result.raw_score == line["raw_score"], line["name"]
        assert name == OUR_OWN or result.min_efficiency == line["min_efficiency"], line["name"]
        assert (result.score, result.max_score) == tuple(line["turns"][-1][key] for key in COLUMNS[:2])
        assert result.turn_count == len(line["turns"]) - 1, line["name"]
        broken = [found.rule.label for found in result.defects]
        assert broken == (["action_after_end"] if line["name"] == GOES_ON else []), line["name"]


@pytest.mark.parametrize("name", COUNTS)
def test_rows(name: str) -> None:
    for line, result in games(name):
        positions = line["turns"]
        columns = COLUMNS if name == OUR_OWN else COLUMNS + EFFICIENCY
        for turn, row in enumerate(result.rows()):
            for when, position in (("before", positions[turn]), ("after", positions[turn + 1])):
                found = {column: row[f"{column}_{when}"] for column in columns}
                assert found == {column: position[column] for column in columns}, (line["name"], turn, when)
                suits = len(position["stacks"])
                stacks = row[f"stacks_{when}"]
                assert stacks == position["stacks"] + [0] * (6 - suits), (line["name"], turn, when)
            if name != OUR_OWN:
                lost = positions[turn + 1]["double_discard"]
                assert row["double_discard_after"] == lost, (line["name"], turn)


def hands(state: Game) -> list[list[int]]:
    return [[int(state.hands[seat][i]) for i in range(state.hand_len[seat])] for seat in range(state.seats)]


def known(state: Game, seat: int) -> list[int]:
    return [int(state.know.known[seat][i]) for i in range(possibilities(state, seat))]


def status(state: Game, variant: Variant) -> list[str]:
    needed = needed_cards(state)
    critical = critical_cards(state)
    return [
        "".join(
            "c" if critical >> (suit * 8 + rank) & 1 else "n" if needed >> (suit * 8 + rank) & 1 else "t"
            for rank in variant.ranks
        )
        for suit in range(len(variant.suits))
    ]


@pytest.mark.parametrize(("name", "first"), PARTS)
def test_hands_knowledge_and_status(name: str, first: int) -> None:
    for line, result in games(name)[first : first + PART]:
        for turn, state in result.states():
            position = line["turns"][turn]
            where = (line["name"], turn)
            assert hands(state) == position["hands"], where
            for seat, masks in enumerate(position["emp"]):
                ours, theirs = known(state, seat), [int(mask, 16) for mask in masks]
                if name != OUR_OWN and turn < 9:
                    # The site skips some deduction during the deal and corrects it by and by.
                    subset = [our & their for our, their in zip(ours, theirs, strict=True)]
                    assert ours == subset, where
                else:
                    assert ours == theirs, (*where, seat)
            # Where no copy is left, our file says neither needed nor not.
            words = status(state, result.variant)
            for word, expected in zip(words, position["status"], strict=True):
                same = [b in (a, "x") for a, b in zip(word, expected, strict=True)]
                assert all(same), (*where, words)


def test_our_own_file_is_what_the_slow_rules_say() -> None:
    lines = own_games()
    assert PATH.stat().st_size < 300_000
    for line in lines[::10]:
        game, rows = turns(parse(json.dumps(line["game"]).encode()))
        assert (game.end, game.raw_score) == (line["end_condition"], line["raw_score"])
        assert json.loads(json.dumps(rows)) == line["turns"], line["name"]


class Table:
    """Follows whose cards are where, for logs that name a card by its place in the hand."""

    def __init__(self, deck: list[Card], players: int) -> None:
        size = 5 if players < 4 else 4
        self.deck = deck
        self.hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(players)]
        self.top = players * size
        self.fireworks: Counter[int] = Counter()
        self.misplays = 0

    def take(self, seat: int, index: int) -> int:
        """Take a card (0 the oldest) out of a hand, draw another, and return its order."""
        order = self.hands[seat].pop(index)
        if self.top < len(self.deck):
            self.hands[seat].append(self.top)
            self.top += 1
        return order

    def play(self, seat: int, index: int) -> Action:
        order = self.take(seat, index)
        suit, rank = self.deck[order]
        fits = self.fireworks[suit] == rank - 1
        self.fireworks[suit] += fits
        self.misplays += not fits
        return Action(0, order, 0)


def hle_action(uid: int, table: Table, seat: int) -> Action:
    """Return the action with a number of the Hanabi Learning Environment."""
    size, players = (5 if len(table.hands) < 4 else 4), len(table.hands)
    if uid < size:
        return Action(1, table.take(seat, uid), 0)
    if uid < 2 * size:
        return table.play(seat, uid - size)
    clue = uid - 2 * size
    ranks = clue >= 5 * (players - 1)
    ahead, value = divmod(clue % (5 * (players - 1)), 5)
    return Action(3 if ranks else 2, (seat + 1 + ahead) % players, value + ranks)


def outcomes(records: list[GameRecord]) -> Iterator[dict[str, Any]]:
    """Yield what each game comes to, as in the columns of games; without the numbers of its turns."""
    games = play(make_batch(deal_records(records)), fast=False, measured=False).games
    for game in range(len(records)):
        row = {name: column[game].item() for name, column in games.items()}
        yield {**row, "end_condition": ENDS[row["end_condition"]]}


def test_games_of_the_hanabi_learning_environment() -> None:
    lines = golden("hle")
    assert len(lines) == 600
    records, tables = [], []
    for line in lines:
        deck = [Card(uid // 5, uid % 5 + 1) for uid in line["deck"]]
        players = line["players"]
        table = Table(deck, players)
        actions = [hle_action(uid, table, turn % players) for turn, uid in enumerate(line["moves"])]
        names = tuple(map(str, range(players)))
        records.append(GameRecord(players=names, deck=deck, actions=actions, edition="hle"))
        tables.append(table)
    for line, table, found in zip(lines, tables, outcomes(records), strict=True):
        assert (found["defects"], found["turns"]) == (0, len(line["moves"]))
        assert found["score"] == line["score"]
        assert found["raw_score"] == sum(table.fireworks.values())
        assert found["end_condition"] == ("strikeout" if table.misplays == 3 else "normal")


MOVE = re.compile(r"^MOVE: (\d) (\d) (\w+) (\w+) (\w+) (\w+)$", re.MULTILINE)


def hanabi_data(text: str) -> tuple[GameRecord, Table, int]:
    """Return the game of a log of HanabiData and the score that it prints.

    The deck is dealt from the seed; the 40 cards that the log has must be its last ones. The target that some
    plays and discards name means nothing.
    """
    seed = re.search(r"^Treatment: \('\w+', (-?\d+)\)$", text, re.MULTILINE)
    printed = re.search(r"^\[\(.*\)\]$", text, re.MULTILINE)
    scores = re.findall(r"^Score (\d+)", text, re.MULTILINE)
    assert seed
    assert printed
    deck = deal(seed[1], shuffle="hanabi-data")
    assert deck[10:] == [Card(*card) for card in ast.literal_eval(printed[0])]
    table = Table(deck, 2)
    actions = []
    for turn, move in enumerate(MOVE.finditer(text)):
        numbers = [int(word) if word.isdecimal() else -1 for word in move.groups()]
        player, kind, card, target, colour, rank = numbers
        assert player == turn % 2
        if kind == 2:
            actions.append(table.play(player, card))
        elif kind == 3:
            actions.append(Action(1, table.take(player, card), 0))
        else:
            actions.append(Action(3 if kind else 2, target, rank if kind else colour))
    record = GameRecord(
        players=("AI", "You"),
        deck=deck,
        actions=actions,
        seed=seed[1],
        shuffle="hanabi-data",
        edition="hanabi-data",
    )
    return record, table, int(scores[-1])


def test_logs_of_hanabi_data() -> None:
    logs = sorted(shared("logs/hanabi-data").glob("*.log"))
    assert len(logs) == 170
    games = [hanabi_data(log.read_text()) for log in logs]
    for (record, table, score), found in zip(games, outcomes([game[0] for game in games]), strict=True):
        assert (found["defects"], found["turns"]) == (0, len(record.actions))
        assert found["score"] == score == sum(table.fireworks.values())
        assert found["end_condition"] == ("strikeout" if table.misplays == 3 else "normal")
        # The deck is its seed's: that would be the first defect.
        assert replay(changed(record, actions=[])).defects == ()

"""The measured columns against hanab.live's own numbers, all games in one run of the engine's loop.

`test_golden` has the values turn by turn, one game at a time, and the holders' sets; here are the columns as
they come out of a batch (compiled where the compiler is installed), what they add up to at the end of a game,
and how often the site's holders know less than ours during the deal. Skipped where the files are missing.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from typing import Any

import pytest

from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.knowledge import possibilities
from hanalyze.engine.run import Output, play
from hanalyze.frames import to_rows
from hanalyze.game.cards import mask_of
from hanalyze.kernels.compiling import can_compile
from hanalyze.logs import parse
from hanalyze.replaying import replay_many
from hanalyze.tables import CLUES, GAMES, TURNS
from tests.shared import golden

COUNTS = {"variants": 607, "real-3p": 111}
NAMES = tuple(COUNTS)
NUMBERS = (
    "score",
    "max_score",
    "clue_tokens",
    "strikes",
    "deck",
    "pace",
    "pace_risk",
    "cards_gotten",
    "clues_lost",
    "clues_left",
    "future_efficiency",
)
# Interpreted, the whole of the files takes most of a minute: then every third game has to do.
STEP = 1 if can_compile() else 3
compiling = pytest.mark.compiled if can_compile() else lambda test: test


@functools.cache
def lines(name: str) -> list[dict[str, Any]]:
    found = golden(name)
    assert len(found) == COUNTS[name]
    return found


@functools.cache
def output(name: str) -> Output:
    records = [parse(json.dumps(line["game"]).encode()) for line in lines(name)[::STEP]]
    return play(make_batch(deal_records(records)), fast=can_compile())


@functools.cache
def rows(name: str, table: str) -> list[list[dict[str, Any]]]:
    """Return the rows of a table, game by game."""
    found = output(name)
    columns, arrays = (TURNS, found.turns) if table == "turns" else (CLUES, found.clues)
    every = to_rows(columns, arrays.values())
    return [[next(every) for _ in range(count)] for count in found.games[table].tolist()]


def games(name: str) -> list[dict[str, Any]]:
    return list(to_rows(GAMES, output(name).games.values()))


@compiling
@pytest.mark.parametrize("name", NAMES)
def test_numbers_before_and_after_every_turn(name: str) -> None:
    compared = 0
    for line, turns in zip(lines(name)[::STEP], rows(name, "turns"), strict=True):
        positions = line["turns"]
        assert len(turns) == len(positions) - 1, line["name"]
        for turn, row in enumerate(turns):
            for when, position in (("before", positions[turn]), ("after", positions[turn + 1])):
                ours = {number: row[f"{number}_{when}"] for number in NUMBERS}
                assert ours == {number: position[number] for number in NUMBERS}, (line["name"], turn, when)
                left = position["clues_left"]
                # The site's words: the final round has effectively started.
                assert row[f"final_round_{when}"] == (left is None or left < 1), (line["name"], turn, when)
            assert row["double_discard_after"] == positions[turn + 1]["double_discard"], (line["name"], turn)
            compared += 1
    assert compared == sum(len(line["turns"]) - 1 for line in lines(name)[::STEP])


@compiling
@pytest.mark.parametrize("name", NAMES)
def test_games_are_what_their_turns_come_to(name: str) -> None:
    for line, game in zip(lines(name)[::STEP], games(name), strict=True):
        positions, last = line["turns"], line["turns"][-1]
        paces = [position["pace"] for position in positions[:-1] if position["pace"] is not None]
        assert game["min_efficiency"] == line["min_efficiency"], line["name"]
        assert game["cards_gotten"] == last["cards_gotten"], line["name"]
        assert game["min_pace"] == min(paces, default=None), line["name"]
        lost = last["clues_lost"]
        assert game["efficiency"] == (last["cards_gotten"] / lost if lost else None), line["name"]
        assert (game["score"], game["max_score"]) == (last["score"], last["max_score"]), line["name"]
        assert (game["raw_score"], game["strikes"]) == (line["raw_score"], last["strikes"]), line["name"]


@compiling
@pytest.mark.parametrize("name", NAMES)
def test_cards_gotten_by_clues_and_blind_add_up(name: str) -> None:
    bounded = 0
    for line, game, clues in zip(lines(name)[::STEP], games(name), rows(name, "clues"), strict=True):
        gotten = sum(clue["cards_gotten"] for clue in clues) + game["blind_plays"]
        bounded += gotten > game["max_score"]
        assert min(gotten, game["max_score"]) == line["turns"][-1]["cards_gotten"], line["name"]
    # The bound must have had something to do, or the sum was not tested against it.
    assert bounded > 0 or name == "real-3p"


@compiling
@pytest.mark.parametrize("name", NAMES)
def test_results_are_told_by_the_positions(name: str) -> None:
    """Count what became of the actions by what the site's positions show of it."""
    for line, game in zip(lines(name)[::STEP], games(name), strict=True):
        seen: Counter[str] = Counter()
        for turn, action in enumerate(line["game"]["actions"][: len(line["turns"]) - 1]):
            before, after = line["turns"][turn], line["turns"][turn + 1]
            points = sum(after["stacks"]) - sum(before["stacks"])
            if action["type"] in (2, 3):
                seen["clues"] += 1
            elif after["strikes"] > before["strikes"]:
                seen["misplays"] += 1
            elif action["type"] in (0, 1):
                seen["plays" if points else "discards"] += 1
        kinds = ("plays", "misplays", "discards", "clues")
        assert {kind: game[kind] for kind in kinds} == {kind: seen[kind] for kind in kinds}, line["name"]


@pytest.mark.parametrize("name", NAMES)
def test_what_holders_know_during_the_deal(name: str) -> None:
    """The site skips deduction in the first turns: its sets may be larger there, and never smaller."""
    compared: Counter[bool] = Counter()
    larger: Counter[bool] = Counter()
    found = lines(name)[::8]
    records = [parse(json.dumps(line["game"]).encode()) for line in found]
    for line, result in zip(found, replay_many(records, fast=False), strict=True):
        for turn, state in result.states():
            where = (line["name"], turn)
            for seat, masks in enumerate(line["turns"][turn]["emp"]):
                size = possibilities(state, seat)
                ours = state.know.known[seat][:size]
                theirs = [int(mask, 16) for mask in masks]
                assert [our & their for our, their in zip(ours, theirs, strict=True)] == ours, where
                compared[turn <= 8] += size
                larger[turn <= 8] += sum(our != their for our, their in zip(ours, theirs, strict=True))
        late = min(12, result.turn_count)
        sets = [[hex(mask_of(cards)) for cards in hand] for hand in result.empathy(late)]
        assert late < 9 or sets == [
            [hex(int(mask, 16)) for mask in hand] for hand in line["turns"][late]["emp"]
        ]
    # Other games of the site had 2.9 % (real) and 3.8 % (random) of such sets.
    assert 0.01 < larger[True] / compared.total() < 0.06
    assert compared[False] > compared[True]
    assert larger[False] == 0

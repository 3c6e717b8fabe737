"""What must hold of meanings in every game: at both speeds, without the future, by any name.

In: sample logs, simulated games, and real ones where the shared material is there. Out: that the interpreted
and the compiled rows are the same, that a log cut short has the same meanings up to the cut, that suits and
seats are only names, and that a finding speaks of cards that are there.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace as changed

from hanalyze.agents import simulate
from hanalyze.conventions.calls import _name_between
from hanalyze.conventions.run import HIGHEST_LEVEL, Output, read_games
from hanalyze.conventions.state import ConventionState, begin
from hanalyze.conventions.steps import Call
from hanalyze.engine.batch import deal_records, make_batch, rules_of
from hanalyze.engine.game import Game
from hanalyze.engine.playing import start_game
from hanalyze.engine.rules import apply_action
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import Action
from hanalyze.game.meanings import Convention, Fault, FaultRule, OutcomeKind, Reason
from hanalyze.kernels.compiling import can_compile
from hanalyze.logs import GameRecord, Options, read
from tests.shared import golden

SAMPLES = Path(__file__).parents[2] / "sample_logs"
FUTURE = ("outcome", "closed_turn", "followed", "deferrals", "strikes")
FAULT = ("turn", "number", "fault", "fault_seat", "fault_rule")


def samples() -> list[GameRecord]:
    """Return the sample games that are played by the rules."""
    records = [*read(SAMPLES / "game.json"), *read(SAMPLES / "games.jsonl"), *read(SAMPLES / "endings.jsonl")]
    return [*records, *read(SAMPLES / "editions.jsonl"), *read(SAMPLES / "array.json.gz")]


def simulated() -> list[GameRecord]:
    """Return games of other tables and variants."""
    records: list[GameRecord] = []
    for players in (2, 3, 4, 5):
        records += simulate("cautious", players=players, games=3, seed=3, fast=False)
    for variant in (
        "Rainbow & White (6 Suits)",
        "Black (5 Suits)",
        "Pink & Brown (6 Suits)",
        "White Reversed (5 Suits)",
        "Up or Down (5 Suits)",
        "Sudoku (5 Suits)",
        "Clue Starved (5 Suits)",
        "Alternating Clues (5 Suits)",
        "Duck (5 Suits)",
        "Odds and Evens (5 Suits)",
    ):
        records += simulate("cautious", players=3, games=2, seed=5, variant=variant, fast=False)
        records += simulate("random", players=3, games=2, seed=5, variant=variant, fast=False)
    return records


def real() -> list[GameRecord]:
    """Return real games of three players; skip where they are missing."""
    return [_record(line["game"]) for line in golden("real-3p")[:15]]


def _record(game: dict[str, Any]) -> GameRecord:
    return GameRecord(
        players=tuple(game["players"]),
        deck=[(card["suitIndex"], card["rank"]) for card in game["deck"]],
        actions=[Action(one["type"], one["target"], one.get("value", 0)) for one in game["actions"]],
    )


def read_records(records: list[GameRecord], fast: bool = False, level: int = 25) -> Output:
    return read_games(make_batch(deal_records(records)), fast=fast, level=level)


@cache
def read_whole(games: Callable[[], list[GameRecord]]) -> Output:
    """Return what the interpreter reads of one of the lists of games."""
    return read_records(games())


def rows_of(out: Output, index: int) -> list[dict[str, Any]]:
    """Return the findings of one game as dictionaries."""
    begin = int(out.games["findings"][:index].sum())
    end = begin + int(out.games["findings"][index])
    return [
        {name: column[row].tolist() for name, column in out.findings.items()} for row in range(begin, end)
    ]


def chances_of(out: Output, index: int) -> list[dict[str, Any]]:
    """Return the opportunities of one game as dictionaries."""
    begin = int(out.games["turns"][:index].sum())
    end = begin + int(out.games["turns"][index])
    return [
        {name: column[row].tolist() for name, column in out.opportunities.items()}
        for row in range(begin, end)
    ]


@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
@pytest.mark.heavy
@pytest.mark.parametrize("level", [4, 25])
def test_compiled_and_interpreted_give_the_same_rows(level: int) -> None:
    records = samples() + simulated()
    slow, fast = read_records(records, level=level), read_records(records, fast=True, level=level)
    for table, other in zip(slow, fast, strict=True):
        assert table.keys() == other.keys()
        for name, column in table.items():
            np.testing.assert_array_equal(column, other[name], err_msg=name)


def faults_of(out: Output) -> list[tuple[int, ...]]:
    """Return who is at fault for each misplay of a single game."""
    rows = zip(*(out.outcomes[name].tolist() for name in FAULT), strict=True)
    return [row for row in rows if row[2]]


def test_meanings_do_not_read_later_turns() -> None:
    draw = random.Random(7)
    for record in draw.sample(samples() + simulated(), 14):
        uncut = read_records([record])
        whole, offered, faults = rows_of(uncut, 0), chances_of(uncut, 0), faults_of(uncut)
        for cut in sorted(draw.sample(range(len(record.actions) + 1), min(5, len(record.actions)))):
            short = changed(record, actions=record.actions[:cut], score=None)
            out = read_records([short])
            assert rows_of(out, 0) == [row for row in whole if row["turn"] < cut]
            assert chances_of(out, 0) == [row for row in offered if row["turn"] < cut]
            # Who is at fault is an outcome that the turn of the misplay settles.
            assert faults_of(out) == [row for row in faults if row[0] < cut]


def test_every_misplay_has_its_fault_and_nothing_else_has() -> None:
    misplays = 0
    for games in (samples, simulated):
        out = read_whole(games)
        misplayed = (out.findings["reasons"] >> Reason.MISPLAY & 1 != 0) & (out.findings["number"] == 0)
        misplays += misplayed.sum()
        assert ((out.outcomes["fault"] != Fault.NONE) == misplayed).all()
        assert ((out.outcomes["fault_rule"] != FaultRule.NO_RULE) == misplayed).all()
        nobodys = np.isin(out.outcomes["fault"], [Fault.NONE, Fault.NOBODY])
        assert ((out.outcomes["fault_seat"] < 0) == nobodys).all()
        own = out.outcomes["fault_seat"] == out.findings["seat"]
        assert (own == (out.outcomes["fault"] == Fault.PLAYER)).all()
    assert misplays > 50


def _moved_suits(mask: int, to: list[int]) -> int:
    moved = 0
    for suit, new in enumerate(to):
        moved |= (mask >> 8 * suit & 0xFF) << 8 * new
    return moved


def test_suits_are_only_names() -> None:
    for record in plain_games():
        to = [2, 4, 0, 1, 3]
        assert record.deck is not None
        renamed = changed(
            record,
            deck=[(to[suit], rank) for suit, rank in record.deck],
            actions=[
                Action(one.kind, one.target, to[one.value] if one.kind == 2 else one.value)
                for one in record.actions
            ],
            seed=None,
        )
        expected = rows_of(read_records([record]), 0)
        for row in expected:
            row["readings"] = _moved_suits(row["readings"], to)
            row["focus_suit"] = to[row["focus_suit"]] if row["focus_suit"] >= 0 else -1
        assert rows_of(read_records([renamed]), 0) == expected


def plain_games() -> list[GameRecord]:
    """Return games of No Variant without options."""
    records = [record for record in samples() if record.variant == "No Variant" and not record.edition]
    records += simulate("cautious", players=3, games=4, seed=11, fast=False)
    records += simulate("cheating", players=4, games=3, seed=11, fast=False)
    plain = [record for record in records if record.options == Options() and record.deck is not None]
    assert len(plain) >= 8
    return plain


def test_seats_are_only_names() -> None:
    for record in plain_games():
        seats = len(record.players)
        size = rules_of(record).hand_size(seats)
        dealt = seats * size

        def seat(one: int, seats: int = seats) -> int:
            return (one + 1) % seats

        def order(one: int, dealt: int = dealt, size: int = size) -> int:
            return (one + size) % dealt if 0 <= one < dealt else one

        assert record.deck is not None
        deck = list(record.deck)
        for old, card in enumerate(record.deck[:dealt]):
            deck[order(old)] = card
        turned = changed(
            record,
            deck=deck,
            actions=[
                Action(one.kind, order(one.target), one.value)
                if one.kind < 2
                else Action(one.kind, seat(one.target) if one.kind < 4 else one.target, one.value)
                for one in record.actions
            ],
            options=Options(starting_player=1),
            seed=None,
        )
        expected = rows_of(read_records([record]), 0)
        for row in expected:
            row["seat"] = seat(row["seat"])
            row["receiver"] = seat(row["receiver"]) if row["receiver"] >= 0 else -1
            row["focus"] = order(row["focus"])
            row["cards"] = [order(card) for card in row["cards"]]
            row["seats"] = sum(1 << seat(one) for one in range(seats) if row["seats"] >> one & 1)
        found = rows_of(read_records([turned]), 0)
        for row in (*expected, *found):
            row["cards"] = sorted(row["cards"]) if row["steps"] == 0 else row["cards"]
        assert found == expected


@pytest.mark.parametrize("games", [samples, simulated, real])
def test_findings_speak_of_cards_that_the_seats_hold(games: Any) -> None:
    records = games()
    batch = make_batch(deal_records(records))
    out = read_whole(games)
    for index in range(len(records)):
        hands = _hands(batch, index)
        for row in rows_of(out, index):
            held = set()
            for seat, cards in enumerate(hands[row["turn"]]):
                if row["seats"] >> seat & 1:
                    held |= cards
            named = {card for card in row["cards"] if card >= 0}
            if row["focus"] >= 0:
                named.add(row["focus"])
            assert named <= held, row


def _hands(batch: Any, index: int) -> list[list[set[int]]]:
    """Return the cards in each hand before each turn of a game."""
    batch = batch.laid_out(fast=False)
    game = Game()
    start_game(game, batch, index)
    turns = []
    for action in range(batch.first_action[index], batch.first_action[index] + batch.actions[index]):
        turns.append(
            [{int(game.hands[seat][i]) for i in range(game.hand_len[seat])} for seat in range(game.seats)]
        )
        apply_action(game, batch.kind[action], batch.target[action], batch.value[action])
    return turns


@pytest.mark.parametrize("games", [samples, simulated, real])
def test_nothing_stays_open_and_the_rows_are_whole(games: Any) -> None:
    out = read_whole(games)
    assert not (out.outcomes["outcome"] == OutcomeKind.OPEN).any()
    assert (out.findings["turn"] == out.outcomes["turn"]).all()
    assert (out.findings["number"] == out.outcomes["number"]).all()
    settled = out.outcomes["closed_turn"] >= 0
    assert (out.outcomes["closed_turn"][settled] >= out.outcomes["turn"][settled]).all()
    assert (out.findings["readings"] >= 0).all()
    assert (out.findings["convention"] < len(Convention)).all()
    assert set(np.unique(out.findings["level"])) <= set(range(1, 26))


@pytest.mark.heavy
def test_levels_gate_what_is_read() -> None:
    records = plain_games()
    for level in (1, 4, 10):
        out = read_records(records, level=level)
        answers = np.isin(out.findings["convention"], [Convention.DEFERRAL])
        assert (out.findings["level"][~answers] <= level).all()


def test_what_was_clued_could_have_been_clued() -> None:
    out = read_records(plain_games())
    chances = {}
    for index in range(len(out.games["turns"])):
        for row in chances_of(out, index):
            chances[index, row["turn"]] = row["available"]
        for row in rows_of(out, index):
            if row["receiver"] >= 0 and row["number"] == 0 and row["legal"] and not row["reasons"]:
                stall = Convention.TEMPO_CLUE <= row["convention"] <= Convention.HARD_BURN
                if not stall and row["convention"] <= Convention.DISTRIBUTION_CLUE:
                    assert chances[index, row["turn"]] >> row["convention"] & 1, row


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(HanalyzeError, match="level 0"):
        read_records(plain_games()[:1], level=0)


def test_every_convention_has_words_a_level_and_a_definition() -> None:
    labels = [one.label for one in Convention]
    assert len(set(labels)) == len(labels)
    assert [one.name.lower() for one in Convention] == labels
    assert all(1 <= one.level <= 25 and one.definition for one in Convention)
    assert [one.name.lower() for one in OutcomeKind] == [one.label for one in OutcomeKind]
    assert all(Reason.among(1 << one) == (one,) for one in Reason)
    assert [one.name.lower() for one in Fault] == [one.label for one in Fault]
    assert [one.name.lower() for one in FaultRule] == [one.label for one in FaultRule]
    assert all(0 <= one.number <= 4 and one.definition for one in FaultRule)


def test_a_bluff_without_a_card_that_fits_says_nothing_of_any_card() -> None:
    game, state, call = Game.new(fast=False), ConventionState.new(fast=False), Call.new(fast=False)
    start_game(game, make_batch(deal_records(samples()[:1])).laid_out(fast=False), 0)
    begin(game, state, HIGHEST_LEVEL)
    call.identity, call.receiver = 3, 1
    state.turn_view.hand_ids[2] = 1 << 2
    before = [*state.common.inferred]
    _name_between(game, state, call)
    assert state.common.inferred == before

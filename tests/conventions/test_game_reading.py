"""A game followed turn by turn: its findings are those of the tables, its marks what was told by then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanalyze.agents import simulate
from hanalyze.conventions.game_reading import MARKS, GameReading, Mark, follow_game
from hanalyze.conventions.run import read_games
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.game.meanings import Convention, Reason
from hanalyze.logs import load, read
from hanalyze.logs.formats.hanab_live import decode
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import replay
from tests.report.laid import CALLED, case, laid
from tests.shared import golden

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def word(reading: GameReading, turn: int, order: int) -> str:
    """Return the mark of a card before a turn."""
    return reading.marks[turn].get(order, Mark("", -1)).word


@pytest.mark.parametrize("level", [1, 25])
def test_findings_are_those_of_the_tables(level: int) -> None:
    for record in [load(SAMPLES / "game.json"), *list(read(SAMPLES / "endings.jsonl"))[:6]]:
        output = read_games(make_batch(deal_records([record])), level=level, fast=False, cards=True)
        columns = {**output.findings, **output.outcomes}
        rows = zip(*(values.tolist() for values in columns.values()), strict=True)
        reading = follow_game(record, level)
        assert reading.findings == [dict(zip(columns, row, strict=True)) for row in rows]
        for name in ("findings", "outcomes", "opportunities", "hand_cards", "games"):
            ours, theirs = getattr(reading.output, name), getattr(output, name)
            assert {key: values.tolist() for key, values in ours.items()} == {
                key: values.tolist() for key, values in theirs.items()
            }
        turns = replay(record).turn_count
        assert len(reading.marks) == turns + 1
        assert len(reading.card_knowledge) == len(reading.messages) == len(reading.due_plays) == turns


def test_every_card_has_one_mark_at_most_and_every_hand_one_chop_at_most() -> None:
    seen = set()
    for record in [load(SAMPLES / "game.json"), *list(read(SAMPLES / "endings.jsonl"))[:6]]:
        for state, marks in zip(replay(record), follow_game(record).marks, strict=True):
            for hand in state.hands:
                words = [marks[held.order].word for held in hand if held.order in marks]
                assert words.count("chop") <= 1
                assert words.count("finesse") <= 1
                seen |= set(words)
                for held in hand:
                    mark = marks.get(held.order)
                    if mark and mark.word in ("chop", "finesse", "moved"):
                        assert not held.clued
                    if mark and mark.word in ("called", "saved", "moved"):
                        assert 0 <= mark.turn < state.turn
    assert seen == set(MARKS)


def test_without_conventions_the_chop_is_the_oldest_unclued_card() -> None:
    record = load(SAMPLES / "game.json")
    reading = follow_game(record, 0)
    assert reading.findings == []
    for state, marks in zip(replay(record), reading.marks, strict=True):
        for hand in state.hands:
            oldest = [held.order for held in hand if not held.clued][:1]
            # A card that its holder knows to be trash says so, and not that it is the chop.
            expected = [order for order in oldest if word_of(marks, order) != "trash"]
            chops = [held.order for held in hand if word_of(marks, held.order) == "chop"]
            assert chops == expected
            assert not {word_of(marks, held.order) for held in hand} & {"called", "saved", "moved"}


def word_of(marks: dict[int, Mark], order: int) -> str:
    return marks[order].word if order in marks else ""


def test_a_called_card_carries_the_turn_of_its_call() -> None:
    record, turn = laid(*CALLED, "A clue C r; B play r2 !; C play r3")
    reading = follow_game(record)
    order = record.actions[turn].target
    focus = record.actions[turn + 1].target
    assert word(reading, turn - 1, order) == "finesse"
    assert reading.marks[turn][order] == Mark("called", turn - 1)
    assert reading.marks[turn][focus] == Mark("called", turn - 1)
    assert reading.due_plays[turn] == {order: turn - 1}
    # What each of the two was told: r2 to be played now; the clued card may be r2 or r3, and waits.
    [step, clued] = reading.messages[turn - 1]
    assert (step.order, step.identities, step.task) == (order, 1 << 2, "play")
    assert (clued.order, clued.identities, clued.task, clued.after) == (focus, 0b1100, "wait", step.seat)


@pytest.mark.parametrize("name", ["five-chop-move", "trash-chop-move"])
def test_a_chop_moved_card_is_not_marked_chop(name: str) -> None:
    record, turn = case(name)
    reading = follow_game(record)
    [row] = [one for one in reading.findings if one["turn"] == turn and one["number"] == 0]
    assert Convention(row["convention"]).label == name.replace("-", "_")
    kept = [one.order for one in reading.messages[turn] if one.task == "keep"]
    assert kept
    for order in kept:
        assert reading.marks[turn + 1][order] == Mark("moved", turn)
    before = [order for order, mark in reading.marks[turn].items() if mark.word == "chop"]
    assert set(before) & set(kept)


def test_a_game_that_cannot_be_read_for_conventions_has_marks_too() -> None:
    record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1", variant="Duck (5 Suits)")
    assert sorted(mark.word for mark in follow_game(record).marks[0].values()) == [
        *("chop", "chop", "finesse", "finesse")
    ]


@pytest.mark.parametrize(
    ("variant", "seed"),
    [("Duck (5 Suits)", 6), ("Up or Down (5 Suits)", 10), ("Up or Down (5 Suits)", 13)],
)
def test_moves_have_no_names_where_conventions_are_not_defined(variant: str, seed: int) -> None:
    [record] = simulate("cautious", players=3, seed=seed, variant=variant)
    plain = {Convention.UNEXPLAINED, Convention.PLAIN_PLAY, Convention.PLAIN_DISCARD}
    for row in follow_game(record).findings:
        assert row["convention"] in plain
        assert (row["legal"], row["reasons"]) == (True, 1 << Reason.UNDEFINED_HERE)
        assert set(row["cards"]) == {-1}


def slots(record: GameRecord) -> dict[int, tuple[int, int]]:
    """Return by turn the slots of the known playable cards and of the known trash, as bits."""
    rows = follow_game(record).output.opportunities
    columns = (rows[name].tolist() for name in ("turn", "playable_slots", "trash_slots"))
    return {turn: (plays, trash) for turn, plays, trash in zip(*columns, strict=True)}


def test_a_card_called_before_its_copy_is_clued_is_the_playable_one() -> None:
    """A finesse or a positional discard called the card; a later clue touched it and seems to name a copy."""
    games = {line["game"]["id"]: line["game"] for line in golden("real-3p")}
    for number, turn, slot in ((5, 51, 1), (23, 50, 3), (71, 58, 1), (197, 31, 3)):
        plays, trash = slots(decode(json.dumps(games[number]).encode()))[turn]
        assert plays >> slot - 1 & 1
        assert not trash >> slot - 1 & 1


@pytest.mark.parametrize(("players", "seed"), [(2, 37), (3, 17), (3, 32), (4, 63), (4, 114)])
def test_what_the_tables_of_turns_count_is_counted_here_too(players: int, seed: int) -> None:
    """A card that the odds alone show to be playable or trash is one of the two, and no card is both."""
    [record] = simulate("cautious", players=players, seed=seed)
    found = slots(record)
    for row in replay(record).turns.iter_rows(named=True):
        plays, trash = found[row["turn"]]
        assert not plays & trash
        assert (plays | trash).bit_count() >= row["known_playable"] + row["known_trash"]

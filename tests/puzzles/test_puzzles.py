"""Puzzles: the answers of positions worked by hand, near misses, and properties over many games.

The right answers of the positions are those of the H-Group's pages for levels 1 and 2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

import msgspec
import polars as pl
import pytest

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.logs.record import GameRecord
from hanalyze.puzzles import making
from hanalyze.puzzles.drawing import LoggedGames, StoredGames
from hanalyze.puzzles.making import APART, Found, find_puzzles
from hanalyze.puzzles.selection import MOST_OPEN, MOST_RIGHT
from hanalyze.store import Database
from hanalyze.store.records import game_key
from tests.building import game

pytest.importorskip("duckdb")

FINESSE = "b4 g5 y5 y3 g3  y3 g3 b3 p4 {bobs}  y4 g4 r2 b3 p3"
"""Alice clues Cathy's r2 (slot 3); Bob's newest card is the finesse position."""
SAVE = "p4 b4 g5 y4 g1  {chop} b3 r1 y1 g3  p2 r4 p3 b2"
"""After eight turns Bob has nothing to do but to discard his chop, and Alice is to move."""
SAVE_MOVES = "clue 1 1, clue 0 1, play 4, play 7, clue 1 1, play 8, discard 0, clue 0 5, clue 1 5"


def puzzles_of(record: GameRecord, theme: str) -> list[dict[str, object]]:
    """Return the rows of the puzzles of one game."""
    with hz.connect() as db:
        db.add([record])
        db.read_conventions(jobs=1)
        return hz.quiz(db, theme=theme).to_dicts()


def verdicts(row: dict[str, object]) -> dict[str, str]:
    """Return the verdict on each answer of a puzzle."""
    return {one["move"]: one["verdict"] for one in json.loads(str(row["answers"]))}


def test_a_finesse_is_played_from_the_finesse_position() -> None:
    record = game("clue 2 red, play 9", FINESSE.format(bobs="r1"), players=3)
    [puzzle] = puzzles_of(record, "play")
    assert (puzzle["turn"], puzzle["player"], puzzle["theme"]) == (1, "Bob", "finesse")
    assert puzzle["right"] == "play slot 1"
    judged = verdicts(puzzle)
    # The call waits for no other play, and a discard or a clue that gets nothing would let it pass.
    assert judged["play slot 2"] == judged["play slot 5"] == "wrong"
    assert all(
        judged[f"discard slot {slot}"] == "wrong" for slot in range(1, 6) if f"discard slot {slot}" in judged
    )
    # What was played does not matter: the answer is the same if Bob let the finesse pass.
    passed = game("clue 2 red, clue 2 4", FINESSE.format(bobs="r1"), players=3)
    [other] = puzzles_of(passed, "play")
    assert verdicts(other) == judged


@pytest.mark.parametrize("bobs", ["r4", "r3", "y1"])
def test_without_the_missing_card_no_play_is_asked_for(bobs: str) -> None:
    record = game("clue 2 red, clue 0 3", FINESSE.format(bobs=bobs), players=3)
    assert puzzles_of(record, "play") == []


def test_the_receiver_of_a_finesse_allows_for_both_cards() -> None:
    record = game("clue 2 red, play 9", FINESSE.format(bobs="r1"), players=3)
    [puzzle] = puzzles_of(record, "cards")
    assert (puzzle["player"], puzzle["question"]) == (
        "Cathy",
        "Alice clued you red. Which card is the clue about, and what is it?",
    )
    # Before Bob's move it may be playable itself, or wait for Bob's r1.
    assert puzzle["right"] == "slot 3 is r1; slot 3 is r2; keep it for now"
    assert {move for move, verdict in verdicts(puzzle).items() if verdict == "wrong"} == {
        f"slot 3 is r{rank}" for rank in (3, 4, 5)
    }


def test_a_5_on_chop_is_saved_by_its_rank() -> None:
    [puzzle] = puzzles_of(game(SAVE_MOVES, SAVE.format(chop="y5")), "save")
    assert (puzzle["turn"], puzzle["theme"], puzzle["right"]) == (8, "five_save", "clue Bob 5")
    judged = verdicts(puzzle)
    assert judged["discard slot 5"] == judged["clue Bob yellow"] == "wrong"


def test_a_busy_player_needs_no_save() -> None:
    """Bob still has y1 to play, so he would not discard y5."""
    moves = SAVE_MOVES.replace("clue 1 1, play 8", "clue 1 1, clue 0 4")
    assert puzzles_of(game(moves, SAVE.format(chop="y5")), "save") == []


@pytest.mark.parametrize("chop", ["r3", "b4"])
def test_a_chop_that_may_go_asks_for_no_save(chop: str) -> None:
    assert puzzles_of(game(SAVE_MOVES.replace("clue 1 5", "clue 1 3"), SAVE.format(chop=chop)), "save") == []


# --- properties over many games -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[list[GameRecord], Database]]:
    records = list(simulate("conventional", players=3, games=30, seed=5))
    with hz.connect() as db:
        db.add(records)
        db.read_conventions(jobs=1)
        yield records, db


def answers(found: Found) -> dict[str, str]:
    return {one.label: one.verdict for one in found.puzzle.alternatives}


@pytest.mark.heavy
def test_no_two_puzzles_are_alike_or_close(played: tuple[list[GameRecord], Database]) -> None:
    found = [one.puzzle for one in find_puzzles(StoredGames(played[1]), count=200).found]
    assert len(found) > 60
    assert len({one.key for one in found}) == len(found)
    assert {one.form for one in found} >= {"save", "get", "quiet", "cards"}
    for one, other in combinations(found, 2):
        assert one.game_id != other.game_id or abs(one.turn - other.turn) >= APART


@pytest.mark.heavy
def test_right_answers_are_few_and_legal(played: tuple[list[GameRecord], Database]) -> None:
    for one in find_puzzles(StoredGames(played[1]), count=200).found:
        judged = list(answers(one).values())
        extra = one.puzzle.form == "cards"  # "keep it" beside the readings
        assert 1 <= judged.count("right") <= MOST_RIGHT + extra
        assert judged.count("open") <= (0 if one.puzzle.form in ("quiet", "cards") else MOST_OPEN)
        # The truth does not contradict the evidence.
        position = one.replay.state(one.puzzle.turn)
        hand = {card.slot: card.card for card in position.hands[one.puzzle.seat]}
        for answer in one.puzzle.right:
            if answer.kind == "play":
                assert hand[answer.slot] in position.playable
            if answer.kind == "discard":
                assert hand[answer.slot] not in position.critical
                unclued = [card.slot for card in position.hands[one.puzzle.seat] if not card.clued]
                assert "known trash" in answer.why or answer.slot == unclued[0]
        # In the early game nobody has to discard, so nothing needs saving yet.
        assert one.puzzle.form != "save" or one.puzzle.phase != "early"
        if extra:
            right = [answer for answer in one.puzzle.right if answer.identity]
            assert any(hand[answer.slot] == answer.identity for answer in right)


@pytest.mark.heavy
def test_a_seed_decides_the_order(played: tuple[list[GameRecord], Database]) -> None:
    _, db = played
    first, again, other = (hz.quiz(db, count=10, seed=seed)["key"].to_list() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.heavy
def test_logs_and_their_database_give_the_same_puzzles(played: tuple[list[GameRecord], Database]) -> None:
    records, stored = played
    problems: list[hz.HanalyzeError] = []
    with hz.connect() as db:
        # The order of the logs does not matter, and a game that occurs twice is one game.
        games = LoggedGames(db, [*reversed(records), *records[:5]], 0, problems.append)
        logged = find_puzzles(games, count=20)
        assert db.count("games") == logged.looked_at == logged.games == len(records)
    assert not problems
    search = find_puzzles(StoredGames(stored), count=20)
    assert [one.puzzle for one in logged.found] == [one.puzzle for one in search.found]


def test_only_drawn_games_of_logs_are_stored() -> None:
    records = list(simulate("cautious", players=2, games=60, seed=3))
    keys = sorted(map(game_key, records))
    with hz.connect() as db:
        games = LoggedGames(db, records, 0, print)
        assert games.first(3) == keys[:3] == sorted(db.games()["game_id"])
        assert games.first(5) == keys[:5] == sorted(db.games()["game_id"])
        assert games.total == 60
        other = LoggedGames(db, records, 1, print)
        assert other.first(60) != keys
        assert sorted(other.first(60)) == keys
        with pytest.raises(hz.UnknownName, match='no player "Alcie"; did you mean "Alice"'):
            LoggedGames(db, records, 0, print, player="Alcie")


@pytest.mark.heavy
def test_the_search_goes_on_until_the_quiz_is_full(played: tuple[list[GameRecord], Database]) -> None:
    """One game is looked at first, and its puzzles are too few."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "_FIRST_GAMES", 1)
        games = StoredGames(played[1])
        some = find_puzzles(games, theme="quiet", count=2)
        assert len(some.found) == 2
        assert 1 < some.looked_at < some.games
        assert {one.puzzle.game_id for one in some.found} <= set(games.first(some.looked_at))
        every = find_puzzles(games, theme="quiet", count=1000)
        assert every.looked_at == every.games == 30
        patch.setattr(making, "MOST_GAMES", 4)
        assert find_puzzles(games, theme="quiet", count=1000).looked_at == 4


@pytest.mark.heavy
def test_answers_do_not_depend_on_later_turns(played: tuple[list[GameRecord], Database]) -> None:
    records, db = played
    whole = find_puzzles(StoredGames(db), count=40).found
    by_seed = {record.seed: record for record in records}
    cut = {}
    for one in whole:
        actions = by_seed[one.replay.record.seed].actions[: one.puzzle.turn + 1]
        cut[one.puzzle.key] = msgspec.structs.replace(
            by_seed[one.replay.record.seed],
            actions=actions,
            score=None,
            seed=None,
            deck=list(one.replay.deck),
        )
    with hz.connect() as other:
        other.add(cut.values())
        other.read_conventions(jobs=1)
        shorter = {one.puzzle.key: one for one in find_puzzles(StoredGames(other), count=10_000).found}
        for one in whole:
            if one.puzzle.form == "known":
                continue  # asked only on turns with a mistake
            alone = shorter.get(one.puzzle.key)
            if alone is None:
                # Another turn of the same shortened game was chosen.
                continue
            assert answers(alone) == answers(one)
        assert sum(one.puzzle.key in shorter for one in whole) >= len(whole) // 2


def test_filters(played: tuple[list[GameRecord], Database]) -> None:
    _, db = played
    some = hz.quiz(db, theme="save", level=3, player="Alice", count=5)
    names = set(db.seats()["player"].to_list())
    assert set(some["form"].to_list()) <= {"save"}
    assert all(level <= 3 for level in some["level"].to_list())
    assert set(some["player"].to_list()) <= names & {"Alice"}
    with pytest.raises(hz.UnknownName, match='there is no theme "finese"; did you mean "finesse"'):
        hz.quiz(db, theme="finese")


@pytest.mark.heavy
def test_given_positions_are_asked_for_in_their_order(played: tuple[list[GameRecord], Database]) -> None:
    _, db = played
    puzzle = find_puzzles(StoredGames(db), theme="save", count=1).found[0].puzzle
    other = hz.me(db, "Alice").positions
    assert other.height > 0
    known = {"game_id": puzzle.game_id, "turn": puzzle.turn, "seat": puzzle.seat, "kind": "discard_unsaved"}
    rows = [*other.to_dicts(), {**other.row(0, named=True), **known}]
    asked = hz.quiz(db, positions=pl.DataFrame(rows, other.schema))
    assert asked["game_id"].to_list() == [row["game_id"] for row in rows]
    assert asked["turn"].to_list() == [row["turn"] for row in rows]
    # A position that is a puzzle has the verdicts that it has in any quiz.
    assert asked["key"][-1] == puzzle.key
    assert verdicts(asked.row(-1, named=True)) == {one.label: one.verdict for one in puzzle.alternatives}
    studied = asked.filter(pl.col("form") == "study")
    assert studied.height > 0
    for row in studied.iter_rows(named=True):
        position = next(one for one in rows if (one["game_id"], one["turn"]) == (row["game_id"], row["turn"]))
        assert row["player"] == "Alice"
        assert row["right"] == ""
        assert set(verdicts(row).values()) == {"open"}
        assert row["theme"] == position["kind"]
        assert position["text"] in row["explained"]
        assert position["better"] in row["explained"]


def test_games_that_were_not_read_are_refused() -> None:
    with hz.connect() as db:
        db.add(simulate("cautious", games=1))
        with pytest.raises(hz.HanalyzeError) as error:
            hz.quiz(db)
    assert error.value.rule == "no_conventions"

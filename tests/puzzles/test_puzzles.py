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
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.game.actions import ActionKind
from hanalyze.logs.record import GameRecord
from hanalyze.puzzles import search
from hanalyze.puzzles.moves import turns_of
from hanalyze.puzzles.search import APART, FoundPuzzle, LoggedGames, StoredGames, find_puzzles
from hanalyze.puzzles.selection import MOST_OPEN, MOST_RIGHT, _had_odd_discard, _is_shared, _may_be_layered
from hanalyze.puzzles.verdicts import Judge
from hanalyze.store import Database
from hanalyze.store.records import game_key
from hanalyze.words import GameNames
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


@pytest.mark.parametrize(("first", "asked"), [("discard", 1), ("play", 0)])
def test_after_two_strikes_nothing_is_asked(first: str, asked: int) -> None:
    """Cathy's y4 is a strike, and so is Alice's b4 if it is played."""
    deck = FINESSE.format(bobs="r1") + " b5 p5"
    record = game(f"{first} 0, clue 0 5, play 10, clue 2 red, play 9", deck, players=3)
    assert len(puzzles_of(record, "cards")) == asked


def test_a_5_on_chop_is_saved_by_its_rank() -> None:
    [puzzle] = puzzles_of(game(SAVE_MOVES, SAVE.format(chop="y5")), "save")
    assert (puzzle["turn"], puzzle["theme"], puzzle["right"]) == (8, "five_save", "clue Bob 5")
    judged = verdicts(puzzle)
    assert judged["discard slot 5"] == judged["clue Bob yellow"] == "wrong"
    # The name of the save says what it saves.
    assert str(puzzle["explained"]).startswith("Five save: Bob's y5; gets 1 card.")
    assert "It saves" not in str(puzzle["explained"])


def test_a_busy_player_needs_no_save() -> None:
    """Bob still has y1 to play, so he would not discard y5."""
    moves = SAVE_MOVES.replace("clue 1 1, play 8", "clue 1 1, clue 0 4")
    assert puzzles_of(game(moves, SAVE.format(chop="y5")), "save") == []


@pytest.mark.parametrize("chop", ["r3", "b4"])
def test_a_chop_that_may_go_asks_for_no_save(chop: str) -> None:
    assert puzzles_of(game(SAVE_MOVES.replace("clue 1 5", "clue 1 3"), SAVE.format(chop=chop)), "save") == []


def test_the_receiver_of_a_save_allows_for_a_play() -> None:
    """Bob discards b3; blue on Alice's chop is then b1 to play, or the last b3."""
    deck = "b3 g5 y5 y3 g3  b3 g4 r4 p4 r1  y4 g4 p3 r3 p2"
    [puzzle] = puzzles_of(game("clue 1 1, discard 5, clue 0 blue, clue 2 4", deck, players=3), "cards")
    assert puzzle["right"] == "slot 5 is b1; slot 5 is b3; keep it for now"
    assert str(puzzle["explained"]).startswith("Play or save clue: your slot 5.")


# --- the rules for single moves -----------------------------------------------------------------------------


def judge_of(moves: str, deck: str, form: str, messages: dict[int, dict[str, object]] | None = None) -> Judge:
    """Return the judge of the turn after some moves of three players."""
    replay = hz.replay(game(f"{moves}, end 4", deck, players=3))
    turn = len(moves.split(","))
    _, at = next(turns_of(replay, {turn}, HIGHEST_LEVEL))
    row = {"turn": turn, "seat": turn % 3, "form": form, "playable": [0.236] * 5}
    names = GameNames(replay.variant, replay.suit_names, replay.record.players)
    return Judge(row, at, names, [(card.suit, card.rank) for card in replay.deck], messages or {})


def judged_moves(judge: Judge, best: int = 2) -> dict[str, tuple[str, str]]:
    """Return the verdicts and sentences of all legal moves of a turn that calls for no play or discard."""
    found = {}
    for move in judge.turn.moves():
        if move.is_clue:
            found[judge.label(move)] = judge.judge_clue(move, best)
        elif move.action.kind == ActionKind.PLAY:
            found[judge.label(move)] = judge.judge_play(move, 0)
        else:
            found[judge.label(move)] = judge.judge_discard(move, 0)
    return found


def test_only_the_chop_or_trash_may_go_while_another_player_can_save() -> None:
    """Alice's g5 is clued, so that slot 4 is her chop; Bob can still save Cathy's p5."""
    deck = "g5 y4 r4 b4 p4  r3 g3 b3 y3 b1  p5 r3 g4 y3 p3"
    judged = judged_moves(judge_of("clue 1 1, clue 0 5, clue 1 blue", deck, "save"))
    assert judged["discard slot 4"][0] == "open"
    assert judged["discard slot 5"] == ("wrong", "It was clued, and is not known to be trash.")
    assert judged["discard slot 1"] == ("wrong", "Not the chop; your chop is slot 4.")
    assert judged["play slot 1"] == ("wrong", "Not known to be playable: 24% (calibrated chance).")


def test_a_card_that_only_a_finesse_called_was_not_clued() -> None:
    """Cathy clues Bob's r2, which calls Alice's newest card, r1; her g5 was clued."""
    deck = "g5 y4 r4 b4 r1  g3 b3 r2 y3 b2  p5 r3 g4 y3 p3"
    judged = judged_moves(judge_of("clue 2 5, clue 0 5, clue 1 red", deck, "save"))
    assert judged["discard slot 1"] == ("wrong", "It was called, and is not known to be trash.")
    assert judged["discard slot 5"] == ("wrong", "It was clued, and is not known to be trash.")


@pytest.mark.parametrize(("newest", "verdict"), [("r1", "open"), ("y1", "wrong")])
def test_a_clue_that_makes_trash_look_playable_is_wrong(newest: str, verdict: str) -> None:
    """After y1 another y1 looks like a playable 1, and Cathy's chop p5 stays unsaved."""
    deck = f"b4 g5 y5 y3 y1  r3 g3 b3 p4 r4  p5 g4 r3 b3 {newest}"
    assert judged_moves(judge_of("play 4", deck, "save"))["clue Cathy 1"][0] == verdict


def test_a_clue_whose_focus_is_not_the_chop_is_open() -> None:
    """Red touches Bob's chop r4, which by the clue of 1s is no 1; his r1 is the focus only by inversion."""
    deck = "y1 b2 g3 g4 g2  r4 g5 p1 p4 r3  b1 p1 y4 b1 g1  r1"
    judged = judged_moves(judge_of("clue 1 1, play 7", deck, "get"), best=3)
    assert judged["clue Bob red"] == ("open", "Play clue: Bob's r1; gets 3 cards.")
    # A stall is not due while other clues get cards.
    assert judged["clue Bob 5"][1].startswith("No convention explains it (missed a better clue).")


def test_a_called_card_is_not_got_again() -> None:
    """Bob's clue of 2s calls Alice's y1, so that 1 gets only her b1; Bob's r1 and g1 are both new."""
    deck = "b1 y1 g2 r2 y2  g1 r3 b5 r1 r2  g5 p2 g2 y1 b1"
    judged = judged_moves(judge_of("clue 2 5, clue 0 2", deck, "get"))
    assert judged["clue Alice 1"] == ("open", "Play clue: Alice's b1; gets 1 card.")
    assert judged["clue Bob 1"] == ("right", "Play clue: Bob's g1; gets 2 cards.")


def test_a_clued_card_is_known_to_be_playable() -> None:
    judged = judged_moves(judge_of("clue 1 1", FINESSE.format(bobs="r1"), "get"))
    assert judged["play slot 1"] == ("open", "Known to be playable: r1, y1, g1, b1 or p1.")


@pytest.mark.parametrize(("second", "layered"), [("r3", True), ("r2", False)])
def test_a_bluff_for_a_card_two_away_may_be_a_layered_finesse(second: str, layered: bool) -> None:
    """Bob answered red with y1: r2 is one away, so that this was a bluff; before r3 two cards are missing."""
    deck = f"b4 g5 y5 y3 g3  y3 g3 b3 p4 y1  y4 g4 {second} b3 p3"
    messages: dict[int, dict[str, object]] = {
        0: {"seat": 0, "convention": "bluff", "cards": [9, -1, -1, -1, -1, -1], "focus": 12},
        1: {"seat": 1, "convention": "blind_play", "cards": [-1] * 6, "focus": 9},
    }
    moves = "clue 2 red, play 9, clue 0 5, clue 1 4"
    assert _may_be_layered(judge_of(moves, deck, "play", messages)) is layered


@pytest.mark.parametrize(("discarded", "odd"), [(9, True), (5, False)])
def test_a_discard_that_is_not_the_chop_may_be_a_signal(discarded: int, odd: bool) -> None:
    moves, deck = f"clue 1 1, discard {discarded}", "b4 g5 y5 y3 g3  y3 g3 b1 p4 r4  y4 g4 r2 b3 p3"
    message = {"seat": 1, "action": "discard", "convention": "plain_discard", "reasons": 0, "readings": -1}
    judge = judge_of(moves, deck, "quiet", {1: {**message, "focus": discarded}})
    assert _had_odd_discard(judge) is odd


def test_an_older_reading_shares_its_identities_with_a_new_one() -> None:
    """Bob's first blue card may be b2 or b3: so may the second one."""
    deck = "b4 g5 y5 y3 g3  b2 g3 r4 p4 b3  y4 g4 r2 b3 p3"
    b2, b3, b4 = (1 << 3 * 8 + rank for rank in (2, 3, 4))
    for older, shared in ((b2 | b3, True), (b3, False)):
        judge = judge_of(
            "clue 1 blue, clue 0 5, clue 0 4, clue 1 4", deck, "cards", {0: {"focus": 5, "readings": older}}
        )
        assert _is_shared(judge, 9, b2) is shared
        assert not _is_shared(judge, 9, b4)


# --- properties over many games -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[list[GameRecord], Database]]:
    records = list(simulate("conventional", players=3, games=30, seed=5))
    with hz.connect() as db:
        db.add(records)
        db.read_conventions(jobs=1)
        yield records, db


def answers(found: FoundPuzzle) -> dict[str, str]:
    return {one.label: one.verdict for one in found.puzzle.alternatives}


@pytest.mark.heavy
def test_no_two_puzzles_are_alike_or_close(played: tuple[list[GameRecord], Database]) -> None:
    found = [one.puzzle for one in find_puzzles(StoredGames(played[1]), count=200).puzzles]
    assert len(found) > 60
    assert len({one.key for one in found}) == len(found)
    assert {one.form for one in found} >= {"save", "get", "quiet", "cards"}
    for one, other in combinations(found, 2):
        assert one.game_id != other.game_id or abs(one.turn - other.turn) >= APART


@pytest.mark.heavy
def test_right_answers_are_few_and_legal(played: tuple[list[GameRecord], Database]) -> None:
    for one in find_puzzles(StoredGames(played[1]), count=200).puzzles:
        judged = list(answers(one).values())
        extra = one.puzzle.form == "cards"  # besides readings, "keep it" can be right
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
        assert db.count("games") == logged.searched_games == logged.games == len(records)
    assert not problems
    search = find_puzzles(StoredGames(stored), count=20)
    assert [one.puzzle for one in logged.puzzles] == [one.puzzle for one in search.puzzles]


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
    """One game is searched first, and its puzzles are too few."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_FIRST_GAMES", 1)
        games = StoredGames(played[1])
        some = find_puzzles(games, theme="quiet", count=2)
        assert len(some.puzzles) == 2
        assert 1 < some.searched_games < some.games
        assert {one.puzzle.game_id for one in some.puzzles} <= set(games.first(some.searched_games))
        every = find_puzzles(games, theme="quiet", count=1000)
        assert every.searched_games == every.games == 30
        patch.setattr(search, "MOST_GAMES", 4)
        assert find_puzzles(games, theme="quiet", count=1000).searched_games == 4
        # Shares are computed over all searched games, even for puzzles of the first game.
        quiet = [one.puzzle for one in every.puzzles if one.puzzle.theme == "discard"]
        assert len({one.game_id for one in quiet}) > 1
        assert len({one.share for one in quiet}) == 1


@pytest.mark.heavy
def test_answers_do_not_depend_on_later_turns(played: tuple[list[GameRecord], Database]) -> None:
    records, db = played
    whole = find_puzzles(StoredGames(db), count=40).puzzles
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
        shorter = {one.puzzle.key: one for one in find_puzzles(StoredGames(other), count=10_000).puzzles}
        for one in whole:
            if one.puzzle.form == "known":
                continue  # asked only on turns with a mistake
            alone = shorter.get(one.puzzle.key)
            if alone is None:
                # Another turn of the same shortened game was chosen.
                continue
            assert answers(alone) == answers(one)
        assert sum(one.puzzle.key in shorter for one in whole) >= len(whole) // 2


@pytest.mark.heavy
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
    puzzle = find_puzzles(StoredGames(db), theme="save", count=1).puzzles[0].puzzle
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
    wrong = other.head(1).with_columns(turn=pl.lit(99, pl.Int16))
    with pytest.raises(hz.HanalyzeError, match=r"this database has no game \d+ with a turn 100"):
        hz.quiz(db, positions=wrong)


def test_games_that_were_not_read_are_refused() -> None:
    with hz.connect() as db:
        db.add(simulate("cautious", games=1))
        with pytest.raises(hz.HanalyzeError) as error:
            hz.quiz(db)
    assert error.value.rule == "no_conventions"


def test_after_a_clue_that_nothing_explains_nothing_is_asked() -> None:
    """Cathy's p2 looks like a finesse of Bob, who does not have p1 in his finesse position."""
    deck = "g1 r2 r1 g4 y4  b4 g5 y5 y3 b3  y1 b3 g4 y2 p2  r3 p3 b2"
    asked = [
        [row["turn"] for row in puzzles_of(game(f"{first}, clue 0 1, discard 10", deck, players=3), "get")]
        for first in ("clue 2 yellow", "clue 2 2")
    ]
    assert asked == [[1], []]

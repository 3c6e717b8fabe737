"""Mistakes of games that were read for conventions: what moves meant, whose fault a strike was, what was
better.

In: logs made here, with positions judged by hand, and the real games of the shared golden values, with
verdicts as a strong player would give them. Out: that the database finds the mistakes named here and no
others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

import hanalyze as hz
from hanalyze.analysis.systems import games_of_others
from hanalyze.logs import write
from hanalyze.store import Database
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import BLAMED_SQL, BLAMELESS
from hanalyze.store.wording import better_parts, evidence_parts, sentence, worded
from tests.cases.positions import Log, record
from tests.shared import golden, shared

pytest.importorskip("duckdb", reason="mistakes are found by DuckDB")

Row = dict[str, Any]
SAMPLES = Path(__file__).parents[2] / "sample_logs"


class Meant(NamedTuple):
    """A log of three players, the turn that is judged, and all that is said of it."""

    name: str
    deck: str
    actions: str
    turn: int
    found: str
    said: str
    better: str
    comment: str


BLUNDER = "y3 g3 b4 p4 y4  g4 b3 p3 y2 r3  p4 b4 y4 g4 r2  r3 g1"
LAST_CHOP = "y3 g3 b4 p4 y4  b5 b3 p3 y3 r1  p4 b4 y4 g4 r2  r3 g1"
BOTH = "y3 g3 b4 p4 y4  y3 b1 b1 p3 g4  p4 b4 y4 g4 r2  r4 g3 r3 p3 g2 y2"
FIVE = BOTH.replace("p4 b4 y4 g4 r2", "p4 r5 y4 g4 r2")
FINESSE = "y3 g3 b4 p4 y4  g4 b3 p3 y3 r1  p4 b4 y4 g4 r2  r3 g1 b1 p1 y1"
BUSY = "y2 r4 r3 p4 y4  y1 y1 b3 p3 g4  r5 r3 r1 y4 g1  r2 g3 b2 p3 p2 y3 r4"
SHOUT = BUSY.replace("y4 g1", "y4 g4")
TOLD = "c1:y p5 c1:1 c2:1 c0:2 p3 c1:r"
CASES = (
    Meant("the finesse waits once", FINESSE, "c2:r d5 d5 d5 p2", 1, "", "", "",
          "Bob may have seen something better to do; the call is still open"),
    Meant("the finesse is left", FINESSE, "c2:r d5 d5 d5 d5 d5", 4,
          "call_missed:could_tell discard_bottom_deck:could_not_know",
          "did not play slot 2, which a finesse by P0 had called on turn 1", "play slot 2 (called)",
          "Bob drew a card after the first discard, so that r1 is in slot 2"),
    Meant("the finesse is answered", FINESSE, "c2:r p1", 1, "", "", "", "r1 plays blind"),
    Meant("the giver's strike: the clue", BLUNDER, "c1:r p1", 0,
          "strike_caused:could_tell",
          "P1 misplayed r3 on turn 2: clued as playable, but it was not", "*",
          "r3 with empty stacks: nobody has r1 and r2 to play first"),
    Meant("the giver's strike: the play", BLUNDER, "c1:r p1", 1,
          "misplay:could_not_know", "*", "*", "the player did what the clue said"),
    Meant("a called play is left, and a 5 goes", LAST_CHOP, "c1:r d5", 1,
          "discard_five:could_tell discard_last_copy:could_tell", "*",
          "play slot 1 (called; 96% likely to be playable)",
          "red told of r1: whoever plays it discards no b5, and nobody had to save that"),
    Meant("the second b1 is not fixed", BOTH, "d5 d5 c1:1 d5 p5 d5 d5 p5", 6,
          "fix_missed:could_tell",
          "P1 misplayed b1 on turn 8: clued as playable, although the giver could see that it was trash or a"
          " duplicate (the fault is P2's, on turn 3); this turn was the last good chance to fix it",
          "clue P1 blue: b1, fix clue",
          "P0 sees both b1; its discard could wait"),
    Meant("a 5 had to be saved", FIVE, "d5 d5 c1:1 d5 p5 d5 c2:5 p5", 6, "", "", "",
          "P2's chop was r5: the save is more urgent than the fix"),
)  # fmt: skip


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Yield a database of all logs, read for conventions."""
    path = tmp_path_factory.mktemp("meant") / "games.jsonl"
    logs = (Log(3, "No Variant", "", "", case.deck, case.actions) for case in CASES)
    write((record(log, number) for number, log in enumerate(logs)), path)
    with hz.connect() as opened:
        opened.ingest(path, jobs=1)
        opened.read_conventions()
        yield opened


def found(db: Database, game: int, turn: int) -> list[Row]:
    rows = db.sql(
        f"SELECT m.* FROM mistakes m JOIN games g USING (game_id)"
        f" WHERE g.source_id = {game} AND m.turn = {turn} ORDER BY kind"
    )
    return rows.to_dicts()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_of_positions_made_by_hand(case: Meant, db: Database) -> None:
    rows = found(db, CASES.index(case), case.turn)
    assert " ".join(f"{row['kind']}:{row['severity']}" for row in rows) == case.found, case.comment
    for row in rows[:1]:
        players = ["P0", "P1", "P2"]
        assert case.said in ("*", sentence(evidence_parts(row), players))
        assert case.better in ("*", sentence(better_parts(row), players))
        assert row["basis"] == "convention"


WRONG = "y3 g3 b4 p4 y4  g4 b3 p3 y2 y3  b4 y4 g4 p4 r3  r1 g1 b2"
LEFT = "g3 b3 p3 y3 r1  r3 y5 g4 b4 p4  r4 g3 b3 p3 y1  r3 b4 y4"
PASSED = "{} g3 b4 p4 {}  r3 g4 b3 r1 p3  g4 b4 y4 y3 b2  p2 b1"
KNOWN_ONE = "c1:1 c0:4 c1:r c2:2 d2"
TEMPO = "y4 g1 b4 b3 r3  p2 y3 b3 g3 r4  g4 p4 r3 y4 p1  b1 g1 r1 b1 g1 r1 b2 g2"
TWICE = "y3 g3 b4 p4 y4  y3 b1 b1 p3 r1  p4 b4 y4 g4 r2  r4 g1 r3 p3 g2 y2"
ODD = "y3 g3 b4 p4 y4  g4 b3 p3 y2 r1  b4 y4 g4 p4 r5  r3 g1 b2"
ALONE = (
    Meant("a card moved by a tempo clue goes first", TEMPO, "c1:2 c2:1 p1 c1:p p5 d5 d5 d5", 7,
          "discard_bottom_deck:could_not_know discard_kept:could_not_know", "*", "",
          "purple had p2 played, which explains the clue: Bob may not have noticed that it kept y3"),
    Meant("a card moved by a tempo clue goes second", TEMPO, "c1:2 c2:1 p1 c1:p p5 d5 d5 d4 c0:g p5 d5", 10,
          "discard_bottom_deck:could_not_know discard_kept:could_tell", "*", "*",
          "Bob had discarded b3 from slot 4 instead: Bob knew that y3 was kept"),
    Meant("a copy behind other cards is not passed on", PASSED.format("r1", "y4"), KNOWN_ONE, 4,
          "discard_clued:knew", "discarded r1 from slot 2: clued, and known not to be trash; 100% likely"
          " to be playable; Alice held r1, too, but not on finesse position, so it was not passed on; no"
          " convention explains Cathy's clue of turn 3 to it", "*", "the card in front of would play"),
    Meant("a copy on finesse position is passed on", PASSED.format("y4", "r1"), KNOWN_ONE, 4,
          "", "", "", "a gentleman's discard"),
    Meant("a wrong clue is fixed", WRONG, "c2:r c2:3 d5", 0, "clue_repaired:could_tell",
          "Cathy would have taken r3 for another card; Bob fixed it on turn 2", "",
          "nobody has r1 or r2: red tells of r1; the 3 gets no card"),
    Meant("the fix gets two cards", WRONG.replace("y4 g4 p4 r3", "p3 g3 p4 r3"), "c2:r c2:3 d5", 0,
          "", "", "", "three cards for two clues, although red told of r1"),
    Meant("a wrong clue is not fixed", WRONG, "c2:r d5 p1", 0, "strike_caused:could_tell", "*", "*",
          "r3 strikes: one mark says it"),
    Meant("the giver of a wrong clue fixes it later", WRONG, "c2:r d5 d5 c2:3", 0, "", "", "",
          "Cathy had not played it, so no teammate had to fix it"),
    Meant("a true clue is told again", WRONG.replace("p4 r3", "p4 r1"), "c2:r c2:1 p1", 0, "", "", "",
          "r1 is playable: nothing to fix"),
    Meant("an out-of-order clue and its second half", WRONG.replace("  b4 y4 g4 p4 r3", "  r2 y4 g4 p4 r1"),
          "c2:r c2:2 p1", 0, "", "", "", "the 2 shows r2 in slot 5, so slot 1 is r1: allowed"),
    Meant("a save before a play that can wait", LEFT, "c2:1 d5 c0:1 p1 p1", 3, "discard_unsaved:lucky",
          "y5 was on the chop of Bob, who knew of no card to play and of no useful clue, but did not"
          " discard it on turn 5", "clue Bob 5: y5, five save", "Bob should discard slot 5; he plays"),
    Meant("the next player has a clue to give", LEFT.replace("b3 p3 y1", "b3 r2 y1"), "c2:1 d5 c0:1 p1 p1", 3,
          "", "", "", "r1 makes Cathy's r2 playable: Bob should clue it, and discard nothing"),
    Meant("the next player has a card to play", LEFT.replace("r3 b4 y4", "r2 b4 y4"), "c2:1 d5 c0:1 p1 p1", 3,
          "", "", "", "Bob's r2 fits: he may have known of it"),
    Meant("the next player clues to wait", LEFT, "c2:1 d5 c0:1 p1 c2:1", 3, "", "", "",
          "a known 1 again: with tokens the chop can wait"),
    Meant("instead of the fix a sure play is told", TWICE, "d5 d5 c1:1 d5 p5 d5 c1:g p5", 6, "", "", "",
          "green names Bob's g1, which he should play before the second b1"),
    Meant("instead of the fix nothing sure is told", TWICE, "d5 d5 c1:1 d5 p5 d5 c1:1 p5", 6,
          "fix_missed:could_tell", "*", "clue Bob blue: b1, fix clue", "1 again names no card"),
    Meant("an odd 5, and a card that it cannot call", ODD, "c2:5 p1 p2", 2, "misplay:uncalled",
          "played p4 from slot 2, 41% likely to be playable by card counting; best in hand 41%;"
          " a clue against convention may have seemed to call a card, but this one could not be the missing"
          " card (shared with Alice, by the clue of turn 1)", "*", "r5 needs three more cards after r1"),
    Meant("an odd 5 shares the fault", ODD, "c2:5 p1 p2", 0, "strike_caused:gamble",
          "Cathy misplayed p4 on turn 3: the clue was against convention and may have seemed to call the"
          " card, though this card could not be the missing one; Cathy shares the fault", "*", "Bob had r1"),
    Meant("the save comes first", LEFT, "c2:1 d5 c0:1 c1:5 p1", 3, "", "", "", "r1 waits"),
)  # fmt: skip


@pytest.mark.parametrize("case", ALONE, ids=lambda case: case.name)
def test_verdicts_of_games_judged_alone(case: Meant) -> None:
    rows = hz.mistakes(hz.replay(record(Log(3, "No Variant", "", "", case.deck, case.actions), 0)))
    marks = rows.filter(pl.col("turn") == case.turn).to_dicts()
    assert " ".join(f"{mark['kind']}:{mark['severity']}" for mark in marks) == case.found, case.comment
    for mark in marks:
        said, better = worded(mark)
        assert case.said in ("*", said)
        assert case.better in ("*", better)


MOVED = "b3 y2 b4 p4 y4  r1 y1 g1 b1 p1  r4 y4 g4 p3 r2  b3 b2 r2 g3 r3 r1 g4 y3 b4 p4"
TO_MOVE = "c1:1 p5 d5 c2:r p5 p2 d5 p5 c0:2 p5 p5 c0:r p2 p5 d5 c1:1 d3 d5 c2:2 d4 p4 c2:4"
UNPLAYED = BLUNDER.replace("y2 r3", "y2 r1").replace("r3 g1", "r3 b1")
FIVE_TOKENS = "hanab-live+clue_tokens=5"
EMPTY = SHOUT.replace("r5 r3 r1", "b5 b4 r1")
SHOUTED = f"{TOLD} d5 c1:3 p5 p2".replace("c2:1", "c2:r")
ONE_GAME = (
    ("", SHOUT, f"{TOLD} d5 c1:3 p5 p2 d5", "11 discard_five, 11 discard_last_copy (1)",
     "r5, which a shout discard had moved, and its holder had answered with a clue: the holder's point"),
    ("", SHOUT, f"{TOLD} d5 c1:3 p5 p2 d4", "", "the chop; and the shout discard was no missed call"),
    ("", SHOUT, f"{TOLD} d5 d4 p5 p2 d5", "10 discard_unsaved (1)",
     "the holder of r5 had discarded instead of an answer: the others saw that, and could clue r5"),
    (FIVE_TOKENS, EMPTY, f"{SHOUTED} d5", "11 discard_last_copy (1)", "b5, without a token; not the chop"),
    (FIVE_TOKENS, EMPTY, f"{SHOUTED} d4", "", "the chop"),
    ("", MOVED, f"{TO_MOVE} d5", "21 discard_unsaved, 22 discard_last_copy (3)",
     "a trash chop move had moved b3 and r2; r2 went, although not known to be trash: so did b3"),
    ("", MOVED, f"{TO_MOVE} d4", "", "the chop"),
    ("", BUSY, f"{TOLD} d5", "7 call_missed", "known trash instead of r2; the next player has g1 to play"),
    ("", BUSY, f"{TOLD} p1", "", "r2 was played"),
    ("", UNPLAYED, "c1:r d5 c0:4 c2:4 d5", "4 call_missed", "red told of r1, and two discards came instead"),
    ("", UNPLAYED, "c1:r d5 c0:4 c2:4 p2", "", "after one discard"),
)  # fmt: skip


@pytest.mark.parametrize(("edition", "deck", "actions", "marks", "comment"), ONE_GAME)
def test_marks_of_one_game(edition: str, deck: str, actions: str, marks: str, comment: str) -> None:
    """Kept cards that were discarded, and clued cards that were left for discards."""
    with hz.connect() as db:
        db.add([record(Log(3, "No Variant", edition, "", deck, actions), 0)])
        db.read_conventions()
        query = f"SELECT turn, kind, points FROM mistakes WHERE {BLAMED_SQL} ORDER BY ALL"
        rows = db.sql(query).rows()
    said = [f"{turn} {kind}" + (f" ({points})" if points else "") for turn, kind, points in rows]
    assert ", ".join(said) == marks, comment


REPEATED = "y3 g3 b4 p4 y1  g4 b3 p3 y2 r1  p4 b4 y4 g4 b2  r3 g1"
SPENT = "g2 y4 g3 b4 p4  r5 g4 g3 b2 y1  p1"
ANSWERED = (
    (3, "", REPEATED, "c1:r c0:4 c1:r p1", [], "red again to a known r1, and y1 plays blind: a message"),
    (3, "", REPEATED, "c1:r c0:4 c1:r d5", ["clue_no_news"], "nobody answers it"),
    (2, "hanab-live+clue_tokens=2", SPENT, "c1:y p1 c1:4 p1", [], "r5 on the chop, but p1 plays blind"),
    (
        2,
        "hanab-live+clue_tokens=2",
        SPENT,
        "c1:y p1 c1:4 d4",
        ["discard_unsaved"],
        "nothing was to be played",
    ),
)


@pytest.mark.parametrize(("players", "edition", "deck", "actions", "kinds", "comment"), ANSWERED)
def test_who_plays_blind_after_a_clue_knew_of_a_card(
    players: int, edition: str, deck: str, actions: str, kinds: list[str], comment: str
) -> None:
    with hz.connect() as db:
        db.add([record(Log(players, "No Variant", edition, "", deck, actions), 0)])
        db.read_conventions()
        assert db.sql("SELECT kind FROM mistakes WHERE turn = 2")["kind"].to_list() == kinds, comment
        db.judge(by_logic=True)
        assert db.sql("SELECT kind FROM mistakes WHERE turn = 2").height == 1


COPIES = "b1 g1 r4 b4 p4  g2 y3 b1 y4 p2  r3 b3 y3 g3 b5  b4 r5 r4 p5"


@pytest.mark.parametrize(
    ("moves", "causes", "severity"),
    [("c1:b p3", [4], "could_not_know"), ("c1:1 p3", [], "could_not_know"), ("c1:b d3", [], None)],
    ids=["known", "unknown", "discarded"],
)
def test_a_known_copy_of_a_clued_card_is_discarded(
    moves: str, causes: list[int], severity: str | None
) -> None:
    """Alice, whose b1 is clued 1, clues Bob's b1. If blue tells Bob which 1 it is, he discards it."""
    with hz.connect() as db:
        db.add([record(Log(3, "No Variant", "", "", COPIES, f"c2:5 c0:1 d5 {moves} d5 p5"), 0)])
        db.read_conventions()
        query = "SELECT {} FROM mistakes WHERE kind = '{}'"
        assert db.sql(query.format("turn", "strike_caused"))["turn"].to_list() == causes
        strikes = db.sql(query.format("severity", "misplay"))["severity"].to_list()
        assert strikes == ([] if severity is None else [severity])


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Yield a database of 111 real games, read for conventions."""
    path = tmp_path_factory.mktemp("real") / "games.jsonl"
    with path.open("w") as file:
        for line in golden("real-3p"):
            file.write(json.dumps({**line["game"], "id": int(line["name"][1:])}) + "\n")
    with hz.connect() as opened:
        opened.ingest(path)
        opened.read_conventions()
        opened.prepare(as_table=True, names=True)
        yield opened


VERDICTS = (
    (29, 46, "", "a clue again to r5, which a finesse by r4 brings: two points, no mistake"),
    (51, 24, "", "a gentleman's discard"),
    (51, 29, "", "a trash chop move"),
    (51, 38, "", "a trash push of b3, which played"),
    (51, 53, "", "the game was won"),
    (191, 48, "discard_over_play", "b5 was sure, and would have given a token, too; the turn was needed"),
    (69, 51, "", "a discard before the last point, r5, which cannot be missed"),
    (103, 53, "", "likewise, before g5"),
    (139, 48, "misplay", "p4 or g4, which nobody needed since both g3 were lost after the clue: no promise"),
    (
        125,
        31,
        "strike_caused",
        "b3 was known and blue in p0's hand, who had no token to be told: a discard names it",
    ),
    (37, 18, "", "slot 3 after a clue to trash: players of discharges answer it so"),
    (37, 17, "strike_caused", "the clue to trash; one mark says both"),
    (43, 34, "", "y5 was clued, y4 was missing: who plays after the receiver answered it"),
    (43, 32, "strike_caused", "y5 was clued, but y4 was on no finesse position"),
    (
        69,
        5,
        "misplay",
        "slot 2 after a 5 in slot 1 that nothing explains: it called no card, as too many are missing",
    ),
    (215, 11, "misplay", "slot 2, five turns after the clue to p5, which a 5 had shown to be one meanwhile"),
    (215, 6, "", "a clue to p5 on empty stacks, which its giver corrected before anybody played"),
    (117, 14, "misplay", "slot 5, the chop, was called by nothing"),
    (
        37,
        40,
        "call_missed",
        "b3 was called, but a known g4 was played, and b3 had to be clued: blind plays go first",
    ),
    (37, 42, "", "a clue that helps out where the call was left"),
    (37, 43, "strike_caused", "b3, clued by now, was left again, so that b4 did not fit"),
    (37, 44, "misplay", "b3 stood clued with a teammate: the card was b4, and was to wait"),
    (107, 47, "", "red saves the last r3 from the chop; a second p3 had not been called"),
    (99, 21, "strike_caused", "4 to g4, which is taken for y4; the strike of r5 is none of it"),
    (99, 22, "misplay", "y4 was to follow the y3 that all know: nothing called slot 1"),
    (145, 10, "", "a clue to g4 that its receiver can take for g2 or g3; slot 2 was no answer to it"),
    (145, 11, "misplay", "green could be g2, the new card or that of a teammate: nothing called slot 2"),
    (207, 51, "", "no token, nothing known, a 5 that fits with 50 %: only the chop could go"),
    (135, 53, "", "the same with four cards in the deck"),
    (7, 25, "strike_caused", "a 1 to y1 alone, which is trash, and its strike: one mark"),
    (41, 43, "strike_caused", "a 4 to p4 alone, which is trash, and its strike: one mark"),
    (203, 33, "strike_caused", "a clue to trash alone, and the strike that answered it: one mark"),
    (221, 13, "discard_clued", "g2, known and playable, was discarded: one mark"),
    (41, 21, "discard_clued", "r3, clued and likely playable, was discarded: one mark"),
    (57, 27, "misplay", "y4, a last copy, was risked although the y3 before it had just been thrown away"),
    (209, 8, "strike_caused", "p2 was called, g1 was played, and p3 did not fit"),
    (47, 32, "misplay", "r4 could not fit, whoever clued it"),
    (157, 19, "misplay", "a save was taken for a finesse"),
    (5, 48, "", "at all clue tokens, to draw one of the last cards"),
    (39, 52, "", "at all clue tokens, to draw the last card"),
    (51, 16, "call_missed", "a finesse was left for a discard, and p1 was clued instead"),
    (59, 32, "call_missed", "a finesse was left for an empty clue, and b3 was clued instead"),
    (105, 16, "", "r3, prompted, waited for two blind plays, and then for one clue"),
    (185, 39, "", "the only 4s that are needed and not seen are y4, and two were clued: either is trash"),
    (105, 10, "", "another card was played first, and the called one a turn later"),
    (111, 16, "", "a discard that the next player answers with the other y4"),
    (39, 9, "", "a clue to a card that is clued shows that it is trash"),
    (71, 18, "", "a tempo clue, after which b3 played"),
    (71, 58, "", "in the last round, g5 makes the same point as p5"),
    (13, 51, "", "with three cards in the deck, a clue to wait"),
    (125, 34, "", "r5 went, but its holder had a card to play"),
    (125, 35, "discard_five discard_last_copy", "g4 was told to be playable, and r5 went instead"),
    (9, 51, "", "the game was won"),
    (3, 53, "", "a misplay in a won game, by position it seems"),
    (3, 55, "", "a misplay in a won game, by position it seems"),
    (7, 15, "", "a teammate's clued p4 played on the next turn"),
    (31, 6, "", "a delayed play clue through the b3 and b4 of a teammate, to b5"),
    (31, 12, "", "a sarcastic discard"),
    (31, 15, "", "red to r5, against convention: no self-finesse of slot 1, which red did not touch"),
    (
        31,
        17,
        "misplay",
        "a blind play that answers the odd clue of turn 15, red to r5; but red had not touched slot 1: p2"
        " knew that it was no r1, and the 2 of turn 16 was a save, so p2 shares the fault",
    ),
    (41, 10, "", "a 5 pull, which nobody answers in this game: no call that was missed"),
    (
        71,
        25,
        "",
        "y3, which a tempo clue had moved off the chop: b3 was reason enough for the clue, and its holder"
        " discarded for the first time since",
    ),
    (119, 8, "", "g4 was moved off the chop only by the order in which 1s were played"),
    (31, 21, "", "y3 was moved off the chop, too, but no token was left, and no card was safer"),
    (31, 39, "", "p4, off the chop since a scream discard, was its holder's to keep, and p3 was called"),
    (
        31,
        40,
        "discard_last_copy",
        "p4, kept by a scream discard that its holder answered: the holder's points",
    ),
    (39, 31, "", "b3, which a shout discard had moved off the chop, and a called card to play blind"),
    (
        39,
        32,
        "discard_last_copy",
        "b3, kept by a shout discard that its holder answered: the holder's points",
    ),
    (39, 45, "discard_unsaved", "y3, off the chop like the r3 that its holder had just discarded: no points"),
    (
        107,
        32,
        "",
        "p4, after a discard of trash by a player who had left the same p3 before: no shout discard",
    ),
    (127, 35, "", "b2 was also on finesse position of the receiver, who played y4 first"),
    (207, 28, "", "g3, which a tempo clue had moved off the chop: r3 was reason enough for the clue"),
    (
        39,
        46,
        "discard_last_copy",
        "y3, kept by a trash chop move; its holder threw away the r3 that it kept, too: the holder's points",
    ),
    (57, 19, "call_missed", "y2, shown by the finesse that y1 answered, was left for known trash"),
    (165, 26, "call_missed", "g3 was left for known trash; both g4 were in sight"),
    (165, 17, "", "b1 or b2, while the next player has b1 on finesse position: to wait is right"),
    (161, 34, "", "g3 was left once"),
    (161, 37, "call_missed", "g3 was left again, with 4 tokens"),
    (107, 42, "call_missed", "p5 was left again, with 7 tokens, and never played"),
    (19, 31, "", "p2 waits once: without a token, the next player is locked"),
    (17, 23, "", "a fix clue: a teammate plays y2, and p1 would take the own y2 for y3"),
    (21, 31, "", "a 5's chop move of g4: with g4 to be saved, it is no stall after a double discard"),
    (21, 33, "discard_last_copy", "g4 was moved off the chop two turns before"),
    (25, 7, "", "two p1 for one clue; eight turns later nobody had fixed it"),
    (25, 14, "strike_caused", "the last who could fix the second p1, and discarded"),
    (167, 25, "", "both r2 for one clue; seven turns later nobody had fixed it"),
    (167, 31, "strike_caused", "the last who could fix the second r2, and discarded"),
    (97, 0, "", "both g1 of one clue, which a teammate could still fix after the first was played"),
    (97, 5, "", "a teammate who did not fix the second g1; its giver had another turn before it was played"),
    (97, 6, "strike_caused", "who had clued both g1 and told of p2 instead of fixing the second one"),
    (
        139,
        23,
        "discard_unsaved strike_caused",
        "yellow on the chop y3, taken for y2: the new chop was the last g3",
    ),
    (
        139,
        25,
        "call_missed",
        "g3 went although y3 seemed to be called, and was played a turn later",
    ),
    (
        129,
        52,
        "discard_out_of_pace strike_caused",
        "a strike took the last card: no time for y5",
    ),
    (17, 54, "misplay", "y3, p5 and g5 needed three turns of p1, who had two: the strike cost no point"),
    (191, 54, "misplay", "a save was taken for a finesse; after b5 as many points were in reach"),
    (191, 55, "discard_out_of_pace", "the last card was drawn instead of a clue"),
    (125, 33, "", "b4 by the moves of the others: p1, who saw this b3, had played the other one"),
    (57, 26, "", "y3 was behind y2, which its holder saw clued elsewhere: nothing was called"),
    (57, 27, "misplay", "y3 or y4, with y3 on the stack or not: a gamble with a last copy"),
    (
        31,
        30,
        "",
        "a scream discard, which saved p4 on the next chop: that the own chop was the last y3 is luck",
    ),
    (107, 48, "discard_out_of_pace misplay", "a strike at pace 0 costs a turn as a discard does"),
    (43, 54, "discard_out_of_pace misplay", "of two 5s in one hand only one was played in the last round"),
    (55, 22, "", "a 1 clued 20 turns before, which nobody expected to be played"),
    (175, 48, "misplay", "b1 from the chop, although the focus of the last clue, p5, was playable"),
    (137, 19, "", "a trash push of g4, behind the g3 that a finesse had called"),
    (137, 20, "misplay", "p3, perhaps playable, before y3, which a finesse had shown"),
    (67, 30, "strike_caused", "4 to g4, for which g2 and g3 were missing; the giver held both g3"),
    (67, 31, "misplay", "who saw both g3 there could tell that the 4 called no card, and shares the fault"),
    (69, 3, "strike_caused", "a stall with 5, against convention, which a blind play of p4 seems to answer"),
    (129, 43, "clue_bad_touch", "a dead p1 beside a known p5; the b3 that followed had been called before"),
    (121, 55, "discard_out_of_pace misplay", "the last turn, with b5 known to be playable"),
    (45, 9, "discard_unsaved", "p3, the last copy, went from the chop two turns later"),
    (45, 32, "", "a gentleman's discard"),
    (101, 52, "discard_out_of_pace", "the last card was taken, and the r5 of a teammate was never clued"),
    (129, 53, "fix_missed", "g5 could wait: a clue to y4 would have stopped the strike of y1, which cost y5"),
    (59, 6, "fix_missed", "g1 could wait: the second r1 of the next player was to be played"),
    (113, 42, "fix_missed", "a 4 to b4 again; blue would have shown the second b4, and b5"),
    (97, 27, "", "the b2 that was played seven turns later could still be fixed"),
    (
        93,
        36,
        "",
        "the giver does not see the own g5: g1 beside g4 on the stack seemed about to be played as g5",
    ),
    (97, 14, "", "both b2 for one clue; the second did no harm for 19 turns"),
    (
        97,
        33,
        "strike_caused",
        "4 told of b4, so that the other blue card, b2, seemed to be b3",
    ),
    (123, 44, "", "blue told of b4, which p0 should play before the second y3"),
    (129, 49, "clue_bad_touch", "the last token, for two green cards that are trash beside a known g5"),
    (187, 33, "", "a clue to trash with 7 tokens at pace 3: a discard would have cost a turn"),
    (
        93,
        41,
        "discard_over_play",
        "b5 was sure; the next chop was trash, so that no shout discard could keep it",
    ),
    (107, 39, "call_missed", "p5 was left for known trash; the next chop was trash: no shout discard"),
    (71, 32, "", "known trash instead of r3, without a token: the next player got one, and saved g3 with it"),
    (
        171,
        27,
        "discard_unsaved",
        "y4, for which a generation discard had left a token, was still on the chop",
    ),
    (197, 47, "", "a clue to trash; more tokens were left than cards to be played"),
    (145, 30, "", "the next player had a b2 to play, by a clue three turns before"),
    (221, 15, "", "red again to a known r1: the next player but one plays g2 at once"),
    (175, 19, "", "a 5's chop move keeps what the last token seemed to leave"),
    (
        41,
        18,
        "",
        "y2 answered the 3 to b3, which its holder took for y3 then, seeing y3 clued with the giver",
    ),
    (125, 10, "", "a trash push: r2 plays once r1, known to the player between, is played"),
    (125, 39, "", "yellow to a clued y4 told of the 4 beside it to play: it called no y2 of a later player"),
    (
        131,
        11,
        "discard_over_play",
        "g3 was sure, and no discard of r1 keeps anything for a player with r2 to play",
    ),
    (219, 46, "discard_unsaved", "y4, a last copy, on the next chop: the save came before the sure play"),
    (77, 12, "discard_unsaved", "r3, a last copy, on the next chop, and no clue for its holder: p1 can wait"),
    (85, 35, "", "y5 on the next chop, but its holder found a clue to give"),
    (23, 8, "", "b2 on the next chop was played at once"),
    (77, 10, "clue_repaired", "purple told of p1 in slot 1; it is p3, and a 3 had to fix it"),
    (67, 39, "clue_repaired", "red told of r5 on the chop; it is r1, and a 5 would have touched r5 alone"),
    (191, 6, "clue_repaired", "2 told of y2 in slot 2; it is the other r2"),
    (11, 6, "", "purple told of p2 on the chop; it is p3, but the two clues got p2, p3 and p5"),
    (67, 11, "", "4 told of y4 on the chop; it is p4, but the two clues got y4, p4 and y5"),
    (81, 47, "", "green told of g4 on the chop; it is g1, but no other card was still to be clued"),
    (
        131,
        1,
        "",
        "green to g3 on the chop: g1 was played blind, then the giver showed g3, so that g2 followed",
    ),
    (117, 12, "", "a clue to p3 that nothing explains; the clue to p2 that followed got p2"),
    (
        71,
        38,
        "call_missed",
        "r4 was called before r5; the own b1, known trash, keeps nothing for a busy player",
    ),
)
"""Verdicts of strong players: the game, the turn, what is blamed there, and why."""


@pytest.mark.parametrize(("game", "turn", "kinds", "comment"), VERDICTS)
@pytest.mark.heavy
def test_verdicts_of_real_games(game: int, turn: int, kinds: str, comment: str, real: Database) -> None:
    query = f"SELECT * FROM mistakes WHERE {BLAMED_SQL} AND game = ? AND turn = ? ORDER BY kind"
    rows = real.sql(query, [str(game), turn], temporary=True).to_dicts()
    assert [row["kind"] for row in rows] == kinds.split(), comment


EXPLAINED = (
    (7, 25, ": clued as playable, although the giver could see that it was trash or a duplicate", "knew"),
    (57, 22, "; g2 was missing", "could_tell"),
    (135, 6, "; the clue was about g3", "could_tell"),
    (25, 14, "; p1, who clued the card on turn 8, shares the fault", "could_tell"),
    (
        157,
        19,
        " (that of p0 on turn 19, which saved b4, the chop since the trash chop move of turn 17)",
        "could_tell",
    ),
    (113, 38, "; p0 could have fixed it on turn 43", "could_tell"),
    (97, 33, "; p2, who clued the card on turn 15, shares the fault", "could_tell"),
    (207, 32, "; the clue of turn 31 was a bluff, as the blind play of turn 32 had shown", "could_tell"),
    (
        139,
        25,
        "which a clue of the round before had seemed to call; it was y3, misplayed on turn 29",
        "could_tell",
    ),
    (191, 55, "; another move would have kept 2 points more within reach", "knew"),
    (21, 33, "; a 5's chop move by p1 had moved it off the chop on turn 32", "gamble"),
    (
        221,
        13,
        ": clued, and known not to be trash; 100% likely to be playable; p2 held g2, too, but not on"
        " finesse position, so it was not passed on",
        "knew",
    ),
    (145, 21, ": the unknown trash discharge of turn 20, which p2 answered on turn 21", "could_tell"),
    (117, 21, "; p2 held y3 on finesse position, but only a known card can be passed on", "could_tell"),
)


@pytest.mark.parametrize(("game", "turn", "ending", "severity"), EXPLAINED)
@pytest.mark.heavy
def test_what_a_second_mark_would_say_explains_the_first(
    game: int, turn: int, ending: str, severity: str, real: Database
) -> None:
    query = f"SELECT * FROM mistakes WHERE {BLAMED_SQL} AND game = ? AND turn = ?"
    [row] = real.sql(query, [str(game), turn], temporary=True).to_dicts()
    assert row["severity"] == severity
    assert worded(row)[0].endswith(ending)


BETTER = (
    (129, 52, "clue p0 4: y4, play clue", "y4 is needed; g4, trash, beside it"),
    (135, 6, "clue p1 5: y5, five stall", "nobody has discarded: a 5 goes before the chop"),
    (
        41,
        43,
        "clue p2 yellow: y3, hard burn",
        "the chop may be the last g4; a 5 to r5 could be p5, which plays",
    ),
    (97, 6, "clue p1 green: g1", "to fix the strike comes before a save of r2"),
    (215, 33, "clue p2 5: r5, five stall", "the chop may be the last r4: a 5 to whom all others could tell"),
    (37, 44, "clue p1 3: b3, tempo clue", "b4 waits for b3, which p1 let lie; r5 leads to nothing"),
    (31, 40, "clue p2 4: r4, tempo clue", "r4 may be either of two red cards; any discard was risky"),
    (
        157,
        19,
        "discard slot 5, 2% likely to be critical",
        "r3 was not let lie: its holder had to give a save",
    ),
    (
        107,
        49,
        "clue p0 purple: p5, tempo clue",
        "a clue that keeps the pace, and recalls the 5 that was let lie",
    ),
    (39, 32, "clue p0 2: y2, two save", "an own 2 may be y2, but any discard risks a last copy"),
    (77, 10, "clue p2 3: b3, fill in", "with all tokens, rather than green on the chop: g4 reads as g2"),
    (183, 3, "play slot 4 (called; 98% likely to be playable)", "p1 has b5 to save and will not discard p5"),
    (219, 55, "clue p2 yellow: y4, burn", "y5 waits for y4, and red would call r5 first"),
    (
        221,
        13,
        "clue p2 4: b4, critical save",
        "blue looks like b2, to be played at once; g4 is not yet playable",
    ),
    (87, 43, "clue p2 5: b5, five stall", "at zero pace a clue that may be of use is named"),
    (89, 27, "discard slot 4, known trash", "p0's own green card may well be g2, which p2 holds, too"),
    (117, 24, "clue p2 3: y3, play clue", "a new card comes before a tempo clue on b3"),
    (
        21,
        33,
        "discard slot 2, 11% likely to be critical",
        "g4 was kept; the chop is safer",
    ),
    (171, 11, "discard slot 5, known trash", "a clue had named y1, which p0 has played since"),
    (191, 42, "discard slot 4, known trash", "no finesse of b3: its holder sees the other one clued"),
    (149, 0, "clue p2 yellow: y1, play clue", "the first clue of a game is a choice, too"),
    (167, 31, "clue p2 green: r2, fix clue", "red would touch r1, and tell less"),
    (103, 32, "discard slot 1, 0% likely to be critical", "no blind play of the chop without a token"),
    (99, 22, "discard slot 3, 8% likely to be critical", "y4 waits, all clues were worse"),
    (
        41,
        21,
        "discard slot 5, 6% likely to be critical",
        "y3 stood clued with the giver of the 4: no own 3 was it",
    ),
    (201, 21, "play slot 2 (called; 95% likely to be playable)", "g3, played blind after the 4, told of g4"),
    (219, 46, "clue p2 4: y4, critical save", "the last y4 on the next chop comes before the known p5"),
    (
        7,
        29,
        "discard slot 4, 18% likely to be critical",
        "a 5 that is 46% likely to fit is lost otherwise: any chop is safer",
    ),
    (145, 21, "discard slot 1, known trash", "a discharge told that it is y1 or y2, no last copy: trash"),
    (221, 11, "clue p1 red: r1, play clue", "p0 takes b1 for r1, and sees the real one clued: two for one"),
    (171, 45, "clue p1 4: y4, critical save", "yellow would touch the trash y2, too"),
    (139, 25, "play slot 3", "y3, which the clue of the turn before the last seemed to call"),
    (179, 6, "clue p1 yellow: y1, fix clue", "the same number again would not tell that y1 is trash"),
    (87, 29, "clue p1 3: b3, play clue", "blue touches both b3, too, but gets g3 not as well"),
    (
        139,
        48,
        "discard slot 3, known trash",
        "rather than a 4 that was p4 or useless, with tokens to tell of it",
    ),
    (17, 54, "clue p1 3: y3, play clue", "y3 was called blind: the clue to wait with makes its play sure"),
)


@pytest.mark.parametrize(("game", "turn", "better", "comment"), BETTER)
@pytest.mark.heavy
def test_clues_where_there_is_no_clean_one(
    game: int, turn: int, better: str, comment: str, real: Database
) -> None:
    rows = real.sql(
        f"SELECT * FROM mistakes WHERE {BLAMED_SQL} AND game = ? AND turn = ?",
        [str(game), turn],
        temporary=True,
    ).to_dicts()
    assert {worded(row)[1] for row in rows} == {better}, comment


def test_a_play_against_an_answered_signal_above_the_level_of_the_players_is_a_gamble(tmp_path: Path) -> None:
    """In game 145 alone, only the answer of p2 shows that its players read signals of level 16."""
    [game] = [line["game"] for line in golden("real-3p") if line["name"] == "g0145"]
    (tmp_path / "game.json").write_text(json.dumps(game))
    [strike] = hz.mistakes(hz.replay(hz.load(tmp_path / "game.json"))).filter(pl.col("turn") == 21).to_dicts()
    assert (strike["severity"], strike["basis"]) == ("gamble", "convention")
    assert worded(strike)[0].endswith(
        ": the unknown trash discharge of turn 20, which p2 answered on turn 21"
    )


@pytest.mark.heavy
def test_a_clue_to_both_copies_in_a_hand_gets_one_play(real: Database) -> None:
    """In game 87 both b3 lie in one hand, one clued 3; blue gets b3 played, at pace 1, with tokens left."""
    query = """SELECT better_seat, better_clue, better_value FROM better_moves
        WHERE game = '87' AND turn IN (41, 42)"""
    rows = real.sql(query).rows()
    assert rows == [(1, "blue", "b3")] * 2


@pytest.mark.heavy
def test_no_chop_is_advised_before_the_first_discard_if_there_is_a_clue(real: Database) -> None:
    """Of the turns on which a discard ends the early game, none is advised to do so if a 5 stall is there."""
    early = """FROM better_moves b JOIN convention_opportunities o USING (game_id, turn)
        WHERE o.stall_severity = 1 AND o.clue_convention IS NOT NULL"""
    advised = dict(real.sql(f"SELECT b.better_kind, count(*) {early} GROUP BY ALL").rows())
    assert advised["clue"] > 300
    chops = f"SELECT count(*) {early} AND b.better_kind = 'discard' AND b.better_value IS NULL"
    assert real.sql(chops).item() == 0


@pytest.mark.heavy
def test_after_a_wrong_prompt_the_card_behind_it_is_called(real: Database) -> None:
    """Slot 2 was on finesse position at the clue, and was played; in game 137 it was y2, so slot 5 is y3."""
    query = "SELECT {} JOIN games g USING (game_id) WHERE g.source_id = {} AND turn = {}"
    for game, turn in ((35, 20), (137, 18)):
        plays = query.format("convention FROM conventions c", game, turn)
        assert real.sql(plays, temporary=True).item() == "blind_play"
    slots = query.format("playable_slots FROM convention_opportunities o", 137, 20)
    assert real.sql(slots, temporary=True).item() == 0b10000


def test_a_discard_of_the_chop_calls_no_unlikely_play() -> None:
    """On turns 69 and 71 the chop goes although the clued 4s are trash: it may call slot 2, 34% playable."""
    played = hz.replay(hz.load(shared("logs/hanabi-data/game01a5c7c849fcd2e9.log")))
    assert hz.findings(played).filter(pl.col("convention") == "positional_discard")["turn"].to_list() == [
        68,
        70,
        72,
    ]
    missed = hz.mistakes(played, "call_missed")["turn"].to_list()
    assert missed == [30], "y2 was left for two discards; nothing near the end was called"


@pytest.mark.heavy
def test_near_the_end_a_clue_is_named_where_only_a_clue_keeps_the_points(real: Database) -> None:
    """A clue that is allowed, or the one that was given is the only one."""
    rows = real.sql(
        """SELECT o.clue_convention IS NOT NULL AS named, count(*) FROM convention_opportunities o
        WHERE o.last_clue AND NOT o.last_discard AND o.last_plays = 0 GROUP BY ALL""",
        temporary=True,
    ).rows()
    assert dict(rows)[True] >= 0.9 * sum(count for _, count in rows)


@pytest.mark.heavy
def test_what_is_one_choice_depends_on_the_threshold_of_plays(real: Database) -> None:
    """In game 207, turn 51, a play of exactly 50 % is likely, or not, as the threshold says."""
    query = "SELECT one_choice FROM decisions WHERE game = '207' AND turn = 51"
    try:
        assert real.sql(query).item() == "no_token"
        real.judge(play_threshold=0.5)
        assert real.sql(query).item() is None
    finally:
        real.judge()


@pytest.mark.heavy
def test_no_play_is_advised_that_could_end_the_game(real: Database) -> None:
    """In game 31, turn 40, the tip was a card of 25 % at two strikes; it is a clue to a known play."""
    [row] = real.sql(
        "SELECT better_kind FROM mistakes WHERE game = '31' AND turn = 40", temporary=True
    ).to_dicts()
    assert row["better_kind"] == "clue"


@pytest.mark.heavy
def test_a_turn_has_one_better_move(real: Database) -> None:
    several = real.sql(
        "SELECT game, turn FROM mistakes GROUP BY ALL"
        " HAVING count(DISTINCT (better_kind, better_slot, better_seat, better_clue)) > 1",
        temporary=True,
    )
    assert several.is_empty()


TIPS = """
WITH tips AS (
    SELECT DISTINCT m.game_id, m.turn, t.seat, m.better_slot, t.strikes_before, t.stacks_before
    FROM mistakes m JOIN turns t USING (game_id, turn) WHERE m.better_kind = 'play'
),
held AS (
    SELECT t.*, c.suit, c.rank,
        row_number() OVER (PARTITION BY t.game_id, t.turn ORDER BY c."order" DESC) AS slot
    FROM tips t JOIN cards c ON c.game_id = t.game_id AND c.holder = t.seat
        AND coalesce(c.drawn_turn, -1) < t.turn AND coalesce(c.fate_turn, 999) >= t.turn
)
SELECT strikes_before >= 2 AS last, count(*) AS tips, count_if(stacks_before[suit + 1] = rank - 1) AS fit
FROM held WHERE slot = better_slot GROUP BY ALL
"""


@pytest.mark.heavy
def test_cards_to_play_instead_fit_more_often_than_the_threshold(real: Database) -> None:
    """At least 60 %, and 90 % at the last strike but one; hidden cards were not looked at to advise them."""
    rows = {row["last"]: row for row in real.sql(TIPS, temporary=True).to_dicts()}
    assert rows[False]["tips"] >= 40
    assert rows[False]["fit"] >= 0.6 * rows[False]["tips"]
    assert all(row["fit"] >= 0.9 * row["tips"] for last, row in rows.items() if last)


@pytest.mark.heavy
def test_hardly_any_move_is_blamed_that_conventions_allow_and_that_worked(real: Database) -> None:
    """At most 2 % of the uses of each kind of message that was allowed and successful.

    Missed calls and missed fixes do not count: they blame what was left undone, not the move.
    """
    rows = real.sql(
        f"""SELECT f.convention, count(*) AS uses, count_if(m.turn IS NOT NULL) AS blamed
        FROM findings f
        LEFT JOIN (
            SELECT DISTINCT game_id, turn FROM mistakes
            WHERE {BLAMED_SQL} AND kind NOT IN ('call_missed', 'fix_missed')
        ) m ON m.game_id = f.game_id AND m.turn = f.turn
        WHERE f.number = 0 AND f.legal AND f.outcome IN ('success', 'nothing_expected')
        GROUP BY ALL""",
        temporary=True,
    ).to_dicts()
    assert sum(row["uses"] for row in rows) > 4000
    assert [row for row in rows if row["blamed"] > 0.02 * row["uses"]] == []


@pytest.mark.heavy
def test_perfect_games_carry_few_blaming_marks(real: Database) -> None:
    """They carried 163 when meanings did not count; at most a third of that."""
    query = (
        "SELECT count(*) FROM mistakes m JOIN games g USING (game_id)"
        f" WHERE {BLAMED_SQL} AND score = full_score"
    )
    assert real.sql(query, temporary=True).item() <= 163 / 3


@pytest.mark.heavy
def test_who_is_blamed_is_who_erred(real: Database) -> None:
    """A row never blames one player for what another is at fault for."""
    others = real.sql(
        f"SELECT game, turn, kind FROM mistakes WHERE {BLAMED_SQL} AND fault_seat <> seat", temporary=True
    )
    assert others.is_empty()


@pytest.mark.heavy
def test_a_strike_has_one_culprit_or_two_who_share_it(real: Database) -> None:
    """A misplay that others answer for is blamed on their turn, and on no other."""
    strikes = real.sql(
        """
        SELECT o.fault::VARCHAR AS fault, count(*) FILTER (m.kind = 'misplay') AS own,
            count(*) FILTER (m.kind = 'strike_caused') AS others
        FROM convention_outcomes o
        LEFT JOIN mistakes m ON m.game_id = o.game_id
            AND m.severity NOT IN ('could_not_know', 'nothing_to_lose', 'forced')
            AND (m.kind = 'misplay' AND m.turn = o.turn
                OR m.kind = 'strike_caused' AND json_extract(m.evidence_values, '$.turn')::INTEGER = o.turn)
        WHERE o.number = 0 AND o.fault <> 'none'
        GROUP BY o.game_id, o.turn, o.fault
        """,
        temporary=True,
    ).rows()
    assert {fault for fault, *_ in strikes} >= {"giver", "player", "shared", "third"}
    for fault, own, others in strikes:
        assert own <= 1
        assert others == (fault in ("giver", "third", "shared"))
        if fault in ("giver", "third", "nobody"):
            assert own == 0


@pytest.mark.heavy
def test_who_carries_the_points_of_a_card_that_messages_had_kept(real: Database) -> None:
    """The holder, even if the holder had thrown away another card that they kept."""
    rows = """SELECT game, turn, points FROM mistakes
        WHERE kind IN ('discard_unsaved', 'discard_last_copy') AND (game, turn) IN (
            ('31', 40), ('39', 32), ('39', 45), ('39', 46)
        ) ORDER BY ALL"""
    found = real.sql(rows, temporary=True).rows()
    assert [points for game, _, points in found if game == "31"] == [2]
    assert [points for game, _, points in found if game == "39"] == [3, 0, 3]


@pytest.mark.heavy
def test_who_carries_the_points_of_a_card_played_before_a_missing_one(real: Database) -> None:
    """Who misplayed b4, and saw the clued b3 that a teammate had left; that turn shares the fault."""
    rows = """SELECT turn, points FROM mistakes
        WHERE game = '37' AND kind IN ('misplay', 'strike_caused') AND turn IN (43, 44) ORDER BY ALL"""
    assert real.sql(rows, temporary=True).rows() == [(43, 0), (44, 2)]


@pytest.mark.heavy
def test_points_add_up_by_the_seat_that_is_charged(real: Database) -> None:
    """With conventions: every point that stacks lost once, and no more points out of time than were left."""
    [(lost, unplayed)] = real.sql(
        "SELECT sum(full_score - max_score), sum(max_score - raw_score) FROM games"
    ).rows()
    by_kind = """SELECT kind = 'discard_out_of_pace' AS late, charged_seat, sum(points) FROM mistakes
        WHERE points > 0 GROUP BY ALL"""
    rows = real.sql(by_kind, temporary=True).rows()
    assert sum(points for late, _, points in rows if not late) == lost
    assert 0 < sum(points for late, _, points in rows if late) <= unplayed
    assert {seat for _, seat, _ in rows} == {0, 1, 2, None}  # nobody is to blame for the last y3 of one game


@pytest.mark.heavy
def test_a_lost_turn_costs_what_the_search_of_the_endgame_says(real: Database) -> None:
    """After the discard 22 points were the most, before it 24; the strike left 24 of 25."""
    rows = """SELECT game, turn, points FROM mistakes WHERE kind = 'discard_out_of_pace'
        AND (game, turn) IN (('191', 55), ('129', 52)) ORDER BY ALL"""
    assert real.sql(rows, temporary=True).rows() == [("129", 52, 1), ("191", 55, 2)]


ENDINGS = (
    (
        219,
        55,
        "clue",
        "one card left, p5, y4, y5 and r5 to play, two of them in one hand: only a clue leaves time",
    ),
    (17, 51, "clue", "pace 1, y3 in the deck of three: of two turns without a play a clue costs none"),
    (43, 54, "play", "one card left: g5 now and r5 in the last round, after r4"),
)


@pytest.mark.parametrize(("game", "turn", "better", "comment"), ENDINGS)
@pytest.mark.heavy
def test_tips_near_the_end_leave_time_for_the_points(
    game: int, turn: int, better: str | None, comment: str, real: Database
) -> None:
    rows = real.sql(
        "SELECT better_kind FROM mistakes WHERE game = ? AND turn = ?", [str(game), turn], temporary=True
    ).to_dicts()
    assert {row["better_kind"] for row in rows} == {better}, comment


@pytest.mark.heavy
@pytest.mark.heavy
def test_mistakes_of_the_discard_family_are_discards(real: Database) -> None:
    """Except missed saves, which are found on the turn of the player who did not save."""
    kinds = [kind for kind, one in definitions().items() if one.family == "discard"]
    query = """SELECT kind, result FROM mistakes JOIN decisions USING (game_id, turn)
        WHERE kind IN (SELECT unnest(?))"""
    found = real.sql(query, [[kind for kind in kinds if kind != "discard_unsaved"]])
    assert set(found["result"]) == {"discarded"}
    assert found["kind"].n_unique() > 5
    lost = real.sql(query, [["discard_out_of_pace"]])
    assert set(lost["result"]) == {"clued", "discarded", "misplayed"}


@pytest.mark.heavy
def test_a_database_is_judged_by_logic_as_if_not_read(real: Database) -> None:
    with hz.connect() as unread:
        unread.ingest(SAMPLES, jobs=1)
        with hz.connect() as read:
            read.ingest(SAMPLES, jobs=1)
            read.read_conventions()
            meant = read.mistakes()
            read.judge(by_logic=True)
            assert read.mistakes().equals(unread.mistakes())
            keys = read.games()["game_id"].to_list()
            read.judge(by_logic=keys[:1])
            some = read.mistakes()
            of_game = pl.col("game_id") == keys[0]
            by_logic = unread.mistakes().filter(of_game)
            deduced = ~pl.col("kind").str.starts_with("clue") & (pl.col("kind") != "discard_unsaved")
            deduced &= pl.col("severity").is_in(["knew", *BLAMELESS])
            left = some.filter(of_game)
            assert left.filter(deduced & (pl.col("severity") == "knew")).equals(
                by_logic.filter(deduced & (pl.col("severity") == "knew"))
            )
            assert left.filter(~deduced)["severity"].unique().to_list() in ([], ["could_not_know"])
            assert left["points"].sum() == by_logic["points"].sum()
            assert some.filter(pl.col("game_id") != keys[0]).equals(
                meant.filter(pl.col("game_id") != keys[0])
            )
            for nothing in (False, ()):
                read.judge(by_logic=nothing)
                assert read.mistakes().equals(meant)


@pytest.mark.heavy
def test_the_threshold_of_plays(real: Database) -> None:
    """In game 185, turn 14, a card of 82 % was discarded; at two strikes 0.9 counts anyway."""
    query = f"SELECT count(*) FROM mistakes WHERE kind = 'discard_playable' AND {BLAMED_SQL}"
    usual = real.sql(query).item()
    try:
        real.judge(play_threshold=0.95)
        assert real.sql(query).item() < usual
        real.judge(play_threshold=0.3)
        assert real.sql(query).item() > usual
    finally:
        real.judge()
    for wrong in (0, -1, 1.01):
        with pytest.raises(hz.HanalyzeError, match="not a chance") as caught:
            real.judge(play_threshold=wrong)
        assert caught.value.rule == "bad_threshold"


@pytest.mark.heavy
def test_games_of_another_system(real: Database) -> None:
    """Of the 111 games one was played by other conventions."""
    [other] = games_of_others(real)
    assert real.sql("SELECT source_id FROM games WHERE game_id = ?", [other]).item() == 201


@pytest.mark.heavy
def test_clues_and_risks_of_another_system_are_not_judged(real: Database) -> None:
    """Their clues to trash called plays of other players, and the discards beside known trash were called."""
    [other] = games_of_others(real)
    query = f"SELECT kind FROM mistakes WHERE game_id = {other} AND {BLAMED_SQL}"
    try:
        real.judge(by_logic=True)
        assert real.sql(query)["kind"].to_list().count("clue_bad_touch") == 5
        real.judge(by_logic=[other])
        assert real.sql(query).is_empty()
    finally:
        real.judge()

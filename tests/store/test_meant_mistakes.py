"""Mistakes of games that were read for conventions: what moves meant, whose fault a strike was, what was
better.

In: logs made here, with positions judged by hand, and the real games of the shared golden values, with
verdicts as a strong player would give them. Out: that the database finds the mistakes named here and no
others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import hanalyze as hz
from hanalyze.logs import write
from hanalyze.store import Database
from hanalyze.store.mistakes import BLAMED_SQL
from hanalyze.store.wording import better_parts, evidence_parts, sentence
from tests.cases.positions import Log, record
from tests.shared import golden

pytest.importorskip("duckdb", reason="mistakes are found by DuckDB")

Row = dict[str, Any]


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
FINESSE = "y3 g3 b4 p4 y4  g4 b3 p3 y3 r1  p4 b4 y4 g4 r2  r3 g1 b1 p1 y1"
CASES = (
    Meant("the finesse waits once", FINESSE, "c2:r d5 d5 d5 p2", 1, "", "", "",
          "Bob may have seen something better to do; the call is still open"),
    Meant("the finesse is left", FINESSE, "c2:r d5 d5 d5 d5 d5", 4,
          "call_missed:could_tell discard_bottom_deck:could_not_know",
          "did not play slot 2, which the finesse of P0 had called on turn 1", "play slot 2",
          "Bob drew a card after the first discard, so that r1 is in slot 2"),
    Meant("the finesse is answered", FINESSE, "c2:r p1", 1, "", "", "", "r1 plays blind"),
    Meant("the giver's strike: the clue", BLUNDER, "c1:r p1", 0,
          "strike_caused:could_tell",
          "P1 misplayed r3 on turn 2: clued as playable, but it was not", "*",
          "r3 with empty stacks: nobody has r1 and r2 to play first"),
    Meant("the giver's strike: the play", BLUNDER, "c1:r p1", 1,
          "misplay:could_not_know", "*", "*", "the player did what the clue said"),
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
    (29, 46, "", "a clue again to r5, which the finesse of r4 brings: two points, no mistake"),
    (51, 24, "", "a gentleman's discard"),
    (51, 29, "", "a trash chop move"),
    (51, 38, "", "a trash push of b3, which played"),
    (51, 53, "", "the game was won"),
    (9, 51, "", "the game was won"),
    (3, 53, "", "a misplay in a won game, by position it seems"),
    (3, 55, "", "a misplay in a won game, by position it seems"),
    (7, 15, "", "a teammate's clued p4 played on the next turn"),
    (31, 6, "", "a delayed play clue through the b3 and b4 of a teammate, to b5"),
    (31, 12, "", "a sarcastic discard"),
    (31, 17, "misplay", "a blind play that answers the odd clue of turn 15"),
    (31, 39, "discard_unsaved", "p4, the last copy, went from the chop two turns later"),
    (31, 40, "discard_last_copy", "a point was lost, and there is nothing better to advise"),
    (45, 9, "discard_unsaved", "p3, the last copy, went from the chop two turns later"),
    (45, 32, "", "a gentleman's discard"),
    (175, 19, "", "a 5's chop move keeps what the last token seemed to leave"),
)
"""Verdicts of strong players: the game, the turn, what is blamed there, and why."""


@pytest.mark.parametrize(("game", "turn", "kinds", "comment"), VERDICTS)
def test_verdicts_of_real_games(game: int, turn: int, kinds: str, comment: str, real: Database) -> None:
    query = f"SELECT * FROM mistakes WHERE {BLAMED_SQL} AND game = ? AND turn = ? ORDER BY kind"
    rows = real.sql(query, [str(game), turn], temporary=True).to_dicts()
    assert [row["kind"] for row in rows] == kinds.split(), comment


def test_no_play_is_advised_that_could_end_the_game(real: Database) -> None:
    """In game 31, turn 40, the tip was a card of 25 % at two strikes."""
    [row] = real.sql(
        "SELECT better_kind FROM mistakes WHERE game = '31' AND turn = 40", temporary=True
    ).to_dicts()
    assert row["better_kind"] is None


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


def test_cards_to_play_instead_fit_more_often_than_the_threshold(real: Database) -> None:
    """At least 60 %, and 90 % at the last strike but one; hidden cards were not looked at to advise them."""
    rows = {row["last"]: row for row in real.sql(TIPS, temporary=True).to_dicts()}
    assert rows[False]["tips"] >= 40
    assert rows[False]["fit"] >= 0.6 * rows[False]["tips"]
    assert all(row["fit"] >= 0.9 * row["tips"] for last, row in rows.items() if last)


def test_hardly_any_move_is_blamed_that_conventions_allow_and_that_worked(real: Database) -> None:
    """At most 2 % of the uses of each kind of message that was allowed and successful."""
    rows = real.sql(
        f"""SELECT f.convention, count(*) AS uses, count_if(m.turn IS NOT NULL) AS blamed
        FROM findings f
        LEFT JOIN (
            SELECT DISTINCT game_id, turn FROM mistakes WHERE {BLAMED_SQL} AND kind <> 'call_missed'
        ) m ON m.game_id = f.game_id AND m.turn = f.turn
        WHERE f.number = 0 AND f.legal AND f.outcome IN ('success', 'nothing_expected')
        GROUP BY ALL""",
        temporary=True,
    ).to_dicts()
    assert sum(row["uses"] for row in rows) > 4000
    assert [row for row in rows if row["blamed"] > 0.02 * row["uses"]] == []


def test_perfect_games_carry_few_blaming_marks(real: Database) -> None:
    """They carried 163 when meanings did not count; at most a third of that."""
    query = (
        "SELECT count(*) FROM mistakes m JOIN games g USING (game_id)"
        f" WHERE {BLAMED_SQL} AND score = full_score"
    )
    assert real.sql(query, temporary=True).item() <= 163 / 3

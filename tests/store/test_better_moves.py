"""Better moves: what the view `better_moves` advises, on logs written by hand and on recorded games.

In: logs whose odds are worked out by hand; real games. Out: the better move in words; that no discard is
advised which the definitions of mistakes would blame, had it been made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

import hanalyze as hz
from hanalyze.game.actions import Action, ActionKind
from hanalyze.logs.record import GameRecord
from hanalyze.solver.ranking import MoveChance
from hanalyze.store import Database
from hanalyze.store.mistakes import BLAMED_SQL
from hanalyze.store.wording import better_parts, sentence
from tests.cases.positions import Log, record
from tests.shared import golden

pytest.importorskip("duckdb", reason="mistakes are found by DuckDB")

Row = dict[str, Any]


class Advice(NamedTuple):
    """A log of two players, judged by logic at its last turn."""

    name: str
    deck: str
    actions: str
    better: str
    comment: str


BY_LOGIC = (
    Advice("a clued card is kept", "r5 y5 g2 b4 p4 r3 y4 g4 b4 p2", "c1:3 p1",
           "discard slot 4, 9% likely to be critical",
           "slot 5, a 3, never is critical, but is needed; of 45 unseen 35 are no 3s, three of these are 5s"),
    Advice("the chop is not safe enough", "r4 y4 g2 b4 p4 r3 y2 g4 b1 p2", "c1:3 p1", "",
           "five 5s of 35: 14 %"),
    Advice("a sure play is made", "r5 y5 g2 b4 p4 r1 y4 g4 b4 p2", "c1:1 p5", "",
           "a 1 on empty stacks: no discard instead of it"),
    Advice("known trash is played", "r1 r5 g2 b4 p4 r1 y4 g4 b4 p2", "p5 c0:5 c1:1 c0:2 c1:r p5",
           "discard slot 5, known trash", "red 1, and red is at 1"),
    Advice("after a loss", "r5 y5 g2 b5 p4 r3 y3 g1 b4 p2", "c1:4 c0:5 d3 p1", "",
           "35 unseen are no 4s, and critical are g5, p5 and g2, just lost: 3/35, but it may be that g2"),
)  # fmt: skip


@pytest.mark.parametrize("case", BY_LOGIC, ids=lambda case: case.name)
def test_by_logic_no_discard_is_advised_that_would_be_blamed(case: Advice) -> None:
    log = Log(2, "No Variant", "", "", case.deck, case.actions)
    with hz.connect() as db:
        db.add([record(log, 0)])
        [row] = db.sql("FROM better_moves ORDER BY turn DESC LIMIT 1").to_dicts()
    assert sentence(better_parts(row), ["Ann", "Ben"]) == case.better, case.comment


@pytest.mark.parametrize(("tokens", "better"), [(8, "give any clue"), (1, "")])
def test_any_clue_is_better_than_a_discard_that_costs_a_point(tokens: int, better: str) -> None:
    """Nothing is played, ten cards are left: pace 0 + 10 - 15 + 5 = 0. Without a token there is no clue."""
    deck = "r3 g4 b3 r4 g1 b2 b3 r2 b1 g2 r3 b4 g4 b4 r4 g3 r1 r1 g1 b1"
    log = Log(5, "3 Suits", f"hanab-live+clue_tokens={tokens}", "", deck, "c1:r d2")
    with hz.connect() as db:
        db.add([record(log, 0)])
        [row] = db.sql("FROM better_moves ORDER BY turn DESC LIMIT 1").to_dicts()
    assert sentence(better_parts(row), ["Ann", "Ben", "Cat", "Dan", "Eve"]) == better


@pytest.mark.parametrize(("other", "clue"), [("g3", "red"), ("r4", "3")])
def test_a_save_is_named_and_touches_few_cards(other: str, clue: str) -> None:
    """Alice has discarded the first r3 and leaves the second on Bob's chop, beside another 3 or red card."""
    deck = f"r3 y4 g4 b4 p4 r3 {other} y2 b2 p2 g1 b1 p1"
    log = Log(2, "No Variant", "", "", deck, "c1:2 c0:4 d5 c0:4 d5 d5")
    [row] = hz.mistakes(hz.replay(record(log, 0)), "discard_unsaved", level=0).to_dicts()
    assert (row["turn"], hz.worded(row)[1]) == (4, f"clue Bob {clue}: r3")


def test_a_fix_names_what_the_card_does_not_show_yet() -> None:
    """Game 20: p4 was clued 4 a turn earlier, and purple touches only it."""
    game = hz.replay(hz.load(json.dumps(golden("real-3p")[20]["game"])))
    [row] = hz.mistakes(game, "fix_missed").to_dicts()
    assert (row["turn"], hz.worded(row)[1]) == (44, "clue p0 purple: p4")


def test_a_clue_that_would_lead_to_a_strike_is_not_advised() -> None:
    """Game 48: 4 gets p4, but touches b4, too, so that b2, the other blue card, would be played as b3."""
    game = hz.replay(hz.load(json.dumps(golden("real-3p")[48]["game"])))
    [better] = {hz.worded(row)[1] for row in hz.mistakes(game).to_dicts() if row["turn"] == 33}
    assert better == "clue p2 purple: p5, and p4 by finesse"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, list[GameRecord]]]:
    """Yield a database of real games, read for conventions, and their records, whose ids are their places."""
    path = tmp_path_factory.mktemp("real") / "games.jsonl"
    with path.open("w") as file:
        for number, line in enumerate(golden("real-3p")):
            file.write(json.dumps({**line["game"], "id": number}) + "\n")
    with hz.connect() as db:
        db.ingest(path)
        db.read_conventions()
        yield db, [one for one in hz.read(path) if isinstance(one, GameRecord)]


def _had_it_been_made(row: Row, records: list[GameRecord], number: int) -> GameRecord:
    """Return a game up to a turn, and then the discard that is advised there."""
    game = records[row["game"]]
    hand = hz.replay(game).state(row["turn"]).hands[row["seat"]]
    order = sorted((held.order for held in hand), reverse=True)[row["better_slot"] - 1]
    discard = Action(ActionKind.DISCARD, order, 0)
    return replace(game, id=number, actions=[*game.actions[: row["turn"]], discard])


@pytest.mark.parametrize("by_logic", [False, True])
@pytest.mark.heavy
def test_an_advised_discard_would_not_be_blamed(
    by_logic: bool, real: tuple[Database, list[GameRecord]]
) -> None:
    """The games are cut at the turn, the discard is made, and the definitions judge it."""
    db, records = real
    db.judge(by_logic=by_logic)
    rows = db.sql(
        """SELECT g.source_id::INTEGER AS game, b.turn, b.seat, b.better_slot
        FROM better_moves b JOIN games g ON g.game_id = b.game_id
        WHERE b.better_kind = 'discard' AND (b.turn + g.source_id::INTEGER) % 2 = 0 ORDER BY ALL""",
    ).to_dicts()
    db.judge()
    assert len(rows) > 300
    with hz.connect() as cut:
        cut.add(_had_it_been_made(row, records, number) for number, row in enumerate(rows))
        cut.read_conventions()
        cut.judge(by_logic=by_logic)
        blamed = cut.sql(
            f"""SELECT g.source_id, m.turn, m.kind FROM mistakes m JOIN games g ON g.game_id = m.game_id
            WHERE {BLAMED_SQL} AND m.turn = g.turns - 1 AND m.seat = m.turn % g.players"""
        )
    assert [(rows[int(number)], kind) for number, _, kind in blamed.rows()] == []


@pytest.mark.heavy
def test_a_clue_that_passes_the_turn_keeps_more_points_than_the_chop(
    real: tuple[Database, list[GameRecord]],
) -> None:
    """Held against the solver, over deals that fit what the player knows."""
    db, records = real
    rows = db.sql(
        """SELECT g.source_id::INTEGER AS game, b.turn, b.seat, b.better_seat, o.clue_kind, o.clue_value,
            o.chop_slot
        FROM better_moves b
        JOIN games g ON g.game_id = b.game_id
        JOIN turns t ON t.game_id = b.game_id AND t.turn = b.turn
        JOIN convention_opportunities o ON o.game_id = b.game_id AND o.turn = b.turn
        WHERE b.better_kind = 'clue' AND o.clue_stalls AND t.pace_before <= 1 AND t.clue_tokens_before >= 2
            AND t.could_discard AND t.deck_before > 2 AND o.chop_slot IS NOT NULL
        ORDER BY ALL"""
    ).to_dicts()
    assert len(rows) >= 5
    for row in rows:
        game = hz.replay(records[row["game"]])
        moves = hz.rank_moves(game, row["turn"], seat=row["seat"], sampling=hz.Sampling(40), nodes=5000)
        keeps = {one.action: one.keeps for one in moves if isinstance(one, MoveChance)}
        hand = sorted((held.order for held in game.state(row["turn"]).hands[row["seat"]]), reverse=True)
        clue = Action(ActionKind[row["clue_kind"].upper()], row["better_seat"], row["clue_value"])
        assert keeps[clue] >= keeps[Action(ActionKind.DISCARD, hand[row["chop_slot"] - 1], 0)], row

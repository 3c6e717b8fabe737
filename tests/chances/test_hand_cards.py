"""Rows of cards in hands, and their features, worked by hand; the odds are those of the table `turns`.

The game: two players, Alice holds orders 0 to 4, Bob 5 to 9. Turns, as columns count them:

    0  Alice clues Bob rank 1: his 5 and 6, the red and the yellow one, not 7, 8, 9
    1  Bob plays order 5, draws 10
    2  Alice discards order 0, draws 11
    3  Bob clues Alice rank 3: her 1, not 2, 3, 4, 11
    4  Alice discards order 2, draws 12
    5  Bob plays order 6
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hanalyze.agents import simulate
from hanalyze.chances.model import SETS, HandCards, design, read_hand_cards
from hanalyze.conventions.run import read_games
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.game.actions import Action
from hanalyze.game.cards import RANK_SLOTS, Card
from hanalyze.kernels.compiling import can_compile
from hanalyze.logs import GameRecord
from hanalyze.replaying import replay
from hanalyze.tables.chances import ACTS, PLACES
from tests.building import game
from tests.shared import golden

DECK = "g4 b3 p2 p2 p4 r1 y1 g2 b4 b5 r2 y2 g1"
MOVES = "clue 1 1, play 5, discard 0, clue 0 3, discard 2, play 6"


def rows() -> HandCards:
    return read_hand_cards(make_batch(deal_records([game(MOVES, DECK)])), fast=False)


def row(turn: int, order: int) -> dict[str, Any]:
    columns = rows().columns
    [found] = np.flatnonzero((columns["turn"] == turn) & (columns["order"] == order)).tolist()
    return {name: column[found].item() for name, column in columns.items()}


def test_a_row_for_each_card_of_each_hand() -> None:
    columns = rows().columns
    assert columns["turn"].tolist() == [turn for turn in range(6) for _ in range(5)]
    assert columns["order"].tolist()[10:15] == [0, 1, 2, 3, 4]
    assert columns["slot"].tolist()[10:15] == [5, 4, 3, 2, 1]
    assert columns["order"].tolist()[15:20] == [6, 7, 8, 9, 10]
    assert columns["order"].tolist()[20:25] == [1, 2, 3, 4, 11]
    # At turn 4 Alice's 1 was clued, so 2 is the chop.
    assert [PLACES[one] for one in columns["place"].tolist()[20:25]] == [
        "clued",
        "chop",
        "unclued",
        "unclued",
        "unclued",
    ]


def test_what_a_card_has_been_through() -> None:
    # Order 2, on Alice's chop at turn 4: first there when 1 was clued, after turn 3, so from turn 4 on.
    chop = row(4, 2)
    assert (chop["held"], chop["on_chop"], chop["spared"], chop["spared_discards"]) == (4, 0, 0, 0)
    assert (chop["touches"], chop["misses"]) == (0, 1)
    assert ACTS[chop["act"]] == "discard"
    # Order 0 at turn 2: chop since turn 0; Bob had one turn, with a token, and played.
    first = row(2, 0)
    assert (first["held"], first["on_chop"], first["spared"], first["spared_discards"]) == (2, 2, 1, 0)
    # Order 7 at turn 5, Bob's: chop from turn 1 on, since 5 and 6 were clued on turn 0; Alice had the turns
    # 2 and 4 with a token, and discarded on both; one clue to his hand did not touch it.
    seven = row(5, 7)
    assert (seven["on_chop"], seven["spared"], seven["spared_discards"], seven["misses"]) == (4, 2, 2, 1)
    assert PLACES[seven["place"]] == "chop"
    # Order 10, drawn on turn 1, is there from turn 2 on; the clue of turn 0 was before it came.
    ten = row(3, 10)
    assert (ten["held"], ten["misses"]) == (1, 0)
    # Order 6: clued once, called a 1, playable. By the messages, too.
    six = row(5, 6)
    assert (six["touches"], six["misses"], six["playable"], six["plays"]) == (1, 0, True, True)


def test_the_table_before_the_turn() -> None:
    chop = row(4, 2)
    # Eight tokens, less two clues, and one for the discard of turn 2; 50 cards, 10 dealt, two drawn; red is
    # at 1; nothing that the stacks need is lost for good: 1 + 38 - 25 + 2.
    assert (chop["players"], chop["half_tokens"], chop["deck"], chop["pace"]) == (2, 14, 38, 16)


def test_odds_by_the_cards_alone() -> None:
    # Alice at turn 0 sees Bob's r1 y1 g2 b4 b5. Of the 45 others 13 are 1s: three of a suit, two of red and
    # yellow. Critical are the 5s that she does not see, four.
    chop = row(0, 0)
    assert (chop["p_playable"], chop["p_trash"], chop["p_critical"]) == (13 / 45, 0.0, 4 / 45)
    assert (chop["critical"], chop["playable"], chop["trash"]) == (False, False, False)


def test_a_card_that_became_trash_after_its_clue_is_not_read_as_trash() -> None:
    # Bob plays r1, the focus of red; then Alice discards both r3, so that r4 and r5 can never be played.
    moves = "clue 1 red, play 9, discard 0, discard 5, discard 1, discard 6"
    deck = "r3 r3 g4 g4 b3 y3 p3 r4 g3 r1"
    columns = read_hand_cards(make_batch(deal_records([game(moves, deck)])), fast=False).columns
    [red] = np.flatnonzero((columns["turn"] == 5) & (columns["order"] == 7)).tolist()
    # Alice has drawn one r1. By the cards alone, the other red card is r1, one of two r2, two r4, or r5.
    assert (columns["p_playable"][red], columns["p_trash"][red]) == (2 / 6, 4 / 6)
    # By good touch it is not r1; but r4 and r5 were still of use when red was clued.
    assert (columns["read_playable"][red], columns["read_trash"][red]) == (2 / 5, 0.0)


def test_features() -> None:
    found = rows()
    index = int(np.flatnonzero((found.columns["turn"] == 5) & (found.columns["order"] == 7))[0])
    features = dict(zip(SETS["conventions"], design(found.columns, "conventions")[:, index], strict=True))
    assert features["intercept"] == 1
    assert features["no_token"] == 0
    # Tokens at turn 5: 8 - 1 (turn 0) + 1 - 1 + 1.
    assert features["tokens"] == 1.0
    assert features["deck"] == 37 / 40
    assert features["pace"] == pytest.approx((1 + 37 - 25 + 2) / 10)
    assert features["players"] == -1
    assert features["held"] == pytest.approx(np.log(6))
    assert features["on_chop"] == pytest.approx(np.log(5))
    # One partner, who had two turns: the share is at most 1.
    assert features["spared"] == 1.0
    assert features["spared_discards"] == 2
    assert features["touches"] == 0
    assert features["misses"] == pytest.approx(1 / 3)
    p = found.columns["p_critical"][index]
    assert features["odds_critical"] == pytest.approx(np.log(p / (1 - p)))
    assert features["read_critical"] == features["odds_critical"]
    assert [features[name] for name in ("plays", "known_trash", "chop_moved", "focused")] == [0, 0, 0, 0]
    # Odds of 0 are cut at 0.01.
    first = dict(zip(SETS["context"], design(found.columns, "context")[:, 0], strict=True))
    assert first["odds_trash"] == pytest.approx(np.log(0.01 / 0.99))


def test_odds_are_those_of_the_turns() -> None:
    for record in simulate("conventional", players=3, games=3, seed=5, fast=False):
        columns = read_hand_cards(make_batch(deal_records([record])), fast=False).columns
        acted = np.flatnonzero(columns["act"])
        turns = replay(record).turns.to_dicts()
        for index in acted.tolist():
            turn = turns[columns["turn"][index]]
            assert columns["order"][index] == turn["order"]
            for name in ("p_playable", "p_trash", "p_critical"):
                assert columns[name][index] == turn[name]
            assert columns["playable"][index] == turn["playable"]
            assert columns["critical"][index] == (turn["status"] == "critical")
            assert columns["trash"][index] == (turn["status"] == "trash")
        best = [columns["p_playable"][columns["turn"] == turn["turn"]].max() for turn in turns]
        assert best == [turn["best_p_playable"] for turn in turns]


def test_the_cards_are_those_that_the_site_allows_for() -> None:
    # Odds of 0 for everything that is playable: no identity that the site allows the holder fits a stack.
    for line in golden("real-3p")[:6]:
        record = GameRecord(
            players=tuple(line["game"]["players"]),
            deck=[Card(card["suitIndex"], card["rank"]) for card in line["game"]["deck"]],
            actions=[
                Action(one["type"], one["target"], one.get("value", 0)) for one in line["game"]["actions"]
            ],
        )
        columns = read_hand_cards(make_batch(deal_records([record])), fast=False).columns
        for index in range(len(columns["turn"])):
            turn = int(columns["turn"][index])
            if turn < 9 or turn >= len(line["turns"]):
                continue
            position = line["turns"][turn]
            seat = int(columns["seat"][index])
            place = position["hands"][seat].index(int(columns["order"][index]))
            allowed = int(position["emp"][seat][place], 16)
            fits = {suit * RANK_SLOTS + stack + 1 for suit, stack in enumerate(position["stacks"])}
            could = any(allowed >> number & 1 for number in fits)
            assert (columns["p_playable"][index] > 0) == could


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
def test_compiled_and_interpreted_give_the_same_rows() -> None:
    records = []
    for players in (2, 5):
        records += simulate("conventional", players=players, games=2, seed=3, fast=False)
    for variant in ("Clue Starved (5 Suits)", "Up or Down (5 Suits)", "Rainbow & White (6 Suits)"):
        records += simulate("cautious", players=3, games=2, seed=3, variant=variant, fast=False)
    batch = make_batch(deal_records(records))
    slow, fast = (read_games(batch, fast=speed, cards=True) for speed in (False, True))
    assert slow.games["hand_cards"].tolist() == fast.games["hand_cards"].tolist()
    for name, column in slow.hand_cards.items():
        np.testing.assert_array_equal(column, fast.hand_cards[name], err_msg=name)


def test_rows_are_written_only_where_they_are_wanted() -> None:
    output = read_games(make_batch(deal_records([game(MOVES, DECK)])), fast=False)
    assert output.games["hand_cards"].tolist() == [0]
    assert {len(column) for column in output.hand_cards.values()} == {0}
